// Globals from run to run: kept where the project wants it, and only what is no secret (PK-59).

import PostKitTestSupport
import Testing

@Suite struct GlobalTests {
  private static let files = [
    "set.http": "@global.x = seven\n@global.key = {{token}}\nGET $URL/set\n",
    "read.http": "GET $URL/{{x}}\n",
    "secret.http": "GET $URL/{{key}}\n",
    "http-client.private.env.json": #"{"dev": {"token": "hush-hush"}}"#,
  ]

  @Test func `a run forgets globals where nothing else is said`() async throws {
    let bench = try Bench(Self.files) { _ in [.response()] }
    #expect(try await bench.postkit("run", "set.http", "--env", "dev").status == 0)
    let result = try await bench.postkit("run", "read.http", "--env", "dev")
    #expect(result.status == 3)
    #expect(result.errorOutput.contains("`x`"))
  }

  @Test func `a project may keep them, but for secrets`() async throws {
    let files = Self.files.merging(["postkit.json": #"{"persistGlobals": true}"#]) { $1 }
    let bench = try Bench(files) { _ in [.response()] }
    #expect(try await bench.postkit("run", "set.http", "--env", "dev").status == 0)
    #expect(try await bench.postkit("run", "read.http", "--env", "dev").status == 0)
    #expect(bench.server.requests.map(\.target) == ["/set", "/seven"])
    #expect(try await bench.postkit("run", "secret.http", "--env", "dev").status == 3)
    #expect(try await bench.postkit("run", "read.http").status == 3, "another environment")
    #expect(
      try await bench.postkit("run", "read.http", "--env", "dev", "--no-history").status == 3)
  }
}
