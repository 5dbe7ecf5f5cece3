// The order in which processes change the values of secrets: one after the other.

import Libc
import PostKitSupport

/// An exclusive `flock` on `secrets.lock`, held from the note of what becomes of a secret until
/// that is done.
///
/// It is apart from `store.lock`: a keyring may have to ask its user for a password, for which
/// nobody else should wait. A kill ends it, so that whoever holds it knows that what is noted
/// there is what a killed process has left.
struct SecretsLock: Sendable {
  /// The file; `nil` in memory, where nobody else is.
  let path: String?

  /// Does something while the lock is held, for which it waits without holding up a thread.
  func hold<Result>(
    _ body: () async throws(StoreFailure) -> Result
  ) async throws(StoreFailure) -> Result {
    guard let path else { return try await body() }
    let end = Clock.monotonicMicroseconds + Self.patience
    while true {
      if let result = try await holdIfFree(body) { return result }
      guard Clock.monotonicMicroseconds < end else { throw .secret(.held(path: path)) }
      do { try await Alarm.sleep(milliseconds: Self.step) } catch { throw .secret(.cancelled) }
    }
  }

  /// Does something if the lock is free; `nil` where it is not.
  func holdIfFree<Result>(
    _ body: () async throws(StoreFailure) -> Result
  ) async throws(StoreFailure) -> Result? {
    guard let path else { return try await body() }
    try StorePlace.prepareDirectory(FilePath.parent(path))
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    defer {
      // A child that is being started has it open, too, until it runs its program.
      flock(descriptor, LOCK_UN)
      close(descriptor)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      FileIdentity(descriptor: descriptor) == FileIdentity(path)
    else { return nil }
    return try await body()
  }

  /// Longer than a keyring waits for its user, in microseconds.
  private static let patience: Int64 = 40_000_000
  /// Milliseconds after which it is looked for again.
  private static let step = 5
}
