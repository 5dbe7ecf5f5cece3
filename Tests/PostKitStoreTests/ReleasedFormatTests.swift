// Every format that was ever released: its files come to the newest with all that was in them.

import PostKitHTTP
import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct ReleasedFormatTests {
  @Test func `each format but the newest has a file on record`() {
    let known = Set(Golden.names(in: "Released", extension: "sql"))
    for (name, schema) in [("history", Schema.history), ("collections", .collections)] {
      for step in schema.migrations.dropLast() {
        #expect(known.contains("\(name)-\(step.version).sql"))
      }
    }
  }

  @Test(arguments: Golden.names(in: "Released", extension: "sql"))
  func `a file of a released format has every value that it had, in the newest`(
    name: String
  ) async throws {
    let place = try TemporaryDirectory()
    let path = name.hasPrefix("history") ? place.store.historyPath : place.store.collectionsPath
    let schema = name.hasPrefix("history") ? Schema.history : .collections
    try place.makeDatabase(path, String(decoding: Golden.bytes("Released/" + name), as: UTF8.self))
    let released = try Connection(path: path)
    let tables = try released.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
      $0.text(0)
    }
    let columns = try tables.map { ($0, try released.columns(of: $0)) }
    let before = try columns.flatMap { try released.content(of: $0, columns: $1) }
    released.close()

    let store = try await Store.open(place.store)
    #expect(await store.takeNotices() == [])
    #expect(try await store.health().problems == [])
    await store.close()

    let migrated = try Connection(path: path)
    defer { migrated.close() }
    let after = Set(try columns.flatMap { try migrated.content(of: $0, columns: $1) })
    #expect(before.filter { !after.contains($0) } == [])
    #expect(try migrated.integer("PRAGMA user_version") == schema.version.userVersion)
    #expect(try migrated.text("PRAGMA integrity_check") == "ok")
    // What was migrated is what a new file would be.
    let new = try await Store.open(StoreLocation(directory: place.path("new")))
    await new.close()
    let model = try Connection(path: place.path("new/\(FilePath.name(path))"))
    defer { model.close() }
    let statements = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name"
    #expect(try migrated.rows(statements) { $0.text(0) } == model.rows(statements) { $0.text(0) })
  }

  @Test(arguments: ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8"])
  func `the history of a released format is read, found and written`(version: String) async throws {
    let place = try TemporaryDirectory()
    let dump = try Golden.bytes("Released/history-\(version).sql")
    try place.makeDatabase(place.store.historyPath, String(decoding: dump, as: UTF8.self))
    let store = try await Store.open(place.store)
    let lines = try await store.history(HistoryQuery())
    #expect(lines.map(\.requestName) == ["large", nil, "login"])
    let id = try #require(lines.last?.id)
    let exchange = try #require(try await store.exchange(id: id))
    #expect(exchange.response?.status == 201 && exchange.environment == "dev")
    #expect(exchange.template == "### login\nPOST {{host}}/login?next=%2F\n\ngrüße \"x\"")
    #expect(exchange.request.body == .bytes(Array("grüße \"x\"".utf8)))
    #expect(exchange.response?.body == .bytes(Array("{\"token\":\"***\"}".utf8)))
    #expect(exchange.hops.map(\.status) == [307] && exchange.tests.map(\.passed) == [true])
    #expect(exchange.isRedacted && exchange.timings.firstByte == 4)
    #expect(exchange.output == [] && exchange.origin == nil && exchange.purpose == .request)
    #expect(exchange.savedTo == (version == "1.0" ? [] : ["/project/out.json"]))
    var query = HistoryQuery()
    query.host = "[2001:db8::1]"
    #expect(try await store.history(query).map(\.failureCode) == [.connection])
    #expect(try await store.sessionValue("environment", folder: "/project") == "dev")
    let owner = WorkspaceEnvironment(folder: "/project", environment: "dev")
    #expect(try await store.globals(of: owner).map(\.key) == ["token"])
    #expect(try await store.cookies(of: owner).map(\.value) == (version == "1.0" ? [] : ["s1"]))
    try await store.record(Sample.exchange(1_000_000))
    #expect(try await store.history(HistoryQuery()).count == 4)
    await store.close()
  }
}
