// What runs, searches and `postkit history index` do for the index of words.

import PostKitTestSupport
import Testing

@Suite struct HistoryIndexTests {
  /// The history of a run of so many requests, of which it indexes only a part.
  private func filled(_ count: Int) async throws -> Bench {
    let bench = try Bench(["a.http": "GET $URL/needle\n"])
    let run = try await bench.postkit("run", "a.http", "--repeat", "\(count)")
    #expect(run.status == 0)
    return bench
  }

  private func indexed(_ bench: Bench) async throws -> Int {
    let output = try await bench.postkit("doctor").output
    let line = try #require(output.split(separator: "\n").first { $0.contains(" search ") })
    return try #require(line.split(separator: " ").lazy.compactMap { Int($0) }.first)
  }

  @Test func `a run that leaves many words indexes some of them`() async throws {
    let bench = try await filled(200)
    #expect(try await indexed(bench) == 64)
  }

  @Test func `a search indexes what is missing`() async throws {
    let bench = try await filled(200)
    let found = try await bench.postkit("history", "--search", "needle", "--limit", "500")
    #expect(found.output.split(separator: "\n").count == 200)
    #expect(found.errorOutput == "")
    #expect(try await bench.postkit("history", "index").output == "Indexed 0 exchanges.\n")
  }

  @Test func `all that is missing is indexed when asked for`() async throws {
    let bench = try await filled(200)
    #expect(try await bench.postkit("history", "index").output == "Indexed 136 exchanges.\n")
    #expect(try await indexed(bench) == 200)
  }

  @Test func `indexing takes no operands and no options`() async throws {
    let bench = try Bench()
    for words in [["now"], ["--json"]] {
      #expect(try await bench.postkit(["history", "index"] + words).status == 2)
    }
  }
}
