// Changing the collections: one list of edits, one transaction.

import PostKitSupport

extension Store {
  /// Carries out edits of the collections in order, all of them or none. With `ifRevision` nothing
  /// is done when the collections have changed since they had that revision. Without `renaming` no
  /// request can be renamed.
  @discardableResult
  package func edit(
    _ edits: [CollectionEdit], ifRevision: Int64? = nil, renaming: RequestRenaming? = nil
  ) throws(StoreFailure) -> CollectionEditResult {
    try change(edits, ifRevision: ifRevision, mode: .edit, renaming)
  }

  /// Brings collections in: what is made under an id that is there already is brought up to date
  /// instead, where it lies then.
  @discardableResult
  package func importEdits(
    _ edits: [CollectionEdit]
  ) throws(StoreFailure) -> CollectionEditResult {
    try change(edits, ifRevision: nil, mode: .importing)
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

  private func change(
    _ edits: [CollectionEdit], ifRevision: Int64?, mode: CollectionWriter.Mode,
    _ renaming: RequestRenaming? = nil
  ) throws(StoreFailure) -> CollectionEditResult {
    commitQueue()
    let file = try openCollections()
    let scope = StoreScope.collections.rawValue
    let result = try file.write(CollectionWriter.action, scope: scope) {
      _ throws(StoreFailure) in
      let revision = try file.revision(of: scope)
      if let ifRevision, ifRevision != revision { throw .collection(.stale) }
      var writer = CollectionWriter(file: file, mode: mode, renaming: renaming)
      for edit in edits { try writer.apply(edit) }
      var result = writer.result
      // The transaction raises it when it ends.
      result.revision = revision + 1
      return result
    }
    finishCommit(.collections, of: file)
    // The edit is made by now, whatever happens to the other file.
    _ = orLog("let go of deleted requests") { try forgetStoredRequests(result.deletedRequests) }
    return result
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
