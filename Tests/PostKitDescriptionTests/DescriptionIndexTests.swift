// Which operation a request means, and what is said about its parts (IO-35).

import PostKitDescription
import PostKitJSON
import Testing

@Suite struct DescriptionIndexTests {
  private func index() throws -> DescriptionIndex {
    let text = """
      {"openapi":"3.1.0","servers":[{"url":"https://example.com/v1"},{"url":"https://e.com/v1/eu"}],
      "paths":{"/users":{"get":{},"post":{"requestBody":{"content":{"application/json":
      {"schema":{"$ref":"#/components/schemas/User"}},"text/*":{"schema":{"type":"string"}}}}}},
      "/users/{id}":{"get":{"operationId":"one","parameters":[{"name":"id","in":"path"}],
      "responses":{"200":{"content":{"application/json":{"schema":{"type":"object"}}}},
      "4XX":{"description":"no"},"default":{"description":"d"}}}},
      "/users/me":{"get":{"operationId":"me"}},"/files/{name}.{ending}":{"get":{}},
      "/{any}/{id}":{"delete":{}}},
      "components":{"schemas":{"User":{"allOf":[{"properties":{"name":{"type":"string"}}}],
      "properties":{"friends":{"type":"array","items":{"$ref":"#/components/schemas/User"}},
      "pet":{"oneOf":[{"properties":{"meow":{"type":"string"}}},
      {"properties":{"bark":{"type":"string"}}}]},
      "map":{"additionalProperties":{"properties":{"x":{"type":"string"}}}}}}}}}
      """
    return DescriptionIndex(try #require(APIDescription(try documents(text))))
  }

  private func found(_ method: String, _ target: String) throws -> String? {
    let index = try index()
    return index.match(method: method, target: target).map { match in
      let entry = index.operations[match.operation]
      let values = match.pathParameters.map { " \($0.name)=\($0.value)" }.joined()
      return "\(match.isExact ? "" : "not ")\(entry.method) \(entry.path)\(values)"
    }
  }

  @Test(arguments: [
    ("GET", "https://example.com/v1/users", "GET /users"),
    ("GET", "https://example.com/v1/users?a=1#b", "GET /users"),
    ("GET", "{{baseUrl}}/users/7", "GET /users/{id} id=7"),
    ("GET", "{{baseUrl}}/users/{{id}}", "GET /users/{id} id={{id}}"),
    ("GET", "{{host}}/v1/users/me", "GET /users/me"),
    ("GET", "/v1/eu/users/7", "GET /users/{id} id=7"),
    ("GET", "https://{{host}}/v1/users", "GET /users"),
    ("GET", "{{scheme}}://{{host}}:{{port}}/v1/users", "GET /users"),
    ("GET", "localhost:8080/users/7?a={{b}}", "GET /users/{id} id=7"),
    ("GET", "{{baseUrl}}/users/{{a?b#d}}?e", "GET /users/{id} id={{a?b#d}}"),
    ("GET", "{{baseUrl}}/users/{{a/b}}", "GET /users/{id} id={{a/b}}"),
    ("GET", "{{baseUrl}}/users/.7", "GET /users/{id} id=7"),
    ("GET", "{{baseUrl}}/users/;id=7", "GET /users/{id} id=7"),
    ("GET", "{{baseUrl}}/files/a.b.c", "GET /files/{name}.{ending} name=a ending=b.c"),
    ("DELETE", "{{baseUrl}}/users/7", "DELETE /{any}/{id} any=users id=7"),
    ("PUT", "{{baseUrl}}/users", "not GET /users"),
    ("GET", "{{baseUrl}}/nothing", nil), ("GET", "{{baseUrl}}/users/", "GET /users"),
    ("GET", "{{baseUrl}}/users/7/?a=1", "GET /users/{id} id=7"),
    ("PUT", "{{baseUrl}}/users/", "not GET /users"), ("GET", "{{baseUrl}}/users//", nil),
  ])
  func `a request means an operation`(method: String, target: String, expected: String?) throws {
    #expect(try found(method, target) == expected)
  }

  @Test func `a path has its methods`() throws {
    #expect(try index().methods(of: "{{baseUrl}}/users") == ["GET", "POST"])
    #expect(try index().methods(of: "/v1/users/7") == ["GET", "DELETE"])
    #expect(try index().methods(of: "/nowhere/at/all") == [])
  }

  @Test func `a slash at the end parts paths that are both described`() throws {
    let text = #"{"openapi":"3.1.0","paths":{"/":{"get":{}},"/a":{"get":{}},"/a/":{"post":{}}}}"#
    let index = DescriptionIndex(try #require(APIDescription(try documents(text))))
    func path(_ method: String, _ target: String) -> String? {
      index.match(method: method, target: target).map {
        "\($0.isExact) \(index.operations[$0.operation].path)"
      }
    }
    #expect(path("GET", "{{b}}/a") == "true /a" && path("POST", "{{b}}/a/") == "true /a/")
    #expect(path("POST", "{{b}}/a") == "false /a" && path("GET", "{{b}}/") == "true /")
    #expect(path("GET", "https://{{b}}/") == "true /" && path("GET", "https://b") == "true /")
    // The path may be in the template.
    for target in ["{{b}}", "{{b}}?c=1", "{{b}}{{c}}", "https://{{b}}", "{{a.headers.b}}"] {
      #expect(path("GET", target) == nil && index.methods(of: target) == [])
    }
    #expect(index.methods(of: "{{b}}/a") == ["GET"])
  }

  @Test func `siblings that differ by the names of parameters are each kept`() throws {
    let paths = (0..<3_000).map { #""/a/{p\#($0)}/x\#($0)":{"get":{}}"# }.joined(separator: ",")
    let text = #"{"openapi":"3.1.0","paths":{\#(paths)}}"#
    let index = DescriptionIndex(try #require(APIDescription(try documents(text))))
    let match = try #require(index.match(method: "GET", target: "/a/7/x2999"))
    #expect(index.operations[match.operation].path == "/a/{p2999}/x2999")
  }

  @Test(arguments: [
    ("{REF/User}", "User"), (#"{"type":"array","items":{REF/User}}"#, "User"),
    (#"{"anyOf":[{REF/User},{REF/Pet},{"type":"null"},{REF/User}]}"#, "User Pet"),
    (#"{"type":"string"}"#, "-"), ("{REF/Nobody}", "-"), ("{REF/Loop}", "Loop"),
    (#"{"properties":{"a":{}},"items":{REF/User}}"#, "-"),
  ])
  func `a type stands where the schema has its name`(short: String, names: String) throws {
    let schemas = ["User", "Pet", "Loop", "Nobody"].reduce(short) { text, name in
      text.replacing("REF/\(name)", with: "\"$ref\":\"#/components/schemas/\(name)\"")
    }
    let text = """
      {"openapi":"3.1.0","paths":{"/a":{"post":{"requestBody":{"content":{"application/json":
      {"schema":\(schemas)}}}}}},"components":{"schemas":{"User":{},"Pet":{"type":"object"},
      "Loop":{"$ref":"#/components/schemas/Loop"}}}}
      """
    let index = DescriptionIndex(try #require(APIDescription(try documents(text))))
    let match = try #require(index.match(method: "POST", target: "/a"))
    let places = index.typePlaces([try #require(index.bodySchema(match))])
    // What leads to nothing is where it is written.
    #expect(places.map { $0.view.string ?? "-" }.joined(separator: " ") == names)
  }

  @Test func `a server is known by its origin`() throws {
    #expect(try index().serves("https://EXAMPLE.com:443/x"))
    #expect(try !index().serves("http://example.com/x"))
  }

  @Test func `a body has a schema by its media type, and members by their path`() throws {
    let index = try index()
    let match = try #require(index.match(method: "POST", target: "/v1/users"))
    let schema = try #require(index.bodySchema(match))
    func names(_ path: String...) -> [String]? {
      index.schema(schema, at: path)?.properties.map(\.name)
    }
    #expect(names() == ["friends", "pet", "map", "name"])
    #expect(names("friends", "0", "friends", "1") == ["friends", "pet", "map", "name"])
    #expect(names("pet") == ["meow", "bark"])
    #expect(names("map", "anything") == ["x"])
    #expect(names("nothing") == nil)
    #expect(index.bodySchema(match, type: "text/csv")?.string("type") == "string")
    #expect(index.bodySchema(match, type: "image/png") == nil)
  }

  @Test func `an answer is that of its status, its class or the default`() throws {
    let index = try index()
    let match = try #require(index.match(method: "GET", target: "/v1/users/7"))
    #expect(index.response(match, status: 200)?.status == "200")
    #expect(index.response(match, status: 404)?.status == "4XX")
    #expect(index.response(match, status: 500)?.status == "default")
    #expect(index.responseSchema(match, status: 200)?.string("type") == "object")
    #expect(index.parameters(match).map(\.name) == ["id"])
  }
}
