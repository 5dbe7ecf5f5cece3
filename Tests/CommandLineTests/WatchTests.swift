// What one process records another one hears of.

import PostKitStore
import PostKitTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct WatchTests {
  @Test func `a request sent by another process is announced, and is in the history then`()
    async throws
  {
    let bench = try Bench(["a.http": "GET $URL/first\n\n### second\nGET $URL/second\n"])
    let store = try await Store.open(StoreLocation(directory: bench.store))
    var changes = store.changes().makeAsyncIterator()
    for (choice, count) in [(["--line", "1"], 1), (["--name", "second"], 2)] {
      #expect(try await bench.postkit(["run", "a.http"] + choice).status == 0)
      repeat {
        #expect(await changes.next()?.scopes.contains(.history) == true)
      } while try await store.history(HistoryQuery()).count < count
    }
    let urls = try await store.history(HistoryQuery()).map(\.url)
    #expect(urls.map { $0.split(separator: "/").last } == ["second", "first"])
    await store.close()
  }
}
