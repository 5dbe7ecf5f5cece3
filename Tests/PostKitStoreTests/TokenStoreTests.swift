// Tokens in the store: facts as rows, values as secrets, whatever happens between the two.

import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct TokenStoreTests {
  private static func facts(
    _ key: String = "k", folder: String = "/", acquired: Int64 = 1_000
  ) -> TokenFacts {
    var facts = TokenFacts(
      key: key, folder: folder, environment: "dev", configuration: "shop",
      grant: "authorizationCode", host: "id.example", acquired: acquired)
    (facts.clientID, facts.subject, facts.scope) = ("cli", "ann", "read write")
    (facts.expires, facts.refreshExpires, facts.isRefreshable) = (61_000, 90_000, true)
    return facts
  }

  @Test func `a token comes back as it was kept, and a later one takes its place`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    #expect(try await store.tokenFacts("k") == nil)
    #expect(try await TokenKeeper(store).values("k") == nil)
    try await TokenKeeper(store).keep(Self.facts(), values: "one")
    var later = Self.facts(acquired: 2_000)
    (later.clientID, later.expires, later.refreshExpires) = (nil, nil, nil)
    (later.subject, later.scope, later.isRefreshable) = (nil, nil, false)
    #expect(try await store.tokenFacts("k") == Self.facts())
    try await TokenKeeper(store).keep(later, values: "two")
    try await TokenKeeper(store).keep(Self.facts("l", folder: "/w"), values: "three")
    #expect(try await store.tokenFacts("k") == later)
    #expect(try await TokenKeeper(store).values("k") == "two")
    #expect(try await store.tokens(in: "/w").map(\.key) == ["l"])
    #expect(try await store.tokens().map(\.key) == ["k", "l"])
    await store.close()
    let again = try await Store.open(place.store)
    #expect(try await again.tokenFacts("k") == later)
    #expect(try await TokenKeeper(again).values("k") == "two")
    #expect(try await TokenKeeper(again).forget("k"))
    #expect(try await !TokenKeeper(again).forget("k"))
    #expect(try await again.tokenFacts("k") == nil)
    #expect(try await again.secrets.listed() == ["token:l"])
    await again.close()
  }

  @Test func `a value is in no database`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await TokenKeeper(store).keep(Self.facts(), values: "planted-value")
    await store.close()
    for name in try FileSystem.list(place.store.directory) where name.contains("sqlite") {
      let path = FilePath.join(place.store.directory, name)
      let bytes = try FileSystem.read(path: path, limit: 1 << 26)
      #expect(!String(decoding: bytes, as: UTF8.self).contains("planted-value"), "\(name)")
    }
  }

  @Test func `only the token that was refused is marked`() async throws {
    let store = try await Store.inMemory()
    try await TokenKeeper(store).keep(Self.facts(), values: "v")
    try await store.markRefused("k", acquired: 999, error: "another one")
    #expect(try await store.tokenFacts("k") == Self.facts())
    try await store.markRefused("k", acquired: 1_000, error: "invalid_token")
    let marked = try #require(try await store.tokenFacts("k"))
    #expect(marked.state == .refused && marked.lastError == "invalid_token")
    try await TokenKeeper(store).keep(Self.facts(acquired: 2_000), values: "w")
    #expect(try await store.tokenFacts("k") == Self.facts(acquired: 2_000))
  }

  @Test func `a use is written once a day`() async throws {
    let store = try await Store.inMemory()
    try await TokenKeeper(store).keep(Self.facts(), values: "v")
    let revision = try await store.revision()
    try await store.noteUse(ofToken: "k", at: 86_401_000)
    #expect(try await store.revision() == revision)
    try await store.noteUse(ofToken: "k", at: 86_401_001)
    try await store.noteUse(ofToken: "none", at: 86_401_001)
    #expect(try await store.tokenFacts("k")?.lastUsed == 86_401_001)
    #expect(try await store.revision() == revision + 1)
  }

  @Test func `what nobody uses for 90 days is forgotten, and what no folder has`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let now = Store.tokenLifetime + 1_000
    let folder = place.path("project")
    let unmounted = place.path("disk/project")
    try FileSystem.makeDirectory(folder)
    for (key, folder, acquired) in [
      ("old", "/", 999), ("young", "/", 1_000), ("gone", folder, 1_000),
      ("unmounted", unmounted, 1_000), ("nowhere", "", 1_000),
    ] as [(String, String, Int64)] {
      let facts = Self.facts(key, folder: folder, acquired: acquired)
      try await TokenKeeper(store).keep(facts, values: key)
    }
    await TokenKeeper(store).settle(now: now - 1)
    #expect(try await store.tokens().count == 5)
    try FileSystem.removeTree(folder)
    await TokenKeeper(store).settle(now: now)
    let left = ["nowhere", "unmounted", "young"]
    #expect(try await store.tokens().map(\.key) == left)
    #expect(try await store.secrets.listed() == Set(left.map { "token:\($0)" }))
    await store.close()
  }

  @Test func `who was killed before the value was written leaves no token`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let connection = try Connection(path: place.store.historyPath)
    try connection.run("INSERT INTO token (key) VALUES ('k')")
    try await store.secrets.setSecret("half", of: "token:k")
    #expect(try await store.tokenFacts("k") == nil)
    #expect(try await store.tokens() == [])
    #expect(try await TokenKeeper(store).values("k") == nil)
    // Nobody keeps a token at the moment: the lock says so.
    await TokenKeeper(store).settle()
    #expect(try connection.integer("SELECT count(*) FROM token") == 0)
    #expect(try await store.secrets.listed() == [])
    connection.close()
    await store.close()
  }

  @Test func `who keeps a token is not taken for somebody who was killed`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let connection = try Connection(path: place.store.historyPath)
    try connection.run("INSERT INTO token (key) VALUES ('k')")
    try await SecretsLock(path: place.store.secretsLockPath).hold { () throws(StoreFailure) in
      await TokenKeeper(store).settle()
    }
    #expect(try connection.integer("SELECT count(*) FROM token") == 1)
    connection.close()
    await store.close()
  }

  @Test func `who forgets the history forgets the tokens`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await TokenKeeper(store).keep(Self.facts(), values: "v")
    #expect(try await store.forget(.host("id.example")) == 0)
    #expect(try await store.tokens().count == 1)
    #expect(try await store.forget(.all) == 0)
    #expect(try await store.tokens() == [])
    let bytes = try FileSystem.read(path: place.store.historyPath, limit: 1 << 26)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("id.example"))
    await TokenKeeper(store).settle()
    #expect(try await store.secrets.listed() == [])
    await store.close()
  }

  @Test func `the value of a token is not one that nothing uses`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await TokenKeeper(store).keep(Self.facts(), values: "v")
    try await store.secrets.setSecret("left", of: "token:lost")
    let editor = CollectionEditor(store)
    #expect(try await editor.unnamedSecrets() == ["token:lost"])
    #expect(try await editor.deleteUnnamedSecrets() == 1)
    #expect(try await TokenKeeper(store).values("k") == "v")
    await store.close()
  }

  @Test func `other processes learn of a token`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let other = try await Store.open(place.store)
    let before = try await other.marks()
    try await TokenKeeper(store).keep(Self.facts(), values: "v")
    #expect(try await other.marks().changes > before.changes)
    #expect(try await TokenKeeper(other).values("k") == "v")
    await store.close()
    await other.close()
  }
}
