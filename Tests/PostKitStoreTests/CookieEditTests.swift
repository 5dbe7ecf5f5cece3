// Cookies of all jars by hand: found by what they are for, paged, and deleted without a trace.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct CookieEditTests {
  private static let dev = WorkspaceEnvironment(folder: "/w", environment: "dev")
  private static let plain = WorkspaceEnvironment(folder: "/w", environment: nil)
  private static let other = WorkspaceEnvironment(folder: "/x", environment: "dev")

  private static func cookie(
    _ domain: String, _ path: String, _ name: String, expires: Int64? = nil
  ) -> Cookie {
    Cookie(
      key: Cookie.Key(domain: domain, path: path, name: name), value: "cookie-canary-7",
      expires: expires)
  }

  private func fill(_ store: Store) async throws {
    let far = Clock.wallMilliseconds / 1_000 + 1_000
    let jars: [(WorkspaceEnvironment, [Cookie])] = [
      (Self.plain, [Self.cookie("a.test", "/", "sid")]),
      (
        Self.dev,
        [
          Self.cookie(".a.test", "/", "sid"), Self.cookie("A.test", "/api", "theme", expires: far),
          Self.cookie("b.a.test", "/", "sid"), Self.cookie("ba.test", "/", "x_1"),
        ]
      ),
      (Self.other, [Self.cookie("127.0.0.1", "/", "sid")]),
    ]
    for (jar, cookies) in jars {
      try await store.change(CookieChanges(from: [], to: cookies), of: jar)
    }
  }

  private func text(_ rows: [Model.Cookie]) -> [String] {
    rows.map {
      "\($0.jar.folder) \($0.jar.environment) \($0.cookie.key.domain) \($0.cookie.key.name)"
    }
  }

  @Test func `a row has all of a cookie and whose it is`() async throws {
    let start = Clock.wallMilliseconds
    let store = try await Store.inMemory()
    let cookie = Cookie(
      key: Cookie.Key(domain: ".a.test", path: "/p", name: "n"), value: "v", expires: 9_999_999_999,
      includesSubdomains: true, isSecure: true, isHTTPOnly: true)
    try await store.change(CookieChanges(from: [], to: [cookie]), of: Self.dev)
    let row = try #require(try await store.cookies(CookieQuery()).first)
    #expect(row.cookie == cookie)
    #expect(row.jar == Self.dev)
    #expect((start...Clock.wallMilliseconds).contains(row.updatedAt))
    let byFlag = FetchDescriptor<Model.Cookie>(where: { $0.isSecure == true && $0.value == "v" })
    #expect(try await store.fetch(byFlag).count == 1)
  }

  @Test(arguments: [
    ("", ["/w  a.test sid", "/w dev .a.test sid", "/w dev A.test theme", "/w dev b.a.test sid",
      "/w dev ba.test x_1", "/x dev 127.0.0.1 sid"]),
    ("domain a.test", ["/w  a.test sid", "/w dev .a.test sid", "/w dev A.test theme",
      "/w dev b.a.test sid"]),
    ("domain .B.a.TEST", ["/w dev b.a.test sid"]), ("domain .0.1", ["/x dev 127.0.0.1 sid"]),
    ("domain a%", []), ("path /api", ["/w dev A.test theme"]), ("path /ap", []),
    ("name x_1", ["/w dev ba.test x_1"]), ("name x%1", []), ("folder /x", ["/x dev 127.0.0.1 sid"]),
    ("environment ", ["/w  a.test sid"]),
  ])
  func `cookies are found by what they are for`(filter: String, expected: [String]) async throws {
    let store = try await Store.inMemory()
    try await fill(store)
    var query = CookieQuery()
    let words = filter.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch words[0] {
    case "domain": query.domain = words[1]
    case "path": query.path = words[1]
    case "name": query.name = words[1]
    case "folder": query.folder = words[1]
    case "environment": query.environment = words[1]
    default: break
    }
    #expect(try await text(store.cookies(query)) == expected)
    #expect(try await store.editCookies([.clear(query)]).count == expected.count)
    #expect(try await store.cookies(query).isEmpty)
    #expect(try await store.cookies(CookieQuery()).count == 6 - expected.count)
  }

  @Test func `pages begin where the one before ended, whatever was deleted`() async throws {
    let store = try await Store.inMemory()
    try await fill(store)
    let first = try await store.cookies(CookieQuery(), limit: 2)
    let last = try #require(first.last)
    let key = last.cookie.key
    _ = try await store.editCookies([.delete(key, of: last.jar)])
    let next = try await store.cookies(
      CookieQuery(), limit: 2,
      after: PageKey(last.jar.folder, last.jar.environment, key.domain, key.path, key.name))
    #expect(text(next) == ["/w dev A.test theme", "/w dev b.a.test sid"])
  }

  @Test func `edits are one transaction that a stale revision refuses`() async throws {
    let store = try await Store.inMemory()
    try await fill(store)
    let revision = try await store.cookiesRevision()
    var query = CookieQuery()
    query.folder = "/x"
    let edits: [CookieEdit] = [
      .delete(Cookie.Key(domain: "a.test", path: "/", name: "sid"), of: Self.plain),
      .delete(Cookie.Key(domain: "a.test", path: "/", name: "sid"), of: Self.other),
      .clear(query),
    ]
    // What else happens in the store is no reason to refuse.
    try await store.setSessionValue("environment", folder: "/w", to: "dev")
    let result = try await store.editCookies(edits, ifRevision: revision)
    #expect(result == (2, revision + 1))
    #expect(try await store.cookiesRevision() == revision + 1)
    await #expect(throws: StoreFailure.changedMeanwhile(path: ":memory:")) {
      try await store.editCookies([.clear(CookieQuery())], ifRevision: revision)
    }
    #expect(try await store.cookies(CookieQuery()).count == 4)
  }

  @Test func `an expired cookie is in no list and counts for nobody`() async throws {
    let store = try await Store.inMemory()
    try await fill(store)
    try await store.change(Model.Cookie.self) { connection throws(SQLiteError) in
      _ = try connection.update(Model.Cookie.self, where: { $0.name == "theme" }) {
        [$0.expiresAt.set(to: 1)]
      }
    }
    #expect(try await store.cookies(CookieQuery()).count == 5)
    #expect(try await store.editCookies([.clear(CookieQuery())]).count == 5)
    #expect(try await store.fetch(FetchDescriptor<Model.Cookie>()).isEmpty)
  }

  @Test func `nothing of what was deleted can be read in the files`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await fill(store)
    #expect(try await !places(of: "cookie-canary-7", in: place).isEmpty)
    #expect(try await store.editCookies([.clear(CookieQuery())]).count == 6)
    #expect(try await places(of: "cookie-canary-7", in: place) == [])
    await store.close()
  }

  @Test func `deleting is announced to others`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await fill(store)
    let other = try await Store.open(place.store)
    var changes = other.changes().makeAsyncIterator()
    _ = try await store.editCookies([.clear(CookieQuery())])
    #expect(await changes.next()?.scopes == [.cookies])
    await other.close()
    await store.close()
  }
}
