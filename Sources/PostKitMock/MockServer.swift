// The mock on loopback: it answers as recorded, and counts what it could not answer.

import PostKitExampleServer
import PostKitHTTP
package import PostKitLoopback
import PostKitSupport

/// What a mock is told.
package struct MockOptions: Sendable {
  /// The port of 127.0.0.1; 0 for any that is free.
  package var port = 0
  package var latency = MockLatency.none
  /// How many times faster than recorded answers come.
  package var speed = 1.0
  /// Whether equal requests get what was recorded one after the other; else the newest.
  package var followsSequence = true

  /// Makes the defaults.
  package init() {}
}

/// One request to the mock and what became of it.
package struct MockEvent: Sendable, Hashable {
  package var method: String
  /// The path with its query, as it was sent.
  package var target: String
  package var status: Int
  /// Where the answer comes from; `nil` where there was none.
  package var source: String?
}

/// A running mock; it ends with `stop()` or with its last reference.
package final class MockServer: Sendable {
  /// The base URL without a slash at its end.
  package let url: String
  private let server: LoopbackServer
  private let counts: MockCounts

  /// Starts a mock; `report` is called for each request, on the thread of its connection.
  package init(
    _ book: MockBook, _ options: MockOptions = MockOptions(),
    report: @escaping @Sendable (MockEvent) -> Void = { _ in }
  ) throws(LoopbackFailure) {
    let counts = MockCounts()
    server = try ExampleServer.start(port: options.port) { base in
      let answer = MockAnswer(base: base, latency: options.latency, speed: options.speed)
      return { request in
        let target = request.path + (request.query.map { "?" + $0 } ?? "")
        var event = MockEvent(method: request.method, target: target, status: 404)
        defer { report(event) }
        switch book.choose(MockRequest(request)) {
        case .found(let indexes):
          // What is no recording takes no turns: its first is the one that is meant.
          let isRecorded = book.recordings[indexes[indexes.count - 1]].recordedAt != 0
          let number = !isRecorded
            ? 0 : options.followsSequence ? counts.next(indexes, request) : indexes.count - 1
          let recording = book.recordings[indexes[number]]
          (event.status, event.source) = (recording.status, recording.source)
          return answer.response(recording, to: request)
        case .missing(let nearest):
          if let response = MockAnswer.preflight(request) {
            (event.status, event.source) = (response.status, "preflight")
            return response
          }
          counts.miss()
          return MockAnswer.missing(request, nearest)
        }
      }
    }
    url = server.url
    self.counts = counts
  }

  /// How many requests had no answer.
  package var misses: Int { counts.misses }

  /// Closes the port and every connection.
  package func stop() { server.stop() }
}

/// What a mock counts: where equal requests are in their sequence, and requests without an answer.
private final class MockCounts: Sendable {
  private struct State {
    /// The number of the next answer, by the recordings that take turns and the body they answer.
    var next: [Key: Int] = [:]
    var misses = 0
  }

  private struct Key: Hashable {
    let recordings: [Int]
    let target: String
    let body: [UInt8]
  }

  private let state = Monitor(State())

  /// Which of some recordings is the turn of a request: each one once, then the last.
  func next(_ recordings: [Int], _ request: LoopbackRequest) -> Int {
    if recordings.count == 1 { return 0 }
    let key = Key(
      recordings: recordings, target: "\(request.method) \(request.path)?\(request.query ?? "")",
      body: request.body)
    return state.update { state in
      let number = state.next[key] ?? 0
      state.next[key] = min(number + 1, recordings.count - 1)
      return number
    }
  }

  func miss() { state.update { $0.misses += 1 } }

  var misses: Int { state.update { $0.misses } }
}

extension MockRequest {
  /// Makes a request of one that has arrived.
  init(_ request: LoopbackRequest) {
    self.init(
      method: request.method, path: request.segments, query: request.arguments,
      headers: request.headers, body: request.body)
  }
}
