// Who sends Postman's requests, and its dynamic variables.

import PostKitEvaluate
import Testing

@testable import PostKitTransfer

@Suite struct PostmanAuthTests {
  private func read(_ auth: String) throws -> OriginSample {
    let request = #""method": "GET", "url": "http://x", "auth": \#(auth)"#
    return try OriginSample(
      PostmanImporter.self, PostmanSample.collection(PostmanSample.item(request)))
  }

  private func auth(_ auth: String) throws -> OriginAuth {
    try #require(try read(auth).requests.first).auth
  }

  /// The same fields in the forms of 2.1 and of 2.0.
  private func forms(_ kind: String, _ fields: KeyValuePairs<String, String>) -> [String] {
    let pairs = fields.map { #"{"key": "\#($0)", "value": \#($1), "type": "any"}"# }
    let members = fields.map { #""\#($0)": \#($1)"# }
    return [
      #"{"type": "\#(kind)", "\#(kind)": [\#(pairs.joined(separator: ", "))]}"#,
      #"{"type": "\#(kind)", "\#(kind)": {\#(members.joined(separator: ", "))}}"#,
    ]
  }

  @Test func `simple kinds are read in both forms`() throws {
    let basic = forms("basic", ["username": #""ann""#, "password": #""{{ p }}""#])
    for text in basic { #expect(try auth(text) == .basic(user: "ann", password: "{{p}}")) }
    for text in forms("bearer", ["token": #""t""#]) {
      #expect(try auth(text) == .bearer(token: "t", prefix: "Bearer"))
    }
    for text in forms("apikey", ["key": #""k""#, "value": "7"]) {
      #expect(try auth(text) == .apiKey(name: "k", value: "7", location: .header))
    }
    for text in forms("apikey", ["key": #""k""#, "value": #""v""#, "in": #""query""#]) {
      #expect(try auth(text) == .apiKey(name: "k", value: "v", location: .query))
    }
    let ntlm = forms("ntlm", ["username": #""u""#, "password": #""p""#, "domain": #""D""#])
    for text in ntlm { #expect(try auth(text) == .ntlm(user: "u", password: "p", domain: "D")) }
    let aws = OriginAWS(accessKey: "a", secretKey: "s", token: "t", region: "r", service: "v")
    let fields: KeyValuePairs = [
      "accessKey": #""a""#, "secretKey": #""s""#, "sessionToken": #""t""#, "region": #""r""#,
      "service": #""v""#,
    ]
    for text in forms("awsv4", fields) { #expect(try auth(text) == .aws(aws)) }
    for text in forms(
      "oauth1", ["consumerKey": #""k""#, "consumerSecret": #""s""#, "off": "false"])
    {
      guard case .other(let name, let fields) = try auth(text) else {
        Issue.record("\(text)")
        continue
      }
      #expect(name == "oauth1" && fields.map(\.name) == ["consumerKey", "consumerSecret"])
      #expect(fields.map(\.isSecret) == [false, true])
    }
  }

  @Test func `absent inherits, and noauth sends nothing`() throws {
    #expect(try auth("null") == .inherited)
    #expect(try auth("{}") == .inherited)
    #expect(try auth(#"{"type": "noauth", "basic": [{"key": "username", "value": "x"}]}"#) == .none)
    #expect(try auth("5") == .inherited)
    #expect(try read("5").told == ["item-malformed /item/0/request/auth"])
    #expect(try auth(#"{"type": "basic"}"#) == .basic(user: "", password: ""))
    #expect(try read(#"{"type": "basic", "basic": [5, {"value": "x"}]}"#).told.count == 2)
  }

  @Test func `fields without an equivalent are told where they have a value`() throws {
    let digest: KeyValuePairs = [
      "username": #""u""#, "password": #""p""#, "realm": #""r""#, "nonce": #""""#, "qop": "null",
      "disableRetryRequest": "true",
    ]
    for text in forms("digest", digest) {
      let sample = try read(text)
      #expect(sample.requests.first?.auth == .digest(user: "u", password: "p"))
      #expect(sample.notes.map(\.code) == [.authPartial])
      #expect(sample.notes.allSatisfy { $0.message.contains("`realm`") })
    }
    #expect(
      try read(#"{"type": "ntlm", "ntlm": {"workstation": "w"}}"#).notes.map(\.code)
        == [.authPartial])
  }

  private func oauth(_ fields: KeyValuePairs<String, String>) throws -> OriginOAuth2? {
    var results: [OriginOAuth2] = []
    for text in forms("oauth2", fields) {
      guard case .oauth2(let result) = try auth(text) else { return nil }
      results.append(result)
    }
    #expect(results[0].fields.map(\.value) == results[1].fields.map(\.value))
    return results[0]
  }

  @Test func `OAuth 2 becomes a client of ours`() throws {
    let client = try #require(
      try oauth([
        "grant_type": #""authorization_code_with_pkce""#, "authUrl": #""http://a""#,
        "accessTokenUrl": #""http://t""#, "redirect_uri": #""http://r""#, "clientId": #""c""#,
        "clientSecret": #""{{s}}""#, "client_authentication": #""body""#, "scope": #""x y""#,
        "state": #""st""#, "audience": #""aud""#, "addTokenTo": #""queryParams""#,
        "headerPrefix": #""Token ""#, "tokenName": #""shop""#, "useBrowser": "true",
        "refreshTokenUrl": #""http://t""#, "username": #""""#,
      ]))
    #expect(client.name == "shop" && client.location == .query && client.prefix == "Token")
    #expect(
      client.fields.map { "\($0.name): \($0.value?.text ?? "")" } == [
        "Type: OAuth2", "Grant Type: Authorization Code", "Auth URL: http://a",
        "Token URL: http://t", "Redirect URL: http://r", "Client ID: c", "Client Secret: {{s}}",
        "Client Credentials: in body", "PKCE: true", "Scope: x y", "State: st",
        #"Custom Request Parameters: {"audience":"aud"}"#,
      ])
  }

  @Test(arguments: [
    ("client_credentials", "Client Credentials", false), ("implicit", "Implicit", false),
    ("password_credentials", "Password", true), ("authorization_code", "Authorization Code", false),
  ])
  func `each grant has its name`(grant: String, name: String, hasUser: Bool) throws {
    let client = try #require(
      try oauth([
        "grant_type": "\"\(grant)\"", "accessTokenUrl": #""http://t""#, "username": #""u""#,
        "password": #""p""#,
      ]))
    let fields = client.fields.map(\.name)
    #expect(client.fields.contains { $0.name == "Grant Type" && $0.value == .text(name) })
    #expect(fields.contains("Password") == hasUser && fields.contains("Username") == hasUser)
    #expect(client.fields.contains { $0.value == .text("basic") })
    #expect(client.location == .header && client.prefix == "Bearer")
  }

  @Test func `further parameters say in which request they are sent`() throws {
    func list(_ name: String, _ value: String, _ more: String = "") -> String {
      #"[{"key": "\#(name)", "value": "\#(value)"\#(more)}, {"key": "off", "enabled": false}]"#
    }
    let client = try #require(
      try oauth([
        "accessTokenUrl": #""http://t""#, "authRequestParams": list("a", "1"),
        "tokenRequestParams": list("b", "2", #", "send_as": "request_header""#),
        "grant_type": #""authorization_code_with_pkce""#, "challengeAlgorithm": #""plain""#,
        "code_verifier": #""v""#,
      ]))
    #expect(
      client.fields.suffix(2).map { $0.value?.text } == [
        #"{"Code Challenge Method":"Plain","Code Verifier":"v"}"#,
        #"{"a":{"Value":"1","Use":"In Auth Request"},"b":{"Value":"2","Use":"In Token Request"}}"#,
      ])
    let both = try #require(
      try oauth([
        "accessTokenUrl": #""http://t""#, "authRequestParams": list("a", "1"),
        "tokenRequestParams": list("a", "1"),
      ]))
    #expect(both.fields.last?.value?.text == #"{"a":"1"}"#)
  }

  @Test func `a token without a client is sent as it is`() throws {
    for text in forms("oauth2", ["accessToken": #""t""#, "headerPrefix": #""""#]) {
      #expect(try auth(text) == .bearer(token: "t", prefix: ""))
    }
    for text in forms("oauth2", ["accessToken": #""t""#, "addTokenTo": #""queryParams""#]) {
      #expect(try auth(text) == .apiKey(name: "access_token", value: "t", location: .query))
    }
    let unknown = forms("oauth2", ["grant_type": #""magic""#, "authUrl": #""http://a""#])
    for text in unknown {
      guard case .other("oauth2", _) = try auth(text) else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  // MARK: Dynamic variables

  @Test func `dynamic variables become ours, and the vault a secret`() throws {
    let text = "{{$guid}} {{ $randomInt }} {{$isoTimestamp}} {{$randomBitcoin}} {{vault:k}} {{a}}"
    let sample = try OriginSample(
      PostmanImporter.self,
      PostmanSample.collection(
        PostmanSample.item(
          #""method": "POST", "url": "x", "body": {"mode": "raw", "raw": "\#(text)"}"#)))
    #expect(
      sample.requests.first?.body
        == .text(
          "{{$guid}} {{$randomInt 0 1001}} {{$datetime iso8601}} {{$randomBitcoin}} {{k}} {{a}}"))
    #expect(sample.told == ["template-unsupported /item/0/request/body/raw"])
    #expect(sample.collection.shared.map(\.name) == ["k"])
    #expect(sample.collection.shared.allSatisfy { $0.isSecret && $0.value == nil })
  }

  @Test func `what stands for a dynamic variable exists`() {
    for ours in PostmanDynamics.ours.values {
      let name = ours.dropFirst().prefix { $0 != " " && $0 != "(" }
      #expect(DynamicVariables.named(String(name)) != nil, "\(ours)")
    }
  }
}
