// What stands beside requests: lenses and hints, as text.

import PostKitEvaluate
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

private let text = """
  @base = https://a.test
  GET {{base}}/1

  ### ok
  @id = 5
  # the rest
  POST {{base}}/2
    ?a=1

  ### é
  DELETE {{base}}/3
  """

private func bench(_ results: [LastResult]) -> Bench {
  var bench = Bench()
  bench.results = results
  return bench
}

/// The text with something said about ranges of it drawn below.
private func checkDrawing(
  _ annotations: [(Range<Int>, String)], is expected: String, file: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expect(
    CaretAnnotations.render(text, annotations.map { CaretAnnotation($0.0, $0.1) }), is: expected,
    file: file, sourceLocation: sourceLocation)
}

struct PresentationTests {
  @Test func `Lenses send, show the last answer, and on the first line serve the whole file`() {
    var second = Results.refused
    second.line = 2
    checkDrawing(
      bench([Results.ok, second]).analysis(text).codeLenses().map { ($0.range, $0.title) },
      is: """
      @base = https://a.test
      #| Send all (3)
      #| Environment: dev
      GET {{base}}/1
      #<^^^^^^^^^^^^ Send
      #<^^^^^^^^^^^^ failed: connection refused

      ### ok
      @id = 5
      # the rest
      POST {{base}}/2
      #<^^^^^^^^^^^^^ Send
      #<^^^^^^^^^^^^^ 200 OK  182 ms  4.1 kB
        ?a=1

      ### é
      DELETE {{base}}/3
      #<^^^^^^^^^^^^^^^ Send
      """)
    #expect(Bench().analysis("# nothing").codeLenses().isEmpty)
  }

  @Test func `Hints stand at the ends of request lines inside of the range`() {
    var second = Results.refused
    second.line = 2
    let analysis = bench([Results.ok, second]).analysis(text)
    checkDrawing(
      analysis.resultHints(in: 0..<text.utf8.count).map {
        ($0.offset..<$0.offset, "\($0.text) (\($0.tooltip))")
      }, is: """
      @base = https://a.test
      GET {{base}}/1
      #             | failed: connection refused (GET https://dev.test/)

      ### ok
      @id = 5
      # the rest
      POST {{base}}/2
      #              | 200 OK  182 ms  4.1 kB  20489 d ago (GET https://dev.test/a)
        ?a=1

      ### é
      DELETE {{base}}/3
      """)
    #expect(analysis.resultHints(in: 0..<10).isEmpty)
    let block = analysis.document.blocks[0].range
    func drawn(_ mark: SendMark) -> String {
      analysis.resultHints(in: 0..<text.utf8.count, marks: [block: mark])[0].text
    }
    #expect(drawn(.waiting) == "waiting")
    #expect(drawn(.sending(milliseconds: 999)) == "sending…")
    #expect(drawn(.sending(milliseconds: 1_234)) == "sending… 1.2 s")
    let now: Int64 = 1_770_271_628_009
    #expect(drawn(.notSent(reason: "It was cancelled.", time: now * 2)) == "not sent")
    // A newer result says more.
    #expect(drawn(.notSent(reason: "It was cancelled.", time: -1)) == "failed: connection refused")
    var ended = Results.refused
    ended.status = LastResult.cancelled
    #expect(ended.mood == .cancelled && ended.summary == "cancelled after 2 ms")
    ended.milliseconds = 0
    #expect(ended.summary == "cancelled")
    var today = Results.ok
    today.startedAt = 1_770_271_628_009 - 3_600_000
    let hints = bench([today]).analysis(text).resultHints(in: 0..<text.utf8.count)
    #expect(hints.map(\.text) == ["200 OK  182 ms  4.1 kB  06:07"])
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
    (4_100, "4.1 kB"), (1 << 40, "1.1 TB"),
  ])
  func `Sizes are short`(bytes: Int, expected: String) {
    #expect(SizeText.text(bytes) == expected)
  }
}
