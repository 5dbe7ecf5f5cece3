// A file that is written piece by piece and gets its name when it is complete.

import Libc

/// A new file, for its owner alone; without `finish()` nothing is left of it.
package final class PendingFile {
  private let path: String
  private let target: String
  private let temporary: String
  private let replaces: Bool
  private var descriptor: Int32

  /// Begins a file; where one is at the path already, it must be allowed to replace it.
  package init(path: String, replaces: Bool) throws(FileFailure) {
    if FileSystem.exists(path) {
      guard replaces else { throw .alreadyExists(path: path) }
      _ = try FileSystem.size(path)
    } else if FileSystem.isLink(path) {
      // It would be replaced, and nothing written to where it leads.
      throw .isLink(path: path)
    }
    self.path = path
    self.replaces = replaces
    target = FileSystem.realPath(path) ?? path
    temporary = "\(target).\(Identifier.next())"
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .make(errno, path: path, action: "write") }
  }

  deinit { discard() }

  /// Adds bytes.
  package func write(_ bytes: [UInt8]) throws(FileFailure) {
    guard bytes.withUnsafeBytes({ StandardStream.writeAll($0, to: descriptor) }) else {
      throw .make(errno, path: path, action: "write")
    }
  }

  /// Puts the file on the disk and gives it its name.
  package func finish() throws(FileFailure) {
    guard fsync(descriptor) == 0 else { throw .make(errno, path: path, action: "write") }
    if replaces {
      try FileSystem.rename(temporary, to: target)
    } else {
      // Unlike a rename, a link never replaces what somebody has put there meanwhile.
      guard link(temporary, target) == 0 else {
        if errno == EEXIST { throw .alreadyExists(path: path) }
        throw .make(errno, path: path, action: "write")
      }
      unlink(temporary)
    }
    close(descriptor)
    descriptor = -1
  }

  private func discard() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(temporary)
  }
}
