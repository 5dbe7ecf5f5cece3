// Saving the request under the cursor: where to is asked with buttons, as every client has those.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport

/// The command that edits the collections.
enum CollectionEdits {
  /// `postkit.collectionEdit`: one operation. A request that is to be saved without a place is
  /// saved where its user says.
  static func edit(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    let operation = try StoreEdits.operation(argument)
    guard operation.op == .saveRequest, operation.parent == nil else {
      let result = try await StoreEdits.edit(snapshot, LSP.PostkitEditParams(ops: [operation]))
      if operation.op == .deleteItem { CollectionActions.tellDeleted(snapshot) }
      return result
    }
    // What can't be saved is told before anything is asked.
    try operation.requireMembers(place: "params.arguments[0]")
    let content = try await StoreEdits.savedContent(snapshot, operation)
    let place = try await place(snapshot, of: operation.uri)
    let result = try await save(snapshot, content, to: place, at: operation.place)
    await MissingVariables.offer(
      snapshot, operation, saved: result.ids["0"], as: content.displayName.shown)
    let lack = await lack(snapshot, result.ids["0"])
    snapshot.client.showMessage(
      lack == nil ? .info : .warning,
      "Saved `\(content.displayName.shown)`."
        + (lack.map { " The collection can't send it yet: \($0)" } ?? ""))
    return result
  }

  /// What a saved request has no value for any more, as its file alone has one; `nil` for nothing.
  private static func lack(_ snapshot: Snapshot, _ id: String?) async -> String? {
    guard let id else { return nil }
    let document: OpenDocument
    do throws(RPCError) {
      document = try await snapshot.sendable(StoredRequestFile.historyName(of: id))
    } catch {
      Log.warning("A saved request can't be read: \(error.message)")
      return nil
    }
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.analysis(of: context, withResults: false)
    return await Diagnostics.found(snapshot, document, analysis)
      .first { $0.code == .unresolvedVariable }?.message
  }

  /// Where a request is to be saved.
  private enum Place {
    case collection(id: String)
    /// The collection of that name, which is made where nobody has made it meanwhile.
    case new(name: String)
  }

  private static func store(_ snapshot: Snapshot) async throws(RPCError) -> Store {
    if let store = await snapshot.store.store() { return store }
    throw RPCError(.requestFailed, "The store is not available, so nothing was saved.")
  }

  private static func save(
    _ snapshot: Snapshot, _ content: StoredRequestContent, to place: Place,
    at position: SiblingPosition
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    let store = try await store(snapshot)
    let (id, newCollection) = (Identifier.next(), Identifier.next())
    return try await RPCError.ofStore { () throws(StoreFailure) in
      let (result, _) = try await CollectionEditor(store).edit { reader throws(StoreFailure) in
        var edits: [CollectionEdit] = []
        let container: RequestContainer
        switch place {
        case .collection(let id): container = .collection(id)
        case .new(let name):
          if let found = try reader.collections(named: name).first {
            container = .collection(found.id)
          } else {
            edits.append(.createCollection(id: newCollection, name: name))
            container = .collection(newCollection)
          }
        }
        return CollectionPlan(edits + [.saveRequest(id: id, content, in: container, at: position)])
      }
      return LSP.PostkitEditResult(
        revision: Double(result.revision), ids: result.ids.last.map { ["0": $0] } ?? [:])
    }
  }

  /// Lets the user choose a collection, or a new one that has the name of the workspace folder.
  private static func place(
    _ snapshot: Snapshot, of uri: String?
  ) async throws(RPCError) -> Place {
    let store = try await store(snapshot)
    let known = try await RPCError.ofStore { () throws(StoreFailure) in
      try await store.fetch(
        FetchDescriptor<Model.Collection>(sortBy: { [$0.sortOrder.ascending] }))
    }
    let name = snapshot.folderName(of: uri) ?? "Requests"
    let new = "New collection `\(name)`"
    // Of two with one name nobody could say which is meant.
    let titles = known.map(\.name) + (known.contains { $0.name == name } ? [] : [new])
    let answer = try await UserQuestions.pick(
      snapshot.client, "Where should the request be saved?", titles,
      instead: "Use `postkit collections save` in a terminal.")
    guard let title = answer, let index = titles.firstIndex(of: title) else {
      throw RPCError(.requestFailed, "You chose no collection; nothing was saved.")
    }
    return known.indices.contains(index) ? .collection(id: known[index].id) : .new(name: name)
  }
}
