// The declarations of a Swift file, found by words and braces: enough for checks, no parser.

/// One declaration.
struct Declaration: Sendable, Hashable {
  /// The word that declares it: `func`, `struct`, …
  let keyword: String
  /// Its name as written; for `init` its first label.
  let name: String
  /// The words before the keyword, such as `package` and `static`.
  let modifiers: Set<String>
  /// The lines of its first modifier or attribute, of its keyword and of its last brace, from 0.
  let firstLine: Int
  let line: Int
  var lastLine: Int
  /// What it stands in, outermost first.
  let scopes: [Scope]

  /// Whether it can't be seen outside its file.
  var isPrivate: Bool {
    !modifiers.isDisjoint(with: ["private", "fileprivate"]) || scopes.contains(where: \.isPrivate)
  }

  /// Whether it stands in a function, an accessor or a closure.
  var isLocal: Bool { scopes.contains { !$0.isType } }

  /// Whether it has a body with a beginning and an end to measure.
  var isFunction: Bool { Self.functionKeywords.contains(keyword) }

  /// The words of functions.
  static let functionKeywords: Set<String> = ["func", "init", "deinit", "subscript"]
  /// The words of types.
  static let typeKeywords: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "extension",
  ]
  /// The words of what holds a value or names a type.
  static let valueKeywords: Set<String> = ["var", "let", "typealias"]
}

/// Something in braces.
struct Scope: Sendable, Hashable {
  /// The declaring word, empty for plain blocks.
  let keyword: String
  /// The declared name.
  let name: String
  let isPrivate: Bool
  /// Whether an extension adds a conformance.
  let isConforming: Bool
  /// Whether a function belongs to the type and not to its values.
  let isStatic: Bool

  /// Whether members stand directly in it.
  var isType: Bool { Declaration.typeKeywords.contains(keyword) }
}

/// The outline of one file.
struct SourceOutline: Sendable {
  /// All declarations but cases, in order.
  private(set) var declarations: [Declaration] = []
  /// The scopes around each `await`, with its line from 0.
  private(set) var awaits: [(line: Int, scopes: [Scope])] = []

  private let tokens: [Token]
  private var scopes: [(scope: Scope, declaration: Int?)] = []
  private var pending: (scope: Scope, declaration: Int, depth: Int)?
  private var depth = 0

  private struct Token {
    let text: String
    let line: Int
    var isWord: Bool { text.utf8.first.map(SourceOutline.isWordByte) ?? false }
  }

  /// Reads the outline.
  init(code: [String]) {
    tokens = code.enumerated().flatMap { line, text in
      SourceOutline.words(of: text).map { Token(text: $0, line: line) }
    }
    for index in tokens.indices { read(index) }
  }

  private mutating func read(_ index: Int) {
    let token = tokens[index]
    switch token.text {
    case "(", "[": depth += 1
    case ")", "]": depth -= 1
    case "{": open()
    case "}": close(token.line)
    case "await": awaits.append((token.line, scopes.map(\.scope)))
    case "case", "associatedtype", "import": pending = nil
    default:
      let isMember = index > 0 && [".", "`"].contains(tokens[index - 1].text)
      if depth == 0 || scopes.last?.scope.keyword.isEmpty == true, !isMember { declare(index) }
    }
  }

  private mutating func declare(_ index: Int) {
    let token = tokens[index]
    let isType = Declaration.typeKeywords.contains(token.text)
    let isFunction = Declaration.functionKeywords.contains(token.text)
    guard isType || isFunction || Declaration.valueKeywords.contains(token.text) else { return }
    // `class func` and calls such as `init(x)` in a body are no declarations of their own.
    let next = index + 1 < tokens.count ? tokens[index + 1] : token
    if token.text == "class", ["func", "var", "let"].contains(next.text) || !next.isWord { return }
    if token.text == "actor", !next.isWord { return }
    if isType, !next.isWord { return }
    let (first, modifiers) = modifiers(before: index)
    let scope = Scope(
      keyword: token.text, name: next.text,
      isPrivate: !modifiers.isDisjoint(with: ["private", "fileprivate"]),
      isConforming: token.text == "extension" && hasConformance(after: index),
      isStatic: !modifiers.isDisjoint(with: ["static", "class"]))
    declarations.append(
      Declaration(
        keyword: token.text, name: name(after: index), modifiers: modifiers, firstLine: first,
        line: token.line, lastLine: token.line, scopes: scopes.map(\.scope)))
    let hasBody = isType || isFunction || token.text == "var" && isComputed(index)
    pending = hasBody ? (scope, declarations.count - 1, depth) : nil
  }

