// What folds and what a selection grows to, for examples and for any text.

import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

/// The folds of a text, each as its first line, its last line and its label, lines counted from 1.
private func folds(_ text: String) -> [String] {
  let document = ParsedDocument(bytes: Array(text.utf8))
  return Folding.ranges(of: document).map { fold in
    let lines = [fold.range.lowerBound, fold.range.upperBound].map { document.line(at: $0) + 1 }
    let kind = fold.kind.map { " \($0)" } ?? ""
    let label = fold.label.isEmpty ? "" : " \(fold.label)"
    return "\(lines[0])-\(lines[1])\(kind)\(label)"
  }
}

/// What a selection grows to, from the innermost to the outermost.
private func chain(_ marked: String) -> [String] {
  let text = MarkedText(marked)
  let document = ParsedDocument(bytes: text.bytes)
  return SelectionChain.ranges(in: document, at: text.offset()).map {
    String(decoding: text.bytes[$0], as: UTF8.self)
  }
}

@Suite struct StructureTests {
  @Test func `Blocks, headers, bodies and brackets fold, without the blank lines behind them`() {
    let text = """
      # one
      # two
      @a = 1
      @b = 2

      ### first
      # @name x
      POST /a
      A: b
      B: c

      {"a": {
        "b": [1,
          2]
      }}

      > {%
        log()
      %}


      ### one line

      ### é
      PUT /

      plain
      text
      """
    #expect(
      folds(text) == [
        "1-2 comment # …", "3-4 region Variables (2)", "6-19 region POST /a - x",
        "9-10 region Headers (2)", "12-15", "12-15", "13-14", "17-19 region Response handler",
        "24-28 region PUT / - é", "27-28 region Body",
      ])
  }

  @Test func `Parts of a body, imports and commands on lines of their own fold`() {
    let text = """
      import ./a.http
      import ./b.http
      ###
      POST /
      Content-Type: multipart/form-data; boundary=x

      --x
      Content-Disposition: form-data; name="one"

      1
      --x
      Content-Disposition: form-data; name=two

      2
      --x--

      ###
      curl a \\
        -d b
      """
    #expect(
      folds(text) == [
        "1-2 imports Imports (2)", "3-15 region POST /",
        "7-15 region Body - multipart/form-data; boundary=x", "7-10 region one", "11-14 region two",
        "17-19 region \("POST a")", "18-19 region curl",
      ])
  }

  @Test func `The head and the JSON of an answer fold`() {
    let text = "# GET /\n# 3 ms\nHTTP/1.1 200 OK\nA: b\n\n{\n  \"a\": [\n    1\n  ]\n}\n"
    #expect(
      folds(text) == ["1-2 comment # …", "3-4 region HTTP/1.1 200 OK", "6-10", "7-9"])
  }

  @Test func `Brackets that nothing closes do not fold, and those around them may`() {
    #expect(folds("POST /\n\n{\n\"a\": [\n1\n}\n") == ["1-6 region POST /", "3-6"])
    #expect(folds("POST /\n\n{\n\"a\": \"\n]\n") == ["1-5 region POST /", "3-5 region Body"])
    #expect(folds("POST /\n\n{{a}}\n[\n]\n") == ["1-5 region POST /", "3-5 region Body"])
  }

  @Test func `A selection in a target grows from a word to the file`() {
    let url = "https://a.test/x?q=one two&r={{s}}#f"
    #expect(
      chain("### t\nGET https://a.test/x?q=one t1️⃣wo&r={{s}}#f HTTP/1.1\nA: b\n\nbody\n") == [
        "two", "one two", "q=one two", "q=one two&r={{s}}", String(url.dropLast(2)), url,
        "GET \(url) HTTP/1.1", "GET \(url) HTTP/1.1\nA: b",
        "### t\nGET \(url) HTTP/1.1\nA: b\n\nbody", "### t\nGET \(url) HTTP/1.1\nA: b\n\nbody\n",
      ])
    #expect(
      chain("GET /{{a.response.b1️⃣ody}}/x").prefix(5) == [
        "body", "a.response.body", "{{a.response.body}}", "/{{a.response.body}}/x",
        "GET /{{a.response.body}}/x",
      ])
  }

  @Test func `A selection in a body grows along the nodes of its JSON`() {
    #expect(
      chain("POST /\n\n{\"a\": [1, {\"b c\": \"x 1️⃣y\"}]}").prefix(10) == [
        "y", "x y", "\"x y\"", "\"b c\": \"x y\"", "{\"b c\": \"x y\"}", "1, {\"b c\": \"x y\"}",
        "[1, {\"b c\": \"x y\"}]", "\"a\": [1, {\"b c\": \"x y\"}]",
        "{\"a\": [1, {\"b c\": \"x y\"}]}", "POST /\n\n{\"a\": [1, {\"b c\": \"x y\"}]}",
      ])
  }

  @Test func `A selection in a header or a definition grows to its line and its group`() {
    #expect(
      chain("GET /\nA: b\nC: d1️⃣e f\n").prefix(5) == [
        "de", "de f", "C: de f", "A: b\nC: de f", "GET /\nA: b\nC: de f",
      ])
    #expect(
      chain("@a = 1\n@b = t1️⃣wo\n\nGET /").prefix(3) == ["two", "@b = two", "@a = 1\n@b = two"])
  }
}

