// Completion and its documentation.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitJSON
import PostKitLanguage
import PostKitSupport

/// The handlers of completion. An edit does not cancel them: the answer is as good for the text
/// after it (lsp.md 1.10).
enum Completing {
  /// `textDocument/completion`.
  static func completion(
    _ snapshot: Snapshot, _ params: LSP.CompletionParams
  ) async throws(RPCError) -> LSP.CompletionList? {
    guard let document = try snapshot.requests(params.textDocument.uri) else { return nil }
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.analysis(of: context)
    let converter = context.converter(snapshot)
    let items = analysis.completion(at: converter.offset(params.position))
    let shown = items.prefix(Limits.completionItems)
    return LSP.CompletionList(
      isIncomplete: shown.count < items.count,
      items: shown.map { ToProtocol.completionItem($0, converter, snapshot.client.profile) })
  }

  /// Adds what an item's `data` stands for; without state, so that it works after a restart.
  static func resolve(
    _ snapshot: Snapshot, _ item: LSP.CompletionItem
  ) async throws(RPCError) -> LSP.CompletionItem {
    guard let label = item.data?["label"]?.string, let kind = item.data?["kind"]?.string else {
      return item
    }
    var text: String?
    switch kind {
    case "method": text = MethodCatalog.named(label)?.summary
    case "header": text = HeaderCatalog.named(label)?.summary
    case "metadata": text = MetadataCatalog.named(label.lowercased().filter { $0 != "-" })?.summary
    case "dynamicVariable":
      text = DynamicVariables.named(String(label.drop { $0 == "$" }))?.summary
    default: break
    }
    var resolved = item
    resolved.documentation = text.map {
      ToProtocol.markup($0, isMarkdown: snapshot.client.profile.takesMarkdownInCompletion)
    }
    return resolved
  }
}
