// Recording exchanges and finding them again.

package import PostKitHTTP
import PostKitSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Store {
  /// Records an exchange; it is committed when this returns. Secrets were masked before
  /// (contracts.md, section 5). An id that exists already is an error.
  package func record(_ exchange: Exchange) throws(StoreFailure) {
    commitQueue()
    try insert([exchange])
  }

  /// Hands an exchange to the store's thread, which commits groups of them; never waits.
  package nonisolated func enqueue(_ exchange: Exchange) {
    switch queue.add(exchange) {
    case .nothing: break
    case .commit: scheduleCommit()
    case .timer:
      let isStarted = SystemThread.start {
        usleep(RecordQueue.lingerMicroseconds)
        self.queue.timerHasFired()
        self.scheduleCommit()
      }
      if !isStarted {
        queue.timerHasFired()
        scheduleCommit()
      }
    }
  }

  /// Commits all that was enqueued; throws the first failure since the last call.
  package func flush() throws(StoreFailure) {
    commitQueue()
    if let failure = queue.takeFailure() { throw failure }
  }

  /// The exchanges that a query asks for, newest first.
  package func history(_ query: HistoryQuery) throws(StoreFailure) -> [ExchangeSummary] {
    commitQueue()
    let rendered = query.rendered()
    return try history().read("search the history") { connection throws(SQLiteError) in
      try connection.rows(rendered.sql, rendered.values) { ExchangeSummary($0) }
    }
  }

  /// The exchange with an id, or the only one whose id begins with at least 8 letters.
  package func exchange(id: String) throws(StoreFailure) -> Exchange? {
    commitQueue()
    let id = id.lowercased()
    guard id.utf8.count >= 8 else { return nil }
    // "~" sorts after every letter of an id.
    let found = try exchanges(
      where: "id >= ? AND id < ? ORDER BY id LIMIT 2", [.text(id), .text(id + "~")])
    if found.count > 1 { throw .ambiguousID(id) }
    return found.first
  }

  /// The newest answered exchange of a request, for references to its response (PK-58). Both
  /// `environment` and the exchange's may be absent, and then match.
  package func latestExchange(
    file: String, requestName: String, environment: String?
  ) throws(StoreFailure) -> Exchange? {
    commitQueue()
    return try exchanges(
      where: Store.latestExchangeCondition,
      [.text(file), .text(requestName), .optional(environment)]
    ).first
  }

  static let latestExchangeCondition = """
    file = ? AND request_name = ? AND environment IS ? AND status IS NOT NULL \
    ORDER BY started_at DESC, id DESC LIMIT 1
    """

  /// The newest exchange of each request of a file, told apart by name and line; newest first.
  package func latestSummaries(file: String) throws(StoreFailure) -> [ExchangeSummary] {
    commitQueue()
    return try history().read("look up the latest results") { connection throws(SQLiteError) in
      try connection.rows(Store.latestSummariesSQL, [.text(file)]) { ExchangeSummary($0) }
    }
  }

  /// The index gives each request its newest entry; the rows between are skipped.
  static let latestSummariesSQL = """
    SELECT \(ExchangeSummary.columns) FROM exchange WHERE sequence IN (
      SELECT (
        SELECT sequence FROM exchange AS newest INDEXED BY exchange_by_place
        WHERE newest.file = ?1 AND newest.request_name IS request.request_name
          AND newest.line = request.line
        ORDER BY newest.started_at DESC, newest.id DESC LIMIT 1)
      FROM (
        SELECT DISTINCT request_name, line FROM exchange INDEXED BY exchange_by_place
        WHERE file = ?1) AS request)
    ORDER BY started_at DESC, id DESC
    """

  /// Commits what `enqueue` left; failures are kept for `flush`.
  func commitQueue() {
    let group = queue.take()
    guard !group.isEmpty else { return }
    do {
      try insert(group)
    } catch {
      guard group.count > 1 else { return queue.fail(error) }
      // One of them can't be kept; the others can.
      for exchange in group {
        do {
          try insert([exchange])
        } catch {
          queue.fail(error)
        }
      }
    }
  }

  private nonisolated func scheduleCommit() {
    executor.schedule { self.assumeIsolated { $0.commitQueue() } }
  }

  private func exchanges(
    where condition: String, _ values: [SQLValue]
  ) throws(StoreFailure) -> [Exchange] {
    try history().read("read an exchange") { connection throws(SQLiteError) in
      try connection.rows("\(ExchangeRow.selection) WHERE \(condition)", values) {
        ExchangeRow.exchange($0, bodies: bodies)
      }
    }
  }

  private struct Staged {
    var exchange: Exchange
    var request: KeptBody
    var response: KeptBody
  }

  private func insert(_ exchanges: [Exchange]) throws(StoreFailure) {
    let file = try history()
    let staged = exchanges.map { exchange in
      Staged(
        exchange: exchange, request: stage(exchange.request.body),
        response: stage(exchange.response?.body ?? .empty))
    }
    do throws(StoreFailure) {
      try file.write("record an exchange", scope: StoreScope.history.rawValue) {
        connection throws(StoreFailure) in
        for item in staged {
          try name(item.request, of: item.exchange.request.body)
          try name(item.response, of: item.exchange.response?.body ?? .empty)
          let values = ExchangeRow.values(
            item.exchange, request: item.request, response: item.response)
          try file.sql("record an exchange") { connection throws(SQLiteError) in
            _ = try connection.run(ExchangeRow.insertion, values)
          }
        }
      }
    } catch {
      for item in staged {
        bodies.discard(item.request)
        bodies.discard(item.response)
      }
      throw error
    }
    finishCommit(.history, of: file)
  }

  private func name(_ body: KeptBody, of content: BodyContent) throws(StoreFailure) {
    try bodies.commit(body, of: content, limit: bodyByteLimit)
  }

  /// Prepares a body. One that can't be kept doesn't cost the history its row: the row says that
  /// the body was cut off, and a notice says why.
  private func stage(_ body: BodyContent) -> KeptBody {
    do {
      return try bodies.stage(body, limit: bodyByteLimit)
    } catch {
      notices.append(StoreNotice(kind: .bodyNotKept, message: error.message))
      return KeptBody(bytes: [], isTruncated: true)
    }
  }
}
