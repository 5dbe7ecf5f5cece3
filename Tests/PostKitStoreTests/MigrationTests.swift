// The schema: a released step never changes, and what the steps give is on record.

import PostKitSupport
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
      stored requests 1.2 25d647b68a02b6e446b0843008531b82656758604c4c38e818b1d6aeafa68711
      words 1.3 3d502c13ab9e4938f8229615078758a9c44efa5b2cc21c0178b17cae09a99617
      filters 1.4 c5ef7974b97b1acbd11dc77a6bd9081d1c6a1daec28c30256103d5133fd58077
      erasure 1.5 732bc2d8a90a5ef894b4315ac7cee706b35e469d99e90f98e6e9885e6841efe6
      groups 1.6 99d99d42c976bd8ec4836031154b6a22f4078faa50b24ac906ec8787b718b778
      origins 1.7 b25819dbe8b6f8975b2b3e32e5c677249f1098906a124b29907362bca4238925
      described services 1.8 78ca9e5214fb1cd18f1ea745aa7166192b71e3b1e55af00a487f31557226a070
      tokens 1.9 5be04da6553b629ce84fa41cd56b1a5d45b7be91a6b914c88b978c5778344b3e
      collections 1.0 d666f3783db81e636fcea391e14a8c32b5145c6638a8b3772c766a23c73ef3a8
      requests 1.1 778cac760db56ec47f513de887b535c1e50b941442708607f063d521d393916d
      secrets 1.2 2a7dcc969d82ad0e0d8b4f7611edab8746a394aa9de153df152965947da06433
      finding 1.3 cb7e77a31d3e16397827d8b61ab2f0b0151727c887e222ba8967cea6a517ac98
      imports 1.4 058f4ea208c79689aa67e1076d4ac74b09582c4298cde7e91e6e70b4ea3c7f85
      """)
  }

  @Test func `the index of words is made as it was released`() {
    #expect(
      SHA256.hexDigest(Array(WordIndex.creation.utf8))
        == "adb1019aa20de361e9dd577ab71b437facb0b9e7c516c9c058c22b7ec1f0f0e1")
  }

  @Test func `versions rise with every step`() {
    for schema in [Schema.history, .collections] {
      let versions = schema.migrations.map(\.version)
      #expect(versions == versions.sorted() && Set(versions).count == versions.count)
    }
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

  @Test func `within a major version a step only adds`() throws {
    for schema in [Schema.history, .collections] {
      var earlier: [String: [String]] = [:]
      for step in schema.migrations {
        var notices: [StoreNotice] = []
        let file = try DatabaseFile(
          path: ":memory:", schema: schema.upTo(step.version), lock: nil, tracesStatements: false,
          notices: &notices)
        let columns = try Dictionary(
          grouping: file.connection.rows(MigrationTests.columnsSQL) {
            (table: $0.text(0), words: $0.text(1), isRequired: $0.int(2) != 0)
          }, by: \.table)
        for (table, before) in earlier {
          let now = try #require(columns[table], "\(step.name) takes the table \(table) away")
          let added = now.filter { !before.contains($0.words) }
          #expect(added.count == now.count - before.count, "\(step.name) changes \(table)")
          #expect(!added.contains { $0.isRequired }, "older PostKits can't insert into \(table)")
        }
        earlier = columns.mapValues { $0.map(\.words) }
      }
    }
  }

  private static let columnsSQL = """
    SELECT object.name, info.name || ' ' || info.type || ' ' || info.[notnull] || ' ' || info.pk,
      info.[notnull] AND info.dflt_value IS NULL AND info.hidden = 0
    FROM sqlite_schema AS object, pragma_table_xinfo(object.name) AS info
    WHERE object.type = 'table' AND object.name NOT LIKE 'sqlite%'
    """

  @Test func `code runs before and after the statements, and a copy is kept`() throws {
    let place = try TemporaryDirectory()
    let file = try place.openHistory(.history)
    try file.connection.run("INSERT INTO session_value VALUES ('/w', '', 'k', 'v', 1)")
    file.close()
    let schema = Schema.custom(FormatVersion(1, 99), sql: "ALTER TABLE session_value ADD size INT") {
      connection throws(SQLiteError) in
      try connection.run("UPDATE session_value SET value = value || ' before'")
    } after: { connection throws(SQLiteError) in
      try connection.run("UPDATE session_value SET size = length(value)")
    }
    var notices: [StoreNotice] = []
    let migrated = try place.openHistory(schema, &notices)
    let values = try migrated.connection.rows("SELECT value, size FROM session_value") {
      "\($0.text(0)): \($0.int(1))"
    }
    #expect(values == ["v before: 8"])
    #expect(try migrated.connection.integer("PRAGMA foreign_keys") == 1)
    migrated.close()
    let kept = place.store.historyPath + ".format-\(Schema.history.version)"
    #expect(notices.map(\.kind) == [.copyKept(path: place.store.historyPath, keptAs: kept)])
    #expect(notices.first?.message.contains(kept) == true)
    #expect(FileSystem.mode(kept) == 0o600 && !FileSystem.exists(kept + ".part"))
    let copy = try Connection(path: kept)
    #expect(try copy.text("SELECT value FROM session_value") == "v")
    #expect(try copy.integer("PRAGMA user_version") == Schema.history.version.userVersion)
    #expect(try copy.integer("PRAGMA application_id") == Schema.history.applicationID)
    copy.close()
  }

  @Test func `a new file keeps no copy of nothing`() throws {
    let place = try TemporaryDirectory()
    let file = try place.openHistory(.newerMajor)
    #expect(try file.connection.integer("SELECT count(*) FROM call") == 0)
    file.close()
    #expect(try FileSystem.list(place.store.directory).allSatisfy { !$0.contains(".format-") })
  }

  @Test(arguments: [
    ("INSERT INTO no_such_table VALUES (1)", "no such table: no_such_table"),
    (
      """
      CREATE TABLE owner (id INTEGER PRIMARY KEY);
      CREATE TABLE owned (owner INTEGER REFERENCES owner);
      INSERT INTO owned VALUES (7)
      """, "a row of owned refers to one that is not there"
    ),
  ])
  func `a step that fails leaves the file as it was, and is tried again`(
    sql: String, reason: String
  ) throws {
    let place = try TemporaryDirectory()
    let file = try place.openHistory(.history)
    try file.connection.run("INSERT INTO session_value VALUES ('/w', '', 'k', 'v', 1)")
    let before = try file.connection.everything()
    for _ in 0..<2 {
      let failing = Schema.custom(FormatVersion(2, 0), sql: "DELETE FROM session_value; " + sql) {
        connection throws(SQLiteError) in
        try connection.run("DELETE FROM revision")
      }
      let failure = #expect(throws: StoreFailure.self) { try place.openHistory(failing) }
      #expect(failure?.message.contains("in the step to format 2.0: \(reason)") == true)
      #expect(failure?.message.contains(place.store.historyPath) == true)
      #expect(try file.connection.everything() == before)
    }
    try place.openHistory(.newerMinor).close()
    #expect(try file.connection.text("SELECT value FROM session_value") == "v")
    file.close()
  }

  @Test func `where no copy can be kept nothing is changed`() throws {
    let place = try TemporaryDirectory()
    let file = try place.openHistory(.history)
    let before = try file.connection.everything()
    let name = place.store.historyPath + ".format-\(Schema.history.version)"
    try FileSystem.makeDirectory(name)
    let failure = #expect(throws: StoreFailure.self) { try place.openHistory(.newerMajor) }
    #expect(failure?.message.contains(name) == true)
    #expect(try file.connection.everything() == before)
    #expect(!FileSystem.exists(name + ".part"))
    file.close()
  }
}
