// What scripts can name: variables by their bare names, stores, responses of other requests.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSyntax

extension RunState {
  /// Gives a context the values of the names that occur in texts, and what a script reads of the
  /// stores without asking: the names that occur in it (SC-54).
  mutating func handOver(
    _ texts: [String], _ caller: ScriptCaller, at offset: Int, _ services: RunServices
  ) async -> ScriptStores {
    let words = ScriptWords(texts)
    var rounds = 0
    while true {
      var evaluator = evaluator(caller.place, services, "names")
      let change = define(words, caller.place.file, at: offset, &evaluator)
      let stores = stores(words, caller, at: offset, &evaluator)
      addSecrets(evaluator.secrets)
      stable = evaluator.stable
      if let change { await scripts.session?.define(change) }
      // Definitions that are JavaScript themselves come first; those in a circle lack a value.
      let needs = evaluator.needs.compactMap(\.expression).filter {
        scope.answers.expressions[$0] == nil && !scripts.meeting.contains($0)
      }
      rounds += 1
      if needs.isEmpty || rounds == RunState.needRounds { return stores }
      // One by one, as each may read another one.
      for need in needs {
        scripts.meeting.insert(need)
        let failure = await meet([need], of: caller.place, services)
        scripts.meeting.remove(need)
        if failure != nil { return stores }
      }
    }
  }

  /// The bare names whose values a context does not have yet.
  private mutating func define(
    _ words: ScriptWords, _ file: Int, at offset: Int, _ evaluator: inout Evaluator
  ) -> ScriptScope? {
    var set: [JSONMember] = []
    var unset: [String] = []
    let lasting = scripts.lastingWords[file] ?? []
    let bare = lasting.isEmpty ? words.bare : words.bare.union(lasting)
    for word in bare.sorted() {
      let value = variable(word, at: offset, &evaluator)
      guard value != scripts.defined[file]?[word] else { continue }
      scripts.defined[file, default: [:]][word] = value
      if let value { set.append(JSONMember(word, value)) } else { unset.append(word) }
    }
    return set.isEmpty && unset.isEmpty ? nil : ScriptScope(context: file, set: set, unset: unset)
  }

  /// The value of a variable by its bare name, which may stand for one with other letters.
  private mutating func variable(
    _ word: String, at offset: Int, _ evaluator: inout Evaluator
  ) -> JSONValue? {
    if let value = evaluator.variable(word, at: offset) { return value }
    guard word.utf8.contains(where: { (65...90).contains($0) }) else { return nil }
    let file = evaluator.scope.file
    let names = scripts.foldedNames[file] ?? FoldedNames(evaluator.scope.nameGroups)
    scripts.foldedNames[file] = names
    for name in names[word] {
      if let value = evaluator.variable(name, at: offset) { return value }
    }
    return nil
  }

  private func stores(
    _ words: ScriptWords, _ caller: ScriptCaller, at offset: Int, _ evaluator: inout Evaluator
  ) -> ScriptStores {
    var stores = ScriptStores()
    let names = words.names.sorted()
    for store in PartialStore.allCases {
      let count = count(of: store, caller)
      if count == 0 { continue }
      let found = names.compactMap { name in
        value(of: name, in: store, caller, at: offset, &evaluator).map { JSONMember(name, $0) }
      }
      stores[store] = found
      if found.count < count { stores.partial.append(store.rawValue) }
    }
    stores.request = members(scripts.requestVariables[caller.place] ?? [:])
    if case .object(let headers)? = scope.globals[Scope.globalHeaders]?.value {
      stores.headers = headers
    }
    for word in names where !word.isEmpty {
      let name = word.hasSuffix("Response") ? String(word.dropLast(8)) : word
      if let exchange = evaluator.context.exchange(name), !name.isEmpty {
        stores.responses[name] = ScriptResponse(exchange, name: name, timings: nil)
      }
    }
    return stores
  }

  /// How many names a store has.
  private func count(of store: PartialStore, _ caller: ScriptCaller) -> Int {
    let file = caller.place.file
    return switch store {
    case .globals: scope.globals.count - (scope.globals[Scope.globalHeaders] == nil ? 0 : 1)
    case .environment: scope.environments.definitions.count
    case .overlay: scope.scripted.overlay.count
    case .file: scope.files.files[file].document.names.definitions.count
    case .exports: scope.scripted.exports[file]?.count ?? 0
    case .collection: scope.scripted.collection[file]?.count ?? 0
    }
  }

  /// The names of a store.
  private func names(of store: PartialStore, _ caller: ScriptCaller) -> [String] {
    let file = caller.place.file
    let names =
      switch store {
      case .globals: scope.globals.keys.filter { $0 != Scope.globalHeaders }
      case .environment: Array(scope.environments.definitions.keys)
      case .overlay: Array(scope.scripted.overlay.keys)
      case .file: Array(scope.files.files[file].document.names.definitions.keys)
      case .exports: (scope.scripted.exports[file]?.keys).map(Array.init) ?? []
      case .collection: (scope.scripted.collection[file]?.keys).map(Array.init) ?? []
      }
    return names.sorted()
  }

  /// The value of a name in a store.
  private func value(
    of name: String, in store: PartialStore, _ caller: ScriptCaller, at offset: Int,
    _ evaluator: inout Evaluator
  ) -> JSONValue? {
    let file = caller.place.file
    return switch store {
    case .globals: name == Scope.globalHeaders ? nil : scope.globals[name]?.value
    case .environment: evaluator.environmentVariable(name, at: offset)
    case .overlay: scope.scripted.overlay[name]
    case .file:
      scope.files.files[file].document.names.definitions[name] == nil
        ? nil : evaluator.variable(name, at: offset)
    case .exports: scope.scripted.exports[file]?[name]?.value
    case .collection: scope.scripted.collection[file]?[name]
    }
  }

