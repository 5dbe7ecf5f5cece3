// Bodies of Hurl.

import PostKitHTTP

extension HurlParser {
  /// Reads a body, if one stands here.
  mutating func body() throws(OriginFailure) -> HurlBody? {
    let start = scanner.at
    if scanner.take("```") {
      let fenced = try fencedText(from: start)
      try endLine()
      return fenced.body
    }
    if let bytes = try encodedBytes() {
      try endLine()
      return .bytes(bytes)
    }
    if scanner.take("file,") {
      let path = try upToSemicolon(from: start)
      try endLine()
      return .file(path)
    }
    switch scanner.byte {
    case UInt8(ascii: "`"):
      let text = try scanner.hurlOneLine()
      try endLine()
      return .text(text, isTemplate: true)
    case UInt8(ascii: "<"): return .xml(try markup())
    case UInt8(ascii: "["):
      let before = scanner
      scanner.at += 1
      let word = scanner.word()
      if word.first?.isUppercase == true, scanner.take("]") {
        throw scanner.failure("`[\(word)]` is no section that can stand here.", at: start)
      }
      scanner = before
      return .json(try json())
    case UInt8(ascii: "{"), UInt8(ascii: "\""): return .json(try json())
    case .some(48...57), UInt8(ascii: "-"): return .json(try json())
    default:
      let before = scanner
      let word = scanner.word()
      scanner = before
      return ["true", "false", "null"].contains(word) ? .json(try json()) : nil
    }
  }

  /// What stands between three backticks; they are open already.
  mutating func fencedText(from start: Int) throws(OriginFailure) -> HurlFence {
    var attributes: [String] = []
    var at = scanner.at
    let bytes = scanner.bytes
    // A language and attributes stand on the line of the marks, the text below it.
    let lineEnd = bytes[at...].firstIndex(of: 10) ?? bytes.count
    let heading = String(decoding: bytes[at..<lineEnd], as: UTF8.self).trimmingASCIIBlanks()
      .replacing("\r", with: "")
    if heading.utf8.allSatisfy({ ASCIIWord.contains($0) || $0 == 44 || $0 == 32 }) {
      attributes = heading.split { $0 == "," || $0 == " " }.map(String.init)
      at = min(lineEnd + 1, bytes.count)
    }
    let textStart = at
    while at < bytes.count, !bytes[at...].starts(with: "```".utf8) { at += 1 }
    guard at < bytes.count else {
      throw scanner.failure("This text is not closed by three backticks.", at: start)
    }
    let text = String(decoding: bytes[textStart..<at], as: UTF8.self)
    scanner.at = at + 3
    return HurlFence(attributes: attributes, text: text.replacing("\r\n", with: "\n"))
  }

  /// `base64,…;` or `hex,…;`.
  mutating func encodedBytes() throws(OriginFailure) -> [UInt8]? {
    let start = scanner.at
    let isBase64 = scanner.take("base64,")
    guard isBase64 || scanner.take("hex,") else { return nil }
    let text = try upToSemicolon(from: start).filter { !$0.isWhitespace }
    let bytes = isBase64
      ? Base64.decode(text, requiresPadding: false) : Hex.decode(String(text))
    guard let bytes else {
      throw scanner.failure("This is no \(isBase64 ? "Base64" : "hexadecimal number").", at: start)
    }
    return bytes
  }

  /// What stands before the next semicolon, which is taken.
  mutating func upToSemicolon(from start: Int) throws(OriginFailure) -> String {
    var text: [UInt8] = []
    while let byte = scanner.byte, byte != UInt8(ascii: ";") {
      scanner.at += 1
      if byte == UInt8(ascii: "\\"), let next = scanner.byte {
        text.append(next)
        scanner.at += 1
      } else {
        text.append(byte)
      }
    }
    guard scanner.take(";") else { throw scanner.failure("A `;` is missing.", at: start) }
    return String(decoding: text, as: UTF8.self).trimmingASCIIBlanks()
  }

  /// JSON byte for byte; references may stand where a value does.
  private mutating func json() throws(OriginFailure) -> String {
    let start = scanner.at
    switch scanner.byte {
    case UInt8(ascii: "\""): try skipJSONString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipJSONBrackets()
    default: _ = scanner.word(also: "+-.")
    }
    let text = String(decoding: scanner.bytes[start..<scanner.at], as: UTF8.self)
    try endLine()
    return text
  }

