// The request parser is a value, so how bytes arrive can be tried in every way.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitLoopback

private let conversation = Array(
  ("\r\nGET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n"
    + "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\nhello\r\n\r\nyou"
    + "PUT /c HTTP/1.1\r\nhost: x\r\ntransfer-encoding: Chunked\r\n\r\n"
    + "3;name=value\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: 1\r\n\r\n"
    + "GET http://x:80?q HTTP/1.1\r\nHost: x\r\n\r\nGET HTTP://x HTTP/1.0\r\n\r\n").utf8)

private func parse(_ pieces: [ArraySlice<UInt8>]) throws(RequestProblem) -> [LoopbackRequest] {
  var parser = RequestParser()
  var requests: [LoopbackRequest] = []
  for piece in pieces {
    parser.append(piece)
    while let request = try parser.next() { requests.append(request) }
  }
  return requests
}

@Suite struct ParserTests {
  @Test func `Requests have their parts`() throws {
    let requests = try parse([conversation[...]])
    #expect(requests.map(\.method) == ["GET", "POST", "PUT", "GET", "GET"])
    #expect(requests.map(\.path) == ["/a", "/b", "/c", "/", "/"])
    #expect(requests.map(\.query) == ["b=c", nil, nil, "q", nil])
    let bodies = requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies == ["", "hello\r\n\r\nyou", "abc0123456789", "", ""])
    #expect(requests.map(\.keepsConnection) == [true, true, true, true, false])
  }

  @Test func `It makes no difference where the wire cuts`() throws {
    let whole = try parse([conversation[...]])
    for cut in 0...conversation.count {
      #expect(try parse([conversation[..<cut], conversation[cut...]]) == whole)
    }
    #expect(try parse(conversation.indices.map { conversation[$0..<($0 + 1)] }) == whole)
  }

  @Test func `Damaged bytes give requests or a refusal, cut or not`() {
    var generator = RepeatableGenerator(seed: 7)
    let signs = Array("\r\n\r\n :;0aF\t\0é/".utf8)
    for _ in 0..<1_000 {
      var bytes = conversation
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let at = Int.random(in: 0..<bytes.count, using: &generator)
        let sign = signs[Int.random(in: 0..<signs.count, using: &generator)]
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[at] = sign
        case 1: bytes.insert(sign, at: at)
        default: bytes.remove(at: at)
        }
      }
      let cut = Int.random(in: 0...bytes.count, using: &generator)
      let whole = Result { () throws(RequestProblem) in try parse([bytes[...]]) }
      let parts = Result { () throws(RequestProblem) in try parse([bytes[..<cut], bytes[cut...]]) }
      #expect(whole == parts)
    }
  }

  @Test func `The word to go on is given once, and only to who waits for it`() throws {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    var parser = RequestParser()
    parser.append(Array(head.utf8))
    let early = try parser.next()
    let answers = [parser.takeContinue(), parser.takeContinue()]
    #expect(early == nil && answers == [true, false])
    var other = RequestParser()
    other.append(Array((head + "a").utf8))
    let another = try other.next()
    let isAwaited = other.takeContinue()
    #expect(another == nil && !isAwaited)
  }

  @Test func `A header that is no UTF-8 is read as Latin-1`() throws {
    let bytes = Array("GET / HTTP/1.0\r\nX: caf".utf8) + [0xE9] + Array("\r\n\r\n".utf8)
    #expect(try parse([bytes[...]])[0].headers.first("X") == "café")
  }

  @Test func `A long body in small pieces is parsed in linear time`() throws {
    let count = 8 << 20
    var parser = RequestParser()
    parser.append(Array("POST / HTTP/1.0\r\nContent-Length: \(count)\r\n\r\n".utf8))
    let piece = [UInt8](repeating: 1, count: 1_024)
    var request: LoopbackRequest?
    for _ in 0..<(count / piece.count) {
      parser.append(piece)
      request = try parser.next()
    }
    #expect(request?.body.count == count)
    #expect(parser.isBetweenRequests)
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
  ] as [(Int64, String)])
  func `Dates are those of HTTP`(seconds: Int64, text: String) {
    #expect(HTTPDate.text(seconds: seconds) == text)
  }
}
