// The mock on the wire: what is served as it was recorded, and what is made anew.

import Libc
import PostKitHTTP
import PostKitLoopback
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitMock

@Suite(.timeLimit(.minutes(5))) struct MockServerTests {
  /// What curl gets from a mock, its head included.
  private func answers(
    _ recordings: [MockRecording], _ options: MockOptions = MockOptions(), _ calls: [[String]],
    report: @escaping @Sendable (MockEvent) -> Void = { _ in }
  ) async throws -> (texts: [String], url: String, misses: Int) {
    let server = try MockServer(MockBook(recordings), options, report: report)
    defer { server.stop() }
    var texts: [String] = []
    for call in calls {
      let words = call.map { $0.hasPrefix("/") ? server.url + $0 : $0 }
      let result = try await Subprocess.run(
        "curl", ["-si", "--noproxy", "*"] + words, timeoutSeconds: 60)
      texts.append(result.output)
    }
    return (texts, server.url, server.misses)
  }

  private func isThere() throws -> Bool {
    try Require.tool("curl", reason: "it asks the mock") != nil
  }

  @Test func `what belongs to a connection, a host or a moment is made anew`() async throws {
    guard try isThere() else { return }
    var recording = MockBookTests.recording(
      "GET", "/a",
      headers: [
        ("Date", "then"), ("Content-Length", "99"), ("Content-Encoding", "gzip"),
        ("Transfer-Encoding", "chunked"), ("X-Own", "kept"),
        ("Set-Cookie", "s=1; Domain=h.example; Path=/; Secure; HttpOnly"),
        ("Location", "https://h.example/b?c"),
      ])
    recording.body = .bytes(Array("body".utf8))
    recording.origin = "https://h.example"
    recording.isRedacted = true
    let (texts, url, _) = try await answers([recording], MockOptions(), [["/a"]])
    let lines = texts[0].split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.first == "HTTP/1.1 200 OK")
    #expect(lines.contains("X-Own: kept") && lines.contains("PostKit-Note: redacted"))
    #expect(lines.contains("Set-Cookie: s=1; Path=/; HttpOnly"))
    #expect(lines.contains("Location: \(url)/b?c"))
    #expect(lines.contains("Content-Length: 4"))
    #expect(!texts[0].contains("gzip") && !texts[0].contains("then") && !texts[0].contains("chunked"))
    #expect(lines.last == "body")
  }

  @Test func `clients that take IPv6 for localhost are answered`() async throws {
    // A system without IPv6 has nothing to test.
    guard try isThere(), let probe = try? Descriptors.loopbackListener(.ipv6) else { return }
    close(probe.descriptor)
    let server = try MockServer(MockBook([MockBookTests.recording("GET", "/a")]))
    defer { server.stop() }
    let port = try #require(server.url.split(separator: ":").last)
    let result = try await Subprocess.run(
      "curl", ["-si", "--noproxy", "*", "http://[::1]:\(port)/a"], timeoutSeconds: 60)
    #expect(result.output.hasPrefix("HTTP/1.1 200 OK"))
  }

  @Test func `equal requests get what was recorded one after the other, then the last`() async throws {
    guard try isThere() else { return }
    let all = [201, 202, 203].enumerated().map { number, status in
      MockBookTests.recording("GET", "/a", status: status, at: Int64(number))
    }
    let calls = Array(repeating: ["/a"], count: 4)
    let walked = try await answers(all, MockOptions(), calls)
    #expect(walked.texts.map { $0.dropFirst(9).prefix(3) } == ["201", "202", "203", "203"])
    var options = MockOptions()
    options.followsSequence = false
    let newest = try await answers(all, options, [["/a"]])
    #expect(newest.texts[0].hasPrefix("HTTP/1.1 203"))
  }

  @Test func `answers that are no recordings take no turns`() async throws {
    guard try isThere() else { return }
    let all = [200, 404].map { MockBookTests.recording("GET", "/a", status: $0) }
    let found = try await answers(all, MockOptions(), [["/a"], ["/a"], ["/a"]])
    #expect(found.texts.allSatisfy { $0.hasPrefix("HTTP/1.1 200") })
    var options = MockOptions()
    options.followsSequence = false
    #expect(try await answers(all, options, [["/a"]]).texts[0].hasPrefix("HTTP/1.1 200"))
  }

  @Test func `bodies come from files, and streams event by event`() async throws {
    guard try isThere() else { return }
    let directory = try TemporaryDirectory()
    let bytes = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 % 251) })
    let path = try directory.write("body", bytes: bytes)
    var large = MockBookTests.recording("GET", "/large")
    large.body = .file(path: path, range: 10..<200_010)
    var stream = MockBookTests.recording(
      "GET", "/stream", headers: [("Content-Type", "text/event-stream")])
    stream.body = .bytes(Array("data: 1\n\ndata: 2\r\n\r\nrest".utf8))
    let server = try MockServer(MockBook([large, stream]))
    defer { server.stop() }
    let whole = try await Subprocess.run(
      "curl", ["-s", "--noproxy", "*", "\(server.url)/large"], timeoutSeconds: 60)
    #expect(whole.standardOutput == Array(bytes[10..<200_010]))
    let events = try await Subprocess.run(
      "curl", ["-s", "--raw", "--noproxy", "*", "\(server.url)/stream"], timeoutSeconds: 60)
    #expect(
      events.output == "9\r\ndata: 1\n\n\r\nb\r\ndata: 2\r\n\r\n\r\n4\r\nrest\r\n0\r\n\r\n")
  }

  @Test func `what is not recorded is a problem with the nearest, and counted`() async throws {
    guard try isThere() else { return }
    let all = [MockBookTests.recording("GET", "/a")]
    let preflight = [
      "-X", "OPTIONS", "-H", "Origin: http://x", "-H", "Access-Control-Request-Method: PUT", "/a",
    ]
    let (texts, _, misses) = try await answers(
      all, MockOptions(), [["/b?c=d"], preflight, ["-H", "Origin: http://x", "/a"]])
    #expect(texts[0].hasPrefix("HTTP/1.1 404"))
    #expect(texts[0].contains("Content-Type: application/problem+json"))
    #expect(texts[0].contains("Nothing answers GET /b?c=d."))
    #expect(texts[0].contains("\"reason\": \"its path differs\""))
    #expect(texts[1].hasPrefix("HTTP/1.1 204"))
    #expect(texts[1].contains("Access-Control-Allow-Methods: PUT"))
    #expect(texts[2].contains("Access-Control-Allow-Origin: *"))
    #expect(misses == 1)
  }

  @Test func `a port that is taken is told`() throws {
    let server = try MockServer(MockBook([]))
    defer { server.stop() }
    var options = MockOptions()
    options.port = Int(server.url.split(separator: ":").last ?? "") ?? 0
    #expect {
      _ = try MockServer(MockBook([]), options)
    } throws: { error in
      "\(error)".contains("port \(options.port) of 127.0.0.1 can't be opened")
    }
  }

  @Test func `recorded times are kept, and may be shortened`() {
    var recording = MockBookTests.recording("GET", "/a")
    recording.firstByteMilliseconds = 200
    recording.totalMilliseconds = 1_000
    recording.headers = [("Content-Type", "application/x-ndjson")]
    recording.body = .bytes(Array("1\n2\n3\n".utf8))
    let answer = MockAnswer(base: "", latency: .recorded, speed: 2)
    let response = answer.response(recording, to: .init(method: "GET", path: "/a"))
    #expect(response.delayMilliseconds == 100)
    guard case .pieces(let pieces) = response.body else {
      Issue.record("no pieces")
      return
    }
    #expect(pieces.map(\.pause) == [0, 200, 200])
    let none = MockAnswer(base: "", latency: .none, speed: 1)
    #expect(none.response(recording, to: .init(method: "GET", path: "/a")).delayMilliseconds == 0)
  }
}
