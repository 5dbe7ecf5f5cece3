// How a service is asked for its schema: with a request that somebody has, and nothing else of it.

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSupport
import PostKitSyntax
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct SchemaRequestTests {
  /// A file in which the first request asks for the schema.
  private func asking(_ text: String, block: Int = 0) throws -> ParsedDocument {
    let document = ParsedDocument(bytes: Array(text.utf8))
    let asked = SchemaRequest.text(
      of: document, block: block, query: GraphQLIntrospection.query)
    let made = ParsedDocument(bytes: try asked.get())
    #expect(made.blocks.count == document.blocks.count)
    return made
  }

  @Test func `it has the request's head, and nothing that looks at the answer`() async throws {
    let server = try StubServer { _ in [.response(body: "{}")] }
    let text = """
      @token = s3cr3t-value
      ### search
      # @name search
      # @loop for 3
      GRAPHQL \(server.url("/graphql"))
      X-Token: {{token}}
      # @expect-status-code 418

      query A($a: Int) { a(a: $a) {{missing}} }

      { "a": 1 }

      > {% client.test("no", () => { throw 1 }) %}
      ?? status == 418
      >> ./out.json

      """
    let document = try asking(text, block: 1)
    let track = try Track(String(decoding: document.bytes, as: UTF8.self))
    let run = await track.run { $0.purpose = .schema }
    #expect(run.result.exitCode == 0 && server.requests.count == 1)
    let request = try #require(server.requests.first)
    #expect(request.lines[0].hasPrefix("POST ") && request.values("X-Token") == ["s3cr3t-value"])
    let body = try JSONTree(parsing: request.body).root
    #expect(body["operationName"]?.string == "IntrospectionQuery" && body["variables"] == nil)
    #expect(body["query"]?.string?.contains("__schema") == true)
    let exchange = try #require(run.recorded.first)
    #expect(exchange.purpose == .schema && exchange.requestName == nil)
    #expect(exchange.tests.isEmpty && exchange.savedTo.isEmpty)
  }

  @Test(arguments: [
    "POST $URL\nX-Request-Type: GraphQL\n\nquery { a }", "# @graphql\nPOST $URL\n\n{ a }",
    "# @no-gql-parsing\nPOST $URL\nContent-Type: application/json\n\n{\"query\": \"{ a }\"}",
    "GRAPHQL $URL", "GRAPHQL $URL\r\n\r\n< ./query.graphql\r\n\r\n",
  ])
  func `it asks whatever form the request has`(text: String) async throws {
    let server = try StubServer { _ in [.response(body: "{}")] }
    let written = text.split(separator: "$URL", omittingEmptySubsequences: false)
      .joined(separator: server.url("/"))
    let track = try Track(String(decoding: try asking(written).bytes, as: UTF8.self))
    let run = await track.run { $0.purpose = .schema }
    #expect(run.result.exitCode == 0)
    let request = try #require(server.requests.first)
    let query = try JSONTree(parsing: request.body).root["query"]?.string
    #expect(query?.contains("__schema") == true)
  }

  @Test func `what it needs is sent first and stays a request`() async throws {
    let server = try StubServer { request in
      [.response(headers: ["Content-Type: application/json"], body: #"{"token": "t0"}"#)]
    }
    let text = """
      ### login
      POST \(server.url("/login"))

      ### data
      GRAPHQL \(server.url("/graphql"))
      Authorization: Bearer {{login.response.body.token}}

      query { a }

      """
    let document = try asking(text, block: 1)
    let track = try Track(String(decoding: document.bytes, as: UTF8.self))
    let run = await track.run("data") { $0.purpose = .schema }
    #expect(run.recorded.map(\.purpose) == [.request, .schema])
    #expect(server.requests.last?.values("Authorization") == ["Bearer t0"])
  }

  @Test func `a curl command can't be changed`() throws {
    let document = ParsedDocument(bytes: Array("curl http://a.test -d x\n".utf8))
    #expect(throws: Failure.self) {
      try SchemaRequest.text(of: document, block: 0, query: "{ a }").get()
    }
  }

  // MARK: - Which files

  private func found(
    _ files: [String: String], at path: String = "api/a.http", outside: String? = nil
  ) throws -> [String] {
    let directory = try TemporaryDirectory()
    try directory.write("postkit.json", "{}")
    for (name, text) in files { try directory.write(name, text) }
    var workspace = Workspace(file: directory.path(path), workspaceFolder: directory.path)
    workspace.outsideRefusal = outside
    let root = FilePath.normalise(directory.path) + "/"
    return SchemaFinder(workspace, Settings()).surroundings.map {
      $0.hasPrefix(root) ? String($0.dropFirst(root.count)) : $0
    }
  }

  @Test(arguments: [
    (["api/schema.graphql": "", "schema.graphql": ""], ["api/schema.graphql"]),
    (["schema.graphql": "", "api/b.graphqls": "", "api/a.graphqls": ""],
      ["api/a.graphqls", "api/b.graphqls"]),
    (["a.graphql-schema.json": "{}", "schema.json": "{}"], ["a.graphql-schema.json"]),
    (["schema.json": #"{"data": {"__schema": {}}}"#], ["schema.json"]),
    (["schema.json": #"{"$schema": ""}"#, "other.graphql": ""], []),
    (["graphql.config.yml": "schema: types/*.graphql\n", "types/a.graphql": "",
      "types/b.graphql": "", "api/schema.graphql": ""], ["types/a.graphql", "types/b.graphql"]),
    ([".graphqlrc": "schema: [all/**/*.gql, '!all/x/*']", "all/a.gql": "", "all/x/b.gql": "",
      "all/y/c.gql": ""], ["all/a.gql", "all/y/c.gql"]),
    (["graphql.config.json":
        #"{"projects": {"x": {"schema": "x.graphql", "documents": "x/**"}, "y": {"schema": "#
        + #""y.graphql", "documents": "api/**"}}}"#, "x.graphql": "", "y.graphql": ""],
      ["y.graphql"]),
    (["graphql.config.yml": "schema: https://a.test/graphql\n", "schema.graphql": ""],
      ["schema.graphql"]),
    (["graphql.config.yml": "schema: {", "schema.graphql": ""], ["schema.graphql"]),
    ([:], []),
  ] as [([String: String], [String])])
  func `the nearest schema is found`(files: [String: String], expected: [String]) throws {
    #expect(try found(files) == expected)
  }

  @Test func `what is wrong with definitions is told with its line`() {
    let text = "type Query {\n  a: Missing\n}\nextend type B { c: Int }"
    let loaded = LoadedSchema([("/a.graphql", .success(Array(text.utf8)))])
    #expect(loaded.failures.map(\.message) == ["/a.graphql:2: There is no type `Missing`."])
  }

  @Test func `an answer is that of the URL before redirects`() async throws {
    let server = try StubServer { request in
      request.target.hasPrefix("/old")
        ? [.response("307 Temporary Redirect", headers: ["Location: /new"])]
        : [.response(body: "{}")]
    }
    let track = try Track("GRAPHQL \(server.url("/old?a=1"))\n\n{ a }\n")
    let run = await track.run { $0.purpose = .schema }
    let answer = try SchemaAnswer.body(of: run.result).get()
    #expect(answer.url == server.url("/old?a=1"))
    let refusal = SchemaAnswer.refusal(Array("{}".utf8), of: run.result, reason: "no")
    #expect(refusal.message.hasPrefix("\(server.url("/new")) answers 200"))
  }

  @Test func `nothing outside of a folder that is not trusted is found`() throws {
    let outside = try TemporaryDirectory()
    try outside.write("secret.graphql", "type Query { a: Int }")
    let files = ["graphql.config.json": "{\"schema\": \"\(outside.path("secret.graphql"))\"}"]
    #expect(try found(files).count == 1)
    #expect(try found(files, outside: "it lies outside").isEmpty)
  }

  @Test func `a pattern covers what it means`() {
    let pattern = FilePattern("/a/**/b*/?.http")
    #expect(pattern.covers("/a/b1/x.http") && pattern.covers("/a/c/d/b/x.http"))
    #expect(!pattern.covers("/a/c/x.http") && !pattern.covers("/b/b/x.http"))
  }
}
