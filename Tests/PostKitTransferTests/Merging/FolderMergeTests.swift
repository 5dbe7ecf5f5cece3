// Imports again: what people have changed stays, what the origin has changed comes in (IO-20).

import PostKitHTTP
import Testing

@testable import PostKitTransfer

@Suite struct FolderMergeTests {
  private let list = WrittenBlock(
    "List", "GET {{base}}/users?q=old", headers: "Accept: */*\nX-A: 1", tail: "?? status == 200")
  private let create = WrittenBlock(
    "Create", "POST {{base}}/users", headers: "Content-Type: application/json",
    body: "{\"v\": 1}")
  private let gone = WrittenBlock("Gone", "DELETE {{base}}/gone")

  /// What is told of the request that nobody has touched.
  private static let goes =
    "The origin has `Gone` no more. It goes, since it was not changed here."

  private func folder(_ blocks: [WrittenBlock]? = nil) throws -> MergedFolder {
    var folder = MergedFolder()
    try folder.import(WrittenFolder(head: "@base = a.test", blocks ?? [list, create, gone]))
    return folder
  }

  @Test func `the same again changes no byte`() throws {
    var folder = try folder()
    let before = folder.files
    #expect(before.keys.sorted() == ["Users.http", "postkit-import.json"])
    let again = try folder.import(WrittenFolder(head: "@base = a.test", [list, create, gone]))
    #expect(again.isEmpty && again.isUpToDate && folder.files == before)
    #expect(again.files.map(\.action) == [.unchanged, .unchanged])
  }

