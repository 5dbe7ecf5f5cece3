// TLS and HTTP/2 against a real web server.

import CCurl
import Foundation
import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitTransport

@Suite(.timeLimit(.minutes(10))) struct SecureTests {
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

  @Test func `a certificate that is no file is refused, not waited for`() async throws {
    let directory = try TemporaryDirectory()
    #expect(mkfifo(directory.path("pipe.pem"), 0o600) == 0)
    for path in [directory.path("pipe.pem"), directory.path, "/dev/zero"] {
      for (field, code) in [
        (\TransferOptions.certificateAuthorityFile, FailureCode.tls),
        (\.clientCertificateFile, .fileNotFound),
      ] {
        let outcome = await (try Harness()).send(
          .make("GET", "https://127.0.0.1:1/") { $0.options[keyPath: field] = path })
        #expect(outcome.failure?.code == code)
        #expect(outcome.failure?.message.contains(path) == true)
      }
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct ClientCertificateTests {
  /// What a client shows: its certificate, its key, and the passphrase.
  typealias Shown = (certificate: String, key: String?, passphrase: String?)

  static func send(_ server: NginxServer, _ shown: Shown?) async throws -> TransferOutcome {
    let folder = server.clientFolder
    return await (try Harness()).send(
      .make("GET", "https://localhost:\(server.mutualPort)/") {
        $0.options.certificateAuthorityFile = server.certificate
        $0.options.clientCertificateFile = shown.map { "\(folder)/\($0.certificate)" }
        $0.options.clientKeyFile = shown?.key.map { "\(folder)/\($0)" }
        $0.options.clientKeyPassphrase = shown?.passphrase
      })
  }

  @Test func `certificates of every form are shown`() async throws {
    guard let server = try await NginxServer.start() else { return }
    let forms: [Shown] = [
      ("ann.pem", "ann.key", nil), ("both.pem", nil, nil), ("ann.der", "ann.key.der", nil),
      ("ann.pem", "ann.key.der", nil), ("ann.pem", "ann.locked.key", "open sesame"),
      ("ann.p12", nil, "open sesame"),
    ]
    for form in forms {
      let outcome = try await Self.send(server, form)
      #expect(outcome.failure == nil, "\(form)")
      #expect(outcome.response?.text == "CN=ann", "\(form)")
    }
    #expect(try await Self.send(server, nil).response?.status == 400)
  }

  @Test func `what can't be used is a failure that names the file, and asks nobody`() async throws {
    guard let server = try await NginxServer.start() else { return }
    let mistakes: [Shown] = [
      ("ann.pem", "other.key", nil), ("ann.pem", "ann.locked.key", nil), ("ann.p12", nil, "wrong"),
      ("ann.p12", nil, nil), ("ann.pem", nil, nil), ("nginx.conf", "ann.key", nil),
    ]
    for mistake in mistakes {
      let failure = try await Self.send(server, mistake).failure
      #expect(failure?.code == .tls, "\(mistake)")
      let file = "\(server.clientFolder)/\(mistake.certificate)"
      #expect(failure?.message.contains("The client certificate \(file)") == true, "\(mistake)")
      #expect(failure?.message.contains("passphrase is right") == true, "\(mistake)")
    }
    for missing in ["nobody.pem", "."] {
      let failure = try await Self.send(server, (missing, nil, nil)).failure
      #expect(failure?.code == .fileNotFound, "\(missing)")
      #expect(failure?.message.contains("@no-client-cert") == true, "\(missing)")
    }
  }

  @Test func `a request without TLS looks at no certificate`() async throws {
    let server = try StubServer { _ in [.response(body: "x")] }
    let outcome = await (try Harness()).send(
      .make("GET", server.url()) { $0.options.clientCertificateFile = "/nowhere.pem" })
    #expect(outcome.response?.text == "x")
  }

  @Test func `the bytes of a file tell its form`() {
    let heads: [(CertificateForm, [UInt8])] = [
      (.pem, Array("-----BEGIN CERTIFICATE-----".utf8)), (.pem, Array("Bag Attributes".utf8)),
      (.pem, Array("0 is no length".utf8)), (.pem, []), (.pem, [0x30, 0x82]),
      (.der, [0x30, 0x82, 2, 1, 0x30, 0x82, 1, 1, 0xA0]),
      (.der, [0x30, 0x77, 2, 1, 1, 4, 0x20, 0x9A, 6]), (.pem, Array("00 is no length".utf8)),
      (.der, [0x30, 0x81, 0x87, 2, 1, 0, 0x30, 0x13, 6]),
      (.pkcs12, [0x30, 0x82, 4, 1, 2, 1, 3, 0x30, 0x82]),
      (.pkcs12, [0x30, 0x80, 2, 1, 3, 0x30, 0x80, 6, 9]),
    ]
    for (form, head) in heads { #expect(CertificateForm(head: head) == form, "\(head)") }
  }

  @Test func `a server that wants a certificate is told from one that hung up`() {
    var end = TransferEnd(
      code: CURLE_RECV_ERROR, detail: "error:0A00045C::tlsv13 alert certificate required",
      endpoint: "a.test:443", host: "a.test", options: TransferOptions(), isConnected: true,
      hasStatusLine: false, status: nil, receivedBytes: 0, elapsedMilliseconds: 1)
    #expect(end.failure.code == .tls)
    #expect(end.failure.message.hasPrefix("a.test:443 requires a client certificate"))
    #expect(end.failure.message.contains("tls.certificates"))
    end.options.clientCertificateFile = "/mine.pem"
    #expect(end.failure.code == .connection)
  }

  @Test func `what is sent from no file is told without tags`() throws {
    // Its words for failures are read.
    _ = try Transport.libraryVersion.get()
    let codes = [
      CURLE_OPERATION_TIMEDOUT, CURLE_PEER_FAILED_VERIFICATION, CURLE_PROXY, CURLE_COULDNT_CONNECT,
    ]
    var sentences = [
      TransferEnd.inactive("a.test:443", milliseconds: 9, status: nil).withoutTags.message
    ]
    for code in codes {
      for isConnected in [false, true] {
        let end = TransferEnd(
          code: code, detail: "", endpoint: "a.test:443", host: "a.test",
          options: TransferOptions(), isConnected: isConnected, hasStatusLine: false, status: nil,
          receivedBytes: 0, elapsedMilliseconds: 1)
        sentences.append(end.failure.withoutTags.message)
      }
    }
    for sentence in sentences {
      #expect(!sentence.contains("# @") && sentence.hasSuffix("."), "\(sentence)")
    }
  }
}
