// Responses as text: their heads and where their time went.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitLanguage

/// An exchange whose timings are these, in microseconds since its start.
private func exchange(
  lookup: Int64 = 0, connect: Int64 = 0, tls: Int64 = 0, firstByte: Int64 = 0, total: Int64 = 0
) -> Exchange {
  var exchange = Exchange(
    id: "id", startedAt: 0, file: "/a.http", line: 1, template: "GET /",
    request: SentRequest(method: "GET", url: "http://a.test/", headers: []), state: .done)
  exchange.timings.nameLookup = lookup
  exchange.timings.connect = connect
  exchange.timings.tls = tls
  exchange.timings.firstByte = firstByte
  exchange.timings.total = total
  exchange.response = Response(
    httpVersion: "HTTP/1.1", status: 200, reason: "OK", headers: [], body: .bytes([]),
    wireSize: 0, decodedSize: 0)
  return exchange
}

@Suite struct ResponseTextTests {
  @Test func `steps that took no time are left out`() {
    expect(
      ResponseText.timings(
        exchange(lookup: 17, connect: 400, firstByte: 4_000_000, total: 4_015_000)),
      is: """
        GET http://a.test/

        connect         +0.4 ms, 0.4 ms since the start
        first byte      +4.0 s, 4.0 s since the start
        receive         +15 ms, 4.0 s since the start
        total           4.0 s

        """)
    expect(
      ResponseText.timings(
        exchange(
          lookup: 2_000, connect: 5_000, tls: 30_000, firstByte: 61_000, total: 125_000_000)),
      is: """
        GET http://a.test/

        name lookup     +2.0 ms, 2.0 ms since the start
        connect         +3.0 ms, 5.0 ms since the start
        TLS handshake   +25 ms, 30 ms since the start
        first byte      +31 ms, 61 ms since the start
        receive         +2 min 5 s, 2 min 5 s since the start
        total           2 min 5 s

        """)
  }

  @Test func `deviations from a description stand above the response, five of them`() {
    var told = exchange()
    told.contract = ContractFindings(
      description: "openapi.yaml", operation: "getUser",
      deviations: (1...7).map { ContractDeviation(pointer: "/\($0)", message: "expected null") })
    let lines = ResponseText.whole(told, body: [])
      .split(separator: "\n").filter { $0.contains("openapi") || $0.contains("expected") }
    #expect(lines.count == 6)
    #expect(lines[0] == "# 7 deviations from openapi.yaml")
    #expect(lines[5] == "#   /5: expected null")
  }

  @Test func `a connection that was used again is named`() {
    expect(
      ResponseText.timings(exchange(lookup: 17, firstByte: 1_200, total: 1_300)),
      is: """
        GET http://a.test/

        connection      reused
        first byte      +1.2 ms, 1.2 ms since the start
        receive         +0.1 ms, 1.3 ms since the start
        total           1.3 ms

        """)
  }

  @Test func `the steps begin where the redirects end`() {
    // The times of the whole are counted from the first redirect on.
    var redirected = exchange(lookup: 3_020, connect: 3_000, firstByte: 4_000, total: 5_000)
    var hop = Timings()
    hop.total = 3_000
    redirected.hops = [
      RedirectHop(request: redirected.request, status: 302, headers: [], timings: hop)
    ]
    expect(
      ResponseText.timings(redirected),
      is: """
        GET http://a.test/

        redirect 1      3.0 ms
        connection      reused
        first byte      +1.0 ms, 4.0 ms since the start
        receive         +1.0 ms, 5.0 ms since the start
        total           5.0 ms

        """)
  }

  @Test func `without a measured step nothing is claimed`() {
    expect(
      ResponseText.timings(exchange()),
      is: """
        GET http://a.test/

        No times were measured.

        """)
  }

  @Test func `the head writes a long time in seconds`() {
    let head = { ResponseText.whole($0, body: []).split(separator: "\n")[1] }
    #expect(head(exchange(total: 4_015_000)) == "# 4.0 s, 0 bytes")
    #expect(head(exchange(total: 771_400)) == "# 771 ms, 0 bytes")
    #expect(head(exchange(total: 3_260)) == "# 3.3 ms, 0 bytes")
  }
}
