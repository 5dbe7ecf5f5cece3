// The names that a script declares itself, and where each is known.

import Synchronization

/// A name that a script declares.
package struct ScriptDeclaration: Sendable, Hashable {
  /// What declares it.
  package enum Kind: Sendable, Hashable {
    case variable, constant, function, type, parameter, imported
  }
  package let name: String
  package let kind: Kind
  /// The number of the token.
  package let token: Int
  /// The tokens among which it is known.
  package let scope: Range<Int>
}

extension ScriptReading {
  /// The names that are declared anywhere in the script.
  package var declarations: [ScriptDeclaration] { declarationTable.all }

  /// Whether the script declares the word of a token anywhere.
  package func declares(_ token: Int) -> Bool { declarationTable.hasName(of: token, tokens) }

  /// The words that declare names.
  private static let declaringWords = ScriptWords([
    "const", "let", "var", "function", "class", "import", "catch",
  ])

  /// The declarations as they stand in the script.
  var collectedDeclarations: [ScriptDeclaration] {
    var result: [ScriptDeclaration] = []
    for index in 0..<tokens.count {
      if ScriptReading.declaringWords.contains(tokens, index), !tokens.isDot(index - 1) {
        switch tokens.text(index) {
        case "const": result += pattern(from: index + 1, .constant, scope(of: index))
        case "let", "var": result += pattern(from: index + 1, .variable, scope(of: index))
        case "function": result += function(index)
        case "class": result += name(index + 1, .type, scope(of: index))
        case "import": result += imports(index)
        case "catch" where tokens.isMark(index + 1, "("):
          result += parameters(index + 1)
        default: break
        }
      }
      guard tokens[index].kind == .mark else { continue }
      if tokens.isMark(index, "=>") { result += arrow(index) }
      if tokens.isMark(index, "{"), tokens.isMark(index - 1, ")") { result += method(index) }
    }
    return result
  }

  /// The declarations that are known at a token, by name; the innermost of each.
  package func declarations(knownAt token: Int) -> [String: ScriptDeclaration] {
    Dictionary(
      declarations.filter { $0.scope.lowerBound <= token && token <= $0.scope.upperBound }
        .map { ($0.name, $0) },
      uniquingKeysWith: { $0.scope.count <= $1.scope.count ? $0 : $1 })
  }

  /// The declaration that the word of a token means; `nil` where the script declares none there.
  package func declaration(of token: Int) -> ScriptDeclaration? {
    guard declares(token) else { return nil }
    let name = tokens.text(token)
    return declarations.reduce(nil) { found, other in
      guard other.name == name, other.scope.lowerBound <= token, token <= other.scope.upperBound
      else { return found }
      return found.map { $0.scope.count <= other.scope.count ? $0 : other } ?? other
    }
  }

  private func name(
    _ token: Int, _ kind: ScriptDeclaration.Kind, _ scope: Range<Int>
  ) -> [ScriptDeclaration] {
    guard let name = tokens.word(token), !isKeyword(token) else { return [] }
    return [ScriptDeclaration(name: name, kind: kind, token: token, scope: scope)]
  }

  /// The tokens of the block that a token stands in; what a `for` declares is known behind it.
  private func scope(of token: Int) -> Range<Int> {
    var at = opener(token)
    for _ in 0..<ScriptReading.furthest {
      guard let open = at, !tokens.isMark(open, "{"), tokens[open].kind == .mark else { break }
      at = opener(open)
    }
    guard let open = at else { return 0..<tokens.count }
    return open..<(closer(open) ?? tokens.count)
  }

  /// How many tokens belong to a list of names that isn't closed, and how many brackets lie between
  /// a name and its block: broken texts must not be searched whole for each name.
  private static let furthest = 200

  /// Where a list of names ends that a token opens.
  private func end(of open: Int) -> Int {
    closer(open) ?? min(tokens.count, open + ScriptReading.furthest)
  }

  /// The names in `a = 1, {b, c: d} = e, [f]`.
  private func pattern(
    from start: Int, _ kind: ScriptDeclaration.Kind, _ scope: Range<Int>
  ) -> [ScriptDeclaration] {
    var result: [ScriptDeclaration] = []
    var at = start
    while at < tokens.count {
      result += target(at, kind, scope)
      at = tokens.opens(at) ? (closer(at) ?? tokens.count) + 1 : at + 1
      // A value ends at a comma, or where the statement does; a line end alone is not seen here.
      while at < tokens.count, opener(at) == opener(start), !tokens.isMark(at, ",") {
        if tokens.isMark(at, ";") || tokens.isWord(at, "of") || tokens.isWord(at, "in") {
          return result
        }
        if at > start, ScriptReading.declaring.contains(tokens, at) { return result }
        if tokens[at].kind == .word, !tokens.isMark(at - 1, "="), startsLine(at) { return result }
        at = tokens.opens(at) ? (closer(at) ?? tokens.count) + 1 : at + 1
      }
      guard tokens.isMark(at, ","), opener(at) == opener(start) else { return result }
      at += 1
    }
    return result
  }

  /// The words before names that are declared; with one of them a statement begins.
  private static let declaring = ScriptWords(["const", "let", "var", "import"])

