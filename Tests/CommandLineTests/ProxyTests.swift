// Proxies as the program finds them: variables, tags and settings (PK-85).

import PostKitTestSupport
import Testing

@Suite struct ProxyTests {
  private func run(
    _ tags: String, settings: String = "{}", _ variables: [String: String]
  ) async throws -> (result: SubprocessResult, targets: [String], bench: Bench) {
    let bench = try Bench([
      "a.http": "\(tags)GET $URL/x\n", "postkit.json": settings,
    ]) { _ in [.response(body: "x")] }
    let proxy = "127.0.0.1:\(bench.server.port)"
    let result = try await bench.postkit(
      "run", "a.http",
      environment: variables.mapValues { $0.replacing("PROXY", with: proxy) })
    return (result, bench.server.requests.map(\.target), bench)
  }

  private func isProxied(
    _ run: (result: SubprocessResult, targets: [String], bench: Bench)
  ) -> Bool {
    run.targets == ["http://127.0.0.1:\(run.bench.server.port)/x"]
  }

  @Test func `HTTP_PROXY in capitals is obeyed, and NO_PROXY above it`() async throws {
    #expect(isProxied(try await run("", ["HTTP_PROXY": "http://PROXY"])))
    let direct = try await run("", ["HTTP_PROXY": "http://PROXY", "NO_PROXY": "127.0.0.1"])
    #expect(direct.targets == ["/x"])
    let none = try await run("# @no-proxy\n", ["HTTP_PROXY": "http://PROXY"])
    #expect(none.targets == ["/x"])
  }

  @Test func `a proxy that the request names stands above NO_PROXY`() async throws {
    let bench = try Bench([:]) { _ in [.response(body: "x")] }
    let address = "127.0.0.1:\(bench.server.port)"
    for tag in ["@proxy http://ann:hidden1@\(address)", "@proxy \(address)"] {
      try bench.write("a.http", "# \(tag)\nGET $URL/x\n")
      let result = try await bench.postkit(
        "run", "a.http", environment: ["NO_PROXY": "*", "no_proxy": "*"])
      #expect(result.status == 0)
      #expect(bench.server.requests.last?.target == "http://\(address)/x")
    }
    let id = try #require(try await bench.history().last?["id"]?.string)
    let shown = try await bench.postkit("history", "show", id, "--json").output
    #expect(!shown.contains("hidden1") && shown.contains("Proxy-Authorization"))
  }

  @Test func `a text that is no proxy keeps the request from being sent`() async throws {
    let result = try await run("# @proxy ftp://ann:hidden@p.test\n", [:])
    #expect(result.result.status == 3)
    #expect(result.result.errorOutput.contains("`ftp://***@p.test` is not a proxy URL"))
    #expect(result.targets.isEmpty)
  }
}
