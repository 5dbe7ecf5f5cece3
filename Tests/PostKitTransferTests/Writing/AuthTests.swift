// Who sends a request, as plain lines of it.

import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct WrittenAuthTests {
  private typealias Sample = WrittenSample

  private func request(_ name: String, _ auth: OriginAuth) -> OriginRequest {
    Sample.request(name, "http://a.test/\(name)") { $0.auth = auth }
  }

  @Test func `each kind has its lines`() {
    let aws = OriginAWS(
      accessKey: "AK", secretKey: "SK", token: "{{t}}", region: "eu", service: "s3")
    let requests = [
      request("basic", .basic(user: "ann", password: "pass-1")),
      request("again", .basic(user: "ann", password: "pass-1")),
      request("other", .basic(user: "{{user}}", password: "pass-2")),
      request("bearer", .bearer(token: "tok-1", prefix: "Bearer")),
      request("known", .bearer(token: "{{t}}", prefix: "Token")),
      request("bare", .bearer(token: "{{t}}", prefix: "")),
      request("digest", .digest(user: "ann", password: "pass-1")),
      request("ntlm", .ntlm(user: "ann", password: "pass-1", domain: "DOM")),
      request("aws", .aws(aws)),
      request("cookie", .apiKey(name: "sid", value: "c-1", location: .cookie)),
      request("none", .none),
    ]
    let written = Written(Sample.collection(requests))
    let lines = written.folder.files[0].blocks.map(\.headers)
    #expect(
      lines == [
        "Authorization: Basic {{basicUser}} {{basicPassword}}",
        "Authorization: Basic {{basicUser}} {{basicPassword}}",
        "Authorization: Basic {{user}} {{basicPassword2}}",
        "Authorization: Bearer {{bearerToken}}", "Authorization: Token {{t}}",
        "Authorization: {{t}}", "Authorization: Digest {{digestUser}} {{digestPassword}}",
        "Authorization: NTLM {{ntlmUser}} {{ntlmPassword}}",
        "Authorization: AWS {{awsAccessKey}} {{awsSecretKey}} token:{{t}} region:eu service:s3",
        "Cookie: sid={{apiKey}}", "",
      ])
    let shared = written.folder.environments[0]
    #expect(shared.values.map(\.name) == ["basicUser", "digestUser", "ntlmUser"])
    #expect(shared.values.map(\.json).last == "\"DOM\\\\ann\"")
    #expect(
      shared.secrets.map(\.name) == [
        "basicPassword", "basicPassword2", "bearerToken", "digestPassword", "ntlmPassword",
        "awsAccessKey", "awsSecretKey", "apiKey",
      ])
    #expect(written.wires()[0].headers == ["Authorization: Basic YW5uOnBhc3MtMQ=="])
    #expect(!written.text().contains("pass-1") && !written.text().contains("tok-1"))
    #expect(Set(written.codes) == [.secretMoved])
  }

  @Test func `the nearest that says some counts`() {
    let basic = OriginAuth.basic(user: "root", password: "{{p}}")
    let collection = Sample.collection(
      [request("a", .inherited)],
      [
        Sample.folder("F", [request("b", .inherited), request("c", .none)]) {
          $0.auth = .bearer(token: "{{t}}", prefix: "Bearer")
        },
        Sample.folder("G", [], [Sample.folder("H", [request("d", .inherited)])]),
        Sample.folder("N", [request("e", .inherited)]) { $0.auth = .none },
      ]
    ) { $0.root.auth = basic }
    let written = Written(collection)
    #expect(
      written.folder.files.flatMap(\.blocks).map(\.headers) == [
        "Authorization: Basic {{basicUser}} {{p}}", "Authorization: Bearer {{t}}", "",
        "Authorization: Basic {{basicUser}} {{p}}", "",
      ])
  }

  @Test func `a key takes the place of what has its name`() {
    let header = Sample.request("h") {
      $0.headers = [
        Sample.pair("x-key", "old"), Sample.pair("X-B", "1"), Sample.pair("X-KEY", "older"),
      ]
      $0.auth = .apiKey(name: "X-Key", value: "{{k}}", location: .header)
    }
    let query = Sample.request("q") {
      $0.query = [Sample.pair("key", "old"), Sample.pair("a", "1")]
      $0.auth = .apiKey(name: "key", value: "k-literal", location: .query)
    }
    let blocks = Written(Sample.collection([header, query])).folder.files[0].blocks
    #expect(blocks[0].headers == "X-Key: {{k}}\nX-B: 1")
    #expect(blocks[1].line == "GET http://a.test/x?a=1&key={{apiKey}}")
  }

  @Test func `a header that was typed counts in Insomnia alone`() {
    for (format, expected) in [
      (OriginFormat.insomnia, "Authorization: mine"), (.postman, "Authorization: Bearer {{t}}"),
    ] {
      let request = Sample.request("r") {
        $0.headers = [Sample.pair("Authorization", "mine")]
        $0.auth = .bearer(token: "{{t}}", prefix: "Bearer")
      }
      let collection = Sample.collection([request]) { $0.format = format }
      #expect(Written(collection).folder.files[0].blocks[0].headers == expected)
    }
  }

  @Test func `clients of OAuth 2 are members of the environments`() {
    var client = OriginOAuth2(
      name: "my \"shop\"",
      fields: [
        Sample.variable("Grant Type", "Client Credentials"), Sample.variable("Client ID", "id"),
        Sample.variable("Client Secret", "cs-1"),
      ])
    let first = client
    client.location = .query
    client.fields[2].value = .text("{{cs}}")
    let written = Written(
      Sample.collection([
        request("a", .oauth2(first)), request("b", .oauth2(first)), request("c", .oauth2(client)),
      ]))
    let blocks = written.folder.files[0].blocks
    #expect(blocks[0].headers == "Authorization: Bearer {{$auth.token(\"my--shop\")}}")
    #expect(blocks[0].headers == blocks[1].headers)
    #expect(
      blocks[2].line == "GET http://a.test/c?access_token={{$auth.token(\"my--shop-2\")}}")
    let shared = written.folder.environments[0]
    #expect(
      shared.values.map(\.json) == [
        "{\"Auth\":{\"my--shop\":{\"Type\":\"OAuth2\",\"Grant Type\":\"Client Credentials\","
          + "\"Client ID\":\"id\"},\"my--shop-2\":{\"Type\":\"OAuth2\","
          + "\"Grant Type\":\"Client Credentials\",\"Client ID\":\"id\","
          + "\"Client Secret\":\"{{cs}}\"}}}"
      ])
    #expect(
      shared.secrets.map(\.json) == ["{\"Auth\":{\"my--shop\":{\"Client Secret\":\"cs-1\"}}}"])
  }

  @Test func `what can't be had is told in comments without its secrets`() {
    let written = Written(
      Sample.collection([
        request(
          "r",
          .other(
            name: "oauth1",
            fields: [
              Sample.variable("consumerKey", "{{k}}"), Sample.variable("consumerSecret", "cs-9"),
              Sample.variable("realm", "x\nGET http://evil.test"),
            ]))
      ]))
    expect(
      written.text(),
      is: """
        ### r
        # auth oauth1: consumerKey = {{k}}
        # auth oauth1: consumerSecret = {{oauth1ConsumerSecret}}
        # auth oauth1: realm = x GET http://evil.test
        GET http://a.test/r

        """)
    #expect(written.codes == [.authUnsupported, .secretMoved])
  }
}
