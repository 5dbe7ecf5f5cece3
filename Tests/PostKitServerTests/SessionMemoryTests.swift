// What the session remembers: not more than it has use for.

import PostKitHTTP
import Testing

@testable import PostKitSession

@Suite struct SessionMemoryTests {
  private func exchange(_ id: Int, headBytes: Int) -> Exchange {
    var exchange = Exchange(
      id: "\(id)", startedAt: 0, file: "/a.http", line: 1, template: "GET /",
      request: SentRequest(method: "GET", url: "http://a.test/", headers: []), state: .done)
    let fields = HeaderFields([HeaderField("X", String(repeating: "x", count: headBytes - 1))])
    exchange.response = Response(
      httpVersion: "HTTP/1.1", status: 200, reason: "OK", headers: fields, body: .empty,
      wireSize: 0, decodedSize: 0)
    return exchange
  }

  @Test(
    "the oldest are forgotten where there are many, or where their heads are long",
    arguments: [(1_000, 64), (300_000, 6), (3_000_000, 1)])
  func bounds(headBytes: Int, count: Int) {
    var memory = SessionMemory()
    var forgotten: [String] = []
    for id in 0..<100 {
      let exchange = exchange(id, headBytes: headBytes)
      forgotten += memory.add(exchange, masked: exchange, secrets: []).map(\.id)
    }
    #expect(forgotten == (0..<100 - count).map(String.init))
    #expect(memory.newest?.id == "99")
    #expect(memory.masked(id: "\(100 - count)") != nil)
    #expect(memory.masked(id: "\(99 - count)") == nil)
  }
}
