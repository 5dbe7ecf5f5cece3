// `postkit mock`: what its command line takes.

import PostKitTestSupport
import Testing

@Suite struct MockCommandTests {
  @Test func `sources and headers may be repeated`() async throws {
    let bench = try Bench(["a.http": "GET http://h/\n"])
    let result = try await bench.postkit(
      "mock", "--from", "examples", ".", "--from", "openapi", "none.yaml", "--match-header", "A",
      "--match-header", "B")
    // It ends because of the file alone.
    #expect(result.status == 2)
    #expect(result.errorOutput.contains("none.yaml"), "\(result.errorOutput)")
    #expect(!result.errorOutput.contains("twice"), "\(result.errorOutput)")
  }
}
