// Bodies and auth of Bruno's requests.

import Testing

@testable import PostKitTransfer

@Suite struct BrunoBodyTests {
  private func contentTypes(_ request: OriginRequest) -> [String] {
    request.headers.filter { $0.name.text.lowercased() == "content-type" }
      .compactMap(\.value?.text)
  }

  @Test(arguments: [
    ("json", "json", "application/json"), ("text", "text", "text/plain"),
    ("xml", "xml", "application/xml"), ("sparql", "sparql", "application/sparql-query"),
  ])
  func `texts have their type`(_ mode: String, _ block: String, _ type: String) throws {
    let read = try BruSample.read(
      "http://a.test/", "  body: \(mode)", "body:\(block) {\n  {{x}}\n    two\n}\n")
    let request = try read.request
    #expect(request.body == .text("{{x}}\n  two"))
    #expect(contentTypes(request) == [type])
    #expect(read.notes.isEmpty)
  }

  @Test func `a header of the request or of a folder says another type`() throws {
    let own = try BruSample.read(
      "http://a.test/", "  body: json",
      "headers {\n  content-type: a/b\n}\nbody:json {\n  {}\n}\n")
    #expect(try contentTypes(own.request) == ["a/b"])
    let above = try BrunoImporter.read(folder: [
      "bruno.json": BruSample.config, "collection.bru": "headers {\n  Content-Type: a/b\n}\n",
      "One.bru": BruSample.get("http://a.test/", "  body: json", "body:json {\n  {}\n}\n"),
    ])
    #expect(try contentTypes(above.request("One")) == [])
    // One that is switched off says nothing.
    let off = try BruSample.read(
      "http://a.test/", "  body: text", "headers {\n  ~Content-Type: a/b\n}\nbody:text {\n  a\n}\n")
    #expect(try contentTypes(off.request) == ["a/b", "text/plain"])
  }

  @Test func `a body that is not sent is told`() throws {
    let read = try BruSample.read(
      "http://a.test/", "  body: none", "body:json {\n  {}\n}\nbody:text {\n  a\n}\n")
    #expect(try read.request.body == .none)
    #expect(read.codes == ["disabled-item", "disabled-item"])
    #expect(read.notes[0].place == "One.bru:12")
  }

