// The layout of a document as edits of it.

import JSONRPC
import LanguageServerProtocol
import PostKitSyntax
import PostKitText

/// The handler of formatting.
enum LayingOut {
  /// `textDocument/formatting`. The layout is ours: the client's tab size changes nothing.
  static func formatting(
    _ snapshot: Snapshot, _ params: LSP.DocumentFormattingParams
  ) async throws(RPCError) -> [LSP.TextEdit]? {
    guard let document = try snapshot.requests(params.textDocument.uri) else { return nil }
    let context = await snapshot.context(of: document)
    let converter = context.converter(snapshot)
    return Formatting(context.document.parsed).edits.map { edit in
      LSP.TextEdit(range: converter.lsp(edit.range), newText: edit.replacement)
    }
  }
}
