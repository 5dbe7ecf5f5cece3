// The layout of a document as edits of it.

import JSONRPC
import LanguageServerProtocol
import PostKitLanguage
import PostKitSession
import PostKitSyntax
import PostKitText

/// The handlers of formatting.
enum DocumentFormatting {
  /// `textDocument/formatting`. The layout is ours: the client's tab size changes nothing.
  static func formatting(
    _ snapshot: Snapshot, _ params: LSP.DocumentFormattingParams
  ) async throws(RPCError) -> [LSP.TextEdit]? {
    try await layOut(snapshot, params.textDocument.uri, nil)
  }

  /// `textDocument/rangeFormatting`: the whole requests that the range touches.
  static func rangeFormatting(
    _ snapshot: Snapshot, _ params: LSP.DocumentRangeFormattingParams
  ) async throws(RPCError) -> [LSP.TextEdit]? {
    try await layOut(snapshot, params.textDocument.uri, [params.range])
  }

  /// `textDocument/rangesFormatting`.
  static func rangesFormatting(
    _ snapshot: Snapshot, _ params: LSP.DocumentRangesFormattingParams
  ) async throws(RPCError) -> [LSP.TextEdit]? {
    try await layOut(snapshot, params.textDocument.uri, params.ranges)
  }

  /// `textDocument/onTypeFormatting`: the indentation of JSON as the client indents.
  static func onTypeFormatting(
    _ snapshot: Snapshot, _ params: LSP.DocumentOnTypeFormattingParams
  ) async throws(RPCError) -> [LSP.TextEdit]? {
    guard let document = try snapshot.requestFile(params.textDocument.uri) else { return nil }
    let context = await snapshot.context(of: document)
    let converter = context.converter(snapshot)
    let edits = TypingEdits.edits(
      context.document.parsed, after: params.ch, at: converter.offset(params.position),
      indenting: Indentation(
        width: params.options.tabSize, usesTabs: !params.options.insertSpaces))
    return edits.map { lsp($0, converter) }
  }

  private static func layOut(
    _ snapshot: Snapshot, _ uri: String, _ ranges: [LSP.Range]?
  ) async throws(RPCError) -> [LSP.TextEdit]? {
    guard let document = try snapshot.requestFile(uri) else { return nil }
    let context = await snapshot.context(of: document)
    let converter = context.converter(snapshot)
    let touched = ranges?.map { converter.offsets($0) }
    return Formatting(context.document.parsed, touching: touched).edits.map { lsp($0, converter) }
  }

  private static func lsp(_ edit: TextEdit, _ converter: PositionConverter) -> LSP.TextEdit {
    LSP.TextEdit(range: converter.lsp(edit.range), newText: edit.replacement)
  }
}
