// How scripts are painted, folded, outlined, selected and linked.

import PostKitEvaluate
@testable import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

private let head = "GET https://a.test/\n\n"

struct ScriptLookTests {
  @Test func `Objects, members and names in quotes are painted, the rest is not`() {
    let text = "\(head)> {% client.global.set(\"tok\", response.status); const x = 1; x.y() %}"
    let bytes = Array(text.utf8)
    var tokens = DocumentTokens()
    tokens.update(for: Bench().analysis(bytes), everything, .utf8)
    let labels = (painted(tokens.data, bytes, .utf8) ?? []).filter {
      $0.range.lowerBound > head.utf8.count
    }.map { "\(String(decoding: bytes[$0.range], as: UTF8.self)) \($0.label)" }
    #expect(
      labels == [
        "{% operator", "client variable.readonly.defaultLibrary", "global property.defaultLibrary",
        "set method.defaultLibrary", "tok variable.modification",
        "response variable.readonly.defaultLibrary", "status property.defaultLibrary", "%} operator",
      ])
  }

  @Test func `Where the editor has no grammar, the rest is painted around the names`() {
    let text =
      "\(head)> {% // why\nif (response.status > 1) client.global.set(\"tok\", `a${x}b`, /r/) %}"
    let bytes = Array(text.utf8)
    var analysis = Bench().analysis(bytes)
    analysis.paintsAllOfScripts = true
    var tokens = DocumentTokens()
    tokens.update(for: analysis, everything, .utf8)
    let labels = (painted(tokens.data, bytes, .utf8) ?? []).filter {
      $0.range.lowerBound > head.utf8.count
    }.map { "\(String(decoding: bytes[$0.range], as: UTF8.self)) \($0.label)" }
    #expect(
      labels == [
        "{% operator", "// why comment", "if keyword", "response variable.readonly.defaultLibrary",
        "status property.defaultLibrary", "1 number", "client variable.readonly.defaultLibrary",
        "global property.defaultLibrary", "set method.defaultLibrary", "\" string",
        "tok variable.modification", "\" string", "`a${ string", "}b` string", "/r/ string",
        "%} operator",
      ])
    // It is painted anew where that is chosen.
    #expect(tokens.isUpToDate(with: analysis))
    analysis.paintsAllOfScripts = false
    #expect(!tokens.isUpToDate(with: analysis))
  }

  @Test func `Brackets fold, and tests of every spelling are in the outline`() {
    let text =
      "\(head){{\ntest('one', () => {\n  a()\n})\npm.test(`two`, x)\nclient.test(name, x)\n}}\n"
    let document = ParsedDocument(bytes: Array(text.utf8))
    let lines = Folding.ranges(of: document).filter(\.hasBrackets).map { fold in
      "\(document.line(at: fold.range.lowerBound))-\(document.line(at: fold.range.upperBound))"
    }
    #expect(lines == ["3-5", "3-5"])
    func all(_ symbols: [DocumentSymbol]) -> [DocumentSymbol] {
      symbols.flatMap { [$0] + all($0.children) }
    }
    let tests = all(Bench().analysis(text).symbols()).filter { $0.kind == .test }.map(\.name)
    #expect(tests == ["one", "two"])
  }

  @Test func `A selection grows by texts, brackets, calls and chains`() {
    let text = MarkedText("\(head)> {% client.log(f(\"a 1️⃣b\", 2)) %}")
    let ranges = SelectionChain.ranges(
      in: ParsedDocument(bytes: text.bytes), at: text.offset()
    ).map { String(decoding: text.bytes[$0], as: UTF8.self) }
    for expected in ["a b", "\"a b\"", "\"a b\", 2", "f(\"a b\", 2)", "client.log(f(\"a b\", 2))"] {
      #expect(ranges.contains(expected), "\(expected) in \(ranges)")
    }
  }

  @Test func `Required and imported files are links`() {
    var bench = Bench()
    bench.files = ["./lib/a.js", "./b.js"]
    let text = "{{\nconst a = require('./lib/a'), c = require('assert')\n}}\n\(head)"
    let links = bench.analysis(text).documentLinks()
    #expect(links.contains { $0.target == .file("./lib/a.js") })
    #expect(links.count == 2)
  }
}
