// What recordings come of examples and of descriptions (IO-43).

import PostKitDescription
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import Testing

@testable import PostKitMock

@Suite struct MockSourceTests {
  @Test func `examples of a request file`() {
    let document = ParsedDocument(
      bytes: Array(
        """
        ### Get an order
        # @example 200 ./examples/Get.ok.200.http
        # @example 404 ./examples/missing.http
        # @example 500 ./examples/broken.http
        GET {{host}}/orders/{{id}}/lines
            ?page=1
            &size={{size}}

        ### Another
        POST https://h.example/a%20b

        """.utf8))
    var reader = MockExamples(name: "a.http", rank: 3) { name in
      switch name {
      case "./examples/Get.ok.200.http":
        Array("# note\nHTTP/1.1 200 OK\r\nX-A:  b\r\n\r\n[1]\n".utf8)
      case "./examples/broken.http": Array("no status".utf8)
      default: nil
      }
    }
    let found = reader.recordings(document)
    #expect(found.count == 1)
    #expect(found[0].path == [.literal("orders"), .parameter, .literal("lines")])
    #expect(found[0].query == [HeaderField("page", "1")])
    #expect(found[0].name == "ok" && found[0].status == 200 && found[0].rank == 3)
    #expect(found[0].headers == [("X-A", "b")])
    #expect(found[0].body == .bytes(Array("[1]\n".utf8)))
    #expect(reader.remarks.count == 2)
  }

  @Test func `a target below a base that has a path answers with it and without`() {
    let text = """
      @base = https://h.example/v1

      ###
      # @example 200 ./ok.http
      GET {{base}}/users

      """
    var reader = MockExamples(name: "a.http", rank: 0) { _ in
      Array("HTTP/1.1 200 OK\n\n[]".utf8)
    }
    let found = reader.recordings(ParsedDocument(bytes: Array(text.utf8)))
    #expect(found.map(\.path) == [[.literal("users")], [.literal("v1"), .literal("users")]])
  }

  @Test func `a path that may be in a reference is known where the file defines this`() {
    let text = """
      @url = https://h.example/v1/users
      @host = https://h.example
      @open = {{other}}

      ### 1
      # @example 200 ./ok.http
      GET {{url}}?page=1

      ### 2
      # @example 200 ./ok.http
      GET {{host}}

      ### 3
      # @example 200 ./ok.http
      GET {{open}}

      ### 4
      # @example 200 ./ok.http
      GET {{one.response.headers.Location}}

      ### 5
      # @example 200 ./ok.http
      GET {{host}}{{path}}

      """
    var reader = MockExamples(name: "a.http", rank: 0) { _ in
      Array("HTTP/1.1 200 OK\n\n[]".utf8)
    }
    let found = reader.recordings(ParsedDocument(bytes: Array(text.utf8)))
    #expect(found.map(\.path) == [[.literal("v1"), .literal("users")], []])
    #expect(reader.remarks.count == 3)
  }

  @Test func `targets`() {
    #expect(MockTarget("https://h.example/a%20b/{{c}}?x#y").path == [.literal("a b"), .parameter])
    #expect(MockTarget("{{base}}").path == [])
    #expect(MockTarget("h.example:80/a\n  ?b=1").path == [.literal("a")])
    #expect(MockTarget("{{base}}/a/{{b?c#d}}").path == [.literal("a"), .parameter])
    #expect(MockTarget("/a?b={{c}}").query == nil)
    let path = MockTarget("{{base}}/a/{{f.response.body.//b/c}}/d").path
    #expect(path == [.literal("a"), .parameter, .literal("d")])
  }

  @Test func `answers of a description: examples, else samples, under each base path`() throws {
    let text = #"""
      {"openapi": "3.1.0", "info": {"title": "t", "version": "1"},
       "servers": [{"url": "https://h.example/v1"}],
       "paths": {"/orders/{id}": {"get": {"operationId": "getOrder", "responses": {
         "404": {"description": "none", "content": {"application/json": {"example": {"e": 1}}}},
         "200": {"description": "ok", "headers": {"X-Rate": {"schema": {"const": 5}}}, "content": {
           "text/plain": {"example": "plain"},
           "application/json": {"examples": {"one": {"value": [1]}, "two": {"value": [2]}}}}},
         "default": {"description": "else", "content": {"application/json": {"schema":
           {"type": "object", "required": ["m"], "properties": {"m": {"type": "string"}}}}}},
         "204": {"description": "nothing"}}}}}}
      """#
    let tree = try JSONTree(parsing: Array(text.utf8))
    let description = try #require(APIDescription(DescriptionDocuments(tree)))
    var reader = MockDescription(description, name: "d.json", rank: 0)
    let found = reader.recordings()
    let first = found.prefix { $0.path.first == .literal("v1") }
    #expect(first.count * 2 == found.count)
    #expect(first[0].path == [.literal("v1"), .literal("orders"), .parameter])
    #expect(first.map(\.status) == [200, 200, 200, 204, 404, 500])
    #expect(first.map(\.name) == ["one", "two", nil, nil, nil, nil])
    #expect(first[0].headers == [("X-Rate", "5"), ("Content-Type", "application/json")])
    #expect(first[2].body == .bytes(Array("plain".utf8)))
    #expect(first[5].body == .bytes(Array("{\n  \"m\": \"string\"\n}\n".utf8)))
  }
}
