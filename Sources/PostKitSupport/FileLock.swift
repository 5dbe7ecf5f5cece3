// A lock between processes that nobody waits for in a system call.

import Libc

/// An exclusive `flock` on a file of its own, held until it is released or the process ends.
package final class FileLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Takes the lock of a path, whose file is made where it is missing; `nil` where somebody else
  /// has it. Its folder must be there.
  package static func take(_ path: String) throws(FileFailure) -> FileLock? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .make(errno, path: path, action: "open") }
    // Somebody may have removed the file: then others lock another one of that name.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      FileIdentity(descriptor: descriptor) == FileIdentity(path)
    else {
      close(descriptor)
      return nil
    }
    return FileLock(descriptor)
  }

  deinit {
    // A child that is being started has it open, too, until it runs its program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
