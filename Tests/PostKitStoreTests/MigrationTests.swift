// The schema: a released step never changes, and what the steps give is on record.

import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct MigrationTests {
  @Test(arguments: ["history", "collections"])
  func `the steps give the schema on record`(name: String) throws {
    let schema = name == "history" ? Schema.history : Schema.collections
    var notices: [StoreNotice] = []
    let file = try DatabaseFile(
      path: ":memory:", schema: schema, lock: nil, tracesStatements: false, notices: &notices)
    let dump = try file.connection.rows(
      "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name"
    ) { $0.text(0) }
    Golden.check(dump.joined(separator: "\n") + "\n", "\(name)-\(schema.version).sql")
  }

  @Test func `released steps are as they were released`() {
    let steps = (Schema.history.migrations + Schema.collections.migrations).map {
      "\($0.name) \($0.version) \($0.hash)"
    }
    expect(
      steps.joined(separator: "\n"),
      is: """
        history 1.0 48d36a328e517e64e5d36f3625b569f166f3756ef2cc0319bbded3757f8b5e31
        cookies 1.1 c4eb4b9b3ad948d120f85d30f8fc8e05cd0d95a9a3764f12c7d3e99fb7a1d8cd
        collections 1.0 d666f3783db81e636fcea391e14a8c32b5145c6638a8b3772c766a23c73ef3a8
        """)
  }

  @Test func `versions rise with every step`() {
    for schema in [Schema.history, .collections] {
      let versions = schema.migrations.map(\.version)
      #expect(versions == versions.sorted() && Set(versions).count == versions.count)
    }
  }

  @Test func `a file of an earlier format gets the steps that it lacks`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("history.sqlite")
    let lock = try StoreLock(path: directory.path("store.lock"))
    var notices: [StoreNotice] = []
    var earlier = Schema.history
    earlier.migrations.removeLast()
    let old = try lock.hold { () throws(StoreFailure) in
      try DatabaseFile(
        path: path, schema: earlier, lock: lock, tracesStatements: false, notices: &notices)
    }
    try old.connection.run("INSERT INTO session_value VALUES ('/w', '', 'k', 'v', 1)")
    old.close()
    let new = try lock.hold { () throws(StoreFailure) in
      try DatabaseFile(
        path: path, schema: .history, lock: lock, tracesStatements: false, notices: &notices)
    }
    #expect(notices.map(\.message) == [])
    let kept = try new.connection.rows("SELECT value FROM session_value") { $0.text(0) }
    #expect(kept == ["v"])
    #expect(try new.connection.integer("SELECT count(*) FROM cookie") == 0)
    new.close()
  }

  @Test func `every step is recorded in the file with its hash`() throws {
    var notices: [StoreNotice] = []
    let file = try DatabaseFile(
      path: ":memory:", schema: .history, lock: nil, tracesStatements: false, notices: &notices)
    let recorded = try file.connection.rows("SELECT hash FROM migration ORDER BY version") {
      $0.text(0)
    }
    #expect(recorded == Schema.history.migrations.map(\.hash))
  }
}
