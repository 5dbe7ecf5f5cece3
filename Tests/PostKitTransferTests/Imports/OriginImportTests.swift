// Imports from files to a folder on the disk: what is chosen, refused, written and told.

import Libc
import PostKitHTTP
import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitTransfer

/// Reads a format of the tests: a first line `lines NAME`, then a line for each request, which is
/// its id, its method and its URL; `file PATH` asks for a file.
private enum LineImporter: OriginImporter {
  static let format = OriginFormat.thunder

  static func recognises(_ source: OriginSource) -> Bool {
    source.bytes.starts(with: Array("lines ".utf8))
  }

  static func accompanies(_ source: OriginSource) -> Bool {
    source.bytes.starts(with: Array("env ".utf8))
  }

  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    var lines = String(decoding: sources[0].bytes, as: UTF8.self).split(separator: "\n")[...]
    let name = String(lines.removeFirst().dropFirst(6))
    var root = OriginFolder(name: name, place: OriginPlace())
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      if words[0] == "file" {
        context.notes.tell(.fileMissing, "\(context.file(words[1]))", at: OriginPlace())
        continue
      }
      root.requests.append(
        OriginRequest(
          id: words[0], name: words[0], place: OriginPlace(), method: words[1],
          url: OriginText(words[2])))
    }
    var collection = OriginCollection(format: format, version: "1", root: root)
    for source in sources.dropFirst() {
      let text = String(decoding: source.bytes.dropFirst(4), as: UTF8.self)
      collection.environments.append(
        OriginEnvironment(
          name: "dev", place: OriginPlace(),
          variables: [
            OriginVariable(name: "host", value: .text(text), place: OriginPlace()),
            OriginVariable(
              name: "key", value: .text("hunter2"), isSecret: true, place: OriginPlace()),
          ]))
    }
    return collection
  }
}

