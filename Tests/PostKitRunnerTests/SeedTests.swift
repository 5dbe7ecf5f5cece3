// Runs with a seed: the same bytes each time, whatever else is sent.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite struct SeedTests {
  private static let file = """
    @run = {{$uuid}}
    ### a
    GET URL/{{$uuid}}?{{$randomInt}}&{{$timestamp}}&{{run}}

    ### b
    GET URL/{{run}}?{{$random.name.firstName}}&{{$random.alphabetic(9)}}

    """

  /// The targets that were asked for, by the request's name and in order.
  private func targets(
    seed: UInt64?, _ names: [String] = ["a", "b"], change: (inout RunInput) -> Void = { _ in }
  ) async throws -> [String] {
    let server = try StubServer { _ in [.response(body: "")] }
    let url = server.url("")
    let track = try Track(SeedTests.file.replacing("URL", with: url))
    let result = await track.run {
      $0.seed = seed
      $0.blocks = names.compactMap { $0 == "a" ? 1 : 2 }
      change(&$0)
    }
    return result.result.outcomes.map { "\($0.name ?? "") \($0.url.dropFirst(url.count))" }
  }

  @Test func `the same seed gives the same bytes`() async throws {
    let first = try await targets(seed: 7)
    #expect(first.count == 2 && first[0].contains("&1577836800&"))
    #expect(try await targets(seed: 7) == first)
    #expect(try await targets(seed: 8) != first)
    #expect(try await targets(seed: nil) != targets(seed: nil))
  }

  @Test func `neither order nor company changes what a request draws`() async throws {
    let both = try await targets(seed: 7)
    #expect(try await targets(seed: 7, ["b"]) == [both[1]])
    #expect(try await targets(seed: 7, ["b", "a"]) == both.reversed())
    #expect(try await targets(seed: 7) { $0.parallel = 2 } == both)
  }

  @Test func `repetitions differ, the same in each run`() async throws {
    let rounds = try await targets(seed: 7) { $0.repeats = 3 }
    #expect(Set(rounds).count == 6)
    #expect(
      try await targets(seed: 7) {
        $0.repeats = 3
        $0.parallel = 4
      } == rounds)
  }

  @Test func `the bits are those of SplitMix64`() {
    // The empty stream begins at the seed and the start of FNV-1a.
    let random = SeededRandom(seed: 0xCBF2_9CE4_8422_2325, stream: "")
    #expect(random.next() == 0xE220_A839_7B1D_CDAF)
    #expect(random.next() == 0x6E78_9E6A_A1B9_65F4)
  }
}
