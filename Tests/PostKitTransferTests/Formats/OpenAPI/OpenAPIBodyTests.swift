// Bodies and credentials of described operations, and what is told of a description.

import PostKitJSON
import Testing

@testable import PostKitTransfer

@Suite struct OpenAPIBodyTests {
  private func request(_ content: String, _ components: String = "") throws -> OriginRequest {
    let result = try OpenAPISource(
      paths: #""/a":{"post":{"requestBody":{"content":{\#(content)}}}}"#, components: components
    ).read()
    return try #require(result.requests["POST /a"])
  }

  @Test func `JSON comes before forms, and others are told`() throws {
    let request = try request(
      #""text/plain":{},"multipart/form-data":{},"application/vnd.a+json":{"example":{"a":1}}"#)
    #expect(request.headers.shown == ["Content-Type=application/vnd.a+json"])
    #expect(request.body == .text("{\n  \"a\": 1\n}"))
    #expect(request.comments == ["also: text/plain, multipart/form-data"])
  }

  @Test func `an example that is a text stands as it is`() throws {
    let text = #""application/json":{"example":"{\"n\": 1}"}"#
    #expect(try request(text).body == .text(#"{"n": 1}"#))
    let string = #""application/json":{"example":"abc","schema":{"type":"string"}}"#
    #expect(try request(string).body == .text(#""abc""#))
  }

  @Test func `braces of an example are no template, and a password is one`() throws {
    let literal = #""application/json":{"example":{"a":"{{b}}"}}"#
    #expect(
      try request(literal).body == .text(OriginText(literal: "{\n  \"a\": \"{{b}}\"\n}")))
    let source = OpenAPISource(
      paths: """
        "/a":{"post":{"requestBody":{"content":{"application/json":{"schema":{"properties":
        {"p":{"type":"string","format":"password"}}}}}}}}
        """)
    let result = try source.read()
    #expect(result.requests["POST /a"]?.body == .text("{\n  \"p\": \"{{password}}\"\n}"))
    #expect(result.shared.last == "password=SECRET")
  }

  @Test func `a form has a pair for each element`() throws {
    let request = try request(
      """
      "application/x-www-form-urlencoded":{"schema":{"properties":{"a":{"default":["x","y"]},
      "o":{"default":{"b":1}},"d":{"default":{"b":1}}}},"encoding":{"d":{"style":"deepObject"}}}
      """)
    guard case .form(let pairs) = request.body else { throw Failure() }
    #expect(pairs.shown == ["a=x", "a=y", #"o={"b":1}"#, "d[b]=1"])
    #expect(request.headers.shown == ["Content-Type=application/x-www-form-urlencoded"])
  }
  private struct Failure: Error {}

  @Test func `a multipart body has a part for each element, and files for bytes`() throws {
    let source = OpenAPISource(
      paths: """
        "/a":{"post":{"requestBody":{"content":{"multipart/form-data":{"schema":{"properties":{
        "f":{"type":"string","format":"binary"},"o":{"default":{"b":1}},
        "l":{"type":"array","items":{"type":"string"},"default":["x","y"]},
        "s":{"default":"t"}}},"encoding":{"f":{"contentType":"image/png, image/gif"},
        "s":{"style":"deepObject","headers":{"X-A":{"schema":{"default":"h"}}}}}}}}}}
        """)
    let result = try source.read()
    let request = try #require(result.requests["POST /a"])
    guard case .multipart(let parts) = request.body else { throw Failure() }
    #expect(parts.map(\.name.text) == ["f", "o", "l", "l", "s"])
    #expect(parts[0].content == .file(nil))
    #expect(parts[0].contentType == "image/png")
    #expect(parts[1].contentType == "application/json")
    #expect(parts[2].content == .text("x"))
    #expect(parts[4].headers.shown == ["X-A=h"])
    #expect(request.headers == [])
    #expect(result.notes == ["style-unsupported /paths/~1a/post/requestBody"])
  }

