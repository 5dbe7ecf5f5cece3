// Cookies within a run, and those that the author wrote beside them (PK-83).

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitTransport

@Suite(.timeLimit(.minutes(10))) struct CookieTests {
  let harness: Harness
  let server: StubServer

  /// `/set?a=1` sets a cookie; any other target is only answered.
  init() throws {
    harness = try Harness()
    server = try StubServer { request in
      let query = request.target.split(separator: "?").dropFirst().first.map(String.init)
      return [.response(headers: query.map { ["Set-Cookie: \($0)"] } ?? [], body: "x")]
    }
  }

  func cookies(_ jar: CookieJar?, _ target: String = "/", written: String? = nil) async -> [String]
  {
    let headers = HeaderFields(written.map { [HeaderField("Cookie", $0)] } ?? [])
    let outcome = await harness.send(.make("GET", server.url(target), headers: headers), jar: jar)
    #expect(outcome.failure == nil)
    return server.requests.last?.values("Cookie") ?? []
  }

  @Test func `a cookie that was set is sent in the same run only`() async throws {
    let jar = harness.transport.makeCookieJar()
    let other = harness.transport.makeCookieJar()
    #expect(await cookies(jar, "/set?a=1").isEmpty)
    #expect(await cookies(jar) == ["a=1"])
    #expect(await cookies(other).isEmpty)
    #expect(await cookies(nil).isEmpty)
    #expect(await cookies(jar, "/set?a=;Max-Age=0") == ["a=1"])
    #expect(await cookies(jar).isEmpty)
  }

  @Test func `paths are respected`() async throws {
    let jar = harness.transport.makeCookieJar()
    _ = await cookies(jar, "/set?a=1;Path=/deep")
    #expect(await cookies(jar, "/").isEmpty)
    #expect(await cookies(jar, "/deep/er") == ["a=1"])
  }

  @Test func `a request may do without the jar`() async throws {
    let jar = harness.transport.makeCookieJar()
    _ = await cookies(jar, "/set?a=1")
    let spec = RequestSpec.make("GET", server.url("/set?b=2")) { $0.options.usesCookieJar = false }
    _ = await harness.send(spec, jar: jar)
    #expect(server.requests.last?.values("Cookie") == [])
    #expect(await cookies(jar) == ["a=1"])
  }

  @Test func `written cookies and those of the jar are one line`() async throws {
    let jar = harness.transport.makeCookieJar()
    _ = await cookies(jar, "/set?a=1;Path=/")
    #expect(await cookies(jar, written: "b=2; c=3") == ["a=1; b=2; c=3"])
  }

  @Test func `for each name the written one wins and the jar keeps its own`() async throws {
    let jar = harness.transport.makeCookieJar()
    _ = await cookies(jar, "/set?a=1;Path=/")
    _ = await cookies(jar, "/set?b=2;Path=/")
    #expect(await cookies(jar, written: "a=mine") == ["b=2; a=mine"])
    let after = await cookies(jar)
    #expect(after.count == 1 && Set(after[0].split(separator: "; ")) == ["a=1", "b=2"])
  }

  @Test func `what a server sets beside a written cookie is kept`() async throws {
    let jar = harness.transport.makeCookieJar()
    _ = await cookies(jar, "/set?a=1;Path=/")
    // The server replaces the cookie that the author stood in for.
    #expect(await cookies(jar, "/set?a=new;Path=/", written: "a=mine") == ["a=mine"])
    #expect(await cookies(jar) == ["a=new"])
    // It sets another one.
    _ = await cookies(jar, "/set?z=9;Path=/", written: "a=mine")
    #expect(Set(await cookies(jar)[0].split(separator: "; ")) == ["a=new", "z=9"])
    // It removes the one that was written.
    _ = await cookies(jar, "/set?a=x;Path=/;Max-Age=0", written: "a=mine")
    #expect(await cookies(jar) == ["z=9"])
    // It removes another one.
    _ = await cookies(jar, "/set?q=1;Path=/")
    _ = await cookies(jar, "/set?z=x;Path=/;Max-Age=0", written: "q=mine")
    #expect(await cookies(jar) == ["q=1"])
  }

  @Test func `a jar may outlive its transport`() async throws {
    let jar: CookieJar
    do {
      let harness = try Harness()
      jar = harness.transport.makeCookieJar()
      _ = await harness.send(.make("GET", server.url("/set?a=1")), jar: jar)
    }
    _ = jar
  }
}

@Suite struct CookieMergeTests {
  static func line(_ domain: String, _ path: String, _ name: String, _ value: String) -> CookieLine
  {
    CookieLine([domain, "FALSE", path, "FALSE", "0", name, value].joined(separator: "\t"))!
  }

  @Test func `without a common name the jar itself is used`() {
    let jar = [Self.line("a.test", "/", "x", "1")]
    #expect(CookieMerge(jar: jar, header: "y=1; xx=2") == nil)
    #expect(CookieMerge(jar: jar, header: "y=1;  x=2")?.hidden == jar)
  }

  @Test func `a removal is for the host that asked for it`() throws {
    let own = Self.line("#HttpOnly_.a.test", "/", "x", "1")
    let other = Self.line("b.test", "/", "x", "2")
    let merge = try #require(CookieMerge(jar: [own, other], header: "x=mine"))
    let changes = merge.changes(copy: [], setCookies: ["x=; Max-Age=0"], host: "www.A.test")
    #expect(changes == [own.expired])
    #expect(own.expired == "#HttpOnly_.a.test\tFALSE\t/\tFALSE\t1\tx\t1")
  }
}
