// Changing the collections: one list of edits, one transaction.

import PostKitSupport

extension Store {
  /// Carries out edits of the collections in order, all of them or none. With `ifRevision` nothing
  /// is done when the collections have changed since they had that revision. Without `renaming` no
  /// request can be renamed.
  @discardableResult
  package func edit(
    _ edits: [CollectionEdit], ifRevision: Int64? = nil, renaming: RequestTextRenaming? = nil
  ) throws(StoreFailure) -> CollectionEditResult {
    try make(edits, ifRevision, .edit, renaming)
  }

  /// Brings collections in: what is made under an id that is there already is brought up to date
  /// instead, where it lies then.
  @discardableResult
  package func importEdits(
    _ edits: [CollectionEdit]
  ) throws(StoreFailure) -> CollectionEditResult {
    try make(edits, nil, .importing, nil)
  }

  /// Lets go of deletions from before a time, in milliseconds since 1970-01-01T00:00:00Z. The
  /// values of their secrets are noted, and deleted by whoever settles.
  func discardDeletions(before time: Int64) throws(StoreFailure) {
    // It decides nothing but that there is nothing to write.
    let file = try openCollections()
    let isNeeded = try file.read("look at deletions") { connection throws(SQLiteError) in
      try connection.integer(
        "SELECT EXISTS (SELECT 1 FROM trash WHERE deleted_at < ?)", [.int(time)]) != 0
    }
    guard isNeeded else { return }
    let change = CollectionChange { reader throws(StoreFailure) in
      let old = try reader.deleted(before: time)
      return CollectionPlan([.discard(deletions: old.map(\.id))])
    }
    _ = try make(change, .left)
  }

  /// Looks at the collections as they are at one moment.
  package func look<Value: Sendable>(
    _ body: @Sendable (CollectionReader) throws(StoreFailure) -> Value
  ) throws(StoreFailure) -> Value {
    let file = try openCollections()
    return try file.readAtOnce("read the collections") { () throws(StoreFailure) in
      try body(CollectionReader(file: file))
    }
  }

  /// Looks at the collections as they would be if a deleted request were there again with what it
  /// lay in; `nil` where no deletion of the last 30 days has it. Nothing is changed.
  package func lookBack<Value: Sendable>(
    atRequest id: String, _ body: @Sendable (CollectionReader) throws(StoreFailure) -> Value?
  ) throws(StoreFailure) -> Value? {
    let file = try openCollections()
    // It decides nothing but that there is nothing to look at.
    let isDeleted = try file.read("look at deletions") { connection throws(SQLiteError) in
      try connection.integer(
        """
        SELECT EXISTS (SELECT 1 FROM trash WHERE instr(content, ?) > 0)
          AND NOT EXISTS (SELECT 1 FROM http_request WHERE id = ?)
        """, [.text("\"id\":\"\(id)\""), .text(id)]) != 0
    }
    guard isDeleted else { return nil }
    return try file.write(CollectionWriter.action, scope: nil) { _ throws(StoreFailure) in
      try file.rehearse { () throws(StoreFailure) in
        guard try CollectionWriter(file: file, mode: .edit).putBack(id) else { return nil }
        return try body(CollectionReader(file: file))
      }
    }
  }

  /// The revision of the collections; it rises with each change of them by any process.
  package func collectionsRevision() throws(StoreFailure) -> Int64 {
    try openCollections().revision(of: StoreScope.collections.rawValue)
  }

  /// The open collections.
  func openCollections() throws(StoreFailure) -> DatabaseFile {
    if let collections { return collections }
    throw .noCollections(path: location?.collectionsPath ?? ":memory:")
  }

  private func make(
    _ edits: [CollectionEdit], _ ifRevision: Int64?, _ mode: CollectionWriter.Mode,
    _ renaming: RequestTextRenaming?
  ) throws(StoreFailure) -> CollectionEditResult {
    let change = CollectionChange(mode: mode, ifRevision: ifRevision, renaming: renaming) { _ in
      CollectionPlan(edits)
    }
    return try make(change, .left)?.result ?? CollectionEditResult()
  }

  /// Makes a change in one transaction. It answers `nil`, and nothing is changed, where the secrets
  /// are not in the stage that the change needs.
  func make<Value>(
    _ change: CollectionChange<Value>, _ stage: SecretStage
  ) throws(StoreFailure) -> (result: CollectionEditResult, value: Value)? {
    commitQueue()
    let file = try openCollections()
    let intents = SecretIntents(file: file)
    var isOff = false
    let made: (result: CollectionEditResult, value: Value)
    do throws(StoreFailure) {
      made = try file.write(CollectionWriter.action, scope: StoreScope.collections.rawValue) {
        _ throws(StoreFailure) in
        let last = try intents.last()
        let separates = stage != .left
        let (plan, result) = try change.carryOut(in: file, separatingSecrets: separates)
        try intents.add(copies: result.copiedSecrets)
        switch stage {
        case .left: break
        case .untouched:
          let isNoted = try intents.last() != last
          let isAwaited = try intents.concern(result.ids)
          isOff = !plan.secrets.isEmpty || isNoted || isAwaited
        case .written(let values): isOff = plan.secrets != values
        }
        // Without any failure the transaction would be committed.
        if isOff { throw .collection(.stale) }
        if case .written(let values) = stage { try intents.fulfil(values.keys) }
        return (result, plan.value)
      }
    } catch {
      if isOff { return nil }
      throw error
    }
    finishCommit(.collections, of: file)
    // The edit is made by now, whatever happens to the other file.
    _ = orLog("let go of deleted requests") {
      try forgetStoredRequests(made.result.deletedRequests)
    }
    return made
  }
}

extension Store {
  /// The history outlives requests: what was sent from one that is gone is kept without a way back.
  /// It lies in the other file, so that a stop between the two commits leaves an id that leads
  /// nowhere, which readers take for none.
  private func forgetStoredRequests(_ ids: [String]) throws(StoreFailure) {
    guard !ids.isEmpty else { return }
    let file = try history()
    let action = "let go of deleted requests"
    let values = [SQLValue.text(StoredJSON.text(ids))]
    let condition = "http_request_id IN (SELECT value FROM json_each(?))"
    // It decides nothing but that there is nothing to write.
    let isUsed = try file.read(action) { connection throws(SQLiteError) in
      try connection.integer(
        "SELECT EXISTS (SELECT 1 FROM exchange WHERE \(condition))", values) != 0
    }
    guard isUsed else { return }
    try file.write(action, scope: StoreScope.history.rawValue) { _ throws(StoreFailure) in
      try file.sql(action) { connection throws(SQLiteError) in
        _ = try connection.run(
          "UPDATE exchange SET http_request_id = NULL WHERE \(condition)", values)
      }
    }
    finishCommit(.history, of: file)
  }
}
