// Cookies outlive a process, each in the jar of its folder and environment (PK-83).

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct CookieStoreTests {
  let jar = WorkspaceEnvironment(folder: "/w", environment: "dev")

  static func cookie(_ name: String, _ value: String = "1", expires: Int64? = nil) -> Cookie {
    Cookie(
      key: Cookie.Key(domain: ".a.test", path: "/p", name: name), value: value, expires: expires,
      includesSubdomains: true, isSecure: true, isHTTPOnly: true)
  }

  @Test func `a jar keeps what was set until it is removed`() async throws {
    let directory = try TemporaryDirectory()
    let location = StoreLocation(directory: directory.path("store"))
    let far = Clock.wallMilliseconds / 1_000 + 1_000
    let (a, b) = (Self.cookie("a"), Self.cookie("b", "two words", expires: far))
    let store = try await Store.open(location)
    try await store.change(CookieChanges(from: [], to: [a, b]), of: jar)
    await store.close()

    let next = try await Store.open(location)
    #expect(try await next.cookies(of: jar) == [a, b])
    let newer = Self.cookie("b", "3")
    try await next.change(CookieChanges(from: [a, b], to: [newer]), of: jar)
    #expect(try await next.cookies(of: jar) == [newer])
  }

  @Test func `other folders and environments have other jars`() async throws {
    let store = try await Store.inMemory()
    try await store.change(CookieChanges(from: [], to: [Self.cookie("a")]), of: jar)
    for other in [
      WorkspaceEnvironment(folder: "/w", environment: nil), WorkspaceEnvironment(folder: "/x", environment: "dev"),
    ] { #expect(try await store.cookies(of: other).isEmpty) }
  }

  @Test func `what has expired is not given out, and is forgotten`() async throws {
    let store = try await Store.inMemory()
    let old = Self.cookie("old", expires: 1_000)
    try await store.change(CookieChanges(from: [], to: [old, Self.cookie("a")]), of: jar)
    #expect(try await store.cookies(of: jar) == [Self.cookie("a")])
    #expect(try await store.fetch(FetchDescriptor<Model.Cookie>()).count == 1)
  }

  @Test func `what expires later is forgotten with what is old in the history`() async throws {
    let store = try await Store.inMemory()
    let now = Clock.wallMilliseconds
    let soon = Self.cookie("soon", expires: now / 1_000 + 60)
    try await store.change(CookieChanges(from: [], to: [soon, Self.cookie("a")]), of: jar)
    let revision = try await store.revision()
    #expect(try await !store.trim(Retention(), now: now))
    #expect(try await store.revision() == revision, "nothing has expired yet")
    #expect(try await !store.trim(Retention(), now: now + 61_000))
    #expect(try await store.cookiesRevision() == 2)
    let names = try await store.fetch(FetchDescriptor<Model.Cookie>()) { $0.name }
    #expect(names == ["a"])
  }

  @Test func `listeners are told that cookies changed`() async throws {
    let store = try await Store.inMemory()
    var changes = store.changes().makeAsyncIterator()
    try await store.change(CookieChanges(from: [], to: [Self.cookie("a")]), of: jar)
    #expect(await changes.next()?.scopes == [.cookies])
  }
}
