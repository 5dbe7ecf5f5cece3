// The names of variables and requests in scripts: the strings of the calls that are known, and the
// members of the objects in which variables are kept. Scripts are read word by word here, not run.

import PostKitSyntax

/// Collects the names of one script.
struct ScriptNames {
  /// The names, counted from the start of the script.
  private(set) var occurrences: [NameOccurrence] = []
  private let bytes: ArraySlice<UInt8>
  private let isLua: Bool
  private var tokens: ScriptTokens
  /// The token that is looked at, and the one before it.
  private var token: ScriptTokens.Token
  private var before = ScriptTokens.Token.end
  /// What stands alone, which may be a variable, and what the script itself declares.
  private var words: [(name: String, range: Range<Int>)] = []
  private var declared: Set<String> = []

  /// Reads a script. `readsWords` says whether variables can be used in it by their bare names, as
  /// httpYac's scripts do.
  init(_ bytes: ArraySlice<UInt8>, isLua: Bool = false, readsWords: Bool = false) {
    self.bytes = bytes
    self.isLua = isLua
    tokens = ScriptTokens(bytes, isLua: isLua)
    token = tokens.next()
    while token != .end {
      if case .word(let range) = token, before != .mark(Byte.dot) {
        readChain(range)
      } else {
        advance()
      }
    }
    guard readsWords else { return }
    for word in words where !declared.contains(word.name) {
      add(.scriptWord, word.range)
    }
  }

  /// Whether a script in a request file is one in Lua, by its first words.
  static func isLua(_ text: ArraySlice<UInt8>) -> Bool {
    let start = text.drop { $0 == 32 || (9...13).contains($0) }
    if start.starts(with: "lang=lua".utf8) { return true }
    guard start.starts(with: "--".utf8) else { return false }
    return start.dropFirst(2).drop { $0 == 32 }.starts(with: "lua".utf8)
  }

  private mutating func advance() {
    before = token
    token = tokens.next()
  }

  private func text(_ range: Range<Int>) -> String {
    let start = bytes.startIndex
    return String(
      decoding: bytes[start + range.lowerBound..<start + range.upperBound], as: UTF8.self)
  }

  private mutating func add(_ role: NameOccurrence.Role, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    occurrences.append(NameOccurrence(name: text(range), role: role, range: range))
  }

  /// Reads `a.b.c` and what follows it.
  private mutating func readChain(_ first: Range<Int>) {
    let word = text(first)
    if case .word(let keyword) = before, Self.declaring.contains(text(keyword)) {
      declared.insert(word)
    }
    let opener = before
    var chain = word
    advance()
    var last = first
    while let member = takeMember() {
      chain += "." + text(member)
      last = member
      if let object = object(chain.dropLast(text(member).utf8.count + 1)) {
        return readMember(member, of: object)
      }
    }
    if token == .mark(Byte.openBracket), let object = object(chain[...]) {
      return readKey(of: object)
    }
    let isKey =
      token == .mark(Byte.colon)
      && (opener == .mark(Byte.openBrace) || opener == .mark(Byte.comma))
    if !isKey { words.append((word, first)) }
    guard token == .mark(Byte.openParenthesis), last != first, let role = Self.role(of: chain)
    else { return }
    readArgument(role)
  }

  /// The word behind a dot.
  private mutating func takeMember() -> Range<Int>? {
    guard token == .mark(Byte.dot) else { return nil }
    advance()
    guard case .word(let range) = token else { return nil }
    advance()
    return range
  }

  /// Reads the first argument of a call that takes a name.
  private mutating func readArgument(_ role: NameOccurrence.Role) {
    let start = tokens.position
    advance()
    if token == .mark(Byte.closeParenthesis) || token == .end { return }
    if case .string(let range, true) = token {
      advance()
      if token == .mark(Byte.comma) || token == .mark(Byte.closeParenthesis) {
        return add(role, range)
      }
    }
    // A name that is put together can be any.
    add(.openName, start - 1..<start)
  }

  // MARK: - Members that are variables

  /// An object whose members are variables.
  private struct Object {
    let set: NameOccurrence.Role
    let get: NameOccurrence.Role
    /// Whether its methods are members of it, too.
    var hasMethods = false
  }

