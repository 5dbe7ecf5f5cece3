// Whether the store was closed in order: known without writing to a database.

import Libc
import PostKitSupport

/// The presence of this process in the store, as long as it is referred to.
///
/// Each process has a shared lock on the directory, which ends with it, and leaves a mark in the
/// lock file that the last one to close takes away. Who comes first and finds the mark knows that
/// somebody was killed, or the machine stopped. All of this happens under the store's lock.
final class StorePresence {
  private let lock: StoreLock
  private let directory: Int32

  /// Comes into the store. The caller holds the lock.
  init(_ lock: StoreLock, directory path: String) {
    self.lock = lock
    directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if isAlone {
      lock.mark = lock.mark == .closed ? .open : .checkDue
    } else if lock.mark == .closed {
      lock.mark = .open
    }
    flock(directory, LOCK_SH | LOCK_NB)
  }

  deinit {
    // A child that is being started has the directory open, too, until it runs its program; with
    // that the lock would stay.
    flock(directory, LOCK_UN)
    close(directory)
  }

  /// Leaves the store in order. While others work it stays open; the last one closes it.
  func leave() {
    lock.holdIfFree { if isAlone, lock.mark == .open { lock.mark = .closed } }
  }

  /// Whether the databases should be looked at before they are trusted.
  var isCheckDue: Bool { lock.mark == .checkDue }

  /// Notes that the databases were looked at.
  func noteChecked() throws(StoreFailure) {
    try lock.hold { if isCheckDue { lock.mark = .open } }
  }

  /// Where directories can't be locked, as on some network file systems, nobody is ever alone.
  private var isAlone: Bool { flock(directory, LOCK_EX | LOCK_NB) == 0 }
}

extension StoreLock {
  /// What the lock file says of the store: the number of its bytes, which takes no space.
  enum Mark: Int64 {
    /// Whoever had the store open has closed it.
    case closed
    /// Somebody has it open, or had when he was stopped.
    case open
    /// It was not closed in order, and nobody has looked at it since.
    case checkDue
  }
}
