// Pins, labels and notes, and the filters that find exchanges by them and by all else.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct MarkingTests {
  @Test func `a mark is written on many at once and raises the revision`() async throws {
    let store = try await Store.inMemory()
    for number in 0..<5 { try await store.record(Sample.exchange(number)) }
    let ids = [1, 3].map { Sample.exchange($0).id }
    let before = try await store.revision()
    #expect(try await store.mark(ids + ["absent"], as: .pinned(true)) == 2)
    #expect(try await store.revision() == before + 1)
    #expect(try await store.mark([ids[0].uppercased()], as: .label("bug 7")) == 1)
    #expect(try await store.mark([ids[1]], as: .note("as it was before")) == 1)
    let lines = try await store.history(HistoryQuery())
    #expect(lines.map(\.isPinned) == [false, true, false, true, false])
    #expect(lines.map(\.label) == [nil, nil, nil, "bug 7", nil])
    #expect(lines.map(\.note) == [nil, "as it was before", nil, nil, nil])
    try await store.mark(ids, as: .pinned(false))
    try await store.mark(ids, as: .label(""))
    try await store.mark(ids, as: .note(nil))
    let plain = try await store.history(HistoryQuery())
    #expect(plain.count == lines.count)
    #expect(plain.allSatisfy { !$0.isPinned && $0.label == nil && $0.note == nil })
  }

  @Test func `marks of one message are made together, if the store is as it was`() async throws {
    let store = try await Store.inMemory()
    for number in 0..<3 { try await store.record(Sample.exchange(number)) }
    let ids = (0..<3).map { Sample.exchange($0).id }
    let read = try await store.revision()
    let edit = HistoryEdit.mark([
      HistoryMarking(ids, as: .label("all")), HistoryMarking([ids[1]], as: .label("one")),
    ])
    let result = try await store.editHistory(edit, ifRevision: read)
    #expect(result.count == 4 && result.revision == read + 1)
    #expect(try await store.history(HistoryQuery()).map(\.label) == ["all", "one", "all"])
    for stale in [edit, .forget(.all)] {
      await #expect(throws: StoreFailure.changedMeanwhile(path: ":memory:")) {
        try await store.editHistory(stale, ifRevision: read)
      }
    }
    let rest = try await store.editHistory(.forget(.ids([ids[0]])), ifRevision: result.revision)
    #expect(rest.count == 1 && rest.revision > result.revision)
  }

  @Test func `what a query finds is marked and forgotten, with its number`() async throws {
    let store = try await Store.inMemory()
    for number in 0..<1_300 { store.enqueue(Sample.exchange(number, status: number % 2 * 4 + 200)) }
    try await store.flush()
    var odd = HistoryQuery(limit: 3)
    odd.status = 204
    #expect(try await store.historyCount(odd) == 650)
    #expect(try await store.mark(odd, as: .label("odd")) == 650)
    odd.label = "odd"
    #expect(try await store.historyCount(odd) == 650)
    await #expect(throws: StoreFailure.changedMeanwhile(path: ":memory:")) {
      try await store.mark(odd, as: .pinned(true), atMost: 649)
    }
    await #expect(throws: StoreFailure.changedMeanwhile(path: ":memory:")) {
      try await store.forget(.found(odd), atMost: 649)
    }
    var pinned = HistoryQuery()
    pinned.isPinned = true
    #expect(try await store.historyCount(pinned) == 0)
    let edit = HistoryEdit.markFound(odd, .pinned(true))
    #expect(try await store.editHistory(edit, ifRevision: nil, atMost: 650).count == 650)
    #expect(try await store.historyCount(pinned) == 650)
    #expect(try await store.forget(.found(odd), atMost: 650) == 650)
    #expect(try await store.historyCount(HistoryQuery()) == 650)
    #expect(try await store.historyCount(HistoryQuery(text: "users")) == 650)
    #expect(try await store.forget(.found(HistoryQuery(text: "nothing"))) == 0)
    #expect(try await store.forget(.found(HistoryQuery(text: "users"))) == 650)
    #expect(try await store.historyCount(HistoryQuery()) == 0)
  }

  @Test func `notes are found by their words, also when they change`() async throws {
    let store = try await Store.inMemory()
    try await store.record(Sample.exchange(1))
    #expect(try await store.history(HistoryQuery(text: "peculiar")).isEmpty)
    try await store.mark([Sample.exchange(1).id], as: .note("a peculiar answer"))
    #expect(try await store.history(HistoryQuery(text: "peculiar")).count == 1)
    try await store.mark([Sample.exchange(1).id], as: .label("ordinary"))
    #expect(try await store.history(HistoryQuery(text: "ordinary peculiar")).count == 1)
    try await store.mark([Sample.exchange(1).id], as: .note(nil))
    #expect(try await store.history(HistoryQuery(text: "peculiar")).isEmpty)
  }

  @Test func `an id may be given by its beginning`() async throws {
    let store = try await Store.inMemory()
    for number in 0..<2 { try await store.record(Sample.exchange(number)) }
    let id = Sample.exchange(1).id
    #expect(try await store.id(beginningWith: id.uppercased()) == id)
    #expect(try await store.id(beginningWith: String(id.prefix(7))) == nil)
    let short = String(id.prefix(8))
    await #expect(throws: StoreFailure.ambiguousID(path: ":memory:", prefix: short)) {
      try await store.id(beginningWith: short)
    }
  }

  @Test(arguments: [
    ("path", "/users", [3, 2, 1, 0]), ("path", "/users/4", [1, 0]), ("path", "/", [5, 3, 2, 1, 0]),
    ("path", "users", []), ("host", "other.org", [5]), ("minMs", "100", [2]),
    ("maxMs", "99", [6, 5, 4, 3, 1, 0]), ("minSize", "3", [1]), ("maxSize", "1", [6, 5, 4, 3, 2]),
    ("failedTests", "true", [3]), ("pinned", "true", [0]), ("pinned", "false", [6, 5, 4, 3, 2, 1]),
    ("label", "one", [0]), ("run", "run-7", [4]), ("status", "4xx", [6]), ("status", "404", [6]),
    ("method", "post", [6]), ("name", "login", [5, 4, 3, 2, 1, 0]), ("state", "failed", []),
    ("search", "other", [5]), ("since", "4", [6, 5, 4]), ("until", "2", [1, 0]),
  ])
  func `a filter selects what it says`(
    name: String, value: String, expected: [Int]
  ) async throws {
    let store = try await Store.inMemory()
    for exchange in exchanges { try await store.record(exchange) }
    try await store.mark([exchanges[0].id], as: .pinned(true))
    try await store.mark([exchanges[0].id], as: .label("one"))
    var query = HistoryQuery()
    try query.set(name, to: value) { Int64($0).map { Sample.start + $0 * 1_000 } }
    let ids = try await store.history(query).map(\.id)
    #expect(ids.map { id in exchanges.firstIndex { $0.id == id } } == expected)
  }

  @Test(arguments: [
    ("status", "40"), ("status", "9xx2"), ("state", "over"), ("since", "soon"), ("minMs", "-1"),
    ("maxSize", "big"), ("pinned", "yes"),
  ])
  func `a value that a filter can't have is told with what it must be`(
    name: String, value: String
  ) {
    var query = HistoryQuery()
    let problem = #expect(throws: HistoryQuery.NameProblem.self) {
      try query.set(name, to: value) { _ in nil }
    }
    guard case .expected = problem else {
      Issue.record("the problem is \(String(describing: problem))")
      return
    }
  }

  @Test func `every name is known, and no other`() {
    for name in HistoryQuery.names {
      var query = HistoryQuery()
      do throws(HistoryQuery.NameProblem) {
        try query.set(name, to: "") { _ in nil }
      } catch {
        #expect(error != .unknown, "\(name)")
      }
    }
    var query = HistoryQuery()
    #expect(throws: HistoryQuery.NameProblem.unknown) {
      try query.set("colour", to: "red") { _ in nil }
    }
  }

  @Test func `a path that many have is read by time`() async throws {
    let store = try await Store.inMemory()
    for number in 0..<1_200 { store.enqueue(Sample.exchange(number)) }
    try await store.flush()
    var query = HistoryQuery(limit: 2)
    query.path = "/us"
    let ids = try await store.history(query).map(\.id)
    #expect(ids == [1_199, 1_198].map { Sample.exchange($0).id })
  }

  private var exchanges: [Exchange] {
    let body = BodyContent.bytes
    let urls = [
      "/users/42?x=/none", "/users/4", "/users#/4", "/users", "", "", "?q=/users",
    ]
    var exchanges = urls.enumerated().map { number, path in
      Sample.exchange(
        number, url: "https://api.example.com\(path)", body: body(number == 1 ? [1, 2, 3] : [1]))
    }
    exchanges[0].response?.decodedSize = 2
    exchanges[2].timings.total = 100_000
    exchanges[3].tests = [TestResult(name: "\"passed\":false", passed: false)]
    exchanges[2].tests = [TestResult(name: "\"passed\":false", passed: true)]
    exchanges[4].runID = "run-7"
    exchanges[4].request.url = "mailto:someone"
    exchanges[5].request.url = "http://other.org"
    exchanges[6] = Sample.exchange(
      6, name: nil, url: "urn:x", status: 404, body: body([1]))
    exchanges[6].request.method = "POST"
    return exchanges
  }
}
