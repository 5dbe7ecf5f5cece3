// Pairs of queries and forms as text that is sent as the origin sends it (IO-11).

/// Escapes the literal parts of a text; templates stay as they are.
struct PairEscaping {
  /// Bytes that would mean something else where they stand.
  private var escaped: [Bool]
  /// Whether `%XX` stays as it is.
  private var keepsEscapes: Bool

  private init(_ characters: String, keepsEscapes: Bool = true) {
    self.keepsEscapes = keepsEscapes
    escaped = (0..<256).map { $0 < 32 || $0 == 127 }
    for byte in characters.utf8 { escaped[Int(byte)] = true }
  }

  /// The URL before its query.
  static let url = PairEscaping(" ")
  /// A path.
  static let path = PairEscaping("?# ")
  /// Names of a query.
  static let queryName = PairEscaping("&=#+ ")
  /// Values of a query.
  static let queryValue = PairEscaping("&# ")
  /// Names and values of forms, whose blanks the language encodes.
  static let form = PairEscaping("%&=+", keepsEscapes: false)
  /// Pairs of a query in which nothing but letters, digits and harmless signs stay.
  static let strictQuery = strict(keepsEscapes: true)
  /// The same for forms.
  static let strictForm = strict(keepsEscapes: false)

  private static func strict(keepsEscapes: Bool) -> PairEscaping {
    var escaping = PairEscaping("", keepsEscapes: keepsEscapes)
    for byte in 0..<128 {
      let scalar = Unicode.Scalar(UInt8(byte))
      let isKept = scalar.properties.isAlphabetic || ("0"..."9") ~= scalar
        || "-._~".unicodeScalars.contains(scalar)
      escaping.escaped[byte] = !isKept
    }
    return escaping
  }

  /// The text of a request in this place.
  func text(_ text: OriginText, _ renamed: [String: String] = [:]) -> String {
    if text.isLiteral { return literal(text.text[...], escapesBraces: true) }
    let text = TemplateNames.renaming(text.text, renamed)
    guard text.hasTemplate else { return literal(text[...], escapesBraces: false) }
    var result = ""
    var at = text.startIndex
    while let open = text.place(ofText: "{{", from: at)?.lowerBound,
      let close = text.place(ofText: "}}", from: open)?.upperBound
    {
      result += literal(text[at..<open], escapesBraces: false)
      result += LineText.oneLine(String(text[open..<close]))
      at = close
    }
    return result + literal(text[at...], escapesBraces: true)
  }

  private func literal(_ text: Substring, escapesBraces: Bool) -> String {
    func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      escaped.withUnsafeBufferPointer { escaped in
        var last: UInt8 = 0
        for byte in bytes {
          let isBrace = byte == UInt8(ascii: "{")
          if escaped[Int(byte)] || isBrace && (last == UInt8(ascii: "\\") || last == byte) {
            return false
          }
          last = byte
        }
        return true
      }
    }
    if text.utf8.withContiguousStorageIfAvailable(isPlain) == true { return String(text) }
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    for (at, byte) in bytes.enumerated() {
      let next = at + 1 < bytes.count ? bytes[at + 1] : 0
      let isBrace = byte == UInt8(ascii: "{")
        && (next == byte || at > 0 && bytes[at - 1] == byte) && escapesBraces
      let isEscape = byte == UInt8(ascii: "\\") && next == UInt8(ascii: "{")
      let isEscaped = escaped[Int(byte)] && !(keepsEscapes && isValidEscape(bytes, at))
      if isEscaped || isBrace || isEscape {
        Self.append(byte, to: &result)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func isValidEscape(_ bytes: [UInt8], _ at: Int) -> Bool {
    bytes[at] == UInt8(ascii: "%") && at + 2 < bytes.count
      && Self.isHex(bytes[at + 1]) && Self.isHex(bytes[at + 2])
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...70).contains(byte & 0xDF)
  }

  /// Adds a byte as `%XX`.
  static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    let digits: StaticString = "0123456789ABCDEF"
    bytes.append(UInt8(ascii: "%"))
    bytes.append(digits.utf8Start[Int(byte >> 4)])
    bytes.append(digits.utf8Start[Int(byte & 15)])
  }
}

