// Imports from other tools into the store: the same merge as in a folder.

import PostKitHTTP
import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore
@testable import PostKitTransfer

@Suite struct OriginStoreImportTests {
  private let folder: TemporaryDirectory
  private let store: Store

  init() async throws {
    folder = try TemporaryDirectory()
    store = try await Store.open(StoreLocation(directory: folder.path("store")))
  }

  /// A Postman collection of requests, each a name and a URL, in a folder but for the first.
  private func write(_ requests: [(id: String, name: String, url: String)]) throws {
    let items = requests.map { request in
      """
      {"id": "\(request.id)", "name": "\(request.name)", "request": {"method": "GET",
        "url": "\(request.url)", "header": [{"key": "X-A", "value": "1"}]}}
      """
    }
    try folder.write(
      "shop.json",
      """
      {"info": {"name": "Shop",
        "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "variable": [{"key": "host", "value": "http://a.test"}],
       "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "canary-77-secret"}]},
       "item": [\(items[0]),
        {"name": "Users", "item": [\(items.dropFirst().joined(separator: ","))]}]}
      """)
  }

  private static let first = [
    ("1", "Home", "{{host}}/"), ("2", "List", "{{host}}/users"), ("3", "Old", "{{host}}/old"),
  ]

  private func order(
    _ mode: OriginImport.Mode = .write, _ rule: ConflictRule = .mine
  ) -> OriginStoreImport {
    let input = OriginImport.Input.path(folder.path("shop.json"), called: "shop.json")
    var order = OriginImport([input], in: folder.path)
    (order.mode, order.rule) = (mode, rule)
    let store = store
    return OriginStoreImport(
      order, store: { store }, content: { Self.content($0.source) }, report: { _ in })
  }

  private static func content(_ source: String) -> StoredRequestContent {
    let lines = source.split(separator: "\n").map(String.init)
    let title = lines.first.map { String($0.drop { $0 == "#" || $0 == " " }) }
    let line = lines.first { $0.hasPrefix("GET ") } ?? "GET /"
    return StoredRequestContent(
      source: source, name: title, method: "GET", url: String(line.dropFirst(4)))
  }

