// Collections of Bruno: folders, requests, bodies, environments.

import Testing

@testable import PostKitTransfer

@Suite struct BrunoImporterTests {
  // MARK: Folders

  @Test func `folders and requests are in the order of their numbers, then their names`() throws {
    func request(_ name: String, _ seq: String) -> String {
      "meta {\n  name: \(name)\n\(seq)}\nget {\n  url: http://a.test/\n}\n"
    }
    let read = try BrunoImporter.read(folder: [
      "bruno.json": BruSample.config,
      "b.bru": request("Second", "  seq: 2\n"), "a.bru": request("First", "  seq: 1\n"),
      "z/folder.bru": "meta {\n  name: Zed\n  seq: 1\n}\n", "z/x.bru": request("X", ""),
      "y/deep/x.bru": request("Deep", ""), "node_modules/x.bru": "never read",
      "assets/readme.txt": "nothing",
    ])
    #expect(read.collection.root.name == "Shop")
    #expect(read.collection.root.requests.map(\.name) == ["First", "Second"])
    #expect(read.collection.root.requests.map(\.id) == ["a.bru", "b.bru"])
    #expect(read.collection.root.folders.map(\.name) == ["Zed", "y"])
    #expect(read.collection.root.folders[1].folders.map(\.name) == ["deep"])
    #expect(read.notes.isEmpty)
  }

  private static let giving = [
    "bruno.json": BruSample.config,
    "collection.bru": """
      headers {
        X-All: 1
        ~X-Off: 2
      }
      auth {
        mode: bearer
      }
      auth:bearer {
        token: {{ token }}
      }
      vars:pre-request {
        base: http://a.test
      }
      docs {
        # Shop
      }
      """,
    "users/folder.bru": """
      meta {
        name: Users
      }
      vars:pre-request {
        @number
        page: 7
        ~gone: x
      }
      script:pre-request {
        bru.sleep(1);
      }
      vars:post-response {
        last: res.body.id
      }
      tests {
        test("ok", () => {});
      }
      """,
    "users/one.bru": BruSample.get("{{base}}/users", "  auth: inherit"),
  ]

