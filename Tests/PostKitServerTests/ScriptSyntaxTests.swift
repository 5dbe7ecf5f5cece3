// Mistakes of syntax as the real engine finds them: their places and their sentences.

import PostKitLanguage
import PostKitScripting
import PostKitSupport
import PostKitSyntax
import PostKitTestSupport
import Testing

@testable import PostKitSession

@Suite(.timeLimit(.minutes(10))) struct ScriptSyntaxTests {
  /// Scripts, each with its mistake between marks, and what is said of it.
  static let mistakes: [(marked: String, says: String)] = [
    ("let x = ⏩;⏪", "`;` can't stand here."),
    ("f(1⏩;⏪ 2)", "Expected `)` before `;`."),
    ("f(1 ⏩2⏪)", "Expected `)` before `2`."),
    ("let x ⏩y⏪", "Expected `;` before `y`."),
    ("a = 1 ⏩b⏪ = 2", "`b` can't stand here. Is an operator or a comma missing?"),
    ("if ⏩a⏪) b()", "Expected `(` before `a`."),
    ("if (a\n⏩b⏪()", "Expected `)` before `b`."),
    ("const a⏩;⏪", "The constant `a` needs a value. Write `= …` behind it."),
    ("const a = 1\nconst ⏩a⏪ = 2", "`a` is declared twice. Rename one."),
    ("let a = 1\nlet ⏩a⏪", "`a` is declared twice. Rename one."),
    ("class A {}\nclass ⏩A⏪ {}", "`A` is declared twice. Rename one."),
    ("f();\n1 ⏩=⏪ 2", "Nothing can be given a value here."),
    ("⏩break⏪", "`break` stands only in a loop or a `switch`."),
    ("f();\n⏩continue⏪;", "`continue` stands only in a loop."),
    ("let a = ⏩[⏪1, 2\n", "This `[` is not closed."),
    ("let a = {b ⏩1⏪}", "Expected `:` before `1`."),
    ("x = {a: 1⏩;⏪ b: 2}", "Expected `}` before `;`."),
    ("[1, 2⏩)⏪", "Expected `]` or `,` before `)`."),
    ("let a = ⏩'abc⏪\nf()", "This text has no end. Add `'`."),
    ("f(⏩\"abc)⏪", "This text has no end. Add `\"`."),
    ("f();\nlet a = ⏩`abc⏪", "This text has no end. Add a backtick."),
    ("f();\nx = ⏩/abc⏪", "This regular expression has no end. Add `/`."),
    ("f();\n⏩/* abc\nmore⏪", "This comment has no end. Add `*/`."),
    ("let ⏩class⏪ = 1", "The keyword `class` can't stand here."),
    ("f();\n⏩else⏪ {}", "The keyword `else` can't stand here."),
    ("f();\n⏩case⏪ 1:", "The keyword `case` can't stand here."),
    ("a⏩..⏪b", "Expected a name behind `.`, not `.`."),
    ("f(g⏩}⏪", "Expected `)` before `}`."),
    ("f();\n⏩}⏪\ng();", "This `}` closes nothing. Remove it."),
    ("let a = b ⏩+⏪\n", "The script ends behind `+`, which needs more."),
    ("client.test('x', () => ⏩{⏪\n  client.assert(true)\n", "This `{` is not closed."),
    ("client.test('x' ⏩=>⏪ 1)", "Expected `)` before `=>`."),
    ("client.test('x', () => {\n  f(true\n⏩}⏪)", "Expected `)` before `}`."),
    ("arr.map(x => { return x * 2 ⏩)⏪", "Expected `;` before `)`."),
    ("var a = 'it'⏩s⏪'", "Expected `;` before `s`."),
    ("x = f(⏩@⏪a)", "The character `@` can't stand here."),
    ("import ⏩x⏪ fro", "This import is not complete. Write `import { name } from './file.js'`."),
    ("function f(a, ⏩,⏪ b) {}", "Expected a parameter or `)` before `,`."),
    ("⏩throw⏪\n1", "What is thrown stands behind `throw`."),
    ("let f = 1; let g = ⏩1a⏪", "A name can't follow a number directly."),
  ]

  /// What is right, though it looks odd.
  static let right = [
    "", "// nothing", "return", "await f(); for await (const x of y) z(x)",
    "import { a as b } from './x.js'\nb()", "import './x.js'", "request.method() === 'GET'",
    "const f = async () => { await 1 }", "let s = `a${b}c`", "x = /[/]\\/}/g.test('}')",
    "if (a) { return }\nlabel: for (;;) break label",
  ]

  private func engine() throws -> ScriptHost { ScriptHost(program: ScriptSyntaxTests.program) }

  private static var program: String {
    let tests = FileSystem.realPath("/proc/self/exe") ?? CommandLine.arguments[0]
    return FilePath.join(FilePath.parent(tests), "postkit")
  }

  /// What is found in a document, once everything about it is known.
  private func findings(
    _ checker: ScriptChecker, _ text: [UInt8], _ engine: any ScriptEngine
  ) async -> ScriptFindings {
    var sources = ScriptSources()
    let list = sources.sources(of: ParsedDocument(bytes: text))
    let uri = DocumentURI("file:///a.http")
    while true {
      let before = checker
      let (stream, told) = AsyncStream<Void>.makeStream()
      let order = ScriptOrder(uri, root: "/", engine: engine, limits: ScriptLimits()) {
        told.finish()
      }
      let found = await before.look(list, order)
      if await checker.knows(list) || found.isMissing { return found }
      // What changes nothing is not told; so the text is looked at again.
      let alarm = Alarm.shared.schedule(afterMicroseconds: 20_000) { told.finish() }
      for await _ in stream {}
      Alarm.shared.cancel(alarm)
    }
  }

  private func document(_ script: String) -> [UInt8] {
    Array("GET http://a.test/\n\n> {%\n\(script)\n%}\n".utf8)
  }

  @Test(arguments: mistakes.indices)
  func `A mistake is shown at its token in plain words`(index: Int) async throws {
    let (marked, says) = Self.mistakes[index]
    let text = MarkedText(marked)
    let bytes = document(String(decoding: text.bytes, as: UTF8.self))
    let found = await findings(ScriptChecker(), bytes, try engine())
    let (source, mistake) = try #require(found.mistakes.first, "nothing is found in \(marked)")
    #expect(mistake.message == says)
    let range = mistake.range
    let own = String(decoding: source.bytes, as: UTF8.self)
    let token = String(decoding: Array(source.bytes)[range], as: UTF8.self)
    let wanted = try #require(text.selections.first)
    // The script of the document has a line end around it.
    let shift = own.utf8.count - own.drop { $0 == "\n" }.utf8.count
    #expect(range == wanted.lowerBound + shift..<wanted.upperBound + shift, "`\(token)`")
  }

  @Test func `What can be read has no mistake`() async throws {
    let (checker, engine) = (ScriptChecker(), try engine())
    for script in Self.right {
      let found = await findings(checker, document(script), engine)
      #expect(found.mistakes.isEmpty, "\(script): \(found.mistakes.map(\.mistake))")
    }
  }
}
