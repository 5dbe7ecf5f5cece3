// What a merge takes and gives, without the disk.

import PostKitJSON

/// A folder as it is before an import.
package struct FolderState: Sendable, Hashable {
  /// All request files in it and below, by their paths.
  package var requestFiles: [String: [UInt8]] = [:]
  /// Other files that the import may be about, by their paths.
  package var others: [String: [UInt8]] = [:]
  /// The paths of everything that is there in small letters, since on some systems case does not
  /// tell names apart.
  package var taken: Set<String> = []
  /// Whether version control leaves the file with secrets out already.
  package var ignoresPrivateFile = false
  /// Whether version control leaves `.env` out.
  package var ignoresDotenv = false
  /// Whether it stands for a collection of the store, each of whose requests is a file.
  var isCollection = false

  /// Makes a folder in which nothing is.
  package init() {}

  /// The bytes of a file.
  subscript(path: String) -> [UInt8]? { requestFiles[path] ?? others[path] }
}

/// Whose word counts where a user and the origin have changed the same (IO-20).
package enum ConflictRule: String, Sendable, Hashable, CaseIterable {
  /// The user's, and what the origin says is told once.
  case mine
  /// The origin's.
  case theirs
  /// Nobody's: nothing is written.
  case stop
}

/// What becomes of a file.
package enum FileAction: String, Sendable, Hashable {
  case created, updated
  /// It is what the origin says.
  case unchanged
  /// It has what people have made of it, and nothing new from the origin.
  case kept
  case removed
}

/// A part that both have changed.
package struct ImportConflict: Sendable, Hashable {
  /// What it is in the origin, such as the title of a request.
  package var origin: String
  package var file: String
  package var part: String
  /// `mine` or `theirs`.
  package var kept: String
}

/// What becomes of one file.
package struct ChangedFile: Sendable, Hashable {
  /// The path below the target.
  package var path: String
  package var action: FileAction
}

/// What an import is to write.
package struct FolderChanges: Sendable, Hashable {
  /// The files that differ from what is there; the manifest is the last one.
  package var writes: [TransferFile] = []
  /// The files that go.
  package var removals: [String] = []
  /// What becomes of each file, in the order of the origin.
  package var files: [ChangedFile] = []
  package var conflicts: [ImportConflict] = []

  /// Whether a path leads to a file of the folder that an import may write: not out of it, and to
  /// nothing hidden, such as what version control keeps.
  static func isPlain(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0.first != "." && !$0.utf8.contains(0) }
  }

  /// Whether an import may write a path: plain ones, and of hidden files those with values of the
  /// process environment and the list of what version control leaves out.
  static func isAllowed(_ path: String) -> Bool {
    if path == ".gitignore" || isPlain(path) { return true }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return WrittenFolder.isDotenv(path)
      && (folder.isEmpty || isPlain(folder.joined(separator: "/")))
  }

  /// Whether nothing would change.
  package var isEmpty: Bool { writes.isEmpty && removals.isEmpty }

  /// Whether nothing would change that belongs into version control: the file with secrets does
  /// not, so that a fresh copy of a project without it is no change (`--check`).
  package var isUpToDate: Bool {
    removals.isEmpty
      && writes.allSatisfy {
        $0.path == EnvironmentFilesWriter.privateName || WrittenFolder.isDotenv($0.path)
      }
  }
}