  @Test func `a folder gives headers, auth, variables and scripts`() throws {
    let read = try BrunoImporter.read(folder: BrunoImporterTests.giving)
    let root = read.collection.root
    #expect(root.headers.map(\.row) == ["X-All=1", "~X-Off=2"])
    #expect(root.auth == .bearer(token: "{{token}}", prefix: "Bearer"))
    #expect(root.description == "# Shop")
    // What the collection defines lies below every environment.
    #expect(root.variables.isEmpty)
    #expect(read.collection.shared.map(\.row) == ["base=http://a.test"])
    let users = try #require(root.folders.first)
    #expect(users.auth == .inherited)
    #expect(users.variables.map(\.row) == ["page=7", "~gone=x"])
    #expect(users.variables[0].value == .json(OriginJSON(text: "7")))
    #expect(
      users.scripts.map(\.text)
        == ["bru.sleep(1);", #"bru.setVar("last", res.body.id);"#, #"test("ok", () => {});"#])
    #expect(users.scripts.map(\.phase) == [.beforeRequest, .afterResponse, .afterResponse])
    #expect(
      users.scripts[1].translation
        == [.handler(#"client.global.set("last", response.body.id);"#)])
    #expect(users.requests.first?.auth == .inherited)
  }

  @Test func `a file that is none fails with its line`() throws {
    let message = try BrunoImporter.failure(folder: [
      "bruno.json": BruSample.config, "users/one.bru": "get {\n  url http\n}\n",
    ])
    #expect(message.hasPrefix("users/one.bru:2: There is no `:`"))
    let json = try BrunoImporter.failure(folder: ["bruno.json": "{\n  \"name\": x\n}"])
    #expect(json.hasPrefix("bruno.json:2: "))
  }

  @Test func `a file without a request is told`() throws {
    let read = try BrunoImporter.read(folder: [
      "bruno.json": BruSample.config, "note.bru": "docs {\n  hello\n}\n",
    ])
    #expect(read.codes == ["item-malformed"])
    #expect(read.notes[0].place == "note.bru:1")
  }

  // MARK: Targets

  @Test func `the URL says what is sent, the list what is switched off`() throws {
    let read = try BruSample.read(
      "{{host}}/q/:id/:other?a b=1&c={{x}}&d", "",
      """
      params:query {
        "a b": 1
        ~off: 2
        c: {{x}}
        d:
      }
      params:path {
        id: {{user}}
      }
      """)
    let request = try read.request
    #expect(request.url.text == "{{host}}/q/{{id}}/:other")
    #expect(request.query.map(\.row) == ["a b=1", "~off=2", "c={{x}}", "d"])
    #expect(request.pathVariables.map(\.row) == ["id={{user}}"])
    #expect(read.notes.isEmpty)
  }

  @Test func `where list and URL differ the URL wins, and it is told`() throws {
    let read = try BruSample.read(
      "http://a.test/?a=1#top", "", "query {\n  a: 2\n  b: 3\n}\n")
    #expect(try read.request.query.map(\.row) == ["a=1", "~b=3"])
    #expect(read.codes == ["url-differs-from-raw", "url-differs-from-raw"])
  }

  @Test func `templates become ours`() throws {
    let read = try BruSample.read(
      "{{ host }}/{{process.env.API}}", "",
      "headers {\n  X-Id: {{$guid}} {{$randomInt}} {{$nothing}}\n  X-Ask: {{?Your name}}\n}\n")
    let request = try read.request
    #expect(request.url.text == "{{host}}/{{$processEnv API}}")
    #expect(
      request.headers.map(\.row)
        == ["X-Id={{$guid}} {{$randomInt 0 1001}} {{$nothing}}", "X-Ask={{$input Your name}}"])
    #expect(read.codes == ["template-unsupported"])
  }

  @Test func `a query that is encoded once more keeps its signs`() throws {
    let read = try BruSample.read(
      "http://a.test/?a=1%20+{{x}}", "", "settings {\n  encodeUrl: true\n}\n")
    #expect(try read.request.query.map(\.row) == ["a=1%2520%2B{{x}}"])
  }

  @Test func `settings are tags`() throws {
    let read = try BruSample.read(
      "http://a.test/", "",
      """
      settings {
        encodeUrl: false
        timeout: 2500
        followRedirects: true
        maxRedirects: 3
      }
      """)
    #expect(
      try read.request.metadata == ["curl-max-redirs 3", "no-auto-encoding", "timeout 2500 ms"])
    let other = try BruSample.read(
      "http://a.test/", "", "settings {\n  timeout: 0\n  followRedirects: false\n}\n")
    #expect(try other.request.metadata == ["no-redirect"])
    let wrong = try BruSample.read("http://a.test/", "", "settings {\n  timeout: soon\n}\n")
    #expect(wrong.codes == ["member-unknown"])
  }

  @Test func `a method of any name is sent as it is written`() throws {
    let read = try BrunoImporter.read(
      file: "http {\n  method: PURGE\n  url: http://a.test/\n}\n", named: "/tmp/purge.bru")
    #expect(try read.request.method == "PURGE")
    #expect(try read.request.name == "purge")
    // The path by which the file was called may be another the next time.
    #expect(try read.request.id == "purge.bru")
  }

  @Test func `other protocols keep their messages`() throws {
    let socket = try BrunoImporter.read(
      file: """
        ws {
          url: ws://a.test
        }
        body:ws {
          name: hello
          type: json
          content: '''
            {"a": 1}
          '''
        }
        """, named: "socket.bru")
    #expect(try socket.request.kind == .webSocket)
    #expect(try socket.request.body == .messages([#"{"a": 1}"#]))
    let call = try BrunoImporter.read(
      file: """
        grpc {
          url: a.test:443
          method: shop.Orders/Get
          body: grpc
          methodType: unary
          protoPath: shop.proto
        }
        metadata {
          x-id: 1
        }
        body:grpc {
          name: one
          content: '''
            {}
          '''
        }
        """, named: "call.bru")
    #expect(try call.request.kind == .grpc)
    #expect(try call.request.url.text == "a.test:443/shop.Orders/Get")
    #expect(try call.request.headers.map(\.row) == ["x-id=1"])
    #expect(try call.request.body == .messages(["{}"]))
    #expect(call.codes == ["protocol-unsupported"])
  }

  // MARK: The rest

  @Test func `blocks that nobody knows become comments and are told`() throws {
    let read = try BruSample.read(
      "http://a.test/", "  extra: 1", "magic:wand {\n  wave: twice\n}\n")
    #expect(try read.request.comments == ["magic:wand:", "wave: twice"])
    #expect(read.codes == ["member-unknown", "member-unknown"])
  }

  @Test func `examples keep the response`() throws {
    let read = try BruSample.read(
      "http://a.test/", "",
      """
      example {
        name: Found
        description: One of many

        request: {
          url: http://a.test/
          method: get
        }

        response: {
          headers: {
            Content-Type: application/json
          }

          status: {
            code: 201
            text: Created
          }

          body: {
            type: json
            content: '''
              {
                "id": 1
              }
            '''
          }
        }
      }

      example {
        name: Plain
        response: {
          body: {
            just text
          }
        }
      }

      example {
        name: Nothing
      }
      """)
    let examples = try read.request.examples
    #expect(examples.map(\.name) == ["Found", "Plain"])
    #expect(examples.map(\.status) == [201, 200])
    #expect(examples[0].headers.map(\.row) == ["Content-Type=application/json"])
    #expect(
      examples.map { String(decoding: $0.body, as: UTF8.self) }
        == ["{\n  \"id\": 1\n}", "just text"])
    #expect(read.codes == ["item-malformed"])
    #expect(!read.notes[0].isWarning)
  }

