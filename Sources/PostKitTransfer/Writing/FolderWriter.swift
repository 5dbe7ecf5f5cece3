// A collection of another tool as a folder of request files: the one place that knows how `.http`
// text says what other tools say.

/// Writes collections of other tools. It reads no file itself; the same collection gives the same
/// folder.
enum FolderWriter {
  /// Writes a collection; what can't be carried over is told to `notes`. `file` answers for files
  /// that requests name, by their path beside the source.
  static func write(
    _ collection: OriginCollection, options: WritingOptions, notes: ImportNotes,
    file: (String) -> OriginFileAnswer
  ) -> WrittenFolder {
    WrittenFolder()
  }
}
