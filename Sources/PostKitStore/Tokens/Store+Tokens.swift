// Tokens that outlive a process: facts as rows, values as secrets, and no row without its value.

import PostKitSupport

extension Store {
  /// What is known of a token; `nil` where none is kept.
  package func tokenFacts(_ key: String) throws(StoreFailure) -> TokenFacts? {
    try fetch(
      FetchDescriptor<TokenFacts>(where: { $0.key == key && $0.state != TokenFacts.unsettled })
    ).first
  }

  /// The tokens of a workspace folder, or all of them, in the order of their keys.
  package func tokens(in folder: String? = nil) throws(StoreFailure) -> [TokenFacts] {
    try fetch(
      FetchDescriptor<TokenFacts>(where: { columns in
        let isKept = columns.state != TokenFacts.unsettled
        return folder.map { isKept && columns.folder == $0 } ?? isKept
      }))
  }

  /// Notes that a server takes a token for none, or no longer for one. A token that was got at
  /// another time than `acquired` is another one, of which nobody has said anything.
  package func markRefused(
    _ key: String, acquired: Int64, error: String?
  ) throws(StoreFailure) {
    try change(TokenFacts.self) { connection throws(SQLiteError) in
      _ = try connection.update(
        TokenFacts.self,
        where: {
          $0.key == key && $0.acquired == acquired && $0.state == TokenFacts.State.valid.rawValue
        },
        set: {
          [$0.state.set(to: TokenFacts.State.refused.rawValue), $0.lastError.set(to: error)]
        })
    }
  }

  /// Notes that a token is used, so that it is not forgotten as one that nobody needs. It is
  /// written once a day, as a run may use one a thousand times.
  package func noteUse(
    ofToken key: String, at now: Int64 = Clock.wallMilliseconds
  ) throws(StoreFailure) {
    let isOld = Predicate<TokenFacts> {
      $0.key == key && $0.lastUsed < now - Store.useInterval && $0.state != TokenFacts.unsettled
    }
    // It decides nothing but that there is nothing to write.
    guard try !fetch(FetchDescriptor(where: { _ in isOld })).isEmpty else { return }
    try change(TokenFacts.self) { connection throws(SQLiteError) in
      _ = try connection.update(
        TokenFacts.self, where: { _ in isOld }, set: { [$0.lastUsed.set(to: now)] })
    }
  }

  /// Milliseconds after which a use is written again.
  private static let useInterval: Int64 = 86_400_000
  /// Milliseconds after its last use when a token is forgotten: 90 days (AU-47).
  package static let tokenLifetime: Int64 = 90 * 86_400_000
}

// MARK: - Values

extension Store {
  /// The order in which processes change values, that of all secrets.
  private nonisolated var tokenLock: SecretsLock { SecretsLock(path: location?.secretsLockPath) }

  /// The values of a token as they were given; `nil` where it is not kept.
  ///
  /// Who was killed while it kept others in their place may have left values that are newer than
  /// the facts. So values should say themselves how long they hold.
  package nonisolated func tokenValues(_ key: String) async throws(StoreFailure) -> String? {
    guard try await tokenFacts(key) != nil else { return nil }
    return try await secrets.secret(of: TokenFacts.secretName(key))
  }

  /// Keeps a token in the place of an earlier one with its key. When it returns both parts are
  /// there; where it throws, or is killed, the earlier one is, or none.
  package nonisolated func keep(
    _ facts: TokenFacts, values: String
  ) async throws(StoreFailure) {
    try await tokenLock.hold { () throws(StoreFailure) in
      try await noteToken(facts.key)
      try await secrets.setSecret(values, of: facts.secretName)
      try await settle(facts)
      // Somebody changes tokens anyhow. What fails is left noted, and the token is kept.
      _ = try? await endForgetting()
    }
  }

  /// Forgets a token, and answers whether there was one. Where its value can't be reached it is
  /// forgotten all the same, as far as anybody can ask; the value goes at a later `settleTokens`,
  /// which the failure says.
  @discardableResult
  package nonisolated func forgetToken(_ key: String) async throws(StoreFailure) -> Bool {
    let isKnown = try await unsettle { $0.key == key } > 0
    do throws(StoreFailure) {
      try await tokenLock.hold { () throws(StoreFailure) in
        if let failure = try await endForgetting([key]) { throw failure }
      }
    } catch {
      if isKnown { throw .secret(.leftBehind(error.message)) }
      throw error
    }
    return isKnown
  }

