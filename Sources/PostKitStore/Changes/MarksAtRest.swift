// Whether the store is as it was: the files tell, so that who types asks no other thread while
// nothing changes.

import PostKitSupport

/// The last marks that were read, with what the files were like then.
final class MarksAtRest: Sendable {
  /// What a commit of any process changes: the databases and their logs.
  struct Files: Sendable, Equatable {
    fileprivate let versions: [FileVersion?]
    /// When they were looked at.
    private let moment: Int64

    fileprivate init(_ paths: [String]) {
      // Before the look: a change may come while it is taken.
      moment = Clock.wallMilliseconds
      versions = paths.map(FileSystem.version)
    }

    /// Whether any commit after the look changes at least one of them.
    fileprivate var areSettled: Bool {
      versions.allSatisfy { $0?.isSettled(at: moment) ?? true }
    }

    static func == (one: Files, other: Files) -> Bool { one.versions == other.versions }
  }

  private struct Kept {
    let marks: StoreMarks
    let files: Files
  }

  private let paths: [String]
  private let kept = Monitor<Kept?>(nil)

  /// Nothing is known yet; of a store in memory nothing will be.
  init(_ location: StoreLocation?) {
    paths = location.map { location in
      [location.historyPath, location.collectionsPath].flatMap { [$0, $0 + "-wal"] }
    } ?? []
  }

  /// What the files are like now.
  func look() -> Files { Files(paths) }

  /// Keeps marks that were read after a look at the files.
  func keep(_ marks: StoreMarks, of files: Files) {
    let isOfUse = !paths.isEmpty && files.areSettled
    kept.update { $0 = isOfUse ? Kept(marks: marks, files: files) : nil }
  }

  /// The marks, unless something was written since they were read.
  var known: StoreMarks? {
    guard let kept = kept.update({ $0 }), kept.files == look() else { return nil }
    return kept.marks
  }
}
