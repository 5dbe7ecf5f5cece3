// Tokens that outlive a process, whole: facts as rows, values as secrets, no row without its value.

import PostKitSupport

/// Keeps tokens together with their values; the store itself never waits, as a keyring may.
///
/// A row that says nothing but its key (`TokenFacts.unsettled`) notes that a value is going to be
/// written or deleted, which is done under the lock of all secrets. So a kill at any moment leaves
/// a whole token, or a note by which the next one to come ends what was begun.
package struct TokenKeeper: Sendable {
  private let store: Store
  private var secrets: any SecretStore { store.secrets }
  private var lock: SecretsLock { SecretsLock(path: store.location?.secretsLockPath) }

  /// Makes the keeper of the tokens of a store.
  package init(_ store: Store) { self.store = store }

  /// The values of a token as they were given; `nil` where it is not kept.
  ///
  /// Who was killed while it kept others in their place may have left values that are newer than
  /// the facts. So values should say themselves how long they hold.
  package func values(_ key: String) async throws(StoreFailure) -> String? {
    guard try await store.tokenFacts(key) != nil else { return nil }
    return try await secrets.secret(of: TokenFacts.secretName(key))
  }

  /// Keeps a token in the place of an earlier one with its key. When it returns both parts are
  /// there; where it throws, or is killed, the earlier one is, or none.
  package func keep(_ facts: TokenFacts, values: String) async throws(StoreFailure) {
    try await lock.hold { () throws(StoreFailure) in
      try await store.noteToken(facts.key)
      try await secrets.setSecret(values, of: facts.secretName)
      try await store.settle(facts)
      // Tokens are changed anyhow. What fails now is left noted, and this one is kept.
      _ = try? await endForgetting()
    }
  }

  /// Forgets a token, and answers whether there was one. Where its value can't be reached it is
  /// forgotten all the same, as far as anybody can ask; then it throws `tokenLeft`, and the value
  /// goes at a later `settle`.
  @discardableResult
  package func forget(_ key: String) async throws(StoreFailure) -> Bool {
    let isKnown = try await store.unsettle { $0.key == key } > 0
    do throws(StoreFailure) {
      try await lock.hold { () throws(StoreFailure) in
        if let failure = try await endForgetting([key]) { throw failure }
      }
    } catch {
      throw isKnown ? .secret(.tokenLeft(error.message)) : error
    }
    return isKnown
  }

  /// Forgets what nobody has used for 90 days and what belongs to folders that are gone, and ends
  /// what a process has begun with tokens and was killed before it was done. Nobody is asked for a
  /// password, and nobody who is at it is waited for. `now` is in milliseconds since 1970.
  package func settle(now: Int64 = Clock.wallMilliseconds) async {
    do throws(StoreFailure) {
      try await store.unsettleUnused(now: now)
      guard try await !store.unsettledTokens().isEmpty else { return }
      switch await secrets.place() {
      case .keyring(isLocked: true), .silentKeyring: return
      case .keyring, .memory, .file: break
      }
      _ = try await lock.holdIfFree { () throws(StoreFailure) in try await endForgetting() }
    } catch {
      Log.info("Tokens to be forgotten are looked at later: \(error.message)")
    }
  }

  /// Deletes the values of rows that say nothing any more, and then these rows; of all of them, or
  /// of some keys. Answers the first failure. The caller holds the lock, so that nobody is about to
  /// write such a value.
  private func endForgetting(
    _ keys: [String]? = nil
  ) async throws(StoreFailure) -> StoreFailure? {
    var first: StoreFailure?
    for key in try await store.unsettledTokens() where keys?.contains(key) ?? true {
      do throws(StoreFailure) {
        try await secrets.deleteSecret(of: TokenFacts.secretName(key))
        try await store.remove(unsettled: key)
      } catch { first = first ?? error }
    }
    return first
  }
}