@Suite struct StructurePropertyTests {
  @Test func `Texts that are all brackets, all references or all marks take a moment`() {
    let count = 50_000
    func repeated(_ text: String) -> String { String(repeating: text, count: count) }
    for text in [
      "POST /\n\n" + repeated("[") + repeated("}"), "POST /\n\n" + repeated("{\"a\":["),
      "GET /?a=" + repeated("{{a}}&"), "GET /" + repeated("\n  &a=b"),
      "curl a" + repeated(" {{a}}"), "###\n" + repeated("?? status == {{a}}\n"),
      repeated("run #a\n"), repeated("# @env-json-key a b\n"),
    ] {
      let bench = Bench()
      let document = ParsedDocument(bytes: Array(text.utf8))
      var tokens = DocumentTokens()
      tokens.update(showing: document, everything, .utf16)
      #expect(painted(tokens.data, document.bytes, .utf16) != nil)
      _ = Folding.ranges(of: document)
      let chain = SelectionChain.ranges(in: document, at: document.bytes.count / 2)
      #expect(chain.count <= 51)
      #expect(bench.analysis(of: document).documentLinks().count < 2)
    }
  }

  @Test(arguments: 0..<6)
  func `After any edits the folds are those of a first look`(seed: Int) throws {
    var random = RepeatableGenerator(seed: UInt64(seed))
    var bytes = Array((random.requestFile() + random.requestFile()).utf8)
    var folding = Folding()
    var previous: ParsedDocument?
    for _ in 0..<60 {
      if bytes.count > 2_000 { bytes.removeSubrange(0..<1_000) }
      if random.oneIn(3) {
        let lines = ["###\n", "# a\n# b\n", "{\n\"a\": [\n1]}\n", "\n", "A: b\nC: d\n"]
        bytes.insert(
          contentsOf: Array(random.pick(lines).utf8), at: random.int(in: 0..<bytes.count + 1))
      } else {
        bytes = random.mutated(bytes)
      }
      let document = ParsedDocument(bytes: bytes, reusing: previous)
      previous = document
      let text = String(decoding: bytes, as: UTF8.self)
      if random.oneIn(3) {
        // A look that is given up leaves no trace.
        let waiting = Waiting(for: random.int(in: 0..<4))
        _ = folding.ranges(of: document) { waiting.isOver() }
      }
      let kept = folding.ranges(of: document) { false }
      try #require(kept == Folding.ranges(of: document), "\(text)")
    }
  }

  @Test(arguments: 0..<30)
  func `Folds and selections of any text lie in one another`(seed: Int) {
    var random = RepeatableGenerator(seed: UInt64(seed))
    for _ in 0..<20 {
      var bytes = Array(random.requestFile().utf8)
      for _ in 0..<random.int(in: 0..<4) { bytes = random.mutated(bytes) }
      let document = ParsedDocument(bytes: bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      var open: [FoldingRange] = []
      for fold in Folding.ranges(of: document) {
        while let last = open.last, last.range.upperBound <= fold.range.lowerBound {
          open.removeLast()
        }
        if let last = open.last {
          let isInside =
            last.range.lowerBound <= fold.range.lowerBound
            && fold.range.upperBound <= last.range.upperBound
          #expect(isInside, "\(last) and \(fold) of \(text)")
        }
        open.append(fold)
      }
      for _ in 0..<20 {
        let offset = random.int(in: 0..<bytes.count + 1)
        let chain = SelectionChain.ranges(in: document, at: offset)
        #expect(chain.last == 0..<bytes.count, "\(text)")
        #expect(chain.allSatisfy { $0.lowerBound <= offset && offset <= $0.upperBound })
        for (inner, outer) in zip(chain, chain.dropFirst()) {
          let isInside =
            outer.lowerBound <= inner.lowerBound
            && inner.upperBound <= outer.upperBound && inner != outer
          #expect(isInside, "\(inner) and \(outer) of \(text)")
        }
      }
    }
  }
}
