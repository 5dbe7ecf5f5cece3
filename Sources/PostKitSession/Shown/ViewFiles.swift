// Views as files, for clients that read no documents of ours.

import PostKitSupport

/// Writes views, and removes the oldest. A slow disk holds up a thread of the views alone: others
/// answer meanwhile.
package actor ViewFiles {
  private let executor = SerialQueueExecutor()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }
  /// How many views this session has written.
  private var count = 0

  /// The URI of a view as a file; `nil` where it can't be written, which the log tells. A name
  /// begins with an id, so names sort by time.
  package func write(_ text: String, as name: String, in directory: String) -> String? {
    let path = FilePath.join(directory, name)
    do throws(FileFailure) {
      try FileSystem.makeDirectory(directory, mode: 0o700)
      // After a power failure nobody looks for a view: it is made of the history.
      try FileSystem.writeAtomically(
        Array(text.utf8), to: path, mode: 0o600, isDurable: false)
      // The first one, and then now and then: to look through the folder takes longer than a send.
      if count % Limits.viewsBetweenLooks == 0 { ViewFiles.prune(directory) }
      count += 1
      return DocumentURI(path: path).spelling
    } catch {
      Log.warning("The response can't be written for viewing: \(error)")
      return nil
    }
  }

  /// Keeps the newest views; their names sort by time.
  private static func prune(_ directory: String) {
    let names = orLog("listing the views", level: .warning) { try FileSystem.list(directory) }
    // What is kept longer is in folders, or has no id at its beginning.
    let views = (names ?? []).filter { name in
      Identifier.isValid(String(name.prefix(Identifier.length))) && name.contains(".")
    }.sorted()
    // As many may come until the next look.
    for name in views.dropLast(Limits.keptViews - Limits.viewsBetweenLooks) {
      _ = orLog("removing an old view", level: .warning) {
        try FileSystem.remove(FilePath.join(directory, name))
      }
    }
  }
}
