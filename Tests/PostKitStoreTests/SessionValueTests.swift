// Session values by hand: each says what it is, and can be forgotten without a trace.

import PostKitHTTP
import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct SessionValueTests {
  private func fill(_ store: Store) async throws {
    try await store.setSessionValue(SessionKey.environment.text, folder: "/w", to: "dev")
    try await store.setSessionValue(SessionKey.trust.text, folder: "/w", to: "yes")
    try await store.setSessionValue(SessionKey.answer("user").text, folder: "/w", to: "Ada")
    for environment in ["dev", "prod"] {
      try await store.keep(
        globals: [JSONMember("count", "session-canary-3")], forgetting: [],
        of: WorkspaceEnvironment(folder: "/w", environment: environment))
    }
    try await store.setSessionValue(SessionKey.environment.text, folder: "/x", to: "")
  }

  private func keys(_ rows: [Model.SessionValue]) -> [String] {
    rows.map { "\($0.owner.folder) \($0.owner.environment) \($0.key)" }
  }

  @Test(arguments: [
    ("environment", SessionKey.environment), ("trust", .trust), ("input:", .answer("")),
    ("input:a:b", .answer("a:b")), ("global:x", .global("x")), ("globals", .other("globals")),
    ("", .other("")),
  ])
  func `a key says what a value is`(text: String, key: SessionKey) {
    #expect(SessionKey(text) == key)
    #expect(key.text == text)
  }

  @Test func `values are listed by folder, environment and key`() async throws {
    let start = Clock.wallMilliseconds
    let store = try await Store.inMemory()
    try await fill(store)
    let rows = try await store.sessionValues(SessionQuery())
    #expect(
      keys(rows) == [
        "/w  environment", "/w  input:user", "/w  trust", "/w dev global:count",
        "/w prod global:count", "/x  environment",
      ])
    #expect(rows.map(\.kind.name) == [nil, "user", nil, "count", "count", nil])
    #expect(rows.map(\.value) == ["dev", "Ada", "yes"] + Array(repeating: #""session-canary-3""#, count: 2) + [""])
    #expect((start...Clock.wallMilliseconds).contains(rows[0].updatedAt))
    let globals = try await store.fetch(
      FetchDescriptor<Model.SessionValue>(where: { $0.key >= "global:" && $0.key < "global;" }))
    #expect(globals.count == 2)
  }

  @Test func `what is forgotten is chosen by key, folder and environment`() async throws {
    let store = try await Store.inMemory()
    try await fill(store)
    var query = SessionQuery()
    query.keys = ["global:count", "absent"]
    query.environment = "prod"
    #expect(try await store.forget(query) == 1)
    query = SessionQuery()
    query.folder = "/w"
    query.environment = ""
    #expect(try await store.forget(query) == 3)
    let left = try await store.sessionValues(SessionQuery())
    #expect(keys(left) == ["/w dev global:count", "/x  environment"])
    #expect(try await store.sessionValue(SessionKey.trust.text, folder: "/w") == nil)
  }

  @Test func `forgetting leaves nothing in the files and is announced`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await fill(store)
    let other = try await Store.open(place.store)
    var changes = other.changes().makeAsyncIterator()
    #expect(try await store.forget(SessionQuery()) == 6)
    #expect(await changes.next()?.scopes == [.session])
    #expect(try await places(of: "session-canary-3", in: place) == [])
    await other.close()
    await store.close()
  }
}
