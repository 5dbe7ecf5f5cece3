// Postman's bodies, scripts and examples.

import Testing

@testable import PostKitTransfer

@Suite struct PostmanBodyTests {
  private func read(_ body: String, headers: String = "") throws -> OriginSample {
    let request = #""method": "POST", "url": "http://x", "header": [\#(headers)], "body": \#(body)"#
    return try OriginSample(
      PostmanImporter.self, PostmanSample.collection(PostmanSample.item(request)))
  }

  private func body(_ body: String) throws -> OriginBody {
    try #require(try read(body).requests.first).body
  }

  @Test(arguments: [
    ("json", "application/json"), ("xml", "application/xml"), ("html", "text/html"),
    ("javascript", "application/javascript"), ("text", "text/plain"), ("?", "text/plain"),
  ])
  func `a raw body has the type that Postman adds`(language: String, type: String) throws {
    let body = #"{"mode": "raw", "raw": "x", "options": {"raw": {"language": "\#(language)"}}}"#
    let request = try #require(try read(body).requests.first)
    #expect(request.headers.map(\.line) == ["Content-Type=\(type)"])
    let own = try read(body, headers: #""content-type: a/b""#)
    #expect(own.requests.first?.headers.map(\.line) == ["content-type=a/b"])
    let off = try read(body, headers: #""//Content-Type: a/b""#)
    #expect(
      off.requests.first?.headers.map(\.line) == ["#Content-Type=a/b", "Content-Type=\(type)"])
  }

  @Test func `a body keeps its bytes, and templates get our form`() throws {
    #expect(
      try body(#"{"mode": "raw", "raw": "{\"id\": 9007199254740993,\r\n \"a\": {{ x }}}"}"#)
        == .text("{\"id\": 9007199254740993,\r\n \"a\": {{x}}}"))
    #expect(try body(#"{"mode": "raw", "raw": {"a": 1}}"#) == .text(#"{"a":1}"#))
    for none in [
      #"{"mode": "raw", "raw": ""}"#, "{}", #"{"mode": "none"}"#, "null",
      #"{"mode": "urlencoded", "urlencoded": []}"#, #"{"mode": "formdata", "formdata": []}"#,
      #"{"mode": "graphql", "graphql": {}}"#,
    ] {
      let sample = try read(none)
      #expect(sample.requests.first?.body == OriginBody.none && sample.told == [], "\(none)")
      #expect(sample.requests.first?.headers == [])
    }
  }

  @Test func `forms keep pairs and what is off`() throws {
    let pairs = """
      [{"key": "a", "value": "b c&", "type": "text"},
       {"key": "off", "value": "1", "disabled": true},
       {"key": "a", "value": 2}, {"key": "", "value": ""}, {"key": "old", "enabled": false}]
      """
    guard case .form(let form) = try body(#"{"mode": "urlencoded", "urlencoded": \#(pairs)}"#)
    else {
      Issue.record("no form")
      return
    }
    #expect(form.map(\.line) == ["a=b c&", "#off=1", "a=2", "=", "#old="])
    guard
      case .form(let text) = try body(#"{"mode": "urlencoded", "urlencoded": "a=b%20c+d&e&f="}"#)
    else {
      Issue.record("no form")
      return
    }
    #expect(text.map(\.line) == ["a=b c d", "e", "f="])
    let off = try read(
      #"{"mode": "urlencoded", "urlencoded": [{"key": "a", "value": "1", "disabled": true}]}"#)
    #expect(off.requests.first?.body == OriginBody.none)
    #expect(off.told == ["disabled-item /item/0/request/body/urlencoded"])
  }

  @Test func `parts name files, types and values that are no texts`() throws {
    let parts = """
      [{"key": "meta", "value": {"t": 1}, "contentType": "application/json", "description": "M"},
       {"key": "two", "type": "file", "src": ["a", "b"]}, {"key": "none", "type": "file",
       "src": null}, {"key": "one", "type": "file", "src": "c", "fileName": "d"},
       {"key": "off", "value": "1", "disabled": true}, {"key": "", "value": ""}, 5]
      """
    let sample = try read(#"{"mode": "formdata", "formdata": \#(parts)}"#)
    guard case .multipart(let found)? = sample.requests.first?.body else {
      Issue.record("no parts")
      return
    }
    #expect(found.map(\.name.text) == ["meta", "two", "two", "none", "one", "off"])
    #expect(
      found.map(\.content) == [
        .text(#"{"t":1}"#), .file("a"), .file("b"), .file(nil), .file("c"), .text("1"),
      ])
    #expect(found.map(\.contentType) == ["application/json", nil, nil, nil, nil, nil])
    #expect(found.map(\.fileName) == [nil, nil, nil, nil, "d", nil])
    #expect(found.map(\.isOn) == [true, true, true, true, true, false])
    let place = "/item/0/request/body/formdata/"
    #expect(
      sample.told == ["description-cut \(place)0/description", "item-malformed \(place)6"])
  }

  @Test func `a file is sent as it is, or its content stands in the collection`() throws {
    #expect(try body(#"{"mode": "file", "file": {"src": "a.bin"}}"#) == .file("a.bin"))
    #expect(try body(#"{"mode": "file", "file": "a.bin"}"#) == .file("a.bin"))
    #expect(try body(#"{"mode": "file", "file": {"content": "x"}}"#) == .text("x"))
    #expect(try body(#"{"mode": "file", "file": {"src": null}}"#) == .file(nil))
  }

  @Test(arguments: [
    (#"{"query": "{ a }", "variables": "{\"b\": 1}", "operationName": "Q"}"#, #"{"b": 1}"#, "Q"),
    (#""{\"query\": \"{ a }\", \"variables\": {\"b\": 1}}""#, #"{"b":1}"#, nil),
    (#"{"query": "{ a }", "variables": "  ", "operationName": null}"#, nil, nil),
    (#"{"query": "{ a }", "variables": null}"#, nil, nil), (#""{ a }""#, nil, nil),
  ])
  func `a GraphQL body is an object or JSON in a text`(
    graphql: String, variables: String?, operation: String?
  ) throws {
    #expect(
      try body(#"{"mode": "graphql", "graphql": \#(graphql)}"#)
        == .graphQL(query: "{ a }", variables: variables, operationName: operation))
  }

  @Test func `bodies that are off, other or unknown are told`() throws {
    let off = try read(#"{"mode": "raw", "raw": "x", "disabled": true}"#)
    #expect(off.requests.first?.body == OriginBody.none && off.requests.first?.headers == [])
    #expect(off.told == ["disabled-item /item/0/request/body"])
    let two = try read(#"{"mode": "raw", "raw": "x", "urlencoded": [{"key": "a"}], "file": {}}"#)
    #expect(two.told == ["disabled-item /item/0/request/body/urlencoded"])
    #expect(try read(#"{"mode": "smoke"}"#).told == ["item-malformed /item/0/request/body/mode"])
    #expect(try read("5").told == ["member-unknown /item/0/request/body"])
  }

  // MARK: Scripts and examples

  private func events(_ events: String, files: [String: String] = [:]) throws -> OriginSample {
    let item = #"{"name": "A", "request": "http://x", "event": \#(events)}"#
    return try OriginSample(
      PostmanImporter.self, [("c.json", PostmanSample.collection(item))], files: files)
  }

  @Test func `scripts are texts, lines or files, byte for byte`() throws {
    let sample = try events(
      """
      [{"listen": "prerequest", "script": {"exec": ["let a = 1;", "  a += 1\\r"]}},
       {"listen": "test", "script": {"exec": "x()"}}, {"listen": "test", "script": "y()"},
       {"listen": "test", "script": {"exec": [""]}}, {"listen": "test"},
       {"listen": "test", "script": {"src": "t.js"}}, {"listen": "test", "script": ["z()", "q()"]}]
      """, files: ["t.js": "f()"])
    let scripts = try #require(sample.requests.first).scripts
    #expect(
      scripts.map(\.text) == ["let a = 1;\n  a += 1\r", "x()", "y()", "f()", "z()\nq()"])
    #expect(scripts.map(\.phase).filter { $0 == .beforeRequest }.count == 1)
    #expect(scripts.allSatisfy { $0.translation == nil })
    #expect(sample.told == [])
  }

  @Test func `scripts that are off, unknown or not there are told`() throws {
    let sample = try events(
      """
      [{"listen": "test", "disabled": true, "script": "x()"}, {"listen": "never", "script": "x()"},
       {"listen": "test", "script": {"src": "https://x/t.js"}},
       {"listen": "test", "script": {"src": {"raw": "../t.js"}}},
       {"listen": "test", "script": {"src": "gone.js"}}, 5]
      """)
    #expect(sample.requests.first?.scripts == [])
    #expect(
      sample.told == [
        "disabled-item /item/0/event/0", "item-malformed /item/0/event/1",
        "ref-remote /item/0/event/2/script/src", "file-outside /item/0/event/3/script/src",
        "file-missing /item/0/event/4/script/src", "item-malformed /item/0/event/5",
      ])
  }

  @Test func `what a kept script can't have here is told with its line`() throws {
    let sample = try events(
      """
      [{"listen": "test", "script": {"exec": ["// pm.vault", "pm.sendRequest('x');", "",
       "const _ = require('lodash'), c = require('crypto'), f = require('./a');",
       "pm.visualizer.set('pm.vault'); pm.visualizer.clear(); x.pm.vault"]}}]
      """)
    #expect(sample.notes.map(\.code) == Array(repeating: .scriptUnknownAPI, count: 3))
    for (note, line) in zip(sample.notes, ["2", "4", "5"]) {
      #expect(note.message.hasSuffix(", in line \(line) of the script."))
    }
  }

  @Test func `responses become examples`() throws {
    let item = """
      {"name": "A", "request": {"method": "GET", "url": "http://x/a?b=1"}, "response": [
       {"name": "Good", "code": 200, "status": "OK", "body": "{}", "header":
        [{"key": "A", "value": "1"}, {"key": "content-encoding", "value": "gzip"}],
        "originalRequest": {"method": "GET", "url": "http://x/a?b=1"}},
       {"status": "Gone", "body": null, "header": null, "cookie": [{"name": "c"}],
        "originalRequest": {"method": "GET", "url": "http://x/a?b=2"}},
       {"name": "Text", "code": "404", "header": "A: 1\\nB: 2", "body": ""}, 5]}
      """
    let sample = try OriginSample(PostmanImporter.self, PostmanSample.collection(item))
    let examples = try #require(sample.requests.first).examples
    #expect(examples.map(\.name) == ["Good", "Gone", "Text"])
    #expect(examples.map(\.status) == [200, 200, 404])
    #expect(examples.map { $0.headers.map(\.line) } == [["A=1"], [], ["A=1", "B=2"]])
    #expect(examples[0].body == Array("{}".utf8))
    #expect(
      sample.told == [
        "item-malformed /item/0/response/1", "member-unknown /item/0/response/1/originalRequest",
        "cookie-omitted /item/0/response/1/cookie", "item-malformed /item/0/response/3",
      ])
    var options = OriginOptions()
    options.takesExamples = false
    let without = try OriginSample(
      PostmanImporter.self, [("c.json", PostmanSample.collection(item))], options: options)
    #expect(without.requests.first?.examples == [] && without.told == [])
  }
}
