// Citations of rules, promises and contracts: each leads to a row of a page, and each row is cited.

/// The rows of the pages that sources cite.
struct CitationCheck {
  /// Something that a line refers to.
  enum Citation: Hashable {
    /// A row of RULES.md or PROMISES.md, such as `PK-12` or `F4`.
    case row(String)
    /// A section of CONTRACTS.md.
    case section(Int)
    /// Another page, by its name.
    case page(String)
  }

  /// A citation and the line that has it.
  struct Entry: Hashable {
    let citation: Citation
    let line: Int
  }

  /// What the first cells of the tables and the numbers of the headings give names to.
  private let rows: Set<Citation>
  /// The names of all pages of the repository.
  private let pages: Set<String>

  /// Reads the three pages; `pages` are the paths of all.
  init(rules: String, promises: String, contracts: String, pages: [String]) {
    let cells = (rules + "\n" + promises).split(separator: "\n").compactMap {
      $0.prefixMatch(of: #/\| ((?:PK-|[A-Z])\d+) \|/#).map { Citation.row(String($0.1)) }
    }
    let sections = contracts.split(separator: "\n").compactMap {
      $0.prefixMatch(of: #/## (\d+)\. /#).flatMap { Int($0.1) }.map(Citation.section)
    }
    rows = Set(cells + sections)
    self.pages = Set(pages.compactMap { $0.split(separator: "/").last.map(String.init) })
  }

  /// The rows that none of the citations means, such as `PK-12` or `section 2`.
  func uncited(_ citations: Set<Citation>) -> [String] {
    rows.subtracting(citations).map { row in
      switch row {
      case .row(let name), .page(let name): name
      case .section(let number): "section \(number)"
      }
    }.sorted()
  }

  /// The rows of promises that are about messages, so that a table has tests for each.
  var promises: Set<Citation> {
    rows.filter { row in
      guard case .row(let name) = row else { return false }
      return !name.hasPrefix("PK-") && !name.hasPrefix("C")
    }
  }

  /// The citations of a file that lead nowhere.
  func violations(path: String, _ entries: [Entry]) -> [Violation] {
    entries.compactMap { entry in
      let broken: String? =
        switch entry.citation {
        case .row(let name): rows.contains(entry.citation) ? nil : name
        case .section(let number):
          rows.contains(entry.citation) ? nil : "section \(number) of CONTRACTS.md"
        case .page(let name): pages.contains(name) ? nil : name
        }
      return broken.map {
        Violation(path: path, line: entry.line, rule: "cites \($0), which is not in the project")
      }
    }
  }

  /// The citations of a file.
  static func entries(path: String, _ text: String) -> [Entry] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.flatMap { index -> [Entry] in
      var line = lines[index]
      // A citation that is broken after its page goes on behind the marks of the next comment.
      if line.hasSuffix(".md,"), index + 1 < lines.endIndex {
        line += " " + lines[index + 1].drop { !$0.isLetter }
      }
      return citations(path: path, line).map { Entry(citation: $0, line: index + 1) }
    }
  }

  private static func citations(path: String, _ line: Substring) -> [Citation] {
    var found: [Citation] = []
    if line.utf8.contains(UInt8(ascii: "K")) {
      for match in line.matches(of: #/\bPK-(\d+)(?: to PK-(\d+))?/#) {
        found += range("PK-", match.1, match.2)
      }
    }
    if path.hasSuffix(".md") {
      guard path.hasSuffix("Tests/Clients/README.md"), line.hasPrefix("| ") else { return found }
      let cell = line.dropFirst(2).prefix { $0 != "|" }
      return found + cell.matches(of: #/\b([LFQDRP]\d+):/#).map { .row(String($0.1)) }
    }
    if line.utf8.contains(UInt8(ascii: "`")),
      let name = line.firstMatch(of: #/func `([A-Z]\d+) /#)
    {
      found.append(.row(String(name.1)))
    }
    return found + (comment(path: path, line).map(inComment) ?? [])
  }

  private static func inComment(_ comment: Substring) -> [Citation] {
    let names = comment.contains(".md")
    guard names || comment.utf8.contains(UInt8(ascii: "(")) else { return [] }
    var found: [Citation] = []
    for match in comment.matches(of: #/(?:PROMISES\.md |\()([LFQDRCP]\d[^.;:)]*)/#) {
      for row in match.1.matches(of: #/\b([LFQDRCP])(\d+)\b(?: to [A-Z](\d+))?/#) {
        found += range(String(row.1), row.2, row.3)
      }
    }
    guard names else { return found }
    for match in comment.matches(of: #/CONTRACTS\.md, section (\d+)/#) {
      found += Int(match.1).map { [.section($0)] } ?? []
    }
    return found + comment.matches(of: #/([A-Za-z][\w-]*\.md)\b/#).map { .page(String($0.1)) }
  }

  /// The rows from a number to another one; the first alone without the other.
  private static func range(
    _ prefix: String, _ first: Substring, _ last: Substring?
  ) -> [Citation] {
    guard let first = Int(first) else { return [] }
    let last = last.flatMap { Int($0) } ?? first
    return (first...max(first, last)).map { .row("\(prefix)\($0)") }
  }

  /// What a line says to readers alone; `nil` where it is code.
  private static func comment(path: String, _ line: Substring) -> Substring? {
    let marks: [String] =
      switch path.split(separator: ".").last {
      case "swift", "c", "h", "js": ["//", "/*", "*"]
      case "lua": ["--"]
      case "vim": ["#", "\""]
      case "el": [";"]
      default: ["#", "\"\"\""]
      }
    let text = line.drop { $0 == " " }
    if marks.contains(where: text.hasPrefix) { return text }
    // The lines of a docstring have no mark; one that cites is told by its citation.
    if path.hasSuffix(".py") {
      guard text.utf8.contains(UInt8(ascii: "(")) else { return nil }
      return text.contains(#/(?:PROMISES|CONTRACTS|\([a-z-]+)\.md|\([LFQDRP]\d+\)/#) ? text : nil
    }
    return line.firstRange(of: "  " + marks[0]).map { line[$0.lowerBound...] }
  }
}
