// Requests through real proxies on loopback (PK-85).

import CCurl
import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitTransport

@Suite(.timeLimit(.minutes(10))) struct ProxyTests {
  private func send(
    _ url: String, proxy: String, _ change: (inout RequestSpec) -> Void = { _ in }
  ) async throws -> TransferOutcome {
    let spec = RequestSpec.make("GET", url, headers: ["X-Own": "1"]) {
      $0.options.proxy = proxy
      $0.options.proxyExceptions = ""
      change(&$0)
    }
    return await (try Harness()).send(spec)
  }

  @Test func `a request without TLS is handed to the proxy whole`() async throws {
    let server = try StubServer { _ in [.response(body: "by proxy")] }
    let outcome = try await send(
      "http://no-such-host.test/a?b=c", proxy: "http://ann:s%40crit@127.0.0.1:\(server.port)")
    #expect(outcome.response?.text == "by proxy")
    let request = try #require(server.requests.first)
    #expect(request.target == "http://no-such-host.test/a?b=c")
    #expect(request.values("Host") == ["no-such-host.test"])
    #expect(request.values("Proxy-Authorization") == ["Basic " + Base64.encode("ann:s@crit")])
  }

  @Test(arguments: ["socks4", "socks4a", "socks5", "socks5h", "socks"])
  func `SOCKS of every kind is spoken`(scheme: String) async throws {
    let server = try StubServer { _ in [.response(body: "by proxy")] }
    let proxy = try StubProxy(to: server.port)
    // With 4 and 5 the client resolves the name; the others leave that to the proxy.
    let resolves = ["socks4", "socks5"].contains(scheme)
    let host = resolves ? "127.0.0.1" : "no-such-host.test"
    let outcome = try await send(
      "http://\(host):81/a", proxy: "\(scheme)://127.0.0.1:\(proxy.port)")
    #expect(outcome.response?.text == "by proxy")
    let kind = scheme == "socks" ? "socks5h" : scheme
    #expect(proxy.visits.map(\.kind) == [kind])
    #expect(proxy.visits.map(\.target) == ["\(host):81"])
    #expect(server.requests.first?.target == "/a")
  }

  @Test func `SOCKS 5 is given user and password`() async throws {
    let server = try StubServer { _ in [.response(body: "in")] }
    let proxy = try StubProxy(to: server.port, credential: "ann:s@crit")
    let url = "http://no-such-host.test/"
    let right = try await send(url, proxy: "socks5h://ann:s%40crit@127.0.0.1:\(proxy.port)")
    #expect(right.response?.text == "in")
    let wrong = try await send(url, proxy: "socks5h://ann:other@127.0.0.1:\(proxy.port)")
    #expect(wrong.failure?.code == .connection)
    #expect(wrong.failure?.message.contains("The proxy made no connection to no-such") == true)
    #expect(wrong.failure?.message.contains("other") == false)
  }

  @Test func `TLS goes through a tunnel, of which the server's request knows nothing`()
    async throws
  {
    guard let server = try await NginxServer.start() else { return }
    let proxy = try StubProxy(to: server.securePort, credential: Base64.encode("ann:secret"))
    let trust: (inout RequestSpec) -> Void = {
      $0.options.certificateAuthorityFile = server.certificate
    }
    let outcome = try await send(
      "https://localhost:444/", proxy: "http://ann:secret@127.0.0.1:\(proxy.port)", trust)
    #expect(outcome.failure == nil)
    #expect(outcome.response?.text == "GET")
    #expect(outcome.response?.headers.first("X-Proxy") == nil)
    #expect(outcome.sent.headers.first("Proxy-Authorization") == nil)
    #expect(outcome.sent.headers.first("X-Own") == "1")
    #expect(proxy.visits.map(\.target) == ["localhost:444"])
    #expect(proxy.visits.first?.head.contains("X-Own") == false)

    let refused = try await send(
      "https://localhost:444/", proxy: "http://127.0.0.1:\(proxy.port)", trust)
    #expect(refused.failure?.code == .connection)
    #expect(refused.failure?.message.contains("407") == true)
    #expect(refused.failure?.message.contains("@no-proxy") == true)
  }

  @Test func `the author's credentials for the proxy stay with the proxy`() async throws {
    guard let nginx = try await NginxServer.start() else { return }
    // A server that answers is what sees the request at the end of the tunnel.
    let tunnel = try StubProxy(to: nginx.securePort, credential: "by-hand")
    let secure = try await send("https://localhost:444/", proxy: "127.0.0.1:\(tunnel.port)") {
      $0.headers.append("proxy-authorization", "Basic by-hand")
      $0.options.certificateAuthorityFile = nginx.certificate
    }
    #expect(secure.response?.status == 200)
    #expect(tunnel.visits.first?.head.contains("proxy-authorization: Basic by-hand\r\n") == true)
    #expect(secure.response?.headers.first("X-Got-Proxy-Authorization") == nil)
    #expect(secure.sent.headers.first("Proxy-Authorization") == nil)

    // Without TLS the proxy reads the request itself; what the author wrote stands above the URL.
    let server = try StubServer { _ in [.response(body: "in")] }
    for proxy in ["", "ann:other@"].map({ "http://\($0)127.0.0.1:\(server.port)" }) {
      let plain = try await send("http://no-such-host.test/", proxy: proxy) {
        $0.headers.append("Proxy-Authorization", "Basic by-hand")
      }
      #expect(plain.response?.text == "in")
      #expect(server.requests.last?.values("Proxy-Authorization") == ["Basic by-hand"])
    }
  }

  @Test func `where there is no such proxy the field goes where it was written to`() async throws {
    let server = try StubServer { _ in [.response(body: "in")] }
    let socks = try StubProxy(to: server.port)
    for proxy in ["", "socks5h://127.0.0.1:\(socks.port)"] {
      let outcome = try await send(server.url("/"), proxy: proxy) {
        $0.headers.append("Proxy-Authorization", "Basic by-hand")
      }
      #expect(outcome.response?.text == "in")
      #expect(server.requests.last?.values("Proxy-Authorization") == ["Basic by-hand"])
    }
  }

  @Test func `a proxy that can't be reached is named in place of the server`() async throws {
    for scheme in ["http", "socks5h"] {
      let outcome = try await send("http://a.test/", proxy: "\(scheme)://ann:hidden@127.0.0.1:1")
      #expect(outcome.failure?.code == .connection)
      let start = "No connection to the proxy 127.0.0.1:1 for a.test:80 ("
      #expect(outcome.failure?.message.hasPrefix(start) == true)
      #expect(outcome.failure?.message.contains("hidden") == false)
    }
  }

  @Test func `exceptions are reached directly`() async throws {
    let server = try StubServer { _ in [.response(body: "direct")] }
    for exceptions in ["127.0.0.1", "a.test, 127.0.0.1", "*"] {
      let outcome = try await send(server.url("/x"), proxy: "http://127.0.0.1:1") {
        $0.options.proxyExceptions = exceptions
      }
      #expect(outcome.response?.text == "direct", "\(exceptions)")
    }
    #expect(server.requests.map(\.target) == ["/x", "/x", "/x"])
  }

  @Test(arguments: [
    (["http_proxy": "a:1", "HTTP_PROXY": "b:1", "all_proxy": "c:1"], "a:1", "c:1"),
    (["HTTP_PROXY": "b:1", "HTTPS_PROXY": "d:1"], "b:1", "d:1"),
    (["HTTP_PROXY": "b:1", "REQUEST_METHOD": "GET"], nil, nil),
    (["http_proxy": "", "ALL_PROXY": "e:1", "https_proxy": "f:1"], "e:1", "f:1"),
    ([:], nil, nil),
  ] as [([String: String], String?, String?)])
  func `variables are read in small letters and in capitals`(
    variables: [String: String], plain: String?, secure: String?
  ) {
    #expect(CurlOptions.proxy(forTLS: false) { variables[$0] }?.text == plain)
    #expect(CurlOptions.proxy(forTLS: true) { variables[$0] }?.text == secure)
  }

  @Test func `a broken variable is named without its password`() throws {
    let spec = RequestSpec(method: "GET", url: "http://a.test/")
    let facts = CurlOptions.Facts(
      features: [], environment: { $0 == "HTTP_PROXY" ? "ftp://ann:hidden@p" : nil })
    let failure = #expect(throws: Failure.self) {
      try CurlOptions(spec, body: nil, facts: facts)
    }
    #expect(failure?.code == .usage)
    let start = "In the environment variable HTTP_PROXY: `ftp://***@p` is not a proxy"
    #expect(failure?.message.hasPrefix(start) == true)
  }
}
