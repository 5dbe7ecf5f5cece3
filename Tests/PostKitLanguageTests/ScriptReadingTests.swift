// What a script is read as: tokens, chains, calls, declarations, keys.

@testable import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

/// The reading of a marked text with the place of its caret.
private func reading(_ marked: String) -> (ScriptReading, Int) {
  let text = MarkedText(marked)
  return (ScriptReading(text.bytes[...]), text.offset())
}

struct ScriptReadingTests {
  @Test func `Tokens are words, numbers, texts, patterns and signs, without comments`() {
    let tokens = ScriptTokens(
      Array("a?.b /* c */ = /[/]x/g.test('d') ? 1.5e3 : `e${f}g`; // h".utf8)[...])
    #expect(
      tokens.tokens.map { "\($0.kind) \(tokens.text($0.range))" } == [
        "word a", "mark ?.", "word b", "mark =", "pattern /[/]x/g", "mark .", "word test",
        "mark (", "string 'd'", "mark )", "mark ?", "number 1.5e3", "mark :", "template `e${",
        "word f", "template }g`", "mark ;",
      ])
    #expect(tokens.comments.map(tokens.text) == ["/* c */", "// h"])
  }

  @Test(arguments: [
    ("client.global.set(\"a\", 1️⃣1)", "client.global.set 1"),
    ("client.test(\"a\", () => { client.log(1, [2, 3], 1️⃣", "client.log 2"),
    ("client.test(\"a\", () => { 1️⃣ })", "none"),
    ("jsonPath(response.body, 1️⃣)", "jsonPath 1"),
    ("jsonPath({a: [1, 1️⃣]}, 2)", "jsonPath 0"),
    ("if (1️⃣a) b()", "none"),
    ("crypto.sha256().updateWithText(1️⃣", "crypto.sha256().updateWithText 0"),
    ("client.log(`${1️⃣a}`)", "none"),
    ("client.log(1)1️⃣", "none"),
  ])
  func `A call knows what is called and which argument is written`(marked: String, expected: String) {
    let (reading, offset) = reading(marked)
    let found = reading.call(at: offset).map { call -> String in
      let callee = call.callee.steps.map { step -> String in
        switch step {
        case .member(let token): "." + reading.tokens.text(token)
        case .call: "()"
        case .element: "[]"
        }
      }
      return "\(callee.joined().dropFirst()) \(call.argument)"
    }
    #expect((found ?? "none") == expected)
  }

  @Test func `Names are declared by many words, each for its block`() {
    let (reading, _) = reading(
      """
      import d, {e as f} from './m.js'
      const a = 1, {b, c: [g], ...h} = x
      function i(j, {k}) { let l = j }
      for (const m of n) { o(p => p + q) }
      try { (r, s = 2) => r } catch (t) {}
      class U { v(w) {} }
      1️⃣
      """)
    let names = reading.declarations.map(\.name)
    #expect(
      Set(names) == [
        "d", "f", "a", "b", "g", "h", "i", "j", "k", "l", "m", "p", "r", "s", "t", "U", "w",
      ])
    let known = reading.declarations(knownAt: reading.tokens.count)
    #expect(Set(known.keys).isSuperset(of: []))
    let end = reading.tokens.count - 1
    #expect(reading.declarations(knownAt: end)["l"] == nil)
    #expect(reading.declarations(knownAt: end)["a"] != nil)
  }

  @Test func `The keys of an object stand at its own depth`() {
    let (reading, _) = reading("f({a: {b: 1}, \"c\": 2, d, e() { g: 1 }, async h() {}, ...i, [j]: 1})1️⃣")
    let keys = reading.tokens.keys(ofObjectAt: 2).map { key -> String in
      switch key {
      case .named(let range): reading.tokens.text(range)
      case .shorthand(let range): reading.tokens.text(range) + "!"
      case .open(let range): reading.tokens.text(range) + "?"
      }
    }
    #expect(keys == ["a", "c", "d!", "e", "h", "...?", "[?"])
  }

  @Test func `Any bytes are read to their end, and all ranges lie in them`() {
    var random = RepeatableGenerator(seed: 11)
    let pieces = [
      "client.", "a", "(", ")", "{", "}", "[", "]", "`", "${", "\"x\"", "'", "/", "/*", "*/", "//",
      "\n", "=>", "=", ",", ":", "const ", "function ", "import ", "for ", "catch", "...", "?.",
      "1.5", "ä", "\\", ";",
    ]
    for _ in 0..<3_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0..<24, using: &random) {
        text += pieces[Int.random(in: pieces.indices, using: &random)]
      }
      let reading = ScriptReading(Array(text.utf8)[...])
      var end = 0
      for token in reading.tokens.tokens {
        #expect(token.range.lowerBound >= end && token.range.upperBound <= text.utf8.count)
        #expect(token.range.contains(token.inside.lowerBound) || token.inside.isEmpty)
        end = token.range.upperBound
      }
      for declaration in reading.declarations {
        #expect(declaration.scope.upperBound <= reading.tokens.count)
      }
      for place in 0...text.utf8.count {
        _ = reading.call(at: place)
        _ = reading.token(at: place)
        _ = reading.isInText(place)
      }
    }
  }

  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      ("[", ")"), ("import a\n", ""), ("import {a} ", ""), ("let a = 1 ", ""), ("let {a ", ""),
      (")=>", ""), ("){", ""), ("(a)=>", ""), ("function a(", ""), ("(let a ", ""), ("`${", "}`"),
      ("client.global", ".get(1)"), ("client.log(", ")"), ("{", "}]"),
    ])
  func `Twenty thousand of anything take no time`(unit: String, end: String) {
    let count = 20_000
    let text = String(repeating: unit, count: count) + String(repeating: end, count: count)
    let reading = ScriptReading(Array(text.utf8)[...])
    #expect(reading.declarations.count <= 200 * count)
    #expect(reading.chains.reduce(0) { $0 + reading.meanings(of: $1).count } <= 4 * count)
  }
}
