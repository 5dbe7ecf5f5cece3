// Collections in the form of OpenCollection.

import Testing

@testable import PostKitTransfer

@Suite struct OpenCollectionTests {
  private static let root = "opencollection: \"1.0.0\"\ninfo:\n  name: Shop\n"

  private func read(_ request: String) throws -> ReadOrigin {
    try OpenCollectionImporter.read(folder: [
      "opencollection.yml": Self.root, "one.yml": request,
    ])
  }

  private static let folder = [
    "opencollection.yml": """
      opencollection: "1.0.0"
      info: {name: Shop, summary: All of it, version: "2"}
      extensions: {bruno: {ignore: [old], presets: {}}}
      docs: {content: Hello, type: text/markdown}
      request:
        headers:
          - {name: X-All, value: 1, enabled: true}
          - {name: X-Off, value: a, disabled: true}
        auth: {type: bearer, token: "{{ t }}"}
        variables:
          - {name: base, value: "http://a.test"}
        settings: {http: {timeout: 1000, followRedirects: false}}
      """,
    "old/x.yml": "never: [read",
    "users/folder.yml": """
      info: {name: Users, type: folder, seq: 1}
      request:
        variables:
          - {name: page, value: {type: number, data: "7"}}
        scripts:
          - {type: before-request, code: "bru.sleep(1);"}
      """,
    "users/b.yml": """
      info: {name: B, type: http, seq: 2}
      http: {method: get, url: '{{base}}/b', auth: inherit}
      """,
    "users/a.yml": """
      info: {name: A, type: http, seq: 1}
      http: {url: '{{base}}/a'}
      settings: {followRedirects: true, timeout: inherit}
      """,
    "environments/dev.yml": """
      name: Development
      color: red
      variables:
        - {name: host, value: "http://a.test"}
        - {name: count, value: {type: number, data: "3"}}
        - {name: text, value: {type: number, data: many}}
        - {name: plain, value: 5}
        - {name: chosen, value: [{title: a, value: x}, {title: b, selected: true, value: y}]}
        - {name: key, secret: true}
        - {name: off, value: x, disabled: true}
      """,
  ]

