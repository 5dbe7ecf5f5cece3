// Finds `{{references}}` in a text, in one pass, whatever the text is (PK-43, PK-44).

/// Cuts a text into literals and references.
package enum TemplateParser {
  /// Whether a range is one reference and nothing else.
  package static func isWholeReference(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    bytes.withView { isWholeReference($0, range) }
  }

  /// Whether a range of a view is one reference and nothing else.
  static func isWholeReference(_ bytes: ByteView, _ range: Range<Int>) -> Bool {
    guard bytes.starts(range, with: "{{"),
      case .reference(let reference)? = pieces(bytes, in: range).first
    else { return false }
    return reference.range == range
  }

  /// The pieces of a range in order; together they cover it, but for the braces of escaped
  /// references. Ranges are places in `bytes`. No reference spans a line end.
  package static func pieces(_ bytes: [UInt8], in range: Range<Int>) -> [TemplatePiece] {
    bytes.withView { pieces($0, in: range) }
  }

  /// The pieces of a range of a view.
  static func pieces(_ bytes: ByteView, in range: Range<Int>) -> [TemplatePiece] {
    var pieces: [TemplatePiece] = []
    let open = bytes.firstPair(Byte.openBrace, Byte.openBrace, in: range)
    cut(bytes, in: range, open: open ?? range.upperBound) { kind, range in
      switch kind {
      case .literal: pieces.append(.literal(range))
      case .reference: pieces.append(.reference(reference(bytes, range)))
      case .escapedReference: pieces.append(.escapedReference(range))
      }
    }
    return pieces
  }

  /// What a piece is that isn't read further.
  enum CutKind { case literal, reference, escapedReference }

  /// Calls `add` with each piece of a range in order; the range's first two open braces are known,
  /// its end where it has none.
  @inline(__always) static func cut(
    _ bytes: ByteView, in range: Range<Int>, open: Int, _ add: (CutKind, Range<Int>) -> Void
  ) {
    guard !range.isEmpty else { return }
    let before = range.lowerBound..<open
    var at = bytes.firstPair(Byte.backslash, Byte.openBrace, in: before) ?? open
    var scanner = Scanner(bytes: bytes, end: range.upperBound)
    var literalStart = range.lowerBound
    func take(_ kind: CutKind, _ piece: Range<Int>, from start: Int, to end: Int) {
      if literalStart < start { add(.literal, literalStart..<start) }
      add(kind, piece)
      literalStart = end
    }
    while at < range.upperBound {
      if bytes[at] == Byte.backslash, let inside = scanner.escaped(at: at) {
        take(.escapedReference, inside, from: at, to: inside.upperBound + 4)
        at = literalStart
      } else if scanner.isOpen(at) {
        switch scanner.close(ofOpenAt: at) {
        case .closed(let open, let end):
          take(.reference, open..<end, from: open, to: end)
          at = end
        case .noneFrom(let next): at = next
        }
      } else {
        at += 1
      }
    }
    if literalStart < range.upperBound { add(.literal, literalStart..<range.upperBound) }
  }

  /// Whether one of the literals of a template has two open braces in it.
  package static func hasUnclosedReference(_ pieces: [TemplatePiece], _ bytes: [UInt8]) -> Bool {
    pieces.contains {
      guard case .literal(let range) = $0 else { return false }
      return bytes.firstPair(Byte.openBrace, Byte.openBrace, in: range) != nil
    }
  }

  /// Whether a range holds two open braces side by side, closed or not.
  static func hasOpenBraces(_ bytes: ByteView, in range: Range<Int>) -> Bool {
    bytes.firstPair(Byte.openBrace, Byte.openBrace, in: range) != nil
  }

  /// Reads a reference from its first brace to its last.
  static func reference(_ bytes: ByteView, _ range: Range<Int>) -> ReferenceSyntax {
    var inner = bytes.trimmed(range.lowerBound + 2..<range.upperBound - 2)
    let isEncoded = !inner.isEmpty && bytes[inner.lowerBound] == Byte.percent
    if isEncoded { inner = bytes.trimmed(inner.lowerBound + 1..<inner.upperBound) }
    return ReferenceSyntax(
      range: range, inner: inner, isPercentEncoded: isEncoded,
      expression: ReferenceExpression(parsing: bytes, in: inner))
  }

  /// Looks for the ends of references. Each search ends at the next `{{` outside of quotes, and a
  /// quote that was found open to the end of its line isn't looked for again: linear in all.
  private struct Scanner {
    enum Close {
      /// A reference from its first brace to after its last.
      case closed(open: Int, end: Int)
      /// No reference begins before this place.
      case noneFrom(Int)
    }

    let bytes: ByteView
    let end: Int
    /// Up to where each kind of quote is known to be open.
    private var openQuotes = (double: 0, single: 0, back: 0)
    private var noEscapeBefore = 0

    init(bytes: ByteView, end: Int) {
      self.bytes = bytes
      self.end = end
    }

    func isOpen(_ at: Int) -> Bool {
      at + 1 < end && bytes[at] == Byte.openBrace && bytes[at + 1] == Byte.openBrace
    }

    private func isClose(_ at: Int) -> Bool {
      at + 1 < end && bytes[at] == Byte.closeBrace && bytes[at + 1] == Byte.closeBrace
    }

    /// The text inside of `\{\{…\}\}` that begins at `at`.
    mutating func escaped(at: Int) -> Range<Int>? {
      let inside = at + 4
      guard inside <= end, bytes[at + 1] == Byte.openBrace, bytes[at + 2] == Byte.backslash,
        bytes[at + 3] == Byte.openBrace, at >= noEscapeBefore
      else { return nil }
      var place = inside
      while place + 3 < end, bytes[place] != Byte.lineFeed {
        if bytes[place] == Byte.backslash, bytes[place + 1] == Byte.closeBrace,
          bytes[place + 2] == Byte.backslash, bytes[place + 3] == Byte.closeBrace
        {
          return inside..<place
        }
        place += 1
      }
      noEscapeBefore = place
      return nil
    }

    mutating func close(ofOpenAt first: Int) -> Close {
      var open = first
      while isOpen(open + 1) { open += 1 }
      // Most references are a name.
      var plain = open + 2
      while plain < end, bytes[plain].isNameOfReference { plain += 1 }
      if isClose(plain) { return .closed(open: open, end: plain + 2) }
      var depth = 0
      var firstClose: Int?
      var at = open + 2
      var previous = Byte.space
      while at < end {
        let byte = bytes[at]
        if byte == Byte.lineFeed { break }
        if isOpen(at) { break }
        if isClose(at) {
          if depth == 0 { return .closed(open: open, end: at + 2) }
          firstClose = firstClose ?? at
        }
        switch byte {
        case Byte.openBrace: depth += 1
        case Byte.closeBrace:
          depth -= 1
          if depth < 0 { return fallback(open, firstClose, next: at) }
        case Byte.quote, UInt8(ascii: "'"), UInt8(ascii: "`"):
          if beginsText(after: previous), let last = endOfText(at) { at = last }
        default: break
        }
        previous = byte
        at += 1
      }
      return fallback(open, firstClose, next: at)
    }

    /// Unbalanced braces: the first `}}` closes after all; without one the braces are text.
    private func fallback(_ open: Int, _ firstClose: Int?, next: Int) -> Close {
      if let firstClose { return .closed(open: open, end: firstClose + 2) }
      return .noneFrom(max(next, open + 2))
    }

    /// An apostrophe in a word (`it's`) begins no text.
    private func beginsText(after previous: UInt8) -> Bool {
      if previous.isWord { return false }
      switch previous {
      case UInt8(ascii: "$"), UInt8(ascii: ")"), UInt8(ascii: "]"), Byte.closeBrace, Byte.quote,
        UInt8(ascii: "'"), UInt8(ascii: "`"), Byte.backslash, Byte.dot:
        return false
      default: return true
      }
    }

    /// The closing quote of the text that begins at `start`, on the same line.
    private mutating func endOfText(_ start: Int) -> Int? {
      let quote = bytes[start]
      let known = switch quote {
      case Byte.quote: openQuotes.double
      case UInt8(ascii: "'"): openQuotes.single
      default: openQuotes.back
      }
      if start < known { return nil }
      var at = start + 1
      while at < end, bytes[at] != Byte.lineFeed {
        if bytes[at] == Byte.backslash, at + 1 < end, bytes[at + 1] != Byte.lineFeed {
          at += 1
        } else if bytes[at] == quote {
          return at
        }
        at += 1
      }
      switch quote {
      case Byte.quote: openQuotes.double = min(at, end)
      case UInt8(ascii: "'"): openQuotes.single = min(at, end)
      default: openQuotes.back = min(at, end)
      }
      return nil
    }
  }
}

extension UInt8 {
  /// A character that opens and closes nothing: letters, digits, blanks and `$.-_`.
  fileprivate var isNameOfReference: Bool {
    isLetter || isDigit || self == Byte.space || self == UInt8(ascii: "$") || self == Byte.dot
      || self == Byte.dash || self == UInt8(ascii: "_")
  }
}
