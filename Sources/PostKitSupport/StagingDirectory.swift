// A directory in which something is put together before it gets its place. What a killed process
// has left is known by its name and by a lock that nobody holds any more, and is cleared away by
// the next one.

import Libc

/// A new hidden directory, locked as long as it is used.
package final class StagingDirectory {
  private static let prefix = ".postkit-new-"

  /// Where the directory is.
  package let path: String
  private let descriptor: Int32

  /// Makes a directory in another one, and removes those there that nobody uses any more.
  package init(in parent: String) throws(FileFailure) {
    StagingDirectory.removeAbandoned(in: parent)
    while true {
      let path = FilePath.join(parent, StagingDirectory.prefix + Identifier.next())
      try FileSystem.makeDirectory(path)
      switch StagingDirectory.lock(path) {
      case .held(let descriptor):
        (self.path, self.descriptor) = (path, descriptor)
        return
      case .impossible:
        // Where nothing can be locked, nothing is ever taken for abandoned.
        (self.path, self.descriptor) = (path, -1)
        return
      case .taken:
        // Somebody took it for abandoned before it was locked; there are other names.
        continue
      }
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether a directory is one of these, by its name.
  package static func isOne(_ name: String) -> Bool {
    name.hasPrefix(prefix) && Identifier.isValid(String(name.dropFirst(prefix.count)))
  }

  /// Gives the directory its place; nothing may be there, or an empty directory.
  package func rename(to target: String) throws(FileFailure) {
    try FileSystem.rename(path, to: target)
  }

  /// Removes the directory with all that is left in it.
  package func remove() throws(FileFailure) { try FileSystem.removeTree(path) }

  /// Removes the directories of processes that have ended without it; one that can't be removed
  /// harms nobody.
  private static func removeAbandoned(in parent: String) {
    // A directory that isn't there yet has none.
    let names = (try? FileSystem.list(parent)) ?? []
    for name in names where isOne(name) {
      let path = FilePath.join(parent, name)
      guard case .held(let descriptor) = lock(path) else { continue }
      // The lock is kept until it is gone, so that whoever has just made it notices.
      do throws(FileFailure) { try FileSystem.removeTree(path) } catch {
        Log.warning("What a killed process has left can't be removed: \(error)")
      }
      close(descriptor)
    }
  }

  /// What came of locking a directory.
  private enum Lock {
    case held(Int32)
    /// Somebody else has it, or has removed it.
    case taken
    case impossible
  }

  /// Locks a directory of this user; a link to one is none.
  private static func lock(_ path: String) -> Lock {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT ? .taken : .impossible }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let isTaken = errno == EWOULDBLOCK
      close(descriptor)
      return isTaken ? .taken : .impossible
    }
    var (held, there) = (stat(), stat())
    let isThere = fstat(descriptor, &held) == 0 && lstat(path, &there) == 0
      && held.st_ino == there.st_ino
    if isThere, held.st_uid == getuid() { return .held(descriptor) }
    close(descriptor)
    return isThere ? .impossible : .taken
  }
}
