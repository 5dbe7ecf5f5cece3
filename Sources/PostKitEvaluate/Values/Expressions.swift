// JavaScript in references, tags and checks: evaluation notes what has to be evaluated, and reads
// the answers in its next round (SC-35).

package import PostKitJSON
import PostKitSyntax

/// A JavaScript expression at its place.
package struct ExpressionNeed: Sendable, Hashable {
  package let text: String
  /// The file among those of the run whose scripts it sees.
  package let file: Int
  /// The file that it stands in; empty for that file itself.
  package let path: String
  /// Where it stands in that file, in bytes.
  package let offset: Int
  /// Where it is used, which tells the uses of a value apart that is worked out anew each time;
  /// -1 for any other value of a definition.
  package let use: Int
}

/// What an expression came to.
package enum ExpressionAnswer: Sendable, Hashable {
  case value(JSONValue)
  case undefined
  /// It threw, or is no JavaScript; the text says why, and where.
  case failed(String)
  /// It is a name that nothing defines.
  case unknownName(String)
}

extension Scope {
  /// Names that are objects in every script.
  private static let scriptObjects: Set<String> = [
    "response", "request", "client", "console", "process", "exports", "crypto", "Date", "Math",
    "JSON", "Number", "String", "Object", "Array", "Buffer", "Intl", "Symbol", "globalThis",
  ]

  /// Whether JavaScript may know what evaluation can't resolve: an object, or a name that a script
  /// of the file gives it.
  func scriptMayKnow(_ name: String, hasMembers: Bool) -> Bool {
    if hasMembers, Scope.scriptObjects.contains(name) { return true }
    if scripted.functions[file]?.contains(name) == true { return true }
    let hasImports = files.files[file].document.hasScriptImports
    return hasImports || hasMembers && lookup(name, at: .max) != nil
  }
}

extension Evaluator {
  // Of very many mistakes in one request nobody reads what may have been meant by the later ones.
  private var isWorthSearching: Bool { problems.count < 10 }

  /// The name that was probably meant.
  func suggestion(for name: String, at offset: Int) -> String? {
    isWorthSearching ? scope.nameResembling(name, at: offset) : nil
  }

  /// The name for which an identifier stands in scripts.
  func identified(by name: String, at offset: Int) -> String? {
    isWorthSearching ? scope.nameFolded(to: name, at: offset) : nil
  }

  /// The value of an expression; one that nobody has worked out yet is noted.
  mutating func expression(_ text: String, at range: Range<Int>, offset: Int) -> Resolution {
    let standing = expressionPlace(range)
    let need = ExpressionNeed(
      text: text, file: scope.file, path: standing.path, offset: standing.offset,
      use: standing.use)
    let answer = scope.answers.expressions[need]
    if case .value(let value)? = answer { return .value(value) }
    // What can't be evaluated makes no part of a value.
    if answer != nil { lacks += 1 }
    switch answer {
    case .value(let value): return .value(value)
    case .undefined:
      return .unresolved(.unresolvedVariable(name: text, suggestion: nil))
    case .unknownName(let name):
      let suggestion = scope.nameResembling(name, at: offset)
      return .unresolved(
        .unresolvedVariable(name: name, suggestion: suggestion == name ? nil : suggestion))
    case .failed(let sentence): return .unresolved(.scriptFailed(sentence))
    case nil:
      // Who only looks has nothing evaluated.
      if scope.assumesAnswers { return .value(.string("{{\(text)}}")) }
      note(.expression(need))
      return .unresolved(.expressionPending(text))
    }
  }
}

extension Evaluator {
  /// The value of a variable as scripts read it by its bare name; `nil` where none has that name.
  package mutating func variable(_ name: String, at offset: Int) -> JSONValue? {
    definition(name, at: offset).flatMap { settled($0, at: offset) }
  }

  /// The value of a variable of the environments.
  package mutating func environmentVariable(_ name: String, at offset: Int) -> JSONValue? {
    scope.environments.definitions[name].flatMap { settled($0, at: offset) }
  }

  /// The value of a definition that lacks nothing.
  private mutating func settled(_ definition: VariableDefinition, at offset: Int) -> JSONValue? {
    let known = lacks
    let found = use(definition, at: offset..<offset, place: .body, offset: offset)
    guard lacks == known, case .value(let value) = found else { return nil }
    return value
  }

  /// A text with its references replaced, as far as they have values.
  package mutating func substituted(_ text: String, at offset: Int) -> String {
    expand(text: text, reportedAt: offset..<offset, place: .body, offset: offset)
  }
}
