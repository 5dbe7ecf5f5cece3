// What can be folded away, in requests as in answers.

import JSONRPC
import LanguageServerProtocol
import PostKitLanguage
import PostKitSession
import PostKitSyntax
import PostKitText

/// The handler of folds.
enum FoldingRanges {
  /// `textDocument/foldingRange`.
  static func foldingRange(
    _ snapshot: Snapshot, _ params: LSP.FoldingRangeParams
  ) async throws(RPCError) -> [LSP.FoldingRange]? {
    let document = try snapshot.document(params.textDocument.uri)
    let ability = snapshot.client.profile.folding
    var ranges: [FoldingRange]
    if let body = snapshot.shownBody(document) {
      ranges = body.folds()
    } else {
      ranges = try await folds(snapshot, document)
    }
    if let limit = ability.limit, ranges.count > limit { ranges = shortest(ranges, limit) }
    let converter = document.text.converter(snapshot.client.profile.encoding)
    return ranges.compactMap { ToProtocol.folding($0, converter, ability) }
  }

  /// What folds in a request file; most of it was found at the last look.
  private static func folds(
    _ snapshot: Snapshot, _ document: OpenDocument
  ) async throws(RPCError) -> [FoldingRange] {
    let parsed = await snapshot.reading(of: document)
    var folding = snapshot.caches[document.uri]?.folding ?? Folding()
    guard let ranges = folding.ranges(of: parsed, isAbandoned: { Task.isCancelled }) else {
      throw .cancelled
    }
    snapshot.caches.keep(document.uri) { $0.folding = folding }
    return ranges
  }

  /// The ranges without the deepest ones, and of the last level that fits the first ones.
  private static func shortest(_ ranges: [FoldingRange], _ limit: Int) -> [FoldingRange] {
    let kept = ranges.enumerated().sorted {
      ($0.element.level, $0.offset) < ($1.element.level, $1.offset)
    }.prefix(limit)
    return kept.sorted { $0.offset < $1.offset }.map(\.element)
  }
}

extension Snapshot {
  /// The body of a response that a document shows alone; `nil` for any other document.
  func shownBody(_ document: OpenDocument) -> ShownResponse? {
    guard case .response(_, let view) = shown(document.uri), view.isBody, !document.isTooLong else {
      return nil
    }
    return ShownResponse(document.text.bytes, isBody: true)
  }

  /// The blocks of a document as its project has them read.
  func reading(of document: OpenDocument) async -> ParsedDocument {
    guard holdsRequests(document.uri) else { return document.parsed }
    return await context(of: document).document.parsed
  }
}

extension ToProtocol {
  /// A fold; `nil` where the client could hide nothing.
  static func folding(
    _ fold: FoldingRange, _ converter: PositionConverter, _ ability: FoldingAbility
  ) -> LSP.FoldingRange? {
    let inner =
      fold.hasBrackets ? fold.range.lowerBound + 1..<fold.range.upperBound - 1 : fold.range
    let start = converter.position(of: inner.lowerBound)
    let end = converter.position(of: inner.upperBound)
    let kind: LSP.FoldingRangeKind? =
      switch fold.kind {
      case .comment: .comment
      case .imports: .imports
      case .region: .region
      case nil: nil
      }
    let text = ability.showsText && !fold.label.isEmpty ? fold.label.excerpt : nil
    if ability.takesOnlyLines {
      // The line of the closing bracket stays.
      let last = end.line - (fold.hasBrackets ? 1 : 0)
      guard last > start.line else { return nil }
      return LSP.FoldingRange(
        startLine: start.line, endLine: last, kind: kind, collapsedText: text)
    }
    // Without a column a fold begins at the end of its first line.
    return LSP.FoldingRange(
      startLine: start.line, startCharacter: fold.hasBrackets ? start.column : nil,
      endLine: end.line, endCharacter: end.column, kind: kind, collapsedText: text)
  }
}
