// A request that is sent while the one before it is recorded: nobody sees a difference, apart from
// the time that passes.

import Dispatch
import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitRunner

/// Which requests have arrived at a server, for those that wait for one.
private struct Arrivals: Sendable {
  private let arrived: [String: DispatchSemaphore]

  init(_ targets: String...) {
    arrived = Dictionary(uniqueKeysWithValues: targets.map { ($0, DispatchSemaphore(value: 0)) })
  }

  func note(_ target: String) { arrived[target]?.signal() }

  /// Blocks this thread; gives up after the time that the slowest machine needs.
  func wait(for target: String) -> Bool {
    arrived[target]?.wait(timeout: .now() + .seconds(60)) == .success
  }
}

@Suite(.timeLimit(.minutes(10))) struct AheadTests {
  private static func file(_ server: StubServer, _ names: String...) -> String {
    names.map { "### \($0)\nGET \(server.url("/\($0)"))\n" }.joined(separator: "\n")
  }

  private static func finished(_ run: Track.Result) -> [String] {
    run.events.compactMap { event in
      if case .finished(let outcome) = event { outcome.title } else { nil }
    }
  }

  // MARK: - What overlaps

  @Test func `the next request is sent before an answer is recorded, in the order of the file`()
    async throws
  {
    let arrivals = Arrivals("/b", "/c")
    let server = try StubServer { request in
      arrivals.note(request.target)
      return [.response(body: request.target)]
    }
    let track = try Track(AheadTests.file(server, "a", "b", "c"))
    let run = await track.run {
      $0.watchesTransfers = false
    } onRecord: { exchange in
      let next = ["a": "/b", "b": "/c"][exchange.requestName ?? ""]
      if let next { #expect(arrivals.wait(for: next), "\(next) is not sent ahead") }
    }
    #expect(server.requests.map(\.target) == ["/a", "/b", "/c"])
    #expect(run.recorded.map(\.requestName) == ["a", "b", "c"])
    #expect(AheadTests.finished(run) == ["a", "b", "c"])
    #expect(run.recorded.map(\.id) == run.recorded.map(\.id).sorted())
    #expect(run.recorded.map(\.startedAt) == run.recorded.map(\.startedAt).sorted())
  }

  @Test func `no request is sent before the one before is answered in full`() async throws {
    let gate = StubGate()
    let server = try StubServer { request in
      guard request.target == "/a" else { return [.response(body: "")] }
      return [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx"), .wait(gate), .text("y")]
    }
    let track = try Track(AheadTests.file(server, "a", "b"))
    async let running = track.run { $0.watchesTransfers = false }
    _ = await server.waitForRequests(1)
    #expect(server.requests.map(\.target) == ["/a"])
    gate.open()
    let run = await running
    #expect(run.result.exitCode == 0)
    // A second connection would have been needed to send it earlier.
    #expect(server.connectionCount == 1)
  }

  // MARK: - What keeps the next request from being sent

  @Test(arguments: [
    ("GET {server}/closed", 4), ("GET {server}/a\n?? status == 500", 1),
    ("# @kulala-expect-status-code 500\nGET {server}/a", 1), ("GET {server}/loop", 4),
  ])
  func `where the first failure ends a run, nothing is sent after it`(
    first: String, exitCode: Int
  ) async throws {
    let server = try StubServer { request in
      switch request.target {
      case "/closed": [.close]
      case "/loop": [.response("302 Found", headers: ["Location: /loop"])]
      default: [.response(body: "x")]
      }
    }
    let request = first.replacing("{server}", with: server.url(""))
    let track = try Track("### first\n\(request)\n\n" + AheadTests.file(server, "b", "c"))
    let run = await track.run { ($0.watchesTransfers, $0.stopsAtFirstFailure) = (false, true) }
    #expect(run.result.outcomes.map(\.exitCode) == [Int32(exitCode)])
    #expect(!server.requests.contains { ["/b", "/c"].contains($0.target) })
    #expect(run.recorded.map(\.requestName) == ["first"])
  }

  @Test func `a failure that ends nothing is followed by the next request`() async throws {
    let server = try StubServer { request in
      request.target == "/a" ? [.close] : [.response(body: "x")]
    }
    let track = try Track(AheadTests.file(server, "a", "b"))
    let run = await track.run { $0.watchesTransfers = false }
    #expect(run.recorded.map(\.state) == [.failed, .done])
  }

  @Test func `what a request needs is not followed by the request after that one`() async throws {
    let server = try StubServer { [.response(body: $0.target)] }
    let track = try Track(
      AheadTests.file(server, "a") + "\n### b\n# @forceRef a\nGET \(server.url("/b"))\n\n"
        + AheadTests.file(server, "c"))
    _ = await track.run { $0.watchesTransfers = false }
    #expect(server.requests.map(\.target) == ["/a", "/a", "/b", "/c"])
  }

  @Test func `redirects are followed before the next request is sent`() async throws {
    let server = try StubServer { request in
      request.target == "/a"
        ? [.response("302 Found", headers: ["Location: /there"])] : [.response(body: "x")]
    }
    let track = try Track(AheadTests.file(server, "a", "b"))
    _ = await track.run { $0.watchesTransfers = false }
    #expect(server.requests.map(\.target) == ["/a", "/there", "/b"])
  }

  @Test func `cancelling between two requests ends the one that is on its way`() async throws {
    let arrivals = Arrivals("/b", "/c")
    let server = try StubServer { request in
      arrivals.note(request.target)
      return request.target == "/b" ? [.waitForClose] : [.response(body: "x")]
    }
    let track = try Track(AheadTests.file(server, "a", "b", "c"))
    let task = Task {
      await track.run {
        $0.watchesTransfers = false
      } onRecord: { exchange in
        guard exchange.requestName == "a" else { return }
        #expect(arrivals.wait(for: "/b"), "it is not sent ahead")
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let run = await task.value
    #expect(run.result.outcomes.map(\.state) == [.done, .cancelled])
    #expect(run.recorded.map(\.requestName) == ["a", "b"])
    #expect(server.requests.map(\.target) == ["/a", "/b"])
  }

  @Test func `cancelling a request sends none that was to follow it`() async throws {
    let server = try StubServer { _ in [.waitForClose] }
    let track = try Track(AheadTests.file(server, "a", "b"))
    let task = Task { await track.run { $0.watchesTransfers = false } }
    _ = await server.waitForRequests(1)
    task.cancel()
    #expect(await task.value.result.outcomes.map(\.state) == [.cancelled])
    #expect(server.requests.map(\.target) == ["/a"])
  }

  // MARK: - What nobody may see

  /// Requests that have to do with each other in all ways there are, or with nothing.
  private static let samples = [
    "GET {server}/plain?{n}", "POST {server}/plain\n\n{\"n\": {n}}", "GET {server}/closed",
    "GET {server}/moved", "GET {server}/plain\n?? status == 200", "GET {server}/missing",
    "GET {server}/plain\n?? status == 201", "# @disabled\nGET {server}/plain",
    "# @loop for 2\nGET {server}/plain", "GET {server}/plain?last={{response.body}}",
    "GET {server}/plain?first={{r0.response.body}}", "# @ref r0\nGET {server}/plain",
    "# @forceRef r0\nGET {server}/plain", "# @delay 1\nGET {server}/plain",
    "GET {server}/plain\nAuthorization: Bearer abcdefgh", "GET {server}/plain?{{unknown}}",
    "GET {server}/echo?abcdefgh", "GET {server}/plain\n>> saved-{n}.txt",
    "POST {server}/plain\n\n< saved-1.txt", "GET not a url", "@token = secret-{n}\nGET {server}/c",
    "GET {server}/plain\n@after = {{response.body}}", "GET {server}/plain?{{after}}",
    "# @no-log\nGET {server}/cookie", "GET {server}/plain\nX-Random: {{$randomInt 1 1000}}",
  ]

  /// All that a run leaves behind, but for times and ids.
  private static func traces(_ run: Track.Result) -> [String] {
    let told = run.events.compactMap { event -> String? in
      switch event {
      case .sending(_, let place, let method, let url): "sends \(place) \(method) \(url)"
      case .warnings(let problems): "warns \(problems.map(\.message))"
      case .skipped(let skipped): "skips \(skipped.reason)"
      case .finished(let outcome):
        "ends \(outcome.title) \(outcome.url) \(outcome.exitCode) \(outcome.failure?.message ?? "")"
      case .queue(let requests), .plan(let requests): "plans \(requests.map(\.title))"
      case .transfer, .answered: nil
      case .signIn(_, let sentence): "signs in \(sentence)"
      case .output(_, let lines): "prints \(lines.map(\.text))"
      }
    }
    let recorded = run.recorded.map {
      "keeps \($0.requestName ?? "") \($0.request) \($0.response.debugDescription) \($0.tests)"
    }
    return told + recorded
  }

  @Test(arguments: UInt64(0)..<60)
  func `a run looks the same, whether requests are prepared ahead or not`(
    seed: UInt64
  ) async throws {
    var generator = RepeatableGenerator(seed: seed)
    let server = try StubServer { request in
      switch request.target {
      case "/closed": [.close]
      case "/moved": [.response("302 Found", headers: ["Location: /plain"])]
      case "/missing": [.response("404 Not Found", body: "no")]
      case "/cookie": [.response(headers: ["Set-Cookie: c=1"], body: "")]
      default: [.response(body: request.target)]
      }
    }
    let blocks = (0..<Int.random(in: 2...8, using: &generator)).map { index in
      let sample = AheadTests.samples.randomElement(using: &generator) ?? ""
      let text = sample.replacing("{n}", with: "\(index)")
      return "### r\(index)\n" + text.replacing("{server}", with: server.url("")) + "\n"
    }
    let stops = Bool.random(using: &generator)
    var traces: [[String]] = []
    for watches in [true, false] {
      let track = try Track(blocks.joined(separator: "\n"))
      let before = server.requests.count
      let run = await track.run {
        $0.watchesTransfers = watches
        $0.stopsAtFirstFailure = stops
        $0.seed = seed
      }
      let received = server.requests.dropFirst(before).map { "gets \($0.lines)" }
      let folder = track.directory.path("")
      traces.append((AheadTests.traces(run) + received).map { $0.replacing(folder, with: "") })
    }
    #expect(traces[0] == traces[1])
  }
}
