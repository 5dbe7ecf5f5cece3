// Which of several processes gets a token, so that the others need not (AU-46).

import PostKitAuth
import PostKitHTTP
import PostKitSupport

/// The lock on getting one token. A process that dies frees it.
enum TokenLock {
  /// How often others are looked for, in milliseconds.
  private static let step = 250
  /// How long others are waited for, in microseconds: longer than a person has to sign in.
  private static let patience: Int64 = 360_000_000

  /// Takes the lock of a key; `tell` is given a sentence once, where somebody else has it. The
  /// failure says that they had it for too long.
  static func take(
    _ owner: TokenOwner, in folder: String, tell: (String) async -> Void
  ) async -> Result<FileLock?, AuthFailure> {
    let path = folder + "/auth-" + owner.key.prefix(16)
    let end = Clock.monotonicMicroseconds + patience
    let id = owner.configuration.id
    var hasTold = false
    while true {
      do throws(FileFailure) {
        try FileSystem.makeDirectory(folder)
        if let lock = try FileLock.take(path) { return .success(lock) }
      } catch {
        // The sign-in does without: at worst two processes get a token each.
        Log.warning("The lock \(path) can't be used: \(error.description)")
        return .success(nil)
      }
      if !hasTold { await tell("Another editor signs in for `\(id)`.") }
      hasTold = true
      guard Clock.monotonicMicroseconds < end else {
        return .failure(
          AuthFailure(
            .authTimeout,
            "Another editor or `postkit` has been signing in for `\(id)` for 6 minutes. End the "
              + "sign-in there, then send the request again."))
      }
      do { try await Alarm.sleep(milliseconds: step) } catch { return .failure(.cancelled) }
    }
  }
}

extension AuthFailure {
  /// Nobody waits for the token any more.
  static let cancelled = AuthFailure(.cancelled, "The sign-in was cancelled.")
}
