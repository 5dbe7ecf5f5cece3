// The parts of a `??` line: a left side, a predicate, and perhaps a value (PK-78).

/// What an assertion says, as httpYac writes it.
package struct AssertionForm: Sendable, Hashable {
  /// What the left side asks for; ranges are trimmed, and count as the bytes that were read do.
  package enum Subject: Sendable, Hashable {
    case status
    /// The value of a header.
    case header(Range<Int>)
    /// The whole body, or a member of it.
    case body(member: Range<Int>?)
    case duration(DurationPart)
    case xpath(Range<Int>)
    /// `js` and an expression, or an expression alone.
    case expression(Range<Int>)
    /// The response as the description of its API has it: the whole line is `openapi` (IO-38).
    case openAPI
  }

  /// A stretch of the time that an exchange took.
  package enum DurationPart: String, Sendable, Hashable, CaseIterable {
    case total, firstByte, download, wait, request, tcp, tls
  }

  /// What must hold of the left side.
  package enum Predicate: Sendable, Hashable {
    case equal, notEqual, greater, greaterOrEqual, less, lessOrEqual
    case startsWith, endsWith, contains, matches
    case isTrue, isFalse, isNumber, isString, isBoolean, isArray
    case sha256, sha512, md5

    /// Whether the line goes on with a value.
    package var takesValue: Bool {
      switch self {
      case .isTrue, .isFalse, .isNumber, .isString, .isBoolean, .isArray: false
      case .equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual, .startsWith,
        .endsWith, .contains, .matches, .sha256, .sha512, .md5:
        true
      }
    }
  }

  package let subject: Subject
  package let predicate: Predicate
  /// The predicate as written.
  package let predicateRange: Range<Int>
  /// The trimmed value to compare with; empty where there is none.
  package let expected: Range<Int>
  /// How the predicate is spelt where it was written in other letters (`Contains`).
  package let spelling: String?

  /// Reads the trimmed text after `??`; `nil` where it is no assertion.
  package init?(_ bytes: [UInt8], _ text: Range<Int>) {
    guard let form = bytes.withView({ AssertionForm($0, text) }) else { return nil }
    self = form
  }

  /// Reads the trimmed text after `??` in a view.
  init?(_ bytes: ByteView, _ text: Range<Int>) {
    let scan = AssertionScan(bytes, text)
    guard let type = scan.words.first else { return nil }
    if scan.words.count == 1, bytes.equals(type, "openapi") {
      (subject, predicate, predicateRange) = (.openAPI, .isTrue, type)
      (expected, spelling) = (type.upperBound..<type.upperBound, nil)
      return
    }
    let prefix = Prefix(bytes, type)
    // What is typed ends at the first predicate; an expression may hold operators of its own.
    guard let found = scan.predicate(takesFirst: prefix != nil && prefix != .expression) else {
      return nil
    }
    let start = prefix == nil ? text.lowerBound : bytes.skipBlanks(type.upperBound, text.upperBound)
    let value = bytes.trimmed(min(start, found.range.lowerBound)..<found.range.lowerBound)
    guard let subject = AssertionForm.subject(prefix, value, bytes) else { return nil }
    self.subject = subject
    predicate = found.predicate
    predicateRange = found.range
    spelling = found.spelling
    expected = bytes.trimmed(found.range.upperBound..<text.upperBound)
    // An empty text can be equal to something; nothing else can be said of it.
    let mayBeEmpty = !predicate.takesValue || predicate == .equal || predicate == .notEqual
    if expected.isEmpty ? !mayBeEmpty : !predicate.takesValue { return nil }
  }

  /// The word that says what the left side is.
  private enum Prefix {
    case status, header, body, duration, expression, xpath

    private static let words: [(StaticString, Prefix)] = [
      ("status", .status), ("header", .header), ("body", .body), ("duration", .duration),
      ("js", .expression), ("xpath", .xpath),
    ]

    init?(_ bytes: ByteView, _ word: Range<Int>) {
      guard let found = Prefix.words.first(where: { bytes.equals(word, $0.0) }) else { return nil }
      self = found.1
    }
  }

  private static func subject(
    _ prefix: Prefix?, _ value: Range<Int>, _ bytes: ByteView
  ) -> Subject? {
    switch prefix {
    case .status: return value.isEmpty ? .status : nil
    case .body: return .body(member: value.isEmpty ? nil : value)
    case .duration:
      if value.isEmpty { return .duration(.total) }
      return DurationPart(rawValue: bytes.string(value)).map(Subject.duration)
    case .header: return value.isEmpty ? nil : .header(value)
    case .xpath: return value.isEmpty ? nil : .xpath(value)
    case .expression, nil: return value.isEmpty ? nil : .expression(value)
    }
  }
}

