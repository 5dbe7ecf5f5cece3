// A switch over an enumeration of ours names all its cases, so that the compiler finds those that a
// new case concerns.

/// Finds `default:` in switches over enumerations of the sources.
///
/// As nothing here knows types, a switch is taken for one over an enumeration if all its patterns
/// are `.name` or `nil`, and some enumeration has all these names. Patterns of tuples are left
/// alone, as are those of bytes, strings and numbers. `MetadataTag` is left out: it has sixty words
/// of six tools, of which most readers want three, and lowering names them all.
struct SwitchCheck {
  /// The cases of each enumeration.
  private let enumerations: [Set<String>]

  /// Knows the enumerations of some files.
  init(_ files: [SourceText]) {
    enumerations = files.flatMap(Self.cases)
  }

  /// The switches of a file that end in `default:`, though they are over one of the enumerations.
  func violations(_ source: SourceText) -> [Violation] {
    source.code.indices.compactMap { line in
      let text = source.code[line]
      let indent = Self.indentation(text)
      guard text.dropFirst(indent).hasPrefix("default:"),
        let start = source.code[..<line].lastIndex(where: {
          Self.indentation($0) == indent && FileChecks.holds($0, "switch")
        })
      else { return nil }
      let names = Self.names(source.code[start + 1..<line], at: indent)
      guard let names, enumerations.contains(where: names.isSubset) else { return nil }
      let list = names.sorted().joined(separator: ", ")
      return Violation(path: source.path, line: line + 1, rule: "`default:` beside \(list)")
    }
  }

  /// The cases that the patterns of a switch name; `nil` where a pattern is another.
  private static func names(_ lines: ArraySlice<String>, at indent: Int) -> Set<String>? {
    var names: Set<String> = []
    var pattern = ""
    for line in lines {
      let isCase = indentation(line) == indent && line.dropFirst(indent).hasPrefix("case ")
      guard isCase || !pattern.isEmpty else { continue }
      let text = line.drop { $0 == " " }
      pattern += isCase ? String(text.dropFirst(5)) : " " + text
      guard let all = patterns(pattern) else { continue }
      pattern = ""
      for one in all where one != "nil" {
        let bare = one.hasPrefix("let ") ? one.dropFirst(4) : one[...]
        let name = word(bare.dropFirst())
        guard bare.hasPrefix("."), !name.isEmpty else { return nil }
        names.insert(name)
      }
    }
    return names.isEmpty ? nil : names
  }

  /// The patterns of a case, without conditions; `nil` where it goes on.
  private static func patterns(_ text: String) -> [String]? {
    var parts = [""]
    var depth = 0
    for character in text {
      if "([{".contains(character) { depth += 1 }
      if ")]}".contains(character) { depth -= 1 }
      if depth == 0, character == ":" {
        return parts.map { part in
          let end = part.firstRange(of: " where ")?.lowerBound ?? part.endIndex
          return String(part[..<end].drop { $0 == " " })
        }
      }
      if depth == 0, character == "," {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return nil
  }

  /// The cases of the enumerations that a file declares. Their names are taken from the lines as
  /// written: those in backticks are blanked in its code.
  private static func cases(_ source: SourceText) -> [Set<String>] {
    source.outline.declarations.filter {
      $0.keyword == "enum" && !source.lines[$0.line].contains("enum MetadataTag:")
    }.map { declaration in
      let first = source.lines[declaration.line]
      if declaration.line == declaration.lastLine {
        let cases = first.split(separator: "{ case ").dropFirst().joined()
        return names(declaredIn: String(cases.prefix { $0 != "}" }))
      }
      let indent = indentation(first) + 2
      var found: Set<String> = []
      var text = ""
      for line in declaration.line...declaration.lastLine {
        let written = source.lines[line]
        let isCase = indentation(written) == indent && written.dropFirst(indent).hasPrefix("case ")
        guard isCase || !text.isEmpty else { continue }
        text += written.drop { $0 == " " }.dropFirst(isCase ? 5 : 0)
        if written.hasSuffix(",") || written.hasSuffix("(") { continue }
        found.formUnion(names(declaredIn: text))
        text = ""
      }
      return found
    }.filter { !$0.isEmpty }
  }

  private static func names(declaredIn text: String) -> Set<String> {
    Set((patterns(text + ":") ?? []).map { word($0.drop { $0 == "`" }) }.filter { !$0.isEmpty })
  }

  private static func word(_ text: Substring) -> String {
    String(text.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }

  private static func indentation(_ line: String) -> Int { line.prefix { $0 == " " }.count }
}
