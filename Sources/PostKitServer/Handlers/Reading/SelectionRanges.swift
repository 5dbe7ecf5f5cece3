// What a selection grows to, in requests as in answers.

import JSONRPC
import LanguageServerProtocol
import PostKitLanguage
import PostKitSession
import PostKitText

/// The handler of selections.
enum SelectionRanges {
  /// `textDocument/selectionRange`: for each position the ranges that hold it.
  static func selectionRange(
    _ snapshot: Snapshot, _ params: LSP.SelectionRangeParams
  ) async throws(RPCError) -> [LSP.SelectionRange]? {
    let document = try snapshot.document(params.textDocument.uri)
    let parsed = await snapshot.reading(of: document)
    let body = snapshot.shownBody(document)
    let converter = document.text.converter(snapshot.client.profile.encoding)
    return params.positions.map { position in
      let offset = converter.offset(position)
      let chain = body?.selections(at: offset) ?? SelectionChain.ranges(in: parsed, at: offset)
      var result: LSP.SelectionRange?
      // What is no request file of ours is empty for us.
      for range in chain.reversed() where range.lowerBound <= offset && offset <= range.upperBound {
        result = LSP.SelectionRange(range: converter.lsp(range), parent: result.map { .value($0) })
      }
      // Nothing to select is an empty range, which stands at the position, too.
      return result ?? LSP.SelectionRange(range: converter.lsp(offset..<offset))
    }
  }
}
