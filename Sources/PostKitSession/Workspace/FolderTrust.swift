// Which folders of the workspace are trusted, as the index of names has to know.

import PostKitSupport

/// The folders whose files may lead out of them.
struct FolderTrust: Sendable, Equatable {
  /// Whether the client says that all are trusted.
  var isOfAll = false
  /// The folders that the user said it of.
  var folders: Set<String> = []

  /// Whether the innermost folder around a path is trusted.
  func covers(_ path: String, of roots: [String]) -> Bool {
    if isOfAll { return true }
    if folders.isEmpty { return false }
    let around = roots.filter { FilePath.isInside(path, directory: $0) }
    return around.max { $0.count < $1.count }.map(folders.contains) ?? false
  }
}