  /// Forgets what nobody has used for 90 days and what belongs to folders that are gone, and ends
  /// what a process has begun with tokens and was killed before it was done. Nobody is asked for a
  /// password, and nobody who is at it is waited for. `now` is in milliseconds since 1970.
  package nonisolated func settleTokens(now: Int64 = Clock.wallMilliseconds) async {
    do throws(StoreFailure) {
      try await unsettleUnused(now: now)
      guard try await !unsettledTokens().isEmpty else { return }
      switch await secrets.place() {
      case .keyring(isLocked: true), .silentKeyring: return
      case .keyring, .memory, .file: break
      }
      _ = try await tokenLock.holdIfFree { () throws(StoreFailure) in try await endForgetting() }
    } catch {
      Log.info("Tokens to be forgotten are looked at later: \(error.message)")
    }
  }

  /// Deletes the values of rows that say nothing any more, and then these rows; of all of them, or
  /// of some keys. Answers the first failure. The caller holds the lock, so that nobody is about to
  /// write such a value.
  private nonisolated func endForgetting(
    _ keys: [String]? = nil
  ) async throws(StoreFailure) -> StoreFailure? {
    var first: StoreFailure?
    for key in try await unsettledTokens() where keys?.contains(key) ?? true {
      do throws(StoreFailure) {
        try await secrets.deleteSecret(of: TokenFacts.secretName(key))
        try await remove(unsettled: key)
      } catch { first = first ?? error }
    }
    return first
  }
}

// MARK: - Rows without a value

extension Store {
  /// The names of the secrets that tokens have, those to be deleted among them.
  func tokenSecretNames() throws(StoreFailure) -> [String] {
    try fetch(FetchDescriptor<TokenFacts>(), { $0.key }).map(TokenFacts.secretName)
  }

  /// Takes from all tokens what is known of them; their values go with `settleTokens`.
  func unsettleTokens() throws(StoreFailure) {
    try unsettle { _ in Predicate.all([]) }
  }

  private func unsettledTokens() throws(StoreFailure) -> [String] {
    try fetch(
      FetchDescriptor<TokenFacts>(where: { $0.state == TokenFacts.unsettled }), { $0.key })
  }

  private func unsettleUnused(now: Int64) throws(StoreFailure) {
    try unsettle { $0.lastUsed < now - Store.tokenLifetime }
    let folders = Set(try tokens().map(\.folder))
    // Where the folder above is missing as well, a disk may only not be there now.
    let gone = folders.filter {
      !$0.isEmpty && !FileSystem.exists($0) && FileSystem.exists(FilePath.parent($0))
    }
    if !gone.isEmpty { try unsettle { $0.folder.isIn(gone) } }
  }

  /// Takes from tokens all that is known of them but their keys; answers how many there were.
  @discardableResult
  private func unsettle(
    where condition: (TokenFacts.Columns) -> Predicate<TokenFacts>
  ) throws(StoreFailure) -> Int {
    let columns = TokenFacts.columns
    let chosen = condition(columns) && columns.state != TokenFacts.unsettled
    // It decides nothing but that there is nothing to write.
    guard try !fetch(FetchDescriptor(where: { _ in chosen })).isEmpty else { return 0 }
    var nothing = TokenFacts(
      key: "", folder: "", environment: "", configuration: "", grant: "", host: "", acquired: 0)
    nothing.lastUsed = 0
    let assignments =
      nothing.assignments.dropFirst().filter { $0.column != .column("state") }
      + [columns.state.set(to: TokenFacts.unsettled)]
    return try change(TokenFacts.self) { connection throws(SQLiteError) in
      try connection.update(
        TokenFacts.self, where: { _ in chosen }, set: { _ in Array(assignments) })
    }
  }

  /// Notes that a value is going to be written, unless one is kept already.
  private func noteToken(_ key: String) throws(StoreFailure) {
    try change(TokenFacts.self) { connection throws(SQLiteError) in
      _ = try connection.run("INSERT OR IGNORE INTO token (key) VALUES (?)", [.text(key)])
    }
  }

  private func settle(_ facts: TokenFacts) throws(StoreFailure) {
    try change(TokenFacts.self) { connection throws(SQLiteError) in
      try connection.delete(TokenFacts.self) { $0.key == facts.key }
      try connection.insert(facts)
    }
  }

  private func remove(unsettled key: String) throws(StoreFailure) {
    try delete(TokenFacts.self) { $0.key == key && $0.state == TokenFacts.unsettled }
  }
}
