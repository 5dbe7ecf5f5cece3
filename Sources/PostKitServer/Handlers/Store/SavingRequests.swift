// Saving the request under the cursor: where to is asked with buttons, as every client has those.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitSupport

/// The command that edits the collections.
enum SavingRequests {
  /// `postkit.collectionEdit`: one operation. A request that is to be saved without a place is
  /// saved where its user says.
  static func edit(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    var operation = try Editing.operation(argument)
    guard operation.op == .saveRequest, operation.parent == nil else {
      return try await Editing.edit(snapshot, LSP.PostkitEditParams(ops: [operation]))
    }
    // What can't be saved is told before anything is asked.
    let content = try await Editing.savedContent(snapshot, operation)
    operation.parent = try await parent(snapshot, of: operation.uri)
    let result = try await Editing.edit(snapshot, LSP.PostkitEditParams(ops: [operation]))
    await TakingAlong.offer(
      snapshot, operation, saved: result.ids["0"], as: content.displayName.shown)
    let lack = await lack(snapshot, result.ids["0"])
    snapshot.client.showMessage(
      lack == nil ? .info : .warning,
      "Saved `\(content.displayName.shown)`."
        + (lack.map { " It can't be sent from the collection yet: \($0)" } ?? ""))
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
    return await Diagnosing.found(snapshot, document, analysis)
      .first { $0.code == FailureCode.unresolvedVariable.rawValue }?.message
  }

  /// Lets the user choose a collection, or make one that has the name of the workspace folder.
  private static func parent(
    _ snapshot: Snapshot, of uri: String?
  ) async throws(RPCError) -> String {
    guard let store = await snapshot.services.store.store() else {
      throw RPCError(.requestFailed, "The store can't be used, so that nothing was saved.")
    }
    let known: [Model.Collection]
    do throws(StoreFailure) {
      known = try await store.fetch(
        FetchDescriptor<Model.Collection>(sortBy: { [$0.sortOrder.ascending] }))
    } catch {
      throw RPCError(error)
    }
    let name = snapshot.folderName(of: uri) ?? "Requests"
    let new = "New collection `\(name)`"
    let titles = known.map(\.name) + [new]
    let answer = try await Asking.pick(
      snapshot.client, "Where is the request to be saved?", titles,
      instead: "Use `postkit collections save` in a terminal.")
    guard let title = answer, let index = titles.firstIndex(of: title) else {
      throw RPCError(.requestFailed, "Nothing was chosen, so that nothing was saved.")
    }
    if known.indices.contains(index) { return known[index].id }
    let id = Identifier.next()
    do throws(StoreFailure) {
      try await store.edit([.createCollection(id: id, name: name)])
    } catch {
      throw RPCError(error)
    }
    return id
  }
}
