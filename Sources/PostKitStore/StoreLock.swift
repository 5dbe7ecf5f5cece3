// The lock between processes: no two connections may ever commit and checkpoint at the same time.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An exclusive `flock` on `store.lock`, held around every write transaction, checkpoint and open.
///
/// SQLite 3.7.0 to 3.51.2 can corrupt a file in WAL mode when a commit races the checkpoint of
/// another connection; under this lock that state is never reached (architecture.md, decision 5).
final class StoreLock {
  private let descriptor: Int32
  private let path: String
  private var depth = 0

  /// Opens the lock file, making it where it is missing.
  init(path: String) throws(StoreFailure) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  /// Runs `body` while the lock is held; may be nested.
  func hold<Result>(
    _ body: () throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    try acquire()
    defer { release() }
    return try body()
  }

  private func acquire() throws(StoreFailure) {
    if depth == 0 {
      var attempt = 0
      // Never a blocking flock: a stopped writer must not stop everybody else.
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        let code = errno
        if code == EINTR { continue }
        guard code == EWOULDBLOCK else {
          throw .cannotOpen(path: path, reason: String(cString: strerror(code)))
        }
        guard Patience.pause(attempt: attempt) else { throw .busy(path: path) }
        attempt += 1
      }
    }
    depth += 1
  }

  private func release() {
    depth -= 1
    if depth == 0 { flock(descriptor, LOCK_UN) }
  }
}