  private func object(_ chain: Substring) -> Object? {
    switch chain {
    case "exports": Object(set: .scriptVariable, get: .scriptReference)
    case "$global": Object(set: .scriptGlobal, get: .globalReference)
    case "client.global" where isLua:
      Object(set: .scriptGlobal, get: .globalReference, hasMethods: true)
    case "request.variables" where isLua:
      Object(set: .scriptVariable, get: .scriptReference, hasMethods: true)
    default: nil
    }
  }

  private mutating func readMember(_ member: Range<Int>, of object: Object) {
    if object.hasMethods, token == .mark(Byte.openParenthesis) {
      let call = object.set == .scriptGlobal ? "client.global." : "request.variables."
      if let role = Self.role(of: call + text(member)) { readArgument(role) }
      return
    }
    // `exports.$cancel` ends the run.
    if text(member).hasPrefix("$") { return }
    add(token == .assignment ? object.set : object.get, member)
  }

  private mutating func readKey(of object: Object) {
    let start = tokens.position
    advance()
    if case .string(let range, true) = token {
      advance()
      if token == .mark(Byte.closeBracket) {
        advance()
        return add(token == .assignment ? object.set : object.get, range)
      }
    }
    add(.openName, start - 1..<start)
  }

  // MARK: - What is known

  private static let declaring: Set<String> = [
    "const", "let", "var", "function", "class", "local",
  ]

  /// What the first argument of a call names.
  private static func role(of call: String) -> NameOccurrence.Role? {
    let own = call.hasPrefix("$kulala.client.") ? call.dropFirst("$kulala.".count) : call[...]
    return calls[String(own)]
  }

  private static let calls: [String: NameOccurrence.Role] = [
    "client.global.set": .scriptGlobal,
    "client.global.get": .globalReference,
    "client.global.clear": .globalReference,
    "client.clear": .globalReference,
    "client.variables.global.set": .scriptGlobal,
    "client.variables.global.get": .globalReference,
    "client.variables.environment.get": .environmentReference,
    "client.variables.file.get": .scriptReference,
    "client.variables.request.get": .scriptReference,
    "client.variables.request.set": .scriptVariable,
    "request.environment.get": .environmentReference,
    "request.variables.set": .scriptVariable,
    "request.variables.get": .scriptReference,
    "request.variables.clear": .scriptReference,
    "$httpyac.execute": .scriptCall,
    "$kulala.runRequest": .scriptCall,
  ]
}

/// Bytes that mean something in a script.
private enum Byte {
  static let dot = UInt8(ascii: ".")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let openParenthesis = UInt8(ascii: "(")
  static let closeParenthesis = UInt8(ascii: ")")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
  static let slash = UInt8(ascii: "/")
  static let backslash = UInt8(ascii: "\\")
  static let dollar = UInt8(ascii: "$")
  static let backtick = UInt8(ascii: "`")
  static let lineFeed = UInt8(ascii: "\n")
}

/// The tokens of a script in JavaScript or Lua, without its comments.
struct ScriptTokens {
  /// What stands in a script; ranges count from its start.
  enum Token: Hashable {
    case word(Range<Int>)
    /// The inside of a string, and whether that is the string's value.
    case string(Range<Int>, Bool)
    /// `=` alone.
    case assignment
    case mark(UInt8)
    case end
  }

  private let bytes: ArraySlice<UInt8>
  private let isLua: Bool
  private var at: Int
  /// How many braces are open in each `${…}` that is open.
  private var braces: [Int] = []
  /// Whether a slash would divide what stands before it.
  private var followsValue = false

  /// Begins at the start of a script.
  init(_ bytes: ArraySlice<UInt8>, isLua: Bool) {
    self.bytes = bytes
    self.isLua = isLua
    at = bytes.startIndex
  }

  /// How many bytes have been read.
  var position: Int { at - bytes.startIndex }

