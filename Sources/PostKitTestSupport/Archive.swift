// Several files in one string, so that a test's workspace can be read at a glance.

/// Files written as one string: a line `-- name --` begins each.
package struct Archive: Sendable, Hashable {
  /// One file of an archive.
  package struct File: Sendable, Hashable {
    /// The path as the heading gives it.
    package let name: String
    /// The content.
    package let text: String
  }

  /// What stands before the first heading.
  package let comment: String
  /// The files in order.
  package let files: [File]

  /// Reads an archive; every text ends with a line feed unless it is empty.
  package init(_ source: String) {
    var comment = ""
    var files: [(name: String, text: String)] = []
    var lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    for line in lines {
      if line.hasPrefix("-- "), line.hasSuffix(" --"), line.count > 6 {
        files.append((String(line.dropFirst(3).dropLast(3)), ""))
      } else if files.isEmpty {
        comment += line + "\n"
      } else {
        files[files.count - 1].text += line + "\n"
      }
    }
    self.comment = comment
    self.files = files.map { File(name: $0.name, text: $0.text) }
  }

  /// The text of a file.
  package subscript(name: String) -> String? { files.first { $0.name == name }?.text }

  /// The archive written back; reading it gives the same archive.
  package var source: String {
    comment + files.map { "-- \($0.name) --\n\($0.text)" }.joined()
  }
}
