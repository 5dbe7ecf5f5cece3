// The store, beside the same rows through SQLite alone, and its queries on a history of any length.

import PostKitHTTP
import PostKitJSON
import PostKitStore
import PostKitSupport
import RawSQLite

/// Works on a history in a directory, which it fills first. The times are those of the wall clock
/// on the store's own thread: the way there is a work of its own.
struct StoreWorkload: StoreWork {
  private let store: Store
  private let raw: OpaquePointer
  private let location: StoreLocation
  private var samples = ExchangeSamples()
  private var known: [String] = []

  /// Rows of a bulk insert, and of one round of the other works.
  private static let round = 500

  /// Opens the store, records exchanges until it has `count`, and opens the yardstick beside it.
  init(directory: String, count: Int) async throws {
    location = StoreLocation(directory: directory)
    store = try await Store.open(location)
    var present = try await store.health().exchangeCount
    samples.skip(present)
    while present < count {
      let group = samples.next(min(2_000, count - present))
      _ = try await store.seconds { store throws(StoreFailure) in try store.record(group) }
      present += group.count
    }
    let newest = HistoryQuery(limit: StoreWorkload.round)
    known = try await store.history(newest).map(\.id)
    guard let raw = raw_sqlite_open(directory + "/raw.sqlite", location.historyPath) else {
      throw YardstickFailure()
    }
    self.raw = raw
    guard raw_sqlite_insert(raw, 2_000, 2_000) >= 0 else { throw YardstickFailure() }
    var failed = HistoryQuery()
    (failed.file, failed.status) = ("/project/events.http", 500)
    try await store.mark(failed, as: .label("release"))
    while try await !store.group(milliseconds: 1_000) {}
    // As `postkit history index` does.
    while try await !store.indexWords(milliseconds: 1_000, step: .long) {}
    while try await !store.mergeWords(milliseconds: 1_000) {}
  }

  /// Does what a server does in quiet moments.
  private func indexWords() async throws {
    while try await !store.indexWords(milliseconds: 1_000) {}
  }

  /// Why there is nothing to compare with; the reason was printed.
  struct YardstickFailure: Error {}

  /// The seconds that a work takes, each time it is done; `nil` for a name that isn't known.
  mutating func seconds(_ name: String) async throws -> Double? {
    let round = StoreWorkload.round
    switch name {
    case "insert":
      let exchanges = samples.next(round)
      return try await store.seconds { store throws(StoreFailure) in
        for exchange in exchanges { try store.record(exchange) }
      } / Double(round)
    case "insert in C": return try checkpointed(raw_sqlite_insert(raw, Int32(round), 1))
    case "bulk insert":
      let exchanges = samples.next(round)
      return try await store.seconds { store throws(StoreFailure) in
        try store.record(exchanges)
      } / Double(round)
    case "bulk insert in C":
      return try checkpointed(raw_sqlite_insert(raw, Int32(round), Int32(round)))
    case "read":
      let ids = known
      return try await store.seconds { store throws(StoreFailure) in
        for id in ids { _ = try store.exchange(id: id) }
      } / Double(ids.count)
    case "read in C": return try checkpointed(raw_sqlite_read(raw, Int32(round)))
    case "hop":
      let started = Clock.monotonicMicroseconds
      for _ in 0..<round { _ = await store.visit() }
      return Double(Clock.monotonicMicroseconds - started) / 1e6 / Double(round)
    case "open":
      let started = Clock.monotonicMicroseconds
      let another = try await Store.open(location)
      let seconds = Double(Clock.monotonicMicroseconds - started) / 1e6
      await another.close()
      return seconds
    default: return try await search(name)
    }
  }

  /// A query of a page of the history; each time for something else.
  private mutating func search(_ name: String) async throws -> Double? {
    if let key = StatisticsKey(rawValue: String(name.dropFirst("statistics by ".count))) {
      return try await store.seconds { store throws(StoreFailure) in
        _ = try store.statistics(by: key, where: HistoryQuery())
      }
    }
    guard let query = samples.query(name) else { return nil }
    try await indexWords()
    return try await store.seconds { store throws(StoreFailure) in _ = try store.history(query) }
  }

  private func checkpointed(_ seconds: Double) throws -> Double {
    guard seconds >= 0 else { throw YardstickFailure() }
    raw_sqlite_checkpoint(raw)
    return seconds / Double(StoreWorkload.round)
  }
}

extension Store {
  /// The seconds that something takes on the store's thread.
  func seconds(
    of work: @Sendable (isolated Store) throws(StoreFailure) -> Void
  ) throws(StoreFailure) -> Double {
    let started = Clock.monotonicMicroseconds
    try work(self)
    return Double(Clock.monotonicMicroseconds - started) / 1e6
  }

  /// Looks at the clock, on the store's thread; a visit that does nothing would be left out.
  @inline(never)
  fileprivate func visit() -> Int64 { Clock.monotonicMicroseconds }
}

/// Exchanges like those of a person's work, the same ones at each run.
struct ExchangeSamples {
  private var number: Int = 0
  private var random = SplitMix(state: 7)

  private static let hosts = (0..<40).map { "api\($0).example.com" }
  private static let resources = ["users", "orders", "invoices", "teams", "events", "files"]
  private static let words = (0..<4_000).map { index in
    String(index &* 2_654_435_761 % 11_881_376, radix: 26)
  }

  /// Passes over exchanges that were recorded before.
  mutating func skip(_ count: Int) { number += count }

  /// The next exchanges.
  mutating func next(_ count: Int) -> [Exchange] { (0..<count).map { _ in next() } }

