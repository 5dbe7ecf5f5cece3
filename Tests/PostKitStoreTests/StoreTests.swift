// Recording and finding: what goes in comes out, in this process and in the next.

import PostKitHTTP
import PostKitStore
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct StoreTests {
  @Test func `every field of an exchange survives closing and opening the store`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(Sample.full)
    await store.close()
    let again = try await Store.open(place.store)
    #expect(try await again.exchange(id: Sample.full.id) == Sample.full)
    await again.close()
  }

  @Test func `an exchange without name, environment and response survives`() async throws {
    let store = try await Store.inMemory()
    let exchange = Sample.exchange(name: nil, status: nil)
    try await store.record(exchange)
    #expect(try await store.exchange(id: exchange.id) == exchange)
    let line = try #require(try await store.history(HistoryQuery()).first)
    #expect(line.requestName == nil && line.status == nil && line.reason == nil)
    #expect(line.failureCode == .connection && line.state == .failed)
  }

  @Test func `a list shows the newest first with what a line needs`() async throws {
    let store = try await Store.inMemory()
    for number in 0..<3 { try await store.record(Sample.exchange(number)) }
    let lines = try await store.history(HistoryQuery(limit: 2))
    #expect(lines.map(\.id) == [2, 1].map { Sample.exchange($0).id })
    let line = try #require(lines.first)
    #expect(line.startedAt == Sample.start + 2_000 && line.file == "/project/api.http")
    #expect(line.line == 3 && line.requestName == "login" && line.method == "GET")
    #expect(line.status == 200 && line.milliseconds == 12 && line.size == 2)
    #expect(line.url == "https://api.example.com/users?page=1" && line.failureCode == nil)
  }

  @Test func `an id that exists already is an error and changes nothing`() async throws {
    let store = try await Store.inMemory()
    try await store.record(Sample.exchange())
    await #expect(throws: StoreFailure.self) {
      try await store.record(Sample.exchange(url: "https://other.example/"))
    }
    let lines = try await store.history(HistoryQuery())
    #expect(lines.map(\.url) == ["https://api.example.com/users?page=1"])
  }

  @Test func `the beginning of an id finds its exchange when it is the only one`() async throws {
    let store = try await Store.inMemory()
    let near = Sample.exchange(1)
    let far = Sample.exchange(1_000_000)
    for exchange in [near, far] { try await store.record(exchange) }
    #expect(try await store.exchange(id: String(far.id.prefix(8)).uppercased()) == far)
    #expect(try await store.exchange(id: String(far.id.prefix(7))) == nil)
    #expect(try await store.exchange(id: "ffffffff") == nil)
    try await store.record(Sample.exchange(2))
    let short = String(near.id.prefix(8))
    let several = StoreFailure.ambiguousID(path: ":memory:", prefix: short)
    await #expect(throws: several) { try await store.exchange(id: short) }
    #expect(try await store.exchange(id: near.id) == near)
  }

  @Test func `enqueued exchanges are seen by the next question and committed by flush`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<200 { store.enqueue(Sample.exchange(number)) }
    #expect(try await store.history(HistoryQuery(limit: 500)).count == 200)
    for number in 200..<300 { store.enqueue(Sample.exchange(number)) }
    try await store.flush()
    let other = try await Store.open(place.store)
    #expect(try await other.history(HistoryQuery(limit: 500)).count == 300)
    await other.close()
    await store.close()
  }

  @Test func `one bad exchange of a group costs only itself and is reported by flush`() async throws
  {
    let store = try await Store.inMemory()
    for number in [1, 2, 2, 3] { store.enqueue(Sample.exchange(number)) }
    await #expect(throws: StoreFailure.self) { try await store.flush() }
    #expect(try await store.history(HistoryQuery()).count == 3)
    try await store.flush()
  }

  @Test func `the latest answer of a request is found by file, name and environment`() async throws
  {
    let store = try await Store.inMemory()
    var staged = Sample.exchange(5)
    staged.environment = "stage"
    let exchanges = [
      Sample.exchange(1), Sample.exchange(2), Sample.exchange(3, status: nil),
      Sample.exchange(4, name: "other"), staged, Sample.exchange(6, file: "/project/b.http"),
    ]
    for exchange in exchanges { try await store.record(exchange) }
    let file = "/project/api.http"
    let latest = try await store.latestExchange(file: file, requestName: "login", environment: nil)
    #expect(latest == exchanges[1])
    let stage = try await store.latestExchange(
      file: file, requestName: "login", environment: "stage")
    #expect(stage == staged)
    #expect(
      try await store.latestExchange(file: file, requestName: "none", environment: nil) == nil)
  }

  @Test func `the requests of a file that were sent are known by name`() async throws {
    let store = try await Store.inMemory()
    var staged = Sample.exchange(5, name: "staged")
    staged.environment = "stage"
    let exchanges = [
      Sample.exchange(1), Sample.exchange(2), Sample.exchange(3, name: nil),
      Sample.exchange(4, name: "other"), staged,
      Sample.exchange(6, name: "elsewhere", file: "/project/b.http"),
    ]
    for exchange in exchanges { try await store.record(exchange) }
    let names = try await store.requestNames(file: "/project/api.http")
    #expect(names == ["login", "other", "staged"])
    #expect(try await store.requestNames(file: "/project/c.http") == [])
  }

  @Test func `each request of a file gives its newest line, also an unnamed or failed one`()
    async throws
  {
    let store = try await Store.inMemory()
    var elsewhere = Sample.exchange(4, name: nil)
    elsewhere.line = 20
    let exchanges = [
      Sample.exchange(1), Sample.exchange(2, status: nil), Sample.exchange(3, name: nil), elsewhere,
      Sample.exchange(5, name: nil), Sample.exchange(6, file: "/project/b.http"),
    ]
    let tests = [
      TestResult(name: "a", passed: true), TestResult(name: "b", passed: false, message: "No."),
    ]
    for (index, var exchange) in exchanges.enumerated() {
      exchange.tests = index == 3 ? tests : []
      try await store.record(exchange)
    }
    let lines = try await store.latestSummaries(file: "/project/api.http")
    #expect(lines.map(\.id) == [4, 3, 1].map { exchanges[$0].id })
    #expect(lines.map(\.tests) == [[], tests, []])
    #expect(lines.last?.failureCode == .connection)
  }

  @Test func `a session value belongs to its folder and environment`() async throws {
    let store = try await Store.inMemory()
    try await store.setSessionValue("environment", folder: "/project", to: "dev")
    try await store.setSessionValue("environment", folder: "/other", to: "prod")
    try await store.setSessionValue("environment", folder: "/project", to: "stage")
    try await store.setSessionValue("token", folder: "/project", environment: "stage", to: "x")
    #expect(try await store.sessionValue("environment", folder: "/project") == "stage")
    #expect(try await store.sessionValue("environment", folder: "/other") == "prod")
    #expect(try await store.sessionValue("token", folder: "/project") == nil)
    try await store.setSessionValue("environment", folder: "/project", to: nil)
    #expect(try await store.sessionValue("environment", folder: "/project") == nil)
  }

  @Test func `a closed store says so`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    await store.close()
    await #expect(throws: StoreFailure.closed(path: place.store.historyPath)) {
      try await store.record(Sample.exchange())
    }
  }
}
