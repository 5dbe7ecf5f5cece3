// Files that belong to a process until it has given them another name: whoever comes later can
// tell those of the dead from those of the living.

import Libc

/// Directories of files that are being written.
///
/// The name of each begins with an id of its process, which keeps a lock on a file of that name as
/// long as it lives. The lock ends with the process, however that comes about, also in another
/// container, where a number of a process would say nothing.
package enum SpoolDirectory {
  private struct Mark {
    var descriptor: Int32
    var number: UInt64
  }

  private static let owner = Identifier.next()
  private static let markSuffix = ".owner"
  private static let marks = Monitor([String: Mark]())

  /// Gives `make` a path for a new file of this process in a directory, which is made where it is
  /// missing. The file must be there when `make` returns.
  package static func withNewPath<Result>(
    in directory: String, _ make: (String) -> Result
  ) throws(FileFailure) -> Result {
    try marks.update { marks throws(FileFailure) in
      let path = markPath(owner, in: directory)
      let known = marks[directory]
      // Somebody may have removed the directory meanwhile.
      if known == nil || FileSystem.version(path)?.number != known?.number {
        try FileSystem.makeDirectory(directory)
        let mark = try makeMark(path)
        if let known { close(known.descriptor) }
        marks[directory] = mark
      }
      return make(FilePath.join(directory, "\(owner).\(Identifier.next())"))
    }
  }

  /// Takes the mark of this process away where it has no files; the next one brings it back.
  package static func leave(_ directory: String) {
    marks.update { marks in
      guard let mark = marks[directory] else { return }
      let path = markPath(owner, in: directory)
      // A directory that can't be listed has nothing to be marked.
      let names = (try? FileSystem.list(directory)) ?? []
      guard names.filter({ $0.hasPrefix(owner + ".") }).count < 2 else { return }
      unlink(path)
      close(mark.descriptor)
      marks[directory] = nil
    }
  }

  /// The files in a directory whose processes have ended, and those of no known process that nobody
  /// has written to since a moment, in nanoseconds since 1970. Marks come last.
  package static func abandoned(in directory: String, modifiedBefore moment: Int64) -> [String] {
    // A directory that isn't there has no files.
    let names = (try? FileSystem.list(directory)) ?? []
    var living: [String: Bool] = [:]
    let found = names.filter { name in
      guard let owner = Identifier.all(in: name).first, name.hasPrefix(owner + ".") else {
        let version = FileSystem.version(FilePath.join(directory, name))
        return version.map { $0.modifiedNanoseconds < moment } ?? false
      }
      if let lives = living[owner] { return !lives }
      let lives = isAlive(owner, in: directory)
      living[owner] = lives
      return !lives
    }
    return (found.filter { !$0.hasSuffix(markSuffix) } + found.filter { $0.hasSuffix(markSuffix) })
      .map { FilePath.join(directory, $0) }
  }

  private static func markPath(_ owner: String, in directory: String) -> String {
    FilePath.join(directory, owner + markSuffix)
  }

  /// A mark gets its name when it is locked: it never looks like that of somebody who has died.
  private static func makeMark(_ path: String) throws(FileFailure) -> Mark {
    let unnamed = FilePath.join(FilePath.parent(path), "new-\(Identifier.next())")
    let descriptor = open(unnamed, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .make(errno, path: unnamed, action: "write") }
    // Where nothing can be locked there is no store either, and nobody who would clear up.
    flock(descriptor, LOCK_EX | LOCK_NB)
    do throws(FileFailure) {
      try FileSystem.rename(unnamed, to: path)
    } catch {
      close(descriptor)
      throw error
    }
    return Mark(descriptor: descriptor, number: FileSystem.version(path)?.number ?? 0)
  }

  private static func isAlive(_ owner: String, in directory: String) -> Bool {
    let descriptor = open(markPath(owner, in: directory), O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }
}
