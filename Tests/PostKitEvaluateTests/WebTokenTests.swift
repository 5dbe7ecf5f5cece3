// Which texts are JSON Web Tokens.

import PostKitJSON
import PostKitSyntax
import Testing

@testable import PostKitEvaluate

@Suite struct WebTokenTests {
  private static let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.x"

  @Test func `the claims of a token stand beside it`() throws {
    let text = #"{"a":"\#(Self.token)","b":"x.y.z","c":1,"d":"\#(Self.token)"}"#
    func added(_ names: [String]) -> JSONValue? {
      // What is no JSON would be no value.
      WebTokens.adding(names, to: Array(text.utf8)).flatMap {
        try? JSONTree(parsing: $0).root.value
      }
    }
    #expect(added([])?["a_parsed"] == ["sub": "7"])
    #expect(added([])?["d_parsed"] == ["sub": "7"])
    #expect(added([])?["b_parsed"] == nil)
    #expect(added(["d"])?["a_parsed"] == nil)
    #expect(added(["d"])?["d"] == .string(Self.token))
    #expect(added(["b", "c", "none"]) == nil)
    #expect(WebTokens.adding([], to: Array("[1]".utf8)) == nil)
    #expect(WebTokens.adding([], to: Array("no JSON".utf8)) == nil)
  }

  @Test(arguments: [("", []), (" a b", ["a", "b"]), (" a,b", ["a", "b"])])
  func `a tag names the members`(words: String, names: [String]) {
    let document = ParsedDocument(bytes: Array("# @jwt\(words)\nGET http://a.test\n".utf8))
    #expect(document.blocks[0].tokenNames == names)
    #expect(ParsedDocument(bytes: Array("GET http://a.test\n".utf8)).blocks[0].tokenNames == nil)
  }
}
