// What the history may know of secrets (CONTRACTS.md, section 5).

import PostKitHTTP
import PostKitSyntax
import PostKitTestSupport
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

  private func block(_ exchange: Exchange) -> ParsedBlock {
    ParsedDocument(bytes: Array(exchange.template.utf8)).blocks[0]
  }

  private func masked(_ exchange: Exchange, _ secrets: [String] = ["hush-hush"]) -> Exchange {
    ExchangeMask(mask: SecretMask(secrets: secrets)).masked(exchange, of: block(exchange))
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

  @Test func `of a body that is too large to be searched only the head is kept`() throws {
    let directory = try TemporaryDirectory()
    let size = 200_000
    let text = "hush-hush " + String(repeating: "x", count: size - 14) + "hush"
    try directory.write("body", text + "-hush and more")
    var large = exchange("GET /")
    large.response?.body = .file(path: directory.path("body"), size: text.utf8.count + 14)
    var mask = ExchangeMask(mask: SecretMask(secrets: ["hush-hush"]))
    mask.fileLimit = size
    let result = mask.masked(large, of: block(large))
    let response = try #require(result.response)
    guard case .bytes(let bytes) = response.body else { throw Unexpected() }
    let kept = String(decoding: bytes, as: UTF8.self)
    #expect(kept.hasPrefix("\(SecretMask.text) xxx") && !kept.contains("hush"))
    #expect(kept.utf8.count > size / 2)
    #expect(response.isTruncated && result.isRedacted)
    let whole = masked(large, []).response
    #expect(whole?.body == large.response?.body && whole?.isTruncated == false)
  }

  private struct Unexpected: Error {}

  @Test func `the method and the reason phrase are masked, too`() throws {
    var exchange = exchange("{{m}} http://t.test/")
    exchange.request.method = "HUSH-hush-hush"
    exchange.response?.reason = "no HUSH-hush-hush here"
    let result = masked(exchange, ["HUSH-hush-hush"])
    #expect(result.request.method == SecretMask.text)
    #expect(result.response?.reason == "no \(SecretMask.text) here")
    #expect(result.isRedacted)
  }

  @Test func `a response without secrets is kept as received`() {
    let result = masked(exchange("GET /", body: "{\"t\" : 1.50}"))
    #expect(result.response?.body == .bytes(Array("{\"t\" : 1.50}".utf8)))
    #expect(!result.isRedacted)
  }
}
