// Templates, auth and bodies of Insomnia in our form.

import PostKitJSON
import Testing

@testable import PostKitTransfer

@Suite struct InsomniaTemplateTests {
  /// Reads a request whose text is given, beside one that is called `Log in`.
  private func request(_ members: [JSONMember]) throws -> (OriginRequest, [ImportNote]) {
    let base: [JSONMember] = [
      JSONMember("_id", "req_x"), JSONMember("_type", "request"), JSONMember("name", "x"),
      JSONMember("metaSortKey", 1), JSONMember("url", "http://x"),
    ]
    let export: JSONValue = [
      "_type": "export", "__export_format": 4,
      "resources": [
        .object(base.filter { own in !members.contains { $0.key == own.key } } + members),
        ["_id": "req_1", "_type": "request", "name": "Log in", "url": "http://l"],
      ],
    ]
    let sample = try OriginSample(InsomniaImporter.self, export.text)
    return (sample.collection.root.requests[1], sample.notes)
  }

  private func text(_ template: String) throws -> String {
    let (request, _) = try request([
      JSONMember("body", ["mimeType": "text/plain", "text": .string(template)])
    ])
    guard case .text(let text) = request.body else { return "" }
    return text.text
  }

  @Test(arguments: [
    ("{{ _.x }}", "{{x}}"), ("{{x}}", "{{x}}"), ("{{- _.a.b -}}", "{{a.b}}"),
    ("{{ _['a-b'] }}", "{{a-b}}"), ("{{ _.a['b'][0].c }}", "{{a.b[0].c}}"),
    ("{{ _.a-b }}", "{{a-b}}"), ("{{ vault.k }} {{ _.vault.k }}", "{{k}} {{k}}"),
    ("{% uuid 'v4' %}", "{{$guid}}"), ("{% now 'iso-8601', '' %}", "{{$datetime iso8601}}"),
    ("{% now 'millis' %}", "{{$timestampMs}}"), ("{% now 'unix' %}", "{{$timestamp}}"),
    ("{% timestamp %}", "{{$timestampMs}}"), ("{% faker 'guid' %}", "{{$guid}}"),
    (
      "{% prompt 'Title', 'Your name', 'ann', '', false, true %}",
      "{{$input Your name $value: ann}}"
    ),
    ("{% prompt 'Title', '', '', '', true, true %}", "{{$password Title}}"),
    ("{% prompt %}", "{{$input value}}"),
    (
      "{% response 'body', 'req_1', 'b64::JC50b2tlbg==::46b', 'never', 60 %}",
      "{{Log_in.response.body.$.token}}"
    ),
    ("{% response 'body', 'req_1', '$.a', 'always' %}", "{{Log_in.response.body.$.a}}"),
    ("{% response 'header', 'req_1', 'b64::WC1B::46b' %}", "{{Log_in.response.headers.X-A}}"),
    ("{% response 'raw', 'req_1', '' %}", "{{Log_in.response.body.*}}"),
    ("{% response \"body\", \"req_1\", \"//a\" %}", "{{Log_in.response.body.//a}}"),
    ("{{ _.x", "{{ _.x"), ("a { b }} %}", "a { b }} %}"), ("{%", "{%"),
    ("{{{{ _.x }}", "{{insomnia_value}}"),
    (
      "{% hash 'md5', 'hex', 'a%}b' %}-{% hash 'md5', 'hex', 'a%}b' %}",
      "{{insomnia_hash}}-{{insomnia_hash}}"
    ),
    ("{{ _.x | upper }}{{ f() }}", "{{insomnia_value}}{{insomnia_value_2}}"),
    ("{% response 'url', 'req_1', '' %}", "{{insomnia_response}}"),
    ("{% response 'body', 'gone', '$.a' %}", "{{insomnia_response}}"),
  ])
  func `templates are rewritten`(template: String, expected: String) throws {
    #expect(try text(template) == expected)
  }

  @Test func `a response tag names the request that is sent before`() throws {
    let tag = "{% response 'body', 'req_1', '$.a' %}"
    let export: JSONValue = [
      "type": "collection.insomnia.rest/5.0",
      "collection": [
        ["url": "http://a", "method": "GET", "name": "Log in", "meta": ["id": "req_1"]],
        ["url": .string("http://a/\(tag)"), "method": "GET", "name": "x", "meta": ["id": "req_2"]],
      ],
    ]
    let sample = try OriginSample(InsomniaImporter.self, export.text)
    #expect(sample.requests.map(\.referenceName) == ["Log_in", nil])
    #expect(sample.requests[1].references == ["Log_in"])
    #expect(sample.requests[1].url.text == "http://a/{{Log_in.response.body.$.a}}")
  }

  @Test func `what has no equivalent is a variable to be defined and a comment`() throws {
    let (request, notes) = try request([
      JSONMember("url", "http://x/{% hash 'md5', 'hex', 'secret-text' %}")
    ])
    #expect(request.url.text == "http://x/{{insomnia_hash}}")
    #expect(request.comments == ["insomnia_hash: {% hash 'md5', 'hex', 'secret-text' %}"])
    #expect(notes.map(\.code) == [.templateUnsupported])
    #expect(!notes.contains { $0.message.contains("secret-text") })
  }

  @Test func `the name of a header may be a template`() throws {
    let (request, notes) = try request([
      JSONMember("headers", [["name": "{{ _.n }}", "value": "v"]])
    ])
    #expect(request.headers.map(\.line) == ["{{n}}=v"])
    #expect(notes.isEmpty)
  }

