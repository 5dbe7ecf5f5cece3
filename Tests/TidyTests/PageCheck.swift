// The map of the house held against the house: what a page names must be there.

/// The files, folders and types that a page names between backticks.
struct PageCheck {
  private let paths: Set<String>
  private let words: Set<String>

  /// Knows the paths of the repository's files, and the words of its code.
  init(paths: [String], words: Set<String>) {
    self.paths = Set(paths.flatMap(PageCheck.ends))
    self.words = words
  }

  /// What a page names that is nowhere.
  func violations(path: String, _ page: String) -> [Violation] {
    page.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .flatMap { number, line in
        // Every second part stands between backticks.
        line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { !$0.offset.isMultiple(of: 2) && !isThere(String($0.element)) }
          .map {
            Violation(
              path: path, line: number + 1, rule: "names what is not there: \($0.element)")
          }
      }
  }

  /// Whether something is there; what names neither a file nor a type is.
  private func isThere(_ name: String) -> Bool {
    let bytes = name.utf8
    guard let first = bytes.first, first != UInt8(ascii: "/"),
      bytes.allSatisfy(PageCheck.isOfPath)
    else { return true }
    if name.hasSuffix(".swift") || name.contains("/") {
      return paths.contains(name.hasSuffix("/") ? String(name.dropLast()) : name)
    }
    let isType = (65...90).contains(first) && bytes.contains { (97...122).contains($0) }
    return !isType || name.contains(".") || words.contains(name) || paths.contains(name)
  }

  private static func isOfPath(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || "/._+-".utf8.contains(byte)
  }

  /// The ways to name a file, or a folder that it lies in, from any folder above it.
  private static func ends(_ path: String) -> [String] {
    let parts = path.split(separator: "/")
    return parts.indices.flatMap { start in
      (start..<parts.endIndex).map { parts[start...$0].joined(separator: "/") }
    }
  }
}
