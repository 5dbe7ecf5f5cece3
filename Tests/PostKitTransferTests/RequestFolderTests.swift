// Collections as folders of request files, there and back.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct RequestFolderTests {
  /// The files as one text, each below a heading with its path.
  private func text(_ files: [TransferFile]) -> String {
    files.map { "-- \($0.path) --\n" + String(decoding: $0.bytes, as: UTF8.self) }.joined()
  }

  private func files(_ archive: [String: String]) -> [TransferFile] {
    archive.map { TransferFile(path: $0.key, bytes: Array($0.value.utf8)) }
  }

  private static let shop = ImportedCollection(
    name: "Shop: new",
    folders: [
      ImportedFolder(
        name: "orders/open",
        requests: [ImportedRequest(source: "GET {{host}}/orders\n", dialect: "kulala")])
    ],
    requests: [
      ImportedRequest(source: "### log in\nPOST {{host}}/login\n\n{}\n"),
      ImportedRequest(source: "### Log in\nGET {{host}}/\n"),
    ],
    environments: [
      ImportedEnvironment(
        name: "dev",
        variables: [
          ImportedVariable(name: "token", value: "s3cret-value", isSecret: true),
          ImportedVariable(name: "host", value: "http://a.test"),
        ])
    ], activeEnvironment: "dev")

  @Test func `a collection becomes a folder that reads well`() {
    let result = RequestFolderWriter.files(of: Self.shop)
    #expect(
      result.warnings == ["The values of `token` in `dev` are secrets and are not written."])
    expect(
      text(result.files),
      is: """
        -- http-client.env.json --
        {
          "dev": {
            "host": "http://a.test"
          }
        }
        -- postkit-folder.json --
        {
          "name": "Shop: new",
          "folders": [
            "orders-open"
          ],
          "requests": [
            "log in.http",
            "Log in 2.http"
          ],
          "activeEnvironment": "dev",
          "secrets": {
            "dev": {
              "token": 0
            }
          }
        }
        -- log in.http --
        ### log in
        POST {{host}}/login

        {}
        -- Log in 2.http --
        ### Log in
        GET {{host}}/
        -- orders-open/postkit-folder.json --
        {
          "name": "orders/open",
          "requests": [
            "GET -host-orders.http"
          ],
          "dialects": {
            "GET -host-orders.http": "kulala"
          }
        }
        -- orders-open/GET -host-orders.http --
        # @dialect kulala
        GET {{host}}/orders

        """)
  }

  @Test func `a round trip loses nothing`() {
    for seed in 0..<300 {
      var random = RepeatableGenerator(seed: UInt64(seed))
      let collection = random.collection()
      let written = RequestFolderWriter.files(of: collection).files
      let read = RequestFolderReader().read(written.shuffled(using: &random), name: "other")
      #expect(read.collection.withoutPaths == collection, "seed \(seed)")
      #expect(read.warnings == [], "seed \(seed)")
      #expect(RequestFolderWriter.files(of: read.collection).files == written, "seed \(seed)")
      let paths = written.map { $0.path.lowercased() }
      #expect(Set(paths).count == paths.count, "seed \(seed)")
      for part in paths.flatMap({ $0.split(separator: "/", omittingEmptySubsequences: false) }) {
        #expect(!part.isEmpty && part != "." && part != "..", "seed \(seed): \(part)")
        #expect(part.utf8.count < 120 && !part.contains { "\\:*?\"<>|\0\n".contains($0) })
      }
    }
  }

  @Test func `an exported file is read by everybody as the stored request is`() throws {
    for seed in 0..<100 {
      var random = RepeatableGenerator(seed: UInt64(seed))
      let collection = ImportedCollection(name: "c", requests: random.collection().requests)
      let files = RequestFolderWriter.files(of: collection).files.filter {
        FolderFiles.isRequestFile($0.path)
      }
      try #require(files.count == collection.requests.count)
      for (file, request) in zip(files, collection.requests) {
        let preset = request.dialect.flatMap(DialectPreset.init(rawValue:)) ?? .auto
        let stored = FileReading(preset: preset).document(request.source.keptBytes, format: .http)
        let alone = FileReading().document(file.bytes, format: .http)
        #expect(alone.rules == stored.rules, "seed \(seed)")
        #expect(
          FileReading().dialect(of: alone) == FileReading(preset: preset).dialect(of: stored),
          "seed \(seed)")
        #expect(
          alone.requests.map { $0.slice($0.request?.line ?? 0..<0) }
            == stored.requests.map { $0.slice($0.request?.line ?? 0..<0) }, "seed \(seed)")
      }
    }
  }

  @Test func `how a file is read can be changed by hand, and what can't be is told`() {
    let written = RequestFolderWriter.files(
      of: ImportedCollection(
        name: "c", requests: [ImportedRequest(source: "### a\nGET /\n", dialect: "kulala")])
    ).files
    #expect(written.contains { $0.bytes == Array("# @dialect kulala\n### a\nGET /\n".utf8) })
    func read(_ old: String, _ new: String) -> ImportResult {
      RequestFolderReader().read(
        written.map { file in
          let text = String(decoding: file.bytes, as: UTF8.self).replacing(old, with: new)
          return TransferFile(path: file.path, bytes: Array(text.utf8))
        }, name: "x")
    }
    let other = read("@dialect kulala", "@dialect httpyac").collection.requests
    #expect(
      other == [ImportedRequest(source: "# @dialect httpyac\n### a\nGET /\n", path: "a.http")])
    let unknown = read("\"a.http\": \"kulala\"", "\"a.http\": \"no\\nsuch\"")
    #expect(unknown.collection.requests[0].source.hasPrefix("# @dialect kulala\n"))
    #expect(
      unknown.warnings.first?.hasPrefix("a.http is to be read as `no\\x0Asuch`, which is") == true)
  }

  @Test func `a project's way of reading goes with the requests of its files`() {
    let reader = RequestFolderReader(reading: FileReading(preset: .kulala))
    let folder = files([
      "a.http": "### a\nGET /\n", "b.http": "# @dialect auto\nGET /\n",
      "two/c.http": "### c\nGET /\n\n### d\nGET /\n",
      "own/postkit-folder.json": #"{"requests": ["x.http"]}"#, "own/x.http": "GET /\n",
    ])
    let collection = reader.read(folder, name: "x").collection
    #expect(collection.requests.map(\.dialect) == ["kulala", nil])
    // What was exported is read as it was stored.
    #expect(collection.folders.first { $0.name == "own" }?.requests.map(\.dialect) == [nil])
    let split = collection.folders.first { $0.name == "two" }?.folders.first?.requests
    #expect(split?.map(\.dialect) == ["kulala", "kulala"])
  }

  @Test func `a folder of people's own files becomes a collection`() {
    let result = RequestFolderReader().read(
      files([
        "users.http": """
        @host = http://a.test
        @unused = 1
        # All about users.

        ### list
        GET {{host}}/users

        ### one
        GET {{host}}/users/{{id}}

        """,
        "health.rest": "GET http://a.test/health\n", "docs/logo.png": "x",
        "deep/er/x.http": "GET http://a.test/x",
        "http-client.env.json": #"{"dev": {"id": 7, "list": [1]}}"#,
        "http-client.private.env.json": #"{"dev": {"key": "k"}, "prod": {}}"#,
      ]), name: "api")
    #expect(result.collection.name == "api")
    #expect(result.collection.requests.map(\.source) == ["GET http://a.test/health\n"])
    #expect(result.collection.folders.map(\.name) == ["users", "deep"])
    #expect(result.collection.folders[1].folders.map(\.name) == ["er"])
    expect(
      result.collection.folders[0].requests.map(\.source).joined(separator: "----\n"),
      is: """
        ### list
        # kept: @unused = 1
        # All about users.
        @host = http://a.test
        GET {{host}}/users

        ----
        ### one
        @host = http://a.test
        GET {{host}}/users/{{id}}

        """)
    #expect(
      result.collection.environments == [
        ImportedEnvironment(
          name: "dev",
          variables: [
            ImportedVariable(name: "id", value: "7"), ImportedVariable(name: "list", value: "[1]"),
            ImportedVariable(name: "key", value: "k", isSecret: true),
          ]), ImportedEnvironment(name: "prod"),
      ])
    #expect(
      result.warnings.sorted() == [
        "docs/logo.png is left out: collections have no place for it.",
        "users.http:2: text between the requests becomes a comment of the first, 1 more "
          + "line of the file too.",
      ])
  }

  @Test func `files that were added or taken away by hand are found`() {
    let manifest = #"{"name": "N", "requests": ["b.http", "gone.http"], "folders": ["z", "no"]}"#
    let result = RequestFolderReader().read(
      files([
        "postkit-folder.json": manifest, "a.http": "GET /a", "b.http": "GET /b",
        "z/c.http": "GET /c", "y/d.http": "GET /d",
      ]), name: "x")
    #expect(result.collection.name == "N")
    #expect(result.collection.requests.map(\.source) == ["GET /b", "GET /a"])
    #expect(result.collection.folders.map(\.name) == ["z", "y"])
  }

  @Test func `what can't be read is left out and told`() {
    let result = RequestFolderReader().read(
      files([
        "postkit-folder.json": "[", "http-client.env.json": "{", "a.http": "GET /",
        "sub/postkit-folder.json": "1", "sub/b.http": "",
      ]), name: "x")
    #expect(result.collection.name == "x" && result.collection.requests.count == 1)
    #expect(
      result.warnings == [
        "postkit-folder.json is ignored: it is not a JSON object.",
        "sub/postkit-folder.json is ignored: it is not a JSON object.",
        "http-client.env.json is not a JSON object, so its environments are left out.",
      ])
  }

  @Test func `a file of CRLF lines keeps its line ends, and what stood between is no definition`() {
    let source = "\u{FEFF}@host = http://a.test\r\n@old = 1\r\n@older = 2\r\n\r\n### one\r\n"
      + "GET {{host}}/1\r\n\r\n### two\r\nGET {{host}}/2\r\n"
    let result = RequestFolderReader().read(files(["a.http": source]), name: "x")
    #expect(
      result.collection.folders.first?.requests.map(\.source) == [
        "### one\r\n# kept: @old = 1\r\n# kept: @older = 2\r\n@host = http://a.test\r\n"
          + "GET {{host}}/1\r\n\r\n",
        "### two\r\n@host = http://a.test\r\nGET {{host}}/2\r\n",
      ])
  }

  @Test func `a file of several blocks without a request is kept as it is`() {
    let source = "@a = 1\n\n### notes\n# nothing to send\n\n### more\n@b = 2\n"
    let result = RequestFolderReader().read(files(["a.http": source]), name: "x")
    #expect(result.collection.requests.map(\.source) == [source])
    #expect(result.collection.folders == [] && result.warnings == [])
  }

  @Test func `a value of the private file stands for the plain one, and stays a secret`() {
    let result = RequestFolderReader().read(
      files([
        "a.http": "GET /", "postkit-folder.json": #"{"secrets": {"dev": {"pin": 0, "new": 9}}}"#,
        "http-client.env.json": #"{"dev": {"token": "replace me", "pin": "1", "host": "h"}}"#,
        "http-client.private.env.json": #"{"dev": {"token": "t"}}"#,
      ]), name: "x")
    #expect(
      result.collection.environments.first?.variables == [
        ImportedVariable(name: "token", value: "t", isSecret: true),
        ImportedVariable(name: "pin", value: "1", isSecret: true),
        ImportedVariable(name: "host", value: "h"),
        ImportedVariable(name: "new", value: nil, isSecret: true),
      ])
  }

  @Test func `a remark is one line, whatever a file is called`() {
    let found = FolderFiles.Contents(
      files: files(["a\nb\u{1B}.txt": "", "c\nd.http": "@x = 1\n### e\nGET /\n"]).sorted {
        $0.path < $1.path
      }, warnings: ["f\ng is left out: it is a link to a folder."])
    let result = RequestFolderReader().read(found, at: "/x")
    #expect(
      result.warnings == [
        "f\\x0Ag is left out: it is a link to a folder.",
        "c\\x0Ad.http:1: text between the requests becomes a comment of the first.",
        "a\\x0Ab\\x1B.txt is left out: collections have no place for it.",
      ])
  }

  @Test func `what a folder can't say is told`() {
    var collection = ImportedCollection(name: "A", activeEnvironment: "everywhere")
    for _ in 0...FolderFiles.depthLimit {
      collection.folders = [ImportedFolder(name: "f", folders: collection.folders)]
    }
    let result = RequestFolderWriter.files(of: collection)
    #expect(
      result.warnings == [
        "The active environment `everywhere` is global and is not written.",
        "Folders lie deeper than 32 in each other; an import leaves those below out.",
      ])
    #expect(RequestFolderReader().read(result.files, name: "x").collection.activeEnvironment == nil)
  }

  @Test func `bytes that are no UTF-8 are kept, and UTF-16 is told`() {
    let latin = Array("GET /caf".utf8) + [0xE9]
    let wide: [UInt8] = [0xFF, 0xFE, 0x47, 0]
    let result = RequestFolderReader().read(
      [TransferFile(path: "l.http", bytes: latin), TransferFile(path: "w/w.http", bytes: wide)],
      name: "x")
    #expect(result.collection.requests.map { Array($0.source.keptBytes) } == [latin])
    #expect(result.warnings == ["w/w.http is left out: it is UTF-16. Save it as UTF-8."])
    let files = RequestFolderWriter.files(of: result.collection).files
    #expect(files.contains { $0.bytes == latin })
  }

  @Test func `a folder of very many files is read`() {
    let many = (0..<20_000).map {
      TransferFile(path: "d\($0 % 100)/e/f\($0).http", bytes: Array("GET /\($0)".utf8))
    }
    let collection = RequestFolderReader().read(many, name: "x").collection
    #expect(collection.folders.count == 100)
    let counts = collection.folders.map { $0.folders.first?.requests.count }
    #expect(counts.allSatisfy { $0 == 200 })
  }
}

