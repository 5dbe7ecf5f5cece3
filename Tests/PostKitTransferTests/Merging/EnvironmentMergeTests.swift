// Environment files: values of people stay, and secrets that have one are never written again.

import PostKitHTTP
import Testing

@testable import PostKitTransfer

@Suite struct EnvironmentMergeTests {
  private func folder(
    _ values: [String: String], secrets: [String: String] = [:], name: String = "dev"
  ) -> WrittenFolder {
    var folder = WrittenFolder("Users.http", [WrittenBlock("A", "GET /a")])
    func list(_ values: [String: String]) -> [WrittenVariable] {
      values.sorted { $0.key < $1.key }.map { WrittenVariable(name: $0.key, json: $0.value) }
    }
    folder.environments = [
      WrittenEnvironment(name: name, values: list(values), secrets: list(secrets))
    ]
    return folder
  }

  @Test func `values that the user changed stay, others follow the origin`() throws {
    var there = MergedFolder()
    try there.import(folder(["a": "1", "b": "\"x\"", "c": "true", "d": "0"]))
    there.edit("http-client.env.json", "\"a\": 1", "\"a\": 5,\n    \"own\": 2")
    there.edit("http-client.env.json", "\"c\": true", "\"c\": false")
    try there.import(folder(["a": "1", "b": "\"y\"", "c": "null", "e": "{\"f\": [1]}"]))
    #expect(
      there["http-client.env.json"] == """
        {
          "dev": {
            "a": 5,
            "own": 2,
            "b": "y",
            "c": false,
            "e": {
              "f": [
                1
              ]
            }
          }
        }

        """)
    #expect(there.notes.map(\.origin) == ["dev / c"])
    let again = folder(["a": "1", "b": "\"y\"", "c": "null", "e": "{\"f\":[1]}"])
    #expect(try there.import(again).isEmpty)
  }

  @Test func `environments that are gone go but for what is the user's`() throws {
    var there = MergedFolder()
    try there.import(folder(["a": "1"], name: "old"))
    var touched = there
    touched.edit("http-client.env.json", "1", "1, \"own\": 2")
    try there.import(folder(["a": "1"], name: "new"))
    #expect(!there["http-client.env.json"].contains("old"))
    try touched.import(folder(["a": "1"], name: "new"))
    #expect(touched["http-client.env.json"].contains("\"old\": {\n    \"own\": 2\n  }"))
  }

  @Test func `what another source gave stays when an import is made without it`() throws {
    var there = MergedFolder()
    let both = ["../shop.json", "../dev.json"]
    var whole = folder(["a": "1"], name: "dev")
    whole.environments.append(
      WrittenEnvironment(name: "$shared", values: [WrittenVariable(name: "own", json: "1")]))
    try there.import(whole, sources: both)
    let before = there.files
    #expect(try there.import(folder([:], name: "$shared")).isEmpty && there.files == before)
    // Nobody has changed it since, as far as the next import with both knows.
    whole.environments[0].values = [WrittenVariable(name: "a", json: "2")]
    try there.import(whole, sources: both)
    #expect(there["http-client.env.json"].contains("\"a\": 2") && there.notes.isEmpty)
  }

  @Test func `secrets with a value stay, those without get one`() throws {
    var there = MergedFolder()
    try there.import(folder(["a": "1"], secrets: ["s": "\"\"", "t": "\"one\""]))
    #expect(there[".gitignore"] == "http-client.private.env.json\n")
    there.edit("http-client.private.env.json", "one", "mine")
    let second = folder(["a": "1"], secrets: ["s": "\"new\"", "t": "\"two\"", "u": "\"\""])
    try there.import(second)
    let text = there["http-client.private.env.json"]
    #expect(text.contains("\"s\": \"new\"") && text.contains("\"t\": \"mine\""))
    #expect(text.contains("\"u\": \"\"") && there.notes.isEmpty)
    // Version control has no secrets: a copy without them is up to date.
    there.files["http-client.private.env.json"] = nil
    let changes = try there.import(second)
    #expect(!changes.isEmpty && changes.isUpToDate)
  }

  /// A folder of requests, each of which names a credential, by their titles.
  private func folder(
    naming names: [(title: String, name: String)], secrets: [String: String],
    isRemembered: Bool = false
  ) -> WrittenFolder {
    var folder = folder(["a": "1"], secrets: secrets)
    folder.files[0].blocks = names.map { title, name in
      WrittenBlock(title, "GET /\(title)", headers: "Authorization: Bearer {{\(name)}}")
    }
    if isRemembered {
      for (title, name) in names { folder.credentials[title] = ["bearerToken": name] }
    }
    return folder
  }

  @Test func `a credential follows the request that it is for`() throws {
    var there = MergedFolder()
    try there.import(folder(naming: [("a", "bearerToken")], secrets: ["bearerToken": "\"one\""]))
    // A request that comes before has taken the name.
    let second = ["bearerToken": "\"two\"", "bearerToken2": "\"one\""]
    try there.import(
      folder(naming: [("new", "bearerToken"), ("a", "bearerToken2")], secrets: second))
    let text = there["http-client.private.env.json"]
    #expect(text.contains("\"bearerToken\": \"two\""))
    #expect(text.contains("\"bearerToken2\": \"one\""))
  }

  @Test func `a value of the user that is another secret's stays`() throws {
    let secrets = ["bearerToken": "\"one\"", "bearerToken2": "\"two\"", "bearerToken3": "\"x\""]
    for isRemembered in [true, false] {
      let names = [("a", "bearerToken"), ("b", "bearerToken2")]
      let new = folder(naming: names, secrets: secrets, isRemembered: isRemembered)
      var there = MergedFolder()
      try there.import(new)
      there.edit("http-client.private.env.json", "\"two\"", "\"one\"")
      // No request names this one.
      there.edit("http-client.private.env.json", "\"x\"", "\"two\"")
      let before = there.files
      #expect(try there.import(new).isEmpty && there.files == before)
      // The origin changes the request, but not what the name is for.
      var changed = new
      changed.files[0].blocks[1].headers += "\nX-New: 1"
      try there.import(isRemembered ? changed : new)
      let name = "http-client.private.env.json"
      #expect(there[name].utf8.elementsEqual((before[name] ?? [])))
    }
  }

  @Test func `values that people have exchanged stay where the origin changes the same header`()
    throws
  {
    func folder(_ kind: String) -> WrittenFolder {
      var folder = WrittenFolder(
        "Users.http",
        ["A", "B"].map { title in
          let name = title == "A" ? "" : "2"
          let headers = "X: \(kind)\nCookie: \(kind)=1; sid={{sid\(name)}}"
          return WrittenBlock(title, "GET /\(title)", headers: headers)
        })
      let secrets = [("sid", "one"), ("sid2", "two")].map {
        WrittenVariable(name: $0.0, json: "\"\($0.1)\"")
      }
      folder.environments = [WrittenEnvironment(name: "$shared", secrets: secrets)]
      return folder
    }
    var there = MergedFolder()
    try there.import(folder("a"))
    let file = EnvironmentFilesWriter.privateName
    there[file] = there[file].replacing("one", with: "x").replacing("two", with: "one")
      .replacing("\"x\"", with: "\"two\"")
    let mine = there[file]
    try there.import(folder("b"))
    #expect(there[file] == mine && there["Users.http"].contains("Cookie: b=1; sid={{sid2}}"))
  }

  @Test func `nothing of a secret is in the manifest`() throws {
    var (one, two) = (MergedFolder(), MergedFolder())
    try one.import(folder(["a": "1"], secrets: ["s": "\"hunter2\""]))
    try two.import(folder(["a": "1"], secrets: ["s": "\"hunter3\""]))
    #expect(one["postkit-import.json"] == two["postkit-import.json"])
    #expect(!one["postkit-import.json"].contains("hunter"))
  }

  @Test func `comments are not lost`() throws {
    var there = MergedFolder()
    try there.import(folder(["a": "1"]))
    there.edit("http-client.env.json", "{\n", "{\n  // ours\n")
    #expect(try there.import(folder(["a": "1"])).isEmpty)
    let before = there.files
    #expect(throws: OriginFailure.self) { try there.import(folder(["a": "2"])) }
    #expect(there.files == before)
  }

  @Test func `a file that is no JSON object is not written over`() throws {
    for text in ["[1]", "{\"dev\": ", "x"] {
      var there = MergedFolder()
      there["http-client.env.json"] = text
      #expect(throws: OriginFailure.self) { try there.import(folder(["a": "1"])) }
      #expect(there.files.count == 1)
    }
  }
}
