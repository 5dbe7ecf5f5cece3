// Any text, asked for anything, anywhere: an answer inside of the text, and soon.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

private let sample = """
  # @dialect auto
  @base = https://dev.test/{{tenant}}
  @id := {{$uuid}}-{{pin}}

  ### Log in
  # @name login
  # @ref other
  POST {{base}}/login?a=1
    &b={{user}} HTTP/1.1
  Content-Type: application/json
  Authorization: Bearer {{token}}
  X-Ü: {{nothing}}
  {{user}}

  // a comment with {{inside}}
  {"name": "{{user}}", "n": {"m": "{{login.response.body.$.user.id}}"}}
  < ./file.json

  > {% client.log(1) %}
  ?? status == 200

  ### other
  GET /x
  Host: {{host}}
  """

/// Asks for every feature at every offset; all ranges must lie in the text.
private func checkEverything(
  _ bytes: [UInt8], _ bench: Bench, sourceLocation: SourceLocation = #_sourceLocation
) {
  let analysis = bench.analysis(bytes)
  let all = 0..<bytes.count
  func check(_ range: Range<Int>, _ what: String) {
    let isInside = all.lowerBound <= range.lowerBound && range.upperBound <= all.upperBound
    #expect(isInside, "\(what) \(range) in \(bytes.count) bytes", sourceLocation: sourceLocation)
  }
  for diagnostic in analysis.diagnostics(limit: 100) {
    check(diagnostic.range, diagnostic.code.rawValue)
    #expect(!diagnostic.message.isEmpty, sourceLocation: sourceLocation)
  }
  for lens in analysis.codeLenses() { check(lens.range, lens.title) }
  for hint in analysis.resultHints(in: all) { check(hint.offset..<hint.offset, hint.text) }
  for fold in Folding.ranges(of: analysis.document) { check(fold.range, "fold") }
  for link in analysis.documentLinks() { check(link.range, "link") }
  for symbol in analysis.symbols() {
    check(symbol.range, symbol.name)
    let isNested = symbol.range.clamped(to: symbol.selection) == symbol.selection
    #expect(isNested, "\(symbol)", sourceLocation: sourceLocation)
  }
  for offset in 0...bytes.count + 1 {
    for item in analysis.completion(at: offset).items {
      check(item.replaced, item.label)
      let caret = min(offset, bytes.count)
      #expect(
        item.replaced.lowerBound <= caret && caret <= item.replaced.upperBound + 1,
        "\(item.label) at \(offset)", sourceLocation: sourceLocation)
    }
    if let hover = analysis.hover(at: offset) { check(hover.range, hover.markdown) }
    for place in analysis.definitions(at: offset) {
      check(place.origin, "reference")
      if place.path == nil { check(place.range, "definition") }
    }
  }
}

struct RobustnessTests {
  private static let bench: Bench = {
    var bench = Bench()
    bench.exchanges["login"] = Bench.exchange(
      #"{"user": {"id": 7}}"#, headers: ["Content-Type": "application/json"])
    bench.results = [
      LastResult(
        id: "1", requestName: "login", line: 6, method: "POST", url: "http://t.test/",
        status: "200 OK", isFailure: false, milliseconds: 12, size: 99, startedAt: 0)
    ]
    return bench
  }()

  @Test func `Every feature answers at every offset of the sample, also with CRLF`() {
    checkEverything(Array(sample.utf8), Self.bench)
    checkEverything(Array(sample.split(separator: "\n").joined(separator: "\r\n").utf8), Self.bench)
  }

  @Test(arguments: 0..<12)
  func `Every feature answers at every offset of a broken text`(seed: Int) {
    var random = RepeatableGenerator(seed: UInt64(seed))
    let whole = Array(sample.utf8)
    let start = random.int(in: 0..<whole.count)
    var bytes = Array(whole[start..<random.int(in: start..<whole.count)])
    for _ in 0..<random.int(in: 0..<8) { bytes = random.mutated(bytes) }
    checkEverything(bytes, Self.bench)
  }
}
