// What ends a sign-in at the port that a browser comes back to, and what does not (AU-32).

import PostKitAuth
import PostKitHTTP
import PostKitLoopback
import PostKitSupport
import Testing

@testable import PostKitRunner

private func visit(
  _ redirectURI: String = "http://127.0.0.1:4711/callback", readsFragment: Bool = false
) -> BrowserVisit {
  BrowserVisit(
    url: "https://id.example/auth", redirectURI: redirectURI, state: "right", isListened: true,
    takesBareCode: true, readsFragment: readsFragment)
}

private func request(
  _ target: String, _ method: String = "GET", host: String = "127.0.0.1:4711", type: String? = nil,
  body: String = ""
) -> LoopbackRequest {
  let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
  var headers: HeaderFields = ["Host": host]
  if let type { headers.append("Content-Type", type) }
  return LoopbackRequest(
    method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil, headers: headers,
    body: Array(body.utf8))
}

@Suite struct RedirectRulesTests {
  private func text(_ response: LoopbackResponse) -> String {
    if case .bytes(let bytes) = response.body { String(decoding: bytes, as: UTF8.self) } else { "" }
  }

  @Test func `A redirect with the state ends the sign-in with its decoded fields`() {
    let (response, fields) = RedirectRules(visit()).answer(
      to: request("/callback?code=a%2Bb+c&state=right&iss=https%3A%2F%2Fid.example"))
    #expect(response.status == 200)
    #expect(
      fields == [
        AuthField("code", "a+b c"), AuthField("state", "right"),
        AuthField("iss", "https://id.example"),
      ])
    #expect(text(response).contains("You can close this page."))
    #expect(!text(response).contains("<script"))
    #expect(response.headers.first("Referrer-Policy") == "no-referrer")
    #expect(response.headers.first("Cache-Control") == "no-store")
    #expect(response.endsConnection)
  }

  @Test func `A form that is posted ends it, too`() {
    let rules = RedirectRules(visit())
    let form = "application/x-www-form-urlencoded; charset=utf-8"
    let (response, fields) = rules.answer(
      to: request("/callback", "POST", type: form, body: "state=right&code=x"))
    #expect(response.status == 200)
    #expect(fields == [AuthField("state", "right"), AuthField("code", "x")])
    let other = rules.answer(
      to: request("/callback", "POST", type: "application/json", body: "state=right"))
    #expect(other.response.status == 415 && other.fields == nil)
  }

  @Test(arguments: [
    ("/callback?code=x&state=wrong", 400), ("/callback?code=x", 400), ("/callback", 400),
    ("/callback?code=x&state=", 400), ("/callback?code=x&state=righ", 400),
    ("/callback?state=right&state=wrong&code=x", 400), ("/callback?error=a&state=wrong", 400),
    ("/favicon.ico", 404), ("/", 404), ("/callback/?state=right", 404), ("/shutdown", 404),
  ])
  func `Another request ends nothing`(target: String, status: Int) {
    let (response, fields) = RedirectRules(visit()).answer(to: request(target))
    #expect(response.status == status && fields == nil)
    #expect(response.headers.first("Cache-Control") == "no-store")
  }

  @Test(arguments: ["HEAD", "PUT", "DELETE", "OPTIONS", "get"])
  func `Other methods end nothing`(method: String) {
    let (response, fields) = RedirectRules(visit()).answer(
      to: request("/callback?state=right&code=x", method))
    #expect(response.status == 405 && fields == nil)
    #expect(response.headers.first("Allow") == "GET, POST")
  }

  @Test func `A refusal without a state is the one of the sign-in that waits`() {
    let (response, fields) = RedirectRules(visit()).answer(
      to: request("/callback?error=access_denied"))
    #expect(response.status == 200)
    #expect(fields == [AuthField("error", "access_denied")])
    #expect(text(response).contains("did not succeed"))
  }

  @Test(arguments: [
    ("http://127.0.0.1:4711/callback", "127.0.0.1:4711", true),
    ("http://127.0.0.1:4711/callback", "localhost:4711", false),
    ("http://127.0.0.1:4711/callback", "evil.example:4711", false),
    ("http://127.0.0.1:4711/callback", "127.0.0.1", false),
    ("http://127.0.0.1:4711/callback", "", false),
    ("http://localhost:3000/callback", "LocalHost:3000", true),
    ("http://[::1]:3000/callback", "[::1]:3000", true),
    ("http://localhost/callback", "localhost", true),
    ("http://localhost/callback", "localhost:80", true),
    ("http://localhost:80/callback", "localhost", true),
  ])
  func `The host has to be the redirect URI's`(uri: String, host: String, isRight: Bool) {
    let (response, fields) = RedirectRules(visit(uri)).answer(
      to: request("/callback?state=right&code=x", host: host))
    #expect((fields != nil) == isRight)
    #expect(response.status == (isRight ? 200 : 421))
  }

  @Test func `A redirect URI without a path is the root`() {
    let rules = RedirectRules(visit("http://localhost:7777"))
    let found = rules.answer(to: request("/?state=right&code=x", host: "localhost:7777"))
    #expect(found.fields?.count == 2)
  }

  @Test func `A fragment comes back by a page whose script alone may run`() throws {
    let rules = RedirectRules(visit(readsFragment: true))
    let (response, fields) = rules.answer(to: request("/callback"))
    #expect(response.status == 200 && fields == nil)
    let page = text(response)
    let start = try #require(page.firstRange(of: "<script>")).upperBound
    let end = try #require(page.firstRange(of: "</script>")).lowerBound
    let digest = Base64.encode(SHA256.digest(Array(page[start..<end].utf8)))
    let policy = try #require(response.headers.first("Content-Security-Policy"))
    #expect(policy.contains("default-src 'none'; script-src 'sha256-\(digest)'"))
    #expect(policy.contains("connect-src 'self'"))
    let form = "application/x-www-form-urlencoded"
    let posted = rules.answer(
      to: request("/callback", "POST", type: form, body: "access_token=t&state=right"))
    #expect(posted.fields == [AuthField("access_token", "t"), AuthField("state", "right")])
    let stolen = rules.answer(
      to: request("/callback", "POST", type: form, body: "access_token=t&state=x"))
    #expect(stolen.response.status == 400 && stolen.fields == nil)
  }

  @Test func `No page repeats what a request says`() {
    for target in ["/callback?code=%3Cb%3Emark&state=right", "/callback?error=mark&state=x"] {
      #expect(!text(RedirectRules(visit()).answer(to: request(target)).response).contains("mark"))
    }
  }
}
