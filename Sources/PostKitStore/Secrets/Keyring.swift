// The desktop's keyring: libsecret on a thread of its own, each call bounded in time.

import CSecretService
import PostKitSupport

/// A keyring behind libsecret.
///
/// A call may wait for a person who is asked for a password; the thread on which it waits does
/// nothing else.
final class Keyring: Sendable {
  private let executor = SerialQueueExecutor()
  /// The directory of the store whose secrets these are.
  private let directory: String
  private let patience: KeyringPatience

  /// Makes a keyring that nothing was asked yet.
  init(directory: String, patience: KeyringPatience = KeyringPatience()) {
    self.directory = directory
    self.patience = patience
  }

  /// Whether the keyring is there, and locked; asks nobody for a password. `nil` where the caller
  /// was cancelled before there was an answer.
  func probe() async -> KeyringState? {
    guard SecretLibrary.hasSessionBus else {
      return .missing("there is no D-Bus session to reach a keyring by")
    }
    if case .failure(let missing) = SecretLibrary.opened { return .missing(missing.explanation) }
    let answer = await call(patience.probeSeconds) { cancellable in
      postkit_secret_probe(cancellable)
    }
    return switch answer {
    case .value, .done: .ready
    case .none: .missing("the keyring service has no default keyring")
    case .locked: .locked
    case .silent(let seconds): .silent(seconds: seconds)
    case .cancelled: nil
    case .failed(let reason): .missing("no keyring service can be reached: \(reason)")
    }
  }

  /// The value of a variable; `nil` where the keyring has none.
  func value(of variable: String) async throws(StoreFailure) -> String? {
    let answer = await call(variable) { cancellable, key in
      postkit_secret_look_up(cancellable, key)
    }
    if case .value(let value) = answer { return value }
    if let failure = answer.failure { throw failure }
    return nil
  }

  /// Keeps the value of a variable.
  func set(_ value: String, of variable: String) async throws(StoreFailure) {
    let answer = await call(variable) { cancellable, key in
      postkit_secret_store(cancellable, key, "PostKit: secret variable", value)
    }
    if let failure = answer.failure { throw failure }
  }

  /// Forgets the value of a variable.
  func delete(_ variable: String) async throws(StoreFailure) {
    let answer = await call(variable) { cancellable, key in
      postkit_secret_clear(cancellable, key)
    }
    if let failure = answer.failure { throw failure }
  }

  // MARK: - Calls

  private enum Answer: Sendable {
    case value(String)
    case done, none, locked, cancelled
    case silent(seconds: Int)
    case failed(String)

    init(_ result: postkit_secret_result, _ call: KeyringCall, seconds: Int) {
      let text = result.text.map { String(cString: $0) }
      self =
        switch result.status {
        case POSTKIT_SECRET_DONE: text.map(Answer.value) ?? .done
        case POSTKIT_SECRET_NONE: .none
        case POSTKIT_SECRET_LOCKED: .locked
        case POSTKIT_SECRET_TIMED_OUT: .silent(seconds: seconds)
        case POSTKIT_SECRET_CANCELLED: call.isLate ? .silent(seconds: seconds) : .cancelled
        default: .failed(text ?? "there is not enough memory")
        }
    }

    var failure: StoreFailure? {
      switch self {
      case .value, .done, .none: nil
      case .locked: .secret(.locked)
      case .cancelled: .secret(.cancelled)
      case .silent(let seconds): .secret(.silent(seconds: seconds))
      case .failed(let reason): .secret(.keyring(reason: reason))
      }
    }
  }

  private func call(
    _ variable: String,
    _ body: @escaping @Sendable (UnsafeMutableRawPointer, postkit_secret_key) ->
      postkit_secret_result
  ) async -> Answer {
    let store = FileSystem.realPath(directory) ?? FileSystem.absolute(directory)
    return await call(patience.answerSeconds) { cancellable in
      store.withCString { store in
        variable.withCString { variable in
          body(cancellable, postkit_secret_key(store: store, variable: variable))
        }
      }
    }
  }