  @Test func `edits stay, changes come in, and both at one place are told once`() throws {
    var folder = try folder()
    folder.edit("Users.http", "q=old", "q=old&mine=1")
    folder.edit("Users.http", "\"v\": 1", "\"v\": 2")
    var (newList, newCreate) = (list, create)
    newList.line = "GET {{base}}/users?q=new"
    newCreate.body = "{\"v\": 3}"
    let fresh = WrittenBlock("Fresh", "GET {{base}}/new")
    let new = WrittenFolder(head: "@base = a.test", [newList, newCreate, fresh])
    let changes = try folder.import(new)
    #expect(
      folder["Users.http"] == """
        @base = a.test

        ### List
        GET {{base}}/users?q=new&mine=1
        Accept: */*
        X-A: 1

        ?? status == 200

        ### Create
        POST {{base}}/users
        Content-Type: application/json

        {"v": 2}

        ### Fresh
        GET {{base}}/new

        """)
    #expect(changes.conflicts.map(\.part) == ["body"])
    #expect(folder.notes.map(\.code) == [.originGone, .conflict])
    #expect(folder.notes[1].message.contains("{\"v\": 3}") && folder.notes[1].line == 10)
    #expect(try folder.import(new).isEmpty && folder.notes.isEmpty)
  }

  @Test func `theirs takes the origin's, stop writes nothing`() throws {
    var folder = try folder()
    folder.edit("Users.http", "\"v\": 1", "\"v\": 2")
    var newCreate = create
    newCreate.body = "{\"v\": 3}"
    let new = WrittenFolder(head: "@base = a.test", [list, newCreate, gone])
    let before = folder.files
    #expect(try folder.import(new, .stop).conflicts.count == 1 && folder.files == before)
    try folder.import(new, .theirs)
    #expect(folder["Users.http"].contains("{\"v\": 3}") && !folder["Users.http"].contains("2}"))
    #expect(try folder.import(new).isEmpty)
  }

  @Test func `headers are merged by name`() throws {
    var folder = try folder()
    folder.edit("Users.http", "X-A: 1", "X-Mine: 1\nX-A: 1\n# X-Off: 1")
    var new = list
    new.headers = "Accept: text/html\nX-A: 1\nX-New: 2"
    try folder.import(WrittenFolder(head: "@base = a.test", [new, create, gone]))
    #expect(
      folder["Users.http"].contains(
        "Accept: text/html\nX-Mine: 1\nX-A: 1\nX-New: 2\n# X-Off: 1\n\n?? status"))
    #expect(folder.notes.isEmpty)
    new.headers = "Accept: text/html"
    try folder.import(WrittenFolder(head: "@base = a.test", [new, create, gone]))
    #expect(folder["Users.http"].contains("Accept: text/html\nX-Mine: 1\n# X-Off: 1\n\n??"))
  }

  @Test func `what is gone from the origin goes, unless somebody has touched it`() throws {
    var folder = try folder()
    let new = WrittenFolder(head: "@base = a.test", [list, create])
    var touched = folder
    touched.edit("Users.http", "/gone", "/gone?mine=1")
    try folder.import(new)
    #expect(!folder["Users.http"].contains("Gone"))
    #expect(folder.notes.map(\.message) == [Self.goes])
    try touched.import(new)
    #expect(touched["Users.http"].contains("/gone?mine=1"))
    #expect(touched.notes.map(\.code) == [.originGone])
    #expect(try touched.import(new).isEmpty && touched.notes.isEmpty)
  }

  @Test func `renamed and moved requests are found`() throws {
    var folder = try folder()
    folder.edit("Users.http", "### List", "### All users")
    let moved = "### Create\nPOST {{base}}/users\nContent-Type: application/json\n\n{\"v\": 1}\n\n"
    folder.edit("Users.http", moved, "")
    let renamed = moved.replacing("### Create", with: "### C")
    folder["Own/mine.http"] = "### mine\nGET /mine\n\n" + renamed
    var (newList, newCreate) = (list, create)
    newList.tail = "?? status == 204"
    newCreate.body = "{\"v\": 9}"
    try folder.import(WrittenFolder(head: "@base = a.test", [newList, newCreate, gone]))
    #expect(folder["Users.http"].contains("### All users"))
    #expect(folder["Users.http"].contains("?? status == 204"))
    #expect(!folder["Users.http"].contains("POST"))
    #expect(
      folder["Own/mine.http"]
        == "### mine\nGET /mine\n\n### C\nPOST {{base}}/users\nContent-Type: application/json\n\n"
        + "{\"v\": 9}\n")
  }

  @Test func `a renamed file stays renamed, and new requests come into it`() throws {
    var folder = try folder()
    folder.files["People.http"] = folder.files.removeValue(forKey: "Users.http")
    let fresh = WrittenBlock("Fresh", "GET {{base}}/new")
    try folder.import(WrittenFolder(head: "@base = a.test", [fresh, list, create, gone]))
    #expect(folder.files["Users.http"] == nil)
    let start = "@base = a.test\n\n### Fresh\nGET {{base}}/new\n\n### L"
    #expect(folder["People.http"].hasPrefix(start))
  }

  @Test func `what the origin says before the first request comes into a renamed file`() throws {
    var folder = try folder()
    folder.files["People.http"] = folder.files.removeValue(forKey: "Users.http")
    let new = WrittenFolder(head: "@base = b.test\n@new = 1", [list, create, gone])
    try folder.import(new)
    #expect(folder["People.http"].hasPrefix("@base = b.test\n@new = 1\n\n### List\n"))
    #expect(try folder.files["Users.http"] == nil && folder.import(new).isEmpty)
    folder.edit("People.http", "b.test", "mine.test")
    try folder.import(WrittenFolder(head: "@base = c.test\n@new = 2", [list, create, gone]))
    #expect(folder["People.http"].hasPrefix("@base = mine.test\n@new = 2\n\n"))
    #expect(folder.changes.conflicts.map(\.part) == ["head"])
  }

  @Test func `what was deleted stays away until the origin changes it`() throws {
    var folder = try folder()
    folder.edit("Users.http", "### Gone\nDELETE {{base}}/gone\n", "")
    #expect(try folder.import(WrittenFolder(head: "@base = a.test", [list, create, gone])).isEmpty)
    var new = gone
    new.headers = "X-Why: 1"
    let changed = WrittenFolder(head: "@base = a.test", [list, create, new])
    var other = folder
    #expect(try folder.import(changed).conflicts.map(\.part) == ["request"])
    #expect(!folder["Users.http"].contains("Gone"))
    try other.import(changed, .theirs)
    #expect(other["Users.http"].contains("### Gone\nDELETE {{base}}/gone\nX-Why: 1\n"))
  }

  @Test func `the origin moves a request with what the user made of it`() throws {
    var folder = try folder()
    folder.edit("Users.http", "\"v\": 1", "\"v\": 2")
    var new = WrittenFolder("Users.http", head: "@base = a.test", [list, gone])
    new.files.append(WrittenFile(path: "New/Things.http", head: "", blocks: [create]))
    try folder.import(new)
    #expect(!folder["Users.http"].contains("POST"))
    #expect(
      folder["New/Things.http"]
        == "### Create\nPOST {{base}}/users\nContent-Type: application/json\n\n{\"v\": 2}\n")
    #expect(try folder.import(new).isEmpty)
  }

  @Test func `a file of which all is gone goes, with what people wrote it stays`() throws {
    var folder = try folder()
    var other = folder
    other["Users.http"] += "\n### own\nGET /own\n"
    let new = WrittenFolder("Other.http", [WrittenBlock("O", "GET /o")])
    #expect(try folder.import(new).removals == ["Users.http"])
    try other.import(new)
    #expect(other["Users.http"].hasSuffix("### own\nGET /own\n"))
    #expect(!other["Users.http"].contains("List"))
  }

  @Test func `definitions at the head are merged by name`() throws {
    var folder = try folder()
    folder.edit("Users.http", "@base = a.test", "# mine\n@base = a.test\n@own = 1")
    try folder.import(WrittenFolder(head: "@base = b.test\n@id = 7", [list, create, gone]))
    #expect(folder["Users.http"].hasPrefix("# mine\n@base = b.test\n@id = 7\n@own = 1\n\n### List"))
  }

  @Test func `a killed import is gone on with`() throws {
    let old = try folder()
    var newList = list
    newList.body = "x"
    var new = WrittenFolder(head: "@base = a.test", [newList, create])
    let others = [WrittenBlock("B", "GET /b"), WrittenBlock("C", "GET /c")]
    new.files.append(WrittenFile(path: "B.http", blocks: others))
    new.attachments = [TransferFile(path: "bodies/x.bin", bytes: [1])]
    new.environments = [
      WrittenEnvironment(
        name: "dev", values: [WrittenVariable(name: "a", json: "1")],
        secrets: [WrittenVariable(name: "s", json: "\"x\"")])
    ]
    var whole = old
    let changes = try whole.import(new)
    #expect(changes.writes.last?.path == ImportManifest.fileName)
    for count in 0..<changes.writes.count {
      var killed = old
      for file in changes.writes.prefix(count) { killed.files[file.path] = file.bytes }
      try killed.import(new)
      #expect(killed.files.keys.sorted() == whole.files.keys.sorted(), "\(count)")
      for path in whole.files.keys { #expect(killed[path] == whole[path], "\(count)") }
      #expect(killed.notes.allSatisfy { $0.code == .originGone }, "\(count)")
    }
  }

  @Test func `lines of a file with CRLF end with CRLF`() throws {
    var folder = try folder()
    folder["Users.http"] = folder["Users.http"].replacing("\n", with: "\r\n")
    var new = list
    new.headers = "Accept: a/b"
    try folder.import(WrittenFolder(head: "@base = a.test", [new, create]))
    let text = folder["Users.http"]
    #expect(text.contains("Accept: a/b\r\n") && !text.contains("Gone"))
    #expect(folder.notes.map(\.message) == [Self.goes])
    #expect(text.replacing("\r\n", with: "").contains("\n") == false)
  }

  @Test func `values of the process environment are written once and not remembered`() throws {
    var folder = MergedFolder()
    var new = WrittenFolder("Users.http", [list])
    new.attachments = [TransferFile(path: ".env", bytes: Array("KEY=hunter2".utf8))]
    try folder.import(new)
    #expect(folder[".env"] == "KEY=hunter2" && !folder["postkit-import.json"].contains(".env"))
    #expect(folder[".gitignore"] == ".env\n")
    folder[".env"] = "KEY=mine"
    new.attachments[0].bytes = Array("KEY=other".utf8)
    #expect(try folder.import(new).isEmpty && folder[".env"] == "KEY=mine" && folder.notes.isEmpty)
    folder.files[".env"] = nil
    let changes = try folder.import(new)
    #expect(changes.isUpToDate && folder[".env"] == "KEY=other")
  }

  @Test func `a file of the origin that is renamed keeps what people wrote into it`() throws {
    var folder = MergedFolder()
    var first = WrittenFolder("Users.http", [list])
    first.attachments = [
      TransferFile(path: "bodies/a", bytes: [1]), TransferFile(path: "bodies/b", bytes: [2]),
    ]
    try folder.import(first)
    folder.files["bodies/a"] = [7]
    var second = first
    second.attachments = [
      TransferFile(path: "bodies/new a", bytes: [1]),
      TransferFile(path: "bodies/new b", bytes: [2]),
    ]
    try folder.import(second)
    #expect(folder.files.keys.filter { $0.hasPrefix("bodies") }.sorted() == [
      "bodies/new a", "bodies/new b",
    ])
    #expect(folder.files["bodies/new a"] == [7] && folder.files["bodies/new b"] == [2])
    #expect(try folder.import(second).isEmpty && folder.notes.isEmpty)
  }

  @Test func `attachments are merged as a whole`() throws {
    var folder = MergedFolder()
    var new = WrittenFolder("Users.http", [list])
    new.attachments = ["a", "b", "c", "d"].map { TransferFile(path: "bodies/\($0)", bytes: [1]) }
    try folder.import(new)
    folder["bodies/a"] = "mine"
    folder["bodies/c"] = "mine"
    new.attachments[1].bytes = [2]
    new.attachments[2].bytes = [2]
    new.attachments.removeLast()
    try folder.import(new)
    #expect(folder["bodies/a"] == "mine" && folder.files["bodies/b"] == [2])
    #expect(folder["bodies/c"] == "mine" && folder.files["bodies/d"] == nil)
    #expect(folder.notes.map(\.file) == ["bodies/c"])
  }
}