extension RepeatableGenerator {
  /// A collection with odd names and any text; `isStorable` holds it to names that a store has.
  mutating func collection(isStorable: Bool = false) -> ImportedCollection {
    var names = ["a", "A", "é", "e\u{301}", "a/b", "..", "x.http", "nul", "日本"]
    if !isStorable { names += ["", " ", "\u{0}"] }
    let top = folder(names, depth: 3)
    var environments: [ImportedEnvironment] = []
    for name in ["dev", "prod"] + (isStorable ? [] : ["", "$shared"]) where oneIn(2) {
      let variables = (0..<int(in: 0..<4)).map { number in
        let isSecret = oneIn(3)
        let value = pick(["", "1", "ü\"\\\n"])
        return ImportedVariable(
          name: "v\(number)", value: isSecret ? nil : value, isSecret: isSecret)
      }
      environments.append(ImportedEnvironment(name: name, variables: variables))
    }
    return ImportedCollection(
      name: top.name, folders: top.folders, requests: top.requests, environments: environments,
      activeEnvironment: oneIn(2) ? environments.first?.name : nil)
  }

  private mutating func folder(_ names: [String], depth: Int) -> ImportedFolder {
    var folder = ImportedFolder(name: pick(names))
    for _ in 0..<int(in: 0..<4) {
      // A text that names its preset itself has no other.
      let isOwn = oneIn(6)
      let line = isOwn ? pick(["# @dialect kulala\n", "// @dialect = httpyac\r\n"]) : ""
      let dialect = !isOwn && oneIn(4) ? pick(["kulala", "restclient", "auto"]) : nil
      folder.requests.append(ImportedRequest(source: line + requestFile(), dialect: dialect))
    }
    if depth > 0 {
      for _ in 0..<int(in: 0..<3) { folder.folders.append(self.folder(names, depth: depth - 1)) }
    }
    return folder
  }
}
