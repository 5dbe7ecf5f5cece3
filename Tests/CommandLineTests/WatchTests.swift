// What one process records another one hears of.

import PostKitStore
import PostKitTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct WatchTests {
  @Test func `a request sent by another process appears in a watched query`() async throws {
    let bench = try Bench(["a.http": "GET $URL/first\n\n### second\nGET $URL/second\n"])
    let store = try await Store.open(StoreLocation(directory: bench.store))
    let all = FetchDescriptor<Model.HistoryEntry>(sortBy: { [$0.startedAt.ascending] })
    var updates = store.observe(all).makeAsyncIterator()
    #expect(try await updates.next() == [])
    #expect(try await bench.postkit("run", "a.http", "--line", "1").status == 0)
    #expect(try await updates.next()?.map(\.method) == ["GET"])
    #expect(try await bench.postkit("run", "a.http", "--name", "second").status == 0)
    let urls = try #require(try await updates.next()).map(\.url)
    #expect(urls.map { $0.split(separator: "/").last } == ["first", "second"])
    await store.close()
  }
}
