// Notices and their reasons: each goes when its reason goes.

import Libc
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite(.timeLimit(.minutes(10))) struct NoticeTests {
  /// Whether a notice of a kind still stands.
  private func stands(_ kind: StoreNotice.Kind, _ store: Store) async -> Bool {
    await !store.standing([StoreNotice(kind: kind, message: "")]).isEmpty
  }

  /// Waits until the upkeep has nothing left to do.
  private func settle(_ store: Store) async {
    let (news, continuation) = AsyncStream<Void>.makeStream()
    await store.keepUp(settled: { continuation.yield() })
    for await _ in news { return }
  }

  @Test func `an idle store indexes the last few exchanges without being asked`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<15 { try await store.record(Sample.exchange(number)) }
    #expect(await stands(.searchIsPartial, store))
    await settle(store)
    #expect(try await store.wordIndexHealth().pendingCount == 0)
    #expect(await stands(.searchIsPartial, store) == false)
    await store.close()
  }

  @Test func `a store that was held goes on with its upkeep without another commit`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<100 { store.enqueue(Sample.exchange(number)) }
    try await store.flush()
    let lock = open(place.store.lockPath, O_RDWR | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX) == 0)
    await store.keepUp()
    // The upkeep finds the lock taken.
    for _ in 0..<5 { _ = await store.isFree }
    #expect(try await store.wordIndexHealth().pendingCount == 100)
    flock(lock, LOCK_UN)
    close(lock)
    await settle(store)
    #expect(try await store.wordIndexHealth().pendingCount == 0)
    await store.close()
  }

  @Test func `a copy that was kept is told of as long as it is there`() async throws {
    let place = try TemporaryDirectory()
    try place.write("store/history.sqlite", String(repeating: "garbage", count: 1_000))
    let store = try await Store.open(place.store)
    let told = await store.takeNotices()
    #expect(told.count == 1)
    #expect(await store.standing(told) == told)
    #expect(await stands(.copiesRemain, store))
    for name in await store.historyCopies {
      try FileSystem.remove(FilePath.join(place.store.directory, name))
    }
    #expect(await store.standing(told) == [])
    #expect(await stands(.copiesRemain, store) == false)
    await store.close()
  }

  @Test func `bodies that can be kept again are told of no more`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try FileSystem.removeTree(place.store.bodiesDirectory)
    try place.write("store/bodies", "a file where the directory should be")
    #expect(await stands(.bodyNotKept, store))
    try FileSystem.remove(place.store.bodiesDirectory)
    #expect(await stands(.bodyNotKept, store) == false)
    // What was tried leaves nothing behind.
    #expect(store.bodies.hashes == [])
    await store.close()
  }

  @Test func `collections that can be used again are opened`() async throws {
    let place = try TemporaryDirectory()
    try FileSystem.makeDirectory(place.store.collectionsPath)
    try place.write("store/collections.sqlite/x", "")
    let store = try await Store.open(place.store)
    let told = await store.takeNotices()
    guard told.contains(where: { $0.kind == .collectionsUnavailable }) else {
      // A directory in the place of the file was set aside.
      return await store.close()
    }
    #expect(await stands(.collectionsUnavailable, store))
    try FileSystem.removeTree(place.store.collectionsPath)
    #expect(await stands(.collectionsUnavailable, store) == false)
    await store.close()
  }

  @Test func `an index that is made anew is told of until it is whole`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange())
    #expect(await stands(.mended(path: place.store.historyPath), store))
    try await store.indexWords(milliseconds: 60_000)
    #expect(await stands(.mended(path: place.store.historyPath), store) == false)
    #expect(await stands(.slowJournal(fileSystem: "nfs"), store) == false)
    await store.close()
  }
}
