// The lines of lists of exchanges.

import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitTestSupport
import Testing

@testable import PostKitServer

/// Noon of a day in the local zone, some days after 2026-11-23, in milliseconds since 1970.
private func noon(_ days: Int) -> Int64 {
  Moment.parse("2026-11-23T12:00:00", now: 0).map { $0 + Int64(days) * 86_400_000 } ?? 0
}

/// An exchange whose id ends with a number.
private func exchange(
  _ number: Int, _ url: String, name: String? = nil, day: Int = 0, milliseconds: Int64 = 3,
  status: Int? = 200, size: Int = 136
) -> Exchange {
  var exchange = Exchange(
    id: "019a8f2e-7c11-7b3e-9d55-00000000000\(number)", startedAt: noon(day), file: "/a.http",
    line: 1, template: "GET x",
    request: SentRequest(method: "GET", url: url, headers: []),
    state: status == nil ? .failed : .done)
  exchange.requestName = name
  exchange.timings.total = milliseconds * 1_000
  if let status {
    exchange.response = Response(
      httpVersion: "HTTP/1.1", status: status, reason: "OK", headers: [],
      body: .bytes([]), wireSize: size, decodedSize: size)
  } else {
    exchange.failure = Failure(.timeout, "No response.")
  }
  return exchange
}

/// The list of exchanges on the fourth day without the ids.
private func list(_ exchanges: [Exchange], limit: Int = 200) async throws -> String {
  let store = try await Store.inMemory(hasFullText: false)
  for exchange in exchanges { try await store.record(exchange) }
  let query = HistoryQuery(limit: limit)
  let found = try await store.searchHistory(query)
  let text = HistoryList.text(found.entries, query, notice: nil, now: noon(3))
  return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    let id = line.firstRange(of: "  019a8f2e-")
    return String(id.map { line[..<$0.lowerBound] } ?? line)
  }.joined(separator: "\n")
}

@Suite struct HistoryRowsTests {
  @Test func `lines tell the name, the environment and the place of a request, and the day once`()
    async throws
  {
    var second = exchange(2, "http://a.test:81/items?page=1", name: "list", day: 3)
    second.environment = "dev"
    expect(
      try await list([
        exchange(0, "http://a.test:81", day: 1, milliseconds: 4_015, status: 404, size: 4_100),
        exchange(1, "http://a.test:81/x", day: 2, milliseconds: 30_000, status: nil), second,
        exchange(3, "http://a.test:81/items/7", name: "items", day: 3),
      ]),
      is: """
        # Latest 4 requests to http://a.test:81.
        # The code actions of a line open it, send it again and compare it.
        #
        # 12:00  items  200        3 ms   136 B  GET /items/7
        # 12:00  list   200        3 ms   136 B  GET /items?page=1  dev
        #
        # Yesterday, 25 November 2026
        # 12:00         timeout  30.0 s          GET /x
        #
        # Tuesday, 24 November 2026
        # 12:00         404       4.0 s  4.1 kB  GET /

        """)
  }

  @Test func `several hosts are told with each request`() async throws {
    expect(
      try await list(
        [exchange(0, "http://a.test/x", day: 3), exchange(1, "https://a.test/y", day: 3)],
        limit: 2),
      is: """
        # Latest 2 requests. `postkit history --limit 1000` shows more.
        # The code actions of a line open it, send it again and compare it.
        #
        # 12:00  200  3 ms  136 B  GET https://a.test/y
        # 12:00  200  3 ms  136 B  GET http://a.test/x

        """)
  }

  @Test func `a timeline says which request it is of and what changed`() async throws {
    let store = try await Store.inMemory(hasFullText: false)
    let exchanges = [0, 1].map { exchange($0, "http://a.test/x", name: "list", day: 3) }
    for exchange in exchanges { try await store.record(exchange) }
    let entries = try await store.timeline(of: RequestIdentity(exchanges[0]), limit: 5)
    let text = HistoryList.timeline(entries, of: exchanges[0], now: noon(3))
    #expect(text.hasPrefix("# Earlier responses of `list` from http://a.test, newest first.\n"))
    #expect(text.contains("  200  3 ms  136 B  same body  GET /x  019a8f2e-"))
  }
}
