// Stored requests as a tree for pickers, and as a document for clients of the standard alone.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitText

/// The handlers that show the collections.
enum Collections {
  /// `postkit/collections`: a part of the tree.
  static func list(
    _ snapshot: Snapshot, _ params: LSP.PostkitCollectionsParams
  ) async throws(RPCError) -> LSP.PostkitCollectionsResult {
    guard let store = await snapshot.services.store.existing() else {
      return LSP.PostkitCollectionsResult(nodes: [], revision: 0)
    }
    let depth = Int(max(params.depth ?? 1, 1))
    do throws(StoreFailure) {
      let (nodes, revision) = try await store.look { reader throws(StoreFailure) in
        var container: RequestContainer?
        if let parent = params.parent {
          container = try reader.item(id: parent)?.container
          guard container != nil else { throw .collection(.notFound(parent)) }
        }
        return (try reader.tree(in: container, depth: depth), try reader.revision())
      }
      return LSP.PostkitCollectionsResult(
        nodes: nodes.map { node($0, depth: depth) }, revision: Double(revision))
    } catch {
      throw RPCError(error)
    }
  }

  private static func node(_ node: CollectionNode, depth: Int) -> LSP.PostkitCollectionNode {
    var result = LSP.PostkitCollectionNode(
      id: node.item.id,
      kind: LSP.PostkitCollectionKind(rawValue: node.item.kind) ?? .request,
      name: node.item.name.shown, childCount: node.childCount)
    switch node.item {
    case .collection(let row): result.environment = row.activeEnvironmentID
    case .folder: break
    case .request(let row):
      result.method = row.method
      result.url = row.url.shown
      result.uri = StoredRequestFile.historyName(of: row.id)
    }
    if node.item.container != nil, depth > 1 {
      result.children = node.children.map { self.node($0, depth: depth - 1) }
    }
    return result
  }

  /// `postkit.collections`: opens a stored request, or the list of all.
  static func show(
    _ snapshot: Snapshot, _ arguments: LSP.PostkitCollectionsArguments
  ) async throws(RPCError) -> String {
    let uri: String
    if let id = arguments.id {
      uri = try await StoredRequests.write(snapshot, id: id)
    } else {
      uri = try await ListDocument.collections.uri(snapshot) { () throws(RPCError) in
        try await text(snapshot)
      }
    }
    Showing.open(snapshot, uri, takesFocus: true)
    return uri
  }

  /// The id of the request on a line of the list, counted from 0.
  static func request(
    _ snapshot: Snapshot, _ document: OpenDocument, line: Int
  ) -> String? {
    guard let word = document.lastWord(ofLine: line) else { return nil }
    return StoredRequests.id(of: DocumentURI(word), snapshot)
  }

  /// What can be done with the request on a line of the list.
  static func actions(
    _ snapshot: Snapshot, _ document: OpenDocument, line: Int
  ) -> [LSP.CodeAction] {
    guard let id = request(snapshot, document, line: line) else { return [] }
    let own = snapshot.initialization
    let uri = StoredRequestFile.historyName(of: id)
    return [
      Acting.action(
        "postkit.send", "Send it",
        CommandID.send.command("Send it", own, LSP.PostkitSendArguments(uri: uri))),
      Acting.action(
        "postkit.open", "Open it",
        CommandID.collections.command("Open it", own, LSP.PostkitCollectionsArguments(id: id))),
      Acting.action(
        "postkit.delete", "Delete it",
        CommandID.collectionEdit.command(
          "Delete it", own, LSP.PostkitEditOperation(op: .deleteItem, id: id))),
    ]
  }

  /// The document `postkit:/collections`: a line for each thing, with the id of what can be sent.
  /// All are comments, so that the list is a request file without a mistake.
  static func text(_ snapshot: Snapshot) async throws(RPCError) -> String {
    guard let store = await snapshot.services.store.existing() else { return empty }
    do throws(StoreFailure) {
      let nodes = try await store.collectionTree()
      if nodes.isEmpty { return empty }
      return (["# The code actions of a line send its request, open it and delete it.", "#"]
        + lines(nodes, "# ")).joined(separator: "\n") + "\n"
    } catch {
      throw RPCError(error)
    }
  }

  private static let empty =
    "# No collections yet. The code action \"Save to a collection\" creates one.\n"

  private static func lines(_ nodes: [CollectionNode], _ indent: String) -> [String] {
    nodes.flatMap { node -> [String] in
      let name = node.item.name.shown.oneLine
      guard case .request(let row) = node.item else {
        return ["\(indent)\(name)/"] + lines(node.children, indent + "  ")
      }
      let caption = row.name == nil ? name : "\(name)  \(row.method) \(row.url.shown.oneLine)"
      return ["\(indent)\(caption)  \(StoredRequestFile.historyName(of: row.id))"]
    }
  }
}

extension RPCError {
  /// What a client is told of a failure of the store.
  init(_ failure: StoreFailure) {
    switch failure {
    case .collection(.stale), .collection(.notFound), .changedMeanwhile, .markChanged:
      self.init(.contentModified, failure.message)
    case .collection: self.init(.invalidParams, failure.message)
    default: self.init(.requestFailed, failure.message)
    }
  }
}
