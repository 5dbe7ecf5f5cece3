// Descriptions of APIs as collections, row by row of the rules (IO-23).

import PostKitJSON
import Testing

@testable import PostKitTransfer

@Suite struct OpenAPIImportTests {
  @Test func `a server is an environment and the first is shared`() throws {
    let result = try OpenAPISource(
      root: """
        "servers":[{"url":"https://{host}.example.com/{stage}/","description":"Live",
        "variables":{"host":{"default":"api"},"stage":{"default":"v1"}}},
        {"url":"http://127.0.0.1:8080","variables":{"stage":{"default":"v2"}}}]
        """
    ).read()
    #expect(
      result.shared == ["host=api", "stage=v1", "baseUrl=https://{{host}}.example.com/{{stage}}"])
    #expect(
      result.environments == [
        "Live: baseUrl=https://{{host}}.example.com/{{stage}}",
        "127.0.0.1:8080: stage=v2, baseUrl=http://127.0.0.1:8080",
      ])
    #expect(result.notes.isEmpty)
  }

  @Test func `a server without a host is joined to the base or told`() throws {
    let ported = OpenAPISource(
      root: #""servers":[{"url":"http://h.test:81/v1"},{"url":"http://u@h.test/"},{"url":"h:82/a"}]"#)
    #expect(try ported.read().environments.map { $0.prefix { $0 != " " } } == [
      "h.test:81:", "h.test:", "h:82:",
    ])
    let source = OpenAPISource(root: #""servers":[{"url":"/v1/"}]"#)
    let told = try source.read()
    #expect(told.shared == ["baseUrl=/v1"])
    #expect(told.notes == ["server-missing /servers/0"])
    var based = source
    based.options.baseURL = "https://example.com/api"
    #expect(try based.read().shared == ["baseUrl=https://example.com/v1"])
    let none = try OpenAPISource(root: #""x-a":1"#).read()
    #expect(none.shared == ["baseUrl=http://localhost"])
    #expect(none.notes == ["server-missing "])
  }

  @Test func `each scheme of Swagger is an environment and https comes first`() throws {
    let result = try OpenAPISource(
      version: #""swagger":"2.0""#,
      root: #""host":"example.com","basePath":"/v2","schemes":["http","https"]"#
    ).read()
    #expect(result.shared == ["baseUrl=https://example.com/v2"])
    #expect(
      result.environments == [
        "https: baseUrl=https://example.com/v2", "http: baseUrl=http://example.com/v2",
      ])
  }

  @Test func `operations lie in folders of their first tags, else of their paths`() throws {
    let result = try OpenAPISource(
      root: #""tags":[{"name":"B"},{"name":"Unused"},{"name":"A"}]"#,
      paths: """
        "/v1/users/{id}":{"get":{"tags":["A","more"]}},"/v1/orders":{"get":{}},
        "/pets":{"post":{"tags":["B"]},"get":{"tags":["New"]}},"/{id}":{"get":{}}
        """
    ).read()
    #expect(
      result.collection.root.folders.map { "\($0.name): \($0.requests.map(\.id))" } == [
        #"B: ["POST /pets"]"#, #"A: ["GET /v1/users/{id}"]"#, #"orders: ["GET /v1/orders"]"#,
        #"New: ["GET /pets"]"#,
      ])
    #expect(result.collection.root.requests.map(\.id) == ["GET /{id}"])
    #expect(result.requests["GET /v1/users/{id}"]?.tags == ["more"])
  }

  @Test func `only operations with a wanted tag are taken`() throws {
    var source = OpenAPISource(
      paths: #""/a":{"get":{"tags":["x"]},"put":{"tags":["y","z"]}},"/b":{"get":{}}"#)
    source.options.tags = ["x", "z"]
    #expect(try source.read().requests.keys.sorted() == ["GET /a", "PUT /a"])
  }

  @Test func `a request is called by its summary, its id or nothing`() throws {
    let result = try OpenAPISource(
      paths: """
        "/a":{"get":{"summary":"All","operationId":"a.list","deprecated":true,"description":"D",
        "externalDocs":{"url":"https://e.com"}},"put":{"operationId":"a.list"},"patch":{}}
        """
    ).read()
    let first = try #require(result.requests["a.list"])
    #expect(first.name == "All")
    #expect(first.referenceName == "a_list")
    #expect(first.comments == ["deprecated"])
    #expect(first.description == "D\nSee: https://e.com")
    #expect(result.requests["PUT /a"]?.name == "a.list")
    #expect(result.requests["PATCH /a"]?.name == "PATCH /a")
  }

  @Test func `parameters are samples where they are required and comments where not`() throws {
    let result = try OpenAPISource(
      paths: """
        "/a/{id}/x":{"parameters":[{"name":"id","in":"path","schema":{"example":"a/b"}},
        {"name":"q","in":"query","schema":{"type":"string"}}],
        "get":{"parameters":[{"name":"q","in":"query","required":true,"example":"a&b c"},
        {"name":"raw","in":"query","required":true,"allowReserved":true,"example":"a/b&c#d"},
        {"name":"n","in":"query","schema":{"type":"integer"}},
        {"name":"X-A","in":"header","required":true,"schema":{"enum":["e"]}},
        {"name":"X-B","in":"header","schema":{"type":"boolean"}},
        {"name":"Accept","in":"header","required":true,"schema":{"type":"string"}},
        {"name":"c","in":"cookie","required":true,"schema":{"default":"d"}}]}}
        """
    ).read()
    let request = try #require(result.requests["GET /a/{id}/x"])
    #expect(request.url.text == "{{baseUrl}}/a/{{id}}/x")
    #expect(request.pathVariables.map { "\($0.name)=\($0.value?.text ?? "")" } == ["id=a%2Fb"])
    #expect(request.query.shown == ["q=a%26b%20c", "raw=a/b", "c%23d", "# n=0"])
    #expect(request.headers.shown == ["X-A=e", "# X-B=true", "Cookie=c=d"])
  }

  @Test func `lists and objects in a path are written out`() throws {
    let result = try OpenAPISource(
      paths: """
        "/{l}/{m}/{s}/{n}":{"get":{"parameters":[
        {"name":"l","in":"path","style":"label","schema":{"type":"string"}},
        {"name":"m","in":"path","style":"matrix","explode":true,"example":["a","b"]},
        {"name":"s","in":"path","example":{"r":1,"g":2}}]}}
        """
    ).read()
    #expect(
      result.requests.values.first?.url.text
        == "{{baseUrl}}/.{{l}}/;m=a;m=b/r,1,g,2/{{n}}")
  }

  @Test func `a list of Swagger is written by its format`() throws {
    let result = try OpenAPISource(
      version: #""swagger":"2.0""#, root: #""host":"h""#,
      paths: ["csv", "ssv", "tsv", "pipes", "multi"].map {
        """
        "/\($0)":{"get":{"parameters":[{"name":"a","in":"query","required":true,"type":"array",
        "collectionFormat":"\($0)","items":{"type":"string"},"default":["x","y"]}]}}
        """
      }.joined(separator: ",")
    ).read()
    #expect(result.requests["GET /csv"]?.query.shown == ["a=x,y"])
    #expect(result.requests["GET /ssv"]?.query.shown == ["a=x%20y"])
    #expect(result.requests["GET /tsv"]?.query.shown == ["a=x%09y"])
    #expect(result.requests["GET /pipes"]?.query.shown == ["a=x|y"])
    #expect(result.requests["GET /multi"]?.query.shown == ["a=x", "a=y"])
  }

  @Test func `a server of an operation is a variable of its request`() throws {
    let result = try OpenAPISource(
      paths: """
        "/a":{"servers":[{"url":"https://a.example.com"}],"get":{},
        "put":{"servers":[{"url":"https://{x}.example.com","variables":{"x":{"default":"b"}}}]}}
        """
    ).read()
    #expect(result.requests["GET /a"]?.variables.map(\.name) == ["baseUrl"])
    #expect(
      result.requests["PUT /a"]?.variables.map { "\($0.name)=\($0.value?.text ?? "")" } == [
        "x=b", "baseUrl=https://{{x}}.example.com",
      ])
  }

  @Test func `the first answer that is no JSON is asked for and examples are kept`() throws {
    let result = try OpenAPISource(
      paths: """
        "/a":{"get":{"responses":{"200":{"description":"fine",
        "content":{"text/csv":{"example":"a,b"},
        "application/json":{"examples":{"one":{"value":{"n":9007199254740993}},
        "two":{"$ref":"#/components/examples/two"}}}}},"default":{"description":"no"}}}},
        "/b":{"get":{"responses":{"204":{"description":"none"}}}}
        """, components: #""examples":{"two":{"value":[1]}}"#
    ).read()
    let request = try #require(result.requests["GET /a"])
    #expect(request.headers.shown == ["Accept=text/csv"])
    #expect(
      request.examples.map { "\($0.name) \($0.status) \(String(decoding: $0.body, as: UTF8.self))" }
        == ["fine 200 a,b", "one 200 {\n  \"n\": 9007199254740993\n}", "two 200 [\n  1\n]"])
    #expect(result.requests["GET /b"]?.headers == [])
  }

  @Test func `what can't be read is an error with its place`() {
    for text in ["{\"openapi\":\"3.0.0\"", "openapi: 4.0.0", "{\"swagger\":\"1.2\"}"] {
      #expect(throws: OriginFailure.self) { _ = try OpenAPISource(text: text).read() }
    }
  }

  @Test func `a description is known by its outermost members`() {
    func isKnown(_ text: String) -> Bool {
      OpenAPIImporter.recognises(OriginSource(name: "a", bytes: Array(text.utf8)))
    }
    #expect(isKnown(#"{"components":{},"openapi":"3.0.0"}"#))
    #expect(isKnown("swagger: 2.0\ninfo: {}"))
    #expect(isKnown("\u{FEFF}# comment\n\"openapi\": 3.1.0\n"))
    #expect(!isKnown(#"{"item":[{"openapi":"3.0.0"}]}"#))
    #expect(!isKnown("text:\n  openapi: 3.0.0\n"))
    #expect(!isKnown(""))
  }

  @Test func `a member that stands twice in YAML is told once`() throws {
    let text = "openapi: 3.1.0\ninfo: {title: T, version: 1.10}\npaths: {/a: {get: {}}}\n"
      + "servers: [{url: http://a}]\nservers: [{url: http://b}]\n"
    let sample = try OriginSample(OpenAPIImporter.self, [("api.yaml", text)])
    #expect(sample.told == ["yaml-value api.yaml:5"])
    #expect(sample.collection.root.description == "Version 1.10")
  }
}
