// Exchanges that wait for the history: none is lost, none comes twice, none comes back.

import Libc
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

/// The lock of a store, held as another process holds it.
final class HeldLock {
  private let descriptor: Int32

  /// Takes the lock, which nobody has.
  init(_ location: StoreLocation) {
    descriptor = open(location.lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    flock(descriptor, LOCK_EX)
  }

  /// Gives it back.
  func release() { flock(descriptor, LOCK_UN) }

  deinit { close(descriptor) }
}

@Suite struct WaitingTests {
  /// Bytes of a body that becomes a file.
  private static let large = PostKitStoreTests.large(7, count: 200_000)

  private func keepWaiting(_ exchange: Exchange, _ place: TemporaryDirectory) throws {
    try place.store.keepWaiting(exchange, bodyByteLimit: 1 << 20)
  }

  private func waiting(_ place: TemporaryDirectory) throws -> [String] {
    try FileSystem.list(place.store.spoolDirectory).filter { $0.hasPrefix("exchange-") }
  }

  /// A store for which an exchange waits, behind a lock that is free again in a moment.
  private func storeBehindLock(
    _ exchange: Exchange, in place: TemporaryDirectory
  ) async throws -> Store {
    let store = try await Store.open(place.store)
    nonisolated(unsafe) let lock = HeldLock(place.store)
    try keepWaiting(exchange, place)
    // By then the store waits for the lock; earlier there is nothing to test, and it passes.
    Alarm.shared.schedule(afterMicroseconds: 100_000) { lock.release() }
    return store
  }

  @Test func `what waits can be marked as soon as the lock is free`() async throws {
    let place = try TemporaryDirectory()
    let exchange = Sample.exchange(1)
    let store = try await storeBehindLock(exchange, in: place)
    #expect(try await store.mark([exchange.id], as: .label("kept")) == 1)
    #expect(try await store.exchange(id: exchange.id)?.label == "kept")
    await store.close()
  }

  @Test func `what waits is in the history with every field after the next start`() async throws {
    let place = try TemporaryDirectory()
    let full = Sample.full
    try keepWaiting(full, place)
    #expect(FileSystem.mode(place.store.waitingPath(id: full.id)) == 0o600)
    var big = Sample.exchange(9, body: .bytes(WaitingTests.large))
    big.request.body = .bytes(WaitingTests.large)
    try keepWaiting(big, place)
    let store = try await Store.open(place.store)
    #expect(try await store.exchange(id: full.id) == full)
    let kept = try #require(try await store.exchange(id: big.id))
    for body in [kept.request.body, try #require(kept.response).body] {
      guard case .file(let path, let size) = body else {
        Issue.record("\(body)")
        continue
      }
      #expect(size == WaitingTests.large.count)
      #expect(try FileSystem.read(path: path, limit: size) == WaitingTests.large)
    }
    #expect(try waiting(place) == [])
    try await store.forget(.all)
    #expect(store.bodies.hashes == [])
    await store.close()
    // Only the mark of this process is left of it, if anything.
    let left = try FileSystem.list(place.store.spoolDirectory)
    #expect(left.allSatisfy { $0.hasSuffix(".owner") }, "\(left)")
  }

  @Test func `of a body above the limit the head waits`() async throws {
    let place = try TemporaryDirectory()
    let exchange = Sample.exchange(1, body: .bytes(WaitingTests.large))
    try place.store.keepWaiting(exchange, bodyByteLimit: 100_000)
    let store = try await Store.open(place.store)
    let response = try #require(try await store.exchange(id: exchange.id)?.response)
    #expect(response.isTruncated && response.body.count == 100_000)
    await store.close()
  }

  @Test func `a store that is open takes it in with the next write and the next question`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try keepWaiting(Sample.exchange(1), place)
    try await store.record(Sample.exchange(2))
    try keepWaiting(Sample.exchange(3), place)
    // The order is that of sending, and each is there when it is asked for.
    let found = try await store.history(HistoryQuery(limit: 9)).map(\.id)
    #expect(found == [3, 2, 1].map { Sample.exchange($0).id })
    #expect(try waiting(place) == [])
    await store.close()
  }

