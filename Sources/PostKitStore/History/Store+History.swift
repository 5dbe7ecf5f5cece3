// Recording exchanges and finding them again.

import Libc
package import PostKitHTTP
import PostKitSupport

extension Store {
  /// Records an exchange; it is committed when this returns. Secrets were masked before
  /// (CONTRACTS.md, section 5). An id that exists already is an error. Of its bodies
  /// `bodyByteLimit` bytes are kept.
  package func record(
    _ exchange: Exchange, bodyByteLimit: Int? = nil
  ) throws(StoreFailure) {
    commitQueue()
    try insert([exchange], bodyByteLimit)
  }

  /// Records exchanges in one transaction, all of them or none.
  package func record(_ exchanges: [Exchange]) throws(StoreFailure) {
    commitQueue()
    try insert(exchanges)
  }

  /// Hands an exchange to the store's thread, which commits groups of them; never waits. Answers
  /// whether the store is far behind, so that the caller should wait for `catchUp()`.
  @discardableResult
  package nonisolated func enqueue(_ exchange: Exchange) -> Bool {
    see(to: queue.add(exchange))
    return queue.isCrowded
  }

  /// Commits what was enqueued; failures are kept for `flush`.
  package func catchUp() { commitQueue() }

  private nonisolated func see(to need: RecordQueue.Need) {
    switch need {
    case .nothing: break
    case .commit: executor.schedule { self.assumeIsolated { $0.commitGroup() } }
    case .timer:
      let isStarted = SystemThread.start {
        usleep(RecordQueue.lingerMicroseconds)
        self.see(to: self.queue.timerHasFired())
      }
      if !isStarted { see(to: queue.timerHasFired()) }
    }
  }

  /// Commits all that was enqueued; throws the first failure since the last call.
  package func flush() throws(StoreFailure) {
    commitQueue()
    if let failure = queue.takeFailure() { throw failure }
  }

  /// The exchanges that a query asks for, in its order.
  package func history(_ query: HistoryQuery) throws(StoreFailure) -> [ExchangeSummary] {
    commitQueue()
    let file = try history()
    var query = try withPurposes(query, in: file)
    if let found = try groupedHistory(query, in: file) { return found }
    if let path = query.path {
      query.pathIsCommon = try file.read("search the history") { connection throws(SQLiteError) in
        try connection.integer(
          HistoryQuery.commonPathSQL, [.text(path), .int(HistoryQuery.commonPathCount)])
      } == HistoryQuery.commonPathCount
    }
    guard let text = query.text, SearchText(text).expression != nil else {
      return try summaries(query.rendered(), of: file)
    }
    return try search(query, in: file)
  }

  /// The exchanges that a query asks for, in its order, with a sentence for a person where some may
  /// not have been found.
  package func searchHistory(
    _ query: HistoryQuery
  ) throws(StoreFailure) -> (entries: [ExchangeSummary], notice: String?) {
    let earlier = notices.filter { $0.kind == .searchIsPartial }
    notices.removeAll { $0.kind == .searchIsPartial }
    let entries = try history(query)
    let notice = notices.first { $0.kind == .searchIsPartial }
    // What nobody was told yet is still to be told.
    if notice == nil { notices += earlier }
    return (entries, notice?.message)
  }

