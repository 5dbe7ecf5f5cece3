// Whole files: reuse, places, names.

import PostKitSyntax
import PostKitTestSupport
import Testing

private func document(_ text: String, _ format: DocumentFormat = .http) -> ParsedDocument {
  ParsedDocument(bytes: Array(text.utf8), format: format)
}

@Suite struct DocumentTests {
  @Test func `An offset finds its block, the separator that of the block it opens`() {
    let marked = MarkedText(
      "1️⃣GET /a\n2️⃣\n3️⃣### b\nGET /b\n\nbo4️⃣dy\n\n5️⃣### c\nGET /c\n6️⃣")
    let document = document(marked.text)
    let found = (1...6).map { document.block(at: marked.offset($0))?.index }
    #expect(found == [0, 0, 1, 1, 2, 2])
    #expect(document.block(at: 10_000)?.index == 2)
    #expect(ParsedDocument(bytes: []).block(at: 0) == nil)
  }

  @Test func `Requests are found by name, title, place, target and folded name`() {
    let document = document(
      """
      ### First title
      # @name get user
      GET https://a.test/1

      ### get-user list
      POST https://a.test/2
        ?a=1

      ### ---
      https://a.test/3 HTTP/1.1

      ### NoRequest
      @a = 1

      ### twice
      GET /x
      ### twice
      GET /y
      """)
    func place(_ name: String) -> Int? { document.request(named: name)?.index }
    #expect(place("get user") == 0)
    #expect(place(" getUser ") == 0)
    #expect(place("First title") == 0)
    #expect(place("get-user list") == 1)
    #expect(place("getUserList") == 1)
    #expect(place("POST https://a.test/2?a=1") == 1)
    #expect(place("GET https://a.test/3") == 2)
    #expect(place("#3") == 2)
    #expect(place("#4") == 4)
    #expect(place("#0") == nil)
    #expect(place("---") == nil)
    #expect(place("") == nil)
    #expect(place("NoRequest") == nil)
    #expect(document.blocks(named: "NoRequest").map(\.index) == [3])
    #expect(document.requests(named: "twice").map(\.index) == [4, 5])
    #expect(document.requests.map(\.name) == ["get user", "get-user list", nil, "twice", "twice"])
  }

  @Test func `The format follows from the ending`() {
    #expect(ParsedDocument.format(ofPath: "/a/README.MD") == .markdown)
    #expect(ParsedDocument.format(ofPath: "a.markdown") == .markdown)
    #expect(ParsedDocument.format(ofPath: "a.http") == .http)
    #expect(ParsedDocument.format(ofPath: "a.rest") == .http)
  }

  @Test func `An edit leaves the trees of other blocks as they are`() {
    let text = (0..<100).map { "### r\($0)\nGET /\($0)\n\n" }.joined()
    let old = document(text)
    let new = ParsedDocument(
      bytes: Array(text.replacing("GET /50\n", with: "GET /50?x\n###\n\n").utf8), reusing: old)
    #expect(old.blocks.count == 100)
    #expect(new.blocks.count == 101)
    #expect(new.blocks[..<50].elementsEqual(old.blocks[..<50]) { $0.hasSameTree(as: $1) })
    #expect(!new.blocks[50].hasSameTree(as: old.blocks[50]))
    #expect(new.blocks[52...].elementsEqual(old.blocks[51...]) { $0.hasSameTree(as: $1) })
  }

  @Test func `What is left of a large file does not keep the trees of all that is gone`() {
    let large = document((0..<5_000).map { "### r\($0)\nGET https://a.test/\($0)\n\n" }.joined())
    let rest = "### r4998\nGET https://a.test/4998\n\n### r4999\nGET https://a.test/4999\n\n"
    let small = ParsedDocument(bytes: Array(rest.utf8), reusing: large)
    #expect(small.blocks[1].hasSameTree(as: large.blocks[4999]))
    let next = ParsedDocument(bytes: Array((rest + "# x\n").utf8), reusing: small)
    #expect(!next.blocks[0].hasSameTree(as: small.blocks[0]))
    #expect(next.blocks.map(\.syntax) == ParsedDocument(bytes: next.bytes).blocks.map(\.syntax))
    let last = ParsedDocument(bytes: Array((rest + "# xy\n").utf8), reusing: next)
    #expect(last.blocks[0].hasSameTree(as: next.blocks[0]))
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `Cuts that are taken over are those of a fresh scan`(seed: UInt64) {
    var generator = RepeatableGenerator(seed: seed)
    let units = ["#", "##", "###", "\n", "\r\n", " ", "   ", "a", "### x\n", "\u{FEFF}", "\n\n"]
    var old = document("")
    for _ in 0..<300 {
      var text = String(decoding: old.bytes, as: UTF8.self).unicodeScalars.map(String.init)
      if text.count > 60 || (!text.isEmpty && generator.oneIn(3)) {
        let start = generator.int(in: 0..<text.count)
        text.removeSubrange(start..<min(text.count, start + generator.int(in: 1..<12)))
      }
      text.insert(generator.pick(units), at: generator.int(in: 0..<text.count + 1))
      let bytes = Array(text.joined().utf8)
      let new = ParsedDocument(bytes: bytes, reusing: old)
      let fresh = ParsedDocument(bytes: bytes)
      #expect(new.blocks.map(\.range) == fresh.blocks.map(\.range), "\(text.joined())")
      #expect(new.blocks.map(\.syntax) == fresh.blocks.map(\.syntax), "\(text.joined())")
      old = new
    }
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      "\n\n@a = 1", "\n# c", "\n{{", "\n> {%", "\n/*", "\nGET /\n", "\n{{a}}{{b", "\n?? a ",
      "\nPOST /\nContent-Type: multipart/a; boundary=x\n", "\n--x", "\n###", "\n@x", "\n\nGET /x",
      "\n< {%", "\ncurl 'x", "\nrun #a (", "\nx: y\n ",
    ])
  func `Five thousand of any line take no time`(unit: String) {
    let document = document(
      "POST https://a.test" + String(repeating: unit, count: 5_000) + "\nlast")
    #expect(flaw(in: document) == nil)
  }
}
