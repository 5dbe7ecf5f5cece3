// Checks the tools that other tests trust.

import Testing

@testable import PostKitTestSupport

@Suite struct MarkedTextTests {
  @Test func `keycaps and selections are removed and known in bytes`() {
    let marked = MarkedText("é1️⃣ab2️⃣ ⏩x😀⏪ 12")
    #expect(marked.text == "éab x😀 12")
    #expect(marked.offset(1) == 2 && marked.range(1, 2) == 2..<4)
    #expect(marked.selections == [5..<10])
    #expect(MarkedText.mark(marked.text, at: [2, 4]) == "é1️⃣ab2️⃣ x😀 12")
  }
}

@Suite struct CaretAnnotationsTests {
  static let source = """
    GET /é/{{name}}
    #<^ method
    #      ^^^^^^^^ reference
    #   | here
    Accept: x
    #< one
    #<< two
    | not a mark
    # a comment
    """

  @Test func `ranges are read in bytes and removed from the text`() {
    let read = CaretAnnotations(Self.source)
    #expect(read.text == "GET /é/{{name}}\nAccept: x\n| not a mark\n# a comment")
    #expect(
      read.annotations == [
        CaretAnnotation(0..<3, "method"), CaretAnnotation(8..<16, "reference"),
        CaretAnnotation(4..<4, "here"), CaretAnnotation(17..<18, "one"),
        CaretAnnotation(17..<19, "two"),
      ])
  }

  @Test func `drawing and reading are inverse`() {
    let read = CaretAnnotations(Self.source)
    let again = CaretAnnotations(CaretAnnotations.render(read.text, read.annotations))
    #expect(again.text == read.text && Set(again.annotations) == Set(read.annotations))
  }
}

@Suite struct ExpectTests {
  @Test func `a literal is found and rewritten where the call stands`() throws {
    let source = """
      f()
        expect(g("is: \\"no\\""), is: "old")
      h()
      """
    let once = try ExpectationRewriter.replacing(in: source, line: 2, column: 3, with: "new")
    #expect(once == source.replacing("\"old\"", with: "\"new\""))
    let long = try ExpectationRewriter.replacing(in: once, line: 2, column: 3, with: "a\\\n\nb")
    let literal = "#\"\"\"\n      a\\\n\n      b\n      \"\"\"#"
    let wanted = literal.replacing("      ", with: "    ")
    #expect(long == once.replacing("\"new\"", with: wanted))
  }

  @Test func `an expectation without a literal is refused`() {
    #expect(throws: ExpectationRewriter.Unwritable.self) {
      try ExpectationRewriter.replacing(in: "expect(a, is: b)", line: 1, column: 1, with: "x")
    }
  }

  @Test func `a difference fails the test`() {
    if !TestEnvironment.isUpdating { withKnownIssue { expect("a", is: "b") } }
  }
}

@Suite struct RepeatableGeneratorTests {
  @Test func `numbers are those of SplitMix64`() {
    var generator = RepeatableGenerator(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
  }
}
