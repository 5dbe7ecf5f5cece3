// What is told of a body while it arrives: whole lines, and no part of a secret.

import PostKitHTTP
import PostKitTransport
import Testing

@testable import PostKitRunner

@Suite struct ToldBodyTests {
  private let dots = SecretMask.text

  private func told(
    _ pieces: [String], type: String = "text/plain", secrets: Set<String> = [],
    _ telling: BodyTelling = .texts
  ) -> [String] {
    let body = ToldBody(telling, SecretMask(secrets: Array(secrets)), secrets: secrets)
    let head = TransferEvent.receivedHead(
      status: 200, headers: HeaderFields([HeaderField("Content-Type", type)]))
    #expect(body.told(head) == head)
    return pieces.compactMap { piece in
      guard case .body(let bytes) = body.told(.body(Array(piece.utf8))) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test func `a line is told when it has come whole`() {
    #expect(told(["a", "b\nc", "\n\nd"]) == ["ab\n", "c\n\n"])
    #expect(told(["x s3cr", "et-1 y\n"], secrets: ["s3cret-1"]) == ["x \(dots) y\n"])
  }

  @Test func `a secret of several lines is not told line by line`() {
    let secret = "-----BEGIN-----\nabcdef\n-----END-----"
    let pieces = ["key: -----BEGIN-----\n", "abcdef\n", "-----END-----\n", "more\n", "and more"]
    let text = told(
      pieces + Array(repeating: " and so on\n", count: 10), secrets: [secret]
    ).joined()
    #expect(text.hasPrefix("key: \(dots)\nmore\n"))
    #expect(!text.contains("abcdef"))
  }

  @Test func `only what was asked for is told`() {
    #expect(told(["a\n"], type: "image/png") == [])
    #expect(told(["a\n"], .streams) == [])
    #expect(told(["a\n"], type: "text/event-stream", .streams) == ["a\n"])
    #expect(told(["a\n"], type: "application/x-ndjson", .streams) == ["a\n"])
    #expect(told(["a\n"], .none) == [])
  }

  @Test func `the end of what is too long is not told as if it were all`() {
    let line = String(repeating: "x", count: 1 << 19) + "\n"
    #expect(told([line, line, "y\n"]) == [line])
  }
}
