// Cookies from one `postkit run` to the next (PK-83).

import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct CookieJarTests {
  private static let file = """
    ### login
    GET $URL/login

    ### me
    GET $URL/me

    """

  @Sendable private static func answer(_ request: StubRequest) -> [StubStep] {
    [.response(headers: request.target == "/login" ? ["Set-Cookie: sid=cookie-canary-1"] : [])]
  }

  @Test func `a login is known to the next run, in its environment alone`() async throws {
    let bench = try Bench(
      ["a.http": CookieJarTests.file, "http-client.env.json": #"{"dev": {}, "prod": {}}"#],
      CookieJarTests.answer)
    for words in [
      ["--name", "login", "-e", "dev"], ["--name", "me", "-e", "dev"],
      ["--name", "me", "-e", "prod"], ["--name", "me"], ["--name", "me", "-e", "dev"],
    ] { #expect(try await bench.postkit(["run", "a.http"] + words).status == 0) }
    let cookies = bench.server.requests.map { $0.values("Cookie") }
    #expect(cookies == [[], ["sid=cookie-canary-1"], [], [], ["sid=cookie-canary-1"]])
    for row in try await bench.history() {
      let id = try #require(row["id"]?.string)
      for words in [[], ["--json"]] {
        let shown = try await bench.postkit(["history", "show", id] + words)
        #expect(!shown.output.contains("cookie-canary-1"))
      }
    }
  }

  @Test func `a run without the history begins with an empty jar and keeps nothing`() async throws {
    let bench = try Bench(["a.http": CookieJarTests.file], CookieJarTests.answer)
    #expect(try await bench.postkit("run", "a.http", "--name", "login").status == 0)
    #expect(try await bench.postkit("run", "a.http", "--all", "--no-history").status == 0)
    let cookies = bench.server.requests.map { $0.values("Cookie") }
    #expect(cookies == [[], [], ["sid=cookie-canary-1"]])
  }
}
