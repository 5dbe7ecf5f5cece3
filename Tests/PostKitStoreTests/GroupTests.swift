// Groups of exchanges: any combination of filters is decided by them, and is what it was without.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct GroupTests {
  @Test func `pages, counts and figures of any filters are those of the exchanges`() async throws {
    let store = try await Store.inMemory()
    let known = try await record(600, in: store)
    var generator = RepeatableGenerator(seed: 11)
    for _ in 0..<150 {
      let query = randomQuery(&generator)
      let expected = sorted(known.filter { matches($0, query) }, query.sort)
      #expect(try await pages(of: query, in: store) == expected.map(\.id), "\(query)")
      #expect(try await store.historyCount(query) == expected.count, "\(query)")
      for key in StatisticsKey.allCases {
        let found = try await store.statistics(by: key, where: query)
        #expect(found.reduce(0) { $0 + $1.count } == expected.count, "\(key) of \(query)")
      }
    }
    // All of them are asked for in two ways: one takes the paths from their index.
    var all = HistoryQuery()
    let paths = try await store.statistics(by: .path, where: all)
    all.path = "/"
    #expect(try await store.statistics(by: .path, where: all) == paths)
    #expect(paths.count > 1 && paths.contains { $0.failed > 0 })
  }

  @Test func `an answer by groups is the one without, on every page`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let all = try await record(400, in: store)
    let connection = try Connection(path: place.store.historyPath)
    defer { connection.close() }
    var generator = RepeatableGenerator(seed: 3)
    let queries = (0..<40).map { _ in randomQuery(&generator) }
    // As it is when an older PostKit has written all of it before there were groups.
    #expect(try await store.group(milliseconds: 60_000))
    try connection.execute(
      """
      DELETE FROM exchange_figures;
      UPDATE grouped_range SET first = 1 << 40, last = (1 << 40) - 1
      """)
    #expect(try connection.integer("SELECT count(*) FROM exchange_group") == 0)
    for query in queries {
      let expected = sorted(all.filter { matches($0, query) }, query.sort).prefix(query.limit)
      let rendered = query.rendered()
      let found = try connection.rows(rendered.sql, rendered.values) { ExchangeSummary($0).id }
      #expect(found == expected.map(\.id), "\(query)")
    }
    #expect(try await store.group(milliseconds: 60_000))
    for query in queries {
      let expected = sorted(all.filter { matches($0, query) }, query.sort)
      #expect(try await pages(of: query, in: store) == expected.map(\.id), "\(query)")
    }
    // What is newer than the groups is read beside them.
    try connection.execute(
      "DELETE FROM exchange_figures WHERE sequence > 250; UPDATE grouped_range SET last = 250")
    for query in queries {
      let expected = sorted(all.filter { matches($0, query) }, query.sort).prefix(query.limit)
      let conditions = try #require(query.groupConditions)
      let found = try GroupReading.entries(query, conditions, connection, groupedTo: 250)
      #expect(found.map(\.id) == expected.map(\.id), "\(query)")
    }
    await store.close()
  }

  @Test func `labels move exchanges between groups, and no empty group is left`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<20 { try await store.record(Sample.exchange(number)) }
    let connection = try Connection(path: place.store.historyPath)
    defer { connection.close() }
    func groups() throws -> [String] {
      try connection.rows(
        """
        SELECT ifnull(label, '-') || ' ' || count(*) FROM exchange_group
        JOIN exchange_figures ON group_number = number GROUP BY number ORDER BY 1
        """
      ) { $0.text(0) }
    }
    let ids = (0..<20).map { Sample.exchange($0).id }
    #expect(try await store.group(milliseconds: 60_000))
    try await store.mark(Array(ids[..<5]), as: .label("one"))
    #expect(try groups() == ["- 15", "one 5"])
    try await store.mark(ids, as: .label("two"))
    #expect(try groups() == ["two 20"])
    #expect(try connection.integer("SELECT count(*) FROM exchange_group") == 1)
    try await store.forget(.ids(Array(ids[15...])))
    #expect(try connection.integer("SELECT last FROM grouped_range") == 15)
    try await store.record(Sample.exchange(40))
    #expect(try await store.group(milliseconds: 60_000))
    #expect(try groups() == ["- 1", "two 15"])
    try await store.forget(.host("api.example.com"))
    #expect(try connection.integer("SELECT count(*) FROM exchange_group") == 0)
    #expect(try connection.integer("SELECT count(*) FROM exchange_figures") == 0)
    await store.close()
  }

  @Test func `a history of the format before is grouped while a server rests`() async throws {
    let place = try TemporaryDirectory()
    let dump = try Golden.bytes("Released/history-1.5.sql")
    try place.makeDatabase(place.store.historyPath, String(decoding: dump, as: UTF8.self))
    let store = try await Store.open(place.store)
    let connection = try Connection(path: place.store.historyPath)
    defer { connection.close() }
    #expect(try connection.integer("SELECT count(*) FROM exchange_figures") == 0)
    let (news, continuation) = AsyncStream<Void>.makeStream()
    await store.keepUp(settled: { continuation.yield() })
    for await _ in news { break }
    #expect(try connection.integer("SELECT count(*) FROM exchange_figures") == 3)
    await store.close()
  }

  @Test func `figures have medians, failures, bytes and the last time`() async throws {
    let store = try await Store.inMemory()
    for number in 0..<20 {
      var exchange = Sample.exchange(
        number, url: "https://\(number < 10 ? "a" : "b").test/x?\(number)",
        status: number == 3 ? 500 : 200, body: .bytes(Array("12345".utf8)))
      exchange.timings.total = Int64(number) * 10_000
      exchange.request.bodySize = 7
      if number == 4 { exchange.tests = [TestResult(name: "t", passed: false)] }
      try await store.record(exchange)
    }
    try await store.record(
      Sample.exchange(30, name: nil, url: "https://c.test/y?z=1", status: nil))
    let hosts = try await store.statistics(by: .host, where: HistoryQuery())
    #expect(hosts.map(\.value) == ["a.test", "b.test", "c.test"])
    #expect(hosts.map(\.count) == [10, 10, 1] && hosts.map(\.failed) == [2, 0, 1])
    #expect(hosts.map(\.median) == [40, 140, 12] && hosts.map(\.p95) == [90, 190, 12])
    #expect(hosts.map(\.max) == [90, 190, 12])
    #expect(hosts.map(\.requestBytes) == [70, 70, 0])
    #expect(hosts.map(\.responseBytes) == [50, 50, 0])
    #expect(hosts.map(\.last) == [9, 19, 30].map { Sample.start + $0 * 1_000 })
    let requests = try await store.statistics(by: .request, where: HistoryQuery())
    #expect(requests.map(\.value) == ["login", "GET /y"])
    #expect(requests.map(\.file) == ["/project/api.http", "/project/api.http"])
    let statuses = try await store.statistics(by: .status, where: HistoryQuery())
    #expect(statuses.map(\.value) == ["200", nil, "500"])
    let paths = try await store.statistics(by: .path, where: HistoryQuery())
    #expect(paths.map(\.value) == ["/x", "/y"] && paths.map(\.count) == [20, 1])
    let days = try await store.statistics(by: .day, where: HistoryQuery())
    #expect(days.reduce(0) { $0 + $1.count } == 21)
    #expect(days.allSatisfy { $0.value?.hasPrefix("2025-10-") == true })
  }

  @Test func `ranks are those of the sorted values`() {
    var generator = RepeatableGenerator(seed: 5)
    for count in 1...60 {
      let values = (0..<count).map { _ in Int64(generator.next() % UInt64(count)) }
      for place in 0..<count {
        var moved = values
        #expect(Ranks.value(at: place, of: &moved) == values.sorted()[place])
      }
    }
  }

  // MARK: Exchanges and questions

  private static let hosts = ["a.test", "b.test", "c.test"]
  private static let files = ["/p/a.http", "/p/b.http"]
  private static let methods = ["GET", "POST"]
  private static let statuses: [Int?] = [200, 404, 500, nil]
  private static let labels: [String?] = [nil, "one", nil, "two"]

  private struct Known {
    var exchange: Exchange
    var host: String
    var label: String?
    var id: String { exchange.id }
    var size: Int { exchange.response?.decodedSize ?? 0 }
  }

  /// Records exchanges of which many start at the same time.
  private func record(_ count: Int, in store: Store) async throws -> [Known] {
    var generator = RepeatableGenerator(seed: 7)
    var all: [Known] = []
    for number in 0..<count {
      let host = generator.pick(GroupTests.hosts)
      var exchange = Sample.exchange(
        number, url: "https://\(host)/\(number % 7)", file: generator.pick(GroupTests.files),
        status: generator.pick(GroupTests.statuses))
      exchange.startedAt = Sample.start + Int64(generator.next() % 50)
      exchange.request.method = generator.pick(GroupTests.methods)
      exchange.environment = generator.pick(["dev", nil])
      exchange.timings.total = Int64(generator.next() % 20) * 1_000
      exchange.response?.decodedSize = Int(generator.next() % 10)
      if number % 9 == 0 { exchange.tests = [TestResult(name: "t", passed: false)] }
      let label = generator.pick(GroupTests.labels)
      try await store.record(exchange)
      if let label { try await store.mark([exchange.id], as: .label(label)) }
      all.append(Known(exchange: exchange, host: host, label: label))
    }
    return all
  }

  private func randomQuery(_ generator: inout RepeatableGenerator) -> HistoryQuery {
    var query = HistoryQuery(limit: Int(generator.next() % 40) + 1)
    query.sort = generator.pick(HistorySort.allCases)
    for _ in 0...Int(generator.next() % 3) {
      switch generator.next() % 11 {
      case 0: query.host = generator.pick(GroupTests.hosts + ["none.test"])
      case 1: query.file = generator.pick(GroupTests.files)
      case 2: query.method = generator.pick(GroupTests.methods)
      case 3: query.status = generator.pick([200, 404, 204])
      case 4: query.statusClass = generator.pick([2, 4, 5])
      case 5: query.environment = "dev"
      case 6: query.state = generator.pick([.done, .failed])
      case 7: query.label = generator.pick(["one", "two"])
      case 8: query.hasFailedTests = true
      case 9:
        query.since = Sample.start + Int64(generator.next() % 50)
        query.until = Sample.start + Int64(generator.next() % 60)
      default:
        query.minMilliseconds = Int(generator.next() % 15)
        query.maxSize = Int(generator.next() % 10)
      }
    }
    return query
  }

  private func matches(_ known: Known, _ query: HistoryQuery) -> Bool {
    let exchange = known.exchange
    func same<Value: Equatable>(_ wanted: Value?, _ value: Value?) -> Bool {
      wanted == nil || wanted == value
    }
    return same(query.host, known.host) && same(query.file, exchange.file)
      && same(query.method, exchange.request.method)
      && same(query.status, exchange.response?.status)
      && same(query.statusClass, exchange.response.map { $0.status / 100 })
      && same(query.environment, exchange.environment) && same(query.state, exchange.state)
      && same(query.label, known.label)
      && (!query.hasFailedTests || exchange.tests.contains { !$0.passed })
      && exchange.startedAt >= query.since ?? .min && exchange.startedAt < query.until ?? .max
      && exchange.timings.total >= Int64(query.minMilliseconds ?? 0) * 1_000
      && known.size <= query.maxSize ?? .max
  }

  private func sorted(_ found: [Known], _ sort: HistorySort) -> [Known] {
    func key(_ known: Known) -> (Int64, Int64, String) {
      let value = switch sort {
      case .time: Int64(0)
      case .milliseconds: known.exchange.timings.total
      case .size: Int64(known.size)
      }
      return (value, known.exchange.startedAt, known.id)
    }
    return found.sorted { key($1) < key($0) }
  }

  private func pages(of query: HistoryQuery, in store: Store) async throws -> [String] {
    var query = query
    var ids: [String] = []
    while true {
      let page = try await store.history(query)
      ids += page.map(\.id)
      guard page.count == query.limit, let last = page.last else { return ids }
      query.after = HistoryQuery.Cursor(last, sort: query.sort)
    }
  }
}
