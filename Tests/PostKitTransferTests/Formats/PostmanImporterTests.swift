// What Postman's collections, environments and globals become.

import PostKitJSON
import Testing

@testable import PostKitTransfer

@Suite struct PostmanImporterTests {
  private func read(_ text: String) throws -> OriginSample {
    try OriginSample(PostmanImporter.self, text)
  }

  private func kind(_ text: String) -> PostmanImporter.Kind? {
    PostmanImporter.kind(of: OriginSource(name: "x.json", bytes: Array(text.utf8)))
  }

  @Test func `a first look tells what a file is`() {
    let schema = "https://schema.getpostman.com/json/collection/v2.0.0/collection.json"
    #expect(kind(#"{"item": [], "info": {"schema": "\#(schema)"}}"#) == .collection)
    #expect(kind("\u{FEFF}\n" + #"{"info": {"name": "x"}, "item": []}"#) == .collection)
    #expect(kind(#"{"collection": {"info": {"name": "x"}, "item": []}}"#) == .collection)
    #expect(kind(#"{"name": "x", "item": [{"name": "a", "request": "http://x"}]}"#) == .collection)
    #expect(kind(#"{"id": "1", "name": "x", "order": [], "requests": []}"#) == .old)
    #expect(kind(#"{"name": "x", "values": [{"key": "a", "value": "b"}]}"#) == .environment)
    #expect(kind(#"{"values": [{"key": "a", "value": "b"}]}"#) == .environment)
    #expect(kind(#"{"name": "x", "values": [], "_postman_variable_scope": "globals"}"#) == .globals)
    #expect(kind(#"[{"key": "a", "value": "b", "enabled": true}]"#) == .globals)
    for text in [
      "", "[]", "{", "5", "null", #"{"values": [1]}"#, #"{"openapi": "3.0.0", "info": {}}"#,
      #"{"log": {"entries": []}}"#, #"{"item": [1]}"#, #"{"item": ["#, "GET http://x",
      #"{"resources": [], "_type": "export"}"#, #"[[[["#,
    ] { #expect(kind(text) == nil, "\(text)") }
    #expect(PostmanImporter.accompanies(OriginSource(name: "e", bytes: Array("{}".utf8))) == false)
  }

  @Test func `a collection becomes folders and requests in order`() throws {
    let sample = try read(PostmanSample.complete)
    let root = sample.collection.root
    #expect(sample.collection.version == "2.1")
    #expect(root.name == "Shop" && root.description == "All of it\n\nVersion 1.2.3-beta")
    #expect(root.folders.map(\.name) == ["Users"] && root.folders[0].id == "f1")
    #expect(root.requests.map(\.name) == ["Form", "Parts", "File", "Graph"])
    #expect(root.auth == .basic(user: "ann", password: "{{pass}}"))
    #expect(root.scripts.map(\.phase) == [.beforeRequest, .afterResponse])
    #expect(root.folders[0].description == "About users" && root.folders[0].auth == .none)
    #expect(root.folders[0].variables.map(\.name) == ["tier"])
    let request = root.folders[0].requests[0]
    #expect(request.id == "r1" && request.method == "POST" && request.httpVersion == "2")
    #expect(request.description == "One user\n\nSends")
    #expect(request.url.text == "https://api.example.com:8080/users/{{id}}")
    #expect(request.pathVariables.map(\.name) == ["id"])
    #expect(request.query.map(\.line) == ["a=1", "b", "#c=3"])
    #expect(request.query[0].description == "First")
    #expect(request.headers.map(\.line) == ["X-A=1", "#X-Off=0", "Content-Type=application/json"])
    #expect(request.variables.map(\.name) == ["own"])
    #expect(
      request.metadata == [
        "proxy http://proxy.local:3128", "curl-max-redirs 3", "curl-post301", "curl-post302",
        "insecure", "no-auto-encoding",
      ])
    #expect(request.examples.map(\.status) == [200])
    #expect(request.examples[0].headers.map(\.line) == ["Content-Type=application/json"])
    #expect(root.requests[0].metadata == ["no-cookie-jar"])
  }

