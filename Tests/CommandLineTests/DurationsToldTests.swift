// Durations in what the commands list: milliseconds, from one second on seconds.

import PostKitHTTP
import PostKitStore
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct DurationsToldTests {
  @Test func `durations are told in seconds wherever they are listed`() async throws {
    let bench = try Bench(["a.http": "GET $URL/a\n"])
    #expect(try await bench.postkit("run", "a.http").status == 0)
    let id = try #require(try await bench.history().first?["id"]?.string)
    let store = try await Store.open(StoreLocation(directory: bench.store))
    var exchange = try #require(try await store.exchange(id: id))
    #expect(try await store.forget(.all) == 1)
    for (number, microseconds) in [340_000, 10_011_000, 125_000_000].enumerated() {
      exchange.id = Identifier.next()
      exchange.requestName = "r\(number)"
      exchange.timings.total = Int64(microseconds)
      try await store.record(exchange)
    }
    await store.close()
    let list = try await bench.postkit("history").output
    let figures = try await bench.postkit("history", "stats", "--by", "request").output
    for text in ["340 ms", "10.0 s", "2 min 5 s"] {
      #expect(list.contains(text), "\(list)")
      #expect(figures.contains(text), "\(figures)")
    }
    #expect(!list.contains("10011") && !figures.contains("10011"))
    // Programs get milliseconds.
    #expect(try await bench.history().map { $0["ms"]?.int } == [125_000, 10_011, 340])
  }
}
