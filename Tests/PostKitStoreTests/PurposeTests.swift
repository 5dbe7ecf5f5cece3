// What exchanges were made for and who asked for them, and what scripts printed.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct PurposeTests {
  /// Requests with even numbers; tokens, scripts and a description between them.
  private static let exchanges: [Exchange] = (0..<9).map { number in
    var exchange = Sample.exchange(number, status: number < 6 ? 200 : 404)
    exchange.purpose = [1: .token, 3: .script, 5: .schema, 7: .token][number] ?? .request
    exchange.origin = number < 4 ? .editor : number < 8 ? .run : .demo
    return exchange
  }

  private func numbers(_ query: HistoryQuery, in store: Store) async throws -> [Int] {
    let ids = try await store.history(query).map(\.id)
    return ids.compactMap { id in Self.exchanges.firstIndex { $0.id == id } }
  }

  private func query(_ filters: String) throws -> HistoryQuery {
    try HistoryQuery(HistoryLine(filters), limit: 50) { _ in nil }
  }

  @Test(arguments: [
    ("", [8, 6, 4, 2, 0]), ("purpose:request", [8, 6, 4, 2, 0]),
    ("purpose:all", [8, 7, 6, 5, 4, 3, 2, 1, 0]), ("purpose:token", [7, 1]),
    ("purpose:script", [3]), ("purpose:schema", [5]),
    ("status:404", [8, 6]), ("status:404 purpose:all", [8, 7, 6]),
    ("status:404 purpose:token", [7]), ("status:4xx method:GET", [8, 6]),
    ("host:api.example.com sort:ms", [8, 6, 4, 2, 0]), ("sort:size", [8, 6, 4, 2, 0]),
    ("origin:editor", [2, 0]), ("origin:editor purpose:all", [3, 2, 1, 0]), ("origin:demo", [8]),
    ("users", [8, 6, 4, 2, 0]), ("users purpose:token", [7, 1]), ("users origin:run", [6, 4]),
    ("path:/users", [8, 6, 4, 2, 0]),
  ])
  func `lists, counts and figures have requests unless others are asked for`(
    filters: String, expected: [Int]
  ) async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for exchange in Self.exchanges { try await store.record(exchange) }
    let query = try query(filters)
    for _ in 0..<2 {
      #expect(try await numbers(query, in: store) == expected)
      #expect(try await store.historyCount(query) == expected.count)
      for key in StatisticsKey.allCases {
        let counts = try await store.statistics(by: key, where: query).map(\.count)
        #expect(counts.reduce(0, +) == expected.count, "\(key)")
      }
      #expect(try await store.group(milliseconds: 60_000))
    }
    await store.close()
  }

  @Test func `a page follows the one before, without what is left out`() async throws {
    let store = try await Store.inMemory()
    for exchange in Self.exchanges { try await store.record(exchange) }
    var query = HistoryQuery(limit: 2)
    var found: [Int] = []
    while found.count < 9 {
      let page = try await store.history(query)
      guard let last = page.last else { break }
      found += page.compactMap { entry in Self.exchanges.firstIndex { $0.id == entry.id } }
      query.after = HistoryQuery.Cursor(last)
    }
    #expect(found == [8, 6, 4, 2, 0])
  }

  @Test func `lists say on demand who asked, and what for`() async throws {
    let store = try await Store.inMemory()
    for exchange in Self.exchanges { try await store.record(exchange) }
    let entries = try await store.history(query("purpose:all"))
    let shown = try await store.withOrigins(entries)
    #expect(shown.map(\.origin) == Self.exchanges.reversed().map(\.origin))
    #expect(shown.map(\.purpose) == Self.exchanges.reversed().map(\.purpose))
  }

  @Test func `what was forgotten since a list was read is not in it any more`() async throws {
    let store = try await Store.inMemory()
    for exchange in Self.exchanges { try await store.record(exchange) }
    let entries = try await store.history(query("purpose:all"))
    let gone = try await store.forget(.found(query("purpose:token host:api.example.com")))
    let left = try await store.history(query("purpose:all")).map(\.id)
    #expect(gone > 0 && left.count == entries.count - gone)
    #expect(try await store.withOrigins(entries).map(\.id) == left)
    // A number that is given anew is that of another exchange.
    #expect(try await store.forget(.all) > 0)
    try await store.record(Self.exchanges[1])
    #expect(try await store.withOrigins(entries).map(\.id) == [Self.exchanges[1].id])
  }

  @Test func `what a filter forgets goes whatever it was made for`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for exchange in Self.exchanges { try await store.record(exchange) }
    // The number that somebody agreed to is that of the list.
    let file = place.store.historyPath
    await #expect(throws: StoreFailure.changedMeanwhile(path: file)) {
      try await store.forget(.found(query("status:404")), atMost: 1)
    }
    #expect(try await store.forget(.found(query("status:404")), atMost: 2) == 3)
    #expect(try await numbers(query("purpose:all"), in: store) == [5, 4, 3, 2, 1, 0])
    #expect(try await store.forget(.found(query("purpose:token host:api.example.com"))) == 1)
    #expect(try await numbers(query("purpose:all"), in: store) == [5, 4, 3, 2, 0])
    #expect(try await store.forget(.all) == 5)
    let connection = try Connection(path: file)
    #expect(try connection.integer("SELECT count(*) FROM exchange_purpose") == 0)
    connection.close()
    await store.close()
  }

  @Test func `a token is neither the latest response of a request nor its last result`()
    async throws
  {
    let store = try await Store.inMemory()
    for exchange in Self.exchanges.prefix(8) { try await store.record(exchange) }
    let file = Sample.exchange().file
    let latest = try await store.latestExchange(file: file, requestName: "login", environment: nil)
    #expect(latest?.id == Self.exchanges[6].id)
    #expect(try await store.latestSummaries(file: file).map(\.id) == [Self.exchanges[6].id])
  }

  @Test func `what waits keeps what it was made for`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    var exchange = Self.exchanges[1]
    exchange.output = [OutputLine(level: "warn", text: "slow", line: 2)]
    try place.store.keepWaiting(exchange, bodyByteLimit: 1 << 20)
    #expect(try await store.history(HistoryQuery()).isEmpty)
    #expect(try await numbers(query("purpose:token"), in: store) == [1])
    #expect(try await store.exchange(id: exchange.id) == exchange)
    await store.close()
  }

  @Test func `output is kept up to 64 KiB, and says where it was cut off`() async throws {
    let store = try await Store.inMemory()
    var exchange = Sample.exchange()
    exchange.output = (1...2_000).map { number in
      OutputLine(level: "log", text: String(repeating: "é", count: 100), line: number)
    }
    try await store.record(exchange)
    let kept = try #require(try await store.exchange(id: exchange.id)).output
    #expect(kept.count > 100 && kept.dropLast() == exchange.output.prefix(kept.count - 1))
    #expect(kept.last?.text == "… output cut at 64 KiB")
    let text = try #require(StoredJSON.text(exchange.output))
    #expect((60 << 10)...(64 << 10) ~= text.utf8.count)
  }

  @Test func `an older PostKit goes on beside this one, and its exchanges are requests`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for exchange in Self.exchanges.prefix(4) { try await store.record(exchange) }
    // What it knows are the columns of its format; it gives the others no values.
    let older = try place.openHistory(Schema.history.upTo(FormatVersion(1, 6)))
    let columns = "file, line, method, url, state, total_microseconds, decoded_size, "
      + "workspace_folder, dialect, run_id, is_redacted, remote_address, name_lookup_microseconds, "
      + "connect_microseconds, tls_microseconds, first_byte_microseconds, wire_size, request_size, "
      + "template, request_headers, request_body_size, response_body_size, response_is_truncated"
    try older.write("record", scope: "history") { connection throws(StoreFailure) in
      try older.sql("record") { connection throws(SQLiteError) in
        _ = try connection.run(
          "INSERT INTO exchange (id, started_at, \(columns)) SELECT ?, ?, \(columns) "
            + "FROM exchange WHERE id = ?",
          [.text(Self.exchanges[4].id), .int(Self.exchanges[4].startedAt),
            .text(Self.exchanges[1].id)])
        _ = try connection.run("DELETE FROM exchange WHERE id = ?", [.text(Self.exchanges[3].id)])
      }
    }
    #expect(try older.connection.integer("SELECT count(*) FROM exchange_purpose") == 1)
    older.close()
    #expect(try await numbers(HistoryQuery(), in: store) == [4, 2, 0])
    #expect(try await numbers(query("purpose:all"), in: store) == [4, 2, 1, 0])
    #expect(try await store.exchange(id: Self.exchanges[4].id)?.origin == nil)
    await store.close()
  }
}