  private func sources() async throws -> [String: (id: String, source: String)] {
    let rows = try await store.fetch(FetchDescriptor<Model.HTTPRequest>()) {
      ($0.name, $0.id, $0.source)
    }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.0 ?? "", ($0.1, $0.2)) })
  }

  private func edit(_ name: String, _ old: String, _ new: String) async throws {
    let there = try #require(try await sources()[name])
    #expect(there.source.contains(old))
    let text = there.source.replacing(old, with: new)
    try await store.edit([.update(request: there.id, Self.content(text))])
  }

  @Test func `again is a merge that keeps what people have changed`() async throws {
    try write(Self.first)
    let made = await order().run()
    #expect(made.report.error == nil, "\(made.report.message ?? "")")
    #expect(made.report.requests == 3 && made.report.files.map(\.action) == Array(
      repeating: .created, count: 3))
    #expect(made.report.sentence.contains("into the collection `Shop` (3 created)"))
    let ids = try await sources().mapValues(\.id)
    #expect(Set(ids.keys) == ["Home", "List", "Old"])
    #expect(await order(.check).run().report.exitCode == 0)
    try await edit("List", "X-A: 1", "X-A: 1\nX-Mine: 2")
    #expect(await order(.check).run().report.exitCode == 0)

    try write([
      ("1", "Start", "{{host}}/"), ("4", "New", "{{host}}/new"), ("2", "List", "{{host}}/people"),
    ])
    let dry = await order(.dryRun).run()
    #expect(dry.report.changedFiles.sorted() == [
      "created Users/New", "removed Old", "updated Home", "updated List",
    ])
    #expect(try await sources().mapValues(\.id) == ids)
    #expect(await order(.check).run().report.exitCode == 1)
    let again = await order().run()
    #expect(again.report.error == nil && again.collection == made.collection)
    let now = try await sources()
    #expect(Set(now.keys) == ["Start", "New", "List"])
    #expect(now["List"]?.id == ids["List"] && now["Start"]?.id == ids["Home"])
    let list = try #require(now["List"]?.source)
    #expect(list.contains("GET {{host}}/people") && list.contains("X-Mine: 2"))
    #expect(await order(.check).run().report.exitCode == 0)
  }

  @Test func `what both have changed is a conflict, told once`() async throws {
    try write(Self.first)
    _ = await order().run()
    try await edit("List", "/users", "/mine")
    try write([Self.first[0], ("2", "List", "{{host}}/theirs"), Self.first[2]])
    let stopped = await order(.write, .stop).run()
    #expect(stopped.report.error == .conflict && stopped.report.exitCode == 1)
    #expect(stopped.report.conflicts.map(\.file) == ["List"])
    let mine = await order().run()
    #expect(mine.report.conflicts.count == 1 && mine.report.error == nil)
    let words = "Both the collection and the origin have changed the line. The collection's stays."
    #expect(mine.report.notes.contains { $0.message.hasPrefix(words) })
    #expect(try await sources()["List"]?.source.contains("/mine") == true)
    #expect(await order().run().report.conflicts.isEmpty)
  }

  @Test func `what was deleted stays away, and what is secret stays apart`() async throws {
    try write(Self.first)
    _ = await order().run()
    let old = try #require(try await sources()["Old"])
    try await store.edit([.delete(id: old.id)])
    let outcome = await order().run()
    #expect(try await sources()["Old"] == nil && outcome.report.error == nil)
    let collection = try #require(outcome.collection)
    let manifest = try await store.look { reader throws(StoreFailure) in
      try reader.importManifest(ofCollection: collection)
    }
    #expect(manifest?.contains("\"2\"") == true && manifest?.contains("canary-77") == false)
    let variables = try await store.fetch(FetchDescriptor<Model.Variable>()) {
      ($0.key, $0.value, $0.isSecret)
    }
    #expect(variables.contains { $0.0 == "bearerToken" && $0.1 == nil && $0.2 })
    #expect(variables.contains { $0.0 == "host" && $0.1 == "http://a.test" })
  }

  @Test func `a variable follows the origin until people change it`() async throws {
    try write(Self.first)
    _ = await order().run()
    let path = folder.path("shop.json")
    func change(_ old: String, _ new: String) throws {
      let text = String(keeping: try FileSystem.read(path: path, limit: 1 << 20))
      try folder.write("shop.json", text.replacing(old, with: new))
    }
    func host() async throws -> Model.Variable? {
      try await store.fetch(FetchDescriptor<Model.Variable>(where: { $0.key == "host" })).first
    }
    try change("http://a.test", "http://b.test")
    #expect(await order().run().report.error == nil)
    let there = try #require(try await host())
    #expect(there.value == "http://b.test")
    for name in ["\u{E9}", "e\u{301}", "b"] {
      let url = try #require(try await host()?.value)
      try change(url, "http://\(name).test")
      #expect(await order().run().report.conflicts.isEmpty)
      #expect(try await host()?.value.map { Array($0.utf8) } == Array("http://\(name).test".utf8))
    }
    try await store.edit([.setVariable(id: there.id, .plain("http://mine.test"))])
    #expect(await order().run().report.error == nil)
    #expect(try await host()?.value == "http://mine.test")
  }

  @Test func `a new request does not get the secret of one that is gone`() async throws {
    func write(_ requests: [(id: String, token: String)]) throws {
      let items = requests.map { id, token in
        """
        {"id": "\(id)", "name": "\(id)", "request": {"method": "GET", "url": "http://a.test/\(id)",
          "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "\(token)"}]}}}
        """
      }
      try folder.write("shop.json", PostmanSample.collection(items.joined(separator: ",")))
    }
    try write([("R1", "tokA"), ("R2", "tokB")])
    #expect(await order().run().report.error == nil)
    #expect(try await sources()["R2"]?.source.contains("{{bearerToken2}}") == true)
    try write([("R1", "tokA")])
    #expect(await order().run().report.error == nil)
    try write([("R1", "tokA"), ("R9", "tokZ")])
    #expect(await order().run().report.error == nil)
    #expect(try await sources()["R9"]?.source.contains("{{bearerToken3}}") == true)
    #expect(await order(.check).run().report.exitCode == 0)
  }

  /// A Postman collection of folders with requests, each with a credential of its own.
  private func write(folders: [(name: String, requests: [String])]) throws {
    let items = folders.map { folder in
      let requests = folder.requests.map { name in
        """
        {"id": "\(name)", "name": "\(name)", "request": {"method": "GET", "url": "/\(name)",
          "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "canary-\(name)"}]}}}
        """
      }
      return #"{"name": "\#(folder.name)", "item": [\#(requests.joined(separator: ","))]}"#
    }
    try self.folder.write(
      "shop.json",
      """
      {"info": {"name": "Shop",
        "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "item": [\(items.joined(separator: ","))]}
      """)
  }

  @Test func `what is new comes where it is in the origin`() async throws {
    try write(folders: [("M", ["m1", "m2"]), ("A", ["a1"])])
    _ = await order().run()
    try write(folders: [
      ("Y", ["y1"]), ("M", ["m0", "m1", "n1", "n2", "m2"]), ("B", ["b1", "b2"]), ("A", ["a1"]),
    ])
    let outcome = await order().run()
    #expect(outcome.report.error == nil, "\(outcome.report.message ?? "")")
    let collection = try #require(outcome.collection)
    let tree = try await store.look { reader throws(StoreFailure) in
      try reader.tree(in: .collection(collection))
    }
    let shown = tree.map { node in ([node] + node.children).map(\.item.name) }
    #expect(shown == [
      ["Y", "y1"], ["M", "m0", "m1", "n1", "n2", "m2"], ["B", "b1", "b2"], ["A", "a1"],
    ])
    #expect(await order(.check).run().report.exitCode == 0)
  }

  @Test func `what is told is of requests and of the store`() async throws {
    try write(folders: [("M", ["m1", "m2"])])
    let notes = await order().run().report.notes.filter { $0.code == .secretMoved }
    #expect(notes.map(\.file) == ["M/m1", "M/m2"])
    #expect(notes.allSatisfy { $0.message.hasSuffix("is a secret; the store keeps its value.") })
  }

  private func folders() async throws -> [String: String] {
    let rows = try await store.fetch(FetchDescriptor<Model.Folder>()) { ($0.id, $0.name) }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  private func folder(of name: String) async throws -> String? {
    let rows = try await store.fetch(FetchDescriptor<Model.HTTPRequest>()) {
      ($0.name, $0.folderID)
    }
    let id = rows.first { $0.0 == name }?.1
    return try await folders()[id ?? ""]
  }

  /// Puts the folder of the requests under another name in the origin.
  private func change(_ old: String, _ new: String) throws {
    let text = String(
      keeping: try FileSystem.read(path: folder.path("shop.json"), limit: 1 << 20))
    #expect(text.contains(old))
    try folder.write("shop.json", text.replacing(old, with: new))
  }

  @Test func `requests go where the origin has put them, unless people have moved them`()
    async throws
  {
    try write(Self.first)
    _ = await order().run()
    try await edit("List", "X-A: 1", "X-A: 1\nX-Mine: 2")
    let before = try await sources().mapValues(\.id)
    let collection = try #require(
      try await store.fetch(FetchDescriptor<Model.Collection>()) { $0.id }.first)
    try await store.edit([.move(id: try #require(before["Old"]), to: .collection(collection))])
    try change(#""name": "Users""#, #""name": "People""#)
    let outcome = await order().run()
    #expect(outcome.report.error == nil && outcome.report.conflicts.isEmpty)
    #expect(outcome.report.changedFiles == ["updated List"])
    let now = try await sources()
    #expect(now.mapValues(\.id) == before && now["List"]?.source.contains("X-Mine") == true)
    #expect(try await folder(of: "List") == "People")
    #expect(try await folder(of: "Old") == nil)
    #expect(Set(try await folders().values) == ["People"])
    #expect(await order(.check).run().report.exitCode == 0)
  }

  @Test func `a request that is known by its place is moved with what people made of it`()
    async throws
  {
    try write(Self.first)
    for id in ["1", "2", "3"] { try change(#""id": "\#(id)", "#, "") }
    _ = await order().run()
    try await edit("List", "X-A: 1", "X-A: 1\nX-Mine: 2")
    let before = try await sources().mapValues(\.id)
    try change(#""name": "Users""#, #""name": "People""#)
    let outcome = await order().run()
    let now = try await sources()
    #expect(outcome.report.error == nil && now.mapValues(\.id) == before)
    #expect(now["List"]?.source.contains("X-Mine") == true)
    #expect(try await folder(of: "List") == "People")
  }

  @Test func `the collection of something else is left alone`() async throws {
    try write(Self.first)
    _ = await order().run()
    try folder.write(
      "shop.json",
      """
      {"openapi": "3.0.0", "info": {"title": "Shop", "version": "1"},
       "paths": {"/x": {"get": {"responses": {}}}}}
      """)
    let refused = await order().run()
    #expect(refused.report.error == .usage && refused.report.message?.contains("postman") == true)
    #expect(try await sources().count == 3)
  }
}
