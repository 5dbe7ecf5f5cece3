// Forgetting: not a byte of it is left.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct ForgetTests {
  @Test(arguments: [
    ForgetScope.all, .host("SECRET.example"), .since(Sample.start + 100_000),
    .ids((100..<150).map { Sample.exchange($0).id.uppercased() }),
  ])
  func `nothing of what was forgotten can be read in the files`(scope: ForgetScope) async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<50 { try await store.record(Sample.exchange(number)) }
    for number in 100..<150 { try await store.record(secret(number)) }
    #expect(try await places(of: canary, in: place).count > 0)
    let count = try await store.forget(scope)
    #expect(count == (scope == .all ? 100 : 50))
    #expect(try await places(of: canary, in: place) == [])
    #expect(try await store.history(HistoryQuery(limit: 200)).count == 100 - count)
    let health = try await store.health()
    #expect(health.files.allSatisfy { $0.problems.isEmpty } && health.bodyBytes == 0)
    await store.close()
  }

  @Test func `forgetting gives the space back`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<100 {
      store.enqueue(Sample.exchange(number, body: .bytes(large(1, count: 60_000))))
    }
    try await store.flush()
    try await store.emptyLog()
    let before = try #require(FileSystem.version(place.store.historyPath)).size
    try await store.forget(.all)
    let after = try #require(FileSystem.version(place.store.historyPath)).size
    #expect(before > 5_000_000 && after < 200_000)
    await store.close()
  }

  @Test func `a log that another connection reads is reported, and emptied later`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(secret(1))
    let reader = try Connection(path: place.store.historyPath)
    try reader.execute("BEGIN")
    _ = try reader.integer("SELECT count(*) FROM exchange")
    await #expect(throws: StoreFailure.notErasedYet(path: place.store.historyPath)) {
      try await store.forget(.all)
    }
    #expect(try await store.history(HistoryQuery()).isEmpty)
    try reader.execute("COMMIT")
    try await store.forget(.all)
    #expect(try await places(of: canary, in: place) == [])
    reader.close()
    await store.close()
  }

  private let canary = "q7Zx-canary-Wm3"

  private func secret(_ number: Int) -> Exchange {
    let text = "{\"token\":\"\(canary)\"}"
    let padding = String(repeating: " ", count: number % 2 == 0 ? 10 : 80_000)
    var exchange = Sample.exchange(
      number, name: canary, url: "https://secret.example:8443/\(canary)", file: "/project/\(canary)",
      body: .bytes(Array((text + padding).utf8)))
    exchange.request.headers.append("X-Token", canary)
    exchange.request.body = .bytes(Array(text.utf8))
    exchange.template = canary
    return exchange
  }

  /// The files below the store in whose bytes a text occurs. They are copied first: opening a
  /// database by ourselves would drop the locks that SQLite holds on it in this process.
  private func places(
    of text: String, in place: TemporaryDirectory
  ) async throws -> [String] {
    let found = try await Subprocess.run("grep", ["-rlaF", text, place.store.directory])
    return found.output.split(separator: "\n").map(String.init)
  }
}
