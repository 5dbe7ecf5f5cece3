// Renaming clients of `Security.Auth`.

import PostKitEvaluate
import PostKitText

/// Gives a client another name.
struct ClientRenaming {
  let name: String
  let newName: String
  let uses: [FileUses]

  /// The edits of all files.
  func edits() throws(RenameRefusal) -> [RenamedFile] {
    guard uses.contains(where: { $0.occurrences.contains(where: \.isDefinition) }) else {
      throw RenameRefusal(
        "No environment of the workspace has a client `\(name)`. Correct the name by hand.")
    }
    if name == newName { return [] }
    let isPlain = !newName.isEmpty && newName == newName.trimmingBlanks
      && !newName.utf8.contains { $0 < 32 || "\"'\\{}()".utf8.contains($0) }
    guard isPlain else {
      throw RenameRefusal(
        "`\(newName)` can't be the name of a client. Use no quotes, braces or parentheses.")
    }
    for use in uses {
      let isTaken = use.file.mayHold(newName) && !use.file.occurrences {
        $0.role == .client && $0.name == newName
      }.isEmpty
      if isTaken {
        throw RenameRefusal(
          "A client of \(use.file.path) is called `\(newName)` already. Choose a name that is "
            + "free.")
      }
    }
    return uses.map { use in
      RenamedFile(file: use.file, edits: use.occurrences.map { TextEdit($0.range, newName) })
    }
  }
}
