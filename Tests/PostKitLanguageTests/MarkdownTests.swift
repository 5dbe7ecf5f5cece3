// What files and servers say, within Markdown: nothing of it becomes a picture, a link or a tag.

import PostKitEvaluate
import PostKitTestSupport
import Testing

@testable import PostKitLanguage

@Suite struct MarkdownTests {
  @Test(arguments: [
    ("plain", "`plain`"), ("a`b", "`` a`b ``"), ("a``b", "``` a``b ```"), ("`", "`` ` ``"),
    ("", "` `"), ("a\nb", "`a b`"), ("![x](http://h)", "`![x](http://h)`"),
  ])
  func `code has a fence that it doesn't end itself`(text: String, code: String) {
    #expect(Markdown.code(text) == code)
  }

  @Test func `a block has a fence longer than those in it`() {
    #expect(Markdown.block(["a"]) == "```\na\n```")
    #expect(Markdown.block(["a", "````", "b"]) == "`````\na\n````\nb\n`````")
  }

  @Test(arguments: [
    ("`a` is not defined.", "`a` is not defined."), ("no [link](x)", #"no \[link\](x)"#),
    ("`e`![x](http://h)` is", #"`e`!\[x\](http://h)\` is"#), ("a <b> \\[", #"a \<b> \\\["#),
    ("one ` alone", #"one \` alone"#),
  ])
  func `in a sentence names stay code, and nothing else is a mark`(text: String, shown: String) {
    #expect(Markdown.sentence(text) == shown)
  }

  private static let evil = [
    "![x](http://evil.test/a)", "`![x](http://evil.test/a)`", "``![x](http://evil.test/a)``",
    "<img src=http://evil.test/a>", "[x](http://evil.test/a)",
  ]

  /// What is left of Markdown without its code, so far as it is on one line.
  private func prose(_ markdown: String) -> String {
    var (result, fence) = ("", "")
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      let ticks = String(line.prefix { $0 == "`" })
      if !fence.isEmpty {
        if line == fence { fence = "" }
        continue
      }
      if ticks.count > 2, !line.dropFirst(ticks.count).contains("`") {
        fence = ticks
        continue
      }
      var rest = line
      while let tick = rest.firstIndex(of: "`") {
        let isEscaped = tick > rest.startIndex && rest[rest.index(before: tick)] == "\\"
        let marks = rest[tick...].prefix { $0 == "`" }
        let close = isEscaped ? nil : closing(marks, in: rest[marks.endIndex...])
        result += rest[..<tick]
        rest = rest[(close ?? marks.endIndex)...]
      }
      result += rest + "\n"
    }
    return result
  }

  /// The end of the code that begins with a fence: a run of backticks of the same length.
  private func closing(_ fence: Substring, in text: Substring) -> Substring.Index? {
    var rest = text
    while let tick = rest.firstIndex(of: "`") {
      let run = rest[tick...].prefix { $0 == "`" }
      if run.count == fence.count { return run.endIndex }
      rest = rest[run.endIndex...]
    }
    return nil
  }

  @Test(arguments: evil)
  func `no hover draws what a file says`(evil: String) throws {
    let name = "e\(evil)"
    let values = "{\"v\": \"a\(evil)\", \"w\": \"\(evil)`\"}"
    let json = "{\"\(name)\": \(values), \"o\": {\"v\": \"1\"}}"
    var bench = Bench()
    bench.sources = [(.publicFile, json)]
    bench.environment = name
    let text = """
      @own = \(evil)
      @many = {{v}} {{w}} {{v}} {{own}}

      ### \(evil)
      # @name a
      # @ref \(evil)
      GET http://h/{{v}}/{{w}}/{{own}}/{{nope\(evil)}}/{{many}}
      X: {{v}}{{b.response.body.$.x}}

      < ./\(evil).txt
      """
    let analysis = bench.analysis(text)
    for offset in 0...text.utf8.count {
      guard let hover = analysis.hover(at: offset) else { continue }
      let prose = prose(hover.markdown)
      #expect(isHarmless(prose), "\(hover.markdown)")
    }
    for variable in ["v", "w", "own", "many"] {
      let text = try #require(analysis.variableText(variable, at: text.utf8.count))
      #expect(isHarmless(prose(text)), "\(text)")
    }
  }

  /// Whether there is no mark of a link, a picture or a tag but such as are written to be none.
  private func isHarmless(_ prose: String) -> Bool {
    let rest = prose.replacing("\\](", with: "").replacing("\\<", with: "")
    return !rest.contains("](") && !rest.contains("<")
  }

  @Test func `a long hover is cut between lines, and its code stays closed`() {
    let body = (0..<40).map { "line \($0) " + String(repeating: "x", count: 90) }
    let evil = "a ``b` ![x](http://evil.test/a)"
    let parts = ["first"] + (0..<20).map { "\($0) " + Markdown.code(evil) }
    let texts = [
      parts.joined(separator: "\n\n"),
      "first\n\n" + Markdown.block(body + ["![x](http://evil.test/a)"]) + "\n\nlast",
      (parts + [Markdown.block(body)] + parts).joined(separator: "\n\n"),
    ]
    for text in texts {
      let short = Markdown.shortened(text, bytes: 600)
      #expect(short.utf8.count < 700 && short.contains("…"))
      #expect(short.hasPrefix("first") && !prose(short).contains("]("), "\(short)")
    }
    #expect(Markdown.shortened("a", bytes: 600) == "a")
  }
}
