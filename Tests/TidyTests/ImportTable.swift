// The import table, read from the page that shows it to people: Sources/README.md is the law.

/// What each target may import besides the standard library.
struct ImportTable {
  /// The targets from top to bottom.
  let targets: [String]
  /// The modules that a target may import.
  let allowed: [String: Set<String>]

  /// Something in the table that nobody can hold code against.
  struct Unreadable: Error, Hashable {
    /// The cell's words that mean nothing.
    let words: String
  }

  /// What "the C library" means; only `Libc` imports it under these names.
  static let systemLibrary: Set<String> = ["Glibc", "Darwin", "Musl"]
  /// System modules that are named one by one.
  static let systemModules: Set<String> = ["Synchronization", "Dispatch", "FoundationEssentials"]
  /// What "as needed" means: everything, for targets that no product imports.
  static let everything = "everything"

  /// Reads the rows `| target | responsibility | imports |` of a page.
  init(page: String) throws {
    let rows = page.split(separator: "\n").compactMap(ImportTable.row)
    let targets = rows.map(\.target)
    var allowed: [String: Set<String>] = [:]
    for (index, row) in rows.enumerated() {
      let above = targets[..<index]
      allowed[row.target] = try row.imports.split(separator: ",").map { Self.trim($0) }
        .reduce(into: Set<String>()) { $0.formUnion(try Self.modules($1, above, targets)) }
    }
    self.targets = targets
    self.allowed = allowed
  }

  /// The imports of a file that the table doesn't allow.
  func violations(_ source: SourceText) -> [Violation] {
    let target = Repository.target(of: source.path)
    guard let allowed = allowed[target] else {
      return [Violation(path: source.path, line: 0, rule: "\(target) is not in the table")]
    }
    if allowed.contains(Self.everything) { return [] }
    return source.code.enumerated().compactMap { line, text in
      guard let module = Self.importedModule(text), !allowed.contains(module) else { return nil }
      return Violation(
        path: source.path, line: line + 1, rule: "\(target) may not import \(module)")
    }
  }

  /// The module that a line imports.
  static func importedModule(_ line: String) -> String? {
    let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" })
    guard let index = words.firstIndex(of: "import"),
      words[..<index].allSatisfy({ $0.hasPrefix("@") || accessWords.contains($0) })
    else { return nil }
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let"]
    let path = words[(index + 1)...].first { !kinds.contains($0) } ?? ""
    return path.split(separator: ".").first.map { String($0) }
  }

  private static let accessWords: Set<Substring> = [
    "package", "public", "internal", "private", "fileprivate",
  ]

  private static func row(_ line: Substring) -> (target: String, imports: String)? {
    let cells = line.split(separator: "|").map { trim($0) }
    guard line.hasPrefix("| `"), cells.count == 3 else { return nil }
    let name = cells[0].filter { $0 != "`" }
    return (name, cells[2].filter { $0 != "`" })
  }

  private static func modules(
    _ phrase: String, _ above: ArraySlice<String>, _ targets: [String]
  ) throws -> Set<String> {
    let ours = Set(targets.filter { $0.hasPrefix("PostKit") && $0 != "PostKitTestSupport" })
    if phrase == "–" || phrase.isEmpty { return [] }
    if phrase == "the C library" { return systemLibrary }
    if phrase == "as needed; no product imports it" { return [everything] }
    if phrase == "all PostKit targets" { return ours }
    if phrase == "all PostKit targets above" { return ours.intersection(above) }
    if phrase == "all Swift targets above" {
      return Set(above.filter { !$0.hasPrefix("C") }).subtracting(["Libc"])
    }
    let exception = "all PostKit targets above but "
    if phrase.hasPrefix(exception) {
      let left = String(phrase.dropFirst(exception.count))
      guard targets.contains(left) else { throw Unreadable(words: phrase) }
      return ours.intersection(above).subtracting([left])
    }
    if systemModules.contains(phrase) { return [phrase] }
    // A target may import only what stands above it.
    guard above.contains(phrase) else { throw Unreadable(words: phrase) }
    return [phrase]
  }

  private static func trim(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
