// When a server that had something to do gives memory back.

import PostKitLanguage
import Testing

@testable import PostKitServer
@testable import PostKitSession

@Suite struct RestWatchTests {
  @Test func `one timer runs until nothing has happened for its time, and then none`() {
    var watch = RestWatch()
    // Of much work the first starts the timer.
    let starts = [watch.noteWork(), watch.noteWork()]
    #expect(starts == [true, false])
    let rests = [watch.isResting(), watch.noteWork(), watch.isResting()]
    #expect(rests == [false, false, false])
    // Nothing was done since: memory is given back, and the next work starts a timer anew.
    let ends = [watch.isResting(), watch.noteWork()]
    #expect(ends == [true, true])
  }
}

@Suite struct LatestResultsTests {
  private func result(_ id: String) -> LastResult {
    LastResult(
      id: id, requestName: "a", line: 1, method: "GET", url: "https://a.test", status: "200 OK",
      isFailure: false, milliseconds: 1, size: 1, startedAt: 0)
  }

  @Test func `results hold for one revision of the history`() {
    var results = LatestResults()
    #expect(results.results(file: "/a", at: 1) == nil)
    results.keep(ResultTable([result("1")]), of: "/a", at: 1)
    results.keep(ResultTable([]), of: "/b", at: 1)
    #expect(results.results(file: "/a", at: 1)?.results.map(\.id) == ["1"])
    #expect(results.results(file: "/b", at: 1)?.results.isEmpty == true)
    #expect(results.results(file: "/a", at: 2) == nil)
    results.keep(ResultTable([result("2")]), of: "/b", at: 2)
    #expect(results.results(file: "/b", at: 2)?.results.map(\.id) == ["2"])
    // Each file has a count of its own, and what was true at one is not at another.
    #expect(results.results(file: "/a", at: 2) == nil)
    #expect(results.results(file: "/a", at: 1)?.results.map(\.id) == ["1"])
    #expect(results.results(file: "/b", at: 1) == nil)
  }

  @Test func `only so many files are kept`() {
    var results = LatestResults()
    for number in 0..<100 { results.keep(ResultTable([]), of: "/\(number)", at: 1) }
    #expect((0..<100).count { results.results(file: "/\($0)", at: 1) != nil } <= 16)
    #expect(results.results(file: "/99", at: 1) != nil)
  }
}
