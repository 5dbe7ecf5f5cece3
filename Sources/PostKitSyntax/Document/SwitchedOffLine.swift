// Header and query lines that are switched off: comments in the head of a request that would be one
// of both without their mark.

/// A line that a comment mark keeps from being sent.
package struct SwitchedOffLine: Sendable, Hashable {
  /// What the line would be.
  package enum Content: Sendable, Hashable {
    case header(name: Range<Int>, value: Range<Int>)
    /// A line of the query, with its `?` or `&`.
    case query
  }

  /// The comment, its mark included; counted from the block's start, as all ranges here.
  package var comment: Range<Int>
  /// The line without the mark and the blanks after it.
  package var line: Range<Int>
  package var content: Content
}

extension ParsedBlock {
  /// The header and query lines between the request line and the blank line that are switched off,
  /// in order.
  ///
  /// A mark, blanks, the name of a header, a colon and a blank: all else is a comment for people,
  /// and so are the words with which these like to begin, such as `Note:`.
  package var switchedOffLines: [SwitchedOffLine] {
    commentsOfHead.compactMap(switchedOff)
  }

  /// The comments between the request line and the blank line. No command line has any.
  private var commentsOfHead: [Range<Int>] {
    guard let request, request.curl == nil else { return [] }
    var comments: [Range<Int>] = []
    var at = 0
    // The request line is not empty.
    var isEmpty = false
    for token in syntax.tokens {
      let range = at..<at + Int(token.length)
      at = range.upperBound
      guard range.lowerBound >= request.line.upperBound else { continue }
      if token.kind == .blank { continue }
      let isLineEnd = token.kind == .lineEnd
      if isLineEnd && isEmpty || token.kind.endsHead { return comments }
      if token.kind == .comment { comments.append(range) }
      isEmpty = isLineEnd
    }
    return comments
  }

  private func switchedOff(_ comment: Range<Int>) -> SwitchedOffLine? {
    let text = Array(slice(comment))
    let mark = text.starts(with: [Byte.slash, Byte.slash]) ? 2 : 1
    guard let start = text[mark...].firstIndex(where: { !$0.isBlank }), start > mark else {
      return nil
    }
    let line = comment.lowerBound + start..<comment.upperBound
    if text[start] == Byte.question || text[start] == UInt8(ascii: "&") {
      let parameter = text[(start + 1)...]
      guard let first = parameter.first, first != Byte.equals,
        !parameter.contains(where: \.isBlank)
      else { return nil }
      return SwitchedOffLine(comment: comment, line: line, content: .query)
    }
    let name = start..<ParsedBlock.endOfName(text, from: start)
    let colon = name.upperBound
    guard text[start].isLetter, colon < text.count, text[colon] == Byte.colon else { return nil }
    guard colon + 1 == text.count || text[colon + 1].isBlank else { return nil }
    let word = String(decoding: text[name], as: UTF8.self).lowercased()
    guard !ParsedBlock.wordsForPeople.contains(word) else { return nil }
    let value = text[(colon + 1)...].firstIndex { !$0.isBlank } ?? text.count
    return SwitchedOffLine(
      comment: comment, line: line,
      content: .header(
        name: comment.lowerBound + name.lowerBound..<comment.lowerBound + name.upperBound,
        value: comment.lowerBound + value..<comment.upperBound))
  }

  /// The end of a token (RFC 9110, section 5.6.2).
  private static func endOfName(_ text: [UInt8], from start: Int) -> Int {
    text[start...].firstIndex { byte in
      !byte.isLetter && !byte.isDigit && !"!#$%&'*+-.^_`|~".utf8.contains(byte)
    } ?? text.count
  }

  /// What comments for people begin with; none of them is a header.
  private static let wordsForPeople: Set<String> = [
    "todo", "fixme", "xxx", "hack", "note", "notes", "hint", "tip", "see", "example", "examples",
    "optional", "bug", "caution", "attention", "nb", "ps", "e.g.", "i.e.", "or", "and", "http",
    "https",
  ]
}

extension TokenKind {
  /// Whether the head of a request is over where it stands.
  fileprivate var endsHead: Bool {
    self == .bodyText || self == .redirectMarker || self == .scriptMarker || self == .response
      || self == .assertion
  }
}
