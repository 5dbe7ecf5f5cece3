// The example server against a real client, the curl command.

import PostKitJSON
import PostKitTestSupport
import Testing

@testable import PostKitExampleServer

private func curl(_ arguments: String...) async throws -> SubprocessResult {
  try await Subprocess.run(
    "curl", ["-q", "-sS", "--noproxy", "*", "--max-time", "20"] + arguments, timeoutSeconds: 30)
}

@Suite struct CurlTests {
  private let server: ExampleServer

  init() throws { server = try ExampleServer.start() }

  @Test func `The journey of the demo works`() async throws {
    let users = try await curl("\(server.url)/users")
    #expect(Echo.json(users.standardOutput)?.elements.count == 3)
    let login = try await curl("--json", #"{"user":"ada"}"#, "\(server.url)/login")
    let token = try #require(Echo.json(login.standardOutput)?["token"]?.string)
    #expect(token.utf8.count == 32)
    let status = ["-o", "/dev/null", "-w", "%{http_code}"]
    let inside = try await curl(
      status[0], status[1], status[2], status[3], "-H", "Authorization: Bearer \(token)",
      "\(server.url)/protected")
    #expect(inside.output == "200")
    let outside = try await curl(
      status[0], status[1], status[2], status[3], "\(server.url)/protected")
    #expect(outside.output == "401")
  }

  @Test func `The echo names the address that was asked for`() async throws {
    let result = try await curl("\(server.url)/get?q=1")
    #expect(Echo.json(result.standardOutput)?["url"] == .string("\(server.url)/get?q=1"))
    #expect(result.status == 0)
  }

  @Test func `After stop nobody can connect`() async throws {
    server.stop()
    server.stop()
    #expect(try await curl("\(server.url)/get").status == 7)
  }
}