  @Test func `a body whose templates are off is text`() throws {
    let (request, _) = try request([
      JSONMember("settingDisableRenderRequestBody", true),
      JSONMember("body", ["mimeType": "text/plain", "text": "{{ _.x }}"]),
    ])
    #expect(request.body == .text(OriginText(literal: "{{ _.x }}")))
  }

  @Test func `bodies keep their kinds`() throws {
    func body(_ value: JSONValue) throws -> OriginBody {
      try request([JSONMember("body", value)]).0.body
    }
    let form: JSONValue = [
      "mimeType": "application/x-www-form-urlencoded",
      "params": [
        ["name": "a", "value": "{{ _.b }}"], ["name": "c", "value": 1, "disabled": true],
      ],
    ]
    guard case .form(let pairs) = try body(form) else { return #expect(Bool(false)) }
    #expect(pairs.map(\.line) == ["a={{b}}", "#c=1"])
    #expect(
      try body(["mimeType": "application/octet-stream", "fileName": "/a.bin"]) == .file("/a.bin"))
    #expect(try body(["mimeType": "application/octet-stream", "fileName": ""]) == .file(nil))
    #expect(try body(["mimeType": "application/json", "text": ""]) == .none)
    #expect(try body("plain") == .text("plain"))
    let graph = #"{"query":"query A { a }","variables":{"x":"{{ _.x }}"},"operationName":"A"}"#
    #expect(
      try body(["mimeType": "application/graphql", "text": .string(graph)])
        == .graphQL(query: "query A { a }", variables: #"{"x":"{{x}}"}"#, operationName: "A"))
    #expect(
      try body(["mimeType": "application/graphql", "text": "{ a {{ _.x }}"])
        == .text("{ a {{x}}"))
  }

  @Test func `auth keeps its kinds`() throws {
    func auth(_ value: JSONValue) throws -> OriginAuth {
      try request([JSONMember("authentication", value)]).0.auth
    }
    #expect(try auth([:]) == .inherited)
    #expect(try auth(nil) == .inherited)
    // The folder above decides (IO-18).
    #expect(try auth(["type": "none"]) == .inherited)
    #expect(try auth(["type": "digest", "disabled": true, "username": "a"]) == .none)
    #expect(
      try auth(["type": "basic", "username": "a", "password": "{{ _.p }}"])
        == .basic(user: "a", password: "{{p}}"))
    #expect(
      try auth(["type": "bearer", "token": "t", "prefix": "NO_PREFIX"])
        == .bearer(token: "t", prefix: ""))
    #expect(
      try auth(["type": "apikey", "key": "k", "value": "v", "addTo": "queryParams"])
        == .apiKey(name: "k", value: "v", location: .query))
    #expect(
      try auth(["type": "apikey", "key": "k", "value": "v", "addTo": "cookie"])
        == .apiKey(name: "k", value: "v", location: .cookie))
    #expect(
      try auth(["type": "iam", "accessKeyId": "a", "secretAccessKey": "s", "region": "r"])
        == .aws(OriginAWS(accessKey: "a", secretKey: "s", region: "r")))
    guard case .other("hawk", let fields) = try auth(["type": "hawk", "id": "i", "key": "k"]) else {
      return #expect(Bool(false))
    }
    #expect(fields.map(\.name) == ["id", "key"] && fields.map(\.isSecret) == [false, true])
    let (_, notes) = try request([
      JSONMember("authentication", ["type": "basic", "useISO88591": true, "username": "a"])
    ])
    #expect(notes.map(\.code) == [.authPartial])
  }

  @Test func `OAuth 2 becomes a client`() throws {
    let (request, notes) = try request([
      JSONMember(
        "authentication",
        [
          "type": "oauth2", "grantType": "authorization_code", "authorizationUrl": "http://a",
          "accessTokenUrl": "http://t", "redirectUrl": "http://r", "clientId": "c",
          "clientSecret": "{{ _.s }}", "credentialsInBody": "true", "usePkce": true,
          "pkceMethod": "plain", "scope": "a b", "state": "", "audience": "x",
          "accessToken": "stored", "tokenPrefix": "",
        ])
    ])
    guard case .oauth2(let client) = request.auth else { return #expect(Bool(false)) }
    #expect(
      client.fields.map { "\($0.name)=\($0.value?.text ?? "")" } == [
        "Type=OAuth2", "Grant Type=Authorization Code", "Auth URL=http://a", "Token URL=http://t",
        "Redirect URL=http://r", "Client ID=c", "Client Secret={{s}}", "Client Credentials=in body",
        #"PKCE={"Code Challenge Method":"Plain"}"#, "Scope=a b",
        #"Custom Request Parameters={"audience":"x"}"#,
      ])
    #expect(client.prefix == "Bearer" && notes.isEmpty)
    let (other, _) = try self.request([
      JSONMember(
        "authentication", ["type": "oauth2", "grantType": "refresh_token", "clientId": "c"])
    ])
    guard case .other("oauth2", _) = other.auth else { return #expect(Bool(false)) }
  }

  @Test func `a text full of openings is read once`() throws {
    let size = 20_000
    for part in ["{{", "{%", "{{ ' ", "{% \" ", "{"] {
      let text = String(repeating: part, count: size)
      #expect(try self.text(text).utf8.count >= size)
    }
  }
}
