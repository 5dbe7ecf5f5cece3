// Pairs of `postkit collections` at once on one store: what both need is made once, and what one
// was told is done is there.

import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct CollectionPairTests {
  private static let rounds = 6

  /// Runs two commands at once, and waits for both.
  private func pair(
    _ bench: Bench, _ first: [String], _ second: [String]
  ) async throws -> (SubprocessResult, SubprocessResult) {
    async let one = bench.postkit(["collections"] + first)
    async let other = bench.postkit(["collections"] + second)
    return try await (one, other)
  }

  private func names(_ bench: Bench) async throws -> [String] {
    try Bench.json(try await bench.postkit("collections", "--json").output).elements
      .compactMap { $0["name"]?.string }
  }

  @Test func `two that set variables of a new environment make one environment`() async throws {
    let bench = try Bench()
    for round in 0..<Self.rounds {
      let name = "E\(round)"
      let (one, other) = try await pair(
        bench, ["set", "A=1", "--env", name], ["set", "B=2", "--env", name])
      #expect(one.status == 0, "\(one.errorOutput)")
      #expect(other.status == 0, "\(other.errorOutput)")
    }
    let listed = try Bench.json(
      try await bench.postkit("collections", "environments", "--json").output)
    #expect(
      listed.elements.compactMap { $0["environment"]?.string }.sorted()
        == (0..<Self.rounds).map { "E\($0)" })
    for environment in listed.elements {
      let keys = environment["variables"]?.elements.compactMap { $0["name"]?.string }
      #expect(keys?.sorted() == ["A", "B"])
    }
  }

  @Test func `two that save into a new folder make one of each`() async throws {
    let bench = try Bench(["a.http": "### one\nGET $URL/1\n\n### two\nGET $URL/2\n"])
    for round in 0..<Self.rounds {
      let place = "Shop \(round)/users"
      let (one, other) = try await pair(
        bench, ["save", "a.http", "--name", "one", "--to", place],
        ["save", "a.http", "--name", "two", "--to", place])
      #expect(one.status == 0, "\(one.errorOutput)")
      #expect(other.status == 0, "\(other.errorOutput)")
      for name in ["one", "two"] {
        let shown = try await bench.postkit("collections", "show", "\(place)/\(name)")
        #expect(shown.status == 0, "\(shown.errorOutput)")
      }
    }
    #expect(try await names(bench).sorted() == (0..<Self.rounds).map { "Shop \($0)" })
  }

  @Test func `what is saved while its empty folder is deleted is there afterwards`() async throws {
    let bench = try Bench(["a.http": "### one\nGET $URL/1\n"])
    for round in 0..<Self.rounds {
      let place = "Empty \(round)"
      #expect(try await bench.postkit("collections", "create", place).status == 0)
      let (saved, deleted) = try await pair(
        bench, ["save", "a.http", "--name", "one", "--to", place], ["delete", place])
      #expect(saved.status == 0, "\(saved.errorOutput)")
      #expect(
        deleted.status == 0 || deleted.errorOutput.contains("is not empty"),
        "\(deleted.errorOutput)")
      let shown = try await bench.postkit("collections", "show", "\(place)/one")
      #expect(shown.status == 0, "saved and gone: \(shown.errorOutput)")
    }
  }

  @Test func `two that set one secret leave one variable with the value of one of them`()
    async throws
  {
    let bench = try Bench()
    async let one = bench.shell("printf first | \"$POSTKIT\" collections set PIN --secret --env S")
    async let other = bench.shell(
      "printf second | \"$POSTKIT\" collections set PIN --secret --env S")
    let (first, second) = try await (one, other)
    #expect(first.status == 0, "\(first.errorOutput)")
    #expect(second.status == 0, "\(second.errorOutput)")
    guard case .object(let values) = try bench.json("store/secrets.json")["secrets"] else {
      Issue.record("there are no secrets")
      return
    }
    #expect(values.count == 1)
    #expect(["first", "second"].contains(values.first?.value.string ?? ""))
  }
}
