// What the history may know of secrets (contracts.md, section 5).

import PostKitHTTP
import Testing

@testable import PostKitRunner

@Suite struct ExchangeMaskTests {
  private func exchange(_ template: String, body: String = "{}") -> Exchange {
    var exchange = Exchange(
      id: "1", startedAt: 0, file: "a.http", line: 1, template: template,
      request: SentRequest(
        method: "GET", url: "http://t.test/?k=hush-hush",
        headers: ["Authorization": "Bearer x", "X-Key": "hush-hush"]), state: .done)
    exchange.response = Response(
      httpVersion: "HTTP/1.1", status: 200, reason: "OK",
      headers: ["Set-Cookie": "sid=1", "Content-Type": "application/json"],
      body: .bytes(Array(body.utf8)), wireSize: 0, decodedSize: 0)
    return exchange
  }

  private func masked(_ exchange: Exchange, _ secrets: [String] = ["hush-hush"]) -> Exchange {
    ExchangeMask(mask: SecretMask(secrets: secrets)).masked(exchange)
  }

  @Test(
    "the template keeps references and loses literal credentials",
    arguments: [
      ("GET /\nAuthorization: Bearer {{token}}", "GET /\nAuthorization: Bearer {{token}}"),
      ("GET /\nAuthorization: Bearer abc", "GET /\nAuthorization: Bearer ••••••"),
      (
        "GET /\r\nauthorization: Basic ann pw\r\nX: 1",
        "GET /\r\nauthorization: Basic •••••• ••••••\r\nX: 1"
      ),
      ("GET /\nCookie: a=1", "GET /\nCookie: ••••••"),
      ("GET /\nX-Key: hush-hush", "GET /\nX-Key: ••••••"),
      ("GET /\nAccept: a", "GET /\nAccept: a"),
    ])
  func template(_ written: String, _ kept: String) {
    #expect(masked(exchange(written)).template == kept)
  }

  @Test func `secrets are masked by value everywhere`() throws {
    let result = masked(exchange("GET /", body: "{\"t\":\"hush-hush\"}"))
    #expect(result.request.url == "http://t.test/?k=\(SecretMask.text)")
    #expect(result.request.headers.first("Authorization") == SecretMask.text)
    #expect(result.request.headers.first("X-Key") == SecretMask.text)
    let response = try #require(result.response)
    #expect(response.headers.first("Set-Cookie") == SecretMask.text)
    #expect(response.body == .bytes(Array("{\"t\":\"\(SecretMask.text)\"}".utf8)))
    #expect(result.isRedacted)
  }

  @Test func `a response without secrets is kept as received`() {
    let result = masked(exchange("GET /", body: "{\"t\" : 1.50}"))
    #expect(result.response?.body == .bytes(Array("{\"t\" : 1.50}".utf8)))
    #expect(!result.isRedacted)
  }
}
