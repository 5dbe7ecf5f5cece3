// Folders as they are found, and what an export does to the one it writes.

import Libc
import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct FolderFilesTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func link(_ name: String, to target: String) { _ = symlink(target, folder.path(name)) }

  @Test func `links to folders are not followed, and that is told`() throws {
    try folder.write("api/a.http", "GET /a")
    try folder.write("other/b.http", "GET /b")
    link("api/loop", to: "..")
    link("api/self", to: ".")
    link("api/elsewhere", to: folder.path("other"))
    let found = try FolderFiles.read(folder.path("api"))
    #expect(found.files.map(\.path) == ["a.http"])
    #expect(
      found.warnings == ["elsewhere", "loop", "self"].map {
        "\($0) is left out: it is a link to a folder."
      })
    link("api-link", to: "api")
    #expect(try FolderFiles.read(folder.path("api-link")) == found)
  }

  @Test func `links to files are followed within the folder only, and that is told`() throws {
    try folder.write("api/a.http", "GET /a")
    try folder.write("other/b.http", "GET /b")
    try folder.write("other/env.json", "{}")
    link("api/inside.http", to: "a.http")
    link("api/outside.http", to: folder.path("other/b.http"))
    link("api/http-client.env.json", to: "../other/env.json")
    link("api/gone.http", to: "nowhere")
    link("api/gone.txt", to: "nowhere")
    let found = try FolderFiles.read(folder.path("api"))
    #expect(found.files.map(\.path) == ["a.http", "inside.http"])
    #expect(
      found.warnings == [
        "gone.http is left out: it is a broken link.",
        "http-client.env.json is left out: it is a link to a file outside the folder.",
        "outside.http is left out: it is a link to a file outside the folder.",
      ])
  }

  @Test func `a file whose name is no UTF-8 is left out, and that is told`() throws {
    try folder.write("a.http", "GET /a")
    let name = Array((folder.path + "/caf").utf8) + [0xE9] + Array(".http".utf8) + [0]
    let descriptor = name.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600) }
    }
    try #require(descriptor >= 0)
    close(descriptor)
    // No `String` names the file, so the folder can't remove it itself.
    defer {
      name.withUnsafeBufferPointer { bytes in
        _ = bytes.withMemoryRebound(to: CChar.self) { unlink($0.baseAddress!) }
      }
    }
    let found = try FolderFiles.read(folder.path)
    #expect(found.files.map(\.path) == ["a.http"])
    #expect(
      found.warnings == [
        "caf\u{FFFD}.http is left out: its name is not UTF-8. Rename it."
      ])
  }

  @Test func `request files come in the order of the manifests beside them`() throws {
    for path in ["a.http", "b.http", "c.http", "m/1.http", "z/a.http", "z/b.http"] {
      try folder.write(path, "GET /")
    }
    try folder.write(
      "postkit-folder.json", #"{"folders": ["z", "m"], "requests": ["c.http", "a.http"]}"#)
    try folder.write("z/postkit-folder.json", #"{"requests": ["b.http"]}"#)
    #expect(
      try FolderFiles.read(folder.path).requestFiles.map(\.path) == [
        "z/b.http", "z/a.http", "m/1.http", "c.http", "a.http", "b.http",
      ])
    // What is no manifest says nothing.
    try folder.write("postkit-folder.json", "[]")
    #expect(
      try FolderFiles.read(folder.path).requestFiles.map(\.path) == [
        "a.http", "b.http", "c.http", "m/1.http", "z/b.http", "z/a.http",
      ])
  }

  @Test func `of other files only the names are read`() throws {
    try folder.write("a.http", "GET /a")
    let big = try folder.write("data/big.json", "")
    #expect(truncate(big, off_t(Limits.sourceFileBytes) + 1) == 0)
    let found = try FolderFiles.read(folder.path)
    #expect(found.files.map(\.path) == ["a.http", "data/big.json"])
    #expect(found.files[1].bytes.isEmpty && found.warnings == [])
  }

  @Test func `an export removes what an earlier one of it has written, and nothing else`() throws {
    func files(_ name: String, _ folder: String, _ request: String) -> [TransferFile] {
      RequestFolderWriter.files(
        of: ImportedCollection(
          name: name,
          folders: [
            ImportedFolder(name: folder, requests: [ImportedRequest(source: "### in\nGET /")])
          ], requests: [ImportedRequest(source: "### \(request)\nGET /")])
      ).files
    }
    let tree = folder.path("tree")
    try FolderFiles.write(files("A", "old", "one"), to: tree, replaces: false)
    try FolderFiles.write(files("B", "inner", "b"), to: folder.path("tree/b"), replaces: false)
    try FolderFiles.write(files("A", "new", "two"), to: tree, replaces: true)
    let found = try FolderFiles.read(tree)
    #expect(
      found.files.map(\.path) == [
        "b/b.http", "b/inner/in.http", "b/inner/postkit-folder.json", "b/postkit-folder.json",
        "new/in.http", "new/postkit-folder.json", "postkit-folder.json", "two.http",
      ])
  }

  @Test func `a manifest that was changed by hand names no other files for removal`() throws {
    let names = ["notes.txt", "../up.http", "/abs.http", "sub/deep.http", ".hidden.http", "old.http"]
    let manifest = FolderManifest.lines(
      .object([
        JSONMember("requests", .array(names.map(JSONValue.string))),
        JSONMember("folders", .array(["..", "sub/../../up", "link", ""].map(JSONValue.string))),
      ]))
    try folder.write("out/postkit-folder.json", bytes: manifest)
    try folder.write("up/postkit-folder.json", #"{"requests": ["mine.http"]}"#)
    let kept = [
      "out/notes.txt", "up.http", "out/sub/deep.http", "out/.hidden.http", "up/mine.http",
    ]
    for path in kept { try folder.write(path, "mine") }
    try folder.write("out/old.http", "GET /")
    link("out/link", to: "../up")
    let files = [TransferFile(path: "a.http", bytes: [])]
    try FolderFiles.write(files, to: folder.path("out"), replaces: true)
    for path in kept { #expect(try folder.read(path) == "mine", "\(path)") }
    #expect(!FileSystem.exists(folder.path("out/old.http")))
  }

  @Test func `folders too deep are left out, and that is told`() throws {
    let deep = Array(repeating: "d", count: 40).joined(separator: "/")
    try folder.write("top.http", "GET /")
    try folder.write("\(deep)/x.http", "GET /x")
    let found = try FolderFiles.read(folder.path)
    #expect(found.files.map(\.path) == ["top.http"])
    #expect(found.warnings.count == 1 && found.warnings[0].contains("deeper than 32 folders"))
  }

  @Test func `a file that can't be read is left out, and that is told`() throws {
    try folder.write("a.http", "GET /a")
    let big = try folder.write("big.http", "")
    #expect(truncate(big, off_t(Limits.sourceFileBytes) + 1) == 0)
    let found = try FolderFiles.read(folder.path)
    #expect(found.files.map(\.path) == ["a.http"])
    #expect(found.warnings.count == 1)
    #expect(found.warnings[0].hasPrefix("big.http is left out. "))
    #expect(found.warnings[0].contains("more than the limit"))
  }

  @Test func `one request file can be named`() throws {
    let path = try folder.write("users.http", "### a\nGET /a\n\n### b\nGET /b\n")
    let found = try FolderFiles.read(path)
    let result = RequestFolderReader().read(found.files[0], name: "users")
    #expect(result.collection.requests.count == 2 && result.collection.folders.isEmpty)
    let other = try folder.write("users.txt", "")
    #expect(throws: FileFailure.notDirectory(path: other)) { try FolderFiles.read(other) }
  }

  @Test func `an export goes through no link`() throws {
    let outside = try folder.write("outside/a.http", "mine")
    try folder.write("out/own.txt", "")
    link("out/sub", to: folder.path("outside"))
    let files = [TransferFile(path: "sub/a.http", bytes: Array("GET /".utf8))]
    #expect(throws: FileFailure.isLink(path: folder.path("out/sub"))) {
      try FolderFiles.write(files, to: folder.path("out"), replaces: true)
    }
    // Neither what a link in place of a file leads to nor the link itself is replaced.
    link("out/b.http", to: outside)
    let flat = [
      TransferFile(path: "a.http", bytes: []),
      TransferFile(path: "b.http", bytes: Array("GET /b".utf8)),
    ]
    #expect(throws: FileFailure.isLink(path: folder.path("out/b.http"))) {
      try FolderFiles.write(flat, to: folder.path("out"), replaces: true)
    }
    #expect(try folder.read("outside/a.http") == "mine")
    #expect(FileSystem.isLink(folder.path("out/b.http")))
    #expect(try FileSystem.list(folder.path("out")) == ["b.http", "own.txt", "sub"])
    // The folder itself may be a link to one that is there.
    link("elsewhere", to: "new")
    #expect(throws: FileFailure.isLink(path: folder.path("elsewhere"))) {
      try FolderFiles.write(flat, to: folder.path("elsewhere"), replaces: true)
    }
    try FileSystem.makeDirectory(folder.path("new"))
    try FolderFiles.write(flat, to: folder.path("elsewhere"), replaces: false)
    #expect(FileSystem.isLink(folder.path("elsewhere")))
    #expect(try folder.read("new/b.http") == "GET /b")
  }

  @Test func `what a killed export has left is cleared away by the next one, and nothing else`()
    throws
  {
    let id = Identifier.next()
    let left = ".postkit-new-\(id)"
    let files = [TransferFile(path: "a.http", bytes: [])]
    let target = folder.path("out")
    for parent in ["", "out/"] {
      try folder.write("\(parent)\(left)/deep/a.http", "old")
      try folder.write("\(parent).postkit-new-notes/b.http", "mine")
      try folder.write("\(parent).\(id)/c.http", "mine")
      try folder.write("\(parent)mine/d.http", "mine")
      link("\(parent).postkit-new-\(Identifier.next())", to: folder.path("\(parent)mine"))
      // Another export is under way.
      let other = try StagingDirectory(in: folder.path(String(parent.dropLast())))
      try FolderFiles.write(files, to: parent.isEmpty ? folder.path("new") : target, replaces: true)
      #expect(FileSystem.isDirectory(other.path) && !FileSystem.exists(folder.path(parent + left)))
      for kept in [".postkit-new-notes/b.http", ".\(id)/c.http", "mine/d.http"] {
        #expect(try folder.read(parent + kept) == "mine")
      }
      try other.remove()
    }
    // What was left in a folder that was empty keeps nobody from writing there.
    try folder.write("empty/\(left)/a.http", "old")
    try FolderFiles.write(files, to: folder.path("empty"), replaces: false)
    #expect(try FileSystem.list(folder.path("empty")) == ["a.http"])
  }

  @Test func `an export that can't be written leaves nothing`() throws {
    let files = [
      TransferFile(path: "a.http", bytes: []), TransferFile(path: "d/b.http", bytes: []),
      // No file system takes such a name.
      TransferFile(path: String(repeating: "x", count: 300), bytes: []),
    ]
    #expect(throws: FileFailure.self) {
      try FolderFiles.write(files, to: folder.path("new"), replaces: false)
    }
    #expect(try FileSystem.list(folder.path).isEmpty)
    try folder.write("old/a.http", "old")
    #expect(throws: FileFailure.self) {
      try FolderFiles.write(files, to: folder.path("old"), replaces: true)
    }
    #expect(try folder.read("old/a.http") == "old")
    #expect(try FileSystem.list(folder.path("old")) == ["a.http"])
    // A directory stands where a file would go: nothing is changed before that is seen.
    try folder.write("old/d/b.http/x", "")
    #expect(throws: FileFailure.isDirectory(path: folder.path("old/d/b.http"))) {
      try FolderFiles.write(Array(files.prefix(2)), to: folder.path("old"), replaces: true)
    }
    #expect(try folder.read("old/a.http") == "old")
  }
}
