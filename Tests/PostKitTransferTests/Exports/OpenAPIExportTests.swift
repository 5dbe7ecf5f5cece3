// Descriptions of what was recorded: paths, parameters, credentials, answers, and that all that was
// recorded fits them.

import PostKitDescription
import PostKitHTTP
import PostKitJSON
import PostKitYAML
import Testing

@testable import PostKitTransfer

@Suite struct OpenAPIExportTests {
  private struct Call {
    var method = "GET"
    var url: String
    var status = 200
    var answer = "{}"
    var sent = ""
    var type = "application/json"
    var headers: [(String, String)] = []
    var template = ""
  }

  private func exchange(_ number: Int, _ call: Call) -> Exchange {
    var exchange = Sample.exchange(number, template: call.template, body: Array(call.answer.utf8))
    let body = Array(call.sent.utf8)
    var headers = HeaderFields(call.headers.map { HeaderField($0.0, $0.1) })
    headers.append("User-Agent", "p")
    if !body.isEmpty { headers.addDefault("Content-Type", "application/json") }
    exchange.request = SentRequest(
      method: call.method, url: call.url, headers: headers, body: .bytes(body),
      bodySize: body.count)
    exchange.response?.status = call.status
    exchange.response?.headers = [("Content-Type", call.type)]
    return exchange
  }

  /// The description of calls, the newest first, as JSON.
  private func description(
    _ calls: [Call], hasExamples: Bool = true
  ) throws -> (value: JSONValue, remarks: [String]) {
    var options = OpenAPIOptions(hasExamples: hasExamples)
    options.isJSON = true
    var export = OpenAPIExport(options)
    for (number, call) in calls.enumerated() {
      _ = export.exchange(exchange(calls.count - number, call), read: Sample.read)
    }
    return (try JSONTree(parsing: export.tail()).root.value, export.remarks)
  }

  private func operation(
    _ path: String, _ method: String = "get", of calls: [Call]
  ) throws -> JSONValue {
    let value = try description(calls).value
    return try #require(value["paths"]?[path]?[method], "\(value.text)")
  }

