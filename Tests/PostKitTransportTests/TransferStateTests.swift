// The state machine: any order of inputs gives a well-formed life.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitTransport

@Suite struct TransferStateTests {
  private static let lines = [
    "HTTP/1.1 100 Continue\r\n", "HTTP/1.1 101 Switching Protocols\r\n", "HTTP/1.1 200 OK\r\n",
    "HTTP/2 404 \r\n", "X-A: 1\r\n", " folded\r\n", "\r\n", "\r\n", "nonsense\r\n", "HTTP/1.1\r\n",
    "",
  ]

  @Test func `whatever comes in, events are in order and the end is the end`() {
    var random = RepeatableGenerator(seed: 42)
    for _ in 0..<5_000 {
      var state = TransferState()
      var events: [TransferEvent] = []
      var time: Int64 = 0
      for _ in 0..<random.int(in: 1..<30) {
        time += Int64(random.int(in: 0..<150_000))
        events += TransferStateTests.step(&state, &random, at: time).map { [$0] } ?? []
        check(state)
      }
      events += state.finish().map { [$0] } ?? []
      check(events)
      #expect(state.finish() == nil && state.start() == nil)
      #expect(state.receiveBody(count: 1, at: .max) == nil)
      #expect(state.head == nil || state.hasFinalHead || state.head?.status == 101)
    }
  }

  private static func step(
    _ state: inout TransferState, _ random: inout RepeatableGenerator, at time: Int64
  ) -> TransferEvent? {
    switch random.int(in: 0..<12) {
    case 0, 1: return state.start()
    case 2: return state.connect(remoteAddress: "127.0.0.1:80")
    case 3: return state.sendHead(Array("GET / HTTP/1.1\r\n".utf8))
    case 4: return state.sendHead(Array("GET / HTTP/1.1\r\nA: b\r\n\r\n".utf8))
    case 5...8:
      if case .event(let event) = state.receiveLine(Array(random.pick(lines).utf8)) { return event }
      return nil
    case 9, 10: return state.receiveBody(count: random.int(in: 0..<1_000), at: time)
    default: return random.oneIn(10) ? state.finish() : nil
    }
  }

  private func check(_ state: TransferState) {
    #expect(state.receivedBytes >= 0)
    #expect(state.phase != .receiving || state.hasFinalHead)
    #expect(!state.hasFinalHead || state.head?.isInterim == false)
  }

  private func check(_ events: [TransferEvent]) {
    let ranks = events.map { event in
      switch event {
      case .started: 0
      case .connected: 1
      case .sentHead: 2
      case .receivedHead: 3
      case .progress, .body: 4
      case .finished: 5
      }
    }
    #expect(ranks.filter { $0 == 5 } == [5] && ranks.last == 5)
    #expect(ranks.count < 2 || ranks.first == 0)
    for rank in [0, 1, 2, 3] { #expect(ranks.count { $0 == rank } <= 1) }
    if let progress = ranks.firstIndex(of: 4) {
      #expect(ranks[..<progress].contains(3))
    }
    for case .receivedHead(let status, _) in events { #expect(status >= 200 || status < 100) }
  }

  @Test func `a repeated request replaces what was sent and received`() {
    var state = TransferState()
    _ = state.start()
    _ = state.sendHead(Array("GET / HTTP/1.1\r\nA: 1\r\n\r\n".utf8))
    _ = state.receiveLine(Array("HTTP/1.1 401 No\r\n".utf8))
    _ = state.receiveLine(Array("\r\n".utf8))
    _ = state.receiveBody(count: 5, at: 0)
    #expect(state.sendHead(Array("GET / HTTP/1.1\r\n".utf8)) == nil)
    #expect(state.sendHead(Array("A: 2\r\n\r\n".utf8)) == nil)
    #expect(HeaderFields(requestHead: state.requestHead) == [("A", "2")])
    #expect(state.receiveLine(Array("HTTP/1.1 200 OK\r\n".utf8)) == .restarted)
    #expect(state.receivedBytes == 0)
    _ = state.finish()
    #expect(state.head == nil)
  }

  @Test func `each answer of a sign-in has the limit of heads to itself`() {
    var state = TransferState()
    _ = state.start()
    let line = Array("X: \(String(repeating: "y", count: 200_000))\r\n".utf8)
    for status in ["401 No", "200 OK"] {
      _ = state.sendHead(Array("GET / HTTP/1.1\r\n\r\n".utf8))
      _ = state.receiveLine(Array("HTTP/1.1 \(status)\r\n".utf8))
      #expect(state.receiveLine(line) == .nothing)
      _ = state.receiveLine(Array("\r\n".utf8))
    }
    #expect(state.head?.status == 200)
    #expect(state.receiveLine(line) == .tooLong)
  }

  @Test func `progress is told ten times a second at most`() {
    var state = TransferState()
    _ = state.start()
    for line in ["HTTP/1.1 200 OK\r\n", "Content-Length: 10\r\n", "\r\n"] {
      _ = state.receiveLine(Array(line.utf8))
    }
    #expect(state.receiveBody(count: 1, at: 5) == .progress(received: 1, total: 10))
    #expect(state.receiveBody(count: 1, at: 6) == nil)
    #expect(state.receiveBody(count: 1, at: 100_005) == .progress(received: 3, total: 10))
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK"), ("HTTP/2 200 \r\n", "HTTP/2 200 "),
    ("HTTP/1.0 404 Not Found Here\r\n", "HTTP/1.0 404 Not Found Here"),
    ("HTTP/1.1 2000 x\r\n", nil),
    ("HTTP/1.1 20 x\r\n", nil), ("HTTP/1.1\r\n", nil), ("ICY 200 OK\r\n", nil), ("", nil),
  ])
  func `status lines are read`(line: String, expected: String?) {
    let head = ResponseHead(statusLine: Array(line.utf8))
    #expect(head.map { "\($0.version) \($0.status) \($0.reason)" } == expected)
  }

  @Test(arguments: [
    ("http://a", "http a:80"), ("HTTPS://A.test/x?y", "https A.test:443"),
    ("http://a:8080#f", "http a:8080"), ("http://u:p@a/", "http a:80"),
    ("http://[::1]:81/", "http [::1]:81"), ("https://[::1]/", "https [::1]:443"),
    ("http://a:/", "http a:80"), ("http://", nil), ("http://:80/", nil), ("http://a:b/", nil),
    ("ws://a/", nil), ("//a/", nil), ("", nil), ("http://a:-1/", nil),
  ])
  func `endpoints are read from URLs`(url: String, expected: String?) {
    #expect(Endpoint(url: url).map { "\($0.scheme) \($0.name)" } == expected)
  }
}
