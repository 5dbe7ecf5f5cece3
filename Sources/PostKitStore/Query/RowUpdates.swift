// Watching a query: its rows again after each commit, whichever process made it.

/// The rows that a descriptor asks for, at once and again after each commit to what they are part
/// of. It ends when the store is closed or the task that iterates is cancelled, and fails when the
/// store can't be read.
package struct RowUpdates<Row: StoredRow>: AsyncSequence, Sendable {
  package typealias Element = [Row]
  package typealias Failure = StoreFailure

  let store: Store
  let descriptor: FetchDescriptor<Row>

  package func makeAsyncIterator() -> Iterator {
    // It listens before it reads, so that no commit between the two is missed.
    Iterator(
      changes: store.changes().makeAsyncIterator(), store: store, descriptor: descriptor)
  }

  /// Reads again when something has changed.
  package struct Iterator: AsyncIteratorProtocol {
    var changes: AsyncStream<StoreChange>.Iterator
    let store: Store
    let descriptor: FetchDescriptor<Row>
    /// The revision before the last reading; `nil` before the first.
    var revision: Int64?

    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(StoreFailure) -> [Row]? {
      while let revision {
        guard let change = await changes.next(isolation: actor) else { return nil }
        // What was known when the rows were read is among them.
        if change.scopes.contains(Row.table.scope) && change.revision != revision { break }
      }
      let (rows, known) = try await store.observed(descriptor)
      revision = known
      return rows
    }
  }
}

extension Store {
  /// The rows that a descriptor asks for, and again after each commit that may have changed them:
  /// of this process at once, of others after at most 100 ms, of many at most four times a second.
  /// Nothing is watched but while somebody iterates.
  package nonisolated func observe<Row>(_ descriptor: FetchDescriptor<Row>) -> RowUpdates<Row> {
    RowUpdates(store: self, descriptor: descriptor)
  }

  /// Rows, and the revision that was known before they were read.
  func observed<Row>(
    _ descriptor: FetchDescriptor<Row>
  ) throws(StoreFailure) -> (rows: [Row], revision: Int64) {
    commitQueue()
    let revision = knownRevision
    return (try fetch(descriptor), revision)
  }
}
