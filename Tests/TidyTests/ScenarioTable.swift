// What every editor has to do, and the tests that try it: no row without a test for each editor.

/// The scenarios of a document, and its table of the tests that try them: a column for each editor,
/// in which a cell names tests or says why the editor can't have the row (`no: …`).
struct ScenarioTable {
  /// The kinds of rows that every editor has.
  private static let kinds: Set<Character> = ["E", "N"]
  /// The editors, each with the ends of the names of its files of tests.
  private static let editors = [
    "Vim": [".vim", ".py"], "Neovim": [".lua"], "VS Code": [".test.js"],
  ]

  /// The rows that describe a scenario: line and id.
  private(set) var scenarios: [(line: Int, id: String)] = []
  /// The rows that name tests: line, id and cells.
  private(set) var tried: [(line: Int, id: String, cells: [String])] = []
  /// The editors in the order of the columns.
  private(set) var columns: [String] = []

  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() where line.hasPrefix("| ") {
      let cells = line.dropFirst(2).split(separator: " |").map { $0.drop { $0 == " " } }
      guard let id = cells.first.map(String.init) else { continue }
      let rest = cells.dropFirst().map(String.init)
      if id == "id" {
        columns = Set(rest) == Set(ScenarioTable.editors.keys) ? rest : []
      } else if id.first.map(ScenarioTable.kinds.contains) == true, Int(id.dropFirst()) != nil {
        if columns.isEmpty {
          scenarios.append((number + 1, id))
        } else {
          tried.append((number + 1, id, rest))
        }
      }
    }
  }

  /// The rows that an editor neither tries nor says why it can't.
  func violations(path: String) -> [Violation] {
    let described = Set(scenarios.map(\.id))
    let named = Set(tried.map(\.id))
    let untried = scenarios.filter { !named.contains($0.id) }.map {
      Violation(path: path, line: $0.line, rule: "\($0.id) is tried nowhere")
    }
    let unknown = tried.filter { !described.contains($0.id) }.map {
      Violation(path: path, line: $0.line, rule: "\($0.id) is no scenario")
    }
    return untried + unknown + tried.flatMap { row in
      let editors = columns.isEmpty ? Array(ScenarioTable.editors.keys) : columns
      return editors.enumerated().compactMap { place, editor in
        let cell = row.cells.indices.contains(place) ? row.cells[place] : ""
        return ScenarioTable.isAnswer(cell, of: editor)
          ? nil
          : Violation(
            path: path, line: row.line, rule: "\(row.id) names no test of \(editor) and no reason")
      }
    }
  }

  /// Whether a cell names tests of an editor, or a reason that says something.
  private static func isAnswer(_ cell: String, of editor: String) -> Bool {
    if cell.hasPrefix("no: ") { return cell.split(separator: " ").count > 3 }
    let tests = cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    return !tests.isEmpty
      && tests.allSatisfy { test in
        let file = test.prefix { $0 != "/" }
        return file != test && editors[editor, default: []].contains { file.hasSuffix($0) }
      }
  }
}
