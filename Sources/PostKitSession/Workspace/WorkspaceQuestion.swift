// What a question to the index of names brings along.

import PostKitEvaluate

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
