// Requests beside each other: what may overlap, and that nobody sees it in the result.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite struct ParallelTests {
  /// A server that answers only when as many requests are there as it waits for.
  private static func meeting(_ count: Int) throws -> StubServer {
    let arrived = Monitor(0)
    return try StubServer { request in
      arrived.update { $0 += 1 }
      arrived.wait { $0 >= count ? () : nil }
      return [.response(body: request.target)]
    }
  }

  /// Requests that wait for each other, on a busy machine for long.
  private static func file(_ server: StubServer, _ names: [String]) -> String {
    names.map { "### \($0)\n# @timeout 600 s\nGET \(server.url("/\($0)"))\n" }
      .joined(separator: "\n")
  }

  @Test func `requests that do not need each other are under way at once`() async throws {
    let server = try ParallelTests.meeting(3)
    let track = try Track(ParallelTests.file(server, ["a", "b", "c"]))
    let run = await track.run { $0.parallel = 3 }
    #expect(run.result.outcomes.map(\.name) == ["a", "b", "c"])
    #expect(run.result.exitCode == 0)
  }

  @Test func `results are told in the order of the file`() async throws {
    let lastIsDone = Monitor(false)
    let server = try StubServer { request in
      if request.target == "/a" { lastIsDone.wait { $0 ? () : nil } }
      return [.response(body: request.target)]
    }
    let track = try Track(ParallelTests.file(server, ["a", "b", "c"]))
    let run = await track.run { $0.parallel = 2 } onRecord: { exchange in
      if exchange.requestName == "c" { lastIsDone.update { $0 = true } }
    }
    #expect(run.recorded.map(\.requestName) == ["b", "c", "a"])
    #expect(run.result.outcomes.map(\.name) == ["a", "b", "c"])
    let finished = run.events.compactMap { event -> String? in
      if case .finished(let outcome) = event { outcome.name } else { nil }
    }
    #expect(finished == ["a", "b", "c"])
  }

  @Test func `what needs another waits for it`() async throws {
    let server = try StubServer { request in
      request.target == "/login"
        ? [.response(headers: ["Content-Type: application/json"], body: #"{"t": "t-1"}"#)]
        : [.response(body: "")]
    }
    let uses = (1...5).map {
      "### u\($0)\nGET \(server.url("/u"))?t={{login.response.body.$.t}}\n"
    }.joined(separator: "\n")
    let track = try Track(uses + "\n### login\nGET \(server.url("/login"))\n")
    let run = await track.run { ($0.parallel, $0.repeats) = (4, 2) }
    #expect(run.result.outcomes.count == 12)
    #expect(run.result.exitCode == 0)
    let targets = server.requests.map(\.target)
    let round = ["/login"] + Array(repeating: "/u?t=t-1", count: 5)
    #expect(targets == round + round)
  }

  @Test func `where the latest response is read the order counts`() async throws {
    let server = try StubServer { [.response(body: String($0.target.dropFirst()))] }
    let track = try Track(
      """
      ### a
      GET \(server.url("/a"))

      ### b
      GET \(server.url("/b"))?last={{response.body}}

      ### c
      GET \(server.url("/c"))

      """)
    _ = await track.run { $0.parallel = 3 }
    #expect(server.requests.map(\.target) == ["/a", "/b?last=a", "/c"])
  }

  @Test func `a failure ends the run`() async throws {
    let server = try StubServer { request in
      request.target == "/a" ? [.close] : [.response(body: "")]
    }
    let track = try Track(ParallelTests.file(server, ["a", "b"]))
    let run = await track.run { ($0.parallel, $0.stopsAtFirstFailure) = (1, true) }
    #expect(run.result.outcomes.map(\.exitCode) == [4])
  }

  @Test func `after a failure what is under way is awaited, and nothing more is begun`() async throws {
    let hasFailed = Monitor(false)
    let server = try StubServer { request in
      if request.target == "/a" { return [.close] }
      hasFailed.wait { $0 ? () : nil }
      return [.response(body: "")]
    }
    let track = try Track(ParallelTests.file(server, ["a", "b", "c", "d"]))
    let run = await track.run {
      ($0.parallel, $0.stopsAtFirstFailure) = (2, true)
    } onEvent: { event in
      guard case .finished(let outcome) = event, outcome.name == "a" else { return }
      hasFailed.update { $0 = true }
    }
    #expect(run.result.outcomes.map(\.name) == ["a", "b"])
    #expect(run.result.outcomes.map(\.exitCode) == [4, 0])
    #expect(!run.result.outcomes.contains { $0.state == .cancelled })
  }

  @Test func `a cancelled run cancels all that is under way and begins nothing more`() async throws {
    let arrived = Monitor(0)
    let isOver = Monitor(false)
    let server = try StubServer { _ in
      arrived.update { $0 += 1 }
      isOver.wait { $0 ? () : nil }
      return [.close]
    }
    let track = try Track(ParallelTests.file(server, ["a", "b", "c"]))
    let task = Task { await track.run { $0.parallel = 2 } }
    arrived.wait { $0 == 2 ? () : nil }
    task.cancel()
    let run = await task.value
    isOver.update { $0 = true }
    #expect(run.result.outcomes.map(\.state) == [.cancelled, .cancelled])
    #expect(run.result.exitCode == 130)
    #expect(run.recorded.map(\.state) == [.cancelled, .cancelled])
  }

  @Test func `requests beside each other share their cookies`() async throws {
    let server = try StubServer { request in
      [.response(headers: ["Set-Cookie: \(request.target.dropFirst())=1; Path=/"], body: "")]
    }
    let text = ParallelTests.file(server, ["a", "b"])
    let track = try Track(text + "\n### c\n# @ref a\n# @ref b\nGET \(server.url("/c"))\n")
    _ = await track.run { $0.parallel = 3 }
    let cookies = server.requests.last?.values("Cookie").first ?? ""
    #expect(cookies.split(separator: "; ").sorted() == ["a=1", "b=1"])
  }

  @Test func `a repetition makes its values anew and skips only its own dependants`() async throws {
    let answers = Monitor(0)
    let server = try StubServer { request in
      guard request.target == "/login" else { return [.response(body: "")] }
      let count = answers.update {
        $0 += 1
        return $0
      }
      return count == 1 ? [.close] : [.response(body: "")]
    }
    let track = try Track(
      """
      @id = {{$uuid}}

      ### login
      GET \(server.url("/login"))
      X-Id: {{id}}

      ### use
      # @ref login
      GET \(server.url("/use"))
      X-Id: {{id}}

      """)
    let run = await track.run { $0.repeats = 3 }
    #expect(run.result.outcomes.map(\.exitCode) == [4, 3, 0, 0, 0, 0])
    let ids = server.requests.map { $0.values("X-Id")[0] }
    #expect(ids.count == 5)
    #expect(ids[1] == ids[2] && ids[3] == ids[4])
    #expect(Set(ids).count == 3)
  }
}
