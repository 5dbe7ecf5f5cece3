// The lock between processes: no two connections may ever commit and checkpoint at the same time.

import Libc
import PostKitSupport

/// An exclusive `flock` on `store.lock`, held around every write transaction, checkpoint and open.
///
/// SQLite 3.7.0 to 3.51.2 can corrupt a file in WAL mode when a commit races the checkpoint of
/// another connection; under this lock that state is never reached.
final class StoreLock {
  private var descriptor: Int32
  private let path: String
  private var depth = 0
  /// How long it is waited for, in milliseconds.
  private var milliseconds = Patience.usual

  /// Whether this process has it.
  var isHeld: Bool { depth > 0 }

  /// Opens the lock file, making it where it is missing.
  init(path: String) throws(StoreFailure) {
    self.path = path
    descriptor = try StoreLock.openFile(path)
  }

  private static func openFile(_ path: String) throws(StoreFailure) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    return descriptor
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

  /// Runs `body`, in which the lock is waited for no longer than so many milliseconds.
  func waiting<Result>(
    atMost limit: Int, _ body: () throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    let usual = milliseconds
    milliseconds = limit
    defer { milliseconds = usual }
    return try body()
  }

  /// Runs `body` if the lock is free, and answers whether it was; waits for nobody.
  @discardableResult
  func holdIfFree(_ body: () -> Void) -> Bool {
    guard depth == 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    depth = 1
    body()
    release()
    return true
  }

  /// What the file says of the store; what can't be written is as it was.
  var mark: Mark {
    get {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return .open }
      return Mark(rawValue: Int64(status.st_size)) ?? .open
    }
    set { _ = ftruncate(descriptor, off_t(newValue.rawValue)) }
  }

  private func acquire() throws(StoreFailure) {
    while depth == 0 {
      try wait()
      // Somebody may have removed the directory: then others lock another file of that name.
      if FileIdentity(descriptor: descriptor) == FileIdentity(path) { break }
      try StorePlace.prepareDirectory(FilePath.parent(path))
      let newer = try StoreLock.openFile(path)
      close(descriptor)
      descriptor = newer
    }
    depth += 1
  }

  private func wait() throws(StoreFailure) {
    var patience: Patience?
    // Never a blocking flock: a stopped writer must not stop everybody else.
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      guard code == EWOULDBLOCK else {
        throw .cannotOpen(path: path, reason: String(cString: strerror(code)))
      }
      var current = patience ?? Patience(milliseconds: milliseconds)
      guard current.pause() else { throw .busy(path: path, milliseconds: current.milliseconds) }
      patience = current
    }
  }

  private func release() {
    depth -= 1
    if depth == 0 { flock(descriptor, LOCK_UN) }
  }
}
