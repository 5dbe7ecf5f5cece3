// One pass over the bytes, no recursion, so that depth is a limit and not a crash.

/// Turns bytes into the nodes of a `JSONTree`.
struct JSONParser {
  let options: JSONParsingOptions
  private var nodes: [JSONNode] = []
  /// Indexes of the arrays and objects that are open.
  private var open: [Int] = []
  private var at = 0

  init(options: JSONParsingOptions) { self.options = options }

  /// Parses one text with nothing but blanks around it.
  mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> [JSONNode] {
    nodes.reserveCapacity(bytes.count / 8 + 4)
    // Windows tools write a byte order mark, which a reader may skip (RFC 8259, section 8.1).
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    try skipBlanks(bytes)
    try value(bytes)
    while !open.isEmpty { try step(bytes) }
    try skipBlanks(bytes)
    guard at == bytes.count else { throw error(.trailingText) }
    return nodes
  }

  /// Reads what follows inside the innermost open array or object.
  private mutating func step(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
    let container = open[open.count - 1]
    let isObject = nodes[container].kind == .object
    let closer = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    try skipBlanks(bytes)
    guard at < bytes.count else { throw error(.unexpectedEnd) }
    if bytes[at] == closer {
      at += 1
      nodes[container].end = UInt32(at)
      nodes[container].next = UInt32(nodes.count)
      open.removeLast()
      return
    }
    if nodes[container].count > 0 {
      guard bytes[at] == UInt8(ascii: ",") else { throw error(.unexpectedByte) }
      at += 1
      try skipBlanks(bytes)
      guard at < bytes.count else { throw error(.unexpectedEnd) }
      if bytes[at] == closer {
        guard options.allowsComments else { throw error(.unexpectedByte) }
        return
      }
    }
    nodes[container].count += 1
    if isObject {
      guard bytes[at] == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
      try string(bytes)
      try skipBlanks(bytes)
      guard at < bytes.count else { throw error(.unexpectedEnd) }
      guard bytes[at] == UInt8(ascii: ":") else { throw error(.unexpectedByte) }
      at += 1
      try skipBlanks(bytes)
    }
    try value(bytes)
  }

  private mutating func value(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
    guard at < bytes.count else { throw error(.unexpectedEnd) }
    switch bytes[at] {
    case UInt8(ascii: "{"): try openContainer(.object)
    case UInt8(ascii: "["): try openContainer(.array)
    case UInt8(ascii: "\""): try string(bytes)
    case UInt8(ascii: "t"): try literal(bytes, "true", .true)
    case UInt8(ascii: "f"): try literal(bytes, "false", .false)
    case UInt8(ascii: "n"): try literal(bytes, "null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(bytes)
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      throw error(.badLiteral)
    default: throw error(.unexpectedByte)
    }
  }

  private mutating func openContainer(_ kind: JSONKind) throws(JSONSyntaxError) {
    guard open.count < options.depthLimit else { throw error(.tooDeep) }
    open.append(nodes.count)
    append(kind, from: at, to: at + 1)
    at += 1
  }

  private mutating func literal(
    _ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString, _ kind: JSONKind
  ) throws(JSONSyntaxError) {
    let length = word.utf8CodeUnitCount
    guard at + length <= bytes.count else { throw error(.badLiteral) }
    for offset in 0..<length where bytes[at + offset] != word.utf8Start[offset] {
      throw error(.badLiteral)
    }
    append(kind, from: at, to: at + length)
    at += length
  }

  private mutating func number(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
    let start = at
    if bytes[at] == UInt8(ascii: "-") { at += 1 }
    guard at < bytes.count else { throw error(.badNumber) }
    if bytes[at] == UInt8(ascii: "0") {
      at += 1
    } else {
      try digits(bytes)
    }
    if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
      at += 1
      try digits(bytes)
    }
    if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") {
        at += 1
      }
      try digits(bytes)
    }
    append(.number, from: start, to: at)
  }

  private mutating func digits(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
    let start = at
    while at < bytes.count, bytes[at] >= 48, bytes[at] <= 57 { at += 1 }
    guard at > start else { throw error(.badNumber) }
  }

  private mutating func string(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
    let start = at
    var isEscaped = false
    var hasHighBytes = false
    at += 1
    while true {
      guard at < bytes.count else { throw error(.unexpectedEnd) }
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        try escape(bytes)
      } else if byte < 0x20 {
        throw error(.controlInString)
      } else {
        if byte >= 0x80 { hasHighBytes = true }
        at += 1
      }
    }
    if hasHighBytes {
      let inner = UnsafeBufferPointer(rebasing: bytes[start + 1..<at])
      if let bad = JSONEscapes.firstInvalidUTF8(inner) {
        throw JSONSyntaxError(offset: start + 1 + bad, problem: .badUTF8)
      }
    }
    at += 1
    append(.string, from: start, to: at, isEscaped: isEscaped)
  }

  private mutating func escape(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
    guard at + 1 < bytes.count else { throw error(.unexpectedEnd) }
    switch bytes[at + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      at += 2
    case UInt8(ascii: "u"):
      guard at + 6 <= bytes.count else { throw error(.unexpectedEnd) }
      for offset in 2..<6 where JSONEscapes.hexValue(bytes[at + offset]) == nil {
        throw error(.badEscape)
      }
      at += 6
    default:
      throw error(.badEscape)
    }
  }

  private mutating func skipBlanks(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
    while at < bytes.count {
      switch bytes[at] {
      case 0x20, 0x09, 0x0A, 0x0D: at += 1
      case UInt8(ascii: "/") where options.allowsComments: try skipComment(bytes)
      default: return
      }
    }
  }

  private mutating func skipComment(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
    guard at + 1 < bytes.count else { throw error(.unexpectedByte) }
    if bytes[at + 1] == UInt8(ascii: "/") {
      while at < bytes.count, bytes[at] != 0x0A { at += 1 }
    } else if bytes[at + 1] == UInt8(ascii: "*") {
      let start = at
      at += 2
      while at + 1 < bytes.count, !(bytes[at] == 0x2A && bytes[at + 1] == 0x2F) { at += 1 }
      guard at + 1 < bytes.count else {
        throw JSONSyntaxError(offset: start, problem: .unexpectedEnd)
      }
      at += 2
    } else {
      throw error(.unexpectedByte)
    }
  }

  private mutating func append(
    _ kind: JSONKind, from start: Int, to end: Int, isEscaped: Bool = false
  ) {
    nodes.append(
      JSONNode(
        kind: kind, isEscaped: isEscaped, start: UInt32(start), end: UInt32(end),
        next: UInt32(nodes.count + 1), count: 0))
  }

  private func error(_ problem: JSONSyntaxError.Problem) -> JSONSyntaxError {
    JSONSyntaxError(offset: at, problem: problem)
  }
}