  @Test func `comments in JSON are not sent`() throws {
    let read = try BruSample.read(
      "http://a.test/", "  body: json",
      """
      body:json {
        {
          // the id
          "id": 1, // one
          /* two
             lines */
          "url": "http://b.test/*" /* x */
        }
      }
      """)
    #expect(
      try read.request.body
        == .text("{\n  \"id\": 1, \n  \"url\": \"http://b.test/*\" \n}"))
    #expect(read.codes == ["disabled-item"])
  }

  @Test func `forms and parts keep order, types and what is switched off`() throws {
    let form = try BruSample.read(
      "http://a.test/", "  body: formUrlEncoded",
      "body:form-urlencoded {\n  \"a:b\": +49\n  ~off: 1\n  a: {{x}}\n}\n")
    guard case .form(let pairs) = try form.request.body else {
      Issue.record("no form")
      return
    }
    #expect(pairs.map(\.row) == ["a:b=+49", "~off=1", "a={{x}}"])
    #expect(try contentTypes(form.request) == ["application/x-www-form-urlencoded"])
    let parts = try BruSample.read(
      "http://a.test/", "  body: multipartForm",
      """
      body:multipart-form {
        note: hello @contentType(text/markdown)
        files: @file(a.png|b.png) @contentType(image/png)
        ~off: @file()
        json: '''
          {"a": 1}
        ''' @contentType(application/json)
      }
      """)
    guard case .multipart(let found) = try parts.request.body else {
      Issue.record("no parts")
      return
    }
    #expect(found.map(\.name.text) == ["note", "files", "files", "off", "json"])
    #expect(
      found.map(\.content) == [
        .text("hello"), .file("a.png"), .file("b.png"), .file(nil), .text(#"{"a": 1}"#),
      ])
    #expect(
      found.map(\.contentType)
        == ["text/markdown", "image/png", "image/png", nil, "application/json"])
    #expect(found.map(\.isOn) == [true, true, true, false, true])
  }

  @Test func `of several files the one without a tilde is sent`() throws {
    let read = try BruSample.read(
      "http://a.test/", "  body: file",
      """
      body:file {
        ~file: @file(a.json) @contentType(application/json)
        file: @file(b.xml) @contentType(application/xml)
      }
      """)
    #expect(try read.request.body == .file("b.xml"))
    #expect(try contentTypes(read.request) == ["application/xml"])
    #expect(read.codes == ["disabled-item"])
  }

  @Test func `GraphQL has its variables`() throws {
    let read = try BruSample.read(
      "http://a.test/", "  body: graphql",
      "body:graphql {\n  { a }\n}\nbody:graphql:vars {\n  {\"x\": 1}\n}\n")
    #expect(
      try read.request.body
        == .graphQL(query: "{ a }", variables: #"{"x": 1}"#, operationName: nil))
    #expect(read.notes.isEmpty)
  }

  // MARK: Auth

  private func auth(_ kind: String, _ fields: String) throws -> (auth: OriginAuth, ReadOrigin) {
    let read = try BruSample.read(
      "http://a.test/", "  auth: \(kind)", "auth:\(kind) {\n\(fields)\n}\n")
    return (try read.request.auth, read)
  }

  @Test func `each kind of auth is read`() throws {
    #expect(
      try auth("basic", "  username: a\n  password: {{p}}").auth
        == .basic(user: "a", password: "{{p}}"))
    #expect(try auth("bearer", "  token: t").auth == .bearer(token: "t", prefix: "Bearer"))
    #expect(
      try auth("digest", "  username: a\n  password: b").auth
        == .digest(user: "a", password: "b"))
    #expect(
      try auth("ntlm", "  username: a\n  password: b\n  domain: d").auth
        == .ntlm(user: "a", password: "b", domain: "d"))
    #expect(
      try auth("apikey", "  key: X-Key\n  value: v\n  placement: header").auth
        == .apiKey(name: "X-Key", value: "v", location: .header))
    #expect(
      try auth("apikey", "  key: k\n  value: v\n  placement: queryparams").auth
        == .apiKey(name: "k", value: "v", location: .query))
    let (aws, read) = try auth(
      "awsv4",
      "  accessKeyId: a\n  secretAccessKey: s\n  sessionToken: t\n  service: x\n  region: r\n"
        + "  profileName: p")
    #expect(
      aws == .aws(OriginAWS(accessKey: "a", secretKey: "s", token: "t", region: "r", service: "x")))
    #expect(read.codes == ["auth-partial"])
    let other = try auth("wsse", "  username: a\n  password: b").auth
    guard case .other("wsse", let fields) = other else {
      Issue.record("no other auth")
      return
    }
    #expect(fields.map(\.row) == ["username=a", "password=b"])
    #expect(try BruSample.read().request.auth == .none)
  }

  @Test func `credentials of a mode that is not chosen are told`() throws {
    let read = try BruSample.read(
      "http://a.test/", "  auth: inherit", "auth:basic {\n  username: a\n  password: b\n}\n")
    #expect(try read.request.auth == .inherited)
    #expect(read.codes == ["disabled-item"])
  }

  @Test func `OAuth 2 becomes a client`() throws {
    let (auth, read) = try auth(
      "oauth2",
      """
        grant_type: authorization_code
        callback_url: http://localhost/cb
        authorization_url: http://a.test/auth
        access_token_url: http://a.test/token
        refresh_token_url: http://a.test/refresh
        client_id: id
        client_secret: {{secret}}
        scope: read write
        state: s
        pkce: true
        credentials_placement: basic_auth_header
        credentials_id: shop
        token_placement: header
        token_header_prefix: Token
        auto_fetch_token: true
        auto_refresh_token: true
        token_source: id_token
      }

      auth:oauth2:additional_params:access_token_req:body {
        audience: api
      }

      auth:oauth2:additional_params:auth_req:headers {
        X-A: 1
      """)
    guard case .oauth2(let client) = auth else {
      Issue.record("no client")
      return
    }
    #expect(client.name == "shop")
    #expect(client.prefix == "Token")
    #expect(client.location == .header)
    #expect(
      client.fields.map(\.row) == [
        "Grant Type=Authorization Code", "Auth URL=http://a.test/auth",
        "Token URL=http://a.test/token", "Redirect URL=http://localhost/cb", "Client ID=id",
        "Client Secret={{secret}}", "Client Credentials=basic", "Scope=read write", "State=s",
        "PKCE=true", "Use ID Token=true",
        #"Custom Request Parameters={"audience":{"Value":"api","Use":"In Token Request"}}"#,
      ])
    #expect(read.codes == ["auth-partial", "auth-partial"])
  }

  @Test func `OAuth 2 in its other forms`() throws {
    guard
      case .oauth2(let password) = try auth(
        "oauth2",
        """
          grant_type: password
          access_token_url: http://a.test/token
          username: u
          password: p
          scope:
          token_placement: url
          token_query_key: access_token
        """
      ).auth
    else {
      Issue.record("no client")
      return
    }
    #expect(
      password.fields.map(\.row) == [
        "Grant Type=Password", "Token URL=http://a.test/token", "Client Credentials=in body",
        "Username=u", "Password=p",
      ])
    #expect(password.location == .query)
    #expect(password.prefix == "Bearer")
    let (_, unknown) = try auth("oauth2", "  grant_type: magic\n  pkce: false")
    #expect(unknown.codes == ["auth-partial"])
  }
}
