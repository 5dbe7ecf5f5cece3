// Writing beside other processes: what was answered is in the history, however busy they are.

import Libc
import PostKitHTTP
import PostKitStore
import PostKitSupport
import PostKitTestSupport
import Synchronization
import Testing

@testable import PostKitServer
@testable import PostKitSession

/// What the user was told.
final class ToldMessages: Sendable {
  private let messages = Mutex<[String]>([])

  /// All of it, in order.
  var all: [String] { messages.withLock { $0 } }

  /// Notes a message.
  func add(_ message: String) { messages.withLock { $0.append(message) } }
}

/// A store as a server uses it.
struct StoreBench {
  let place: TemporaryDirectory
  let location: StoreLocation
  let told = ToldMessages()
  let access: StoreAccess

  /// Makes an access to a store that isn't there yet. It waits for the disk of a busy machine, and
  /// for others that write only with `waits`.
  init(waits: Bool = false) throws {
    var patience = StorePatience(filing: 60_000)
    if waits { patience.answer = 60_000 }
    place = try TemporaryDirectory()
    location = StoreLocation(directory: place.path("store"))
    access = StoreAccess(
      location: location, patience: patience, tell: { [told] in told.add($0) },
      healthChanged: {}, opened: {})
  }

  /// Records an exchange, and answers whether it is kept.
  func record(_ exchange: Exchange, noted: @escaping @Sendable (RecordedPlace) -> Void = { _ in })
    async -> Bool
  {
    await access.record(
      exchange, retaining: Retention(), bodyByteLimit: 1 << 20, noted: noted)
  }

  /// Takes the lock of the store as another process does, until ``letGo(_:)``.
  func hold() -> Int32 {
    let lock = open(location.lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    flock(lock, LOCK_EX)
    return lock
  }

  /// Gives the lock back. Closing alone does not: a child that another test starts just now has the
  /// descriptor, too, until it runs its program.
  func letGo(_ lock: Int32) {
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// An exchange that was answered.
  static func exchange(_ number: Int) -> Exchange {
    let startedAt = Clock.wallMilliseconds + Int64(number)
    var exchange = Exchange(
      id: Identifier.next(), startedAt: startedAt, file: "/project/a.http", line: 1,
      template: "GET https://a.test/\(number)",
      request: SentRequest(method: "GET", url: "https://a.test/\(number)", headers: []),
      state: .done)
    exchange.response = Response(
      httpVersion: "HTTP/1.1", status: 200, reason: "OK", headers: [],
      body: .bytes(Array("{}".utf8)), wireSize: 2, decodedSize: 2)
    return exchange
  }
}

/// A process that takes the lock of the store and gives it back, again and again.
final class BusyNeighbour: Sendable {
  private let state = Monitor((isOver: false, hasEnded: false))

  /// Begins with it.
  init(_ location: StoreLocation) {
    let state = state
    SystemThread.start {
      let lock = open(location.lockPath, O_RDWR | O_CLOEXEC)
      while !state.update({ $0.isOver }) {
        flock(lock, LOCK_EX)
        usleep(1_500)
        flock(lock, LOCK_UN)
        usleep(700)
      }
      close(lock)
      state.update { $0.hasEnded = true }
    }
  }

  /// Ends it.
  func end() {
    state.update { $0.isOver = true }
    state.wait { $0.hasEnded ? () : nil }
  }
}

@Suite(.timeLimit(.minutes(10))) struct StoreAccessTests {
  @Test func `a lock that others take again and again costs no exchange`() async throws {
    let bench = try StoreBench(waits: true)
    _ = await bench.access.store()
    let neighbour = BusyNeighbour(bench.location)
    let exchanges = (0..<150).map(StoreBench.exchange)
    for exchange in exchanges {
      #expect(await bench.record(exchange))
    }
    neighbour.end()
    await bench.access.close()
    let store = try await Store.open(bench.location)
    let kept = try await store.exchanges(among: exchanges.map(\.id))
    #expect(kept.count == exchanges.count, "\(bench.told.all)")
    #expect(bench.told.all == [])
    await store.close()
  }

  @Test(arguments: [true, false])
  func `what was answered while the store is held is there after the editor has closed`(
    isOpen: Bool
  ) async throws {
    let bench = try StoreBench()
    if isOpen {
      _ = await bench.access.store()
    } else {
      try FileSystem.makeDirectory(bench.location.directory)
    }
    let lock = bench.hold()
    let exchanges = (0..<4).map(StoreBench.exchange)
    let places = Mutex<[RecordedPlace]>([])
    for exchange in exchanges {
      #expect(await bench.record(exchange) { place in places.withLock { $0.append(place) } })
    }
    let files = exchanges.map { RecordedPlace.file(bench.location.waitingPath(id: $0.id)) }
    #expect(places.withLock { $0 } == files)
    await bench.access.close()
    let told = bench.told.all
    #expect(told.contains { $0.contains("not in the history yet") }, "\(told)")
    bench.letGo(lock)
    let store = try await Store.open(bench.location)
    let found = try await store.history(HistoryQuery(limit: 9)).map(\.id)
    #expect(found == exchanges.reversed().map(\.id))
    await store.close()
  }

  @Test func `what can be kept nowhere is told, and not acknowledged`() async throws {
    let bench = try StoreBench()
    try bench.place.write("store", "a file where the directory should be")
    #expect(await !bench.record(StoreBench.exchange(1)))
    #expect(bench.access.health.problem(of: .store) != nil)
    await bench.access.close()
  }
}

@Suite(.timeLimit(.minutes(10))) struct HealthTests {
  /// Looks at the health until it is well, as the timer of the review does.
  private func heal(_ bench: StoreBench) async {
    while bench.access.health.hasProblems { await bench.access.review() }
  }

  @Test func `a store that could not be opened is told of until it can be`() async throws {
    let bench = try StoreBench()
    try bench.place.write("store", "a file where the directory should be")
    #expect(await bench.access.store() == nil)
    #expect(bench.access.health.problem(of: .store) != nil)
    await bench.access.review()
    #expect(bench.access.health.hasProblems)
    try FileSystem.remove(bench.location.directory)
    await heal(bench)
    #expect(bench.access.health.current.message == nil)
    await bench.access.close()
  }

  @Test func `what waits for another process is told of until it is in the history`() async throws {
    let bench = try StoreBench()
    _ = await bench.access.store()
    let lock = bench.hold()
    let exchange = StoreBench.exchange(1)
    #expect(await bench.record(exchange))
    await bench.access.review()
    #expect(bench.access.health.current.message?.contains("not in the history yet") == true)
    bench.letGo(lock)
    await heal(bench)
    let store = try #require(await bench.access.store())
    #expect(try await store.exchanges(among: [exchange.id]) == [exchange.id])
    await bench.access.close()
  }

  @Test func `what could not be written is told of until the store can be written`() async throws {
    let bench = try StoreBench()
    _ = await bench.access.store()
    bench.access.complain("The cookies are not kept.")
    #expect(bench.access.health.current.message == "The cookies are not kept.")
    await heal(bench)
    await bench.access.close()
  }

  @Test func `a search that missed something is told of until everything is indexed`()
    async throws
  {
    let bench = try StoreBench()
    let store = try #require(await bench.access.store())
    for number in 0..<20 { try await store.record(StoreBench.exchange(number)) }
    bench.access.change {
      $0.note(StoreNotice(kind: .searchIsPartial, message: "Some are missing."))
    }
    await heal(bench)
    #expect(try await store.wordIndexHealth().pendingCount == 0)
    await bench.access.close()
  }
}
