// What an import fetches: only where it was asked to, and only what it may.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Synchronization
import Testing

@testable import PostKitTransfer

@Suite struct OriginFetchTests {
  private static let api = "https://a.test/v1/api.yaml"
  private static let documents: [String: String] = [
    api: """
      openapi: 3.0.0
      info: {title: Far, version: "1"}
      servers: [{url: "https://a.test"}]
      paths:
        /users:
          get:
            parameters:
              - $ref: "parts/limit.yaml#/limit"
              - $ref: "https://b.test/page.json"
            responses: {}
      """,
    "https://a.test/v1/parts/limit.yaml": """
      limit:
        $ref: "../../deep.yaml#/limit"
      """,
    "https://a.test/deep.yaml": "limit: {name: limit, in: query, required: true, example: 5}",
    "https://b.test/page.json": #"{"name": "page", "in": "query", "required": true, "example": 7}"#,
  ]

  private func order(_ source: String, in folder: String) -> OriginImport {
    var order = OriginImport([.path(source, called: source)], in: folder)
    order.target = "out"
    return order
  }

  private static func get(_ url: String) -> OriginFetched {
    documents[url].map { .bytes(Array($0.utf8)) } ?? .failed("The answer has the status 404.")
  }

  @Test func `a description is fetched with what it names`() async throws {
    let folder = try TemporaryDirectory()
    var order = order(Self.api, in: folder.path)
    #expect(await order.fetch { Self.get($0) } == nil)
    #expect(Set((order.fetched ?? [:]).keys) == Set(Self.documents.keys))
    let report = order.run()
    #expect(report.error == nil && report.requests == 1, "\(report.message ?? "")")
    let path = try #require(report.files.map(\.path).first { $0.hasSuffix(".http") })
    let text = String(
      keeping: try FileSystem.read(path: folder.path(path), limit: 1 << 20))
    #expect(text.contains("limit=5") && text.contains("page=7"))
    let fetched = report.notes.filter { $0.code == .refRemote }
    #expect(fetched.count == 4 && fetched.allSatisfy { !$0.isWarning })
  }

