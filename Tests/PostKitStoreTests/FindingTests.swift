// Stored requests are found by what is in them, sorted and in pages.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct FindingTests {
  /// A request with a name and what it is found by.
  private static func request(
    _ name: String?, _ method: String, _ url: String, headers: [StoredField] = [],
    parameters: [StoredField] = [], tags: [String] = []
  ) -> StoredRequestContent {
    StoredRequestContent(
      source: "\(method) \(url)\n", name: name, method: method, url: url, headers: headers,
      parameters: parameters, tags: tags)
  }

  /// A shop with requests in a folder below another, and a collection with one request.
  private static func store() async throws -> Store {
    let store = try await Store.inMemory()
    try await store.edit([
      .createCollection(id: id(1), name: "Shop"),
      .createCollection(id: id(2), name: "Notes"),
      .createFolder(id: id(3), name: "orders", in: .collection(id(1))),
      .createFolder(id: id(4), name: "returns", in: .folder(id(3))),
      .createRequest(
        id: id(10), request("Status", "GET", "https://shop.example/status", tags: ["smoke"]),
        in: .collection(id(1))),
      .createRequest(
        id: id(11),
        request(
          "Straße ändern", "PUT", "/address",
          headers: [StoredField("Content-Type", "application/json"), StoredField("X-Id", "Ä1")]),
        in: .folder(id(3))),
      .createRequest(
        id: id(12),
        request(
          nil, "GET", "/orders?page=1&sort=Name",
          parameters: [StoredField("page", "1"), StoredField("sort", "Name", isEnabled: false)],
          tags: ["smoke", "slow"]), in: .folder(id(3))),
      .createRequest(
        id: id(13),
        request("back", "DELETE", "/returns/1", headers: [StoredField("X-Id", "", isEnabled: false)]),
        in: .folder(id(4))),
      .createRequest(id: id(14), request("arger", "GET", "/notes"), in: .collection(id(2))),
    ])
    return store
  }

  private static let all: [(String, @Sendable (inout RequestQuery) -> Void, [Int])] = [
    ("nothing", { _ in }, [13, 11, 12, 10, 14]),
    ("another case", { $0.text = "STATUS" }, [10]),
    ("no accents", { $0.text = "strasse andern" }, [11]),
    ("a part of a word", { $0.text = "tatu" }, [10]),
    ("a phrase", { $0.text = "\"get /orders\"" }, [12]),
    ("words of name and target", { $0.text = "returns back" }, [13]),
    ("a tag as a word", { $0.text = "slow" }, [12]),
    ("no request", { $0.text = "status slow" }, []),
    ("a method", { $0.method = "get" }, [12, 10, 14]),
    ("a header in any case", { $0.header = .init("content-type") }, [11]),
    ("a header's value", { $0.header = .init("X-ID", "a1") }, [11]),
    ("a header that is switched off", { $0.header = .init("x-id") }, [13, 11]),
    ("any header's value", { $0.header = .init(nil, "JSON") }, [11]),
    ("a parameter", { $0.parameter = .init("page") }, [12]),
    ("a parameter in another case", { $0.parameter = .init("Page") }, []),
    ("a parameter's value", { $0.parameter = .init("sort", "nam") }, [12]),
    ("a tag", { $0.tag = "smoke" }, [12, 10]),
    ("a part of a tag", { $0.tag = "smok" }, []),
    ("a tag and a method", { ($0.tag, $0.text) = ("smoke", "status") }, [10]),
    ("a folder with those below", { $0.container = .folder(id(3)) }, [13, 11, 12]),
    ("a collection", { $0.container = .either(id(2)) }, [14]),
    ("a folder that is gone", { $0.container = .folder(id(99)) }, []),
    ("favourites", { $0.isFavourite = true }, []),
    ("others", { $0.isFavourite = false }, [13, 11, 12, 10, 14]),
    ("by name", { $0.sort = .name }, [14, 13, 12, 10, 11]),
  ]

  @Test(arguments: FindingTests.all.indices)
  func `requests are found`(case index: Int) async throws {
    let (what, ask, expected) = FindingTests.all[index]
    let store = try await FindingTests.store()
    var query = RequestQuery()
    ask(&query)
    let page = try await store.findRequests(query, deriving: FindingTests.derives)
    #expect(page.requests.map(\.request.id) == expected.map { id($0) }, "\(what)")
    #expect(page.total == expected.count && page.cursor == nil)
  }

  /// Nothing has to be derived in these tests unless they say so.
  private static let derives: RequestDeriving = { source, _ in
    request("derived \(source.prefix { $0 != "\n" })", "GET", "/derived", tags: ["old"])
  }

  @Test func `a found request has its path and its tags`() async throws {
    let store = try await FindingTests.store()
    let page = try await store.findRequests(
      RequestQuery(text: "orders"), deriving: FindingTests.derives)
    #expect(page.requests.map(\.path) == ["Shop/orders/GET /orders?page=1&sort=Name"])
    #expect(page.requests.map(\.tags) == [["smoke", "slow"]])
  }

  @Test(arguments: RequestQuery.Sort.allCases)
  func `pages follow each other and have each request once`(
    sort: RequestQuery.Sort
  ) async throws {
    let store = try await FindingTests.store()
    for (place, number) in [10, 11, 13, 10].enumerated() {
      var exchange = Sample.exchange(place)
      exchange.storedRequestID = id(number)
      try await store.record(exchange)
    }
    var query = RequestQuery(sort: sort, limit: 100)
    let whole = try await store.findRequests(query, deriving: FindingTests.derives)
    #expect(whole.requests.count == (sort == .recent ? 3 : 5))
    query.limit = 2
    var found: [FoundRequest] = []
    repeat {
      let page = try await store.findRequests(query, deriving: FindingTests.derives)
      #expect(page.requests.count <= 2 && page.total == whole.total)
      found += page.requests
      query.cursor = page.cursor
    } while query.cursor != nil
    #expect(found == whole.requests)
    if sort == .recent { #expect(found.map(\.request.id) == [id(10), id(13), id(11)]) }
  }

  @Test func `what was changed or made last comes first`() async throws {
    let store = try await FindingTests.store()
    for (number, time) in [(10, 5), (11, 9), (12, 7), (13, 1), (14, 3)] {
      try await store.runOnCollections(
        "UPDATE http_request SET updated_at = ?, created_at = ? WHERE id = ?",
        [.int(Int64(time)), .int(Int64(-time)), .text(id(number))])
    }
    let page = try await store.findRequests(
      RequestQuery(sort: .updated), deriving: FindingTests.derives)
    #expect(page.requests.map(\.request.id) == [11, 12, 10, 14, 13].map { id($0) })
  }

  @Test func `a cursor holds for one order and one state of the collections`() async throws {
    let store = try await FindingTests.store()
    var query = RequestQuery(sort: .name, limit: 1)
    let cursor = try #require(
      try await store.findRequests(query, deriving: FindingTests.derives).cursor)
    query.cursor = cursor
    query.sort = .order
    await expectRefusal(store, query, "belongs to the order `name`")
    query.sort = .name
    try await store.edit([.rename(id: id(3), to: "Orders")])
    await expectRefusal(store, query, "is older than the last change")
    query.cursor = "12"
    await expectRefusal(store, query, "is none of an earlier page")
  }

  private func expectRefusal(_ store: Store, _ query: RequestQuery, _ part: String) async {
    do throws(StoreFailure) {
      _ = try await store.findRequests(query, deriving: FindingTests.derives)
      Issue.record("\(query.cursor ?? "") was taken")
    } catch {
      #expect(error.message.contains(part))
      #expect(error.message.contains("Ask for the first page again."))
    }
  }

  @Test func `what an older PostKit writes is derived when somebody asks`() async throws {
    let store = try await FindingTests.store()
    // As an older one does it: it knows none of the new columns and tables.
    try await store.runOnCollections(
      """
      INSERT INTO http_request (id, created_at, updated_at, collection_id, sort_order, method, url,
        source) VALUES (?, 1, 1, ?, 9, 'GET', '/old', 'old')
      """, [.text(id(20)), .text(id(2))])
    try await store.runOnCollections(
      "UPDATE http_request SET source = 'other', updated_at = 77 WHERE id = ?", [.text(id(10))])
    let revision = try await store.collectionsRevision()
    let page = try await store.findRequests(
      RequestQuery(text: "derived"), deriving: FindingTests.derives)
    #expect(page.requests.map(\.request.name) == ["derived other", "derived old"])
    #expect(page.requests.map(\.tags) == [["old"], ["old"]])
    #expect(page.requests.map(\.request.updatedAt) == [77, 1])
    #expect(page.revision == revision)
    // Once is enough.
    try await store.runOnCollections("UPDATE request_search SET search_text = 'kept' WHERE http_request_id = ?",
      [.text(id(20))])
    let again = try await store.findRequests(
      RequestQuery(text: "kept"), deriving: FindingTests.derives)
    #expect(again.requests.map(\.request.id) == [id(20)])
  }

  @Test func `a request is found where it was moved, and copies are found`() async throws {
    let store = try await FindingTests.store()
    try await store.edit([
      .move(id: id(12), to: .collection(id(2)), at: .first),
      .duplicate(id: id(1), as: id(30)),
      .delete(id: id(10)),
    ])
    var query = RequestQuery()
    query.container = .collection(id(2))
    var page = try await store.findRequests(query, deriving: FindingTests.derives)
    #expect(page.requests.map(\.request.id) == [id(12), id(14)])
    query = RequestQuery(text: "status")
    page = try await store.findRequests(query, deriving: FindingTests.derives)
    #expect(page.requests.map(\.path) == ["Shop copy/Status"])
    query.tag = "smoke"
    page = try await store.findRequests(query, deriving: FindingTests.derives)
    #expect(page.total == 1)
  }

  @Test func `a damaged index of requests is made anew`() async throws {
    let store = try await FindingTests.store()
    try await store.runOnCollections("DELETE FROM request_search")
    let page = try await store.findRequests(
      RequestQuery(text: "derived"), deriving: FindingTests.derives)
    #expect(page.total == 5)
  }

  @Test func `no search reads the texts of requests`() async throws {
    let store = try await FindingTests.store()
    for sql in [
      "SELECT http_request_id FROM request_tag WHERE tag = 'a'",
      "SELECT http_request_id, value FROM request_header WHERE key = 'a' COLLATE NOCASE",
      "SELECT http_request_id, value FROM query_parameter WHERE key = 'a'",
    ] {
      let plan = try await store.planOfCollections(sql)
      #expect(plan.allSatisfy { $0.contains("USING COVERING INDEX") }, "\(plan)")
    }
  }

  @Test func `paths are looked up in indexes, however many siblings there are`() async throws {
    let store = try await FindingTests.store()
    for sql in [
      "SELECT id FROM collection WHERE name IN (SELECT value FROM json_each('[]'))",
      """
      SELECT id FROM folder WHERE collection_id = '' AND parent_id = ''
        AND name IN (SELECT value FROM json_each('[]'))
      """,
      """
      SELECT id FROM http_request WHERE collection_id = '' AND folder_id IS NULL
        AND \(CollectionTable.captionSQL) IN (SELECT value FROM json_each('[]'))
      """,
    ] {
      let plan = try await store.planOfCollections(sql)
      #expect(plan[0].contains("_by_name") || plan[0].contains("_by_caption"), "\(plan)")
    }
  }

  @Test func `nodes of the tree have paths, totals of all levels and tags`() async throws {
    let store = try await FindingTests.store()
    let nodes = try await store.look { reader throws(StoreFailure) in
      try reader.completed(reader.tree(in: .collection(id(1))))
    }
    #expect(nodes.map(\.path) == ["Shop/orders", "Shop/Status"])
    #expect(nodes.map(\.requestCount) == [3, 0])
    #expect(nodes[0].children.map(\.requestCount) == [1, 0, 0])
    #expect(nodes[1].tags == ["smoke"])
  }
}

extension Store {
  /// Runs a statement past all that PostKit does about it, as another program may.
  func runOnCollections(_ sql: String, _ values: [SQLValue] = []) throws {
    try openCollections().connection.run(sql, values)
  }

  /// How SQLite answers a question to the collections.
  func planOfCollections(_ sql: String) throws -> [String] {
    try openCollections().connection.rows("EXPLAIN QUERY PLAN \(sql)") { $0.text(3) }
  }
}
