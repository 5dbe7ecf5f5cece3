// What is known of a line in the list of the collections beyond what it shows.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitText

/// The hover of the documents `postkit:/collections` and `postkit:/collections?QUERY`.
enum CollectionHover {
  /// What is told of a line, counted from 0; `nil` where nothing stands that is stored.
  static func hover(
    _ snapshot: Snapshot, _ document: OpenDocument, line: Int
  ) async throws(RPCError) -> LSP.Hover? {
    guard let id = CollectionActions.id(snapshot, document, line: line),
      let store = await snapshot.store.existing()
    else { return nil }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      let node = try await store.look { reader throws(StoreFailure) in
        guard let item = try reader.item(id: id) else { return nil as CollectionNode? }
        let children = try item.container.map { container throws(StoreFailure) in
          try reader.tree(in: container)
        }
        return try reader.completed([CollectionNode(item: item, children: children ?? [])]).first
      }
      guard let node else { return nil }
      let isMarkdown = snapshot.client.profile.takesMarkdownInHover
      return LSP.Hover(contents: ToProtocol.markup(markdown(node), isMarkdown: isMarkdown))
    }
  }

  private static func markdown(_ node: CollectionNode) -> String {
    var lines = [Markdown.code(node.path.shown)]
    if case .request(let row) = node.item {
      lines.append(Markdown.code("\(row.method) \(row.url.shown)"))
      if row.isFavourite { lines.append("A favourite") }
      let tags = node.tags.map { Markdown.code($0.shown) }.joined(separator: ", ")
      if !tags.isEmpty { lines.append("Tags: \(tags)") }
    } else {
      lines.append("\(node.requestCount) request\(node.requestCount == 1 ? "" : "s")")
    }
    lines.append("Created \(Moment.local(node.item.createdAt))")
    lines.append("Changed \(Moment.local(node.item.updatedAt))")
    var text = lines.joined(separator: "  \n")
    if let defaults = node.item.defaults, !defaults.isEmpty {
      let shown = defaults.masked
      let given = shown.variables.map { "@\($0.name) = \($0.value)" }
        + (shown.auth.map { ["Authorization: \($0)"] } ?? [])
        + shown.headers.map { "\($0.name): \($0.value)" }
      text += "\n\nDefaults of its requests:\n\n" + Markdown.block(given.map(\.shown.oneLine))
    }
    return text
  }
}