  /// Whether a brace follows the type of a `var` on its line: values that are given have `=` first.
  private func isComputed(_ index: Int) -> Bool {
    let line = tokens[index...].prefix { $0.line == tokens[index].line }
    return line.first { $0.text == "{" || $0.text == "=" }?.text == "{"
  }

  private mutating func open() {
    if let found = pending, found.depth == depth {
      scopes.append((found.scope, found.declaration))
      pending = nil
    } else {
      let block = Scope(
        keyword: "", name: "", isPrivate: false, isConforming: false, isStatic: false)
      scopes.append((block, nil))
    }
  }

  private mutating func close(_ line: Int) {
    if let index = scopes.popLast()?.declaration { declarations[index].lastLine = line }
    // A requirement of a protocol has no braces of its own.
    if pending?.depth == depth { pending = nil }
  }

  /// The words that belong to a declaration, going back from its keyword.
  private func modifiers(before index: Int) -> (firstLine: Int, words: Set<String>) {
    var words: Set<String> = []
    var first = index
    var at = index - 1
    while at >= 0 {
      if tokens[at].text == ")" {
        // The argument of a modifier or attribute: `private(set)`, `@available(…)`.
        guard let open = opening(of: at), open > 0, tokens[open - 1].isWord else { break }
        let isAttribute = open > 1 && tokens[open - 2].text == "@"
        guard isAttribute || Self.modifierWords.contains(tokens[open - 1].text) else { break }
        at = isAttribute ? open - 2 : open - 1
      } else if at > 0, tokens[at - 1].text == "@" {
        at -= 1
      } else if Self.modifierWords.contains(tokens[at].text) {
        words.insert(tokens[at].text)
      } else {
        break
      }
      first = at
      at -= 1
    }
    return (tokens[first].line, words)
  }

  private func opening(of close: Int) -> Int? {
    var depth = 0
    for at in stride(from: close, through: 0, by: -1) {
      if tokens[at].text == ")" { depth += 1 }
      if tokens[at].text == "(" { depth -= 1 }
      if depth == 0 { return at }
    }
    return nil
  }

  private func name(after index: Int) -> String {
    var at = index + 1
    while at < tokens.count, ["(", "?", "<"].contains(tokens[at].text) { at += 1 }
    guard at < tokens.count else { return "" }
    if tokens[at].isWord { return tokens[at].text }
    if tokens[at].text == "`" { return "in backticks" }
    // Operators are several marks in a row.
    return tokens[at...].prefix { !$0.isWord && $0.text != "(" }.map(\.text).joined()
  }

  private func hasConformance(after index: Int) -> Bool {
    tokens[index...].prefix { $0.text != "{" && $0.text != "where" }.contains { $0.text == ":" }
  }

  private static func words(of line: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    for byte in line.utf8 {
      if isWordByte(byte) {
        word.append(byte)
        continue
      }
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word = []
      if byte != 0x20, byte != 0x09 { words.append(String(UnicodeScalar(byte))) }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || byte == 0x5F || byte >= 0x80
  }

  private static let modifierWords: Set<String> = [
    "package", "private", "fileprivate", "internal", "static", "class", "final", "mutating",
    "nonmutating", "nonisolated", "isolated", "override", "lazy", "weak", "unowned", "consuming",
    "borrowing", "convenience", "required", "indirect", "prefix", "postfix", "infix", "dynamic",
    "distributed", "public",
  ]
}
