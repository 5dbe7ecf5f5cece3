// The rules that look at declarations: documentation, length, what may wait where.

/// Checks on the outline of one file.
enum DeclarationChecks {
  /// A function or a computed value has fewer than 60 lines from its keyword to its last brace,
  /// unless it is a plain switch.
  static func functionLength(_ source: SourceText) -> [Violation] {
    let measured = source.outline.declarations.filter { $0.isFunction || $0.keyword == "var" }
    return measured.compactMap { declaration in
      let count = declaration.lastLine - declaration.line + 1
      let lines = source.code[declaration.line...declaration.lastLine]
      guard count >= 60, !PlainSwitch.isWhole(lines) else { return nil }
      return Violation(
        path: source.path, line: declaration.line + 1,
        rule: "\(declaration.name) has \(count) lines")
    }
  }

  /// A type or function that other files can see has a `///` comment whose first paragraph is a
  /// sentence. Exempt are initialisers that only their own target sees, members of extensions that
  /// add a conformance, and well-known witnesses; values may speak by their names.
  static func documentation(_ source: SourceText) -> [Violation] {
    source.outline.declarations.filter(needsDocumentation).compactMap { declaration in
      let comment = comment(above: declaration.firstLine, in: source)
      let what = "\(declaration.keyword) \(declaration.name)"
      if comment.isEmpty {
        return Violation(
          path: source.path, line: declaration.line + 1, rule: "\(what) has no doc comment")
      }
      let paragraph = comment.prefix { !$0.isEmpty && !$0.hasPrefix("- ") }
      guard let last = paragraph.last?.last, ".:?!".contains(last) else {
        return Violation(
          path: source.path, line: declaration.line + 1,
          rule: "the doc comment of \(what) doesn't begin with a sentence")
      }
      return nil
    }
  }

  /// The store's actor never waits inside its methods; what it does is done in one go.
  static func awaits(_ source: SourceText, actor: String) -> [Violation] {
    source.outline.awaits.filter { found in
      let isInActor = found.scopes.contains { $0.isType && $0.name == actor }
      return isInActor && !found.scopes.contains(where: \.isStatic)
    }.map {
      Violation(path: source.path, line: $0.line + 1, rule: "waits inside a method of \(actor)")
    }
  }

  /// A function that makes Markdown puts no name or value between backticks of its own: the text
  /// may have some, and so get out.
  static func bareCode(_ source: SourceText) -> [Violation] {
    source.outline.declarations.filter(\.isFunction).flatMap { declaration -> [Violation] in
      let lines = declaration.line...declaration.lastLine
      guard lines.contains(where: { line in
        markdownWords.contains { source.lines[line].contains($0) }
      }) else { return [] }
      return lines.filter { source.lines[$0].contains("`\\(") }.map {
        Violation(
          path: source.path, line: $0 + 1, rule: "\(declaration.name) puts a value in backticks")
      }
    }
  }

  private static let markdownWords = ["markdown:", "markdown(", "Markdown.", "Analysis.code("]

  private static func needsDocumentation(_ declaration: Declaration) -> Bool {
    if declaration.isPrivate || declaration.isLocal || declaration.keyword == "extension" {
      return false
    }
    if !declaration.isType, !declaration.isFunction { return false }
    if declaration.keyword == "init", !declaration.modifiers.contains("package") { return false }
    if declaration.scopes.contains(where: \.isConforming) && !declaration.isType { return false }
    return !witnesses.contains(declaration.name) && !declaration.name.hasSuffix("Literal")
      && declaration.keyword != "deinit"
  }

  /// The comment's lines without slashes.
  private static func comment(above line: Int, in source: SourceText) -> [String] {
    var lines: [String] = []
    var at = line - 1
    while at >= 0 {
      let text = source.lines[at].drop { $0 == " " }
      guard text.hasPrefix("///") else { break }
      lines.append(String(text.dropFirst(3).drop { $0 == " " }))
      at -= 1
    }
    return lines.reversed()
  }

  /// Members whose meaning their protocol of the standard library gives.
  private static let witnesses: Set<String> = [
    "description", "debugDescription", "hash", "==", "<", "next", "makeIterator",
    "makeAsyncIterator", "startIndex", "endIndex", "Element", "rawValue",
  ]
}

extension Declaration {
  /// Whether it declares a type.
  var isType: Bool { Self.typeKeywords.contains(keyword) }
}
