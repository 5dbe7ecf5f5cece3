// Headers and parameters of stored requests that are switched off: kept as such, and not sent.

import PostKitStore
import PostKitTestSupport
import Testing

@Suite struct SwitchedOffTests {
  /// What a store has as rows, in order: those that are off in brackets.
  private func rows(_ bench: Bench) async throws -> [String] {
    let store = try await Store.open(StoreLocation(directory: bench.store))
    let parameters = try await store.fetch(
      FetchDescriptor<Model.QueryParameter>(sortBy: { [$0.sortOrder.ascending] }))
    let headers = try await store.fetch(
      FetchDescriptor<Model.RequestHeader>(sortBy: { [$0.sortOrder.ascending] }))
    let found = parameters.map { ($0.key, $0.isEnabled) } + headers.map { ($0.key, $0.isEnabled) }
    await store.close()
    return found.map { $0.1 ? $0.0 : "[\($0.0)]" }
  }

  @Test func `what is switched off is a row that is not enabled, and not sent`() async throws {
    let text = "# @name r\nGET $URL/x\n?a=1\n# &b=2\nX-On: 1\n# X-Off: 1\n"
    let bench = try Bench(["a.http": text])
    let save = ["collections", "save", "a.http", "--to", "Shop"]
    for (text, expected, target) in [
      (text, ["a", "[b]", "X-On", "[X-Off]"], "/x?a=1"),
      (
        text.replacing("# &", with: "&").replacing("# X-Off", with: "X-Off"),
        ["a", "b", "X-On", "X-Off"], "/x?a=1&b=2"
      ),
      (
        text.replacing("X-On", with: "# X-On"), ["a", "[b]", "[X-On]", "[X-Off]"], "/x?a=1"
      ),
    ] {
      try bench.write("a.http", text)
      #expect(try await bench.postkit(save).status == 0)
      #expect(try await rows(bench) == expected)
      #expect(try await bench.postkit("collections", "send", "Shop/r").status == 0)
      let sent = try #require(bench.server.requests.last)
      #expect(sent.target == target)
      for name in ["X-On", "X-Off"] {
        let isSent = sent.lines.contains("\(name): 1")
        #expect(isSent == expected.contains(name), "\(name) in \(sent.lines)")
      }
    }
  }
}