/// Finds the predicate of an assertion among its words.
private struct AssertionScan {
  private let bytes: ByteView
  /// The words outside of quotes and brackets.
  let words: [Range<Int>]

  init(_ bytes: ByteView, _ text: Range<Int>) {
    self.bytes = bytes
    var words: [Range<Int>] = []
    words.reserveCapacity(4)
    var unclosed = 0
    var at = bytes.skipBlanks(text.lowerBound, text.upperBound)
    while at < text.upperBound {
      let end = AssertionScan.wordEnd(bytes, at, text.upperBound, &unclosed)
      words.append(at..<end)
      at = bytes.skipBlanks(end, text.upperBound)
    }
    self.words = words
  }

  /// The end of a word, which goes on to the end of the quotes and brackets in it. One that is
  /// never closed is a character like others; after some of these nobody looks for an end any more,
  /// because each search goes through the rest of the line.
  private static func wordEnd(
    _ bytes: ByteView, _ start: Int, _ end: Int, _ unclosed: inout Int
  ) -> Int {
    var at = start
    while at < end, !bytes[at].isBlank {
      if !bytes[at].isWord, unclosed < 16, closer(bytes[at]) != nil {
        if let close = closing(bytes, at, end) { at = close } else { unclosed += 1 }
      }
      at += 1
    }
    return at
  }

  /// Where what opens at a place is closed.
  private static func closing(_ bytes: ByteView, _ start: Int, _ end: Int) -> Int? {
    var open: [UInt8] = []
    var at = start
    while at < end {
      let byte = bytes[at]
      if let last = open.last, byte == last {
        open.removeLast()
      } else if open.last == Byte.quote || open.last == UInt8(ascii: "'") {
        if byte == Byte.backslash { at += 1 }
      } else if let close = closer(byte) {
        open.append(close)
      }
      if open.isEmpty { return at > start ? at : nil }
      at += 1
    }
    return nil
  }

  private static func closer(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "("): UInt8(ascii: ")")
    case UInt8(ascii: "["): UInt8(ascii: "]")
    case Byte.openBrace: Byte.closeBrace
    case Byte.quote, UInt8(ascii: "'"): byte
    default: nil
    }
  }

  /// A predicate and where it stands.
  struct Found {
    var predicate: AssertionForm.Predicate
    var range: Range<Int>
    var spelling: String?
  }

  /// The first or the last predicate after the first word: as it is spelt, else in other letters.
  func predicate(takesFirst: Bool) -> Found? {
    for ignoresCase in [false, true] {
      for step in 1..<max(words.count, 1) {
        let place = takesFirst ? step : words.count - step
        if let found = found(at: place, ignoresCase) { return found }
      }
    }
    return nil
  }

  private func found(at index: Int, _ ignoresCase: Bool) -> Found? {
    guard let found = spelt(words[index], ignoresCase) else { return nil }
    // `not equals` is one predicate of two words.
    guard found.predicate == .equal, words[index].count == 6, index > 1,
      ignoresCase
        ? bytes.equalsIgnoringCase(words[index - 1], "not")
        : bytes.equals(words[index - 1], "not")
    else { return found }
    let range = words[index - 1].lowerBound..<words[index].upperBound
    return Found(predicate: .notEqual, range: range, spelling: ignoresCase ? "not equals" : nil)
  }

  private func spelt(_ word: Range<Int>, _ ignoresCase: Bool) -> Found? {
    for (spelling, predicate) in AssertionScan.predicates {
      if bytes.equals(word, spelling) {
        return Found(predicate: predicate, range: word, spelling: nil)
      }
      if ignoresCase, bytes.equalsIgnoringCase(word, spelling) {
        return Found(predicate: predicate, range: word, spelling: spelling.description)
      }
    }
    return nil
  }

  private static let predicates: [(StaticString, AssertionForm.Predicate)] = [
    ("==", .equal), ("===", .equal), ("equals", .equal), ("!=", .notEqual), ("!==", .notEqual),
    (">", .greater), (">=", .greaterOrEqual), ("<", .less), ("<=", .lessOrEqual),
    ("startsWith", .startsWith), ("endsWith", .endsWith), ("contains", .contains),
    ("includes", .contains), ("matches", .matches), ("exists", .isTrue), ("isTrue", .isTrue),
    ("isFalse", .isFalse), ("isNumber", .isNumber), ("isString", .isString),
    ("isBoolean", .isBoolean), ("isArray", .isArray), ("sha256", .sha256), ("sha512", .sha512),
    ("md5", .md5),
  ]
}
