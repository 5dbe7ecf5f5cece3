// What takes long looks as it goes on whether anybody still waits for it (PROMISES.md R5).

import PostKitEvaluate
import PostKitLanguage
import PostKitSyntax
import PostKitText
import Testing

@Suite struct AbandonmentTests {
  private static let count = 200

  /// Requests that have something to say for everybody: names, links, values, results.
  private static let text = "@base = https://a.test\n\n" + (0..<count).map {
    "### R\($0)\n# @docs https://docs.test/\($0)\nGET {{base}}/\($0)\nX-A: {{base}}\n\n"
  }.joined()

  /// An analysis that nobody waits for after some questions.
  private func analysis(_ waiting: Waiting) -> Analysis {
    let result = LastResult(
      id: "1", requestName: nil, line: 5, method: "GET", url: "https://a.test", status: "200 OK",
      isFailure: false, milliseconds: 1, size: 1, startedAt: 0)
    var bench = Bench()
    bench.results = [result]
    var analysis = bench.analysis(AbandonmentTests.text)
    analysis.isAbandoned = waiting.isOver
    return analysis
  }

  @Test(arguments: 0..<7)
  func `What goes through all requests ends within a few of them`(reader: Int) {
    let readers: [(Analysis) -> Int] = [
      { $0.symbols().count },
      { $0.documentLinks().count },
      { $0.codeLenses().count },
      { $0.inlayHints(in: 0..<$0.document.bytes.count, variables: .all).count },
      { $0.resultHints(in: 0..<$0.document.bytes.count).count },
      { $0.diagnostics(limit: 10_000).count },
      { analysis in
        var tokens = DocumentTokens()
        tokens.update(for: analysis, TokenLegend(types: ["variable"], modifiers: []), .utf16)
        return tokens.data.count
      },
    ]
    let patient = Waiting(for: .max)
    let all = readers[reader](analysis(patient))
    #expect(patient.questions >= AbandonmentTests.count)
    let impatient = Waiting(for: 5)
    let part = readers[reader](analysis(impatient))
    // Lenses stand above the first request, too, and each request has some of them.
    #expect(part <= 40)
    #expect(all > 5 * part || all == 0)
  }

  @Test func `Folds that nobody waits for are none, and the next look has them all`() {
    let document = ParsedDocument(bytes: Array(AbandonmentTests.text.utf8))
    var folding = Folding()
    let waiting = Waiting(for: 5)
    #expect(folding.ranges(of: document) { waiting.isOver() } == nil)
    #expect(waiting.questions == 6)
    #expect(folding.ranges(of: document) { false } == Folding.ranges(of: document))
  }

  @Test func `A search through all files ends with the file that it is in`() throws {
    let files = (0..<50).map { number in
      FileNames(
        path: "/w/f\(number).http",
        document: ParsedDocument(bytes: Array("@a = 1\n\n### R\nGET https://x.test/{{a}}\n".utf8)),
        dialect: Dialect(), resolve: { _ in nil })
    }
    var project = ProjectIndex(files)
    #expect(project.symbols(matching: "a", limit: 100).count == 50)
    let waiting = Waiting(for: 3)
    project.isAbandoned = waiting.isOver
    #expect(project.symbols(matching: "a", limit: 100).count == 3)
    #expect(waiting.questions == 4)
    let found = try #require(project.meaning(in: "/w/f0.http", at: 1))
    #expect(project.uses(of: found.meaning, from: found.occurrence, in: "/w/f0.http").isEmpty)
  }
}
