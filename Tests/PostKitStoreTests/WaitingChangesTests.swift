// Cookies and session values that wait for the store: none is lost, none comes back.

import PostKitHTTP
import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct WaitingChangesTests {
  private static let owner = WorkspaceEnvironment(folder: "/project", environment: "dev")

  private static func cookie(_ name: String, _ value: String, expires: Int64? = nil) -> Cookie {
    Cookie(
      key: Cookie.Key(domain: ".a.test", path: "/", name: name), value: value, expires: expires,
      includesSubdomains: true, isSecure: true, isHTTPOnly: true)
  }

  private static func stored(_ cookies: Cookie..., removed: [Cookie.Key] = []) -> SessionChange {
    .cookies(CookieChanges(stored: cookies, removed: removed), of: owner)
  }

  private static func globals(_ members: JSONMember..., without: [String] = []) -> SessionChange {
    .globals(members, forgetting: without, of: owner)
  }

  private func waiting(_ place: TemporaryDirectory) throws -> [String] {
    try FileSystem.list(place.store.spoolDirectory).filter { $0.hasPrefix("change-") }
  }

  @Test func `every field of a change is what it was after the next start`() async throws {
    let place = try TemporaryDirectory()
    let cookies = [
      Self.cookie("sid", "s-1", expires: 32_503_680_000), Self.cookie("theme", "größe \"1\""),
    ]
    let jar = Self.owner
    try place.store.keepWaiting(.cookies(CookieChanges(stored: cookies, removed: []), of: jar))
    let count = JSONMember("count", .number("12345678901234567890.10"))
    try place.store.keepWaiting(Self.globals(count))
    try place.store.keepWaiting(.answer("ann", to: "user", folder: "/project"))
    let names = try waiting(place)
    #expect(names.count == 3)
    for name in names {
      #expect(FileSystem.mode(FilePath.join(place.store.spoolDirectory, name)) == 0o600)
    }
    let store = try await Store.open(place.store)
    #expect(try waiting(place) == [])
    #expect(try await store.cookies(of: jar) == cookies)
    #expect(try await store.globals(of: jar) == [count])
    #expect(try await store.sessionValue("input:user", folder: "/project") == "ann")
    await store.close()
  }

  @Test func `changes come in as they were made, and what is made later comes behind them`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.keep(Self.stored(Self.cookie("a", "1"), Self.cookie("b", "1")))
    try place.store.keepWaiting(Self.stored(Self.cookie("a", "2")))
    try place.store.keepWaiting(
      Self.stored(Self.cookie("a", "3"), removed: [Self.cookie("b", "").key]))
    try place.store.keepWaiting(Self.globals(JSONMember("n", .int(1)), JSONMember("m", .int(1))))
    try place.store.keepWaiting(Self.globals(without: ["m"]))
    try await store.keep(Self.stored(Self.cookie("c", "4")))
    #expect(try waiting(place) == [])
    #expect(try await store.cookies(of: Self.owner).map(\.value) == ["3", "4"])
    #expect(try await store.globals(of: Self.owner) == [JSONMember("n", .int(1))])
    try place.store.keepWaiting(Self.stored(Self.cookie("a", "5")))
    try await store.keep(Self.stored(Self.cookie("a", "6")))
    #expect(try await store.cookies(of: Self.owner).map(\.value) == ["6", "4"])
    await store.close()
  }

  @Test func `who reads while another process holds the store sees what waits`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.keep(Self.stored(Self.cookie("a", "1"), Self.cookie("b", "1")))
    try await store.keep(Self.globals(JSONMember("n", .int(1)), JSONMember("m", .int(1))))
    let lock = HeldLock(place.store)
    let past = Self.cookie("b", "old", expires: 1)
    try place.store.keepWaiting(Self.stored(Self.cookie("a", "2"), past))
    try place.store.keepWaiting(Self.globals(JSONMember("n", .int(2)), without: ["m"]))
    let elsewhere = WorkspaceEnvironment(folder: "/elsewhere", environment: "dev")
    try place.store.keepWaiting(
      .cookies(CookieChanges(stored: [Self.cookie("x", "x")], removed: []), of: elsewhere))
    #expect(try await store.cookies(of: Self.owner) == [Self.cookie("a", "2")])
    #expect(try await store.globals(of: Self.owner) == [JSONMember("n", .int(2))])
    #expect(try waiting(place).count == 3)
    lock.release()
    #expect(try await store.cookies(of: Self.owner) == [Self.cookie("a", "2")])
    #expect(try waiting(place) == [])
    await store.close()
  }

  @Test func `what is deleted does not come back from a file`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    // Others were busy when it came.
    func wait() throws {
      let lock = HeldLock(place.store)
      try place.store.keepWaiting(Self.stored(Self.cookie("a", "1")))
      try place.store.keepWaiting(Self.globals(JSONMember("n", .int(1))))
      lock.release()
    }
    try wait()
    #expect(try await store.editCookies([.clear(CookieQuery())]).count == 1)
    #expect(try await store.forget(SessionQuery()) == 1)
    try wait()
    let key = SessionKey.global("n").text
    #expect(try await store.forget([key], of: SessionQuery()).count == 1)
    #expect(try waiting(place) == [])
    try await store.forget(.all)
    await store.close()
    let next = try await Store.open(place.store)
    #expect(try await next.cookies(of: Self.owner).map(\.value) == ["1"])
    #expect(try await next.globals(of: Self.owner) == [])
    await next.close()
  }

  @Test func `the history is forgotten without what waits beside it`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try place.store.keepWaiting(Self.stored(Self.cookie("a", "1")))
    // A newer PostKit's is left to it, and swept with nothing.
    let newer = FilePath.join(place.store.spoolDirectory, "change-\(Identifier.next())")
    try FileSystem.write(Array(#"{"format":2,"jars":[]}"#.utf8), to: newer)
    await store.sweepAbandoned()
    try await store.forget(.all)
    #expect(FileSystem.exists(newer))
    #expect(try await store.cookies(of: Self.owner).map(\.value) == ["1"])
    await store.close()
  }

  @Test(arguments: [#"{"format":1"#, #"{"format":1,"folder":"","environment":"","values":[1]}"#])
  func `one that can't be read keeps no other from coming in`(text: String) async throws {
    let place = try TemporaryDirectory()
    try place.store.keepWaiting(Self.stored(Self.cookie("a", "1")))
    let odd = FilePath.join(place.store.spoolDirectory, "change-\(Identifier.next())")
    try FileSystem.write(Array(text.utf8), to: odd)
    try place.store.keepWaiting(Self.stored(Self.cookie("b", "1")))
    let store = try await Store.open(place.store)
    #expect(try await store.cookies(of: Self.owner).count == 2)
    #expect(try waiting(place) == [])
    await store.close()
  }
}
