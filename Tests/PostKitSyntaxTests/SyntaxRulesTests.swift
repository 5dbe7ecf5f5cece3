// Lines that are read differently by the presets.

import PostKitSyntax
import Testing

@Suite struct SyntaxRulesTests {
  private static let known: [String] = [
    "auto", "restclient", "jetbrains", "httpyac", "kulala", "restnvim", "visualstudio",
  ]

  private func parsed(_ text: String, _ preset: String) -> ParsedDocument {
    ParsedDocument(bytes: Array(text.utf8), rules: SyntaxRules(preset: preset))
  }

  /// The lines of the first request's body that are sent.
  private func body(_ text: String, _ preset: String) -> [String] {
    guard let block = parsed(text, preset).requests.first else { return [] }
    return block.syntax.request?.body?.lines.map { block.text($0.content) } ?? []
  }

  /// The presets in which something is so.
  private func presets(where holds: (String) -> Bool) -> [String] {
    SyntaxRulesTests.known.filter(holds)
  }

  @Test func `a request line without a separator begins a request in httpYac, and at times here`() {
    let atOnce = "GET http://a.test\n\nGET http://b.test\n"
    #expect(presets { parsed(atOnce, $0).requests.count == 2 } == ["auto", "httpyac"])
    let inBody = "POST http://a.test\n\ntext\nGET http://b.test\n"
    #expect(presets { parsed(inBody, $0).requests.count == 2 } == ["httpyac"])
    let guarded = "# @forceRegionDelimiter\n" + inBody
    #expect(presets { parsed(guarded, $0).requests.count == 2 } == [])
  }

  @Test func `metadata in bodies counts for httpYac and kulala`() {
    let text = "POST http://a.test\n\na\n# @no-log\nb\n"
    #expect(presets { body(text, $0) == ["a", "b"] } == ["httpyac", "kulala"])
    #expect(
      presets { preset in
        parsed(text, preset).requests[0].syntax.metadata.contains { $0.region != .body }
      } == ["httpyac", "kulala"])
  }

  @Test func `a comment without a known key stays in the body`() {
    let text = "POST http://a.test\n\na\n# @unheard\nb\n"
    #expect(presets { body(text, $0).count == 3 } == SyntaxRulesTests.known)
  }

  @Test func `definitions in bodies`() {
    let amid = "POST http://a.test\n\na\n@x = 1\nb\n"
    #expect(presets { body(amid, $0) == ["a", "b"] } == ["httpyac", "kulala"])
    let atEnd = "POST http://a.test\n\na\n\n@x = 1\n"
    #expect(presets { body(atEnd, $0) == ["a"] } == ["auto", "httpyac", "kulala"])
    func isAfterResponse(_ preset: String) -> Bool? {
      parsed(atEnd, preset).requests[0].syntax.variables.first?.isAfterResponse
    }
    #expect(isAfterResponse("httpyac") == true)
    #expect(isAfterResponse("kulala") == false)
    #expect(isAfterResponse("restclient") == nil)
  }

  @Test func `a definition without an operator is one in httpYac`() {
    let text = "@x 1\n@xpath_ns s=urn:s\nGET http://a.test\n"
    let knowing = presets {
      let block = parsed(text, $0).blocks[0]
      return block.variables.map(block.name(of:)) == ["x"]
    }
    #expect(knowing == ["httpyac"])
    #expect(presets { parsed(text, $0).requests.count == 1 } == SyntaxRulesTests.known)
  }

  @Test func `assertions are text for those who have none`() {
    let text = "POST http://a.test\n\na\n\n?? status == 200\n"
    #expect(presets { body(text, $0) == ["a"] } == ["auto", "httpyac"])
    #expect(
      presets { !parsed(text, $0).requests[0].syntax.assertions.isEmpty } == ["auto", "httpyac"])
  }

  @Test func `handlers are text for those who have none`() {
    let text = "POST http://a.test\n\na\n\n> {% x %}\n"
    #expect(presets { body(text, $0).count > 1 } == ["restclient", "visualstudio"])
    let save = "POST http://a.test\n\na\n\n>> out.json\n"
    #expect(presets { body(save, $0) == ["a"] } == SyntaxRulesTests.known)
  }

  @Test(
    "the file says how it is read",
    arguments: [
      ("# @dialect httpyac\nGET http://a.test", "httpyac"),
      ("@a = 1\n\n// @Dialect = KULALA\nGET http://a.test", "kulala"),
      ("### title\n#@dialect jetbrains\nGET http://a.test", "jetbrains"),
      ("GET http://a.test\n# @dialect httpyac", "auto"),
      ("# @dialects httpyac\n# @dialect\n# dialect httpyac\nGET http://a.test", "auto"),
      ("# @dialect unheard\nGET http://a.test", "auto"), ("\u{FEFF}# @dialect httpyac", "httpyac"),
      ("", "auto"),
      ("import ./a.http\n# @dialect kulala\nGET http://a.test", "kulala"),
      ("< {%\nGET http://x.test\n# @dialect httpyac\n%}\n# @dialect kulala", "kulala"),
      ("/* one line */\n/*\n# @dialect httpyac\n*/\n# @dialect kulala", "kulala"),
      ("{{host}}/a\n# @dialect kulala", "auto"),
    ])
  func pragma(_ text: String, _ preset: String) {
    #expect(ParsedDocument(bytes: Array(text.utf8)).rules == SyntaxRules(preset: preset))
  }

  @Test(
    "in Markdown the first fence with a request decides; headings are no comments",
    arguments: [
      ("# @dialect httpyac\n```http\nGET http://a.test\n```\n", nil),
      ("Text\n```http\n# @dialect httpyac\nGET http://a.test\n```\n", "httpyac"),
      ("```http\n@a = 1\n```\n```rest\n# @dialect kulala\n```\n", "kulala"),
      ("```http\nGET /\n```\n```http\n# @dialect kulala\n```\n", nil),
    ] as [(String, String?)])
  func markdown(_ text: String, _ preset: String?) {
    #expect(SyntaxRules.pragma(of: Array(text.utf8), format: .markdown) == preset)
  }

  @Test func `an edit of the pragma reads everything anew`() {
    let text = "POST http://a.test\n\na\n\n?? status == 200\n"
    let before = ParsedDocument(bytes: Array("# @dialect httpyac\n\(text)###\n\(text)".utf8))
    let after = ParsedDocument(
      bytes: Array("# @dialect kulala\n\(text)###\n\(text)".utf8), reusing: before)
    #expect(before.requests.map(\.syntax.assertions.count) == [1, 1])
    #expect(after.requests.map(\.syntax.assertions.count) == [0, 0])
  }

  @Test(arguments: SyntaxRulesTests.known)
  func `tokens tile the block, whatever the rules`(_ preset: String) {
    let lines = [
      "POST http://a.test", "", "@x = 1", "@x 1", "# @no-log", "?? status == 200", "> {% x %}",
      "{{", "}}", "GET http://b.test", "text", "###", ">> out", "Content-Type: a/b", "@", "@x",
    ]
    for first in lines.indices {
      for step in 1..<lines.count where step.isMultiple(of: 2) == false {
        let text = lines.indices.map { lines[(first + $0 * step) % lines.count] }
          .joined(separator: "\n")
        let document = parsed(text, preset)
        var end = 0
        for block in document.blocks {
          #expect(block.range.lowerBound == end)
          end = block.range.upperBound
          #expect(block.syntax.tokens.reduce(0) { $0 + $1.length } == block.range.count)
        }
        #expect(end == text.utf8.count)
      }
    }
  }
}