  @Test func `every member of the schema is known, and only those`() throws {
    let sample = try read(PostmanSample.complete)
    // The fragment is told as it is never sent.
    #expect(sample.told == ["url-differs-from-raw /item/0/item/0/request/url/hash"])
    let whole = try JSONTree(parsing: Array(PostmanSample.complete.utf8)).root.value
    for place in whole.objects {
      let changed = whole.changing(place) { value in
        guard case .object(let members) = value else { return value }
        return .object(members + [JSONMember("zzz", .string("?"))])
      }
      let told = try read(changed.text).notes
      let isInsideOfExample = place.contains("originalRequest")
      // These have names of the author's own, or are without effect as a whole.
      let isOpen = ["packages", "disabledSystemHeaders", "options", "raw"].contains(place.last)
      let pointer = "/" + (place + ["zzz"]).joined(separator: "/")
      if isInsideOfExample || isOpen { continue }
      // A body of a kind that is not chosen is told as a whole.
      let owner = "/" + place.joined(separator: "/")
      #expect(
        told.contains { $0.place == pointer || $0.place == owner && $0.code == .disabledItem },
        "\(pointer)")
    }
  }

  @Test func `whatever stands in the place of a value, what is lost is told`() throws {
    let whole = try JSONTree(parsing: Array(PostmanSample.complete.utf8)).root.value
    let before = try read(PostmanSample.complete)
    let others: [JSONValue] = [
      .null, .bool(true), .number("5"), .number("-1e400"), .string(""), .string("x\r\n### y\u{0}"),
      .string("{{"), .array([]), .object([]), .array([.number("5"), .null, .array([])]),
      .object([JSONMember("key", .object([])), JSONMember("", .null)]),
    ]
    for place in whole.places {
      for other in others {
        let text = whole.changing(place) { _ in other }.text
        // What is no collection any more is refused, which is as good.
        guard let after = try? read(text) else { continue }
        let isLess = after.collection.requestCount < before.collection.requestCount
        // `null` and what is empty say that there is nothing.
        let isEmpty = [.null, .string(""), .array([]), .object([])].contains(other)
        let isTold = after.notes.contains { [.itemMalformed, .memberUnknown].contains($0.code) }
        if isLess, !isEmpty, !isTold { Issue.record("\(place) \(other)") }
      }
    }
  }

  @Test func `of members with one name the last counts`() throws {
    let text = PostmanSample.collection(
      #"{"name": "A", "name": "B", "request": {"url": "http://x", "url": "http://y"}}"#)
    let request = try #require(try read(text).requests.first)
    #expect(request.name == "B" && request.url.text == "http://y")
  }

  @Test func `items that can't be requests are told and left out`() throws {
    let sample = try read(
      PostmanSample.collection(
        """
        "text", 5, null, {"name": "neither"}, {"name": "odd", "request": 7},
        {"name": "no word", "request": {"method": "GET /x", "url": "http://x"}},
        {"name": "text", "request": "http://x/a?b=1"}, {"name": "none", "request": {}},
        {"name": "empty", "item": []}, {"name": "odd folder", "item": 5}
        """))
    #expect(sample.requests.map(\.name) == ["text", "none"])
    #expect(sample.requests.map(\.method) == ["GET", "GET"])
    #expect(sample.collection.root.folders.map(\.name) == ["empty", "odd folder"])
    #expect(
      sample.told == [
        "item-malformed /item/0", "item-malformed /item/1", "item-malformed /item/2",
        "item-malformed /item/3", "item-malformed /item/4",
        "item-malformed /item/5/request/method", "item-malformed /item/9/item",
      ])
  }

  @Test func `ids are unique, and names stand in for them`() throws {
    let sample = try read(
      PostmanSample.collection(
        """
        {"name": "A", "request": "http://x"}, {"name": "A", "request": "http://y"},
        {"id": "A", "name": "B", "request": "http://z"},
        {"name": "F", "item": [{"name": "A", "request": "http://x"}]}
        """))
    #expect(sample.requests.map(\.id) == ["A", "A 2", "A 3", "F/A"])
  }

  @Test func `environments and globals stand beside the collection`() throws {
    let environment = """
      {"id": "1", "name": "dev", "_postman_variable_scope": "environment", "values": [
        {"key": "tier", "value": "dev", "type": "default", "enabled": true},
        {"key": "secret", "value": "s", "type": "secret"}, {"key": "empty", "type": "secret",
        "value": ""}, {"key": "off", "value": "1", "enabled": false}, {"key": "n", "value": 5},
        {"key": "o", "value": {"a": "{{ b }}"}}, {"key": "", "value": ""}, {"key": "nil",
        "value": null}, {"value": "lost"}, 7]}
      """
    let globals = """
      {"name": "Globals", "_postman_variable_scope": "globals",
       "values": [{"key": "g", "value": "1"}]}
      """
    let sample = try OriginSample(
      PostmanImporter.self,
      [
        ("e.json", environment),
        ("c.json", PostmanSample.collection("", #""variable": [{"key": "v", "value": "2"}]"#)),
        ("g.json", globals),
        ("old.json", #"[{"key": "h", "value": "3", "enabled": true}]"#),
      ])
    #expect(sample.collection.root.name == "Shop")
    #expect(sample.collection.shared.map(\.name) == ["g", "h", "v"])
    let variables = sample.collection.environments[0].variables
    #expect(variables.map(\.name) == ["tier", "secret", "empty", "off", "n", "o", "nil"])
    #expect(
      variables.map(\.value) == [
        .text("dev"), .text("s"), nil, .text("1"), .json(OriginJSON(text: "5")),
        .json(OriginJSON(text: #"{"a":"{{b}}"}"#)), .text(""),
      ])
    #expect(variables.map(\.isSecret) == [false, true, true, false, false, false, false])
    #expect(variables.map(\.isOn) == [true, true, true, false, true, true, true])
    #expect(
      sample.told == ["item-malformed e.json#/values/8", "item-malformed e.json#/values/9"])
  }

  @Test func `an environment alone is imported, too`() throws {
    let sample = try OriginSample(
      PostmanImporter.self,
      [("api/dev.postman_environment.json", #"{"values": [{"key": "a", "value": "1"}]}"#)])
    #expect(sample.collection.environments.map(\.name) == ["dev"])
    #expect(sample.collection.requestCount == 0)
  }

  @Test func `what can't be read is refused with advice`() {
    let old = #"{"id": "1", "name": "x", "order": [], "requests": []}"#
    let two = [("a.json", PostmanSample.collection("")), ("b.json", PostmanSample.collection(""))]
    #expect(throws: OriginFailure.self) { try read(old) }
    #expect(throws: OriginFailure.self) { try OriginSample(PostmanImporter.self, two) }
    for text in ["", "{", "[]", "5", "{\"item\": [}", "\u{0}"] {
      #expect(throws: OriginFailure.self, "\(text)") { try read(text) }
    }
    let failure = OriginFailure(
      "x.json can't be read at byte 1: the text ends too early. Export it once more.")
    #expect(throws: failure) {
      try OriginSample(PostmanImporter.self, [("x.json", "{")])
    }
  }

  @Test func `folders nest as deep as JSON may, and a hundred thousand requests are read`() throws {
    let depth = 120
    let open = String(repeating: #"{"name": "F", "item": ["#, count: depth)
    let deep =
      open + #"{"name": "A", "request": "http://x"}"# + String(repeating: "]}", count: depth)
    let sample = try read(PostmanSample.collection(deep))
    #expect(sample.requests.map(\.id) == [String(repeating: "F/", count: depth) + "A"])
    let item = #"{"request": "http://x"}"#
    let many = try read(
      PostmanSample.collection(Array(repeating: item, count: 100_000).joined(separator: ",")))
    #expect(many.collection.requestCount == 100_000)
    #expect(Set(many.requests.map(\.id)).count == 100_000)
  }

  @Test func `a collection in an answer of Postman's API is read`() throws {
    let inner = PostmanSample.collection(PostmanSample.item(#""method": "", "zzz": 1"#))
    let sample = try read(#"{"collection": \#(inner)}"#)
    #expect(sample.requests.map(\.method) == ["GET"])
    #expect(sample.told == ["member-unknown /collection/item/0/request/zzz"])
  }

  @Test func `a member that stands twice is told, and the last counts`() throws {
    let sample = try read(
      PostmanSample.collection(
        PostmanSample.item(#""url": "http://a", "method": "GET", "url": "http://b""#)))
    #expect(sample.requests.map(\.url.text) == ["http://b"])
    #expect(sample.told == ["item-malformed /item/0/request/url"])
  }
}
