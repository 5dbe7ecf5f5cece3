// The secrets of the user's own store: in the desktop's keyring where there is one, else in a file.

import PostKitSupport

/// Keeps secrets on this machine, never in the database.
///
/// Which of the two places gets new values is decided at the first need and stays so until the
/// process ends. A value in the file is newer than one of the keyring: it was written while no
/// keyring could be reached. So it is looked for first, and goes when the keyring gets a newer one.
package final class KeptSecrets: SecretStore {
  private let file: SecretFile
  private let keyring: Keyring?
  private let executor: SerialQueueExecutor
  private let decision = Monitor<KeyringState?>(nil)
  /// When a keyring that said nothing may be asked again, in microseconds of the monotonic clock.
  private let silentUntil = Monitor<Int64>(0)
  /// Longer than any one send; an editor goes on for days, and its user can mend a keyring.
  private static let silenceMicroseconds: Int64 = 60_000_000

  /// Makes the secrets of a store; nothing is opened before one is needed. Files are read and
  /// written on the thread of `executor`. Without a keyring none is looked for.
  init(_ location: StoreLocation, executor: SerialQueueExecutor, keyring: Keyring?) {
    file = SecretFile(location)
    self.keyring = keyring
    self.executor = executor
  }

  /// The value of a variable.
  package func secret(of variable: String) async throws(StoreFailure) -> String? {
    let file = file
    let kept = try await executor.perform { () throws(StoreFailure) in
      try file.value(of: variable)
    }
    if let kept { return kept }
    return try await keyringInUse?.value(of: variable)
  }

  /// Keeps the value of a variable.
  package func setSecret(_ value: String, of variable: String) async throws(StoreFailure) {
    guard !value.utf8.contains(0) else { throw .secret(.nulByte) }
    guard let keyring = try await keyringInUse else {
      return try await setInFile(value, of: variable)
    }
    try await keyring.set(value, of: variable)
    try await setInFile(nil, of: variable)
  }

  /// Forgets the value of a variable, wherever it is.
  package func deleteSecret(of variable: String) async throws(StoreFailure) {
    try await setInFile(nil, of: variable)
    try await keyringInUse?.delete(variable)
  }

  /// The variables whose values are in the file.
  package func listed() async throws(StoreFailure) -> Set<String> {
    let file = file
    return try await executor.perform { () throws(StoreFailure) in try file.variables() }
  }

  /// Where new values go.
  package func place() async -> SecretPlace {
    switch await state {
    case .ready: .keyring(isLocked: false)
    case .locked: .keyring(isLocked: true)
    case .silent(let seconds): .silentKeyring(seconds: seconds)
    case .missing(let reason): .file(path: file.path, reason: reason)
    }
  }

  /// What a person should be told, each thing once.
  package func takeNotices() -> [StoreNotice] { file.takeNotices() }

  private func setInFile(_ value: String?, of variable: String) async throws(StoreFailure) {
    let file = file
    try await executor.perform { () throws(StoreFailure) in try file.set(value, of: variable) }
  }

  /// The keyring that is there; throws where it has said nothing, instead of waiting once more.
  private var keyringInUse: Keyring? {
    get async throws(StoreFailure) {
      switch await state {
      case .ready, .locked: return keyring
      case .silent(let seconds): throw .secret(.silent(seconds: seconds))
      case .missing: return nil
      }
    }
  }

  private var state: KeyringState {
    get async {
      guard let keyring else { return .missing("no keyring is looked for") }
      if let known = decision.update({ $0 }) {
        guard case .silent = known, Clock.monotonicMicroseconds >= silentUntil.update({ $0 }) else {
          return known
        }
        decision.update { $0 = nil }
      }
      // Where the caller was cancelled the next one finds out, and its own call tells of it.
      guard let found = await keyring.probe() else { return .ready }
      if case .silent = found {
        silentUntil.update { $0 = Clock.monotonicMicroseconds + KeptSecrets.silenceMicroseconds }
      }
      return decision.update { known in
        let first = known ?? found
        known = first
        return first
      }
    }
  }
}