  /// The rows of a rendered query.
  func summaries(
    _ query: SQLQuery, of file: DatabaseFile
  ) throws(StoreFailure) -> [ExchangeSummary] {
    try file.read("search the history") { connection throws(SQLiteError) in
      try connection.rows(query.sql, query.values) { ExchangeSummary($0) }
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
    if found.count > 1 { throw .ambiguousID(path: try history().path, prefix: id) }
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
    AND sequence NOT IN (SELECT sequence FROM exchange_purpose) \
    ORDER BY started_at DESC, id DESC LIMIT 1
    """

  /// The names of a file's requests that the history has exchanges of.
  package func requestNames(file: String) throws(StoreFailure) -> Set<String> {
    commitQueue()
    let names = try history().read("look up the requests") { connection throws(SQLiteError) in
      try connection.rows(Store.requestNamesSQL, [.text(file)]) { $0.text(0) }
    }
    return Set(names)
  }

  /// From name to name through the index: however often a request was sent, it is one step.
  static let requestNamesSQL = """
    WITH RECURSIVE sent (name) AS (
      SELECT min(request_name) FROM exchange INDEXED BY exchange_by_request WHERE file = ?1
      UNION ALL
      SELECT (
        SELECT min(request_name) FROM exchange INDEXED BY exchange_by_request
        WHERE file = ?1 AND request_name > sent.name)
      FROM sent WHERE sent.name IS NOT NULL)
    SELECT name FROM sent WHERE name IS NOT NULL
    """

  /// The newest exchange of each request of a file, told apart by name and line; newest first, and
  /// with what became of their checks.
  package func latestSummaries(file: String) throws(StoreFailure) -> [ExchangeSummary] {
    commitQueue()
    return try history().read("look up the latest results") { connection throws(SQLiteError) in
      try connection.rows(Store.latestSummariesSQL, [.text(file)]) { row in
        var summary = ExchangeSummary(row)
        summary.tests = StoredJSON.tests(row.text(ExchangeSummary.columnCount))
        summary.failureMessage = row.optionalText(ExchangeSummary.columnCount + 1) ?? ""
        return summary
      }
    }
  }

  /// The index gives each request its newest entry; the rows between are skipped.
  static let latestSummariesSQL = """
    SELECT \(ExchangeSummary.selection), tests, substr(failure_message, 1, 500)
    FROM exchange WHERE sequence IN (
      SELECT (
        SELECT sequence FROM exchange AS newest INDEXED BY exchange_by_place
        WHERE newest.file = ?1 AND newest.request_name IS request.request_name
          AND newest.line = request.line
          AND NOT EXISTS (
            SELECT 1 FROM exchange_purpose WHERE exchange_purpose.sequence = newest.sequence)
        ORDER BY newest.started_at DESC, newest.id DESC LIMIT 1)
      FROM (
        SELECT DISTINCT request_name, line FROM exchange INDEXED BY exchange_by_place
        WHERE file = ?1) AS request)
    ORDER BY started_at DESC, id DESC
    """

  /// Commits what `enqueue` left; failures are kept for `flush`. Takes in what waits, too, where
  /// that keeps nobody waiting.
  func commitQueue() {
    // What is scheduled after a commit waits for the end of this turn.
    while commitNext() { checkpointIfNeeded() }
    takeInIfFree()
  }

  /// Commits a group, so that others come between it and the next.
  private func commitGroup() {
    _ = commitNext()
    see(to: queue.hasCommitted())
  }

  /// Commits the next group, and answers whether there was one.
  private func commitNext() -> Bool {
    let group = queue.take()
    guard !group.isEmpty else { return false }
    do throws(StoreFailure) {
      // Whoever has waited in vain once does not wait as long for each group behind it.
      let patience = hasWaitedInVain ? Store.patienceAfterWaiting : Patience.usual
      try waitingHere(atMost: patience) { () throws(StoreFailure) in try insert(group) }
      hasWaitedInVain = false
    } catch {
      if case .busy = error {
        hasWaitedInVain = true
        keepWaiting(group, error)
        return true
      }
      guard error.isOfOneExchange, group.count > 1 else {
        queue.fail(error, of: group)
        return true
      }
      // One of them can't be kept; the others can.
      for exchange in group {
        do throws(StoreFailure) { try insert([exchange]) } catch {
          queue.fail(error, of: [exchange])
        }
      }
    }
    return true
  }

  /// Keeps in files what another process leaves no time to commit.
  private func keepWaiting(_ group: [Exchange], _ failure: StoreFailure) {
    guard let location else { return queue.fail(failure, of: group) }
    for exchange in group {
      do throws(StoreFailure) {
        try location.keepWaiting(exchange, bodyByteLimit: bodyByteLimit)
      } catch {
        queue.fail(error, of: [exchange])
      }
    }
    if let notice = failure.waitingNotice { note(notice.kind, notice.message) }
  }

  /// Milliseconds that a group waits for a process for which one before it has waited in vain.
  private static let patienceAfterWaiting = 20

  /// The exchanges that a condition selects, with their bodies.
  func exchanges(
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

  private func insert(
    _ exchanges: [Exchange], _ bodyByteLimit: Int? = nil
  ) throws(StoreFailure) {
    let file = try history()
    do throws(StoreFailure) { try takeIn() } catch {
      if case .busy = error { throw error }
      Log.warning("What waits can't be taken into the history: \(error.message)")
    }
    let limit = bodyByteLimit ?? self.bodyByteLimit
    let told = notices
    let staged = exchanges.map { exchange in
      Staged(
        exchange: exchange, request: stage(exchange.request.body, limit),
        response: stage(exchange.response?.body ?? .empty, limit))
    }
    var numbers: [Int64] = []
    do throws(StoreFailure) {
      numbers = try file.write("record an exchange", scope: StoreScope.history.rawValue) {
        connection throws(StoreFailure) in
        var numbers: [Int64] = []
        for item in staged {
          let values = ExchangeRow.values(
            item.exchange, request: name(item.request, of: item.exchange.request.body, limit),
            response: name(item.response, of: item.exchange.response?.body ?? .empty, limit))
          try file.sql("record an exchange") { connection throws(SQLiteError) in
            _ = try connection.run(ExchangeRow.insertion, values)
            numbers.append(connection.lastRowNumber)
            if item.exchange.purpose != .request {
              try connection.run(
                ExchangeRow.purposeInsertion, [.int(connection.lastRowNumber)])
            }
          }
        }
        return numbers
      }
    } catch {
      for item in staged {
        bodies.discard(item.request)
        bodies.discard(item.response)
      }
      // Without a row there is nothing to say of its body.
      notices.removeAll { $0.kind == .bodyNotKept && !told.contains($0) }
      throw error
    }
    if let first = numbers.first, let last = numbers.last { noteRecorded(first: first, last: last) }
    recordings += 1
    finishCommit(.history, of: file)
  }

  private func name(_ body: KeptBody, of content: BodyContent, _ limit: Int) -> KeptBody {
    do {
      try bodies.commit(body, of: content, limit: limit)
      return body
    } catch {
      bodies.discard(body)
      return withoutBody(error)
    }
  }

  /// One that can't be kept doesn't cost the history its row: the row says that the body was cut
  /// off, and a notice says why the first of them could not be kept.
  private func withoutBody(_ failure: StoreFailure) -> KeptBody {
    note(.bodyNotKept, failure.message)
    return KeptBody(bytes: [], isTruncated: true)
  }

  /// Prepares a body.
  private func stage(_ body: BodyContent, _ limit: Int) -> KeptBody {
    do {
      return try bodies.stage(body, limit: limit)
    } catch {
      return withoutBody(error)
    }
  }
}
