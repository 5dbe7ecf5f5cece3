// What one request returned over time.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct TimelineTests {
  private func body(_ text: String) -> BodyContent { .bytes(Array(text.utf8)) }

  private func timeline(_ store: Store, of exchange: Exchange, limit: Int = 50) async throws
    -> [String]
  {
    try await store.timeline(of: RequestIdentity(exchange), limit: limit).map { entry in
      let change = entry.bodyHasChanged.map { $0 ? "changed" : "same" } ?? "-"
      return "\(entry.summary.status.map(String.init) ?? "none") \(change)"
    }
  }

  @Test func `each response tells whether its body is another than the one before`() async throws {
    let store = try await Store.inMemory()
    let exchanges = [
      Sample.exchange(0, body: body("a")), Sample.exchange(1, body: body("a")),
      // Without an answer there is nothing to compare, and the next one looks further back.
      Sample.exchange(2, status: nil), Sample.exchange(3, status: 500, body: body("b")),
      Sample.exchange(4, name: "other", body: body("c")), Sample.exchange(5, body: body("b")),
    ]
    for exchange in exchanges { try await store.record(exchange) }
    #expect(
      try await timeline(store, of: exchanges[0])
        == ["200 same", "500 changed", "none -", "200 same", "200 -"])
    #expect(try await timeline(store, of: exchanges[0], limit: 2) == ["200 same", "500 changed"])
    #expect(try await timeline(store, of: exchanges[4]) == ["200 -"])
  }

  @Test func `bodies that are files are compared, too`() async throws {
    let directory = try TemporaryDirectory()
    let store = try await Store.open(directory.store)
    let large = [UInt8](repeating: 7, count: 100_000)
    for (number, bytes) in [large, large, large + [1]].enumerated() {
      try await store.record(Sample.exchange(number, body: .bytes(bytes)))
    }
    #expect(try await timeline(store, of: Sample.exchange()) == ["200 changed", "200 same", "200 -"])
  }

  @Test func `a request is its file and name, without a name its line, in one environment`()
    async throws
  {
    let store = try await Store.inMemory()
    var exchanges = (0..<5).map { Sample.exchange($0, name: $0 < 3 ? "a" : nil) }
    exchanges[0].line = 9
    exchanges[1].environment = "dev"
    exchanges[3].line = 9
    for exchange in exchanges { try await store.record(exchange) }
    #expect(try await timeline(store, of: exchanges[2]).count == 2)
    #expect(try await timeline(store, of: exchanges[1]).count == 1)
    #expect(try await timeline(store, of: exchanges[3]).count == 1)
    #expect(try await store.exchange(before: exchanges[2])?.id == exchanges[0].id)
    #expect(try await store.exchange(before: exchanges[0]) == nil)
    #expect(
      try await store.latestExchange(of: RequestIdentity(exchanges[0]))?.id == exchanges[2].id)
  }

  @Test func `the exchange before is the newest that was answered`() async throws {
    let store = try await Store.inMemory()
    for exchange in [Sample.exchange(0), Sample.exchange(1, status: nil), Sample.exchange(2)] {
      try await store.record(exchange)
    }
    #expect(try await store.exchange(before: Sample.exchange(2))?.id == Sample.exchange(0).id)
  }

  @Test(arguments: ["login", nil])
  func `a timeline reads one index in order and sorts nothing`(name: String?) throws {
    var notices: [StoreNotice] = []
    let file = try DatabaseFile(
      path: ":memory:", schema: .history, lock: nil, tracesStatements: false, notices: &notices)
    let place = Store.place(RequestIdentity(Sample.exchange(name: name)))
    let sql =
      "EXPLAIN QUERY PLAN SELECT id FROM exchange WHERE \(place.condition) "
      + "ORDER BY started_at DESC, id DESC LIMIT 1"
    let steps = try file.connection.rows(sql) { $0.text(3) }
    #expect(steps.count == 1 && steps[0].hasPrefix("SEARCH exchange USING"), "\(steps)")
  }
}
