// A server with narrow limits, on real sockets.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitLoopback

@Suite(.timeLimit(.minutes(5))) struct LimitTests {
  private let service = LoopbackService(
    respond: { LoopbackResponse.content("text/plain", Array($0.path.utf8)) },
    refuse: { status, error, _ in
      LoopbackResponse.content("text/plain", Array(error.utf8), status: status)
    })

  private func server(
    _ limits: LoopbackLimits, on addresses: [LoopbackAddress] = [.ipv4, .ipv6], port: Int = 0,
    isAlone: Bool = false
  ) throws -> LoopbackServer {
    try LoopbackServer.start(on: addresses, port: port, isAlone: isAlone, limits) { _ in service }
  }

  private func answer(_ server: LoopbackServer, _ text: String) async -> String? {
    await RawClient.blocking {
      let client = RawClient(port: server.port)
      defer { client.close() }
      client.send(text)
      return client.readToEnd()
    }
  }

  @Test func `A head or a body that is too long is refused in words`() async throws {
    var limits = LoopbackLimits()
    (limits.headBytes, limits.bodyBytes) = (200, 10)
    let server = try server(limits)
    let long = "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 300))\r\n\r\n"
    #expect(await answer(server, long)?.hasPrefix("HTTP/1.1 431 ") == true)
    let body = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n"
    let refused = await answer(server, body)
    #expect(refused?.contains("The body is longer than 10 bytes.") == true)
  }

  @Test func `A connection ends with its time, whatever it does`() async throws {
    let server = try server(LoopbackLimits(connectionMilliseconds: 200))
    let answer = await RawClient.blocking {
      let client = RawClient(port: server.port)
      defer { client.close() }
      while !client.hasAnswer(withinMilliseconds: 5) {
        client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = client.read(through: "\r\n\r\n/a")
      }
      return client.readToEnd() ?? ""
    }
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408 "))
  }

  @Test func `What follows an answer is done once it is sent`() async throws {
    let done = First<Void>()
    let service = LoopbackService(
      respond: { _ in
        var response = LoopbackResponse.content("text/plain", Array("bye".utf8))
        response.endsConnection = true
        response.afterwards = { done.give(()) }
        return response
      }, refuse: service.refuse)
    let server = try LoopbackServer.start(port: 0, LoopbackLimits()) { _ in service }
    let text = await answer(server, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    await done.value
    #expect(text?.hasSuffix("\r\nConnection: close\r\n\r\nbye") == true)
  }

  @Test func `A port that another has is told, also one of the other address`() throws {
    let first = try server(LoopbackLimits(), on: [.ipv4])
    #expect(throws: LoopbackFailure.portTaken(first.port)) {
      try server(LoopbackLimits(), port: first.port)
    }
    // A system without IPv6 has no other address.
    guard let other = try? Descriptors.loopbackListener(.ipv6) else { return }
    let port = other.port
    #expect(throws: LoopbackFailure.portTaken(port)) {
      try server(LoopbackLimits(), port: port, isAlone: true)
    }
    let both = try server(LoopbackLimits(), port: port)
    #expect(both.port == port)
  }

  @Test func `Only addresses of this machine are loopback`() {
    #expect(LoopbackAddress("127.0.0.1") == .ipv4)
    #expect(LoopbackAddress("127.1.2.3") == .one(0x7F01_0203))
    #expect(LoopbackAddress("::1") == .ipv6)
    for text in ["0.0.0.0", "128.0.0.1", "::", "127.0.0", "127.0.0.256", "localhost", ""] {
      #expect(LoopbackAddress(text) == nil)
    }
  }
}
