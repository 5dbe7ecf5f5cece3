// What can be done with a line of the list of the collections, and with the list.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// The code actions of the documents `postkit:/collections` and `postkit:/collections?QUERY`.
enum CollectionActions {
  /// The actions of a line, counted from 0.
  static func actions(
    _ snapshot: Snapshot, _ document: OpenDocument, line: Int
  ) async throws(RPCError) -> [LSP.CodeAction] {
    guard let store = await snapshot.store.existing() else { return [] }
    let id = id(snapshot, document, line: line)
    let own = snapshot.initialization
    let (item, deletion) = try await RPCError.ofStore { () throws(StoreFailure) in
      try await store.look { reader throws(StoreFailure) in
        (try id.map { id throws(StoreFailure) in try reader.item(id: id) } ?? nil,
          try reader.deleted().first)
      }
    }
    var actions: [LSP.CodeAction] = []
    switch item {
    case .request(let row)?: actions = request(row, own)
    case let item?: actions = container(item, own)
    case nil: break
    }
    if let deletion {
      let title = "Take back the deletion of `\(deletion.name.shown.oneLine)`"
      actions.append(
        edit("postkit.list.undo", title, own, .init(op: .undoDeletion, id: deletion.id)))
    }
    return actions + orders(snapshot, document, own)
  }

  /// The id of what stands on a line.
  static func id(_ snapshot: Snapshot, _ document: OpenDocument, line: Int) -> String? {
    guard let word = document.lastWord(ofLine: line) else { return nil }
    return Identifier.isValid(word) ? word : snapshot.storedRequestID(of: DocumentURI(word))
  }

  private static func request(
    _ row: Model.HTTPRequest, _ own: LSP.PostkitInitializationOptions
  ) -> [LSP.CodeAction] {
    let uri = StoredRequestFile.historyName(of: row.id)
    let favourite = row.isFavourite ? "Make it a favourite no more" : "Make it a favourite"
    return [
      CodeActions.action(
        "postkit.send", "Send it",
        CommandID.send.command("Send it", own, LSP.PostkitSendArguments(uri: uri))),
      CodeActions.action(
        "postkit.open", "Open it",
        CommandID.collections.command("Open it", own, LSP.PostkitCollectionsArguments(id: row.id))),
      edit(
        "postkit.favourite", favourite, own,
        .init(op: .favouriteItem, id: row.id, favourite: !row.isFavourite)),
      edit("postkit.delete", "Delete it", own, .init(op: .deleteItem, id: row.id)),
    ]
  }

  private static func container(
    _ item: CollectionItem, _ own: LSP.PostkitInitializationOptions
  ) -> [LSP.CodeAction] {
    let name = "`\(item.name.shown.oneLine)/`"
    let (send, defaults) = ("Send all of \(name)", "Edit the defaults of \(name)")
    return [
      CodeActions.action(
        "postkit.send", send,
        CommandID.sendAll.command(send, own, LSP.PostkitSendAllArguments(collection: item.id))),
      CodeActions.action(
        "postkit.defaults", defaults,
        CommandID.collections.command(
          defaults, own, LSP.PostkitCollectionsArguments(id: item.id))),
      edit(
        "postkit.delete", "Delete \(name) and all in it", own, .init(op: .deleteItem, id: item.id)),
    ]
  }

  private static func edit(
    _ kind: String, _ title: String, _ own: LSP.PostkitInitializationOptions,
    _ operation: LSP.PostkitEditOperation
  ) -> LSP.CodeAction {
    CodeActions.action(kind, title, CommandID.collectionEdit.command(title, own, operation))
  }

  /// Other orders, and favourites alone.
  private static func orders(
    _ snapshot: Snapshot, _ document: OpenDocument, _ own: LSP.PostkitInitializationOptions
  ) -> [LSP.CodeAction] {
    let items = snapshot.listing(of: document)?.written ?? []
    func value(_ name: String) -> String? {
      items.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    func show(_ title: String, _ name: String, _ value: String?) -> LSP.CodeAction {
      let query =
        items.filter { !$0.hasPrefix("\(name)=") } + (value.map { ["\(name)=\($0)"] } ?? [])
      var argument = LSP.PostkitCollectionsArguments()
      argument.query = query.isEmpty ? nil : query.joined(separator: "&")
      return CodeActions.action(
        "postkit.list.sort", title, CommandID.collections.command(title, own, argument))
    }
    let present = value("sort") ?? RequestQuery.Sort.order.rawValue
    let sorts = RequestQuery.Sort.allCases.filter { $0.rawValue != present }.map { sort in
      show(sort.title, "sort", sort == .order ? nil : sort.rawValue)
    }
    return sorts + [
      value("favourite") == nil
        ? show("Show favourites alone", "favourite", "yes")
        : show("Show all, favourites or not", "favourite", nil)
    ]
  }

  /// Says what took a deletion away, and how it comes back. Clients that know us say their key.
  static func tellDeleted(_ snapshot: Snapshot) {
    guard snapshot.client.profile.postkit == nil else { return }
    snapshot.client.showMessage(
      .info, "Deleted. A code action of the list of the collections takes it back for 30 days.")
  }
}

extension RequestQuery.Sort {
  /// What it sorts by, in words.
  fileprivate var title: String {
    switch self {
    case .order: "Sort by their own order"
    case .name: "Sort by name"
    case .updated: "Sort by last change"
    case .created: "Sort by age"
    case .recent: "Sort by last send"
    }
  }
}

extension Snapshot {
  /// What a list of stored requests looked for; `nil` for the list of all.
  fileprivate func listing(of document: OpenDocument) -> RequestListing? {
    if case .found(let listing) = session.lists.content(document.uri, document.text.bytes) {
      return listing
    }
    guard document.uri.scheme == "postkit" else { return nil }
    // A URI that can't be read has no list either.
    return (try? RequestListing(document.uri)) ?? nil
  }
}