  @Test func `nobody who asks waits for what another process keeps from coming in`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let lock = HeldLock(place.store)
    try keepWaiting(Sample.exchange(1), place)
    #expect(try await store.history(HistoryQuery(limit: 9)).isEmpty)
    lock.release()
    #expect(try await store.history(HistoryQuery(limit: 9)).count == 1)
    await store.close()
  }

  @Test(arguments: [ForgetScope.all, .host("api.example.com"), .ids([Sample.exchange(1).id])])
  func `what is forgotten does not come back from a file`(scope: ForgetScope) async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    // As a process leaves it that is killed between its commit and the removal of the file.
    try await store.record(Sample.exchange(1, body: .bytes(WaitingTests.large)))
    try keepWaiting(Sample.exchange(1, body: .bytes(WaitingTests.large)), place)
    #expect(try await store.forget(scope) == 1)
    #expect(try waiting(place) == [])
    #expect(try await store.history(HistoryQuery(limit: 9)).isEmpty)
    #expect(store.bodies.hashes == [])
    await store.close()
    let next = try await Store.open(place.store)
    #expect(try await next.history(HistoryQuery(limit: 9)).isEmpty)
    await next.close()
  }

  @Test func `what is trimmed does not come back from a file`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 1...9 { try await store.record(Sample.exchange(number)) }
    try keepWaiting(Sample.exchange(1), place)
    var retention = Retention()
    (retention.maxAgeDays, retention.maxEntries) = (.max, 5)
    while try await store.trim(retention, now: Sample.start) {}
    try await store.record(Sample.exchange(10))
    let found = try await store.history(HistoryQuery(limit: 99)).map(\.id)
    #expect(found == (5...10).reversed().map { Sample.exchange($0).id })
    await store.close()
  }

  @Test func `a batch whose store is held loses nothing`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let lock = HeldLock(place.store)
    let exchanges = (0..<200).map { number in
      Sample.exchange(number, body: .bytes(number % 9 == 0 ? WaitingTests.large : [0x7B, 0x7D]))
    }
    for exchange in exchanges { store.enqueue(exchange) }
    let end = await store.conclude()
    #expect(end.failure == nil && end.lost.isEmpty)
    #expect(end.notices.map(\.kind) == [.exchangesWait])
    #expect(end.notices[0].message.contains("not in the history yet"))
    lock.release()
    let next = try await Store.open(place.store)
    #expect(try await next.exchanges(among: exchanges.map(\.id)).count == exchanges.count)
    let kept = try await next.exchange(id: exchanges[9].id)
    #expect(kept?.response?.body.count == WaitingTests.large.count)
    await next.close()
  }

  @Test func `what neither the history nor a file can keep is named`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let lock = HeldLock(place.store)
    // No file can be made where one is in the place of the directory.
    try FileSystem.removeTree(place.store.bodiesDirectory)
    try FileSystem.write([], to: place.store.bodiesDirectory)
    store.enqueue(Sample.exchange(1))
    let end = await store.conclude()
    #expect(end.lost == [Sample.exchange(1).id] && end.failure != nil)
    lock.release()
  }

  @Test func `one that can't be read keeps no other from coming in`() async throws {
    let place = try TemporaryDirectory()
    for number in 1...3 { try keepWaiting(Sample.exchange(number), place) }
    let path = place.store.waitingPath(id: Sample.exchange(2).id)
    try FileSystem.write(Array("{\"format\":1".utf8), to: path)
    // A row that no table takes.
    let odd = place.store.waitingPath(id: Sample.exchange(4).id)
    try FileSystem.write(Array(#"{"format":1,"row":{"id":"4"},"files":{}}"#.utf8), to: odd)
    let newer = place.store.waitingPath(id: Sample.exchange(5).id)
    try FileSystem.write(Array(#"{"format":2,"row":{}}"#.utf8), to: newer)
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange(6))
    let found = try await store.history(HistoryQuery(limit: 9)).map(\.id)
    #expect(found == [6, 3, 1].map { Sample.exchange($0).id })
    // What a newer PostKit wrote is left to it.
    #expect(try waiting(place) == [FilePath.name(newer)])
    await store.close()
  }

  @Test func `what a killed process left waiting is not swept`() async throws {
    let place = try TemporaryDirectory()
    let exchange = Sample.exchange(1, body: .bytes(WaitingTests.large))
    let store = try await Store.open(place.store)
    let lock = HeldLock(place.store)
    try keepWaiting(exchange, place)
    // The body bears the name of a process that is not there, and so does one of nobody.
    let (path, owner) = (place.store.waitingPath(id: exchange.id), Identifier.next())
    let text = String(decoding: try FileSystem.read(path: path, limit: 1 << 20), as: UTF8.self)
    let body = try #require(
      try FileSystem.list(place.store.spoolDirectory).first { name in text.contains(name) })
    let name = "\(owner).\(Identifier.next())"
    try FileSystem.write(Array(text.replacing(body, with: name).utf8), to: path)
    let folder = place.store.spoolDirectory
    try FileSystem.rename(FilePath.join(folder, body), to: FilePath.join(folder, name))
    let orphan = FilePath.join(folder, "\(owner).\(Identifier.next())")
    try FileSystem.write([0x7B], to: orphan)
    await store.sweepAbandoned()
    #expect(!FileSystem.exists(orphan))
    lock.release()
    let kept = try #require(try await store.exchange(id: exchange.id)?.response)
    #expect(kept.body.count == WaitingTests.large.count && !kept.isTruncated)
    await store.close()
  }

  @Test func `the bodies of what a newer PostKit left waiting stay until all is forgotten`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    // The process that wrote it has ended.
    let name = "\(Identifier.next()).\(Identifier.next())"
    let body = FilePath.join(place.store.spoolDirectory, name)
    try FileSystem.makeDirectory(place.store.spoolDirectory)
    try FileSystem.write(WaitingTests.large, to: body)
    let newer = place.store.waitingPath(id: Sample.exchange(5).id)
    try FileSystem.write(Array(#"{"format":2,"row":{}}"#.utf8), to: newer)
    await store.sweepAbandoned()
    #expect(FileSystem.exists(body))
    try await store.forget(.all)
    #expect(!FileSystem.exists(newer) && !FileSystem.exists(body))
    await store.close()
  }

  @Test func `what the system does not give now is not put aside`() async throws {
    let place = try TemporaryDirectory()
    try keepWaiting(Sample.exchange(1), place)
    let path = place.store.waitingPath(id: Sample.exchange(1).id)
    let elsewhere = FilePath.join(place.path, "elsewhere")
    try FileSystem.rename(path, to: elsewhere)
    // A link to itself can't be opened, as a file when there are no descriptors left.
    #expect(symlink(path, path) == 0)
    let store = try await Store.open(place.store)
    #expect(try await store.history(HistoryQuery(limit: 9)).isEmpty)
    #expect(FileSystem.isLink(path))
    try FileSystem.remove(path)
    try FileSystem.rename(elsewhere, to: path)
    #expect(try await store.history(HistoryQuery(limit: 9)).count == 1)
    await store.close()
  }

  @Test func `what waits follows its file as soon as the lock is free`() async throws {
    let place = try TemporaryDirectory()
    let exchange = Sample.exchange(1)
    let store = try await storeBehindLock(exchange, in: place)
    let move = FileMove(from: exchange.file, to: exchange.file + ".http")
    #expect(try await store.follow([move]) == 1)
    #expect(try await store.exchange(id: exchange.id)?.file == move.new)
    await store.close()
  }

  @Test(.timeLimit(.minutes(5)))
  func `others get the lock while much is taken in`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let count = 400
    var next = 0
    var found = 0
    // Whoever waits for the lock need not be the next who gets it.
    while !(1..<count).contains(found) {
      let lock = HeldLock(place.store)
      for _ in 0..<count {
        try keepWaiting(Sample.exchange(next), place)
        next += 1
      }
      let left = Monitor<Int?>(nil)
      let location = place.store
      lock.release()
      SystemThread.start {
        // Once the first part is in, so that it is not asked for before the store begins.
        while true {
          let names = (try? FileSystem.list(location.spoolDirectory)) ?? []
          if names.count(where: { $0.hasPrefix("exchange-") }) < count { break }
        }
        let other = HeldLock(location)
        let names = (try? FileSystem.list(location.spoolDirectory)) ?? []
        left.update { $0 = names.count { $0.hasPrefix("exchange-") } }
        other.release()
      }
      try await store.record(Sample.exchange(next))
      next += 1
      found = left.wait { $0 }
    }
    let kept = try await store.exchanges(among: (0..<next).map { Sample.exchange($0).id })
    #expect(kept.count == next)
    await store.close()
  }
}
