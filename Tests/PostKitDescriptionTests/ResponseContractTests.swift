// Responses that are not as their descriptions say.

import PostKitDescription
import PostKitHTTP
import PostKitJSON
import Testing

@Suite struct ResponseContractTests {
  private static let api = ##"""
    {"openapi":"3.0.3","servers":[{"url":"https://api.example.com/v1"}],
    "components":{"schemas":{"User":{"type":"object","required":["id","password"],"properties":{
    "id":{"type":"integer"},"nick":{"type":"string","nullable":true},
    "password":{"type":"string","writeOnly":true}}}},
    "headers":{"Limit":{"required":true,"schema":{"type":"integer"}}}},
    "paths":{"/users/{id}":{"get":{"operationId":"getUser","responses":{
    "200":{"description":"","headers":{"X-Limit":{"$ref":"#/components/headers/Limit"},
    "X-Other":{"schema":{"type":"string"}},"Content-Type":{"required":true}},
    "content":{"application/json":{"schema":{"$ref":"#/components/schemas/User"}}}},
    "4XX":{"description":"","content":{"application/problem+json":{"schema":{"type":"object",
    "required":["title"]}}}},"204":{"description":""}}},"head":{"responses":{"200":{"description":"",
    "content":{"application/json":{}}}}}},
    "/files":{"get":{"responses":{"default":{"description":"","content":{"image/*":{}}}}}}}}
    """##

  private func findings(
    _ url: String, _ status: Int, _ body: String?, type: String? = "application/json",
    method: String = "GET", in api: String = Self.api, size: Int? = nil,
    headers: [String: String] = ["x-limit": "1"], strict: Bool = false, must: Bool = false
  ) throws -> ContractFindings? {
    let index = DescriptionIndex(try #require(APIDescription(try documents(api))))
    var contract = ResponseContract(index, name: "api.json", isStrict: strict)
    var fields = headers.map { HeaderField($0.key, $0.value) }
    if let type { fields.append(HeaderField("Content-Type", type)) }
    return contract.findings(
      index.match(method: method, target: url), method: method, url: url,
      ContractedResponse(
        status: status, headers: HeaderFields(fields), body: body.map { Array($0.utf8) },
        size: size ?? body?.utf8.count ?? 0), mustBeDescribed: must)
  }

  private static let user = "https://api.example.com/v1/users/1"

  @Test func `a response that is as described has no deviations`() throws {
    let found = try findings(Self.user, 200, #"{"id":1,"nick":null}"#)
    #expect(found == ContractFindings(description: "api.json", operation: "getUser"))
    #expect(found?.summary == nil)
    #expect(try findings(Self.user, 204, "", type: nil)?.holds == true)
  }

  @Test(arguments: [
    (500, "application/json", "{}", ["expected 200, 4XX, 204, came the status 500"]),
    (200, "text/html", "<p>", ["expected application/json, came `text/html`"]),
    (200, "application/json", #"{"id":"x"}"#, ["/id: expected integer, came a string"]),
    (200, "application/json", "{}", ["the body: expected the member `id`, it is missing"]),
    (200, "application/json; charset=utf-8", "[", ["expected JSON, but at byte 1 the text ends too early"]),
    (404, "application/problem+json", "{}", ["the body: expected the member `title`, it is missing"]),
    (404, "application/json", "{}", ["expected application/problem+json, came `application/json`"]),
    (200, "application/json", "", ["expected a body of application/json, it is empty"]),
  ])
  func `a deviation says what was expected and what came`(
    status: Int, type: String, body: String, expected: [String]
  ) throws {
    let found = try findings(Self.user, status, body, type: type)
    #expect(found?.deviations.map(\.text) == expected)
  }

  @Test func `headers that must be there are missed`() throws {
    let found = try findings(Self.user, 200, #"{"id":1}"#, headers: [:])
    #expect(found?.deviations.map(\.text) == ["expected the header `X-Limit`, it is missing"])
  }

  @Test func `a body without a type is no body of the type`() throws {
    let found = try findings(Self.user, 200, #"{"id":1}"#, type: nil)
    #expect(
      found?.deviations.map(\.text) == ["expected application/json, came no Content-Type"])
  }

  @Test func `of a body that is not all there the type alone counts`() throws {
    #expect(try findings(Self.user, 200, nil, size: 1 << 30)?.holds == true)
    #expect(try findings(Self.user, 200, nil, type: "text/plain", size: 9)?.holds == false)
    let files = "https://api.example.com/v1/files"
    #expect(try findings(files, 200, "\u{1}", type: "image/png")?.holds == true)
    #expect(try findings(files, 200, "\u{1}", type: "video/mp4")?.holds == false)
  }

  @Test(arguments: [
    "missing.yaml#/X", "https://other.example/x.json", "file:///etc/x.json", "#/nowhere",
  ])
  func `what leads to nothing was not checked`(reference: String) throws {
    let api = ##"""
      {"openapi":"3.1.0","paths":{"/a":{"get":{"responses":{"200":{"content":{"application/json":{
      "schema":{"type":"object","properties":{"x":{"$ref":"\##(reference)"}}}}}},
      "404":{"$ref":"\##(reference)"},"default":{"description":""}}}}}}
      """##
    let found = try #require(try findings("/a", 200, #"{"x":1}"#, in: api))
    #expect(!found.holds && found.deviations.isEmpty)
    #expect(found.obstacle?.contains("`\(reference)`") == true)
    #expect(try findings("/a", 200, "{}", in: api)?.holds == true)
    #expect(try findings("/a", 404, "{}", in: api)?.obstacle != nil)
    #expect(try findings("/a", 500, "", in: api)?.holds == true)
  }

  @Test func `a HEAD is answered as a GET, and OPTIONS by the server itself`() throws {
    let api = #"{"openapi":"3.1.0","paths":{"/a":{"get":{"responses":{"200":{}}}}}}"#
    #expect(try findings("/a", 200, "", method: "HEAD", in: api, strict: true)?.holds == true)
    #expect(try findings("/a", 500, "", method: "HEAD", in: api)?.holds == false)
    #expect(try findings("/a", 204, "", method: "OPTIONS", in: api, strict: true) == nil)
    #expect(try findings("/a", 204, "", method: "OPTIONS", in: api, must: true)?.holds == false)
    let index = DescriptionIndex(try #require(APIDescription(try documents(api))))
    var coverage = DescriptionCoverage<Int>(index)
    for method in ["HEAD", "OPTIONS"] {
      coverage.add(DescribedRequest(method: method, target: "/a"), shown: "/a", at: 0)
    }
    #expect(coverage.missing.isEmpty && coverage.unknown.isEmpty)
  }

  @Test func `a HEAD has no body`() throws {
    #expect(try findings(Self.user, 200, "", method: "HEAD")?.holds == true)
  }

  @Test func `a request that is not described is told where its server is`() throws {
    let other = try findings("https://api.example.com/v1/nothing", 200, "{}")
    #expect(other?.deviations.map(\.text) == ["no operation is described for GET /v1/nothing"])
    #expect(other?.operation == nil)
    #expect(try findings("https://elsewhere.example/nothing", 200, "{}") == nil)
    #expect(try findings("https://elsewhere.example/nothing", 200, "{}", strict: true) != nil)
    #expect(try findings("https://elsewhere.example/nothing", 200, "{}", must: true) != nil)
    let method = try findings(Self.user, 200, "{}", method: "PUT")
    #expect(
      method?.deviations.map(\.text) == ["expected GET, HEAD of /users/{id}, which has no PUT"])
  }

  @Test func `members that are not described count when asked for`() throws {
    let body = #"{"id":1,"more":{"a":1}}"#
    #expect(try findings(Self.user, 200, body)?.holds == true)
    #expect(
      try findings(Self.user, 200, body, strict: true)?.deviations.map(\.text)
        == ["/more: this member is not described"])
    let secret = try findings(Self.user, 200, #"{"id":1,"password":"x"}"#, strict: true)
    #expect(secret?.deviations.map(\.pointer) == ["/password"])
    #expect(
      try findings(Self.user, 204, "x", type: nil, strict: true)?.holds == true,
      "204 has no body")
  }

  @Test func `a member counts as described by whichever branch fits`() throws {
    let api = ##"""
      {"openapi":"3.1.0","paths":{"/a":{"get":{"responses":{"200":{"content":{"application/json":{
      "schema":{"allOf":[{"properties":{"id":{"type":["integer","null"]}}},{"oneOf":[
      {"required":["cat"],"properties":{"cat":{"type":"string"},"all":true}},
      {"required":["dog"],"properties":{"dog":{"type":"string"}}}]}],
      "properties":{"free":{"type":"object"},"open":{"properties":{"x":true},
      "additionalProperties":true}}}}}}}}}}}
      """##
    let fine = #"{"id":null,"dog":"a","free":{"any":1},"open":{"x":1,"y":2}}"#
    #expect(try findings("/a", 200, fine, in: api, strict: true)?.holds == true)
    let mixed = try findings("/a", 200, #"{"dog":"a","all":1}"#, in: api, strict: true)
    #expect(mixed?.deviations.map(\.text) == ["/all: this member is not described"])
  }

  @Test func `Swagger has types for the whole description, or none`() throws {
    let api = ##"""
      {"swagger":"2.0","basePath":"/v2","paths":{"/a":{"get":{"responses":{"200":{
      "schema":{"type":"array","items":{"type":"string","x-nullable":true}}}}}}}}
      """##
    #expect(try findings("/v2/a", 200, #"["a",null]"#, in: api)?.holds == true)
    #expect(try findings("/v2/a", 200, "a", type: "text/plain", in: api)?.holds == true)
    #expect(
      try findings("/v2/a", 200, "[1]", in: api)?.deviations.map(\.text)
        == ["/0: expected string, came the number 1"])
    let typed = api.replacing(#""2.0","#, with: #""2.0","produces":["application/xml"],"#)
    #expect(try findings("/v2/a", 200, "[]", in: typed)?.holds == false)
  }

  @Test func `a sentence lists five deviations`() throws {
    let api = ##"""
      {"openapi":"3.0.0","paths":{"/a":{"get":{"responses":{"200":{"content":{"*/*":{"schema":
      {"type":"array","items":{"type":"string"}}}}}}}}}}
      """##
    let found = try #require(try findings("/a", 200, "[1,2,3,4,5,6,7]", in: api))
    #expect(found.summary == "7 deviations from api.json")
    #expect(
      found.explanation
        == "7 deviations from api.json (GET /a): /0: expected string, came the number 1; "
        + "/1: expected string, came the number 2; /2: expected string, came the number 3; "
        + "/3: expected string, came the number 4; /4: expected string, came the number 5; "
        + "and 2 more.")
  }
}