  private func call(
    _ seconds: Int,
    _ body: @escaping @Sendable (UnsafeMutableRawPointer) -> postkit_secret_result
  ) async -> Answer {
    if case .failure(let missing) = SecretLibrary.opened { return .failed(missing.explanation) }
    guard let call = KeyringCall() else { return .failed("there is not enough memory") }
    return await withTaskGroup(of: Void.self) { group in
      // Counted from here: what waits behind another call is late with it.
      group.addTask {
        // Cancelled when the answer is there.
        guard (try? await Alarm.sleep(milliseconds: seconds * 1_000)) != nil else { return }
        call.end(isLate: true)
      }
      let answer = await withTaskCancellationHandler {
        await executor.perform {
          var result = body(call.cancellable)
          defer { postkit_secret_free(&result) }
          return Answer(result, call, seconds: seconds)
        }
      } onCancel: {
        call.end(isLate: false)
      }
      group.cancelAll()
      return answer
    }
  }
}

/// How long a keyring is waited for.
struct KeyringPatience: Sendable {
  /// Seconds in which a service has to say whether it is there.
  var probeSeconds = 5
  /// Seconds in which a person who is asked for the keyring's password can type it.
  var answerSeconds = 30
}

/// What a keyring says of itself.
enum KeyringState: Sendable, Hashable {
  case ready
  /// It is there, and asks for its password before it gives or takes anything.
  case locked
  /// It has not said in time whether it is there. It is not asked again at once, and nothing goes
  /// to the file in its place: that must not happen because a machine is busy.
  case silent(seconds: Int)
  /// There is none; with a clause that says why.
  case missing(String)
}

/// A call that can be ended from another thread.
///
/// `@unchecked Sendable`: the pointer never changes, and what it leads to is an object of GLib that
/// any thread may cancel.
private final class KeyringCall: @unchecked Sendable {
  let cancellable: UnsafeMutableRawPointer
  private let late = Monitor(false)

  init?() {
    guard let made = postkit_secret_cancellable() else { return nil }
    cancellable = made
  }

  deinit { postkit_secret_drop(cancellable) }

  /// Whether it was ended because it took too long.
  var isLate: Bool { late.update { $0 } }

  func end(isLate: Bool) {
    late.update { $0 = $0 || isLate }
    postkit_secret_cancel(cancellable)
  }
}

/// The libsecret of this machine.
package enum SecretLibrary {
  /// Whether it could be opened; it is at the first need.
  static let opened: Result<Void, SecretLibraryMissing> = open(names)

  /// The names to try. On other systems than Linux nothing is asked, and the file is used.
  static var names: [String] {
    #if canImport(Darwin)
      []
    #else
      ["libsecret-1.so.0"]
    #endif
  }

  /// Opens the first library that there is.
  static func open(_ names: [String]) -> Result<Void, SecretLibraryMissing> {
    var reasons: [String] = []
    for name in names {
      var message = [CChar](repeating: 0, count: 512)
      if postkit_secret_open(name, &message, message.count) { return .success(()) }
      let end = message.firstIndex(of: 0) ?? message.endIndex
      reasons.append(String(decoding: message[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return .failure(SecretLibraryMissing(reason: reasons.joined(separator: "; ")))
  }

  /// Whether a bus is there to reach a keyring by. Without one GLib would start a program to make
  /// one.
  static var hasSessionBus: Bool {
    if let address = ProcessEnvironment.value("DBUS_SESSION_BUS_ADDRESS") {
      return !address.isEmpty
    }
    return ProcessEnvironment.value("XDG_RUNTIME_DIR").map { FileSystem.exists($0 + "/bus") }
      ?? false
  }
}

/// Why libsecret can't be used.
package struct SecretLibraryMissing: Error, Sendable, Hashable {
  /// What the loader said; empty where none is looked for.
  let reason: String

  /// What is missing, as a clause.
  package var explanation: String {
    reason.isEmpty
      ? "PostKit supports no keyring on this system"
      : "libsecret, which speaks to keyrings, can't be opened (\(reason)); install it, on Debian "
        + "and Ubuntu with `apt install libsecret-1-0`"
  }
}
