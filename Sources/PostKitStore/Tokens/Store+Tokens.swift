// The rows of tokens that outlive a process, and those that say no more than that something is to
// be ended.

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

// MARK: - Rows without a value

extension Store {
  /// The names of the secrets that tokens have, those to be deleted among them.
  func tokenSecretNames() throws(StoreFailure) -> [String] {
    try fetch(FetchDescriptor<TokenFacts>(), { $0.key }).map(TokenFacts.secretName)
  }

  /// Takes from all tokens what is known of them; their values go with `TokenKeeper.settle`.
  func unsettleTokens() throws(StoreFailure) {
    try unsettle { _ in Predicate.all([]) }
  }

  /// The keys of rows whose value is to be written or deleted.
  func unsettledTokens() throws(StoreFailure) -> [String] {
    try fetch(
      FetchDescriptor<TokenFacts>(where: { $0.state == TokenFacts.unsettled }), { $0.key })
  }

  /// Forgets what nobody has used for 90 days, and what belongs to folders that are gone.
  func unsettleUnused(now: Int64) throws(StoreFailure) {
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
  func unsettle(
    where condition: @Sendable (TokenFacts.Columns) -> Predicate<TokenFacts>
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
  func noteToken(_ key: String) throws(StoreFailure) {
    try change(TokenFacts.self) { connection throws(SQLiteError) in
      _ = try connection.run("INSERT OR IGNORE INTO token (key) VALUES (?)", [.text(key)])
    }
  }

  /// Writes the facts of a token whose value is kept.
  func settle(_ facts: TokenFacts) throws(StoreFailure) {
    try change(TokenFacts.self) { connection throws(SQLiteError) in
      try connection.delete(TokenFacts.self) { $0.key == facts.key }
      try connection.insert(facts)
    }
  }

  /// Removes a row that says nothing, unless it does by now.
  func remove(unsettled key: String) throws(StoreFailure) {
    try delete(TokenFacts.self) { $0.key == key && $0.state == TokenFacts.unsettled }
  }
}
