// Which requests' responses the references of a block read.

import PostKitEvaluate
import PostKitSyntax
import Testing

@Suite struct ReadingSearchTests {
  /// The requests that the references of the last request read, for each reference.
  private func read(_ text: String) -> [[String]] {
    let document = ParsedDocument(bytes: Array(text.utf8))
    let scope = Scope(
      document: document, environments: EnvironmentSet(sources: [], active: nil),
      dialect: Dialect())
    guard let block = document.requests.last else { return [] }
    var search = ReadingSearch(scope)
    return block.references.map { reference in
      search.requests(readBy: reference.expression, at: block.absolute(reference.range).lowerBound)
        .map { document.blocks[$0.block].name ?? "" }
    }
  }

  private static let asked = "### \n# @name one\nGET /\n\n### \n# @name two\nGET /\n\n###\n"

  @Test func `a later reference finds what an earlier one has followed`() {
    let text = ReadingSearchTests.asked + """
      @a={{b}}
      @b={{one.response.body.$.x}}{{two.response.body.$.x}}
      GET /{{a}}{{b}}{{a}}
      """
    #expect(read(text).suffix(3) == [["one", "two"], ["one", "two"], ["one", "two"]])
  }

  @Test func `definitions in a circle end, and are followed once for each reference`() {
    let text = ReadingSearchTests.asked + """
      @a={{b}}{{b}}{{one.response.body.$.x}}
      @b={{a}}{{two.response.body.$.x}}
      GET /{{a}}{{b}}
      """
    #expect(read(text).suffix(2) == [["two", "one"], ["one", "two"]])
  }

  @Test func `a definition that is too deep for one reference is followed for another`() {
    let chain = (0..<14).map { "@v\($0)={{v\($0 + 1)}}\n" }.joined()
    let text = ReadingSearchTests.asked + chain
      + "@v14={{one.response.body.$.x}}\nGET /{{v0}}{{v10}}{{v0}}"
    #expect(read(text).suffix(3) == [[], ["one"], []])
  }

  @Test func `of two definitions each place reads its own`() {
    let text = ReadingSearchTests.asked + """
      @a={{one.response.body.$.x}}
      @b={{a}}
      @a={{two.response.body.$.x}}
      @c={{a}}
      GET /
      """
    // `b` and `c` themselves, then what is in them, as seen from their lines.
    #expect(read(text) == [["one"], ["one"], ["two"], ["two"]])
  }
}
