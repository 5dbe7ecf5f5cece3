// TLS and HTTP/2 against a real web server.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitTransport

@Suite(.timeLimit(.minutes(1))) struct SecureTests {
  @Test func `HTTP/2 is agreed over TLS and certificates are verified`() async throws {
    guard let server = try await NginxServer.start() else { return }
    let harness = try Harness()
    let url = "https://localhost:\(server.securePort)/a"
    let trusted = RequestSpec.make("PATCH", url, headers: [("X-A", "1"), ("Accept", "*/*")]) {
      $0.options.certificateAuthorityFile = server.certificate
    }
    let outcome = await harness.send(trusted)
    #expect(outcome.failure == nil)
    #expect(outcome.response?.httpVersion == "HTTP/2")
    #expect(outcome.response?.headers.first("x-protocol") == "HTTP/2.0")
    #expect(outcome.response?.text == "PATCH")
    #expect(outcome.timings.tls > outcome.timings.connect)
    #expect(outcome.sent.headers.first("X-A") == "1")
    #expect(outcome.remoteAddress == "127.0.0.1:\(server.securePort)")

    let unknown = await harness.send(.make("GET", url))
    #expect(unknown.failure?.code == .tls)
    #expect(unknown.failure?.message.contains("localhost:\(server.securePort)") == true)
    #expect(unknown.failure?.message.contains("self") == true)
    #expect(unknown.response == nil)

    // The certificate is for localhost.
    let otherName = RequestSpec.make("GET", "https://127.0.0.1:\(server.securePort)/") {
      $0.options.certificateAuthorityFile = server.certificate
    }
    #expect(await harness.send(otherName).failure?.code == .tls)
    let unverified = RequestSpec.make("GET", "https://127.0.0.1:\(server.securePort)/") {
      $0.options.verifiesTLS = false
    }
    #expect(await harness.send(unverified).response?.status == 200)
  }

  @Test func `HTTP/1.1 over TLS is used where it is asked for`() async throws {
    guard let server = try await NginxServer.start() else { return }
    let spec = RequestSpec.make("GET", "https://localhost:\(server.securePort)/") {
      $0.options.certificateAuthorityFile = server.certificate
      $0.options.httpVersion = .http11
    }
    #expect(await (try Harness()).send(spec).response?.httpVersion == "HTTP/1.1")
  }

  @Test func `HTTP/2 works without TLS where it is known beforehand`() async throws {
    guard let server = try await NginxServer.start() else { return }
    let harness = try Harness()
    let spec = RequestSpec.make("DELETE", "http://127.0.0.1:\(server.plainPort)/") {
      $0.options.httpVersion = .http2PriorKnowledge
    }
    for _ in 0..<3 {
      let outcome = await harness.send(spec)
      #expect(outcome.failure == nil)
      #expect(outcome.response?.httpVersion == "HTTP/2")
      #expect(outcome.response?.text == "DELETE")
    }
  }

  @Test func `HTTP/2 without TLS and unannounced is an upgrade that may be declined`() async throws
  {
    let server = try StubServer { _ in [.response(body: "x")] }
    let outcome = await (try Harness()).send(
      .make("GET", server.url()) { $0.options.httpVersion = .http2 })
    #expect(outcome.response?.httpVersion == "HTTP/1.1")
    #expect(server.requests.first?.values("Upgrade") == ["h2c"])
  }

  @Test func `a server without TLS is a TLS failure`() async throws {
    let server = try StubServer { _ in [.response()] }
    let outcome = await (try Harness()).send(
      .make("GET", "https://127.0.0.1:\(server.port)/") {
        // The stub waits for the end of a head that never comes.
        $0.options.connectTimeoutMilliseconds = 2_000
        $0.options.httpVersion = .http11
      })
    #expect([FailureCode.tls, .timeout].contains(outcome.failure?.code))
  }

  @Test func `an authority file that is missing is named`() async throws {
    guard let server = try await NginxServer.start() else { return }
    let outcome = await (try Harness()).send(
      .make("GET", "https://localhost:\(server.securePort)/") {
        $0.options.certificateAuthorityFile = "/nowhere/authorities.pem"
      })
    #expect(outcome.failure?.code == .tls)
    #expect(outcome.failure?.message.contains("/nowhere/authorities.pem") == true)
  }
}
