// Two stores on one directory: each sees what the other commits, soon and without asking.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite(.timeLimit(.minutes(10))) struct StoreChangesTests {
  @Test func `a commit of another connection is announced`() async throws {
    let place = try TemporaryDirectory()
    let writer = try await Store.open(place.store)
    for number in 0..<5 {
      let reader = try await Store.open(place.store)
      var changes = reader.changes().makeAsyncIterator()
      try await writer.record(Sample.exchange(number))
      let change = await changes.next()
      #expect(change?.scopes == [.history])
      #expect(change?.revision == Int64(number) + 1)
      #expect(try await reader.history(HistoryQuery()).count == number + 1)
      await reader.close()
    }
    await writer.close()
  }

  @Test func `a commit of another connection is a file event, which nobody waits to poll for`()
    async throws
  {
    let place = try TemporaryDirectory()
    let writer = try await Store.open(place.store)
    let watch = try #require(DirectoryWatch(place.store.directory))
    #expect(watch.changes() == (false, false))
    try await writer.record(Sample.exchange())
    #expect(watch.changes() == (true, false))
    await writer.close()
  }

  @Test func `own commits are announced with what they changed`() async throws {
    let store = try await Store.inMemory()
    var changes = store.changes().makeAsyncIterator()
    try await store.setSessionValue("environment", folder: "/project", to: "dev")
    #expect(await changes.next()?.scopes == [.session])
    store.enqueue(Sample.exchange())
    #expect(await changes.next()?.scopes == [.history])
    #expect(try await store.revision() == 2)
  }

  @Test func `many commits become few announcements and the last one is among them`() async throws {
    let place = try TemporaryDirectory()
    let writer = try await Store.open(place.store)
    let reader = try await Store.open(place.store)
    let start = Clock.monotonicMicroseconds
    let changes = reader.changes()
    for number in 0..<40 { try await writer.record(Sample.exchange(number)) }
    let last = try await writer.revision()
    var count = 0
    for await change in changes {
      count += 1
      if change.revision == last { break }
    }
    // The first one passes at once, the others in steps of 250 ms.
    let steps = Int((Clock.monotonicMicroseconds - start) / ChangeThrottle.intervalMicroseconds)
    #expect(count >= 1 && count <= min(steps + 2, 39), "\(count) in \(steps) steps")
    await writer.close()
    await reader.close()
  }

  @Test func `revisions go on rising after the directory was removed and made again`() async throws {
    let place = try TemporaryDirectory()
    let reader = try await Store.open(place.store)
    for number in 0..<3 { try await reader.record(Sample.exchange(number)) }
    let known = try await reader.revision()
    var changes = reader.changes().makeAsyncIterator()
    try FileSystem.removeTree(place.store.directory)
    let writer = try await Store.open(place.store)
    var last = known
    for number in 10..<13 {
      try await writer.record(Sample.exchange(number))
      // What others know of the history before must not stand above this.
      while try await reader.history(HistoryQuery()).first?.id != Sample.exchange(number).id {}
      let change = try #require(await changes.next())
      #expect(change.revision > last)
      last = change.revision
    }
    await writer.close()
    await reader.close()
  }

  @Test(arguments: ["removed", "moved"])
  func `commits are heard again in a directory that takes the place of another`(
    _ fate: String
  ) async throws {
    let place = try TemporaryDirectory()
    let reader = try await Store.open(place.store)
    try await reader.record(Sample.exchange())
    // Three times: each directory that takes the place must be watched, not only the first.
    for number in 1...3 {
      var changes = reader.changes().makeAsyncIterator()
      let directory = place.store.directory
      if fate == "removed" {
        try FileSystem.removeTree(directory)
      } else {
        try FileSystem.rename(directory, to: "\(directory)-\(number)")
      }
      let writer = try await Store.open(place.store)
      try await writer.record(Sample.exchange(number))
      let first = try #require(await changes.next())
      // The second is an event of the new directory.
      try await writer.record(Sample.exchange(number + 10))
      var second = try #require(await changes.next())
      while second.revision < first.revision + 1 { second = try #require(await changes.next()) }
      await writer.close()
    }
    await reader.close()
  }

  @Test func `whoever asks for the revision leaves listeners their news`() async throws {
    let place = try TemporaryDirectory()
    let writer = try await Store.open(place.store)
    let reader = try await Store.open(place.store)
    var changes = reader.changes().makeAsyncIterator()
    try await writer.record(Sample.exchange(0))
    #expect(try await reader.revision() == 1)
    #expect(await changes.next()?.scopes == [.history])
    await writer.close()
    await reader.close()
  }

  @Test func `nobody listens any more once the task that did is cancelled`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let (heard, hearing) = AsyncStream.makeStream(of: Void.self)
    let watch = Task { for await _ in store.changes() { hearing.yield() } }
    while !store.hub.hasListeners { await Task.yield() }
    try await store.record(Sample.exchange(0))
    for await _ in heard { break }
    watch.cancel()
    await watch.value
    #expect(!store.hub.hasListeners)
    await store.close()
  }

  @Test func `closing the store ends the streams`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let changes = store.changes()
    await store.close()
    for await _ in changes { Issue.record("nothing was committed") }
    for await _ in store.changes() { Issue.record("nothing can change any more") }
  }

  @Test func `the first change passes at once and the following ones together`() {
    var throttle = ChangeThrottle()
    #expect(throttle.deadline == nil)
    throttle.add(StoreChange(revision: 1, scopes: [.history]))
    #expect(throttle.takeDue(at: 5) == StoreChange(revision: 1, scopes: [.history]))
    throttle.add(StoreChange(revision: 2, scopes: [.session]))
    throttle.add(StoreChange(revision: 3, scopes: [.history]))
    #expect(throttle.takeDue(at: 250_004) == nil)
    #expect(throttle.deadline == 250_005)
    #expect(
      throttle.takeDue(at: 250_005) == StoreChange(revision: 3, scopes: [.history, .session]))
    #expect(throttle.deadline == nil)
    #expect(throttle.takeDue(at: .max) == nil)
  }

  @Test func `after an event the store is asked three more times, without events for ever`() {
    var ladder = RecheckLadder()
    #expect(ladder.next == nil)
    ladder.start(at: 0)
    let moments: [Int64] = [5_000, 55_000, 305_000]
    for moment in moments {
      #expect(ladder.takeDue(at: moment - 1) == false)
      #expect(ladder.takeDue(at: moment) == true)
    }
    #expect(ladder.takeDue(at: .max) == false)
    #expect(ladder.next == nil)
    ladder.repeats = true
    ladder.start(at: 0)
    for moment in 1...5 { #expect(ladder.takeDue(at: Int64(moment) * 250_000) == true) }
  }
}
