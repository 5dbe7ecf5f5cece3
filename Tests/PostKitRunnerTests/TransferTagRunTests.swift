// Tags about how a request is carried out: what each does on the wire, and what is said of values
// that mean nothing.

import PostKitEvaluate
import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct TransferTagRunTests {
  private static func server() throws -> StubServer { try StubServer { _ in [.response()] } }

  @Test(arguments: [(true, 1), (false, 0), (nil, 1)] as [(Bool?, Int)])
  func `@note asks before it sends, where there is somebody to ask`(
    answer: Bool?, sent: Int
  ) async throws {
    let server = try Self.server()
    let track = try Track("# @note Really?\nGET \(server.url("/"))\n")
    let run = await track.run(confirms: answer)
    #expect(server.requests.count == sent)
    #expect(run.recorded.count == sent)
  }

  @Test func `a proxy gets the whole URL, and @no-proxy goes without`() async throws {
    let proxy = try Self.server()
    let server = try Self.server()
    let address = "http://127.0.0.1:\(proxy.port)"
    for tags in ["# @proxy \(address)\n", "# @proxy {{p}}\n@p = \(address)\n"] {
      _ = await (try Track(tags + "GET \(server.url("/x"))\n")).run()
      #expect(proxy.requests.last?.target == server.url("/x"))
    }
    #expect(server.requests.isEmpty)
    let without = try Track("# @no-proxy\nGET \(server.url("/x"))\n")
    _ = await without.run { $0.defaults.options.proxy = address }
    #expect(server.requests.map(\.target) == ["/x"])
  }

  @Test(arguments: ["@insecure", "@no-reject-unauthorized", "@noRejectUnauthorized"])
  func `a certificate that is not valid is accepted, and that is kept`(_ tag: String) async throws {
    guard let server = try await NginxServer.start() else { return }
    let line = "GET https://localhost:\(server.securePort)/\n"
    let refused = try #require(await (try Track(line)).run().result.outcomes.first)
    #expect(refused.failure?.code == .tls)
    let accepted = try #require(await (try Track("# \(tag)\n" + line)).run().recorded.first)
    #expect(accepted.response?.status == 200 && accepted.isUnverified)
  }

  @Test func `@connection-timeout is no limit of the answer`() async throws {
    let gate = StubGate()
    let server = try StubServer { _ in [.wait(gate), .response()] }
    let track = try Track("# @connection-timeout 20 s\nGET \(server.url("/"))\n")
    async let running = track.run()
    _ = await server.waitForRequests(1)
    gate.open()
    #expect(await running.recorded.first?.response?.status == 200)
  }

  @Test(arguments: [
    ("@connection-timeout soon", "soon"), ("@timeout -5 s", "-5 s"), ("@connectionTimeout", ""),
  ])
  func `a duration that is none keeps the request back`(_ tag: String, _ value: String) async throws
  {
    let server = try Self.server()
    let text = "\n# \(tag)\nGET \(server.url("/"))\n"
    let run = await (try Track(text)).run()
    #expect(server.requests.isEmpty)
    let problem = try #require(run.result.outcomes.first?.problems.first)
    #expect(problem.kind == .badDuration(value))
    #expect(String(decoding: Array(text.utf8)[problem.range], as: UTF8.self) == "# \(tag)")
  }

  @Test(arguments: ["@accept chunked", "@accept anything", "@accept"])
  func `@accept is known and changes nothing that is sent`(_ tag: String) async throws {
    let server = try Self.server()
    for line in ["", "# \(tag)\n"] {
      let run = await (try Track("\(line)GET \(server.url("/"))\n")).run()
      #expect(run.result.outcomes.flatMap(\.problems).isEmpty)
    }
    #expect(server.requests.count == 2)
    #expect(server.requests[0].values("Accept") == server.requests[1].values("Accept"))
  }
}