  @Test func `what was fetched stays when an import is made without fetching`() async throws {
    let folder = try TemporaryDirectory()
    func description(_ summary: String, _ limit: Int) -> String {
      """
      openapi: 3.0.0
      info: {title: Far, version: "1"}
      servers: [{url: "https://a.test"}]
      paths:
        /users/{id}:
          get:
            summary: Get
            parameters:
              - {name: limit, in: query, required: true, example: \(limit)}
              - $ref: "https://b.test/page.json"
              - $ref: "https://b.test/id.json"
            responses: {}
        /here:
          get: {summary: "\(summary)", responses: {}}
        /path: {$ref: "https://b.test/path.json"}
      """
    }
    let far = [
      "https://b.test/page.json": Self.documents["https://b.test/page.json"],
      "https://b.test/id.json": #"{"name": "id", "in": "path", "example": 42}"#,
      "https://b.test/path.json": #"{"get": {"summary": "Far", "responses": {}}}"#,
    ]
    func texts() throws -> String {
      let names = try FileSystem.list(folder.path("out")).filter { $0.hasSuffix(".http") }
      return try names.sorted().map {
        String(keeping: try FileSystem.read(path: folder.path("out/\($0)"), limit: 1 << 20))
      }.joined()
    }
    try folder.write("api.yaml", description("Here", 1))
    let plain = order(folder.path("api.yaml"), in: folder.path)
    var fetching = plain
    #expect(
      await fetching.fetch { url in
        far[url].flatMap { $0 }.map { .bytes(Array($0.utf8)) } ?? .failed("It is down.")
      } == nil)
    #expect(fetching.run().error == nil)
    let first = try texts()
    #expect(first.contains("page=7") && first.contains("id = 42") && first.contains("### Far"))
    var check = plain
    check.mode = .check
    let unchanged = check.run()
    #expect(unchanged.exitCode == 0, "\(unchanged)")
    // What is known without fetching still follows the origin.
    try folder.write("api.yaml", description("There", 2))
    let again = plain.run()
    #expect(again.error == nil && again.conflicts.isEmpty)
    #expect(try texts() == first.replacing("Here", with: "There"))
    #expect(again.notes.contains { $0.code == .refRemote && $0.message.contains("earlier import") })
    // And so it does where an import fetches, but one machine is down.
    var down = plain
    _ = await down.fetch { _ in .failed("It is down.") }
    #expect(down.run().error == nil)
    #expect(try texts() == first.replacing("Here", with: "There"))
  }

  /// All files below a folder, by their paths.
  private func files(in path: String) throws -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    for name in try FileSystem.list(path) {
      let full = FilePath.join(path, name)
      if FileSystem.isDirectory(full) {
        for (inner, bytes) in try files(in: full) { result["\(name)/\(inner)"] = bytes }
      } else {
        result[name] = try FileSystem.read(path: full, limit: 1 << 20)
      }
    }
    return result
  }

  @Test(arguments: [(["more", "zed"], "1"), (["pets", "more"], "1"), (["more", "zed"], "2")])
  func `files of requests that are out of reach stay as they were fetched`(
    paths: [String], version: String
  ) async throws {
    let folder = try TemporaryDirectory()
    func describe(_ version: String) throws {
      let list = paths.map { path in
        path == "more" ? #"  /more: {$ref: "https://b.test/more.yaml#/item"}"#
          : "  /\(path): {get: {summary: \(path), responses: {}}}"
      }
      let head = """
        openapi: 3.0.0
        info: {title: Far, version: "\(version)"}
        servers: [{url: "https://a.test"}]
        paths:

        """
      try folder.write("api.yaml", head + list.joined(separator: "\n"))
    }
    try describe("1")
    let plain = order(folder.path("api.yaml"), in: folder.path)
    var fetching = plain
    _ = await fetching.fetch { _ in
      .bytes(Array("item: {get: {summary: More, responses: {}}}".utf8))
    }
    #expect(fetching.run().error == nil)
    let out = folder.path("out")
    let before = try files(in: out)
    #expect(before["more.http"] != nil)
    #expect((before["postkit-folder.json"] != nil) == (paths == ["pets", "more"]))
    try describe(version)
    for _ in 0..<2 {
      let report = plain.run()
      #expect(report.error == nil && !report.notes.contains { $0.code == .originGone })
      #expect(try files(in: out) == before)
    }
    #expect(fetching.run().error == nil)
    let text = String(keeping: try files(in: out)["\(paths[0]).http"] ?? [])
    #expect(text.hasPrefix("# Version \(version)\n"))
  }

  @Test func `without being asked nothing is fetched, and that is told`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("api.yaml", #require(Self.documents[Self.api]))
    var order = order(folder.path("api.yaml"), in: folder.path)
    order.mode = .dryRun
    let notes = order.run().notes
    let remote = notes.filter { $0.code == .refRemote && $0.isWarning }
    #expect(remote.count == 1 && remote.first?.message.contains("b.test") == true)
    #expect(notes.contains { $0.code == .refMissing && $0.message.contains("parts/limit.yaml") })
  }

  @Test func `what can't be had is told, and a source that can't is the end`() async throws {
    let folder = try TemporaryDirectory()
    var order = order(Self.api, in: folder.path)
    _ = await order.fetch { $0.contains("b.test") ? .failed("It is down.") : Self.get($0) }
    #expect(order.run().notes.contains { $0.message.hasSuffix("can't be read. It is down.") })
    var missing = self.order("https://a.test/none.yaml", in: folder.path)
    let failure = await missing.fetch { Self.get($0) }
    #expect(failure?.contains("none.yaml can't be fetched. The answer has the status 404.") == true)
    var plain = self.order("http://a.test/x.yaml", in: folder.path)
    #expect(await plain.fetch { _ in .bytes([]) }?.contains("Only `https:`") == true)
  }

  @Test(arguments: [
    ("https://a.test/x", true), ("http://127.0.0.1:8080/x", true), ("http://localhost/x", true),
    ("http://[::1]/x", true), ("http://10.0.0.1/x", false), ("file:///etc/passwd", false),
    ("ftp://a.test/x", false), ("http://127.0.0.1.a.test/x", false), ("https://", false),
  ])
  func `only safe places are fetched from`(url: String, isAllowed: Bool) {
    #expect((OriginImport.fetchRefusal(of: url) == nil) == isAllowed)
  }

  @Test func `no more than a number of documents is fetched`() async throws {
    let folder = try TemporaryDirectory()
    var order = order("https://a.test/0", in: folder.path)
    _ = await order.fetch { url in
      let number = Int(url.split(separator: "/").last ?? "") ?? 0
      return .bytes(
        Array(
          """
          {"openapi": "3.0.0", "info": {"title": "T", "version": "1"}, "paths":
            {"/x": {"$ref": "https://a.test/\(number + 1)#/paths/~1x"}}}
          """.utf8))
    }
    let got = (order.fetched ?? [:]).values.filter { if case .bytes = $0 { true } else { false } }
    #expect(got.count == OriginImport.fetchLimit)
  }

  @Test func `what comes from elsewhere names no file of this machine`() async throws {
    let folder = try TemporaryDirectory()
    try folder.write("mine.yaml", "limit: {name: secret, in: query, required: true, example: 1}")
    var order = order("https://a.test/x", in: folder.path)
    _ = await order.fetch { _ in
      .bytes(
        Array(
          """
          {"openapi": "3.0.0", "info": {"title": "T", "version": "1"}, "paths": {"/x": {"get":
            {"parameters": [{"$ref": "file://\(folder.path("mine.yaml"))#/limit"}]}}}}
          """.utf8))
    }
    let report = order.run()
    #expect(report.error == nil)
    let path = try #require(report.files.map(\.path).first { $0.hasSuffix(".http") })
    let text = String(keeping: try FileSystem.read(path: folder.path(path), limit: 1 << 20))
    #expect(!text.contains("secret"))
  }

  @Test func `credentials of a URL are sent, and neither told nor kept`() async throws {
    let folder = try TemporaryDirectory()
    let url = "https://u:pw-canary@a.test/v1/api.yaml?token=to-canary&v=1"
    var order = order(url, in: folder.path)
    let asked = SerialLog()
    let failure = await order.fetch { wanted in
      asked.add(wanted)
      let plain = wanted.replacing("u:pw-canary@", with: "")
      return Self.get(String(plain.prefix { $0 != "?" }))
    }
    #expect(failure == nil)
    #expect(asked.all.first == url)
    #expect(asked.all.contains("https://u:pw-canary@a.test/v1/parts/limit.yaml"), "\(asked.all)")
    #expect(asked.all.contains("https://b.test/page.json"))
    let report = order.run()
    #expect(report.error == nil && report.requests == 1, "\(report.message ?? "")")
    #expect(report.sources == ["https://a.test/v1/api.yaml?token=***&v=1"])
    #expect(report.notes.contains { $0.message.contains("`https://a.test/v1/api.yaml?token=***") })
    let written = try report.files.map { file in
      String(keeping: try FileSystem.read(path: folder.path(file.path), limit: 1 << 20))
    }
    let manifest = String(
      keeping: try FileSystem.read(path: folder.path("out/postkit-import.json"), limit: 1 << 20))
    for text in written + [manifest, String(decoding: report.bytes, as: UTF8.self)] {
      #expect(!text.contains("canary"), "\(text)")
    }
    var missing = self.order("https://u:pw-canary@a.test/none.yaml?sig=canary", in: folder.path)
    let told = await missing.fetch { _ in .failed("It is down.") }
    #expect(told == "https://a.test/none.yaml?sig=*** can't be fetched. It is down.")
  }
}

/// Keeps what was asked for.
private final class SerialLog: Sendable {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock { $0 } }

  func add(_ text: String) { texts.withLock { $0.append(text) } }
}
