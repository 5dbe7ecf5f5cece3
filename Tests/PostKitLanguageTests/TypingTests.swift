// The edits that follow a typed character.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

/// The text once the edits that follow a typed character are in.
private func typed(
  _ character: String, _ marked: String, _ indentation: Indentation = Indentation(width: 2, usesTabs: false)
) -> String {
  let text = MarkedText(marked)
  let document = ParsedDocument(bytes: text.bytes)
  let edits = TypingEdits.edits(
    document, after: character, at: text.offset(), indenting: indentation)
  return String(decoding: TextEdit.apply(edits, to: text.bytes) ?? [], as: UTF8.self)
}

struct TypingTests {
  @Test func `A line of JSON is set as deep as it lies`() {
    let head = "POST /\nContent-Type: application/json\n\n"
    #expect(typed("\n", head + "{\n1️⃣") == head + "{\n  ")
    #expect(typed("\n", head + "{\n1️⃣\n}") == head + "{\n  \n}")
    #expect(typed("\n", head + "{\"a\": [\n1️⃣1]}") == head + "{\"a\": [\n    1]}")
    #expect(typed("\n", head + "{\n      1️⃣}\n") == head + "{\n}\n")
    #expect(typed("}", head + "{\n    }1️⃣\n") == head + "{\n}\n")
    #expect(typed("]", head + "{\"a\": [\n1\n      ]1️⃣") == head + "{\"a\": [\n1\n  ]")
    #expect(
      typed("\n", head + "[\n1️⃣1]", Indentation(width: 4, usesTabs: true)) == head + "[\n\t1]")
    #expect(typed("\n", head + "  {\r\n1️⃣\"a\": 1}") == head + "  {\r\n    \"a\": 1}")
    #expect(typed("\n", head + "{\"{{a}}\": {{b}},\n1️⃣\"c\": 1}") == head + "{\"{{a}}\": {{b}},\n  \"c\": 1}")
  }

  @Test(arguments: [
    ("\n", "POST /\nContent-Type: text/plain\n\n{\n1️⃣1}"),
    ("\n", "POST /\n\nplain {\n1️⃣text"),
    ("\n", "POST /\n1️⃣Accept: a"),
    ("\n", "POST /\nContent-Type: application/json\n\n{\"a\": \"b\n1️⃣c\"}"),
    ("}", "POST /\nContent-Type: application/json\n\n{\"a\": 1}1️⃣"),
    ("}", "POST /\nContent-Type: application/x-ndjson\n\n{\"a\": 1\n   }1️⃣"),
    ("\n", "POST /\n\n{}\n\n> {%\n1️⃣x\n%}"),
    ("#", "## 1️⃣"), ("#", "GET /\n\n####1️⃣"), ("#", "###1️⃣ a"), ("#", "  ###1️⃣"),
    ("x", "###1️⃣"),
  ])
  func `Other lines stay as they are`(character: String, marked: String) {
    #expect(typed(character, marked) == MarkedText(marked).text)
  }

  @Test func `Three hashes alone get the blank that a title wants`() {
    #expect(typed("#", "###1️⃣") == "### ")
    #expect(typed("#", "GET /\r\n\r\n###1️⃣\r\nGET /") == "GET /\r\n\r\n### \r\nGET /")
  }

  /// What a file's requests send, JSON bodies by their values.
  private func sent(_ bytes: [UInt8]) -> [String] {
    let bench = Bench()
    let analysis = bench.analysis(bytes)
    return analysis.document.requests.map { block in
      let lowered = Lowering.lower(
        block, evaluator: Evaluator(context: analysis.context, scope: analysis.scope),
        defaults: analysis.defaults)
      guard let spec = lowered.spec else { return "nothing" }
      let head = "\(spec.method) \(spec.url) \(spec.headers)"
      guard let body = block.request?.body.map({ Array(block.slice($0.range)) }) else { return head }
      // Where it is JSON, blanks between tokens say nothing.
      guard let tree = try? JSONTree(parsing: body) else {
        return head + String(decoding: body, as: UTF8.self)
      }
      return head + String(decoding: tree.indented(), as: UTF8.self)
    }
  }

  @Test func `No typed character and no range changes what is sent`() {
    for seed in 0..<24 {
      var random = RepeatableGenerator(seed: UInt64(seed))
      let bytes = Array(random.requestFile().utf8)
      let document = ParsedDocument(bytes: bytes)
      let before = sent(bytes)
      for _ in 0..<12 {
        let offset = Int.random(in: 0...bytes.count, using: &random)
        for character in TypingEdits.triggers {
          let edits = TypingEdits.edits(
            document, after: character, at: offset, indenting: Indentation(width: 3, usesTabs: false))
          guard !edits.isEmpty else { continue }
          let after = TextEdit.apply(edits, to: bytes) ?? []
          #expect(sent(after) == before, "\(seed) \(offset) \(character)")
        }
        let end = Int.random(in: offset...bytes.count, using: &random)
        let edits = Formatting(document, touching: [offset..<end]).edits
        let after = TextEdit.apply(edits, to: bytes) ?? []
        #expect(sent(after) == before, "\(seed) \(offset)..<\(end)")
        let touched = document.blocks.filter { $0.range.overlaps(offset..<max(end, offset + 1)) }
        #expect(edits.allSatisfy { edit in
          touched.contains {
            $0.range.lowerBound <= edit.range.lowerBound
              && edit.range.upperBound <= $0.range.upperBound
          } || offset == bytes.count
        })
      }
    }
  }
}
