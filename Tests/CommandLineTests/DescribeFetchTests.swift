// `postkit describe graphql` and `postkit describe --fetch`: what services say is kept, and what is
// no description is told.

import PostKitJSON
import PostKitTestSupport
import Testing

@Suite struct DescribeFetchTests {
  /// A schema as a service tells it.
  static let answer = """
    {"data": {"__schema": {"queryType": {"name": "Query"}, "types": [
      {"kind": "OBJECT", "name": "Query", "fields": [{"name": "me", "args": [],
        "type": {"kind": "SCALAR", "name": "String"}}]},
      {"kind": "SCALAR", "name": "String"}], "directives": []}}}
    """

  private static let files = [
    "a.http": """
      ### search
      GRAPHQL $URL{{path}}
      Authorization: Bearer s3cr3t-value

      query { me }

      ?? status == 999
      """,
    "http-client.env.json":
      #"{"$shared": {"path": "/graphql"}, "dev": {}, "page": {"path": "/page"}, "#
      + #""closed": {"path": "/closed"}, "text": {"path": "/text"}, "other": {"path": "/other"}}"#,
  ]

  private func bench() throws -> Bench {
    try Bench(Self.files) { request in
      switch request.target {
      case "/graphql": [.response(headers: ["Content-Type: application/json"], body: Self.answer)]
      case "/page": [.response(headers: ["Content-Type: text/html"], body: "<html></html>")]
      case "/closed":
        [
          .response(
            "400 Bad Request", headers: ["Content-Type: application/json"],
            body: #"{"errors": [{"message": "GraphQL introspection is not allowed"}]}"#)
        ]
      case "/text": [.response("404 Not Found", headers: ["Content-Type: text/plain"], body: "no")]
      case "/openapi.yaml", "/openapi.yaml?api_key=K1234567":
        [
          .response(
            headers: ["Content-Type: application/yaml"],
            body: "openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths: {/a: {get: {}}}\n")
        ]
      case "/moved":
        [.response("302 Found", headers: ["Location: https://other.invalid/a.yaml"], body: "")]
      case "/led?api_key=K1234567":
        [
          .response(
            "302 Found", headers: ["Location: https://other.invalid/a.yaml?api_key=K1234567"],
            body: "")
        ]
      default: [.response(headers: ["Content-Type: application/json"], body: #"{"a": 1}"#)]
      }
    }
  }

  @Test func `the schema is asked for with the request, and kept`() async throws {
    let bench = try bench()
    let result = try await bench.postkit("describe", "graphql", "a.http", "--env", "dev")
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.contains("1 type in the environment dev"))
    let request = try #require(bench.server.requests.last)
    #expect(request.values("Authorization") == ["Bearer s3cr3t-value"])
    #expect(try await bench.history().isEmpty)
    let kept = try await bench.history("--purpose", "schema")
    #expect(kept.count == 1 && !"\(kept)".contains("s3cr3t"))
  }

  @Test(arguments: [
    ("page", "a web page that is no answer of GraphQL"),
    ("closed", "does not tell its schema: GraphQL introspection is not allowed."),
    ("text", "answers 404 Not Found with `text/plain`"),
    ("other", "is no schema: the answer has no `__schema`"),
  ])
  func `what is no schema is told, and not kept`(environment: String, words: String) async throws {
    let result = try await bench().postkit(
      "describe", "graphql", "a.http", "--name", "search", "--env", environment)
    #expect(result.status == 4 && result.output.isEmpty)
    #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
  }

  @Test func `a schema file that counts first is told, one request is asked`() async throws {
    let bench = try bench()
    try bench.write("schema.graphql", "type Query { me: Int }")
    let result = try await bench.postkit("describe", "graphql", "a.http", "--env", "dev")
    #expect(result.output.contains("`schema.graphql` counts first; name another with"))
    try bench.write("two.http", "### a\nGRAPHQL $URL\n\n{ a }\n\n### b\nGRAPHQL $URL\n\n{ a }\n")
    let two = try await bench.postkit("describe", "graphql", "two.http")
    #expect(two.status == 2 && two.errorOutput.contains("Choose one with --name or --line:"))
  }

  @Test func `a service that is not there, and a request that is not, are told`() async throws {
    let bench = try bench()
    try bench.write("b.http", "GRAPHQL http://127.0.0.1:1/\n\nquery { a }\n")
    #expect(try await bench.postkit("describe", "graphql", "b.http").status == 4)
    let missing = try await bench.postkit("describe", "graphql", "b.http", "--name", "no")
    #expect(missing.status == 2)
    #expect(try await bench.postkit("describe", "graphql").status == 2)
  }

  @Test(arguments: [
    ("http", "/openapi.yaml", "/openapi.yaml?api_key=***: 1 operation,"),
    ("http", "/other", "/other?api_key=*** is no OpenAPI description"),
    ("HTTP", "/other", "/other?api_key=*** "),
    ("http", "/led", "It leads to https://other.invalid/a.yaml?api_key=***, which"),
  ])
  func `a key in the URL of a description is not told`(
    scheme: String, path: String, words: String
  ) async throws {
    let bench = try bench()
    let url = bench.server.url("\(path)?api_key=K1234567")
      .replacing("http://", with: "\(scheme)://")
    let result = try await bench.postkit("describe", "--fetch", url)
    let told = result.output + result.errorOutput
    #expect(told.contains(words) && !told.contains("K1234567"), "\(told)")
  }

  @Test func `an OpenAPI description is fetched once it is asked for`() async throws {
    let bench = try bench()
    let url = bench.server.url("/openapi.yaml")
    let result = try await bench.postkit("describe", "--fetch", url)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.contains("1 operation,"))
    let other = try await bench.postkit("describe", "--fetch", bench.server.url("/other"))
    #expect(other.status == 4 && other.errorOutput.contains("is no OpenAPI description"))
    let missing = try await bench.postkit("describe", "--fetch", bench.server.url("/text"))
    #expect(missing.status == 4)
    #expect(
      missing.errorOutput.contains("can't be fetched. The answer has the status 404."),
      "\(missing.errorOutput)")
    // Nobody has named the other machine, as for an import.
    let moved = try await bench.postkit("describe", "--fetch", bench.server.url("/moved"))
    let refusal = "It leads to https://other.invalid/a.yaml, which is not followed"
    #expect(moved.status == 4 && moved.errorOutput.contains(refusal), "\(moved.errorOutput)")
    let plain = try await bench.postkit("describe", "--fetch", "http://other.invalid/a.yaml")
    #expect(plain.status == 2 && plain.errorOutput.contains("Only `https:`"))
    let secret = url.replacing("://", with: "://me:s3cr3t-word@")
    let masked = try await bench.postkit("describe", "--fetch", secret)
    #expect(masked.status == 0 && !masked.output.contains("s3cr3t-word"), "\(masked.output)")
    // What was fetched is what a run tests against.
    try bench.write("run.http", "# @openapi \(url)\nGET $URL/a\n\n?? openapi\n")
    let run = try await bench.postkit("run", "run.http")
    #expect(!run.errorOutput.contains("was not fetched"), "\(run.errorOutput)")
    #expect(run.errorOutput.contains("no status is described"), "\(run.errorOutput)")
    // Who keeps no history reads it all the same, and so does who names it for all requests.
    let unkept = try await bench.postkit("run", "run.http", "--no-history")
    #expect(unkept.errorOutput.contains("no status is described"), "\(unkept.errorOutput)")
    try bench.write("plain.http", "GET $URL/a\n")
    let named = try await bench.postkit("run", "plain.http", "--no-history", "--openapi", url)
    #expect(named.errorOutput.contains("no status is described"), "\(named.errorOutput)")
    let unknown = bench.server.url("/never.yaml")
    let never = try await bench.postkit("run", "plain.http", "--openapi", unknown)
    #expect(never.status == 2 && never.errorOutput.contains("was not fetched yet"))
    for bad in ["openapi.yaml", "file:///etc/passwd", "http://{{host}}/a"] {
      #expect(try await bench.postkit("describe", "--fetch", bad).status == 2)
    }
  }
}
