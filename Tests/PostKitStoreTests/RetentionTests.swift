// What is too old or too much goes by itself; what is pinned stays.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct RetentionTests {
  private static let day: Int64 = 86_400_000

  @Test func `what is older than its days goes in short transactions`() async throws {
    let store = try await Store.inMemory()
    for number in 0..<200 { store.enqueue(aged(number)) }
    try await store.flush()
    try await store.mark([aged(3).id, aged(150).id], as: .pinned(true))
    var retention = Retention()
    retention.maxAgeDays = 50
    let now = Sample.start + 199 * RetentionTests.day
    #expect(try await store.trim(retention, now: now))
    #expect(try await store.history(HistoryQuery(limit: 500)).count == 200 - 64)
    while try await store.trim(retention, now: now) {}
    let left = try await store.history(HistoryQuery(limit: 500)).map(\.id)
    #expect(left == (149..<200).reversed().map { aged($0).id } + [aged(3).id])
  }

  @Test func `of more entries than are wanted those recorded first go`() async throws {
    let store = try await Store.inMemory()
    // The clock was set back before the second half.
    for number in Array(100..<150) + Array(0..<50) { store.enqueue(Sample.exchange(number)) }
    try await store.flush()
    try await store.mark([Sample.exchange(100).id], as: .pinned(true))
    var retention = Retention()
    retention.maxAgeDays = 36_500
    retention.maxEntries = 40
    while try await store.trim(retention, now: Sample.start) {}
    let left = try await store.history(HistoryQuery(limit: 500)).map(\.id)
    #expect(Set(left) == Set(([100] + Array(11..<50)).map { Sample.exchange($0).id }))
    #expect(try await !store.trim(retention, now: Sample.start))
  }

  @Test func `of more bytes than are wanted the oldest go, with their bodies`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<200 {
      store.enqueue(Sample.exchange(number, body: .bytes(large(UInt8(number)))))
    }
    try await store.flush()
    #expect(try await store.health().bodyBytes == 20_000_000)
    var retention = Retention()
    retention.maxAgeDays = 36_500
    retention.maxBytes = 10_000_000
    while try await store.trim(retention, now: Sample.start) {}
    let health = try await store.health()
    // What the rows take beside the bodies counts, too.
    #expect((9_000_000...9_900_000).contains(health.bodyBytes))
    let left = try await store.history(HistoryQuery(limit: 500)).map(\.sequence)
    #expect(left.first == 200 && left.count * 100_000 == health.bodyBytes)
    await store.close()
  }

  @Test func `an index of words makes no more go than there is too much`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    var random = RepeatableGenerator(seed: 7)
    for number in 0..<1_000 {
      let words = (0..<200).map { _ in String(random.next() % 100_000, radix: 36) }
      let body = Array(words.joined(separator: " ").utf8)
      store.enqueue(Sample.exchange(number, body: .bytes(body)))
    }
    try await store.flush()
    while try await !store.indexWords(milliseconds: 1_000) {}
    var retention = Retention()
    retention.maxAgeDays = 36_500
    retention.maxBytes = try await store.byteCount() * 8 / 10
    while try await store.trim(retention, now: Sample.start) {}
    let left = try await store.history(HistoryQuery(limit: 2_000)).map(\.sequence)
    #expect((700...810).contains(left.count), "\(left.count) are left")
    #expect(left.first == 1_000)
    #expect(try await store.byteCount() <= retention.maxBytes)
    await store.close()
  }

  @Test func `runs that write other things as well trim as often`() async throws {
    let place = try TemporaryDirectory()
    var retention = Retention()
    (retention.maxAgeDays, retention.maxEntries) = (36_500, 10)
    var most = 0
    for number in 0..<150 {
      let store = try await Store.open(place.store)
      try await store.record(Sample.exchange(number))
      try await store.setSessionValue("answer", folder: "/project", to: "\(number)")
      most = max(most, try await store.history(HistoryQuery(limit: 500)).count)
      let isTurn = await store.isTurnToTrim()
      _ = await store.conclude(trimming: retention, milliseconds: isTurn ? 60_000 : 0)
    }
    #expect(most <= 10 + 64, "there were \(most)")
  }

  @Test(arguments: [200_000_000_000, Int.max, 0])
  func `any number of days is one`(days: Int) async throws {
    let store = try await Store.inMemory()
    try await store.record(Sample.exchange(1))
    var retention = Retention()
    (retention.maxAgeDays, retention.maxEntries, retention.maxBytes) = (days, .max, .max)
    #expect(try await store.trim(retention, now: Sample.start * 2) == (days == 0))
    #expect(try await store.trim(retention, now: .min) == false)
  }

  @Test func `nothing but pinned entries is no endless work`() async throws {
    let store = try await Store.inMemory()
    try await store.record(Sample.exchange(1))
    try await store.mark([Sample.exchange(1).id], as: .pinned(true))
    var retention = Retention()
    (retention.maxAgeDays, retention.maxEntries, retention.maxBytes) = (0, 0, 0)
    #expect(try await !store.trim(retention, now: Sample.start * 2))
    #expect(try await store.history(HistoryQuery()).count == 1)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a process that lives long keeps to what it was told`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<300 { store.enqueue(Sample.exchange(number)) }
    try await store.flush()
    var retention = Retention()
    (retention.maxAgeDays, retention.maxEntries) = (36_500, 100)
    await store.keepUp()
    await store.retain(retention)
    while try await store.history(HistoryQuery(limit: 500)).count > 100 { await Task.yield() }
    await store.close()
  }

  /// The exchange of a day.
  private func aged(_ day: Int) -> Exchange {
    var exchange = Sample.exchange(day)
    exchange.startedAt = Sample.start + Int64(day) * RetentionTests.day
    return exchange
  }
}