@Suite struct OriginImportTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write(
      "src/shop.lines", "lines Shop\nlist GET {{host}}/users\nmake POST {{host}}/users\n")
    try folder.write("src/dev.env", "env a.test")
  }

  private func order(_ sources: String..., to target: String? = "out") -> OriginImport {
    let inputs = sources.map { OriginImport.Input.path(folder.path($0), called: $0) }
    var order = OriginImport(inputs, in: folder.path)
    order.target = target
    order.importers = [LineImporter.self]
    return order
  }

  private func text(_ path: String) -> String {
    let bytes = try? FileSystem.read(path: folder.path(path), limit: 1 << 20)
    return bytes.map { String(keeping: $0) } ?? ""
  }

  private var names: [String] { (try? FileSystem.list(folder.path("out"))) ?? [] }

  @Test func `a source becomes a folder, and again nothing changes`() throws {
    let order = order("src/shop.lines", "src/dev.env")
    let report = order.run()
    #expect(report.error == nil, "\(report.message ?? "")")
    let sentence = "Imported 2 requests of Shop into out/ (1 file, 1 environment)"
    #expect(report.sentence.hasPrefix(sentence))
    let written = [
      ".gitignore", "Shop.http", "http-client.env.json", "http-client.private.env.json",
      "postkit-import.json",
    ]
    #expect(names == written)
    #expect(text("out/Shop.http").contains("### list\nGET {{host}}/users\n"))
    #expect(text("out/http-client.private.env.json").contains("hunter2"))
    #expect(FileSystem.mode(folder.path("out/http-client.private.env.json")) == 0o600)
    #expect(FileSystem.mode(folder.path("out/Shop.http")) == 0o644)
    #expect(FileSystem.mode(folder.path("out")).map { $0 & 0o700 } == 0o700)
    let manifest = text("out/postkit-import.json")
    #expect(manifest.contains("[\"../src/shop.lines\",\"../src/dev.env\"]"))
    #expect(!manifest.contains(folder.path) && !manifest.contains("hunter2"))
    var check = order
    check.mode = .check
    for again in [order, check] {
      let report = again.run()
      #expect(report.error == nil && report.files.allSatisfy { $0.action == .unchanged })
    }
    #expect(names == written && text("out/postkit-import.json") == manifest)
  }

  @Test func `a folder that is there and empty is written to`() throws {
    try FileSystem.makeDirectory(folder.path("out"))
    #expect(order("src/shop.lines").run().error == nil)
    #expect(names == ["Shop.http", "postkit-import.json"])
  }

  @Test func `without a target the folder has the name of the collection`() throws {
    let report = order("src/shop.lines", to: nil).run()
    #expect(report.target == "Shop" && !text("Shop/Shop.http").isEmpty)
    try folder.write("src/bad.lines", "lines ../../up:x\na GET /a\n")
    let other = order("src/bad.lines", to: nil).run()
    #expect(other.error == nil && other.target == "up-x" && FileSystem.exists(folder.path("up-x")))
  }

  @Test func `dry runs and checks write nothing`() throws {
    var order = order("src/shop.lines")
    order.mode = .dryRun
    let report = order.run()
    #expect(report.error == nil && !FileSystem.exists(folder.path("out")))
    #expect(report.changedFiles == ["created out/Shop.http", "created out/postkit-import.json"])
    #expect(report.sentence == "Would import 2 requests of Shop into out/ (1 file).")
    order.mode = .check
    #expect(order.run().exitCode == 1 && !FileSystem.exists(folder.path("out")))
  }

  @Test func `a folder of others is refused, and written beside when forced`() throws {
    try folder.write("out/Shop.http", "GET /mine\n")
    var order = order("src/shop.lines")
    let refused = order.run()
    #expect(refused.exitCode == 2 && names == ["Shop.http"])
    #expect(
      refused.message
        == "out has something in it that no import made; choose another, or --force writes beside "
        + "it.")
    order.isForced = true
    #expect(order.run().error == nil)
    #expect(names == ["Shop 2.http", "Shop.http", "postkit-import.json"])
    #expect(text("out/Shop.http") == "GET /mine\n")
    order.isForced = false
    #expect(order.run().files.allSatisfy { $0.action == .unchanged })
    try folder.write("src/shop.lines", "lines Shop\nlist PUT {{host}}/users\n")
    #expect(order.run().error == nil && text("out/Shop.http") == "GET /mine\n")
    #expect(text("out/Shop 2.http").contains("PUT") && !text("out/Shop 2.http").contains("POST"))
  }

  @Test func `a manifest that can't be used is told, and nothing is written`() throws {
    for (bytes, words) in [
      ("<<<<<<< HEAD\n{}", "can't be used"), ("{\"version\": 2}", "of version 2"),
      ("{\"version\": 1}", "it has no `requests`"), ("[]", "no JSON object"),
      ("{\"version\": 1, \"requests\": {\"a\": {}}}", "no `file`"),
    ] {
      try folder.write("out/postkit-import.json", bytes)
      let report = order("src/shop.lines").run()
      #expect(report.exitCode == 2 && report.message?.contains(words) == true, "\(bytes)")
      #expect(names == ["postkit-import.json"])
    }
  }

  @Test func `a manifest of strangers leads nowhere else`() throws {
    for path in ["../evil.http", "/tmp/evil.http", ".git/config", "a/../../evil.http", "a//b"] {
      try folder.write(
        "out/postkit-import.json",
        "{\"version\": 1, \"renamed\": {\"Shop.http\": \"\(path)\"}, \"requests\": {}, \"files\": "
          + "{\"\(path)\": {\"hash\": \"x\"}}}")
      #expect(order("src/shop.lines").run().error == nil)
      #expect(names == ["Shop.http", "postkit-import.json"])
      #expect(try FileSystem.list(folder.path) == ["out", "src"])
      try FileSystem.removeTree(folder.path("out"))
    }
    #expect(FolderChanges.isPlain("a/b.http") && FolderChanges.isAllowed(".gitignore"))
    #expect(FolderChanges.isAllowed(".env") && FolderChanges.isAllowed("a/.env.local"))
    #expect(!FolderChanges.isAllowed(".git/.env") && !FolderChanges.isAllowed("../.env"))
    #expect(!FolderChanges.isPlain(".env"))
    #expect(!FolderChanges.isPlain("a/.git/x") && !FolderChanges.isPlain(""))
  }

  @Test func `the import of something else is not merged`() throws {
    _ = order("src/shop.lines").run()
    try folder.write("src/other.lines", "lines Other\nx GET /x\n")
    let report = order("src/other.lines").run()
    #expect(report.exitCode == 2 && report.message?.contains("import of `Shop` (thunder)") == true)
    #expect(text("out/Shop.http").contains("### list"))
  }

  @Test func `what can't be read is told with its place`() throws {
    try folder.write("src/bin", bytes: [0x6C, 0x69, 0xFF, 0x00])
    try folder.write("src/odd", bytes: [0xFF, 0xFE, 0x6C, 0x00, 0x00, 0xDC])
    try folder.write("src/env", "env b.test")
    for (sources, words) in [
      (["src/none"], "src/none doesn't exist"), (["src/bin"], "byte 2 belongs to no character"),
      (["src/odd"], "byte 4 belongs to no character"), (["src/env"], "has no requests"),
      (["src/shop.lines", "src/shop.lines"], "are two collections"),
    ] {
      var order = order(to: "out")
      order.inputs = sources.map { .path(folder.path($0), called: $0) }
      let report = order.run()
      #expect(report.exitCode == 2 && report.message?.contains(words) == true, "\(sources)")
    }
    try folder.write("src/text", "what is this")
    let unknown = order("src/text").run()
    let words = "src/text is in no format that PostKit reads; it reads"
    #expect(unknown.message?.contains(words) == true)
    for (text, words) in [
      ("#%RAML 1.0\ntitle: x", "is RAML, which PostKit does not read. Convert it to OpenAPI"),
      ("{\"item\": [", "text can't be read at byte 10: the text ends too early."),
    ] {
      try folder.write("src/text", text)
      #expect(order("src/text").run().message?.contains(words) == true)
    }
    #expect(!FileSystem.exists(folder.path("out")))
  }

  @Test func `marks and UTF-16 are read`() throws {
    let text = "lines Größe 🙂\na GET /a\n"
    let units = Array(text.utf16)
    let little = units.flatMap { unit in
      [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
    }
    let big = stride(from: 0, to: little.count, by: 2).flatMap { [little[$0 + 1], little[$0]] }
    let plain = Array(text.utf8)
    for bytes in [[0xEF, 0xBB, 0xBF] + plain, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big] {
      try folder.write("src/x", bytes: bytes)
      var order = order("src/x")
      order.mode = .dryRun
      #expect(order.run().name == "Größe 🙂")
    }
  }

  @Test func `only files below the source or the root are read`() throws {
    try folder.write("secret", "s")
    try folder.write("src/in/a", "inside")
    _ = symlink(folder.path("secret"), folder.path("src/link"))
    _ = symlink(folder.path("src/in"), folder.path("src/there"))
    let asked = ["in/a", "./in/../in/a", "there/a", "../secret", "link", "/etc/passwd", "in", "no"]
    let lines = asked.map { "file \($0)\n" }.joined()
    try folder.write("src/f.lines", "lines F\na GET /a\n\(lines)")
    var order = order("src/f.lines")
    let messages = order.run().notes.map(\.message)
    let inside = "\(OriginFileAnswer.bytes(Array("inside".utf8)))"
    #expect(messages.prefix(3) == [inside, inside, inside])
    #expect(messages[3...5].allSatisfy { $0 == "outside" })
    #expect(messages[6].hasPrefix("unreadable") && messages[7] == "missing")
    order.root = "."
    #expect(order.run().notes[3].message == "\(OriginFileAnswer.bytes(Array("s".utf8)))")
  }

  @Test func `links in the target are not followed`() throws {
    _ = order("src/shop.lines").run()
    try folder.write("other/Shop.http", "GET /other\n")
    try FileSystem.remove(folder.path("out/Shop.http"))
    _ = symlink(folder.path("other/Shop.http"), folder.path("out/Shop.http"))
    try folder.write("src/shop.lines", "lines Shop\nlist PUT {{host}}/x\nnew GET /new\n")
    let report = order("src/shop.lines").run()
    #expect(report.error == .disk && report.message?.contains("is a link to another place") == true)
    #expect(text("other/Shop.http") == "GET /other\n")
    #expect(names.allSatisfy { !StagingDirectory.isOne($0) })
  }

  @Test func `a stopped import leaves whole files, and the same again goes on with it`() throws {
    let lines = (0..<30).map { "r\($0) GET /\($0)\n" }.joined()
    try folder.write("src/many.lines", "lines Many\n\(lines)")
    let whole = order("src/many.lines", to: "whole")
    var layout = whole
    layout.layout = .request
    _ = layout.run()
    for count in [1, 5, 33, 40, 60, 70, 80] {
      try? FileSystem.removeTree(folder.path("out"))
      try FileSystem.makeDirectory(folder.path("out"))
      var (order, asked) = (order("src/many.lines"), 0)
      order.layout = .request
      let watch = ImportWatch(isStopped: {
        asked += 1
        return asked > count
      })
      let report = order.run(watch)
      #expect(report.exitCode == 130, "\(count)")
      for name in names where name.hasSuffix(".http") {
        #expect(text("out/\(name)") == text("whole/\(name)"))
      }
      #expect(order.run().error == nil)
      let files = try FileSystem.list(folder.path("whole"))
      #expect(names == files)
      for name in files { #expect(text("out/\(name)") == text("whole/\(name)"), "\(name)") }
    }
  }

  @Test func `a file that an editor has not saved is not written over`() throws {
    var order = order("src/shop.lines")
    #expect(order.run().error == nil)
    try folder.write("src/shop.lines", "lines Shop\nlist GET {{host}}/changed\n")
    let before = text("out/Shop.http")
    order.openFiles[folder.path("out/Shop.http")] = Array((before + "# mine\n").utf8)
    let report = order.run()
    #expect(report.error == .usage && report.message?.hasPrefix("out/Shop.http is open ") == true)
    #expect(text("out/Shop.http") == before)
    order.mode = .dryRun
    #expect(order.run().error == nil)
    order.mode = .write
    // As saved, with the line ends of the editor.
    let saved = before.replacing("\n", with: "\r\n")
    order.openFiles = [
      folder.path("out/Shop.http"): Array(saved.utf8), folder.path("out/own.http"): [1],
    ]
    #expect(order.run().error == nil && text("out/Shop.http").contains("/changed"))
  }

  @Test func `what was chosen once is chosen again`() throws {
    var first = order("src/shop.lines", "src/dev.env")
    (first.layout, first.writing.name, first.writing.writesSecrets) = (.request, "My", false)
    let made = first.run()
    #expect(made.error == nil)
    #expect(!text("out/http-client.private.env.json").contains("hunter2"))
    let before = names
    let again = order("src/shop.lines", "src/dev.env").run()
    #expect(again.files.allSatisfy { $0.action == .unchanged } && names == before)
    #expect(again.name == "My")
    for notes in [made.notes, again.notes] {
      let secrets = notes.filter { $0.code == .secretEmpty }
      #expect(secrets.count == 1 && !notes.contains { $0.code == .secretMoved })
      #expect(secrets.allSatisfy { $0.message.contains("is not taken; write it into ") })
    }
  }

  @Test func `without a source that of the import before is imported again`() throws {
    _ = order("src/shop.lines", "src/dev.env").run()
    var again = order()
    #expect(again.takeSources() == nil)
    #expect(again.inputs.map(\.name) == ["src/shop.lines", "src/dev.env"])
    again.mode = .check
    #expect(again.run().exitCode == 0)
    var other = order(to: "src")
    #expect(other.takeSources()?.contains("no import made") == true)
    var empty = order(to: "none")
    #expect(empty.takeSources()?.hasPrefix("none has no import in it yet: name what") == true)
    var none = order(to: nil)
    #expect(none.takeSources()?.hasPrefix("name what is imported") == true)
    try FileSystem.remove(folder.path("src/dev.env"))
    var gone = order()
    #expect(gone.takeSources()?.contains("dev.env, which is not there") == true)
  }

  @Test func `environments are chosen by name`() throws {
    var order = order("src/shop.lines", "src/dev.env")
    order.writing.environments = ["live"]
    #expect(order.run().message == "There is no environment `live`; the source has dev.")
    order.writing.environments = ["dev"]
    #expect(order.run().environments == ["dev"])
  }

  @Test func `version control is told of secrets once`() throws {
    try folder.write(".git/HEAD", "")
    try folder.write(".gitignore", "*.private.env.json\n")
    _ = order("src/shop.lines", "src/dev.env").run()
    #expect(!names.contains(".gitignore") && names.contains("http-client.private.env.json"))
  }

  @Test func `the report is JSON of a known form`() throws {
    let report = order("src/shop.lines", "src/dev.env").run()
    let root = try JSONTree(parsing: Array(report.bytes.dropLast())).root.value
    #expect(
      FolderManifest.members(root).map(\.key) == [
        "source", "format", "version", "name", "requests", "environments", "files", "notes",
        "conflicts", "error",
      ])
    #expect(root["requests"]?.int == 2 && root["error"] == .null)
    #expect(root["files"]?.elements.first?["path"]?.string == "out/Shop.http")
  }

  @Test func `a collection for the store has requests that are one text each`() throws {
    let (collected, report) = order("src/shop.lines", "src/dev.env").collected()
    let collection = collected?.collection
    #expect(report.error == nil && collection?.name == "Shop")
    #expect(collection?.requests.count == 2 && collection?.folders.isEmpty == true)
    #expect(collection?.requests.first?.source.contains("GET {{host}}/users") == true)
    let variables = collection?.environments.first { $0.name == "dev" }?.variables
    #expect(variables?.map(\.isSecret) == [false, true] && !FileSystem.exists(folder.path("out")))
  }

  @Test func `what has nothing in the format that is named is told, and not written`() throws {
    try folder.write("api.json", #"{"openapi": "3.1.0", "info": {}, "paths": {"/a": {"get": {}}}}"#)
    for format in [OriginFormat.har, .insomnia, .thunder, .postman] {
      var order = OriginImport([.path(folder.path("api.json"), called: "A")], in: folder.path)
      (order.target, order.format) = ("out", format)
      let report = order.run()
      #expect(report.error == .format && report.exitCode == 2, "\(format)")
      #expect(report.message?.contains("A ") == true && !FileSystem.exists(folder.path("out")))
    }
  }
}
