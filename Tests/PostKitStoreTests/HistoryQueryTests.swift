// Queries: the SQL they become, the index they use, and the pages they give.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct HistoryQueryTests {
  @Test func `every condition is rendered with its value bound`() {
    var query = HistoryQuery(text: "50%_a\\b", limit: 20)
    #expect(
      HistoryQuery().rendered().sql
        == "SELECT \(ExchangeSummary.selection) FROM exchange "
        + "ORDER BY started_at DESC, id DESC LIMIT ?")
    query.file = "/a.http"
    query.requestName = "login"
    query.environment = "dev"
    query.method = "GET"
    query.host = "API.example.com"
    query.status = 404
    query.state = .done
    query.runID = "r"
    query.since = 5
    query.until = 9
    query.after = HistoryQuery.Cursor(startedAt: 7, id: "x", sequence: 3)
    let rendered = query.rendered()
    expect(
      rendered.sql.replacing(ExchangeSummary.selection, with: "*"),
      is: #"""
      SELECT * FROM exchange WHERE +file = ? AND request_name = ? AND environment = ? AND method = ? AND +host = ? AND status = ? AND +status_class = ? AND state = ? AND run_id = ? AND started_at >= ? AND started_at < ? AND (url LIKE ? ESCAPE '\' OR request_name LIKE ? ESCAPE '\' OR request_headers LIKE ? ESCAPE '\' OR response_headers LIKE ? ESCAPE '\' OR label LIKE ? ESCAPE '\' OR note LIKE ? ESCAPE '\' OR CAST(request_body AS TEXT) LIKE ? ESCAPE '\' OR CAST(response_body AS TEXT) LIKE ? ESCAPE '\') AND (started_at, id) < (?, ?) ORDER BY started_at DESC, id DESC LIMIT ?
      """#)
    let pattern = SQLValue.text("%50\\%\\_a\\\\b%")
    #expect(
      rendered.values
        == [
          .text("/a.http"), .text("login"), .text("dev"), .text("GET"), .text("api.example.com"),
          .int(404), .int(4), .text("done"), .text("r"), .int(5), .int(9),
        ] + Array(repeating: pattern, count: 8) + [.int(7), .text("x"), .int(20)])
  }

  @Test(arguments: [
    ("all", HistoryQuery(), "SCAN exchange USING INDEX exchange_by_time"),
    ("host", with { $0.host = "a" }, "SEARCH exchange USING INDEX exchange_by_host (host=?)"),
    (
      "status", with { $0.status = 404 },
      "SEARCH exchange USING INDEX exchange_by_status (status_class=?)"
    ),
    (
      "since", with { $0.since = 1 },
      "SEARCH exchange USING INDEX exchange_by_time (started_at>?)"
    ),
    (
      "next page", with { $0.after = HistoryQuery.Cursor(startedAt: 1, id: "a", sequence: 1) },
      "SEARCH exchange USING INDEX exchange_by_time ((started_at,id)<(?,?))"
    ),
    (
      "next page of a host",
      with {
        $0.host = "a"
        $0.after = HistoryQuery.Cursor(startedAt: 1, id: "a", sequence: 1)
      }, "SEARCH exchange USING INDEX exchange_by_host (host=? AND (started_at,id)<(?,?))"
    ),
  ])
  func `a hot query reads one index in order and sorts nothing`(
    name: String, query: HistoryQuery, plan: String
  ) throws {
    #expect(try plans(query.rendered().sql) == [plan])
  }

  @Test func `looking up one exchange never scans`() throws {
    let base = ExchangeRow.selection + " WHERE "
    #expect(
      try plans(base + Store.latestExchangeCondition) == [
        "SEARCH exchange USING INDEX exchange_by_request "
          + "(file=? AND request_name=? AND environment=?)",
        "USING ROWID SEARCH ON TABLE exchange_purpose FOR IN-OPERATOR",
      ])
    #expect(
      try plans(base + "id >= ? AND id < ? ORDER BY id LIMIT 2") == [
        "SEARCH exchange USING INDEX sqlite_autoindex_exchange_1 (id>? AND id<?)"
      ])
    for step in try plans(Store.latestSummariesSQL) where step.hasPrefix("SCAN") {
      // The list of requests itself is scanned, never the table.
      #expect(step == "SCAN request" || step.contains("subquery"), "\(step)")
    }
    for step in try plans(Store.requestNamesSQL) where step.contains("exchange") {
      #expect(step.hasPrefix("SEARCH exchange USING COVERING INDEX"), "\(step)")
    }
    for step in try plans(Store.bodyUseSQL) where step.contains("exchange") {
      #expect(step.hasPrefix("SEARCH exchange USING COVERING INDEX"), "\(step)")
    }
  }

  @Test func `a list reads no body`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let body = BodyContent.bytes(Array(repeating: 0x61, count: 60_000))
    for number in 0..<10 { store.enqueue(Sample.exchange(number, body: body)) }
    try await store.emptyLog()
    await store.close()
    // Everything that a row has beyond its first page is gone.
    let path = place.store.historyPath
    let connection = try Connection(path: path)
    let pages = try connection.rows(
      "SELECT pageno FROM dbstat WHERE name = 'exchange' AND pagetype = 'overflow'"
    ) { $0.int(0) }
    connection.close()
    #expect(pages.count > 100)
    var bytes = try FileSystem.read(path: path, limit: 1 << 30)
    for page in pages {
      let start = (page - 1) * 4_096
      bytes.replaceSubrange(start..<start + 4_096, with: repeatElement(0xA5, count: 4_096))
    }
    try FileSystem.writeAtomically(bytes, to: path, mode: 0o600)
    let damaged = try await Store.open(place.store)
    #expect(try await damaged.history(HistoryQuery()).count == 10)
    #expect(try await damaged.history(HistoryQuery()).allSatisfy { $0.size == 60_000 })
    await #expect(throws: StoreFailure.self) {
      try await damaged.exchange(id: Sample.exchange(3).id)
    }
    await damaged.close()
  }

  @Test func `pages stay what they are while entries arrive`() async throws {
    let store = try await Store.inMemory()
    for number in 0..<25 { try await store.record(Sample.exchange(number)) }
    var query = HistoryQuery(limit: 10)
    var seen: [String] = []
    for arrival in 100..<110 {
      let page = try await store.history(query)
      seen += page.map(\.id)
      guard let last = page.last else { break }
      query.after = HistoryQuery.Cursor(last)
      try await store.record(Sample.exchange(arrival))
    }
    #expect(seen == (0..<25).reversed().map { Sample.exchange($0).id })
  }

  @Test func `a list goes by the time of sending, whatever the clock did`() async throws {
    let store = try await Store.inMemory()
    // The clock steps back twice, so that what is sent last is not the newest.
    for number in [5, 6, 7, 2, 3, 4, 0, 1] { try await store.record(Sample.exchange(number)) }
    var query = HistoryQuery(limit: 3)
    var seen: [String] = []
    while let last = try await store.history(query).last {
      seen += try await store.history(query).map(\.id)
      query.after = HistoryQuery.Cursor(last)
      // What is sent once the clock is right again is on none of the later pages.
      try await store.record(Sample.exchange(100 + seen.count))
    }
    #expect(seen == (0...7).reversed().map { Sample.exchange($0).id })
  }

  @Test func `entries of the same millisecond are neither lost nor shown twice`() async throws {
    let store = try await Store.inMemory()
    for number in 0..<9 {
      var exchange = Sample.exchange(number)
      exchange.startedAt = Sample.start
      try await store.record(exchange)
    }
    var query = HistoryQuery(limit: 2)
    var seen: [String] = []
    while let last = try await store.history(query).last {
      seen += try await store.history(query).map(\.id)
      query.after = HistoryQuery.Cursor(last)
    }
    #expect(seen == (0..<9).reversed().map { Sample.exchange($0).id })
  }

  @Test(arguments: [
    ("USERS", true), ("login", true), ("application/json", true), ("Grüße", true), ("50%", true),
    ("5_%", false), ("absent", false), ("\"x\"", true),
  ])
  func `without FTS5 a text is found in the URL, the name, headers and bodies`(
    text: String, isFound: Bool
  ) async throws {
    let store = try await Store.inMemory(hasFullText: false)
    try await store.record(Sample.exchange(body: .bytes(Array("Grüße 50% \"x\"".utf8))))
    #expect(try await store.history(HistoryQuery(text: text)).isEmpty == !isFound)
  }

  @Test func `a search text of a megabyte is no error`() async throws {
    let store = try await Store.inMemory()
    try await store.record(Sample.exchange())
    let text = String(repeating: "%", count: 1 << 20)
    #expect(try await store.history(HistoryQuery(text: text)).isEmpty)
  }

  @Test(arguments: [
    ("https://API.Example.com/a", "api.example.com"),
    ("http://example.com:8080?x=http://other.org/", "example.com"),
    ("http://user:pass@example.com:1/", "example.com"), ("http://[::1]:8080/a", "[::1]"),
    ("http://example.com#frag", "example.com"), ("http://example.com", "example.com"),
  ])
  func `the host of a URL is what it is filtered by`(url: String, host: String) async throws {
    let store = try await Store.inMemory()
    try await store.record(Sample.exchange(url: url))
    var query = HistoryQuery()
    query.host = host
    #expect(try await store.history(query).count == 1)
    query.host = "other.org"
    #expect(try await store.history(query).isEmpty)
  }

  @Test func `conditions select what they say`() async throws {
    let store = try await Store.inMemory()
    let exchanges = [
      Sample.exchange(0), Sample.exchange(1, status: 404), Sample.exchange(2, status: 500),
      Sample.exchange(3, status: nil), Sample.exchange(4, file: "/project/b.http"),
    ]
    for exchange in exchanges { try await store.record(exchange) }
    func found(_ change: (inout HistoryQuery) -> Void) async throws -> [Int] {
      var query = HistoryQuery()
      change(&query)
      let ids = try await store.history(query).map(\.id)
      return ids.compactMap { id in exchanges.firstIndex { $0.id == id } }
    }
    #expect(try await found { $0.status = 404 } == [1])
    #expect(try await found { $0.statusClass = 5 } == [2])
    #expect(try await found { $0.state = .failed } == [3])
    #expect(try await found { $0.file = "/project/b.http" } == [4])
    #expect(try await found { $0.since = Sample.start + 3_000 } == [4, 3])
    #expect(try await found { $0.until = Sample.start + 1_000 } == [0])
    #expect(try await found { $0.limit = 0 } == [])
  }

  private func plans(_ sql: String) throws -> [String] {
    var notices: [StoreNotice] = []
    let file = try DatabaseFile(
      path: ":memory:", schema: .history, lock: nil, tracesStatements: false, notices: &notices)
    return try file.connection.rows("EXPLAIN QUERY PLAN " + sql) { $0.text(3) }
  }
}

private func with(_ change: (inout HistoryQuery) -> Void) -> HistoryQuery {
  var query = HistoryQuery()
  change(&query)
  return query
}
