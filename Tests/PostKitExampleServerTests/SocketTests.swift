// Clients that are quick, broken, slow or hostile, on real sockets.

import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitExampleServer
@testable import PostKitLoopback

@Suite struct SocketTests {
  private let server: LoopbackServer

  init() throws { server = try ExampleServer.start() }

  /// What the server says to some bytes until it closes the connection.
  private func conversation(_ text: String) async -> String? {
    await RawClient.blocking { [server] in
      let client = RawClient(port: server.port)
      defer { client.close() }
      client.send(text)
      return client.readToEnd()
    }
  }

  @Test func `Pipelined requests are answered in order on one connection`() async throws {
    let answers = try #require(
      await conversation(
        "GET /status/201 HTTP/1.1\r\nHost: a\r\n\r\n"
          + "POST /status/202 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGET /"
          + "HEAD /get HTTP/1.1\r\nHost: a\r\n\r\n"
          + "GET /status/203 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
    let codes = answers.split(separator: "HTTP/1.1 ").map { String($0.prefix(3)) }
    #expect(codes == ["201", "202", "200", "203"])
    #expect(answers.contains("Connection: close\r\n"))
    #expect(answers.contains("Date: "))
  }

  @Test(arguments: [
    ("nonsense\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    ("GET x HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("G@T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: a\nb\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 67108865\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", 400
    ),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4000001\r\n", 413),
  ])
  func `What is no request is refused and the connection closed`(
    text: String, status: Int
  ) async throws {
    let answer = try #require(await conversation(text))
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    #expect(answer.contains("Connection: close\r\n"))
  }

  @Test func `A head that is too long is refused, and the client can read why`() async throws {
    let long = String(repeating: "x", count: 200_000)
    let answer = try #require(await conversation("GET / HTTP/1.1\r\nX: \(long)\r\n\r\n"))
    #expect(answer.hasPrefix("HTTP/1.1 431 "))
    let fitting = String(repeating: "x", count: 65_000)
    let good = try #require(
      await conversation(
        "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: \(fitting)\r\n\r\n"))
    #expect(good.hasPrefix("HTTP/1.1 200 "))
  }

  @Test func `HTTP/1.0 gets no chunks and a closed connection`() async throws {
    let answer = try #require(await conversation("GET /stream/2 HTTP/1.0\r\n\r\n"))
    #expect(!answer.contains("Transfer-Encoding"))
    #expect(answer.hasSuffix(#"{"line":1,"url":"\#(server.url)/stream/2"}"# + "\n"))
  }

  @Test func `A client that leaves ends its delay`() async {
    await RawClient.blocking { [server] in
      let start = Clock.monotonicMicroseconds
      let client = RawClient(port: server.port)
      client.send("GET /status/204 HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = client.read(through: "\r\n\r\n")
      client.send("GET /delay/10 HTTP/1.1\r\nHost: a\r\n\r\n")
      server.connections.wait { $0 == 1 && $1 == 1 }
      client.close()
      server.connections.wait { open, _ in open == 0 }
      #expect(Clock.monotonicMicroseconds - start < 8_000_000)
    }
  }

  @Test func `Requests sent during a delay are answered after it`() async throws {
    let answers = try #require(
      await conversation(
        "GET /delay/0.05 HTTP/1.1\r\nHost: a\r\n\r\n"
          + "GET /status/418 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
    #expect(answers.hasPrefix("HTTP/1.1 200 "))
    #expect(answers.contains("HTTP/1.1 418 "))
  }

  @Test func `Clients that hang keep nobody out`() async {
    let answer = await RawClient.blocking { [server] in
      let silent = (0..<(LoopbackLimits().connections + 10)).map { number in
        let client = RawClient(port: server.port)
        if number % 2 == 0 { client.send("GET / HTTP/1.1\r\nHo") }
        return client
      }
      let client = RawClient(port: server.port)
      client.send("GET /status/204 HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = client.read(through: "\r\n\r\n")
      for other in silent + [client] { other.close() }
      return answer
    }
    #expect(answer.hasPrefix("HTTP/1.1 204 "))
  }

  @Test func `More busy connections than there may be are refused in words`() async {
    let answer = await RawClient.blocking { [server] in
      let greedy = (0..<LoopbackLimits().connections).map { _ in
        let client = RawClient(port: server.port)
        client.send("GET /delay/10 HTTP/1.1\r\nHost: a\r\n\r\n")
        return client
      }
      server.connections.wait { $1 == LoopbackLimits().connections }
      let client = RawClient(port: server.port)
      let answer = client.readToEnd()
      for other in greedy + [client] { other.close() }
      return answer
    }
    #expect(answer?.hasPrefix("HTTP/1.1 503 ") == true)
  }

  @Test func `Stop ends idle, delayed and streaming connections at once`() async {
    await RawClient.blocking { [server] in
      let start = Clock.monotonicMicroseconds
      let targets = ["/delay/10", "/bytes/2147483648", "/status/204"]
      let clients = targets.map { target in
        let client = RawClient(port: server.port)
        client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        return client
      }
      #expect(clients[1].hasAnswer())
      #expect(clients[2].read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 204 "))
      server.stop()
      server.connections.wait { open, _ in open == 0 }
      #expect(Clock.monotonicMicroseconds - start < 8_000_000)
      for client in clients { client.close() }
    }
  }

  /// For how many milliseconds a server waits; the longer ones are for a machine that stands still.
  private static let patiences: [Int64] = [50, 1_000, 10_000]

  @Test(arguments: [
    ("", ""), ("GET /status/204 HTTP/1.1\r\nHost: a\r\n\r\n", "204"), ("GET / HT", "408"),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx", "408"),
  ])
  func `Silence ends a connection, in words where something was begun`(
    text: String, code: String
  ) async throws {
    var found: Substring?
    // A client that stands still for longer than the patience is left before it has begun.
    for milliseconds in Self.patiences where found != Substring(code) {
      let impatient = try ExampleServer.start(
        LoopbackLimits(idleMilliseconds: milliseconds, headMilliseconds: milliseconds))
      let answer = await RawClient.blocking {
        let client = RawClient(port: impatient.port)
        defer { client.close() }
        client.send(text)
        return client.readToEnd()
      }
      found = answer.map { $0.dropFirst(9).prefix(3) }
    }
    #expect(found == Substring(code))
  }

  @Test func `A head that trickles has a time limit as a whole`() async throws {
    var answer = ""
    // As above.
    for milliseconds in Self.patiences where !answer.hasPrefix("HTTP/1.1 408 ") {
      let impatient = try ExampleServer.start(
        LoopbackLimits(idleMilliseconds: 60_000, headMilliseconds: milliseconds))
      answer = await RawClient.blocking {
        let client = RawClient(port: impatient.port)
        defer { client.close() }
        client.send("GET / HTTP/1.1\r\nX: ")
        while !client.hasAnswer(withinMilliseconds: 5) { client.send("x") }
        return client.read(through: "\r\n")
      }
    }
    #expect(answer.hasPrefix("HTTP/1.1 408 "))
  }

  @Test func `Who takes nothing of a long answer is left`() async throws {
    let impatient = try ExampleServer.start(LoopbackLimits(idleMilliseconds: 50))
    await RawClient.blocking {
      let client = RawClient(port: impatient.port, receiveBytes: 4_096)
      client.send("GET /bytes/2147483648 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.hasAnswer())
      impatient.connections.wait { open, _ in open == 0 }
      client.close()
    }
  }

  @Test func `A server without owner ends`() async throws {
    var other: LoopbackServer? = try ExampleServer.start()
    let connections = try #require(other?.connections)
    other = nil
    #expect(connections.isStopped)
  }
}
