// Cookies from run to run: one jar for each workspace folder and environment (PK-83).

import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct CookieRunTests {
  /// `/set?a=1` sets the cookie that the query says.
  static func server() throws -> StubServer {
    try StubServer { request in
      let query = request.target.split(separator: "?").dropFirst().first.map(String.init)
      let pair = query?.replacing("%20", with: " ")
      return [.response(headers: pair.map { ["Set-Cookie: \($0)"] } ?? [])]
    }
  }

  static func cookie(_ name: String, _ value: String, domain: String = "127.0.0.1") -> Cookie {
    Cookie(key: Cookie.Key(domain: domain, path: "/", name: name), value: value)
  }

  @Test func `a run begins with the cookies that are kept, and tells what it changed`() async throws
  {
    let server = try Self.server()
    let track = try Track(
      """
      ### a
      GET \(server.url("/set"))?new=2

      ### b
      GET \(server.url("/set"))?gone=;%20Max-Age=0

      """, ["http-client.env.json": #"{"dev": {}}"#])
    let kept = [Self.cookie("gone", "1"), Self.cookie("left", "1")]
    let run = await track.run(environment: "dev", cookies: kept)
    let sent = server.requests[0].values("Cookie").flatMap { $0.split(separator: "; ") }
    #expect(sent.sorted() == ["gone=1", "left=1"])
    let change = try #require(run.cookies.first)
    #expect(change.jar == WorkspaceEnvironment(folder: track.directory.path, environment: "dev"))
    #expect(change.changes.stored == [Self.cookie("new", "2")])
    #expect(change.changes.removed == [kept[0].key])
    #expect(run.cookies.count == 1)
  }

  @Test func `what the jar has sent is a secret where a server repeats it`() async throws {
    let server = try StubServer { request in
      [.response(body: request.values("Cookie").joined() + " in dark")]
    }
    let track = try Track("GET \(server.url("/"))\n")
    let values = ["s3cr3t-of-the-jar", "longword-without-digits", "dark", "a1b2c3"]
    let kept = values.enumerated().map { Self.cookie("n\($0.offset)", $0.element) }
    let run = await track.run(cookies: kept)
    guard case .bytes(let bytes)? = run.recorded[0].response?.body else {
      Issue.record("no body")
      return
    }
    let body = String(decoding: bytes, as: UTF8.self)
    #expect(body.contains("n0=\(SecretMask.text)") && body.hasSuffix(" in dark"))
    for value in values where value != "dark" { #expect(!body.contains(value), "\(body)") }
    #expect(run.recorded[0].isRedacted)
    // In the session references read what was sent.
    #expect(server.requests[0].values("Cookie").joined().contains(values[0]))
  }

  @Test func `a run that changes nothing keeps nothing`() async throws {
    let server = try Self.server()
    let track = try Track("# @no-cookie-jar\nGET \(server.url("/set"))?a=1\n")
    let run = await track.run(cookies: [Self.cookie("b", "1")])
    #expect(server.requests[0].values("Cookie").isEmpty)
    #expect(run.cookies.isEmpty)
  }

  @Test func `the author's cookies are kept where the dialect says so`() async throws {
    let server = try Self.server()
    let track = try Track(
      """
      ### a
      GET \(server.url("/x/set"))?b=server
      Cookie: a=mine; b=mine

      ### b
      GET \(server.url("/x/y"))

      ### c
      GET \(server.url("/"))

      """)
    let run = await track.run { $0.dialect.cookieHeaderFeedsJar = true }
    let sent = server.requests.map { request in
      request.values("Cookie").flatMap { $0.split(separator: "; ") }.sorted()
    }
    #expect(sent == [["a=mine", "b=mine"], ["a=mine", "b=server"], []])
    #expect(run.cookies.first?.changes.stored.count == 2)
    let again = await track.run("b", cookies: run.cookies[0].changes.stored) {
      $0.dialect.usesCookieJar = false
    }
    #expect(server.requests[3].values("Cookie").isEmpty)
    #expect(again.cookies.isEmpty)
  }

  @Test func `the author's cookie wins by name and is not kept`() async throws {
    let server = try Self.server()
    let track = try Track("GET \(server.url("/"))\nCookie: b=mine; c=3\n")
    let run = await track.run(cookies: [Self.cookie("a", "1"), Self.cookie("b", "2")])
    #expect(server.requests[0].values("Cookie") == ["a=1; b=mine; c=3"])
    #expect(run.cookies.isEmpty)
  }

  @Test func `a secure cookie goes to loopback without TLS (PK-101)`() async throws {
    let server = try Self.server()
    let track = try Track(
      "GET \(server.url("/set"))?a=1;%20Secure\n\n###\nGET \(server.url("/"))\n")
    let run = await track.run()
    #expect(server.requests[1].values("Cookie") == ["a=1"])
    #expect(run.cookies.first?.changes.stored.first?.isSecure == true)
  }
}
