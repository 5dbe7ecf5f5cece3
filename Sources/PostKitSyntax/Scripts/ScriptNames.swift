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
    /// The same of a name that it sets.
    case openVariable
  }

  package let name: String
  package let role: Role
  /// The bytes of the name, counted from the start of the script.
  package let range: Range<Int>

  /// Whether it may be any name.
  package var isOpen: Bool { role == .open || role == .openVariable }
}

/// Collects the names of one script.
package struct ScriptNames {
  /// The names in order of reading.
  package private(set) var names: [ScriptName] = []
  private let tokens: ScriptTokens
  private var isLua: Bool { tokens.isLua }
  /// What stands alone, which may be a variable, and what the script itself declares.
  private var words: [(name: String, range: Range<Int>)] = []
  private var declared: Set<String> = []

  /// Reads a script. `readsWords` says whether variables can be used in it by their bare names, as
  /// httpYac's scripts do.
  package init(_ bytes: ArraySlice<UInt8>, isLua: Bool = false, readsWords: Bool = false) {
    self.init(ScriptTokens(bytes, isLua: isLua), readsWords: readsWords)
  }

  /// Reads the tokens of a script.
  package init(_ tokens: ScriptTokens, readsWords: Bool = false) {
    self.tokens = tokens
    var at = 0
    while at < tokens.count {
      let isRead = tokens[at].kind == .word && !tokens.isDot(at - 1)
        && (readsWords || Self.roots.contains(tokens, at))
      if isRead { at = readChain(at) } else { at += 1 }
    }
    guard readsWords else { return }
    for word in words where !declared.contains(word.name) {
      add(.word, word.range)
    }
  }

  /// The names in a script, its bare words left out.
  package static func names(
    in bytes: ArraySlice<UInt8>, isLua: Bool = false
  ) -> [ScriptName] {
    bytes.count < ScriptMemory.least
      ? ScriptNames(bytes, isLua: isLua).names : ScriptReading.of(bytes, isLua: isLua).names
  }

  /// Whether a script in a request file is one in Lua, by its first words.
  package static func isLua(_ text: ArraySlice<UInt8>) -> Bool {
    let start = text.drop { $0 == 32 || (9...13).contains($0) }
    if start.starts(with: "lang=lua".utf8) { return true }
    guard start.starts(with: "--".utf8) else { return false }
    return start.dropFirst(2).drop { $0 == 32 }.starts(with: "lua".utf8)
  }

  private mutating func add(_ role: ScriptName.Role, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    names.append(ScriptName(name: tokens.text(range), role: role, range: range))
  }

  /// Reads `a.b.c` and what follows it; the place of the next token to be looked at.
  private mutating func readChain(_ first: Int) -> Int {
    var chain = tokens.text(first)
    if let keyword = tokens.word(first - 1), Self.declaring.contains(keyword) {
      declared.insert(chain)
    }
    let word = (chain, tokens[first].range)
    var at = first + 1
    while tokens.isDot(at), let member = tokens.word(at + 1) {
      if let object = object(chain) { return readMember(at + 1, of: object) }
      chain += "." + member
      at += 2
    }
    if tokens.isMark(at, "["), let object = object(chain) { return readKey(at, of: object) }
    let isKey =
      tokens.isMark(at, ":") && (tokens.isMark(first - 1, "{") || tokens.isMark(first - 1, ","))
    if !isKey { words.append(word) }
    if chain == "module.exports", tokens.isMark(at, "=") {
      readKeys(at + 1)
    } else if tokens.isMark(at, "("), at > first + 1 {
      if chain == "$httpyac.setVariables" { readKeys(at + 1) }
      if let role = Self.role(of: chain) { return readArgument(at, role) }
    }
    return at
  }

  /// Reads the first argument of a call that takes a name, behind its parenthesis.
  private mutating func readArgument(_ open: Int, _ role: ScriptName.Role) -> Int {
    let at = open + 1
    if at >= tokens.count || tokens.isMark(at, ")") || tokens.isWord(at, "null") { return at }
    if tokens[at].isPlain, tokens.isMark(at + 1, ",") || tokens.isMark(at + 1, ")") {
      add(role, tokens[at].inside)
      return at + 1
    }
    // A name that is put together can be any.
    let isSet = role == .variable || role == .globalVariable
    add(isSet ? .openVariable : .open, tokens[open].range)
    return at
  }

  // MARK: - Members that are variables

  /// An object whose members are variables.
  private struct Object {
    let set: ScriptName.Role
    let get: ScriptName.Role
    /// Whether its methods are members of it, too.
    var hasMethods = false
  }

  private func object(_ chain: String) -> Object? {
    switch chain {
    case "exports", "module.exports": Object(set: .variable, get: .reference)
    case "$global": Object(set: .globalVariable, get: .globalReference)
    case "client.global" where isLua:
      Object(set: .globalVariable, get: .globalReference, hasMethods: true)
    case "request.variables" where isLua:
      Object(set: .variable, get: .reference, hasMethods: true)
    default: nil
    }
  }

  private mutating func readMember(_ member: Int, of object: Object) -> Int {
    let next = member + 1
    if object.hasMethods, tokens.isMark(next, "(") {
      let call = object.set == .globalVariable ? "client.global." : "request.variables."
      guard let role = Self.role(of: call + tokens.text(member)) else { return next }
      return readArgument(next, role)
    }
    // `exports.$cancel` ends the run.
    if tokens.text(member).hasPrefix("$") { return next }
    add(tokens.isMark(next, "=") ? object.set : object.get, tokens[member].range)
    return next
  }

  private mutating func readKey(_ open: Int, of object: Object) -> Int {
    let at = open + 1
    if at < tokens.count, tokens[at].isPlain, tokens.isMark(at + 1, "]") {
      add(tokens.isMark(at + 2, "=") ? object.set : object.get, tokens[at].inside)
      return at + 2
    }
    add(isSetBehind(open) ? .openVariable : .open, tokens[open].range)
    return at
  }

  /// Whether what a bracket holds is the name of a member that gets a value.
  private func isSetBehind(_ open: Int) -> Bool {
    var depth = 0
    // Names are put together of a few tokens.
    for index in open..<min(open + 100, tokens.count) {
      if tokens.closes(index) { depth -= 1 }
      if depth == 0, index > open { return tokens.isMark(index + 1, "=") }
      if tokens.opens(index) { depth += 1 }
    }
    return true
  }

  /// Reads the keys of an object whose members become variables.
  private mutating func readKeys(_ open: Int) {
    guard tokens.isMark(open, "{") else { return }
    for key in tokens.keys(ofObjectAt: open) {
      switch key {
      case .named(let range): add(.variable, range)
      case .shorthand(let range):
        add(.variable, range)
        // It is also a word of the script, which a new name would change.
        add(.word, range)
      case .open(let range): add(.openVariable, range)
      }
    }
  }

  // MARK: - What is known

  private static let declaring: Set<String> = [
    "const", "let", "var", "function", "class", "local",
  ]

  /// The words with which calls and objects begin.
  private static let roots = ScriptWords(
    Set(calls.keys.map { String($0.prefix { $0 != "." }) })
      .union(["exports", "module", "$global", "$kulala"]))

  /// What the first argument of a call names.
  package static func role(of call: String) -> ScriptName.Role? {
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
    "client.variables.global.clear": .globalReference,
    "client.variables.environment.get": .environmentReference,
    "client.variables.file.get": .reference,
    "client.variables.request.get": .reference,
    "client.variables.request.set": .variable,
    "client.variables.request.clear": .reference,
    "request.environment.get": .environmentReference,
    "request.variables.set": .variable,
    "request.variables.get": .reference,
    "request.variables.clear": .reference,
    "$httpyac.execute": .call,
    "$kulala.runRequest": .call,
    "pm.globals.set": .globalVariable,
    "pm.globals.get": .globalReference,
    "pm.globals.has": .globalReference,
    "pm.globals.unset": .globalReference,
    "pm.environment.set": .globalVariable,
    "pm.environment.get": .reference,
    "pm.environment.has": .reference,
    "pm.environment.unset": .reference,
    "pm.collectionVariables.set": .variable,
    "pm.collectionVariables.get": .reference,
    "pm.collectionVariables.has": .reference,
    "pm.collectionVariables.unset": .reference,
    "pm.variables.set": .variable,
    "pm.variables.get": .reference,
    "pm.variables.has": .reference,
    "pm.variables.unset": .reference,
    "pm.iterationData.get": .reference,
    "pm.iterationData.has": .reference,
    "pm.execution.setNextRequest": .call,
    "postman.setNextRequest": .call,
    "postman.setEnvironmentVariable": .globalVariable,
    "postman.getEnvironmentVariable": .reference,
    "postman.clearEnvironmentVariable": .reference,
    "postman.setGlobalVariable": .globalVariable,
    "postman.getGlobalVariable": .globalReference,
    "postman.clearGlobalVariable": .globalReference,
    "bru.setVar": .variable,
    "bru.getVar": .reference,
    "bru.hasVar": .reference,
    "bru.deleteVar": .reference,
    "bru.setEnvVar": .globalVariable,
    "bru.getEnvVar": .reference,
    "bru.setGlobalEnvVar": .globalVariable,
    "bru.getGlobalEnvVar": .globalReference,
    "bru.getCollectionVar": .reference,
    "bru.getFolderVar": .reference,
    "bru.getRequestVar": .reference,
    "bru.setNextRequest": .call,
    "bru.runner.setNextRequest": .call,
    "bru.runRequest": .call,
  ]
}

/// Names that were collected once.
final class CollectedNames: Sendable {
  let names: [ScriptName]

  /// Keeps names.
  init(_ names: [ScriptName]) { self.names = names }
}
