// Tables of promises and the tests that hold them: a test that is named must be there.

/// The tests that a document names, each as a file and a name: `StoreTests/a closed store says so`.
struct TestTable {
  /// The ends of the names of files that have tests, for tests in Swift without their extension,
  /// and how each begins a test of a name.
  private static let kinds: [(suffix: String, definition: @Sendable (String) -> String)] = [
    ("Tests", { "func `\($0)`(" }),
    (".py", { "def \($0)(" }),
    (".test.js", { "est('\($0)'" }),
    (".lua", { "{ '\($0)', '" }),
    (".vim", { "support.Run('\($0)', '" }),
  ]

  /// A test, and the line that names it.
  struct Entry: Hashable {
    let file: String
    let name: String
    let line: Int
  }

  /// All that is named in the rows of tables.
  let entries: [Entry]

  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    entries = lines.enumerated().flatMap { number, line -> [Entry] in
      guard line.hasPrefix("|") else { return [] }
      // Every second part stands between backticks.
      let quoted = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
      return quoted.compactMap { text in
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, TestTable.kinds.contains(where: { parts[0].hasSuffix($0.suffix) })
        else { return nil }
        return Entry(file: parts[0], name: parts[1], line: number + 1)
      }
    }
  }

  /// The entries whose tests are in none of the files, which are given by their paths.
  func violations(path: String, _ files: [String: String]) -> [Violation] {
    entries.compactMap { entry in
      let suffix = "/" + entry.file + (entry.file.hasSuffix("Tests") ? ".swift" : "")
      let kind = TestTable.kinds.first { entry.file.hasSuffix($0.suffix) }
      guard let definition = kind?.definition(entry.name) else { return nil }
      let isThere = files.contains { $0.key.hasSuffix(suffix) && $0.value.contains(definition) }
      return isThere
        ? nil
        : Violation(
          path: path, line: entry.line, rule: "names a test that is not there: \(entry.name)")
    }
  }
}