  private mutating func next() -> Exchange {
    defer { number += 1 }
    let startedAt = 1_700_000_000_000 + Int64(number) * 1_000
    // A few hosts get most of the requests.
    let host = ExchangeSamples.hosts[min(pick(40), pick(40), pick(40))]
    let resource = ExchangeSamples.resources[pick(6)]
    let url = "https://\(host)/v1/\(resource)/\(pick(100_000))?page=\(pick(9))"
    // The busiest host never fails, so that both together find nothing.
    let isBusiest = host == ExchangeSamples.hosts[0]
    let status = isBusiest ? 200 : pick(20) == 0 ? 404 : pick(50) == 0 ? 500 : 200
    var exchange = Exchange(
      id: Identifier.version7(milliseconds: startedAt, random: (random.next(), random.next())),
      startedAt: startedAt, file: "/project/\(resource).http", line: 3 * pick(10),
      template: "GET https://{{host}}/v1/\(resource)/{{id}}?page={{page}}\n",
      request: SentRequest(
        method: pick(5) == 0 ? "POST" : "GET", url: url,
        headers: [("Accept", "application/json"), ("User-Agent", "PostKit")]),
      state: .done)
    exchange.requestName = "\(resource) \(pick(10))"
    exchange.environment = pick(2) == 0 ? "dev" : "test"
    exchange.timings.total = Int64(1_000 + pick(900_000))
    exchange.remoteAddress = "192.0.2.\(pick(200)):443"
    let body = Array(text(words: 40).utf8)
    exchange.response = Response(
      httpVersion: "HTTP/1.1", status: status, reason: "OK",
      headers: [
        ("Content-Type", "application/json"), ("Date", "Sat, 21 Nov 2026 10:00:00 GMT"),
        ("Content-Length", "\(body.count)"), ("X-Request-Id", word()),
      ],
      body: .bytes(body), wireSize: body.count, decodedSize: body.count)
    return exchange
  }

  private mutating func text(words count: Int) -> String {
    var fields: [String] = []
    for _ in 0..<count / 2 { fields.append("\"\(word())\": \"\(word())\"") }
    return "{" + fields.joined(separator: ", ") + "}"
  }

  /// The query that a name stands for.
  mutating func query(_ name: String) -> HistoryQuery? {
    var query = HistoryQuery(limit: 50)
    switch name {
    case "newest page": break
    case "page of a host": query.host = ExchangeSamples.hosts[pick(40)]
    case "page of a status": query.statusClass = [2, 4, 5][pick(3)]
    case "page of a request":
      query.file = "/project/\(ExchangeSamples.resources[pick(6)]).http"
      query.environment = "dev"
    case "next page":
      let place = 1_700_000_000_000 + Int64(pick(max(number, 1))) * 1_000
      query.after = HistoryQuery.Cursor(startedAt: place, id: "~", sequence: .max)
    case "word": query.text = word()
    case "page of two filters": filter(&query, ExchangeSamples.all)
    case "page of two filters that many meet": filter(&query, ExchangeSamples.common)
    case "page of two filters that few meet": filter(&query, ExchangeSamples.rare)
    case "beginning of words":
      // All but the third are in every exchange.
      query.text = ["exam", "appl", "invo", "2026"][pick(4)]
    case "two words": query.text = "\(word()) \(word())"
    case "two words that never meet":
      // Two hosts: each has many exchanges, and none has both.
      let host = pick(20)
      query.text = "\"api\(host)\" \"api\(host + 1 + pick(19))\""
    default: return nil
    }
    return query
  }

  /// What filters are set to.
  private struct Values {
    var hosts: Range<Int>
    var statuses: [Int]
    var methods: [String]
    var environments = ["dev", "test"]
    var labels: [String] = []
    /// Which of all exchanges the time begins with.
    var times: ClosedRange<Double>
  }

  private static let all = Values(
    hosts: 0..<40, statuses: [200, 404, 500], methods: ["GET", "POST", "DELETE"],
    labels: ["release"], times: 0...1)
  /// So many meet any two of these that each page is full, in a short history, too.
  private static let common = Values(
    hosts: 0..<4, statuses: [200], methods: ["GET"], times: 0...0.5)
  /// Few or none meet any two of these.
  private static let rare = Values(
    hosts: 20..<40, statuses: [404, 500], methods: ["DELETE"], environments: ["none"],
    labels: ["release"], times: 0.99...1)

  /// Sets two filters.
  private mutating func filter(_ query: inout HistoryQuery, _ values: Values) {
    let count = values.labels.isEmpty ? 7 : 8
    let first = pick(count)
    for filter in [first, (first + 1 + pick(count - 1)) % count] {
      let status = values.statuses[pick(values.statuses.count)]
      switch filter {
      case 0: query.host = ExchangeSamples.hosts[values.hosts.lowerBound + pick(values.hosts.count)]
      case 1: query.status = status
      case 2: query.statusClass = status / 100
      case 3: query.file = "/project/\(ExchangeSamples.resources[pick(6)]).http"
      case 4: query.environment = values.environments[pick(values.environments.count)]
      case 5: query.method = values.methods[pick(values.methods.count)]
      case 7: query.label = values.labels[0]
      default:
        let (start, end) = (values.times.lowerBound, values.times.upperBound)
        let part = start + (end - start) * Double(pick(1_000)) / 1_000
        query.since = 1_700_000_000_000 + Int64(Double(number) * part) * 1_000
      }
    }
  }

  private mutating func word() -> String {
    // Some words are in nearly every body, most in a few.
    ExchangeSamples.words[min(pick(4_000), pick(4_000))]
  }

  private mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  /// A generator with a fixed beginning (Steele, Lea, Flood: SplitMix64).
  private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
