// What comes back: codings, sizes, interim heads, and answers that break off.

import Foundation
import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitTransport

@Suite(.timeLimit(.minutes(10))) struct ResponseTests {
  /// Sends a request to a server that answers once with these steps.
  func answer(
    _ steps: [StubStep], method: String = "GET",
    _ change: (inout TransportConfiguration) -> Void = { _ in }
  ) async throws -> (outcome: TransferOutcome, harness: Harness) {
    let server = try StubServer { _ in steps }
    let harness = try Harness(change)
    let outcome = await harness.send(.make(method, server.url()))
    return (outcome, harness)
  }

  @Test func `chunks are joined and trailers follow the header fields`() async throws {
    let (outcome, _) = try await answer([
      .text(
        "HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\n\r\n"
          + "3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nX-Sum: 7\r\n\r\n")
    ])
    let response = try #require(outcome.response)
    #expect(outcome.failure == nil)
    #expect(response.text == "abcdefg")
    #expect(response.reason == "Fine")
    #expect(response.headers.fields.map(\.name) == ["Transfer-Encoding", "X-A", "X-Sum"])
    #expect(response.decodedSize == 7)
  }

  static let gzip: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0xab, 0x56, 0x4a, 0xce, 0xcf, 0x2d,
    0x28, 0x4a, 0x2d, 0x2e, 0x4e, 0x4d, 0x51, 0xb2, 0x52, 0x28, 0x29, 0x2a, 0x4d, 0xad, 0x05, 0x00,
    0xbd, 0xa5, 0x2c, 0x2d, 0x14, 0x00, 0x00, 0x00,
  ]
  static let gzipHead =
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n\r\n"

  @Test func `a compressed body is decoded and both sizes are known`() async throws {
    let (outcome, _) = try await answer([.text(Self.gzipHead), .bytes(Self.gzip)])
    let response = try #require(outcome.response)
    #expect(response.text == #"{"compressed": true}"#)
    #expect(response.wireSize == Self.gzip.count)
    #expect(response.decodedSize == 20)
  }

  @Test func `a body is decoded although the author wrote Accept-Encoding`() async throws {
    let server = try StubServer { _ in [.text(Self.gzipHead), .bytes(Self.gzip)] }
    let outcome = await (try Harness()).send(
      .make("GET", server.url(), headers: [("accept-encoding", "gzip;q=0.5")]))
    #expect(server.requests.first?.lines.last == "accept-encoding: gzip;q=0.5")
    #expect(outcome.response?.text == #"{"compressed": true}"#)
  }

  @Test func `a broken compressed body is a protocol failure that names the way out`() async throws
  {
    let (outcome, _) = try await answer([
      .text("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd")
    ])
    #expect(outcome.failure?.code == .protocol)
    #expect(outcome.failure?.message.contains("Accept-Encoding: identity") == true)
  }

  @Test(arguments: [204, 304])
  func `a status without a body ends with its head`(status: Int) async throws {
    let (outcome, _) = try await answer([.text("HTTP/1.1 \(status)\r\nETag: x\r\n\r\n")])
    #expect(outcome.failure == nil)
    #expect(outcome.response?.status == status)
    #expect(outcome.response?.reason == "")
    #expect(outcome.response?.body == .empty)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect is returned as it is`(status: Int) async throws {
    let (outcome, _) = try await answer([
      .response("\(status) Go", headers: ["Location: /next"], body: "there")
    ])
    #expect(outcome.response?.status == status)
    #expect(outcome.response?.headers.first("location") == "/next")
    #expect(outcome.response?.text == "there")
  }

  @Test func `interim heads are passed over`() async throws {
    let (outcome, _) = try await answer([
      .text("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
      .response("201 Made", body: "x"),
    ])
    #expect(outcome.response?.status == 201)
    #expect(outcome.response?.headers.contains("Link") == false)
  }

  @Test func `odd header lines are read`() async throws {
    let head: [UInt8] =
      Array("HTTP/1.1 200 OK\r\nX-Fold: a\r\n  b\r\nX-Latin: ".utf8) + [0xe9]
      + Array("\r\nX-UTF: é\r\nX-None:\r\nX-Blank:   z  \r\nContent-Length: 0\r\n\r\n".utf8)
    let (outcome, _) = try await answer([.bytes(head)])
    let headers = try #require(outcome.response?.headers)
    #expect(headers.first("X-Fold") == "a b")
    #expect(headers.first("X-Latin") == "é")
    #expect(headers.first("X-UTF") == "é")
    #expect(headers.first("X-None") == "")
    #expect(headers.first("X-Blank") == "z")
  }

  @Test func `a body without a length ends with the connection`() async throws {
    let (outcome, _) = try await answer([.text("HTTP/1.1 200 OK\r\n\r\nabc"), .close])
    #expect(outcome.failure == nil)
    #expect(outcome.response?.text == "abc")
  }

  // MARK: Large bodies

  @Test func `a large body goes to a file that only its owner can read`() async throws {
    let line = [UInt8](repeating: 1, count: 1 << 10) + [UInt8](repeating: 2, count: 1 << 10)
    let count = (4 << 20) / line.count
    let (outcome, harness) = try await answer([
      .text("HTTP/1.1 200 OK\r\nContent-Length: \(4 << 20)\r\n\r\n"),
      .repeated(line, count: count),
    ])
    let response = try #require(outcome.response)
    guard case .file(let path, let size) = response.body else {
      Issue.record("the body is not in a file")
      return
    }
    #expect(size == 4 << 20 && response.decodedSize == size && !response.isTruncated)
    #expect(path.hasPrefix(harness.directory.path("spool") + "/"))
    let data = try #require(FileManager.default.contents(atPath: path))
    #expect(data == Data(repeatElement(line, count: count).joined()))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test(arguments: [10, 2_000, 1 << 20])
  func `of a body beyond the limit the head is kept`(limit: Int) async throws {
    let size = 3 << 20
    let (outcome, harness) = try await answer([
      .text("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
      .repeated([UInt8](repeating: 3, count: 4_096), count: size / 4_096),
    ]) {
      $0.keptBodyBytes = limit
      $0.memoryBytes = 1_000
    }
    let response = try #require(outcome.response)
    #expect(outcome.failure == nil)
    #expect(response.isTruncated)
    #expect(response.body.count == limit)
    #expect(response.decodedSize == size)
    _ = harness
  }

  @Test func `a body for which no file can be made comes whole all the same`() async throws {
    let (outcome, _) = try await answer([
      .text("HTTP/1.1 200 OK\r\nContent-Length: 40000\r\n\r\n"),
      .repeated(Array("abcdefghijklmnop".utf8), count: 2_500),
    ]) {
      $0.spoolDirectory = "/dev/null/spool"
      $0.memoryBytes = 1_000
    }
    #expect(outcome.failure == nil)
    let response = try #require(outcome.response)
    #expect(response.status == 200 && !response.isTruncated)
    #expect(response.text == String(repeating: "abcdefghijklmnop", count: 2_500))
  }

  // MARK: Failures

  @Test(arguments: [
    ("Content-Length: 10\r\n\r\nabc", "abc"),
    ("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n5\r\nde", "abcde"),
  ])
  func `a body that breaks off is a protocol failure and is kept`(
    text: String, body: String
  ) async throws {
    let (outcome, _) = try await answer([.text("HTTP/1.1 200 OK\r\n" + text), .close])
    #expect(outcome.state == .failed)
    #expect(outcome.failure?.code == .protocol)
    #expect(outcome.failure?.message.contains("broke off after \(body.count) bytes") == true)
    #expect(outcome.response?.status == 200)
    #expect(outcome.response?.text == body)
  }

  @Test func `a reset in the middle of a body is a protocol failure`() async throws {
    let server = try StubServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .reset]
    }
    let outcome = await (try Harness()).send(.make("GET", server.url()))
    // The reset may overtake the bytes before it; then nothing of the answer was seen.
    #expect(outcome.failure?.code == (outcome.response == nil ? .connection : .protocol))
  }

  @Test(arguments: [StubStep.close, .reset])
  func `an end before the status line is a connection failure`(step: StubStep) async throws {
    let (outcome, _) = try await answer([step])
    #expect(outcome.failure?.code == .connection)
    #expect(outcome.response == nil)
    #expect(outcome.sent.headers.contains("Host"))
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "\0\0\0\0",
  ])
  func `an answer that is not HTTP is a protocol failure`(text: String) async throws {
    let (outcome, _) = try await answer([.text(text), .close])
    #expect(outcome.failure?.code == .protocol)
    #expect(outcome.response == nil)
  }

  @Test func `a head that breaks off is no response`() async throws {
    let (outcome, _) = try await answer([.text("HTTP/1.1 200 OK\r\nX-A: 1\r\nX-"), .close])
    #expect(outcome.state == .failed)
    #expect(outcome.failure?.code == .protocol)
    #expect(outcome.response == nil)
  }

  @Test func `a port where nothing listens is a connection failure that names it`() async throws {
    let server = try StubServer { _ in [] }
    let port = server.port
    server.stop()
    await server.waitForEndedConnections(0)
    let outcome = await (try Harness()).send(.make("GET", "http://127.0.0.1:\(port)/"))
    #expect(outcome.failure?.code == .connection)
    #expect(outcome.failure?.message.contains("127.0.0.1:\(port)") == true)
    #expect(outcome.remoteAddress == "")
  }

  @Test func `a name that can't be resolved is a connection failure that names it`() async throws {
    // A label of more than 63 letters is refused without asking the network.
    let host = String(repeating: "a", count: 64) + ".test"
    let outcome = await (try Harness()).send(.make("GET", "http://\(host)/"))
    #expect(outcome.failure?.code == .connection)
    #expect(outcome.failure?.message.contains(host) == true)
  }
}
