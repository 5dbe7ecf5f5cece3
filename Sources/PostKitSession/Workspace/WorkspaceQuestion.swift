// What a question to the index of names brings along.

import PostKitEvaluate
import PostKitSupport

/// The workspace as somebody who asks for names sees it.
struct WorkspaceQuestion: Sendable {
  /// The paths of the folders.
  let roots: [String]
  let trust: FolderTrust
  let documents: Documents
  /// Whether the client watches files for us.
  let isWatched: Bool
  /// Whether a document is one of ours, which has no names.
  let isOurs: @Sendable (DocumentURI) -> Bool
  /// What the settings of each folder say of how files are read.
  let readings: @Sendable () -> [String: FileReading]
}

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