  @Test func `a body of XML has the names of its schema`() throws {
    let request = try request(
      """
      "application/xml":{"schema":{"type":"object","xml":{"name":"pet","prefix":"p",
      "namespace":"urn:x"},"properties":{"id":{"type":"integer","xml":{"attribute":true}},
      "tag":{"type":"array","xml":{"wrapped":true,"name":"tags"},"items":{"default":"<a>",
      "xml":{"name":"tag"}}},"name":{"default":"n"}}}}
      """)
    #expect(
      request.body
        == .text(
          """
          <?xml version="1.0" encoding="UTF-8"?>
          <p:pet xmlns:p="urn:x" id="0">
            <tags>
              <tag>&lt;a&gt;</tag>
            </tags>
            <name>n</name>
          </p:pet>
          """))
  }

  @Test func `bytes are a file`() throws {
    let request = try request(#""application/octet-stream":{}"#)
    #expect(request.body == .file(nil))
    #expect(request.headers.shown == ["Content-Type=application/octet-stream"])
  }

  @Test func `a form of Swagger has its fields`() throws {
    let result = try OpenAPISource(
      version: #""swagger":"2.0""#, root: #""host":"h","consumes":["application/json"]"#,
      paths: """
        "/f":{"post":{"parameters":[{"name":"a","in":"formData","type":"string"},
        {"name":"f","in":"formData","type":"file"}]}},"/b":{"post":{"parameters":
        [{"name":"b","in":"body","schema":{"type":"boolean"}}]}}
        """
    ).read()
    guard case .multipart(let parts)? = result.requests["POST /f"]?.body else { throw Failure() }
    #expect(parts.map(\.content) == [.text("string"), .file(nil)])
    #expect(result.requests["POST /b"]?.body == .text("true"))
    #expect(result.requests["POST /b"]?.headers.shown == ["Content-Type=application/json"])
  }

  // MARK: - Security

  private func secured(_ security: String) throws -> (OriginRequest, OpenAPISource.Result) {
    let result = try OpenAPISource(
      root: #""servers":[{"url":"http://h"}],"security":[{"b":[]}]"#,
      paths: #""/a":{"get":{\#(security)}}"#,
      components: """
        "securitySchemes":{"b":{"type":"http","scheme":"Bearer"},
        "k":{"type":"apiKey","in":"header","name":"X-K"},
        "k2":{"type":"apiKey","in":"query","name":"k"},
        "c":{"type":"apiKey","in":"cookie","name":"sid"},
        "oidc":{"type":"openIdConnect","openIdConnectUrl":"https://e.com/o"},
        "tls":{"type":"mutualTLS"},
        "o":{"type":"oauth2","flows":{"clientCredentials":{"tokenUrl":"/token",
        "scopes":{"r":"","w":""}}}}}
        """
    ).read()
    return (try #require(result.requests["GET /a"]), result)
  }

  @Test func `security of the operation replaces that of the whole`() throws {
    let (request, result) = try secured("")
    #expect(request.auth == .bearer(token: "{{bearerToken}}", prefix: "Bearer"))
    #expect(result.shared.last == "bearerToken=SECRET")
    let (open, _) = try secured(#""security":[]"#)
    #expect(open.auth == .none)
  }

  @Test func `the first way that can be gone is gone`() throws {
    let (request, result) = try secured(#""security":[{"tls":[]},{"k":[],"k2":[]},{"b":[]}]"#)
    #expect(request.auth == .apiKey(name: "X-K", value: "{{apiKey}}", location: .header))
    #expect(request.query.shown == ["k={{apiKey2}}"])
    #expect(request.comments == ["or with: tls", "or with: b"])
    #expect(result.notes.isEmpty)
    let (cookie, _) = try secured(#""security":[{"c":[]}]"#)
    #expect(cookie.headers.shown == ["Cookie=sid={{apiKey}}"])
  }

  @Test func `ways that can't be gone are told`() throws {
    let (request, result) = try secured(#""security":[{"oidc":[]},{"tls":[]}]"#)
    #expect(request.auth == .none)
    #expect(
      request.comments.contains("auth oidc: OpenID Connect, https://e.com/o"))
    #expect(result.notes == ["auth-unsupported /paths/~1a/get/security"])
  }

  @Test func `a client of OAuth 2 has the scopes that are asked for`() throws {
    let (request, _) = try secured(#""security":[{"o":["r"]}]"#)
    guard case .oauth2(let client) = request.auth else { throw Failure() }
    #expect(client.name == "o")
    #expect(
      client.fields.map { "\($0.name)=\($0.value?.text ?? "nil")" } == [
        "Grant Type=Client Credentials", "Token URL={{baseUrl}}/token", "Client ID=",
        "Client Secret=nil", "Scope=r",
      ])
  }

  // MARK: - What is told

  @Test func `nothing is dropped in silence`() throws {
    let result = try OpenAPISource(
      root: #""servers":[{"url":"http://h"}],"webhooks":{"w":{}},"odd":1,"x-fine":1"#,
      paths: """
        "bad":{},"/a":{"get":{"strange":true,"callbacks":{"onEvent":{}},
        "parameters":[{"in":"query"}],
        "responses":{"200":{"links":{"next":{}},"odd":"x"}}}}
        """
    ).read()
    #expect(
      result.notes == [
        "member-unknown /odd", "member-unknown /webhooks", "item-malformed /paths/bad",
        "member-unknown /paths/~1a/get/strange", "item-malformed /paths/~1a/get/parameters/0",
        "member-unknown /paths/~1a/get/responses/200/odd",
        "member-unknown /paths/~1a/get/callbacks",
        "member-unknown /paths/~1a/get/responses/200/links",
      ])
  }

  @Test func `references that lead to nothing are told once`() throws {
    func content(_ reference: String) -> String {
      let schema = ##"{"schema":{"$ref":"\##(reference)"}}"##
      return #"{"requestBody":{"content":{"application/json":\#(schema)}}}"#
    }
    var source = OpenAPISource(
      paths: """
        "/a":{"get":\(content("https://e.com/a.json")),"put":\(content("https://e.com/a.json")),
        "post":\(content("../up.json")),"patch":\(content("#/nowhere")),
        "delete":\(content("parts/b.json#/x"))}
        """)
    source.files = ["parts/b.json": #"{"x":{"$ref":"c.yaml"}}"#, "parts/c.yaml": "example: yes"]
    let result = try source.read()
    #expect(
      result.noted.map(\.code) == [.refRemote, .refOutside, .refMissing])
    #expect(result.requests["DELETE /a"]?.body == .text(#""yes""#))
    #expect(result.noted.map(\.isWarning) == [true, true, true])
  }

  @Test func `a tree of schemas is told as one`() throws {
    let result = try OpenAPISource(
      paths: """
        "/a":{"post":{"requestBody":{"content":{"application/json":{"schema":
        {"$ref":"#/components/schemas/N"}}}}}}
        """,
      components: """
        "schemas":{"N":{"properties":{"next":{"$ref":"#/components/schemas/N"},
        "v":{"type":"integer"}}}}
        """
    ).read()
    #expect(result.requests["POST /a"]?.body == .text("{\n  \"v\": 0\n}"))
    #expect(result.notes == ["schema-cycle /paths/~1a/post"])
  }
}
