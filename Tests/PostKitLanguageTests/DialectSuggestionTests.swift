// Whom a file is written for: told only where that tool's reading would come to something else.

import PostKitEvaluate
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

/// What makes two readings of a file alike or not, in pieces.
private let pieces = [
  "###\n", "\n", "# @curl-v\n", "# @kulala-x 1\n", "# @timeout 5\n", "@a = 1\n", "@b = {{a}}\n",
  "GET https://a.test/{{a}}\n", "POST https://a.test/{{b}}\n\n{\"n\": 1}\n", "X-A: {{b}}{{host}}\n",
  "# @name r\n", "GET https://a.test/{{r.response.body.$.t}}\n", "< ./f\n", "// x\n", "x",
  "# @file-to-variable a ./f\n", "?? status == 200\n", "> {%\nclient.log(1)\n%}\n", "{{", "# y\n",
]

struct DialectSuggestionTests {
  @Test(arguments: 0..<20)
  func `After any edits the remark is that of a first look`(seed: Int) throws {
    var random = RepeatableGenerator(seed: UInt64(seed))
    var bench = Bench()
    let start = "# @curl-v\n@a = 1\nGET https://a.test/{{a}}\n"
    var bytes = Array((start + String(repeating: "\n###\n" + start, count: 4)).utf8)
    var cache = DiagnosticsCache()
    var previous: ParsedDocument?
    for step in 0..<60 {
      if bytes.count > 1_000 { bytes.removeSubrange(0..<500) }
      if random.oneIn(4) {
        bytes = random.mutated(bytes)
      } else {
        let starts = [0] + bytes.indices.filter { bytes[$0] == 10 }.map { $0 + 1 }
        bytes.insert(contentsOf: Array(random.pick(pieces).utf8), at: random.pick(starts))
      }
      if random.oneIn(10) { bench.environment = bench.environment == nil ? "dev" : nil }
      if random.oneIn(10) { bench.contents["./f"] = "\(step)" }
      if random.oneIn(10) { bench.files = bench.files.isEmpty ? ["./f"] : [] }
      let analysis = bench.analysis(bytes, reusing: previous)
      previous = analysis.document
      let kept = analysis.diagnostics(limit: 1_000, reusing: &cache)
      let plain = bench.analysis(bytes).diagnostics(limit: 1_000)
      try #require(kept == plain, "step \(step): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test func `A letter typed into a file of two equal readings works one request out twice`() {
    let block = "###\n# @curl-v\nGET https://a.test/{{$processEnv SEEN}}\n"
    var cache = DiagnosticsCache()
    let looks = Looks()
    let counting = Bench().typing(into: block, &cache).inContext {
      $0.processEnvironment = { name in
        looks.note(name)
        return "v"
      }
    }
    _ = counting.diagnostics(limit: 1_000, reusing: &cache)
    // Once for its diagnostics, which ask for its names and its request, and once for each reading.
    #expect((3...8).contains(looks.count), "\(looks.count)")
  }

  private func suggestion(_ text: String, _ bench: Bench = Bench()) -> DialectPreset? {
    bench.analysis(text).dialectSuggestion?.preset
  }

  @Test func `The remark names the tool, what gives it away and the first line that differs`() {
    checkDiagnostics(
      is: """
      POST https://a.test/
      #<^^^^^^^^^^^^^^^^^^ information dialect-suggestion: This looks like a file for httpYac (`??` on line 6), which reads line 10 differently. Add `# @dialect httpyac` at the top, or `# @dialect auto` to keep this reading.
      Content-Type: application/json

      {}

      ?? status == 200

      ###
      # @timeout 90
      #          ^^ information duration-unit: PostKit reads this as 90 s, JetBrains as seconds, httpYac as milliseconds. Write `90 s`.
      GET https://a.test/
      """)
  }

  @Test(
    "what gives a tool away",
    arguments: [
      ("# @ref a\nGET http://a.test/?t={{$timestamp}}\n###\n# @name a\nGET http://a.test/", .httpyac),
      ("# @timeout 5\nGET http://a.test\n\n?? status == 200", .httpyac),
      ("# @timeout 5\nGET http://a.test\n\n> {%\nexports.a = 1\n%}", .httpyac),
      ("# @timeout 5000\nGET http://a.test\n\n> {%\nclient.log(1)\n%}", .jetbrains),
      ("# @timeout 5000\n# @curl-connect-timeout 3\nGET http://a.test", .kulala),
      ("# @kulala-expect-status-code 200\nPOST http://a.test\n\n{\n// a\n}", .kulala),
      ("# @lang=lua\nPOST http://a.test\n\n{\n// a\n}", .restnvim),
      // kulala knows the functions of JetBrains.
      ("# @timeout 5000\n# @curl-v\nGET http://a.test\n\n> {%\nclient.log(1)\n%}", .kulala),
    ] as [(String, DialectPreset)])
  func signatures(_ text: String, _ preset: DialectPreset) {
    #expect(suggestion(text) == preset)
  }

  @Test(
    "nothing is said",
    arguments: [
      // The reading is the same.
      "GET http://a.test\n\n?? status == 200", "# @ref a\nGET http://a.test/\n### a\nGET http://b.test",
      // Two tools are spoken for.
      "# @timeout 5\n# @curl-v\nGET http://a.test\n\n?? status == 200",
      // Somebody has chosen.
      "# @dialect auto\n# @timeout 5\nGET http://a.test\n\n?? status == 200",
      "# @dialect kulala\n# @timeout 5\nGET http://a.test\n\n?? status == 200",
      // Nobody is spoken for.
      "# @timeout 5\nGET http://a.test", "",
      // It can't be sent at all.
      "# @timeout 5\nGET http://a.test/{{nope}}\n\n?? status == 200",
    ])
  func nothing(_ text: String) {
    #expect(suggestion(text) == nil)
  }

  @Test func `It is said once, and of a script wherever it stands`() {
    let timeout = "# @timeout 5000\n"
    let tag = "# @kulala-curl-connect-timeout 3\n\(timeout)GET https://a.test/\n"
    let handler = "\(timeout)GET https://a.test/\n\n> {%\n  client.global.set('a', 1)\n%}\n"
    let found = Bench().analysis(tag + "\n###\n" + tag).diagnostics(limit: 99)
    #expect(found.filter { $0.code == .dialectSuggestion }.count == 1)
    #expect(suggestion("# @timeout 5\n{{\n  exports.a = 1\n}}\nGET https://a.test/\n") == .httpyac)
    #expect(suggestion(handler + "\n###\n" + handler) == .jetbrains)
    #expect(suggestion(tag + "\n###\n" + handler) == .kulala)
  }

  @Test func `Nothing is said where the project has chosen`() {
    var bench = Bench()
    let text = "# @timeout 5\nGET http://a.test\n\n?? status == 200"
    bench.dialect = Dialect(.kulala)
    #expect(suggestion(text, bench) == nil)
    bench.dialect = Dialect(.auto)
    bench.dialect.escapes = .none
    #expect(suggestion(text, bench) == nil)
  }

  @Test(
    "a line that is something else is the first that differs",
    arguments: [
      // The body goes on.
      ("# @kulala-x 1\nPOST http://a.test\n\nGET http://b.test", 4),
      // A definition in the body.
      ("POST http://a.test\n\nx\n@a = 1\ny\n###\nGET http://a.test\n\n?? status == 1", 4),
      // Metadata in the body.
      ("# @curl-v\nPOST http://a.test\nContent-Type: a/b\n\nx\n# @no-log\ny", 6),
    ])
  func place(_ text: String, _ line: Int) {
    let message = Bench().analysis(text).dialectSuggestion?.message ?? ""
    #expect(message.contains("reads line \(line) differently"), "\(message)")
  }
}