  @Test func `a folder has its files, and each folder what it gives`() throws {
    let read = try OpenCollectionImporter.read(folder: Self.folder)
    let root = read.collection.root
    #expect(root.name == "Shop")
    #expect(root.description == "All of it\nVersion 2\n\nHello")
    #expect(root.headers.map(\.row) == ["X-All=1", "~X-Off=a"])
    #expect(root.auth == .bearer(token: "{{t}}", prefix: "Bearer"))
    #expect(read.collection.version == "1.0.0")
    #expect(read.collection.shared.map(\.row) == ["base=http://a.test"])
    let users = try #require(root.folders.first)
    #expect(users.name == "Users")
    #expect(users.variables.map(\.value) == [.json(OriginJSON(text: "7"))])
    #expect(users.scripts.map(\.text) == ["bru.sleep(1);"])
    #expect(users.requests.map(\.name) == ["A", "B"])
    #expect(users.requests.map(\.id) == ["users/a.yml", "users/b.yml"])
    #expect(users.requests.map(\.method) == ["GET", "get"])
    #expect(users.requests.map(\.auth) == [.none, .inherited])
    #expect(users.requests[0].metadata == ["timeout 1 s"])
    #expect(users.requests[1].metadata == ["no-redirect", "timeout 1 s"])
    let environment = try #require(read.collection.environments.first)
    #expect(environment.name == "Development")
    #expect(
      environment.variables.map(\.row) == [
        "host=http://a.test", "count=3", "text=many", "plain=5", "chosen=y", "!key", "~off=x",
      ])
    #expect(read.codes == ["disabled-item"])
  }

  @Test func `one file may have all`() throws {
    let read = try OpenCollectionImporter.read(
      file: """
        opencollection: 1.0.0
        info: {name: All}
        bundled: true
        config:
          environments:
            - name: base
              variables: [{name: a, value: "1"}, {name: b, value: "2"}]
            - name: dev
              extends: base
              variables: [{name: b, value: "3"}]
              externalSecrets:
                type: aws-secrets-manager
                variables: [{name: key, secretName: shop}]
            - {name: lost, extends: nobody, dotEnvFilePath: ./x.env}
          proxy: {inherit: false, config: {protocol: http, hostname: p.test, port: 1}}
          clientCertificates:
            - {domain: a.test, type: pem, certificateFilePath: c, privateKeyFilePath: k}
        items:
          - info: {name: Users, type: folder}
            items:
              - {info: {name: Same, type: http}, http: {url: "http://a.test/1"}}
              - {info: {name: Same, type: http}, http: {url: "http://a.test/2"}}
          - {info: {name: Ping, type: http}, http: {method: GET, url: "http://a.test/"}}
          - {type: script, script: "let a"}
          - 7
        """, named: "all.yml")
    #expect(read.collection.root.requests.map(\.id) == ["Ping"])
    #expect(
      read.collection.root.folders.first?.requests.map(\.id) == ["Users/Same", "Users/Same 2"])
    #expect(
      read.collection.environments.map { $0.variables.map(\.row) }
        == [["a=1", "b=2"], ["b=3", "!key", "a=1"], []])
    #expect(
      Set(read.codes) == [
        "template-unsupported", "setting-unsupported", "ref-missing", "script-unknown-api",
        "item-malformed",
      ])
    #expect(read.notes.contains { $0.place == "/items/3" })
  }

  @Test func `bodies are read in both forms`() throws {
    let new = try read(
      """
      info: {name: One}
      http:
        method: POST
        url: http://a.test/
        body:
          type: json
          data: |-
            {
              "a": {{x}}
            }
      """)
    #expect(try new.request.body == .text("{\n  \"a\": {{x}}\n}"))
    #expect(try new.request.headers.map(\.row) == ["Content-Type=application/json"])
    let old = try read(
      """
      info: {name: One}
      http: {method: POST, url: 'http://a.test/', body: {mode: xml, xml: <a/>, json: '{}'}}
      """)
    #expect(try old.request.body == .text("<a/>"))
    #expect(old.codes == ["disabled-item"])
    let form = try read(
      """
      http:
        url: http://a.test/
        body:
          type: form-urlencoded
          data: [{name: a, value: 1}, {name: b, value: x, disabled: true}]
      """)
    guard case .form(let pairs) = try form.request.body else {
      Issue.record("no form")
      return
    }
    #expect(pairs.map(\.row) == ["a=1", "~b=x"])
    let parts = try read(
      """
      http:
        url: http://a.test/
        body:
          type: multipart-form
          data:
            - {name: a, type: text, value: x, contentType: text/plain}
            - {name: f, type: file, value: [one.png, two.png]}
            - {name: g, type: file, value: []}
      """)
    guard case .multipart(let found) = try parts.request.body else {
      Issue.record("no parts")
      return
    }
    #expect(
      found.map(\.content) == [.text("x"), .file("one.png"), .file("two.png"), .file(nil)])
  }

  @Test func `bodies are files, or one of several`() throws {
    let file = try read(
      """
      http:
        url: http://a.test/
        body:
          type: file
          data:
            - {filePath: a.bin, contentType: a/a, selected: false}
            - {filePath: b.bin, contentType: b/b, selected: true}
      """)
    #expect(try file.request.body == .file("b.bin"))
    #expect(try file.request.headers.map(\.row) == ["Content-Type=b/b"])
    let chosen = try read(
      """
      http:
        url: http://a.test/
        body:
          - {title: a, body: {type: text, data: one}}
          - {title: b, selected: true, body: {type: text, data: two}}
      """)
    #expect(try chosen.request.body == .text("two"))
    #expect(chosen.codes == ["disabled-item"])
  }

  @Test func `other protocols are read`() throws {
    let graphQL = try read(
      "graphql: {url: 'http://a.test/', body: {query: '{ a }', variables: '{\"x\": 1}'}}")
    #expect(
      try graphQL.request.body
        == .graphQL(query: "{ a }", variables: #"{"x": 1}"#, operationName: nil))
    #expect(try graphQL.request.method == "POST")
    let socket = try read(
      "websocket: {url: 'ws://a.test', message: {type: json, data: '{}'}}")
    #expect(try socket.request.kind == .webSocket)
    #expect(try socket.request.body == .messages(["{}"]))
    let call = try read(
      """
      grpc:
        {url: a.test, method: s.S/M, methodType: unary, metadata: [{name: a, value: b}],
         message: '{}'}
      """)
    #expect(try call.request.kind == .grpc)
    #expect(try call.request.url.text == "a.test/s.S/M")
    #expect(try call.request.body == .messages(["{}"]))
  }

  private static let surrounded = """
    info: {name: One, tags: [x, y]}
    http:
      url: http://a.test/:id?a=1
      params:
        - {name: id, value: "7", type: path}
        - {name: a, value: "1", type: query}
        - name: b
          value: "2"
          type: query
          disabled: true
          description: {content: more, type: text}
    runtime:
      variables: [{name: v, value: "1"}]
      scripts:
        - {type: before-request, code: "let a = 1;"}
        - {type: tests, code: "let b = 1;"}
        - {type: hooks, code: "let c = 1;"}
      assertions:
        - {expression: res.status, operator: eq, value: 200}
        - {expression: res.status, operator: magic}
      actions:
        - type: set-variable
          selector: {expression: res.body.id, method: jsonq}
          variable: {name: id, scope: runtime}
        - type: set-variable
          phase: before-request
          selector: {expression: "1", method: jsonq}
          variable: {name: x, scope: runtime}
    docs: Text
    examples:
      - name: Found
        request: {url: http://a.test/, method: GET}
        response:
          status: 201
          statusText: Created
          headers: [{name: A, value: b}]
          body: {type: json, data: "{}"}
    app: {enabled: true, code: <p>}
    """

  @Test func `what runs around a request is read`() throws {
    let read = try read(Self.surrounded)
    let request = try read.request
    #expect(request.tags == ["x", "y"])
    #expect(request.description == "Text")
    #expect(request.url.text == "http://a.test/{{id}}")
    #expect(request.query.map(\.row) == ["a=1", "~b=2"])
    #expect(request.query[1].description == "more")
    #expect(request.variables.map(\.row) == ["v=1"])
    #expect(
      request.scripts.map(\.text)
        == ["let a = 1;", #"bru.setVar("id", res.body.id);"#, "let b = 1;"])
    #expect(request.checks.map(\.line) == ["status == 200"])
    #expect(request.comments == ["assert res.status: magic"])
    #expect(request.examples.map(\.status) == [201])
    #expect(
      read.codes == [
        "script-unknown-api", "script-unknown-api", "test-unsupported", "member-unknown",
      ])
  }

  @Test func `OAuth 2 becomes a client`() throws {
    let read = try read(
      """
      http:
        url: http://a.test/
        auth:
          type: oauth2
          flow: authorization_code
          authorizationUrl: http://a.test/auth
          accessTokenUrl: http://a.test/token
          callbackUrl: http://a.test/cb
          credentials: {clientId: id, clientSecret: "{{s}}", placement: basic_auth_header}
          scope: read
          pkce: {method: S256}
          tokenConfig: {id: shop, placement: {query: access_token}}
          settings: {autoFetchToken: false, autoRefreshToken: true}
          additionalParameters:
            authorizationRequest: [{name: prompt, value: login, placement: query}]
      """)
    guard case .oauth2(let client) = try read.request.auth else {
      Issue.record("no client")
      return
    }
    #expect(client.name == "shop")
    #expect(client.location == .query)
    #expect(
      client.fields.map(\.row).sorted() == [
        "Acquire Automatically=false", "Auth URL=http://a.test/auth", "Client Credentials=basic",
        "Client ID=id", "Client Secret={{s}}",
        #"Custom Request Parameters={"prompt":{"Value":"login","Use":"In Auth Request"}}"#,
        "Grant Type=Authorization Code", "PKCE=true", "Redirect URL=http://a.test/cb",
        "Scope=read", "Token URL=http://a.test/token",
      ])
    #expect(read.notes.isEmpty)
  }

  @Test func `what is no YAML fails with its line`() throws {
    let message = try OpenCollectionImporter.failure(folder: [
      "opencollection.yml": Self.root, "one.yml": "info:\n  name: [\n",
    ])
    #expect(message.hasPrefix("one.yml:"))
    let list = try OpenCollectionImporter.failure(folder: [
      "opencollection.yml": Self.root, "one.yml": "- a\n",
    ])
    #expect(list.hasPrefix("one.yml:1: "))
  }

  @Test func `values of any kind stand anywhere without harm`() throws {
    let kinds = ["null", "7", "true", "text", "[]", "[1]", "{}", "{a: 1}"]
    let members = [
      "info", "http", "graphql", "grpc", "websocket", "runtime", "settings", "examples", "docs",
    ]
    for member in members {
      for kind in kinds {
        let base = member == "http" ? "" : "http: {url: 'http://a.test/'}\n"
        _ = try read(base + "\(member): \(kind)\n")
      }
    }
    for member in ["method", "url", "headers", "params", "body", "auth"] {
      for kind in kinds { _ = try read("http: {\(member): \(kind)}\n") }
    }
    for member in ["variables", "scripts", "assertions", "actions"] {
      for kind in kinds + ["[{}]", "[[]]"] {
        _ = try read("http: {url: x}\nruntime: {\(member): \(kind)}\n")
      }
    }
  }
}
