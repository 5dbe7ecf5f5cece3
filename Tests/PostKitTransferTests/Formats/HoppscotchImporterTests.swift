// What Hoppscotch's collections and environments become.

import PostKitJSON
import Testing

@testable import PostKitTransfer

@Suite struct HoppscotchImporterTests {
  private func read(_ text: String) throws -> OriginSample {
    try OriginSample(HoppscotchImporter.self, text)
  }

  /// A collection of one request with these members.
  private func request(_ members: String) -> String {
    #"""
    {"v": 5, "name": "Shop", "folders": [], "auth": {"authType": "none", "authActive": true},
     "headers": [], "requests": [{"v": "9", "name": "A", "method": "POST",
     "endpoint": "https://x/a", \#(members)}]}
    """#
  }

  private func one(_ members: String) throws -> OriginRequest {
    try #require(try read(request(members)).requests.first)
  }

  static let complete = #"""
    {
      "v": 11, "id": "c", "_ref_id": "coll_1", "name": "Shop", "description": "All",
      "auth": {"authType": "bearer", "authActive": true, "token": "<<token>>"},
      "headers": [{"key": "X-All", "value": "<<v>>", "active": true, "description": "H"}],
      "variables": [{"key": "base", "initialValue": "http://i", "currentValue": "",
                     "secret": false},
                    {"key": "word", "initialValue": "", "currentValue": "", "secret": true}],
      "preRequestScript": "console.log('x')", "testScript": "",
      "folders": [
        {"v": 11, "_ref_id": "coll_2", "name": "Users", "folders": [], "headers": [],
         "variables": [],
         "auth": {"authType": "inherit", "authActive": true}, "requests": [
          {"v": "15", "_ref_id": "req_1", "name": "Get user", "method": "GET", "description": "One",
           "endpoint": "<<base>>/users?x=1",
           "params": [{"key": "a", "value": "<<$guid>>", "active": true, "description": "P"},
                      {"key": "off", "value": "1", "active": false}, {"key": "", "value": ""}],
           "headers": [{"key": "X-A", "value": "1", "active": true}],
           "auth": {"authType": "basic", "authActive": true, "username": "u", "password": "<<p>>"},
           "body": {"contentType": null, "body": null},
           "preRequestScript": "", "testScript": "pw.test('n', () => {})",
           "requestVariables": [{"key": "q", "value": "1", "active": true},
             {"key": "q", "value": "2", "active": true}, {"key": "e", "value": "", "active": true}],
           "responses": {"Good": {"name": "Good", "code": 201, "status": "Created", "body": "{}",
             "headers": [{"key": "A", "value": "1"}, {"key": "Content-Length", "value": "2"}],
             "originalRequest": {"v": "15"}}}}
        ]}
      ],
      "requests": []
    }
    """#

  @Test func `a collection becomes folders, requests and variables`() throws {
    let sample = try read(Self.complete)
    let root = sample.collection.root
    #expect(sample.collection.version == "11" && root.name == "Shop" && root.description == "All")
    #expect(root.auth == .bearer(token: "{{token}}", prefix: "Bearer"))
    #expect(root.headers.map(\.line) == ["X-All={{v}}"] && root.variables == [])
    #expect(sample.collection.shared.map(\.name) == ["base", "word"])
    #expect(sample.collection.shared.map(\.value) == [.text("http://i"), nil])
    #expect(sample.collection.shared.map(\.isSecret) == [false, true])
    #expect(root.scripts.map(\.translation) == [[.dropped("console.log('x')")]])
    #expect(root.folders.map(\.name) == ["Users"] && root.folders[0].auth == .inherited)
    let request = root.folders[0].requests[0]
    #expect(request.id == "req_1" && request.url.text == "{{base}}/users")
    #expect(request.query.map(\.line) == ["x=1", "a={{$guid}}", "#off=1"])
    #expect(request.auth == .basic(user: "u", password: "{{p}}"))
    #expect(request.variables.map { $0.value?.text } == ["1"])
    #expect(request.examples.map(\.status) == [201])
    #expect(request.examples[0].headers.map(\.line) == ["A=1"])
    #expect(request.scripts.map(\.translation) == [nil])
    #expect(sample.told == ["script-unknown-api /folders/0/requests/0/testScript"])
  }

  @Test func `every member is known, and only those`() throws {
    let whole = try JSONTree(parsing: Array(Self.complete.utf8)).root.value
    for place in whole.objects {
      let changed = whole.changing(place) { value in
        guard case .object(let members) = value else { return value }
        return .object(members + [JSONMember("zzz", .string("?"))])
      }
      if place.contains("originalRequest") { continue }
      // A kind that says nothing has no fields that count.
      if place == ["folders", "0", "auth"] { continue }
      let pointer = "/" + (place + ["zzz"]).joined(separator: "/")
      #expect(try read(changed.text).notes.contains { $0.place == pointer }, "\(pointer)")
    }
  }

  @Test func `whatever stands in the place of a value, what is lost is told`() throws {
    let others: [JSONValue] = [
      .string("<<"), .object([JSONMember("key", .object([JSONMember("a", .number("1"))]))]),
    ]
    try OriginSample.expectLossesToBeTold(
      of: HoppscotchImporter.self, Self.complete, others: others, requests: 1)
  }

  @Test func `bodies are read by their type`() throws {
    func body(_ type: String, _ body: String) throws -> OriginRequest {
      try one(#""body": {"contentType": "\#(type)", "body": \#(body)}"#)
    }
    let json = try body("application/json", #""{\"a\": <<b>>}""#)
    #expect(json.body == .text(#"{"a": {{b}}}"#))
    #expect(json.headers.map(\.line) == ["Content-Type=application/json"])
    let literal = try body("text/plain", #""{{x}}""#)
    #expect(literal.body == .text(OriginText(literal: "{{x}}")))
    let form = try body("application/x-www-form-urlencoded", #""a: b c\n# off: 1\nd""#)
    guard case .form(let pairs) = form.body else {
      Issue.record("no form")
      return
    }
    #expect(pairs.map(\.line) == ["a=b c", "#off=1", "d="])
    let file = try body("application/octet-stream", "null")
    #expect(file.body == .file(nil) && file.headers.count == 1)
    let parts = try body(
      "multipart/form-data",
      """
      [{"key": "t", "value": "x", "active": true, "isFile": false, "contentType": "a/b"},
       {"key": "f", "value": [{}, {}], "active": true, "isFile": true}]
      """)
    guard case .multipart(let found) = parts.body else {
      Issue.record("no parts")
      return
    }
    #expect(found.map(\.content) == [.text("x"), .file(nil), .file(nil)])
    #expect(found.map(\.contentType) == ["a/b", nil, nil])
    #expect(try body("application/json", "\"\"").body == OriginBody.none)
  }

  @Test func `each kind of auth is read`() throws {
    func auth(_ members: String) throws -> OriginAuth {
      try one(#""auth": {"authActive": true, \#(members)}"#).auth
    }
    #expect(try auth(#""authType": "inherit""#) == .inherited)
    #expect(try auth(#""authType": "none""#) == .none)
    #expect(
      try auth(#""authType": "api-key", "key": "k", "value": "v", "addTo": "QUERY_PARAMS""#)
        == .apiKey(name: "k", value: "v", location: .query))
    #expect(
      try auth(#""authType": "digest", "username": "u", "password": "p", "realm": """#)
        == .digest(user: "u", password: "p"))
    #expect(
      try auth(#""authType": "aws-signature", "accessKey": "a", "secretKey": "s", "region": "r""#)
        == .aws(OriginAWS(accessKey: "a", secretKey: "s", region: "r")))
    guard
      case .oauth2(let client) = try auth(
        """
        "authType": "oauth-2", "addTo": "HEADERS", "grantTypeInfo": {
          "grantType": "CLIENT_CREDENTIALS", "authEndpoint": "", "tokenEndpoint": "http://t",
          "clientID": "c", "clientSecret": "<<s>>", "scopes": "x", "isPKCE": false,
          "clientAuthentication": "IN_BODY", "token": ""}
        """)
    else {
      Issue.record("no OAuth 2")
      return
    }
    #expect(
      client.fields.map { $0.value?.text } == [
        "OAuth2", "Client Credentials", "http://t", "c", "{{s}}", "in body", "x",
      ])
    guard case .other("hawk", let fields) = try auth(#""authType": "hawk", "authKey": "k""#) else {
      Issue.record("no other kind")
      return
    }
    #expect(fields.map(\.name) == ["authKey"] && fields[0].isSecret)
    let off = try one(#""auth": {"authType": "basic", "authActive": false, "username": "u"}"#)
    #expect(off.auth == .none)
  }

  @Test func `several collections and environments are one import`() throws {
    let sample = try OriginSample(
      HoppscotchImporter.self,
      [
        ("c.json", "[\(request(#""params": []"#)), \(request(#""params": []"#)), 5]"),
        ("e.json", #"[{"v": 2, "name": "dev", "variables": [{"key": "a", "value": "1"}]}]"#),
        ("g.json", #"{"v": 2, "name": "Globals", "variables": [{"key": "b", "value": "2"}]}"#),
      ])
    #expect(sample.collection.root.folders.map(\.name) == ["Shop", "Shop"])
    #expect(sample.requests.map(\.id) == ["A", "A 2"])
    #expect(sample.collection.environments.map(\.name) == ["dev"])
    #expect(sample.collection.shared.map(\.name) == ["b"])
    #expect(sample.told == ["item-malformed c.json#/2"])
    #expect(throws: OriginFailure.self) { try read("[]") }
  }

  @Test func `a request of GraphQL is one`() throws {
    let sample = try read(
      """
      {"v": 2, "name": "G", "folders": [], "requests": [{"v": 4, "name": "Q", "url": "http://x",
       "query": "{ a }", "variables": "{}", "headers": [], "auth": {"authType": "none"}}]}
      """)
    #expect(sample.requests.map(\.method) == ["POST"])
    #expect(
      sample.requests.map(\.body)
        == [.graphQL(query: "{ a }", variables: "{}", operationName: nil)])
  }

  @Test(arguments: [
    #"{"name": "x", "order": [], "folders": [], "requests": []}"#,
    #"{"client": "Thunder Client", "name": "x", "folders": [], "requests": []}"#,
    #"{"name": "x", "folders": [], "requests": []}"#, "[]", "", #"{"name": "x", "variables": {}}"#,
  ])
  func `other files are not taken for it`(text: String) {
    #expect(
      !HoppscotchImporter.recognises(OriginSource(name: "x.json", bytes: Array(text.utf8))))
  }
}
