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
    let document = try snapshot.document(params.textDocument.uri)
    let converter = document.text.converter(snapshot.client.profile.encoding)
    return Formatting(document.parsed).edits.map { edit in
      LSP.TextEdit(range: converter.lsp(edit.range), newText: edit.replacement)
    }
  }
}