/// A query or a form in lines.
enum PairText {
  /// The pairs of a query that are sent and the lines to write them in.
  struct Query {
    /// What stands behind the URL on its line.
    var sameLine = ""
    /// The lines below it.
    var lines: [String] = []
    /// What is read back of it.
    var target = ""
  }

  /// A query. It stays on the line of the URL where it is short; `length` is the number of
  /// characters that stand there already, `hasQuery` whether a question mark is among them.
  static func query(
    _ pairs: [OriginPair], _ renamed: [String: String], after length: Int, hasQuery: Bool,
    isStrict: Bool
  ) -> Query {
    guard !pairs.isEmpty else { return Query() }
    let names: PairEscaping = isStrict ? .strictQuery : .queryName
    let values: PairEscaping = isStrict ? .strictQuery : .queryValue
    var query = Query()
    var texts: [String] = []
    var needsLines = false
    for pair in pairs {
      var text = names.text(pair.name, renamed)
      // Two question marks begin a check.
      if text.utf8.first == UInt8(ascii: "?") { text = "%3F" + text.dropFirst() }
      if let value = pair.value { text += "=" + values.text(value, renamed) }
      texts.append(text)
      if !pair.isOn || !pair.description.isEmpty { needsLines = true }
    }
    let onLine = (hasQuery ? "&" : "?") + texts.joined(separator: "&")
    if !needsLines, texts.count <= 2, length + onLine.unicodeScalars.count <= 100 {
      query.sameLine = onLine
      query.target = onLine
      return query
    }
    var mark = hasQuery ? "&" : "?"
    for (pair, text) in zip(pairs, texts) {
      if pair.isOn {
        query.lines.append("    \(mark)\(text)")
        query.target += mark + text
        mark = "&"
      } else {
        query.lines.append("    # \(mark)\(text)")
      }
      query.lines += LineText.comments(pair.description).map { "    \($0)" }
    }
    return query
  }

  /// A form, a pair a line. What is switched off becomes a comment.
  static func form(
    _ pairs: [OriginPair], _ renamed: [String: String], isStrict: Bool
  ) -> (lines: [String], comments: Int) {
    let escaping: PairEscaping = isStrict ? .strictForm : .form
    var lines: [String] = []
    var comments = 0
    var isFirst = true
    for pair in pairs {
      var text = outer(escaping.text(pair.name, renamed))
      if let value = pair.value { text += "=" + outer(escaping.text(value, renamed)) }
      if pair.isOn {
        if isFirst { text = beginning(text) }
        lines.append((isFirst ? "" : "&") + text)
        isFirst = false
      } else {
        lines.append("# " + (isFirst ? "" : "&") + text)
        comments += 1
      }
      for line in LineText.comments(pair.description) {
        lines.append(line)
        comments += 1
      }
    }
    // Comments alone are no body.
    return isFirst ? ([], 0) : (lines, comments)
  }

  /// A name or value whose blanks at the ends are kept.
  private static func outer(_ text: String) -> String {
    guard text.utf8.first == 32 || text.utf8.last == 32 else { return text }
    let inner = text.drop { $0 == " " }
    let before = text.utf8.count - inner.utf8.count
    var result = String(repeating: "%20", count: before) + inner
    var after = 0
    while result.utf8.last == 32 {
      result.removeLast()
      after += 1
    }
    result += String(repeating: "%20", count: after)
    return result
  }

  /// The first line without a first character that begins something else.
  private static func beginning(_ text: String) -> String {
    guard let first = text.utf8.first, "<>#/@?".utf8.contains(first) else { return text }
    var bytes: [UInt8] = []
    PairEscaping.append(first, to: &bytes)
    return String(decoding: bytes, as: UTF8.self) + text.dropFirst()
  }
}
