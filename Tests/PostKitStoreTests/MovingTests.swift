// Files that got other names keep their history.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct MovingTests {
  private static func store(_ files: [String]) async throws -> Store {
    let store = try await Store.inMemory()
    for (number, file) in files.enumerated() {
      var exchange = Sample.exchange(number)
      exchange.file = file
      try await store.record(exchange)
    }
    return store
  }

  private static func files(_ store: Store) async throws -> [String] {
    try await store.history(HistoryQuery()).map(\.file).reversed()
  }

  @Test func `a renamed file is found by its new name, in one commit`() async throws {
    let store = try await Self.store(["/w/a.http", "/w/b.http", "/w/a.http", "/w/a.http.md"])
    let before = try await store.revision()
    #expect(try await store.follow([FileMove(from: "/w/a.http", to: "/w/c d.http")]) == 2)
    #expect(try await store.revision() == before + 1)
    #expect(
      try await Self.files(store) == ["/w/c d.http", "/w/b.http", "/w/c d.http", "/w/a.http.md"])
    let name = Sample.exchange(0).requestName.map { Set([$0]) } ?? []
    #expect(try await store.requestNames(file: "/w/c d.http").isSuperset(of: name))
  }

  @Test func `what lies in a renamed folder follows it`() async throws {
    let store = try await Self.store(["/w/x/a.http", "/w/x/y/ü.http", "/w/xy.http", "/w/x"])
    #expect(try await store.follow([FileMove(from: "/w/x", to: "/v/z")]) == 3)
    #expect(try await Self.files(store) == ["/v/z/a.http", "/v/z/y/ü.http", "/w/xy.http", "/v/z"])
  }

  @Test func `files that exchange their names exchange their history`() async throws {
    let store = try await Self.store(["/w/a", "/w/b", "/w/c"])
    let moves = [FileMove(from: "/w/a", to: "/w/b"), FileMove(from: "/w/b", to: "/w/a")]
    #expect(try await store.follow(moves) == 2)
    #expect(try await Self.files(store) == ["/w/b", "/w/a", "/w/c"])
  }

  @Test func `nothing is written where nothing was sent`() async throws {
    let store = try await Self.store(["/w/a"])
    let before = try await store.revision()
    #expect(try await store.follow([FileMove(from: "/w/b", to: "/w/c")]) == 0)
    #expect(try await store.revision() == before)
  }
}
