// Which functions are a table that the compiler holds complete, and so may be long.

/// Tells plain switches: one switch without `default:`, each arm of which is one expression.
enum PlainSwitch {
  /// The lines that an arm may have behind its pattern; a table is read entry by entry.
  private static let armLines = 6

  /// Whether a declaration has nothing in it but a plain switch. The comments of its lines are
  /// blanked, as are the insides of strings.
  static func isWhole(_ lines: ArraySlice<String>) -> Bool {
    let lines = lines.filter { !$0.allSatisfy { $0 == " " } }
    guard let start = lines.firstIndex(where: { word($0) == "switch" }), start > 0,
      lines[..<start].allSatisfy({ !$0.hasSuffix("}") && !$0.contains("= ") }),
      lines[start - 1].hasSuffix("{"), lines[start].hasSuffix("{"), lines.count > start + 3,
      lines.suffix(2).allSatisfy({ word($0) == "}" })
    else { return false }
    let indent = indentation(lines[start])
    guard lines.suffix(2).map(indentation) == [indent, indent - 2] else { return false }
    var arms: [[String]] = []
    var isPattern = false
    for line in lines[(start + 1)...].dropLast(2) {
      if indentation(line) == indent {
        guard word(line) == "case" else { return false }
        arms.append([])
        isPattern = true
      }
      guard !arms.isEmpty else { return false }
      if isPattern {
        guard let end = endOfPattern(line) else { continue }
        isPattern = false
        let rest = line[end...].drop { $0 == " " }
        if !rest.isEmpty {
          arms[arms.count - 1].append(String(repeating: " ", count: indent + 2) + rest)
        }
      } else {
        arms[arms.count - 1].append(line)
      }
    }
    return arms.allSatisfy { isExpression($0, at: indent + 2) }
  }

  /// Whether the lines of an arm are one expression: only its first line begins at the arm's
  /// indentation, and what closes it.
  private static func isExpression(_ arm: [String], at indent: Int) -> Bool {
    guard let first = arm.first, arm.count <= armLines, indentation(first) == indent,
      !statements.contains(word(first)), !first.contains(";"), !first.contains(" = ")
    else { return false }
    return arm.dropFirst().allSatisfy { line in
      indentation(line) > indent || [")", "]", "}"].contains { line.drop { $0 == " " } == $0 }
    }
  }

  /// Behind the colon that ends the pattern of a case.
  private static func endOfPattern(_ line: String) -> String.Index? {
    var depth = 0
    for index in line.indices {
      if "([".contains(line[index]) { depth += 1 }
      if ")]".contains(line[index]) { depth -= 1 }
      if line[index] == ":", depth == 0 { return line.index(after: index) }
    }
    return nil
  }

  private static func indentation(_ line: String) -> Int { line.prefix { $0 == " " }.count }

  private static func word(_ line: String) -> String {
    String(line.drop { $0 == " " }.prefix { $0 != " " })
  }

  private static let statements: Set<String> = [
    "let", "var", "if", "guard", "for", "while", "repeat", "do", "switch", "defer", "throw",
    "break", "continue", "fallthrough", "default:",
  ]
}
