// The plans of queries that people wait for: each reads an index, none a whole table or a sorter.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct QueryPlanTests {
  @Test(arguments: [
    ("newest page", HistoryQuery()),
    ("next page", with { $0.after = place }),
    ("host", with { $0.host = "a" }),
    ("next page of a host", with { ($0.host, $0.after) = ("a", place) }),
    ("status", with { $0.status = 404 }),
    ("status class", with { $0.statusClass = 5 }),
    ("next page of a status class", with { ($0.statusClass, $0.after) = (5, place) }),
    ("a file", with { $0.file = "f" }),
    ("next page of a file", with { ($0.file, $0.after) = ("f", place) }),
    ("a file in an environment", with { ($0.file, $0.environment) = ("f", "e") }),
    ("since", with { $0.since = 1 }),
    ("between", with { ($0.since, $0.until) = (1, 2) }),
    (
      "a request in an environment",
      with { ($0.file, $0.requestName, $0.environment) = ("f", "n", "e") }
    ),
  ])
  func `pages of the history`(name: String, query: HistoryQuery) throws {
    try check(query.rendered(), name)
  }

  /// Counts instructions of SQLite's machine, which a busy machine doesn't change.
  @Test(arguments: [false, true])
  func `two conditions of a skewed history take hardly more than one`(
    grewFromEmpty: Bool
  ) async throws {
    let store = try await Store.inMemory()
    let count = 20_000
    // A server that lives long has planned its statements when there was nothing.
    if grewFromEmpty {
      for (_, query) in pairs { #expect(try await store.history(query).isEmpty) }
    }
    for number in 0..<count { store.enqueue(skewed(number)) }
    try await store.flush()
    #expect(try await store.group(milliseconds: 600_000))
    for (name, query) in pairs {
      let steps = try await store.steps(of: query)
      #expect(steps < count, "\(name) takes \(steps) instructions of \(count) exchanges")
    }
    // A condition without an index of its own does take them, so that they are worth counting.
    var slow = HistoryQuery()
    slow.requestName = "nobody"
    #expect(try await store.steps(of: slow) > 4 * count)
  }

  /// Of two conditions each is met by many, and both by few or none.
  private var pairs: [(String, HistoryQuery)] {
    let values: [(String, (inout HistoryQuery) -> Void)] = [
      ("host", { $0.host = "busy.test" }), ("status", { $0.status = 404 }),
      ("class", { $0.statusClass = 5 }), ("file", { $0.file = "/p/rare.http" }),
      ("environment", { $0.environment = "prod" }), ("method", { $0.method = "DELETE" }),
      ("label", { $0.label = "one" }), ("time", { $0.until = Sample.start + 9_000_000 }),
    ]
    var pairs: [(String, HistoryQuery)] = []
    for (index, first) in values.enumerated() {
      for second in values[(index + 1)...] {
        pairs.append(
          ("\(first.0) and \(second.0)", with { query in
            first.1(&query)
            second.1(&query)
          }))
      }
    }
    return pairs
  }

  /// Nine of ten go to one host, which never fails; all that is rare is elsewhere.
  private func skewed(_ number: Int) -> Exchange {
    let isBusy = number % 10 != 0
    var exchange = Sample.exchange(
      number, url: isBusy ? "https://busy.test/x" : "https://host\(number % 70).test/x",
      file: number % 20 == 0 ? "/p/rare.http" : "/p/file\(number % 3).http",
      status: isBusy ? 200 : [404, 500, 404][number / 10 % 3])
    exchange.environment = isBusy ? "prod" : "dev"
    exchange.request.method = isBusy ? "GET" : "DELETE"
    return exchange
  }

  @Test func `typed queries on the history`() throws {
    typealias Entry = Model.HistoryEntry
    try check(FetchDescriptor<Entry>(where: { $0.id == "x" }).rendered(), "by id")
    try check(
      FetchDescriptor<Entry>(where: { $0.id >= "x" && $0.id < "x~" }).rendered(),
      "by beginning of id")
    try check(FetchDescriptor<Entry>(where: { $0.id.isIn(["x", "y"]) }).rendered(), "by ids")
    try check(
      FetchDescriptor<Entry>(
        where: { $0.file == "f" && $0.requestName == nil && $0.environment == nil },
        sortBy: { [$0.startedAt.descending] }, fetchLimit: 1
      ).rendered(), "latest of a request without a name")
    try check(Store.seen(host: "h", limit: 9).rendered(), "what was sent to a host")
    try check(Store.seen(host: nil, limit: 9).rendered(), "what was sent")
    try check(
      FetchDescriptor<Entry>(
        where: { $0.host == "h" && $0.startedAt >= 5 }, sortBy: { [$0.startedAt.descending] }
      ).rendered(), "by host since")
    try check(FetchDescriptor<Entry>(where: { $0.statusClass == 4 }).rendered(
        [Entry.columns.id.count.term], groups: []), "count")
    try check(
      Entry.deletion(where: Predicate { $0.startedAt < 5 && $0.isPinned == false }), "retention")
  }

  @Test func `cookies and session values`() throws {
    let place = PageKey("/w", "dev", "a.test", "/", "sid")
    try check(
      FetchDescriptor<Model.Cookie>(fetchLimit: 50, after: place).rendered(), "page of all jars")
    try check(
      FetchDescriptor<Model.Cookie>(
        where: { $0.workspaceFolder == "/w" && $0.environment == "dev" && $0.expiresAt == nil }
      ).rendered(), "a jar")
    try check(
      Model.SessionValue.deletion(where: Predicate { $0.workspaceFolder == "/w" }),
      "session values of a folder, deleted")
    try check(
      FetchDescriptor<Model.SessionValue>(where: { $0.workspaceFolder == "/w" }).rendered(),
      "session values of a folder, in order")
  }

  @Test func `the tree of the collections`() throws {
    func check(_ query: SQLQuery, _ name: String) throws {
      try self.check(query, name, schema: .collections)
    }
    try check(
      FetchDescriptor<Model.Collection>(sortBy: { [$0.sortOrder.ascending] }).rendered(), "all")
    try check(
      FetchDescriptor<Model.Folder>(
        where: { $0.collectionID == "c" && $0.parentID == nil },
        sortBy: { [$0.sortOrder.ascending] }
      ).rendered(), "folders of a collection")
    try check(
      FetchDescriptor<Model.HTTPRequest>(
        where: { $0.folderID == "f" }, sortBy: { [$0.sortOrder.ascending] }
      ).rendered(), "requests of a folder")
    try check(
      FetchDescriptor<Model.HTTPRequest>(where: { $0.collectionID == "c" }).rendered(
        [Model.HTTPRequest.columns.id.count.term], groups: []),
      "requests of a collection, counted")
    try check(
      FetchDescriptor<Model.Environment>(
        where: { $0.collectionID == nil }, sortBy: { [$0.sortOrder.ascending] }
      ).rendered(), "global environments")
    try check(
      FetchDescriptor<Model.Collection>(
        where: { $0.requests.count { $0.folderID == nil } > 0 && $0.folders.count > 1 },
        sortBy: { [$0.sortOrder.ascending] }
      ).rendered(), "over relationships")
    try check(
      Model.Variable.deletion(where: Predicate { $0.environmentID == "e" }), "delete variables")
  }

  /// Fails when a step of the plan scans a table without an index, or sorts.
  private func check(
    _ query: SQLQuery, _ name: String, schema: Schema = .history,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var notices: [StoreNotice] = []
    let file = try DatabaseFile(
      path: ":memory:", schema: schema, lock: nil, tracesStatements: false, notices: &notices)
    let steps = try file.connection.rows("EXPLAIN QUERY PLAN " + query.sql) { $0.text(3) }
    // A list that was bound is scanned, but not read from the file.
    for step in steps where !step.contains("SUBQUERY") && !step.hasPrefix("SCAN json_each") {
      #expect(step.contains("USING"), "\(name): \(step)", sourceLocation: sourceLocation)
      #expect(!step.contains("TEMP B-TREE"), "\(name): \(step)", sourceLocation: sourceLocation)
    }
    #expect(!steps.isEmpty, "\(name)", sourceLocation: sourceLocation)
  }
}

private let place = HistoryQuery.Cursor(startedAt: 1, id: "a", sequence: 1)

private func with(_ change: (inout HistoryQuery) -> Void) -> HistoryQuery {
  var query = HistoryQuery()
  change(&query)
  return query
}

extension Store {
  /// How many instructions of SQLite's machine a page takes.
  fileprivate func steps(of query: HistoryQuery) throws -> Int {
    let connection = try history().connection
    let before = connection.instructionCount
    _ = try history(query)
    return connection.instructionCount - before
  }
}