  /// Reads the next token.
  mutating func next() -> Token {
    skipBlanks()
    guard at < bytes.endIndex else { return .end }
    let byte = bytes[at]
    if ScriptTokens.isWord(byte) { return word() }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return string(until: byte)
    case Byte.backtick where !isLua: return template(from: at + 1)
    case Byte.closeBrace where braces.last == 0:
      braces.removeLast()
      return template(from: at + 1)
    case Byte.slash where !isLua && !followsValue: return pattern()
    case UInt8(ascii: "="): return equals()
    case UInt8(ascii: "?") where follows(Byte.dot):
      at += 2
      return .mark(Byte.dot)
    default: break
    }
    if let depth = braces.last {
      if byte == Byte.openBrace { braces[braces.count - 1] = depth + 1 }
      if byte == Byte.closeBrace { braces[braces.count - 1] = depth - 1 }
    }
    at += 1
    followsValue =
      byte == Byte.closeParenthesis || byte == Byte.closeBracket || byte == Byte.closeBrace
    return .mark(byte)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (65...90).contains(byte & 0xDF) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
      || byte == Byte.dollar || byte >= 0x80
  }

  private func follows(_ byte: UInt8) -> Bool { at + 1 < bytes.endIndex && bytes[at + 1] == byte }

  private func range(_ start: Int, _ end: Int) -> Range<Int> {
    start - bytes.startIndex..<end - bytes.startIndex
  }

  private mutating func skipBlanks() {
    let comment = UInt8(ascii: isLua ? "-" : "/")
    while at < bytes.endIndex {
      if bytes[at] == 32 || (9...13).contains(bytes[at]) {
        at += 1
      } else if bytes[at] == comment, follows(comment) {
        while at < bytes.endIndex, bytes[at] != Byte.lineFeed { at += 1 }
      } else if bytes[at] == Byte.slash, !isLua, follows(UInt8(ascii: "*")) {
        at += 2
        while at < bytes.endIndex, bytes[at] != UInt8(ascii: "*") || !follows(Byte.slash) {
          at += 1
        }
        at = min(at + 2, bytes.endIndex)
      } else {
        return
      }
    }
  }

  private mutating func word() -> Token {
    let start = at
    while at < bytes.endIndex, ScriptTokens.isWord(bytes[at]) { at += 1 }
    let operators = ["return", "typeof", "case", "in", "of", "new", "delete", "void", "await"]
    followsValue = !operators.contains { bytes[start..<at].elementsEqual($0.utf8) }
    return .word(range(start, at))
  }

  private mutating func string(until quote: UInt8) -> Token {
    let start = at + 1
    var isPlain = true
    at = start
    while at < bytes.endIndex, bytes[at] != quote, bytes[at] != Byte.lineFeed {
      if bytes[at] == Byte.backslash {
        isPlain = false
        at += 1
      }
      at += 1
    }
    at = min(at, bytes.endIndex)
    let inside = range(start, at)
    // A line end is left to what follows: the string was not closed.
    if at < bytes.endIndex, bytes[at] == quote { at += 1 }
    followsValue = true
    return .string(inside, isPlain)
  }

  /// Reads a text between backticks up to its end, or to the next expression in it.
  private mutating func template(from start: Int) -> Token {
    var isPlain = start > bytes.startIndex && bytes[start - 1] == Byte.backtick
    at = start
    while at < bytes.endIndex, bytes[at] != Byte.backtick {
      if bytes[at] == Byte.dollar, follows(Byte.openBrace) {
        at += 2
        braces.append(0)
        followsValue = false
        return .mark(Byte.backtick)
      }
      if bytes[at] == Byte.backslash {
        isPlain = false
        at += 1
      }
      at += 1
    }
    let end = min(at, bytes.endIndex)
    at = min(end + 1, bytes.endIndex)
    followsValue = true
    return .string(range(start, end), isPlain)
  }

  /// Reads a regular expression; one that does not end in its line is a slash.
  private mutating func pattern() -> Token {
    var end = at + 1
    var isInClass = false
    while end < bytes.endIndex, bytes[end] != Byte.lineFeed {
      switch bytes[end] {
      case Byte.backslash: end += 1
      case Byte.openBracket: isInClass = true
      case Byte.closeBracket: isInClass = false
      case Byte.slash where !isInClass:
        at = end + 1
        followsValue = true
        return .mark(Byte.slash)
      default: break
      }
      end += 1
    }
    at += 1
    return .mark(Byte.slash)
  }

  private mutating func equals() -> Token {
    let start = at
    while at < bytes.endIndex, bytes[at] == UInt8(ascii: "=") || bytes[at] == UInt8(ascii: ">") {
      at += 1
    }
    followsValue = false
    return at == start + 1 ? .assignment : .mark(UInt8(ascii: "="))
  }
}
