// A script that was read before and has been edited since is read as if it were new.

@testable import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

/// Pieces of scripts, whole ones and such that nothing closes.
private let pieces = [
  "client.log(a);", "a", " ", "(", ")", "{", "}", "[", "]", "`", "${", "\"x\"", "'", "/", "/r/g",
  "/*",
  "*/", "// c", "\n", "\n", "\r\n", "=>", "=", ",", "const b = 1;", "return ", "1.5", "ä", "\\",
  "i++",
  "`t${u}v${ {w: `x`} }y`", "a / b / c", "--", ".", "?.",
]

private func text(_ most: Int, _ random: inout RepeatableGenerator) -> String {
  (0..<Int.random(in: 0...most, using: &random)).map { _ in
    pieces[Int.random(in: pieces.indices, using: &random)]
  }.joined()
}

struct ScriptReadingReuseTests {
  @Test(arguments: [false, true])
  func `What is read anew behind an edit comes to the same tokens`(isLua: Bool) {
    var random = RepeatableGenerator(seed: 17)
    for _ in 0..<4_000 {
      let (front, old, new, back) = (
        text(24, &random), text(3, &random), text(3, &random), text(24, &random)
      )
      let before = ScriptTokens(Array((front + old + back).utf8)[...], isLua: isLua)
      let bytes = Array((front + new + back).utf8)[...]
      let ends = CommonEnds(before.bytes, bytes)
      let after = ScriptTokens(bytes, reusing: before, ends)
      let fresh = ScriptTokens(bytes, isLua: isLua)
      let isSame = after.tokens == fresh.tokens && after.comments == fresh.comments
      #expect(isSame, "\(front + new + back)")
    }
  }

  @Test func `Most tokens of a long script are taken over`() {
    let line = "  client.log(`number ${a}`, {b: 'c'}); // d\n"
    let head = String(repeating: line, count: 500)
    let before = ScriptReading.of(Array("\(head)e\n\(head)".utf8)[...])
    let again = ScriptReading.of(Array("x\(head)e\n\(head)".utf8).dropFirst())
    #expect(before === again)
    let after = ScriptReading.of(Array("\(head)e.f\n\(head)".utf8)[...])
    #expect(after !== before)
    let fresh = ScriptTokens(Array("\(head)e.f\n\(head)".utf8)[...])
    #expect(after.tokens.tokens == fresh.tokens)
    #expect(after.tokens.comments == fresh.comments)
  }

  @Test func `A chain is found by its names, its dots and its brackets`() {
    var random = RepeatableGenerator(seed: 23)
    let pieces = [
      "a", "b", ".", ".", "?.", "(", ")", "[", "]", "{", "}", "if ", "`${", "}`", ",", "1", "'s'",
    ]
    for _ in 0..<4_000 {
      let text = (0..<14).map { _ in pieces[Int.random(in: pieces.indices, using: &random)] }
      let reading = ScriptReading(Array(text.joined().utf8)[...])
      let chains = Array(reading.chains)
      for token in -1...reading.tokens.count {
        #expect(
          reading.chain(naming: token) == chains.first { $0.steps.contains(.member(token)) })
        #expect(reading.chain(danglingAt: token) == chains.first { $0.danglingDot == token })
        let owner = chains.first { chain in
          chain.steps.contains { if case .call(token, _) = $0 { true } else { false } }
        }
        #expect((reading.call(opening: token) == nil) == (owner == nil), "\(text.joined())")
      }
    }
  }
}
