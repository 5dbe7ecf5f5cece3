// What looks the same and has other bytes: it comes in, and nobody has edited what version control
// alone has changed.

import PostKitHTTP
import Testing

@testable import PostKitTransfer

@Suite struct SameTextTests {
  private func folder(_ word: String) -> WrittenFolder {
    let block = WrittenBlock(
      "A \(word)", id: "a", "GET /a?q=\(word)&r=1", headers: "X-N: \(word)\nX-O: 1", body: word)
    var folder = WrittenFolder(head: "# \(word)", [block])
    let value = WrittenVariable(name: "v", json: "\"\(word)\"")
    folder.environments = [WrittenEnvironment(name: "dev", values: [value])]
    return folder
  }

  @Test func `a text that is written with other characters comes in`() throws {
    var there = MergedFolder()
    for word in ["caf\u{E9}", "cafe\u{301}", "cafe2"] {
      try there.import(folder(word))
      var fresh = MergedFolder()
      try fresh.import(folder(word))
      #expect(there.files == fresh.files && there.notes.isEmpty, "\(there.notes)")
    }
  }

  @Test func `and so does one beside what people have added`() throws {
    var there = MergedFolder()
    try there.import(folder("caf\u{E9}"))
    there.edit("Users.http", "X-O: 1", "X-O: 1\nX-Mine: 1")
    there.edit("Users.http", "&r=1", "&r=1&mine=1")
    for word in ["cafe\u{301}", "cafe2"] {
      try there.import(folder(word))
      let bytes = there.files["Users.http"] ?? []
      #expect(bytes.contains(Array("X-N: \(word)\nX-O: 1\nX-Mine: 1\n".utf8)))
      #expect(bytes.contains(Array("?q=\(word)\n".utf8)) && there.notes.isEmpty)
    }
  }

  @Test func `files to which version control gave other line ends are not edited`() throws {
    func folder(_ script: String?, _ body: String) -> WrittenFolder {
      var folder = WrittenFolder(
        "Users.http",
        [
          WrittenBlock(
            "A", "POST /a", body: "< ./bodies/A.json",
            tail: script == nil ? "" : "> ./scripts/a.js")
        ])
      let files: [(String, String?)] = [("scripts/a.js", script), ("bodies/A.json", body)]
      folder.attachments = files.compactMap { path, text in
        text.map { TransferFile(path: path, bytes: Array($0.utf8)) }
      }
      return folder
    }
    var there = MergedFolder()
    try there.import(folder("let a\nlet b\n", "{\n}\n"))
    for path in there.files.keys where !path.hasPrefix("bodies/") {
      there[path] = there[path].replacing("\n", with: "\r\n")
    }
    let before = there.files
    let same = try there.import(folder("let a\nlet b\n", "{\n}\n"))
    #expect(same.isEmpty && there.files == before && there.notes.isEmpty)
    let script = same.files.first { $0.path == "scripts/a.js" }
    #expect(script?.action == .unchanged)
    try there.import(folder("let c\nlet d\n", "{\n}\n"))
    #expect(there["scripts/a.js"] == "let c\nlet d\n" && there.notes.isEmpty)
    there["scripts/a.js"] = "let c\r\nlet d\r\n"
    var edited = there
    try there.import(folder(nil, "{\n}\n"))
    #expect(there.files["scripts/a.js"] == nil && there.notes.isEmpty)
    // A body is sent as it is: other line ends are an edit.
    edited["bodies/A.json"] = "{\r\n}\r\n"
    try edited.import(folder("let c\nlet d\n", "[]\n"))
    #expect(edited["bodies/A.json"] == "{\r\n}\r\n")
    #expect(edited.changes.conflicts.map(\.file) == ["bodies/A.json"])
  }
}
