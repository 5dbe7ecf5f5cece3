// The example server against a real client, the curl command.

import PostKitJSON
import PostKitLoopback
import PostKitTestSupport
import Testing

@testable import PostKitExampleServer

private func curl(_ arguments: String...) async throws -> SubprocessResult {
  try await Subprocess.run(
    "curl", ["-q", "-sS", "--noproxy", "*", "--max-time", "60"] + arguments, timeoutSeconds: 90)
}

@Suite struct CurlTests {
  private let server: LoopbackServer

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

  @Test func `Bodies of every framing arrive`() async throws {
    let chunked = try await curl(
      "-H", "Transfer-Encoding: chunked", "-d", "abc", "\(server.url)/post")
    #expect(Echo.json(chunked.standardOutput)?["body"] == "abc")
    let expecting = try await curl(
      "-H", "Expect: 100-continue", "--expect100-timeout", "15", "-d", "abc", "-w",
      "%{time_total}", "-o", "/dev/null", "\(server.url)/post")
    #expect(try #require(Double(expecting.output)) < 10)
  }

  @Test func `Redirects and cookies lead somewhere`() async throws {
    let redirects = try await curl(
      "-L", "-o", "/dev/null", "-w", "%{num_redirects} %{url_effective} %{num_connects}",
      "\(server.url)/redirect/5")
    #expect(redirects.output == "5 \(server.url)/get 1")
    let cookies = try await curl("-L", "-b", "", "\(server.url)/cookies/set?name=value")
    #expect(Echo.json(cookies.standardOutput)?["cookies"] == ["name": "value"])
  }

  @Test func `Streams have their length`() async throws {
    let lines = try await curl("\(server.url)/stream/3000")
    #expect(lines.output.split(separator: "\n").count == 3_000)
    let bytes = try await curl(
      "-o", "/dev/null", "-w", "%{size_download}", "\(server.url)/bytes/50000001")
    #expect(bytes.output == "50000001")
    let few = try await curl("\(server.url)/bytes/10")
    #expect(few.standardOutput == Array(ExampleSite.pattern.prefix(10)))
  }

  @Test func `Gzip is undone by others`() async throws {
    let echo = try await curl("--compressed", "\(server.url)/gzip?x=1")
    #expect(Echo.json(echo.standardOutput)?["args"] == ["x": "1"])
    let bytes = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    let plain = try await Subprocess.run("gzip", ["-dc"], input: Container.gzip(bytes))
    #expect(plain.standardOutput == bytes)
    let empty = try await Subprocess.run("gzip", ["-dc"], input: Container.gzip([]))
    #expect(empty.status == 0 && empty.standardOutput.isEmpty)
  }

  @Test func `The image is a PNG whose check values are right`() async throws {
    let bytes = try await curl("\(server.url)/image").standardOutput
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]))
    #expect(Container.crc32(Array("123456789".utf8)) == 0xCBF4_3926)
    // The empty last chunk of every PNG, known from its specification.
    #expect(bytes.suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  }

  @Test func `After stop nobody can connect`() async throws {
    server.stop()
    server.stop()
    #expect(try await curl("\(server.url)/get").status == 7)
  }
}
