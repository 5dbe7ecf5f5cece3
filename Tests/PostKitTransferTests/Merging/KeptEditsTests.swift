// What people have made outside of a request stays when the origin moves or drops the request.

import PostKitHTTP
import Testing

@testable import PostKitTransfer

@Suite struct KeptEditsTests {
  private let list = WrittenBlock("List", "GET /users/{{fv}}")
  private let create = WrittenBlock("Create", "POST /users", body: "{}")

  private func edited() throws -> MergedFolder {
    var folder = MergedFolder()
    try folder.import(WrittenFolder("Users.http", head: "@fv = 1\n@old = 1", [list, create]))
    folder.edit("Users.http", "@fv = 1", "@fv = mine\n@added = 5")
    folder.edit("Users.http", "POST /users", "POST /users/{{added}}")
    return folder
  }

  @Test func `definitions of people go with the requests of a folder that is renamed`() throws {
    var folder = try edited()
    let new = WrittenFolder("Members.http", head: "@fv = 1\n@old = 2\n@new = 3", [list, create])
    try folder.import(new)
    #expect(folder.files["Users.http"] == nil)
    #expect(
      folder["Members.http"]
        == "@fv = mine\n@added = 5\n@old = 2\n@new = 3\n\n### List\nGET /users/{{fv}}\n\n"
        + "### Create\nPOST /users/{{added}}\n\n{}\n")
    #expect(folder.notes.isEmpty)
    #expect(try folder.import(new).isEmpty && folder.notes.isEmpty)
  }

  @Test func `a head is in both files where something of people's stays behind`() throws {
    var folder = try edited()
    folder["Users.http"] += "\n### own\nGET /own/{{added}}\n"
    try folder.import(WrittenFolder("Members.http", head: "@fv = 2\n@old = 1", [list, create]))
    let head = "@fv = mine\n@added = 5\n@old = 1\n\n"
    #expect(folder["Users.http"] == head + "### own\nGET /own/{{added}}\n")
    #expect(folder["Members.http"].hasPrefix(head))
    #expect(folder.changes.conflicts.map(\.part) == ["head"])
    #expect(folder.changes.conflicts.map(\.file) == ["Members.http"])
  }

  @Test func `edited requests stay with a head that can't follow all of them`() throws {
    var folder = try edited()
    var new = WrittenFolder("One.http", head: "@fv = 1", [list])
    new.files.append(WrittenFile(path: "Two.http", blocks: [create]))
    try folder.import(new)
    #expect(folder["One.http"] == "@fv = 1\n\n### List\nGET /users/{{fv}}\n")
    #expect(
      folder["Users.http"]
        == "@fv = mine\n@added = 5\n@old = 1\n\n### Create\nPOST /users/{{added}}\n\n{}\n")
    #expect(folder.files["Two.http"] == nil)
  }

  @Test func `a request whose file people have edited stays when the origin drops it`() throws {
    var folder = MergedFolder()
    var new = WrittenFolder(
      "Users.http", [list, WrittenBlock("Big", "POST /big", body: "< ./bodies/Big.json")])
    new.attachments = [TransferFile(path: "bodies/Big.json", bytes: Array("{}\r\n".utf8))]
    try folder.import(new)
    var untouched = folder
    folder["bodies/Big.json"] = "{\"mine\": 1}\r\n"
    let gone = WrittenFolder("Users.http", [list])
    try untouched.import(gone)
    #expect(!untouched["Users.http"].contains("Big"))
    #expect(untouched.files["bodies/Big.json"] == nil)
    try folder.import(gone)
    #expect(folder["Users.http"].contains("### Big\nPOST /big\n\n< ./bodies/Big.json"))
    #expect(folder["bodies/Big.json"] == "{\"mine\": 1}\r\n")
    #expect(folder.notes.map(\.code) == [.originGone])
    #expect(try folder.import(gone).isEmpty && folder.notes.isEmpty)
  }

  @Test func `what is told of a conflict has no credentials`() throws {
    var folder = MergedFolder()
    let headers = "Authorization: Bearer CANARY1\nX: 1"
    func block(_ canary: String, headers: String) -> WrittenBlock {
      WrittenBlock("A", "GET https://me:\(canary)@a.test/x", headers: headers)
    }
    try folder.import(
      WrittenFolder(head: "@apiToken = CANARY1", [block("CANARY1", headers: headers)]))
    folder.edit("Users.http", "Bearer CANARY1", "Bearer {{mine}}")
    folder.edit("Users.http", "me:CANARY1", "me:{{mine}}")
    folder.edit("Users.http", "= CANARY1", "= {{mine}}")
    let new = WrittenFolder(
      head: "@apiToken = CANARY2",
      [block("CANARY2", headers: "Authorization: Bearer\n CANARY2\n# Cookie: a=CANARY2\nX: 1")])
    var deleted = folder
    try folder.import(new)
    #expect(folder.changes.conflicts.count == 3)
    deleted["Users.http"] = ""
    try deleted.import(new)
    #expect(deleted.changes.conflicts.map(\.part).contains("request"))
    for note in folder.notes + deleted.notes {
      #expect(!note.message.contains("CANARY"), "\(note.message)")
    }
    #expect(folder.notes.contains { $0.message.contains("GET https://••••••@a.test/x") })
  }

  @Test func `templates and what is no credential are told`() {
    let text = "Authorization: Bearer {{t}}\nX-Api-Key: {{ key }}\nGET http://{{u}}:{{p}}@a.test/@b"
    #expect(FolderMerge.quoted(text) == "`\(text.replacing("\n", with: " ⏎ "))`")
    #expect(FolderMerge.quoted("Cookie: a\n  b\nX: 1") == "`Cookie: •••••• ⏎  •••••• ⏎ X: 1`")
    #expect(FolderMerge.quoted("a http://b \"http://c:d@e\"") == "`a http://b \"http://••••••@e\"`")
    let pairs = "GET /a\n    ?token={{t}}\n    &b=1"
    #expect(FolderMerge.quoted(pairs) == "`\(pairs.replacing("\n", with: " ⏎ "))`")
    #expect(FolderMerge.quoted("?token=x") == "`?token= ••••••`")
  }

  @Test(arguments: [
    ("GET http://a.test/x?a=1&api_key=CANARY&b=2", "GET http://a.test/x?a=1&api_key=*&b=2"),
    ("GET /x?access%5Ftoken=CANARY", "GET /x?access%5Ftoken=*"),
    (#"{"user": "me", "password": "CANARY\"CANARY"}"#, #"{"user": "me", "password": "*"}"#),
    (#"{"token":12345, "b":{"secret" : ["x"]}}"#, #"{"token":*, "b":{"secret" : ["x"]}}"#),
    (#"{"a":"{\"password\":\"CANARY\"}"}"#, #"{"a":"{\"password\":\"*\"}"}"#),
    ("user=me&password=CANARY&x=1", "user=me&password=*&x=1"),
    ("<a><password>CANARY</password></a>", "<a><password>*</password></a>"),
    (#"{"token": "{{t}}", "key": null}"#, #"{"token": "{{t}}", "key": null}"#),
    ("GET /x?token={{t}}&tag=a=b:c>d", "GET /x?token={{t}}&tag=a=b:c>d"),
  ])
  func `values that are named like credentials are not told`(text: String, told: String) {
    #expect(FolderMerge.quoted(text) == "`\(told.replacing("*", with: SecretMask.text))`")
  }

  /// What is told where people and the origin have changed the same of a request.
  private func conflicts(
    _ line: String = "POST /a", headers: String = "X-Auth: a", body: String = "old",
    tail: String = "> {%\n  client.log(1)\n%}", mine: (String, String)
  ) throws -> [ImportNote] {
    var folder = MergedFolder()
    try folder.import(
      WrittenFolder("Users.http", [
        WrittenBlock(
          "A", "POST /a", headers: "X-Auth: a", body: "old",
          tail: "> {%\n  client.log(1)\n%}"),
      ]))
    folder.edit("Users.http", mine.0, mine.1)
    try folder.import(
      WrittenFolder(
        "Users.http", [WrittenBlock("A", line, headers: headers, body: body, tail: tail)]))
    #expect(folder.changes.conflicts.count == 1)
    return folder.notes
  }

  @Test(arguments: [
    #"mutation { login(password: "CANARY") { id } }"#,
    "--b\nContent-Disposition: form-data; name=\"password\"\n\nCANARY\n--b--",
    #"{"Authorization": "Bearer CANARY"}"#, #"{"a": "Bearer CANARY"}"#,
    #"{"token": {"value": "CANARY"}}"#, #"{"passwords": ["CANARY"]}"#,
    "{\"password\":\n\"CANARY\"}", #"{"pwd": "CANARY"}"#, #"{"passwd": "CANARY"}"#,
    #"{"pass": "CANARY"}"#, #"{"credential": "CANARY"}"#, #"{"\u0070assword": "CANARY"}"#,
    "<ns:password>CANARY</ns:password>", #"<password type="x">CANARY</password>"#,
    "{password: CANARY}", "a=1&%70assword=CANARY",
    "-----BEGIN PRIVATE KEY-----\nCANARY\n-----END PRIVATE KEY-----",
  ])
  func `a body that may hold a credential is not told`(body: String) throws {
    let notes = try conflicts(body: body, mine: ("old", "mine"))
    let count = body.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect(notes.map(\.code) == [.conflict])
    #expect(!notes[0].message.contains("CANARY"), "\(notes[0].message)")
    #expect(notes[0].message.contains(ImportReport.count(count, "line")))
  }

  @Test(arguments: [
    "client.global.set('token', 'CANARY')", "request.headers['X-Api-Key'] = 'CANARY'",
    "add({key: 'Authorization', value: 'Bearer CANARY'})",
  ])
  func `a script that may hold a credential is not told`(script: String) throws {
    let notes = try conflicts(tail: "> {%\n  \(script)\n%}", mine: ("log(1)", "log(2)"))
    #expect(!notes[0].message.contains("CANARY") && notes[0].message.contains("3 lines"))
  }

  @Test(arguments: [
    "X-Auth: CANARY", "X-Auth: b\nX-Session: CANARY", "X-Auth: b\nX-A: {\"token\": [\"CANARY\"]}",
    "X-Auth: b\nX-A: Bearer CANARY",
  ])
  func `headers that may hold a credential are not told`(headers: String) throws {
    let notes = try conflicts(headers: headers, mine: ("X-Auth: a", "X-Auth: mine"))
    #expect(!notes[0].message.contains("CANARY"), "\(notes[0].message)")
    #expect(notes[0].message.contains("X-Auth: ••••••"))
  }

  @Test func `a command is not told, and of a body the lines that differ are`() throws {
    let command = try conflicts(
      "curl -u me:CANARY http://a.test", headers: "", body: "", tail: "",
      mine: ("POST /a", "POST /mine"))
    #expect(command.allSatisfy { !$0.message.contains("CANARY") })
    let body = try conflicts(body: "old\n1\nauthor", mine: ("old", "old\n2"))
    #expect(body[0].message.hasSuffix("of the body: `1 ⏎ author`"), "\(body[0].message)")
    let less = try conflicts(body: "", mine: ("old", "old\n2"))
    #expect(less[0].message.hasSuffix("of the body: nothing."), "\(less[0].message)")
  }

  @Test func `a value that may hold a credential is not told`() throws {
    func folder(_ text: String) -> WrittenFolder {
      var folder = WrittenFolder("Users.http", [list])
      let values = [
        WrittenVariable(name: "config", json: #"{"password":"\#(text)"}"#),
        WrittenVariable(name: "sessionId", json: #""\#(text)""#),
      ]
      folder.environments = [WrittenEnvironment(name: "dev", values: values)]
      return folder
    }
    var there = MergedFolder()
    try there.import(folder("old"))
    let name = EnvironmentFilesWriter.publicName
    for _ in 0..<2 { there.edit(name, "\"old\"", "\"mine\"") }
    try there.import(folder("CANARY"))
    #expect(there.notes.map(\.code) == [.conflict, .conflict])
    #expect(there.notes.allSatisfy { !$0.message.contains("CANARY") })
  }

  @Test func `a secret of the environments is told nowhere`() throws {
    func folder(_ path: String) -> WrittenFolder {
      var folder = WrittenFolder("Users.http", [WrittenBlock("A", "GET /\(path)/CANARY-1")])
      let secret = WrittenVariable(name: "code", json: #""CANARY-1""#)
      folder.environments = [WrittenEnvironment(name: "dev", secrets: [secret])]
      return folder
    }
    var there = MergedFolder()
    try there.import(folder("a"))
    there.edit("Users.http", "GET /a/", "GET /mine/")
    try there.import(folder("b"))
    #expect(there.notes.count == 1 && there.notes[0].message.contains("GET /b/••••••"))
  }
}
