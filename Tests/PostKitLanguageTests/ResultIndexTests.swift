// Results stay with their requests while the file is edited.

import PostKitHTTP
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

@testable import PostKitLanguage

private func result(_ id: String, line: Int, _ template: String, name: String? = nil) -> LastResult {
  var result = LastResult(
    id: id, requestName: name, line: line, method: "GET", url: "http://t.test/", status: "200 OK",
    isFailure: false, milliseconds: 1, size: 1, startedAt: 0)
  result.template = template
  return result
}

/// The ids of the results that the requests of a file show, `-` for none.
private func shown(_ text: String, _ results: [LastResult]) -> String {
  let document = ParsedDocument(bytes: Array(text.utf8))
  let index = ResultIndex(results, document)
  return document.requests.map { request in
    let block = document.blocks[request.index]
    let line = document.line(at: block.absolute(block.syntax.request?.line ?? 0..<0).lowerBound) + 1
    return index.result(of: block, line: line)?.id ?? "-"
  }.joined(separator: " ")
}

@Suite struct ResultIndexTests {
  static let a = "GET http://t.test/a\n"
  static let b = "GET http://t.test/b\n"

  @Test(arguments: [
    (182, [], "200 OK  182 ms  4.1 kB"), (12_345, [], "200 OK  12.3 s  4.1 kB"),
    (1, [true], "200 OK  1 ms  4.1 kB  ✓ 1 test passed"),
    (1, [true, true], "200 OK  1 ms  4.1 kB  ✓ 2 tests passed"),
    (1, [false, true, true], "200 OK  1 ms  4.1 kB  ✗ 1 of 3 tests failed"),
  ] as [(Int, [Bool], String)])
  func `a result says how long it took and what its checks came to`(
    milliseconds: Int, checks: [Bool], words: String
  ) {
    var sent = result("a", line: 1, Self.a)
    (sent.milliseconds, sent.size) = (milliseconds, 4_100)
    sent.checks = checks.map { TestResult(name: "status", passed: $0) }
    #expect(sent.summary == words)
  }

  @Test func `a result says how far it is from its description`() {
    var sent = result("a", line: 1, Self.a)
    (sent.milliseconds, sent.size) = (1, 4_100)
    sent.contract = "3 deviations from openapi.yaml"
    #expect(sent.summary == "200 OK  1 ms  4.1 kB  3 deviations from openapi.yaml")
    #expect(sent.mood == .done)
  }

  @Test func `a result moves with its request`() {
    let sent = [result("a", line: 1, Self.a), result("b", line: 3, "###\n" + Self.b)]
    #expect(shown(Self.a + "###\n" + Self.b, sent) == "a b")
    #expect(shown("# new\n\n###\n" + Self.a + "\n\n###\n" + Self.b, sent) == "- b")
    #expect(shown("GET http://t.test/new\n\n###\n" + Self.b, sent) == "a b")
  }

  @Test func `no request shows the result of one that has moved to another line`() {
    let sent = [result("a", line: 2, "###\n" + Self.a), result("b", line: 4, "###\n" + Self.b)]
    let text = "###\nGET http://t.test/new\n###\n" + Self.a + "###\n" + Self.b
    #expect(shown(text, sent) == "- a b")
  }

  @Test func `a request that was edited keeps its result while it stays on its line`() {
    let sent = [result("a", line: 1, Self.a)]
    #expect(shown("GET http://t.test/a?x=1\n", sent) == "a")
    #expect(shown("\nGET http://t.test/a?x=1\n", sent) == "-")
  }

  @Test func `equal requests are told apart by their lines`() {
    let text = "###\n" + Self.a + "###\n" + Self.a
    #expect(shown(text, [result("second", line: 4, "###\n" + Self.a)]) == "- second")
  }

  @Test func `the newest result counts, and a name more than a text`() {
    let sent = [result("new", line: 9, Self.a), result("old", line: 1, Self.a)]
    #expect(shown(Self.a, sent) == "new")
    let named = "### one\n" + Self.a
    let byName = [result("x", line: 2, named), result("one", line: 7, "", name: "one")]
    #expect(shown(named, byName) == "one")
  }

  @Test func `results of older versions, without text, are found by line`() {
    #expect(shown(Self.a, [result("a", line: 1, "")]) == "a")
  }

  @Test(arguments: 0..<10)
  func `what is known of the last look gives the results of a first one`(seed: Int) throws {
    var random = RepeatableGenerator(seed: UInt64(seed))
    let pieces = ["###\n", Self.a, Self.b, "# @name n\n", "\n", "x"]
    var bytes = Array(("###\n" + Self.a + "\n###\n" + Self.b + "\n###\n" + Self.a).utf8)
    var table = ResultTable([])
    var index: ResultIndex?
    var previous: ParsedDocument?
    for step in 0..<80 {
      if random.oneIn(2) {
        let starts = [0] + bytes.indices.filter { bytes[$0] == 10 }.map { $0 + 1 }
        bytes.insert(contentsOf: Array(random.pick(pieces).utf8), at: random.pick(starts))
      }
      if random.oneIn(3) {
        let sent = (0..<random.int(in: 0..<4)).map { number in
          result(
            "\(number)", line: random.int(in: 1..<12), random.pick([Self.a, "###\n" + Self.b]),
            name: random.oneIn(4) ? "n" : nil)
        }
        table = ResultTable(sent)
      }
      let document = ParsedDocument(bytes: bytes, reusing: previous)
      previous = document
      let kept = ResultIndex(table, document, reusing: index)
      index = kept
      let plain = ResultIndex(table.results, document)
      for block in document.requests {
        let line = document.line(at: block.range.lowerBound) + 1
        try #require(
          kept.result(of: block, line: line) == plain.result(of: block, line: line),
          "step \(step): \(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }
}
