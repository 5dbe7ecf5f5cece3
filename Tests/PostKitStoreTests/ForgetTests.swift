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
    .found(found { $0.host = "secret.example" }),
    .found(found { ($0.text, $0.until) = ("secret", .max) }),
  ])
  func `nothing of what was forgotten can be read in the files`(scope: ForgetScope) async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<50 { try await store.record(Sample.exchange(number)) }
    for number in 100..<150 { try await store.record(secret(number)) }
    #expect(try await store.indexWords(milliseconds: 60_000))
    let views = [0, 100, 149].map { "\(place.store.viewDirectory)/\(Sample.exchange($0).id).http" }
    try FileSystem.makeDirectory(place.store.viewDirectory)
    for view in views { try FileSystem.write(Array(canary.utf8), to: view) }
    try FileSystem.write([], to: views[0])
    // A request of a collection that is open in an editor.
    let opened = "\(place.store.viewDirectory)/requests/\(Sample.exchange(0).id)"
    try FileSystem.makeDirectory(opened)
    #expect(try await places(of: canary, in: place).count > 3)
    let count = try await store.forget(scope)
    #expect(count == (scope == .all ? 100 : 50))
    #expect(try await places(of: canary, in: place) == [])
    #expect(views.map(FileSystem.exists) == [scope != .all, false, false])
    #expect(FileSystem.exists(opened))
    #expect(try await store.history(HistoryQuery(limit: 200)).count == 100 - count)
    let found = try await store.history(HistoryQuery(text: "users", limit: 200))
    #expect(found.count == 100 - count)
    #expect(await store.takeNotices().isEmpty)
    let health = try await store.health()
    #expect(health.files.allSatisfy { $0.problems.isEmpty } && health.bodyBytes == 0)
    await store.close()
  }

  @Test(arguments: [ForgetScope.all, .host("secret.example")])
  func `without FTS5 nothing can be read either, and the index is whole`(
    scope: ForgetScope
  ) async throws {
    let place = try TemporaryDirectory()
    let able = try await Store.open(place.store)
    for number in 0..<50 { try await able.record(Sample.exchange(number)) }
    for number in 100..<150 { try await able.record(secret(number)) }
    #expect(try await able.indexWords(milliseconds: 60_000))
    let plain = try await Store.open(place.store, hasFullText: false)
    try await plain.forget(scope)
    #expect(try await places(of: canary, in: place) == [])
    await plain.close()
    // One that had it open, and has the index in mind as it was.
    try await able.record(Sample.exchange(200, name: "after"))
    let count = scope == .all ? 1 : 51
    #expect(try await able.history(HistoryQuery(text: "users", limit: 200)).count == count)
    #expect(try await able.history(HistoryQuery(text: "after")).count == 1)
    #expect(try await able.health().problems == [])
    await able.close()
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
      try await store.forget(.host("secret.example"))
    }
    #expect(try await store.history(HistoryQuery()).isEmpty)
    try reader.execute("COMMIT")
    try await store.forget(.host("secret.example"))
    #expect(try await places(of: canary, in: place) == [])
    reader.close()
    await store.close()
  }

  @Test func `words of what was deleted before are forgotten with it`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange(0))
    try await store.record(secret(100))
    #expect(try await store.indexWords(milliseconds: 60_000))
    // The index is told of it, and brought up to date when somebody searches.
    #expect(try await store.delete(Model.HistoryEntry.self) { $0.host == "secret.example" } == 1)
    #expect(try await store.forget(.host("secret.example")) == 0)
    #expect(try await places(of: canary, in: place) == [])
    #expect(try await store.history(HistoryQuery(text: "users")).count == 1)
    await store.close()
  }

  @Test func `words of what was trimmed before are forgotten with it`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(secret(100))
    try await store.record(Sample.exchange(101))
    #expect(try await store.indexWords(milliseconds: 60_000))
    var retention = Retention()
    (retention.maxAgeDays, retention.maxEntries) = (100_000, 1)
    while try await store.trim(retention, now: Sample.start) {}
    #expect(try await store.forget(.host("secret.example")) == 0)
    #expect(try await places(of: canary, in: place) == [])
    #expect(try await store.history(HistoryQuery(text: "users")).count == 1)
    await store.close()
  }

  @Test func `where nothing was deleted nothing is written anew`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<100 {
      try await store.record(Sample.exchange(number))
      try await store.indexWords(milliseconds: 60_000)
    }
    try await store.forget(.ids([Sample.exchange(7).id]))
    let before = try FileSystem.read(path: place.store.historyPath, limit: 1 << 30)
    #expect(try await store.forget(.host("nobody.example")) == 0)
    #expect(try FileSystem.read(path: place.store.historyPath, limit: 1 << 30) == before)
    // One deletion more is one to be erased.
    try await store.forget(.ids([Sample.exchange(8).id]))
    #expect(try FileSystem.read(path: place.store.historyPath, limit: 1 << 30) != before)
    await store.close()
  }

  @Test func `copies that were kept before are named`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try FileSystem.write([], to: place.store.historyPath + ".set-aside-1")
    try await store.forget(.all)
    let told = await store.takeNotices()
    #expect(told.map(\.kind) == [.copiesRemain])
    #expect(told.first?.message.contains("history.sqlite.set-aside-1") == true)
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
}

private func found(_ change: (inout HistoryQuery) -> Void) -> HistoryQuery {
  var query = HistoryQuery()
  change(&query)
  return query
}
