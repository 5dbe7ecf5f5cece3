// Changes of the collections with the secrets that go with them.

import PostKitSupport

/// Changes the collections of a store together with its secrets; the store itself never waits, as a
/// keyring may.
///
/// What happens to a secret is noted in the database first (`SecretIntents`) and done under a lock
/// of its own (`SecretsLock`). So a kill at any moment leaves a note by which the next one to come
/// ends what was begun (`settle`), and of two who set one variable neither undoes the other's.
package struct CollectionEditor: Sendable {
  private let store: Store
  private let renaming: RequestTextRenaming?
  private var secrets: any SecretStore { store.secrets }
  private var lock: SecretsLock { SecretsLock(path: store.location?.secretsLockPath) }

  /// Makes the editor of a store's collections; without `renaming` no request can be renamed.
  package init(_ store: Store, renaming: RequestTextRenaming? = nil) {
    self.store = store
    self.renaming = renaming
  }

  /// Carries out edits of the collections in order, all of them or none, and brings the secrets up
  /// to date: `values` are those of secret variables by their ids. What was a secret of a variable
  /// that is gone is deleted, copies of variables get copies of their secrets.
  @discardableResult
  package func edit(
    _ edits: [CollectionEdit], secrets values: [String: String], ifRevision: Int64? = nil
  ) async throws(StoreFailure) -> CollectionEditResult {
    try await edit(ifRevision: ifRevision) { _ in CollectionPlan(edits, secrets: values) }.result
  }

  /// Carries out what is decided inside the transaction, all of it or nothing.
  @discardableResult
  package func edit<Value>(
    ifRevision: Int64? = nil, deciding decide: @escaping CollectionDecision<Value>
  ) async throws(StoreFailure) -> (result: CollectionEditResult, value: Value) {
    try await make(
      CollectionChange(ifRevision: ifRevision, renaming: renaming, decide: decide))
  }

  /// Brings in what is decided inside the transaction, with the secrets of the variables: what is
  /// made under an id that is there already is brought up to date instead. With `ifRevision`
  /// nothing is changed where the collections are not at that revision any more.
  @discardableResult
  package func importEdits<Value>(
    ifRevision: Int64? = nil, deciding decide: @escaping CollectionDecision<Value>
  ) async throws(StoreFailure) -> (result: CollectionEditResult, value: Value) {
    try await make(CollectionChange(
        mode: .importing, ifRevision: ifRevision, decide: decide))
  }

  /// Ends what a process has begun with secrets and was killed before it was done, and lets go of
  /// deletions that are too old to be taken back. Nobody is asked for a password, and nobody who is
  /// at it is waited for. `now` is in milliseconds since 1970-01-01T00:00:00Z.
  package func settle(now: Int64 = Clock.wallMilliseconds) async {
    do throws(StoreFailure) {
      try await store.discardDeletions(before: now - DeletedItem.lifetime)
      guard try await !store.secretIntents().isEmpty else { return }
      switch await secrets.place() {
      case .keyring(isLocked: true), .silentKeyring: return
      case .keyring, .memory, .file: break
      }
      _ = try await lock.holdIfFree { () throws(StoreFailure) in try await settleAll() }
    } catch {
      Log.info("Secrets of killed processes are looked at later: \(error.message)")
    }
  }

  /// The variables whose values are kept though no secret variable has their id, as far as values
  /// can be listed. Older versions left them when they were killed; so does a collections file that
  /// somebody removes, whose values a backup may need again. Nobody sets a secret meanwhile.
  package func unnamedSecrets() async throws(StoreFailure) -> [String] {
    try await lock.hold { () throws(StoreFailure) in try await unnamed() }
  }

  /// Deletes these values, and answers how many there were.
  package func deleteUnnamedSecrets() async throws(StoreFailure) -> Int {
    try await lock.hold { () throws(StoreFailure) in
      let variables = try await unnamed()
      for variable in variables { try await secrets.deleteSecret(of: variable) }
      return variables.count
    }
  }

  /// The caller holds the lock.
  private func unnamed() async throws(StoreFailure) -> [String] {
    let listed = try await secrets.listed()
    let noted = try await store.secretIntents().filter { !$0.isNamed }.map(\.variable)
    let named = try await store.secretVariables().union(store.tokenSecretNames())
    return listed.union(noted).subtracting(named).sorted()
  }

  private func make<Value>(
    _ change: CollectionChange<Value>
  ) async throws(StoreFailure) -> (result: CollectionEditResult, value: Value) {
    if let made = try await store.make(change, .untouched) { return made }
    return try await lock.hold { () throws(StoreFailure) in try await makeWithSecrets(change) }
  }

  /// How often a change is decided anew because others have changed what its secrets belong to.
  private static let attempts = 8

  private func makeWithSecrets<Value>(
    _ change: CollectionChange<Value>
  ) async throws(StoreFailure) -> (result: CollectionEditResult, value: Value) {
    // Whoever noted these was killed, or could not reach the keyring.
    let others = Set(try await settleAll().keys)
    for _ in 0..<Self.attempts {
      let values = try await store.intend(change)
      var earlier: [String: String?] = [:]
      do throws(StoreFailure) {
        // Before the rows: a keyring may refuse, and then nothing has happened.
        for (variable, value) in values {
          earlier[variable] = .some(try await secrets.secret(of: variable))
          try await secrets.setSecret(value, of: variable)
        }
        if let made = try await store.make(change, .written(values)) {
          let left = try await settleAll().filter { !others.contains($0.key) }
          if let failure = left.values.first { throw .secret(.leftBehind(failure.message)) }
          return made
        }
      } catch {
        if case .secret(.leftBehind) = error { throw error }
        await undo(earlier)
        throw error
      }
      await undo(earlier)
    }
    throw .collection(.stale)
  }

  /// Puts values back. What fails is left noted; the failure that is told is the first one.
  private func undo(_ earlier: [String: String?]) async {
    // Whoever was cancelled undoes all the same.
    await Task(executorPreference: store.taskExecutor) {
      for (variable, value) in earlier {
        do throws(StoreFailure) {
          if let value {
            try await secrets.setSecret(value, of: variable)
          } else {
            try await secrets.deleteSecret(of: variable)
          }
        } catch { Log.info("A secret was not put back: \(error.message)") }
      }
      do throws(StoreFailure) { _ = try await settleAll() } catch {
        Log.info("Secrets are looked at later: \(error.message)")
      }
    }.value
  }

  /// Brings each noted secret to what its variable says: that of a copy is copied, one that nothing
  /// names is deleted. Answers what could not be done, by the ids of variables. The caller holds
  /// the lock.
  @discardableResult
  private func settleAll() async throws(StoreFailure) -> [String: StoreFailure] {
    var failures: [String: StoreFailure] = [:]
    var done: [Int64] = []
    for intent in try await store.secretIntents() {
      do throws(StoreFailure) {
        if !intent.isNamed {
          try await secrets.deleteSecret(of: intent.variable)
        } else if let original = intent.original,
          try await secrets.secret(of: intent.variable) == nil,
          let value = try await secrets.secret(of: original)
        {
          try await secrets.setSecret(value, of: intent.variable)
        }
        done.append(intent.number)
      } catch { failures[intent.variable] = error }
    }
    try await store.remove(secretIntents: done)
    return failures
  }
}