  @Test func `ids are parameters that are named after what stands before them`() throws {
    let paths = try description([
      Call(url: "https://h.example/orders/17/items/2"), Call(url: "https://h.example/orders/new"),
      Call(url: "https://h.example/orders/0f8fad5b-d9cb-469f-a165-70867728950e/items/3"),
      Call(url: "https://h.example/7/8"), Call(url: "https://h.example"),
      Call(url: "https://h.example/users/ann%40example.com"),
    ]).value["paths"]
    guard case .object(let members)? = paths else {
      Issue.record("no paths")
      return
    }
    #expect(
      members.map(\.key) == [
        "/", "/orders/new", "/orders/{orderId}/items/{itemId}", "/users/{userId}", "/{id}/{id2}",
      ].sorted())
    let parameters = paths?["/orders/{orderId}/items/{itemId}"]?["get"]?["parameters"]
    #expect(
      parameters?.elements.map { $0["schema"]?["type"] } == ["string", "integer"])
  }

  @Test func `eight words that are answered alike are a parameter, and seven are none`() throws {
    let names = ["ann", "bob", "cem", "dan", "eve", "fay", "gil", "hal"]
    let calls = names.map {
      Call(url: "http://h/users/\($0)", answer: #"{"name":"\#($0)","age":1}"#)
    }
    let other = [
      Call(url: "http://h/users/me", answer: #"{"me":true}"#),
      Call(method: "DELETE", url: "http://h/users/bob", status: 204, answer: ""),
    ]
    func paths(_ calls: [Call]) throws -> [String] {
      guard case .object(let members)? = try description(calls).value["paths"] else { return [] }
      return members.map(\.key)
    }
    #expect(try paths(calls + other) == ["/users/me", "/users/{userId}"])
    #expect(try paths(Array(calls.dropLast()) + other).count == 8)
    let merged = try operation("/users/{userId}", "delete", of: calls + other)
    #expect(merged["responses"]?["204"] == ["description": "No Content"])
  }

  @Test func `what every successful call has is required`() throws {
    let found = try operation("/a", of: [
      Call(url: "http://h/a?page=1&q=x", headers: [("X-Tenant", "t"), ("Accept", "*/*")]),
      Call(url: "http://h/a?page=2&tag=a&tag=b", headers: [("X-Tenant", "t"), ("X-Try", "1")]),
      Call(url: "http://h/a", status: 400),
    ])
    let told = found["parameters"]?.elements.map {
      "\($0["in"]?.string ?? "") \($0["name"]?.string ?? "") \($0["required"]?.bool ?? false) "
        + ($0["schema"]?["type"]?.string ?? "")
    }
    #expect(
      told == [
        "query page true integer", "query q false string", "query tag false array",
        "header X-Tenant true string", "header X-Try false integer",
      ])
  }

  @Test func `credentials are schemes, never values`() throws {
    let mask = SecretMask.text
    let calls = [
      Call(
        url: "http://h/a", headers: [("Authorization", mask)],
        template: "GET http://h/a\nAuthorization: Bearer {{token}}"),
      Call(
        url: "http://h/b?key=\(mask)", headers: [("X-Api-Key", mask), ("Cookie", mask)],
        template: "GET http://h/b\nCookie: sid={{sid}}"),
      Call(
        url: "http://h/a", headers: [("Authorization", mask)],
        template: "GET http://h/a\nauthorization: Basic {{user}} {{password}}"),
      Call(url: "http://h/c"),
    ]
    let value = try description(calls).value
    #expect(
      value["components"]?["securitySchemes"] == [
        "X-Api-Key": ["type": "apiKey", "in": "header", "name": "X-Api-Key"],
        "basicAuth": ["type": "http", "scheme": "basic"],
        "bearerAuth": ["type": "http", "scheme": "bearer"],
        "key": ["type": "apiKey", "in": "query", "name": "key"],
        "sid": ["type": "apiKey", "in": "cookie", "name": "sid"],
      ])
    let paths = value["paths"]
    #expect(paths?["/a"]?["get"]?["security"] == [["basicAuth": []], ["bearerAuth": []]])
    #expect(paths?["/b"]?["get"]?["security"] == [["sid": [], "X-Api-Key": [], "key": []]])
    #expect(paths?["/c"]?["get"]?["security"] == nil)
    #expect(!value.text.contains(mask))
  }

  @Test func `answers have examples without secrets, and none where nobody wants them`() throws {
    let calls = [
      Call(url: "http://h/t", answer: #"{"access_token":"eyJ","n":1.50}"#),
      Call(url: "http://h/t", answer: #"{"n":2}"#),
      Call(url: "http://h/big", answer: "[" + String(repeating: "1,", count: 3_000) + "1]"),
      Call(url: "http://h/text", answer: "hello", type: "text/plain"),
    ]
    let value = try description(calls).value
    func media(_ path: String, _ type: String) -> JSONValue? {
      value["paths"]?[path]?["get"]?["responses"]?["200"]?["content"]?[type]
    }
    #expect(
      media("/t", "application/json")?["example"]?.text
        == #"{"access_token":"••••••","n":1.50}"#)
    #expect(media("/big", "application/json")?["example"] == nil)
    #expect(media("/text", "text/plain") == ["schema": ["type": "string"], "example": "hello"])
    #expect(!(try description(calls, hasExamples: false).value.text.contains("\"example\"")))
  }

  @Test func `streams have the schema of an event, and forms that of their fields`() throws {
    let events = try operation("/e", of: [
      Call(
        url: "http://h/e", answer: "data: {\"n\":1}\n\nid: 2\ndata: {\"n\":\ndata: 2}\n\n",
        type: "text/event-stream"),
      Call(url: "http://h/e", answer: "{\"a\":1}\n{\"a\":2}\n", type: "application/x-ndjson"),
    ])["responses"]?["200"]?["content"]
    #expect(events?["text/event-stream"]?["x-event"]?["properties"] == ["n": ["type": "integer"]])
    #expect(
      events?["application/x-ndjson"]?["x-event"]?["properties"] == ["a": ["type": "integer"]])
    let parts = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b\r\n"
      + "Content-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\nxyz\r\n--b--"
    let form = try operation("/f", "post", of: [
      Call(
        method: "POST", url: "http://h/f", sent: "a=1&b=x+y",
        headers: [("Content-Type", "application/x-www-form-urlencoded")]),
      Call(
        method: "POST", url: "http://h/f", sent: parts,
        headers: [("Content-Type", "multipart/form-data; boundary=b")]),
    ])["requestBody"]
    #expect(form?["required"] == true)
    #expect(
      form?["content"]?["application/x-www-form-urlencoded"]?["schema"]?["properties"]
        == ["a": ["type": "integer"], "b": ["type": "string"]])
    #expect(
      form?["content"]?["multipart/form-data"]?["schema"]?["properties"]?["f"]?["type"] == "string")
  }

  @Test func `services have servers, and paths of one alone say so`() throws {
    let value = try description([
      Call(url: "http://a.example:8080/x"), Call(url: "https://b.example/y"),
      Call(url: "https://b.example/x"),
    ]).value
    #expect(value["servers"]?.elements.count == 2)
    #expect(value["paths"]?["/x"]?["servers"] == nil)
    #expect(value["paths"]?["/y"]?["servers"] == [["url": "https://b.example"]])
  }

  @Test func `what is left out is told`() throws {
    var failed = exchange(1, Call(url: "http://h/a"))
    failed.response = nil
    failed.state = .failed
    var export = OpenAPIExport(OpenAPIOptions())
    _ = export.exchange(failed, read: Sample.read)
    _ = export.exchange(exchange(2, Call(method: "PURGE", url: "http://h/a")), read: Sample.read)
    _ = export.exchange(exchange(3, Call(url: "http://h/b", answer: "{")), read: Sample.read)
    let text = String(decoding: export.tail(), as: UTF8.self)
    #expect(export.remarks.count == 3, "\(export.remarks)")
    #expect(text.hasPrefix("openapi: \"3.1.0\"\n"))
  }

  /// Every recorded call is an operation of the description, and its bodies fit.
  @Test func `all that was recorded fits`() throws {
    var calls: [Call] = []
    for number in 0..<60 {
      let tag = number % 2 == 0 ? "1" : "\"a\""
      let item = #"{"id":\#(number),"name":"n\#(number % 3)","tags":[\#(tag)]}"#
      calls += [
        Call(
          url: "http://h/api/items?page=\(number)", answer: #"{"items":[\#(item)],"next":null}"#),
        Call(url: "http://h/api/items/\(number)", answer: item),
        Call(url: "http://h/api/pages/page\(number)", answer: #"{"title":"t","body":"b"}"#),
        Call(
          method: "PUT", url: "http://h/api/items/\(number)", status: number % 7 == 0 ? 422 : 200,
          answer: number % 7 == 0 ? #"{"error":"no","code":1,"at":[]}"# : item,
          sent: number % 2 == 0 ? item : #"{"name":null}"#),
      ]
    }
    let value = try description(calls).value
    #expect(try description(calls).value.text == value.text)
    let documents = DescriptionDocuments(
      try JSONTree(parsing: value.bytes), path: "api.json") { _ in .missing }
    let index = DescriptionIndex(try #require(APIDescription(documents)))
    var check = SchemaCheck(documents, .current)
    for call in calls {
      let match = try #require(index.match(method: call.method, target: call.url), "\(call.url)")
      #expect(match.isExact)
      let answer = try #require(index.responseSchema(match, status: call.status))
      let tree = try JSONTree(parsing: Array(call.answer.utf8))
      #expect(check.deviations(of: tree.root, from: answer).isEmpty)
      guard !call.sent.isEmpty else { continue }
      let body = try #require(index.bodySchema(match))
      let sent = try JSONTree(parsing: Array(call.sent.utf8))
      #expect(check.deviations(of: sent.root, from: body).isEmpty)
    }
    // YAML says the same.
    var export = OpenAPIExport(OpenAPIOptions())
    for (number, call) in calls.enumerated() {
      _ = export.exchange(exchange(calls.count - number, call), read: Sample.read)
    }
    #expect(export.tail() == YAMLWriter.text(value))
  }

  @Test func `only credentials that were sent together are asked for together`() throws {
    let mask = SecretMask.text
    let calls = [
      Call(url: "http://h/a?key=\(mask)", headers: [("X-Api-Key", mask)]),
      Call(
        url: "http://h/a", headers: [("Authorization", mask)],
        template: "GET http://h/a\nAuthorization: Bearer {{token}}"),
      Call(url: "http://h/a", status: 401, headers: [("X-Other", mask)]),
      Call(url: "http://h/b", status: 401),
      Call(url: "http://h/b", status: 403, headers: [("X-Other", mask)]),
    ]
    let paths = try description(calls).value["paths"]
    #expect(
      paths?["/a"]?["get"]?["security"] == [["X-Api-Key": [], "key": []], ["bearerAuth": []]])
    #expect(paths?["/b"]?["get"]?["security"] == [["X-Other": []]])
  }
}