  /// The value of a name in a store that a script has in part, or all of the store.
  mutating func stored(
    _ call: ScriptCall, _ caller: ScriptCaller, _ services: RunServices
  ) -> ScriptAnswer {
    guard let store = call.argument(0).string.flatMap(PartialStore.init) else {
      return .failure("there is no such store")
    }
    var evaluator = evaluator(caller.place, services, "call")
    let offset = offset(caller)
    defer {
      addSecrets(evaluator.secrets)
      stable = evaluator.stable
    }
    if let name = call.argument(1).string {
      let found = value(of: name, in: store, caller, at: offset, &evaluator)
      return .value(.object(found.map { [JSONMember("value", $0)] } ?? []))
    }
    return .value(
      .object(
        names(of: store, caller).compactMap { name in
          value(of: name, in: store, caller, at: offset, &evaluator).map { JSONMember(name, $0) }
        }))
  }

  /// All variables that a script can name, the nearest of each name.
  mutating func variables(_ caller: ScriptCaller, _ services: RunServices) -> [JSONMember] {
    var evaluator = evaluator(caller.place, services, "call")
    var all: Set<String> = []
    for group in evaluator.scope.nameGroups { all.formUnion(group) }
    let offset = offset(caller)
    defer {
      addSecrets(evaluator.secrets)
      stable = evaluator.stable
    }
    return all.subtracting([Scope.globalHeaders]).sorted().compactMap { name in
      evaluator.variable(name, at: offset).map { JSONMember(name, $0) }
    }
  }

  private func members(_ values: [String: JSONValue]) -> [JSONMember] {
    values.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value) }
  }
}

/// The stores of which a script is given the names that occur in it.
enum PartialStore: String, CaseIterable {
  case globals, environment, overlay, file, exports, collection
}

extension ScriptStores {
  /// What is given of a store.
  fileprivate subscript(store: PartialStore) -> [JSONMember] {
    get { self[keyPath: ScriptStores.place(store)] }
    set { self[keyPath: ScriptStores.place(store)] = newValue }
  }

  private static func place(_ store: PartialStore) -> WritableKeyPath<ScriptStores, [JSONMember]> {
    switch store {
    case .globals: \.globals
    case .environment: \.environment
    case .overlay: \.overlay
    case .file: \.file
    case .exports: \.exports
    case .collection: \.collection
    }
  }
}

/// The names that are no identifiers, by the identifiers that stand for them.
struct FoldedNames: Sendable {
  private var names: [String: [String]] = [:]

  /// Takes the names that are known.
  init(_ groups: [[String]]) {
    for name in groups.joined() { add(name) }
  }

  /// Takes one more name.
  mutating func add(_ name: String) {
    let folded = ScriptVariableName.folded(name)
    if folded != name, names[folded]?.contains(name) != true {
      names[folded, default: []].append(name)
    }
  }

  /// The names for which an identifier stands.
  subscript(word: String) -> [String] { names[word] ?? [] }
}

/// The words of scripts that may name something; strings and comments count, too.
struct ScriptWords: Sendable {
  /// The words that are identifiers, which may be variables.
  private(set) var bare: Set<String> = []
  /// The words that are names of whatever letters.
  private(set) var names: Set<String> = []

  /// Finds the words of texts.
  init(_ texts: [String]) {
    for text in texts {
      var text = text
      text.withUTF8 { add($0) }
    }
    names.formUnion(bare)
  }

  private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    var at = 0
    while at < bytes.count {
      guard bytes[at].isNameByte else {
        at += 1
        continue
      }
      let start = at
      var isWord = true
      var wordStart = at
      while at < bytes.count, bytes[at].isNameByte {
        if !bytes[at].isWordByte {
          addBare(bytes[wordStart..<at])
          (isWord, wordStart) = (false, at + 1)
        }
        at += 1
      }
      addBare(bytes[wordStart..<at])
      if !isWord { names.insert(String(decoding: bytes[start..<at], as: UTF8.self)) }
    }
  }

  private mutating func addBare(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    guard let first = bytes.first, !(48...57).contains(first) else { return }
    let word = String(decoding: bytes, as: UTF8.self)
    if ScriptWords.reserved.contains(word) { names.insert(word) } else { bare.insert(word) }
  }

  private static let reserved: Set<String> = [
    "request", "response", "console", "test", "sleep", "exports", "require", "module", "httpFile",
    "httpRegion", "client", "const", "let", "var", "function", "return", "if", "else", "for",
    "while", "new", "this", "true", "false", "null", "undefined", "typeof", "await", "async",
    "throw", "try", "catch", "finally", "class", "of", "in", "do", "switch", "case", "break",
    "continue", "default", "delete", "void", "instanceof", "yield", "import", "export", "super",
  ]
}

extension UInt8 {
  /// Whether it is a byte of an identifier.
  fileprivate var isWordByte: Bool {
    (65...90).contains(self & 0xDF) || (48...57).contains(self) || self == UInt8(ascii: "_")
      || self == UInt8(ascii: "$") || self >= 0x80
  }

  /// Whether it is a byte of a name.
  fileprivate var isNameByte: Bool {
    isWordByte || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
  }
}