  /// Whether a line end stands before a token.
  package func startsLine(_ token: Int) -> Bool {
    guard token > 0 else { return true }
    let between = tokens[token - 1].range.upperBound..<tokens[token].range.lowerBound
    return tokens.slice(between).contains(10)
  }

  /// A name, or the names in the brackets of a pattern.
  private func target(
    _ token: Int, _ kind: ScriptDeclaration.Kind, _ scope: Range<Int>
  ) -> [ScriptDeclaration] {
    guard tokens.isMark(token, "{") || tokens.isMark(token, "[") else {
      return name(token, kind, scope)
    }
    return (token + 1..<max(token + 1, end(of: token))).flatMap { index -> [ScriptDeclaration] in
      // `key: name` declares the second word, `name = value` the first.
      if tokens[index].kind != .word || tokens.isMark(index + 1, ":") { return [] }
      if tokens.isMark(index - 1, "=") || tokens.isDot(index - 1) { return [] }
      return name(index, kind, scope)
    }
  }

  /// `function name(a, b) {…}`.
  private func function(_ keyword: Int) -> [ScriptDeclaration] {
    let isGenerator = tokens.isMark(keyword + 1, "*")
    let place = keyword + (isGenerator ? 2 : 1)
    let own = name(place, .function, scope(of: keyword))
    let open = own.isEmpty ? place : place + 1
    // The body follows as `) {`, where parameters are found.
    return tokens.isMark(open, "(") && closer(open) == nil ? own + parameters(open) : own
  }

  /// The parameters of `(a, b)`, known up to the end of what follows.
  private func parameters(_ open: Int) -> [ScriptDeclaration] {
    let close = end(of: open)
    let body = tokens.isMark(close + 1, "{") ? closer(close + 1) ?? tokens.count : close
    return parameters(open, close, upTo: body)
  }

  private func parameters(_ open: Int, _ close: Int, upTo end: Int) -> [ScriptDeclaration] {
    argumentStarts(open, before: close).flatMap { start -> [ScriptDeclaration] in
      let place = tokens.isMark(start, "...") ? start + 1 : start
      return place < close ? target(place, .parameter, open..<max(end, open + 1)) : []
    }
  }

  /// `name => …` and `(a, b) => …`.
  private func arrow(_ sign: Int) -> [ScriptDeclaration] {
    let end =
      tokens.isMark(sign + 1, "{")
      ? closer(sign + 1) ?? tokens.count
      : opener(sign).flatMap { closer($0) } ?? tokens.count
    guard tokens.isMark(sign - 1, ")") else { return name(sign - 1, .parameter, sign - 1..<end) }
    guard let open = partner(sign - 1) else { return [] }
    return parameters(open, sign - 1, upTo: end)
  }

  /// The parameters of `name(a, b) {…}` and `function (a, b) {…}`, but not of `if (…) {…}`.
  private func method(_ brace: Int) -> [ScriptDeclaration] {
    guard let open = partner(brace - 1), !ScriptReading.beforeBlocks.contains(tokens, open - 1),
      !(tokens.isWord(open - 1, "await") && tokens.isWord(open - 2, "for"))
    else { return [] }
    return parameters(open, brace - 1, upTo: closer(brace) ?? tokens.count)
  }

  /// The words whose parentheses hold no parameters, or are read for themselves.
  private static let beforeBlocks = ScriptWords([
    "if", "for", "while", "switch", "with", "catch",
  ])

  /// `import a, {b as c} from`, `import * as d from`.
  private func imports(_ keyword: Int) -> [ScriptDeclaration] {
    var result: [ScriptDeclaration] = []
    var at = keyword + 1
    while at < tokens.count, !tokens.isWord(at, "from"), tokens[at].kind != .string {
      if tokens.word(at) != nil, !tokens.isWord(at, "as"), !tokens.isWord(at + 1, "as") {
        result += name(at, .imported, 0..<tokens.count)
      }
      if tokens.isMark(at, ";") || tokens.isMark(at, "(") { return [] }
      if ScriptReading.declaring.contains(tokens, at) { return [] }
      at += 1
    }
    return result
  }
}

/// The names that a script declares, collected once.
final class ScriptDeclarations: Sendable {
  let all: [ScriptDeclaration]
  /// The numbers of their words, which others may have, too.
  private let numbers: ScriptWordNumbers
  private let names = AtomicLazyReference<Names>()

  private final class Names: Sendable {
    let all: Set<String>

    init(_ all: Set<String>) { self.all = all }
  }

  /// Keeps declarations of a script.
  init(_ all: [ScriptDeclaration], _ tokens: ScriptTokens) {
    self.all = all
    numbers = ScriptWordNumbers(all.lazy.map { tokens[$0.token].sign }, count: all.count)
  }

  /// Whether the word of a token is one of their names.
  func hasName(of token: Int, _ tokens: ScriptTokens) -> Bool {
    guard token >= 0, token < tokens.count, numbers.mayHave(tokens[token].sign) else {
      return false
    }
    let names = names.load() ?? names.storeIfNil(Names(Set(all.lazy.map(\.name))))
    return names.all.contains(tokens.text(token))
  }
}