  @Test func `environments have values, types and secrets`() throws {
    let read = try BrunoImporter.read(folder: [
      "bruno.json": BruSample.config,
      ".env": "API=http://a.test\n",
      "environments/Local.bru": """
        color: #ff0000
        vars {
          host: http://a.test
          api: {{process.env.API}}
          other: {{process.env.OTHER}}
          ~off: 1
          @boolean
          flag: true
          @object
          data: '''
            {"a": 1}
          '''
          @number
          none: many
        }
        vars:secret [
          key,
          ~gone
        ]
        """,
    ])
    let environment = try #require(read.collection.environments.first)
    #expect(environment.name == "Local")
    #expect(
      environment.variables.map(\.row) == [
        "host=http://a.test", "api={{$processEnv API}}", "other={{$processEnv OTHER}}", "~off=1",
        "flag=true", #"data={"a":1}"#, "none=many", "!key", "~!gone",
      ])
    #expect(environment.variables[4].value == .json(OriginJSON(text: "true")))
    #expect(environment.variables[6].value == .text("many"))
    #expect(read.collection.attachments.map(\.path) == [".env"])
    #expect(read.codes == ["template-unsupported"])
    #expect(read.notes[0].message.contains("{{$dotenv API}}"))
  }

  @Test func `an environment may stand beside a collection`() throws {
    let source = OriginSource(name: "Local.bru", bytes: Array("vars {\n  a: 1\n}\n".utf8))
    #expect(BrunoImporter.accompanies(source))
    #expect(
      !BrunoImporter.accompanies(
        OriginSource(name: "One.bru", bytes: Array(BruSample.get().utf8))))
    let context = OriginContext(notes: ImportNotes(), file: { _ in .missing })
    let request = OriginSource(name: "One.bru", bytes: Array(BruSample.get().utf8))
    let collection = try BrunoImporter.read([request, source], context)
    #expect(collection.requestCount == 1)
    #expect(collection.environments.map(\.name) == ["Local"])
  }

  @Test func `what the configuration says of connections is told with the lines to write`() throws {
    let read = try BrunoImporter.read(folder: [
      "bruno.json": """
        {"name": "Shop", "version": "1", "ignore": ["old"], "magic": 1,
         "proxy": {"enabled": true, "protocol": "http", "hostname": "proxy.test", "port": 3128,
           "auth": {"enabled": true, "username": "me", "password": "hunter2"},
           "bypassProxy": "local.test"},
         "clientCertificates": {"enabled": true, "certs": [
           {"domain": "a.test", "type": "cert", "certFilePath": "c.pem", "keyFilePath": "k.pem",
            "passphrase": "hunter2"}]},
         "protobuf": {"protoFiles": [{"path": "shop.proto", "type": "file"}], "importPaths": []}}
        """,
      "old/broken.bru": "never read",
    ])
    #expect(
      read.codes == [
        "setting-unsupported", "setting-unsupported", "protocol-unsupported", "member-unknown",
      ])
    #expect(read.notes[0].message.contains("# @proxy http://USER:PASSWORD@proxy.test:3128"))
    #expect(read.notes[1].place == "bruno.json#/clientCertificates/certs/0")
    #expect(read.notes[1].message.contains(#""clientCertificate":"c.pem""#))
    #expect(read.notes.allSatisfy { !$0.message.contains("hunter2") })
  }

  @Test func `a proxy that is off or the system's is not told`() throws {
    for proxy in [
      #"{"enabled": false, "hostname": "p.test"}"#, #"{"enabled": "global", "hostname": "p.test"}"#,
      #"{"inherit": true, "config": {"hostname": "p.test", "port": ""}}"#,
      #"{"disabled": true, "inherit": false, "config": {"hostname": "p.test"}}"#,
    ] {
      let read = try BrunoImporter.read(folder: [
        "bruno.json": "{\"name\": \"a\", \"proxy\": \(proxy)}"
      ])
      #expect(read.notes.isEmpty, "\(proxy)")
    }
  }
}