  private mutating func skipJSONBrackets() throws(OriginFailure) {
    let start = scanner.at
    var depth = 0
    repeat {
      guard let byte = scanner.byte else {
        throw scanner.failure("This JSON is not closed.", at: start)
      }
      if byte == UInt8(ascii: "\"") {
        try skipJSONString()
        continue
      }
      if depth > 0, scanner.take("{{") {
        while !scanner.take("}}") {
          guard scanner.byte != nil else {
            throw scanner.failure("This JSON is not closed.", at: start)
          }
          scanner.at += 1
        }
        continue
      }
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
      scanner.at += 1
    } while depth > 0
  }

  private mutating func skipJSONString() throws(OriginFailure) {
    let start = scanner.at
    scanner.at += 1
    while let byte = scanner.byte, byte != UInt8(ascii: "\"") {
      scanner.at += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard scanner.take("\"") else {
      throw scanner.failure("This text is not closed.", at: start)
    }
  }

  /// A whole XML document byte for byte: to the end of its outermost element.
  private mutating func markup() throws(OriginFailure) -> String {
    let start = scanner.at
    var depth = 0
    var hasElement = false
    while !hasElement || depth > 0 {
      guard scanner.byte != nil else {
        throw scanner.failure("This XML is not closed.", at: start)
      }
      if scanner.take("<!--") {
        try skip(past: "-->", from: start)
      } else if scanner.take("<![CDATA[") {
        try skip(past: "]]>", from: start)
      } else if scanner.take("<?") {
        try skip(past: "?>", from: start)
      } else if scanner.take("<!") {
        try skip(past: ">", from: start)
      } else if scanner.take("</") {
        try skip(past: ">", from: start)
        depth -= 1
      } else if scanner.take("<") {
        hasElement = true
        if try !skipTag(from: start) { depth += 1 }
      } else {
        scanner.at += 1
      }
    }
    let text = String(decoding: scanner.bytes[start..<scanner.at], as: UTF8.self)
    try endLine()
    return text
  }

  private mutating func skip(past end: String, from start: Int) throws(OriginFailure) {
    while !scanner.take(end) {
      guard scanner.byte != nil else {
        throw scanner.failure("This XML is not closed.", at: start)
      }
      scanner.at += 1
    }
  }

  /// Skips what is left of an opening tag; whether it closes itself.
  private mutating func skipTag(from start: Int) throws(OriginFailure) -> Bool {
    var quote: UInt8?
    var last: UInt8 = 0
    while let byte = scanner.byte {
      scanner.at += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return last == UInt8(ascii: "/")
      }
      last = byte
    }
    throw scanner.failure("This XML is not closed.", at: start)
  }
}

/// A text between three backticks.
struct HurlFence: Sendable, Hashable {
  /// The language and what else stands behind the opening marks.
  var attributes: [String]
  var text: String

  /// The body that the text is.
  var body: HurlBody {
    if attributes.contains("graphql") { return graphQL }
    if attributes.contains("json") { return .json(text) }
    if attributes.contains("xml") { return .xml(text) }
    let encoded = text.filter { !$0.isWhitespace }
    if attributes.contains("base64"), let bytes = Base64.decode(encoded, requiresPadding: false) {
      return .bytes(bytes)
    }
    if attributes.contains("hex"), let bytes = Hex.decode(encoded) { return .bytes(bytes) }
    return .text(text, isTemplate: !attributes.contains("novariable"))
  }

  /// The query, and the variables behind a line that begins with their word.
  private var graphQL: HurlBody {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard
      let start = lines.firstIndex(where: { line in
        line.hasPrefix("variables") && line.dropFirst(9).first { !$0.isWhitespace } == "{"
      })
    else { return .graphQL(query: Self.trimmed(text), variables: nil) }
    let query = lines[..<start].joined(separator: "\n")
    let variables = lines[start...].joined(separator: "\n").dropFirst(9)
    return .graphQL(query: Self.trimmed(query), variables: Self.trimmed(String(variables)))
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    while text.first?.isWhitespace == true { text.removeFirst() }
    return String(text)
  }
}
