// What exports of Insomnia become.

import PostKitJSON
import Testing

@testable import PostKitTransfer

@Suite struct InsomniaImporterTests {
  private func read(_ text: String) throws -> OriginSample {
    try OriginSample(InsomniaImporter.self, text)
  }

  private func kind(_ text: String) -> InsomniaImporter.Kind? {
    InsomniaImporter.kind(of: OriginSource(name: "x.yaml", bytes: Array(text.utf8)))
  }

  @Test func `a first look tells what a file is`() {
    #expect(kind("_type: export\n__export_format: 4\nresources: []\n") == .list)
    #expect(kind("\u{FEFF}# x\n\"_type\": 'export'\r\n__export_format: 3\n") == .list)
    #expect(kind(#"{"_type": "export", "__export_format": 4, "resources": []}"#) == .list)
    #expect(kind("name: x\ntype: collection.insomnia.rest/5.0\n") == .collection)
    #expect(kind("type: spec.insomnia.rest/5.0") == .spec)
    #expect(kind("type: mock.insomnia.rest/5.1") == .mock)
    #expect(kind(#"{"type": "environment.insomnia.rest/5.0"}"#) == .environment)
    for text in [
      "", "{", "[]", "type: object", "_type: export", "a:\n  _type: export\n  __export_format: 4",
      "openapi: 3.0.0", "GET http://x", #"{"type": "collection"}"#,
      "type: collection.insomnia.rest/6",
    ] { #expect(kind(text) == nil, "\(text)") }
    let environment = OriginSource(
      name: "e", bytes: Array("type: environment.insomnia.rest/5.0".utf8))
    #expect(InsomniaImporter.accompanies(environment))
    #expect(InsomniaImporter.recognises(environment))
  }

  @Test func `a flat list becomes a tree in the order of its keys`() throws {
    let sample = try read(InsomniaSample.list)
    let root = sample.collection.root
    #expect(sample.collection.version == "4" && sample.collection.format == .insomnia)
    #expect(root.name == "Shop" && root.description == "All of it" && root.id == "wrk_1")
    #expect(root.folders.map(\.name) == ["Users", "Mock"])
    #expect(root.requests.map(\.name) == ["Call", "Socket"])
    let users = root.folders[0]
    #expect(users.requests.map(\.id) == ["req_1", "req_2"])
    #expect(users.auth == .bearer(token: "{{token}}", prefix: "Token"))
    #expect(users.headers.map(\.line) == ["X-Team={{team}}"])
    #expect(users.variables.map(\.name) == ["tier", "limits"])
    #expect(users.variables[1].value == .json(OriginJSON(text: #"{"day":5}"#)))
    #expect(users.scripts.map(\.phase) == [.beforeRequest])
  }

  @Test func `a request keeps what it sends`() throws {
    let sample = try read(InsomniaSample.list)
    let request = sample.collection.root.folders[0].requests[1]
    #expect(request.url.text == "{{base}}/users/{{id}}/:none")
    #expect(request.pathVariables.map(\.name) == ["id"])
    #expect(request.query.map(\.line) == ["x=1", "flag", "y=a {{b-c}}", "#z=2"])
    #expect(request.query[2].description == "Why")
    #expect(request.headers.map(\.line) == ["Accept=text/plain", "#X-Off=0"])
    #expect(request.metadata == ["no-redirect", "no-cookie-jar", "no-auto-encoding"])
    #expect(request.auth == .inherited && request.body == .none)
    let login = sample.collection.root.folders[0].requests[0]
    #expect(login.auth == .none && login.method == "POST")
    #expect(login.body == .text(#"{"a": "{{who.name}}"}"#))
    let call = sample.collection.root.requests[0]
    #expect(call.kind == .grpc && call.url.text == "x:9000/a.B/C" && call.body == .text("{}"))
    #expect(call.headers.map(\.line) == ["k=v"])
    let socket = sample.collection.root.requests[1]
    #expect(socket.kind == .webSocket && socket.body == .messages(["hi {{n}}"]))
    #expect(socket.auth == .inherited)
  }

  @Test func `environments inherit their base, member by member`() throws {
    let collection = try read(InsomniaSample.list).collection
    #expect(collection.shared.map(\.name) == ["base", "who", "n", "on", "list", "hidden"])
    #expect(collection.shared[2].value == .json(OriginJSON(text: "5")))
    #expect(collection.shared[5].isSecret && collection.shared[5].value == nil)
    #expect(collection.environments.map(\.name) == ["dev", "prod"])
    let (dev, prod) = (collection.environments[0], collection.environments[1])
    #expect(dev.variables.map(\.name) == ["key", "off"])
    #expect(dev.variables[0].isSecret && !dev.variables[1].isOn)
    #expect(prod.variables.map(\.isSecret) == [true, true])
    #expect(prod.variables[0].value == .text("http://b/v2"))
    #expect(prod.variables[1].value == .json(OriginJSON(text: #"{"name":"bob","id":1}"#)))
  }

  @Test func `what is no request lies beside or is told`() throws {
    let sample = try read(InsomniaSample.list)
    let files = sample.collection.attachments.map {
      "\($0.path): \(String(decoding: $0.bytes, as: UTF8.self))"
    }
    #expect(
      files == [
        "openapi.yaml: openapi: 3.0.0", "tests/Suite.js: // is fine\nexpect(1);\n",
        "protos/b.proto: syntax = 'proto3';",
      ])
    let ping = sample.collection.root.folders[1].requests[0]
    #expect(ping.url.text == "http://m/ping" && ping.method == "GET")
    #expect(ping.examples[0].status == 201 && ping.examples[0].body == Array("pong".utf8))
    #expect(ping.examples[0].headers.map(\.line) == ["X-A=1", "Content-Type=text/plain"])
    #expect(
      sample.told.sorted() == [
        "cookie-omitted /resources/11", "item-malformed /resources/2/pathParameters/1",
        "setting-unsupported /resources/6/reflectionApi", "test-unsupported /resources/13",
        "url-differs-from-raw /resources/2/url",
      ])
  }

  @Test func `version 5 is read as its tree`() throws {
    let sample = try read(InsomniaSample.file)
    let collection = sample.collection
    #expect(collection.version == "5.0" && collection.root.name == "Shop")
    #expect(collection.root.folders.map(\.name) == ["Empty", "Orders"])
    #expect(collection.root.requests.map(\.name) == ["Socket", "IO", "Call"])
    #expect(collection.root.requests.map(\.kind) == [.webSocket, .webSocket, .grpc])
    let orders = collection.root.folders[1]
    #expect(orders.auth == .apiKey(name: "X-Key", value: "{{key}}", location: .header))
    #expect(orders.variables.map(\.name) == ["page"] && orders.scripts.count == 1)
    let make = orders.requests[0]
    #expect(make.id == "req_1" && make.description == "Makes one" && make.metadata.isEmpty)
    #expect(
      make.body
        == .multipart([
          OriginPart(
            name: OriginText(literal: "form"), content: .text(OriginText(literal: "data"))),
          OriginPart(name: OriginText(literal: "up"), content: .file("./a.png")),
          OriginPart(name: OriginText(literal: "none"), content: .file(nil)),
          OriginPart(
            name: OriginText(literal: "off"), content: .text(OriginText(literal: "x")),
            isOn: false),
        ]))
    #expect(
      make.scripts[0].translation == [.check(OriginCheck(line: "status == 200", title: "ok"))])
    #expect(collection.environments.map(\.name) == ["one", "two"])
    #expect(collection.environments[0].variables[0].isSecret)
    #expect(collection.attachments.map(\.path) == ["openapi.yaml", "tests/Suite.js"])
    #expect(
      sample.told.sorted() == [
        "cookie-omitted /cookieJar", "file-missing /collection/4/protoFileId",
        "protocol-unsupported /collection/3", "setting-unsupported ",
        "setting-unsupported /collection/0/children/0",
        "setting-unsupported /collection/0/children/0", "test-unsupported /testSuites/0",
      ])
  }

  @Test func `several workspaces are a folder each`() throws {
    let sample = try read(
      """
      _type: export
      __export_format: 4
      resources:
        - {_id: w1, _type: workspace, name: A}
        - {_id: w2, _type: workspace, name: B}
        - {_id: w3, _type: workspace, name: Nothing}
        - {_id: r1, _type: request, parentId: w1, name: a, url: http://a}
        - {_id: r2, _type: request, parentId: w2, name: b, url: http://b}
        - {_id: r3, _type: request, parentId: gone, name: c, url: http://c}
        - {_id: f1, _type: request_group, parentId: f2, name: F1}
        - {_id: f2, _type: request_group, parentId: f1, name: F2}
        - {_id: e1, _type: environment, parentId: global, name: Base, data: {g: 1}}
        - {_id: x1, _type: new_thing}
        - {_id: c1, _type: client_certificate, parentId: w1}
        - 5
        - {_id: u1, _type: unit_test, parentId: gone, code: x}
        - {_id: e2, _type: environment, parentId: e1, name: one, data: {g: 2}}
        - {_id: e3, _type: environment, parentId: e2, name: two, data: {g: 3}}
      """)
    let root = sample.collection.root
    #expect(root.name == "shop" && root.folders.map(\.name) == ["A", "B", "F1"])
    #expect(root.folders[2].folders.map(\.name) == ["F2"])
    #expect(root.requests.map(\.id) == ["r3"])
    #expect(sample.collection.shared.map(\.name) == ["g"])
    #expect(sample.collection.environments.map(\.name) == ["one", "two"])
    #expect(
      sample.told.sorted() == [
        "item-malformed /resources/11", "item-malformed /resources/12",
        "item-malformed /resources/6",
        "member-unknown /resources/9", "setting-unsupported /resources/10",
      ])
  }

  @Test func `environments stand beside a collection`() throws {
    let global = """
      type: environment.insomnia.rest/5.0
      name: Global
      environments:
        {name: Base, data: {base: http://g, g: 1}, subEnvironments: [{name: sub, data: {s: 1}}]}
      """
    let sources = [("shop.yaml", InsomniaSample.file), ("global.yaml", global)]
    let sample = try OriginSample(InsomniaImporter.self, sources)
    #expect(sample.collection.shared.map(\.name) == ["base", "g", "base"])
    #expect(sample.collection.shared[0].place.description == "global.yaml#/environments/data/base")
    #expect(sample.collection.environments.map(\.name) == ["one", "two", "sub"])
    #expect(throws: OriginFailure.self) {
      try OriginSample(InsomniaImporter.self, [sources[0], ("two.yaml", InsomniaSample.list)])
    }
    #expect(try OriginSample(InsomniaImporter.self, [sources[1]]).collection.shared.count == 2)
  }

  @Test(arguments: [
    "_type: export\n__export_format: 3\nresources: []", "5", "[]", "a: b: c",
    "type: collection.insomnia.rest/5.0\nname: [",
  ])
  func `what can't be read fails with a sentence`(text: String) {
    #expect {
      try read(text)
    } throws: {
      ($0 as? OriginFailure)?.message.contains("shop") == true
    }
  }

  @Test func `mock servers are requests with examples`() throws {
    let sample = try read(
      """
      type: mock.insomnia.rest/5.0
      name: M
      server: {url: "", useInsomniaCloud: true}
      routes: [{name: ping, method: POST, statusCode: 404, body: x, meta: {id: r}}]
      """)
    #expect(sample.requests[0].url.text == "http://localhost/ping")
    #expect(sample.requests[0].examples[0].status == 404)
    #expect(sample.told == ["server-missing /server"])
  }

  /// IO-3: each member is used, known and without effect, or told.
  @Test(arguments: [InsomniaSample.list, InsomniaSample.file])
  func `no member is dropped in silence`(text: String) throws {
    let source = try OriginYAML.tree(Array(text.utf8), name: "x", ImportNotes()).root.value
    let before = Set(try read(text).told)
    for place in source.objects {
      let changed = source.changing(place) { value in
        guard case .object(let members) = value else { return value }
        return .object(members + [JSONMember("unheardOf", "x")])
      }
      let sample = try read(changed.text)
      // Data of environments is what people make of it, and a description is taken as it is.
      let isFree =
        place.contains {
          [
            "data", "environment", "contents", "authentication",
            "dataPropertyOrder", "cookies", "meta",
          ].contains($0)
        } || place.contains("eventListeners")
        || place.contains("certificates") || place.contains("kvPairData")
      let pointer = "/" + (place + ["unheardOf"]).joined(separator: "/")
      let isTold = sample.told.contains("member-unknown \(pointer)")
      #expect(isTold || isFree, "\(pointer)")
      #expect(before.isSubset(of: sample.told), "\(pointer)")
    }
  }

  @Test func `garbled exports are read or refused`() throws {
    let source = try OriginYAML.tree(
      Array(InsomniaSample.list.utf8), name: "x", ImportNotes()
    ).root.value
    for place in source.places {
      for value: JSONValue in [nil, 5, "x", true, [], [1, nil], [:], ["a": [:]]] {
        let changed = source.changing(place) { _ in value }
        _ = try? read(changed.text)
      }
    }
  }
}
