// Header and query lines are switched off and on: what becomes of the text, and of what is sent.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

@Suite struct SwitchingTests {
  /// The change at the caret or the selection, and the text after it.
  private func switched(_ marked: String) -> (title: String?, after: String) {
    let text = MarkedText(marked)
    let range = text.selections.first ?? text.offset()..<text.offset()
    guard let change = Bench().analysis(text.bytes).switching(in: range) else {
      return (nil, String(decoding: text.bytes, as: UTF8.self))
    }
    let after = TextEdit.apply(change.edits, to: text.bytes)
    return (change.title, after.map { String(decoding: $0, as: UTF8.self) } ?? "overlapping")
  }

  @Test(arguments: [
    ("GET /\nA: 1\nB1️⃣: 2\n\nbody\n", "Switch off header `B`", "GET /\nA: 1\n# B: 2\n\nbody\n"),
    ("GET /\n  X-Id: 1️⃣{{id}}\n", "Switch off header `X-Id`", "GET /\n  # X-Id: {{id}}\n"),
    ("GET /\n# B: 21️⃣\nA: 1\n", "Switch on header `B`", "GET /\nB: 2\nA: 1\n"),
    ("GET /\n//   B:1️⃣\n", "Switch on header `B`", "GET /\nB:\n"),
    (
      "GET /\n⏩A: 1\n# C: 3\nB: 2⏪\n", "Switch off 2 headers", "GET /\n# A: 1\n# C: 3\n# B: 2\n"
    ),
    ("GET /\n⏩# A: 1\n# B: 2⏪\n", "Switch on 2 headers", "GET /\nA: 1\nB: 2\n"),
    ("GET /x\n?a1️⃣=1\n&b=2\n", "Switch off parameter `a`", "GET /x\n# ?a=1\n?b=2\n"),
    ("GET /x\n  ?a=1\n  &b1️⃣=2\n", "Switch off parameter `b`", "GET /x\n  ?a=1\n  # &b=2\n"),
    ("GET /x\n# ?a=11️⃣\n?b=2\n", "Switch on parameter `a`", "GET /x\n?a=1\n&b=2\n"),
    ("GET /x?z=0\n# ?a=11️⃣\n&b=2\n", "Switch on parameter `a`", "GET /x?z=0\n&a=1\n&b=2\n"),
    (
      "GET /x\n⏩?a=1\n&b=2\nC: 3⏪\n", "Switch off 1 header and 2 parameters",
      "GET /x\n# ?a=1\n# &b=2\n# C: 3\n"
    ),
    ("GET /\r\nA1️⃣: 1\r\n", "Switch off header `A`", "GET /\r\n# A: 1\r\n"),
  ])
  func `lines are switched`(marked: String, title: String, after: String) {
    let (found, text) = switched(marked)
    #expect(found == title)
    #expect(Array(text.utf8) == Array(after.utf8))
  }

  @Test(arguments: [
    "GET 1️⃣/\nA: 1\n", "GET /\n# Note1️⃣: say it\n", "GET /\n# a plain1️⃣ comment\n",
    "GET /\n# see http://a.test: x1️⃣\n", "GET /\n#A: 11️⃣\n", "GET /\n# A:11️⃣\n", "GET /\n## A: 11️⃣\n",
    "# A: 11️⃣\nGET /\n", "GET /\nA: 1\n\n# B: 21️⃣\n", "GET /\n# @name: x1️⃣\n", "GET /\n# ? why1️⃣\n",
    "GET /\n# é: 11️⃣\n", "curl http://a.test -H 'A1️⃣: 1'\n", "GET /\nA: 1\n  21️⃣\n", "@a = 11️⃣\n",
  ])
  func `what is no header or query line is left alone`(marked: String) {
    #expect(switched(marked).title == nil)
  }

  @Test(arguments: [
    "GET http://a.test/x\n1️⃣?a=1\n&b=2\n&c=3\nX-A: 1\nX-B: 2\n",
    "GET http://a.test/x\n?a=1\n1️⃣&b=2\n&c=3\nX-A: 1\nX-B: 2\n",
    "GET http://a.test/x\n?a=1\n&b=2\n&c=3\n1️⃣X-A: 1\nX-B: 2\n",
    "GET http://a.test/x\n⏩?a=1\n&b=2\n&c=3\nX-A: 1\nX-B: 2⏪\n",
  ])
  func `off and on again gives what was sent before`(marked: String) throws {
    let text = MarkedText(marked)
    let range = text.selections.first ?? text.offset()..<text.offset()
    func sent(_ bytes: [UInt8]) -> String {
      let analysis = Bench().analysis(bytes)
      return analysis.document.requests.map { block in
        let spec = analysis.lowered(block).spec
        return "\(spec?.url ?? "") \(spec.map { "\($0.headers.fields)" } ?? "")"
      }.joined()
    }
    let off = try #require(Bench().analysis(text.bytes).switching(in: range))
    let without = try #require(TextEdit.apply(off.edits, to: text.bytes))
    #expect(sent(without) != sent(text.bytes))
    // The whole head: what is on is left on by nobody, so that only the lines that are off count.
    let lines = Bench().analysis(without).document.requests[0].switchedOffLines
    let start = lines[0].comment.lowerBound
    let end = lines[lines.count - 1].comment.upperBound
    let on = try #require(Bench().analysis(without).switching(in: start..<end))
    let again = try #require(TextEdit.apply(on.edits, to: without))
    #expect(sent(again) == sent(text.bytes))
  }

  @Test func `a line that is switched off has no diagnostics and stays where it is`() {
    let text = "GET http://a.test/\n# X-Id: {{nobody}}\nAccept: */*\n"
    let analysis = Bench().analysis(Array(text.utf8))
    #expect(analysis.diagnostics(limit: 10).isEmpty)
    #expect(Formatting(analysis.document).edits.isEmpty)
  }
}
