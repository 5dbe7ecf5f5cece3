// What Thunder Client's collections and environments become.

import PostKitJSON
import Testing

@testable import PostKitTransfer

@Suite struct ThunderImporterTests {
  private func read(_ text: String) throws -> OriginSample {
    try OriginSample(ThunderImporter.self, text)
  }

  /// A collection of one request with these members.
  private func one(_ members: String) throws -> OriginSample {
    try read(
      #"""
      {"client": "Thunder Client", "collectionName": "Shop", "folders": [], "requests": [
       {"_id": "r", "name": "A", "method": "POST", "url": "http://x/a", \#(members)}]}
      """#)
  }

  static let complete = #"""
    {
      "client": "Thunder Client", "collectionName": "Shop", "collectionId": "c",
      "dateExported": "2024", "version": "1.2", "ref": "x",
      "settings": {"headers": [{"name": "X-All", "value": "{{v}}"}], "envId": "e",
                   "auth": {"type": "bearer", "bearer": "{{token}}"}, "tests": []},
      "folders": [
        {"_id": "f2", "name": "Inner", "containerId": "f1", "created": "1", "sortNum": 10,
         "settings": {"auth": {"type": "none"}}},
        {"_id": "f1", "name": "Users", "containerId": "", "created": "1", "sortNum": 20}
      ],
      "requests": [
        {"_id": "r1", "colId": "c", "containerId": "f2", "name": "Last", "method": "GET",
         "url": "{{base}}/users/{id}?a=1", "sortNum": 30, "created": "1", "modified": "2",
         "docs": "About", "headers": [{"name": "X-A", "value": "1", "isDisabled": true}],
         "params": [{"name": "id", "value": "7", "isPath": true},
                    {"name": "a", "value": "1", "isPath": false},
                    {"name": "off", "value": "2", "isDisabled": true, "isPath": false}],
         "auth": {"type": "basic", "basic": {"username": "u", "password": "{{p}}"}},
         "tests": [{"type": "res-code", "custom": "", "action": "equal", "value": "200"}]},
        {"_id": "r2", "colId": "c", "containerId": "f2", "name": "First", "method": "POST",
         "url": "{{base}}/{{#guid}}", "sortNum": 5, "headers": [],
         "body": {"type": "json", "raw": "{}", "form": []}, "tests": []},
        {"_id": "r3", "containerId": "gone", "name": "Root", "method": "GET", "url": "x"}
      ]
    }
    """#

  @Test func `flat lists become folders in their order`() throws {
    let sample = try read(Self.complete)
    let root = sample.collection.root
    #expect(root.name == "Shop" && root.auth == .bearer(token: "{{token}}", prefix: "Bearer"))
    #expect(root.headers.map(\.line) == ["X-All={{v}}"])
    #expect(root.requests.map(\.name) == ["Root"])
    #expect(root.folders.map(\.name) == ["Users"])
    let inner = try #require(root.folders.first?.folders.first)
    #expect(inner.name == "Inner" && inner.auth == .none)
    #expect(inner.requests.map(\.name) == ["First", "Last"])
    let last = inner.requests[1]
    #expect(last.id == "r1" && last.description == "About")
    #expect(last.url.text == "{{base}}/users/{{id}}")
    #expect(last.pathVariables.map { $0.value?.text } == ["7"])
    #expect(last.query.map(\.line) == ["a=1", "#off=2"])
    #expect(last.headers.map(\.line) == ["#X-A=1"])
    #expect(last.auth == .basic(user: "u", password: "{{p}}"))
    #expect(last.checks == [OriginCheck(line: "status == 200")])
    #expect(inner.requests[0].url.text == "{{base}}/{{$guid}}")
    #expect(inner.requests[0].headers.map(\.line) == ["Content-Type=application/json"])
    #expect(sample.told == [])
  }

  @Test func `every member is known, and only those`() throws {
    let whole = try JSONTree(parsing: Array(Self.complete.utf8)).root.value
    for place in whole.objects {
      let changed = whole.changing(place) { value in
        guard case .object(let members) = value else { return value }
        return .object(members + [JSONMember("zzz", .string("?"))])
      }
      let pointer = "/" + (place + ["zzz"]).joined(separator: "/")
      #expect(try read(changed.text).notes.contains { $0.place == pointer }, "\(pointer)")
    }
  }

  @Test func `whatever stands in the place of a value, what is lost is told`() throws {
    let others: [JSONValue] = [
      .string("f1"), .string("{{"),
    ]
    try OriginSample.expectLossesToBeTold(
      of: ThunderImporter.self, Self.complete, others: others, requests: 3)
  }

  @Test func `folders that hold each other lose no request`() throws {
    let sample = try read(
      """
      {"client": "Thunder Client", "folders": [{"_id": "a", "name": "A", "containerId": "b"},
       {"_id": "b", "name": "B", "containerId": "a"},
       {"_id": "c", "name": "C", "containerId": "c"}],
       "requests": [{"name": "1", "containerId": "a"}, {"name": "2", "containerId": "b"},
       {"name": "3", "containerId": "c"}]}
      """)
    #expect(sample.requests.map(\.name).sorted() == ["1", "2", "3"])
    #expect(sample.told == ["item-malformed /folders/0", "item-malformed /folders/2"])
  }

  @Test(arguments: [
    (#""type": "res-code", "action": "isgreaterthan", "value": "199""#, "status > 199"),
    (#""type": "res-time", "action": "<", "value": "200""#, "duration < 200"),
    (#""type": "res-body", "action": "contains", "value": "ann b""#, "body contains ann b"),
    (#""type": "header", "custom": "X-A", "action": "equal", "value": "1""#, "header X-A == 1"),
    (#""type": "content-type", "action": "equal", "value": "a/b""#, "header Content-Type == a/b"),
    (
      #""type": "json-query", "custom": "json.a[0].b", "action": "equal", "value": "v""#,
      "body $.a[0].b == v"
    ),
    (
      #""type": "json-query", "custom": "json.a", "action": "istype", "value": "array""#,
      "body $.a isArray"
    ),
    (
      #""type": "json-query", "custom": "json.a", "action": "equal", "value": """#,
      "body $.a == \"\""
    ),
    (
      #""type": "Content-Type", "action": "contains", "value": "json""#,
      "header Content-Type contains json"
    ),
  ])
  func `rows of tests become checks`(row: String, line: String) throws {
    let sample = try one(#""tests": [{\#(row)}]"#)
    #expect(sample.requests.first?.checks.map(\.line) == [line])
    #expect(sample.told == [])
  }

  @Test func `rows without a line are told, and those that set something are handlers`() throws {
    let sample = try one(
      """
      "tests": [{"type": "res-body", "action": "isjson"}, {"type": "json-query",
       "custom": "json.a | length", "action": "count", "value": "2"}, 5,
       {"type": "set-env-var", "custom": "json.token", "action": "setto", "value": "{{t}}"},
       {"type": "set-env-var", "custom": "cookie.x", "action": "setto", "value": "{{t}}"},
       {"type": "res-code", "action": "equal", "value": "200", "isDisabled": true}]
      """)
    let handler = #"client.global.set("t", response.body.token);"#
    #expect(sample.requests.first?.scripts.map(\.translation) == [[.handler(handler)]])
    #expect(
      sample.told == [
        "test-unsupported /requests/0/tests/0", "test-unsupported /requests/0/tests/1",
        "item-malformed /requests/0/tests/2", "test-unsupported /requests/0/tests/4",
        "disabled-item /requests/0/tests/5",
      ])
  }

  @Test func `bodies are read by their type`() throws {
    func body(_ members: String) throws -> OriginBody? {
      try one(#""body": {\#(members)}"#).requests.first?.body
    }
    #expect(try body(#""type": "text", "raw": "x""#) == .text("x"))
    #expect(
      try body(#""type": "formencoded", "form": [{"name": "a", "value": "1"}]"#)
        == .form([OriginPair(name: "a", value: "1")]))
    let parts = try body(
      """
      "type": "formdata", "form": [{"name": "a", "value": "1"}],
      "files": [{"name": "f", "value": "x.bin"}, {"name": "g", "value": "", "isDisabled": true}]
      """)
    guard case .multipart(let found)? = parts else {
      Issue.record("no parts")
      return
    }
    #expect(found.map(\.content) == [.text("1"), .file("x.bin"), .file(nil)])
    #expect(found.map(\.isOn) == [true, true, false])
    #expect(try body(#""type": "binary", "binary": "x.bin""#) == .file("x.bin"))
    #expect(
      try body(#""type": "graphql", "graphql": {"query": "{ a }", "variables": "{}"}"#)
        == .graphQL(query: "{ a }", variables: "{}", operationName: nil))
    #expect(try one(#""body": {"type": "smoke"}"#).told == ["item-malformed /requests/0/body/type"])
  }

  @Test func `environments stand beside the collection`() throws {
    let environment = """
      {"client": "Thunder Client", "environmentName": "dev", "variables": [
       {"name": "a", "value": "1"}, {"name": "s", "value": "", "isSecret": true}, {"value": "x"}]}
      """
    let sample = try OriginSample(
      ThunderImporter.self, [("c.json", Self.complete), ("e.json", environment)])
    #expect(sample.collection.environments.map(\.name) == ["dev"])
    #expect(sample.collection.environments[0].variables.map(\.name) == ["a", "s"])
    #expect(sample.told == ["item-malformed e.json#/variables/2"])
    #expect(ThunderImporter.accompanies(OriginSource(name: "e", bytes: Array(environment.utf8))))
    #expect(throws: OriginFailure.self) { try read("[]") }
    #expect(!ThunderImporter.recognises(OriginSource(name: "x", bytes: Array("{}".utf8))))
  }
}
