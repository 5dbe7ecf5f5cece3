// The rule of the store: what a transaction decides on is read inside it, and what belongs together
// is read at one moment.

/// Checks on who asks the store and changes it.
///
/// Whoever asks and then changes leaves a moment in which another process does both. So a function
/// does not ask the store for something and change it afterwards: it decides inside the transaction
/// (`CollectionDecision`), or says which revision it has seen (`ifRevision:`, `seen:`). A look that
/// only spares a needless transaction says that it "decides nothing".
enum TransactionCheck {
  /// Functions outside of the store that ask it and change it afterwards.
  static func decisions(_ source: SourceText) -> [Violation] {
    violations(source, "changes the store by what it has asked before") { lines in
      guard let asked = lines.first(where: { isQuestion($0, questions, source) }) else { return [] }
      return lines.filter { line in
        line >= asked && isChange(source.code[line])
          && !source.code[line..<min(line + 4, source.code.count)].contains { text in
            safeguards.contains(where: text.contains)
          }
      }
    }
  }

  /// Functions outside of the store that read at several moments what belongs together.
  static func moments(_ source: SourceText) -> [Violation] {
    violations(source, "asks the collections at several moments; use `look`") { lines in
      Array(lines.filter { isQuestion($0, collectionQuestions, source) }.dropFirst())
    }
  }

  /// Functions of the store that read before the transaction in which they write.
  static func reads(_ source: SourceText) -> [Violation] {
    violations(source, "reads before its transaction") { lines in
      let reads = lines.filter { line in
        fileQuestions.contains { holds(source.code[line], $0) } && !isExcused(line, source)
      }
      guard let write = lines.last(where: { holds(source.code[$0], "file.write(") }) else {
        return []
      }
      return reads.filter { $0 < write }
    }
  }

  private static func violations(
    _ source: SourceText, _ rule: String, _ find: ([Int]) -> [Int]
  ) -> [Violation] {
    let found = source.outline.declarations.filter(\.isFunction).flatMap { function in
      find(Array(function.line...max(function.line, min(function.lastLine, source.code.count - 1))))
    }
    return Set(found).sorted().map { Violation(path: source.path, line: $0 + 1, rule: rule) }
  }

  private static func isQuestion(
    _ line: Int, _ questions: [String], _ source: SourceText
  ) -> Bool {
    let text = source.code[line]
    guard holds(text, "await") else { return false }
    return questions.contains { holds(text, "store.\($0)") || holds(text, "store?.\($0)") }
      && !isExcused(line, source)
  }

  private static func isChange(_ text: String) -> Bool {
    changes.contains { change in
      ["store.", "store?.", "editor.", ").", "self."].contains { holder in
        text.contains("\(holder)\(change)(") || text.contains("\(holder)\(change) {")
      }
    }
  }

  private static func isExcused(_ line: Int, _ source: SourceText) -> Bool {
    source.lines[max(0, line - 3)...line].contains { $0.contains("decides nothing") }
  }

  private static func holds(_ text: String, _ phrase: String) -> Bool {
    FileChecks.holds(text, phrase)
  }

  private static let collectionQuestions = [
    "collectionItem", "collectionItems", "collectionTree", "contents", "environments",
    "environmentsWithOwners", "source",
  ]
  private static let questions = collectionQuestions + [
    "exchange", "exchanges", "fetch", "globals", "history", "isFree",
    "latestExchange", "look", "secretIntents", "secretVariables", "sessionValue", "sessionValues",
  ]
  private static let changes = ["edit", "importEdits", "editHistory", "forget", "mark"]
  private static let safeguards = ["ifRevision:", "seen:"]
  private static let fileQuestions = [
    "file.read(", "file.readAtOnce(", "hasWords(", "history().read(", "file.isFree",
  ]
}
