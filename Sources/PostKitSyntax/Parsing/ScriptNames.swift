// The names of variables and requests in scripts: the strings of the calls that are known, and the
// members of the objects in which variables are kept. Scripts are read word by word here, not run.

/// A name in a script.
package struct ScriptName: Sendable, Hashable {
  /// What the script does with it.
  package enum Role: Sendable, Hashable {
    /// It sets the variable for all files, as `client.global.set("name", …)`.
    case globalVariable
    /// It sets the variable for its request or its file.
    case variable
    /// It reads a global.
    case globalReference
    /// It reads the variable, wherever it is defined.
    case reference
    /// It reads the variable from the environments alone.
    case environmentReference
    /// It runs the request.
    case call
    /// A word alone, where variables are read by their bare names; it may be another thing.
    case word
    /// The script puts the name together, so that it may be any.
    case open
  }

  package let name: String
  package let role: Role
  /// The bytes of the name, counted from the start of the script.
  package let range: Range<Int>
}

/// Collects the names of one script.
package struct ScriptNames {
  /// The names in order.
  package private(set) var names: [ScriptName] = []
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
  package init(_ bytes: ArraySlice<UInt8>, isLua: Bool = false, readsWords: Bool = false) {
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
      add(.word, word.range)
    }
  }

  /// Whether a script in a request file is one in Lua, by its first words.
  package static func isLua(_ text: ArraySlice<UInt8>) -> Bool {
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

  private mutating func add(_ role: ScriptName.Role, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    names.append(ScriptName(name: text(range), role: role, range: range))
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
  private mutating func readArgument(_ role: ScriptName.Role) {
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
    add(.open, start - 1..<start)
  }

  // MARK: - Members that are variables

  /// An object whose members are variables.
  private struct Object {
    let set: ScriptName.Role
    let get: ScriptName.Role
    /// Whether its methods are members of it, too.
    var hasMethods = false
  }

  private func object(_ chain: Substring) -> Object? {
    switch chain {
    case "exports": Object(set: .variable, get: .reference)
    case "$global": Object(set: .globalVariable, get: .globalReference)
    case "client.global" where isLua:
      Object(set: .globalVariable, get: .globalReference, hasMethods: true)
    case "request.variables" where isLua:
      Object(set: .variable, get: .reference, hasMethods: true)
    default: nil
    }
  }

  private mutating func readMember(_ member: Range<Int>, of object: Object) {
    if object.hasMethods, token == .mark(Byte.openParenthesis) {
      let call = object.set == .globalVariable ? "client.global." : "request.variables."
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
    add(.open, start - 1..<start)
  }

  // MARK: - What is known

  private static let declaring: Set<String> = [
    "const", "let", "var", "function", "class", "local",
  ]

  /// What the first argument of a call names.
  private static func role(of call: String) -> ScriptName.Role? {
    let own = call.hasPrefix("$kulala.client.") ? call.dropFirst("$kulala.".count) : call[...]
    return calls[String(own)]
  }

  private static let calls: [String: ScriptName.Role] = [
    "client.global.set": .globalVariable,
    "client.global.get": .globalReference,
    "client.global.clear": .globalReference,
    "client.clear": .globalReference,
    "client.variables.global.set": .globalVariable,
    "client.variables.global.get": .globalReference,
    "client.variables.environment.get": .environmentReference,
    "client.variables.file.get": .reference,
    "client.variables.request.get": .reference,
    "client.variables.request.set": .variable,
    "request.environment.get": .environmentReference,
    "request.variables.set": .variable,
    "request.variables.get": .reference,
    "request.variables.clear": .reference,
    "$httpyac.execute": .call,
    "$kulala.runRequest": .call,
  ]
}
