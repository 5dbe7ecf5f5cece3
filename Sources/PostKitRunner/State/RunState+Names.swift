// What scripts can name: variables by their bare names, stores, responses of other requests.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSyntax

extension RunState {
  /// Gives a context the values of the names that occur in texts.
  mutating func define(
    _ texts: [String], _ caller: ScriptCaller, at offset: Int, _ services: RunServices
  ) async {
    let file = caller.place.file
    var evaluator = evaluator(caller.place, services, "names")
    var set: [JSONMember] = []
    var unset: [String] = []
    for word in ScriptWords.all(in: texts).sorted() {
      let value = variable(word, at: offset, &evaluator)
      guard value != scripts.defined[file]?[word] else { continue }
      scripts.defined[file, default: [:]][word] = value
      if let value { set.append(JSONMember(word, value)) } else { unset.append(word) }
    }
    addSecrets(evaluator.secrets)
    stable = evaluator.stable
    if set.isEmpty && unset.isEmpty { return }
    await scripts.session?.define(ScriptScope(context: file, set: set, unset: unset))
  }

  /// The value of a variable by its bare name, which may stand for one with other letters.
  private func variable(
    _ word: String, at offset: Int, _ evaluator: inout Evaluator
  ) -> JSONValue? {
    if let value = evaluator.variable(word, at: offset) { return value }
    guard word.utf8.contains(where: { (65...90).contains($0) }) else { return nil }
    for group in evaluator.scope.nameGroups {
      if let name = group.first(where: { ScriptWords.folded($0) == word && $0 != word }) {
        return evaluator.variable(name, at: offset)
      }
    }
    return nil
  }

  /// What a script reads without asking.
  mutating func stores(
    _ texts: [String], _ caller: ScriptCaller, at offset: Int, _ services: RunServices
  ) -> ScriptStores {
    var stores = ScriptStores()
    var evaluator = evaluator(caller.place, services, "stores")
    let file = caller.place.file
    stores.request = members(scripts.requestVariables[caller.place] ?? [:])
    stores.globals = members(
      scope.globals.filter { $0.key != Scope.globalHeaders }.mapValues(\.value))
    if case .object(let headers)? = scope.globals[Scope.globalHeaders]?.value {
      stores.headers = headers
    }
    stores.overlay = members(scope.scripted.overlay)
    stores.collection = members(scope.scripted.collection[file] ?? [:])
    stores.exports = members((scope.scripted.exports[file] ?? [:]).mapValues(\.value))
    let words = ScriptWords.names(in: texts)
    let environment = scope.environments.definitions
    stores.isComplete = environment.count <= RunState.mostEnvironmentNames
    for name in environment.keys.sorted() where stores.isComplete || words.contains(name) {
      if let value = evaluator.environmentVariable(name, at: offset) {
        stores.environment.append(JSONMember(name, value))
      }
    }
    for word in words.sorted() {
      if scope.files.files[file].document.names.definitions[word] != nil,
        let value = evaluator.variable(word, at: offset)
      {
        stores.file.append(JSONMember(word, value))
      }
      let name = word.hasSuffix("Response") ? String(word.dropLast(8)) : word
      if let exchange = evaluator.context.exchange(name), !name.isEmpty {
        stores.responses[name] = ScriptResponse(exchange, name: name, timings: nil)
      }
    }
    addSecrets(evaluator.secrets)
    return stores
  }

  /// How many names an environment may have of which all are handed over.
  private static let mostEnvironmentNames = 200

  private func members(_ values: [String: JSONValue]) -> [JSONMember] {
    values.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value) }
  }
}

/// The words of scripts that may name something; strings and comments count, too.
enum ScriptWords {
  /// The words that are identifiers.
  static func all(in texts: [String]) -> Set<String> {
    split(texts) { $0.isWordByte || $0 >= 0x80 }
      .filter { !reserved.contains($0) && !($0.utf8.first.map { (48...57).contains($0) } ?? true) }
  }

  /// The words that are names of whatever letters.
  static func names(in texts: [String]) -> Set<String> {
    split(texts) {
      $0.isWordByte || $0 >= 0x80 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }.union(all(in: texts))
  }

  private static func split(_ texts: [String], _ isPart: (UInt8) -> Bool) -> Set<String> {
    var result: Set<String> = []
    for text in texts {
      for word in text.utf8.split(whereSeparator: { !isPart($0) }) {
        result.insert(String(Substring(word)))
      }
    }
    return result
  }

  /// A name as an identifier: `who-am-i` is `whoAmI`.
  static func folded(_ name: String) -> String {
    var result = ""
    var isUpper = false
    for character in name {
      guard character.isLetter || character.isNumber || character == "_" || character == "$" else {
        isUpper = !result.isEmpty
        continue
      }
      result += isUpper ? character.uppercased() : String(character)
      isUpper = false
    }
    return result
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
  fileprivate var isWordByte: Bool {
    (65...90).contains(self & 0xDF) || (48...57).contains(self) || self == UInt8(ascii: "_")
      || self == UInt8(ascii: "$")
  }
}
