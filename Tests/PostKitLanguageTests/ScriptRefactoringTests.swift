// What can be done to scripts, and that each way back leads to the same check.

import PostKitEvaluate
@testable import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

/// The text after the change whose title begins so; the titles where there is none.
private func changed(_ title: String, _ marked: String, _ bench: Bench = Bench()) -> String {
  let text = MarkedText(marked)
  let range = text.selections.first ?? text.offset()..<text.offset()
  let found = bench.analysis(text.bytes).refactorings(in: range)
  guard let change = found.first(where: { $0.title.hasPrefix(title) }) else {
    return "only \(found.map(\.title))"
  }
  if let reason = change.disabled { return reason }
  return TextEdit.apply(change.edits, to: text.bytes).map { String(decoding: $0, as: UTF8.self) }
    ?? "overlapping"
}

private let head = "# @name login\nGET https://a.test/\n\n"

struct ScriptRefactoringTests {
  @Test(arguments: [
    ("response.status === 200", "status == 200"),
    ("response.status !== 500", "status != 500"),
    ("response.status < 300", "status < 300"),
    ("response.status >= 200", "status >= 200"),
    ("response.headers.valueOf(\"ETag\") === \"a b\"", "header ETag == a b"),
    ("response.body.user.id === 7", "body $.user.id == 7"),
    ("response.body.list[0].a === \"x\"", "body $.list[0].a == x"),
    ("response.body.ok === true", "body $.ok isTrue"),
    ("response.body.name.includes(\"an\")", "body $.name contains an"),
    ("response.body.name.startsWith(\"a\")", "body $.name startsWith a"),
    ("typeof response.body.id === \"number\"", "body $.id isNumber"),
    ("Array.isArray(response.body.list)", "body $.list isArray"),
  ])
  func `A test of one condition becomes a check, and the check that test`(
    condition: String, line: String
  ) {
    let script = "> {%\nclient.test(\"\(line)\", () => {\n  client.assert(\(condition))\n})\n%}"
    let check = changed("Convert the test", "\(head)1️⃣\(script)\n")
    #expect(check == "\(head)?? \(line)\n")
    let back = changed("Convert the check", "\(head)1️⃣?? \(line)\n")
    #expect(back == "\(head)\(script)\n")
  }

  @Test func `A name of its own stays as a comment`() {
    #expect(
      changed(
        "Convert the test",
        "\(head)> {% cl1️⃣ient.test('it works', function () { client.assert(response.status == 200, 'no'); }); %}"
      ) == "\(head)# it works\n?? status == 200")
  }

  @Test(arguments: [
    "client.test('a', () => { client.assert(response.status === x) })",
    "client.test('a', () => { client.assert(true); client.assert(response.status === 200) })",
    "client.test('a', () => { client.assert(response.status === 200) }); client.log(1)",
    "// c\nclient.test('a', () => { client.assert(response.status === 200) })",
    "client.test(a, () => { client.assert(response.status === 200) })",
  ])
  func `Other scripts are no checks`(script: String) {
    #expect(changed("Convert the test", "\(head)1️⃣> {% \(script) %}").hasPrefix("only"))
  }

  @Test func `A handler that only keeps a member becomes a definition`() {
    #expect(
      changed("Convert the script", "\(head)1️⃣> {% client.global.set('t', response.body.a.b) %}\n")
        == "\(head)@t = {{login.response.body.$.a.b}}\n")
    #expect(
      changed("Convert the script", "\(head)1️⃣> {% client.global.set('t', response.body.a()) %}\n")
        .hasPrefix("only"))
  }

  @Test func `A script moves to a file`() throws {
    #expect(
      changed("Extract the script", "\(head)1️⃣> {% client.log(1) %}\n")
        == "\(head)> ./login-after.js\n")
    let text = MarkedText("< {%\n  client.l1️⃣og(1)\n%}\nGET /\n")
    let change = try #require(
      Bench().analysis(text.bytes).refactorings(in: text.offset()..<text.offset())
        .first { $0.kind == .extract })
    #expect(change.files.map(\.content) == [.new("client.log(1)\n")])
  }

  @Test func `A script comes back from its file`() throws {
    func inlined(_ script: String) -> String {
      var bench = Bench()
      bench.files = ["./login-after.js"]
      bench.contents["./login-after.js"] = script
      return changed("Inline the script", "\(head)1️⃣> ./login-after.js\n", bench)
    }
    // What was moved out is again what it was.
    let moved = "\(head)> {%\nclient.log(1)\n%}\n"
    #expect(changed("Extract the script", "\(head)1️⃣> {%\nclient.log(1)\n%}\n")
      == "\(head)> ./login-after.js\n")
    #expect(inlined("client.log(1)\n") == moved)
    #expect(inlined("client.log('100 %}')\nif (x) {% }\n%}\n").contains("would end the script"))
    #expect(inlined("exports.a = __dirname").contains("depends on the place"))
    #expect(inlined("\n").contains("is empty"))
    #expect(inlined("const a = require('./b.js')\na()").hasPrefix("# @name login"))
  }

  @Test func `A selection is wrapped in a test, and values change their store`() {
    #expect(
      changed("Wrap", "\(head)> {%\n⏩client.assert(1)⏪\n%}")
        == "\(head)> {%\nclient.test(\"name\", () => {\nclient.assert(1)\n})\n%}")
    #expect(changed("Wrap", "\(head)> {%\n⏩client.assert(1⏪)\n%}").hasPrefix("only"))
    #expect(
      changed("Keep", "\(head){{\nexp1️⃣orts.a = f(1, 2)\nb()\n}}")
        == "\(head){{\nclient.global.set(\"a\", f(1, 2))\nb()\n}}")
    #expect(
      changed("Keep", "\(head){{\nclient.glo1️⃣bal.set('a', f(1, 2))\n}}")
        == "\(head){{\nexports.a = f(1, 2)\n}}")
  }

  @Test func `Scripts in files can be described to other editors`() throws {
    let title = "Describe PostKit's objects to this folder's editor"
    func files(_ text: String) -> [String] {
      let marked = MarkedText(text)
      let found = Bench().analysis(marked.bytes)
        .refactorings(in: marked.offset()..<marked.offset())
      return found.first { $0.title == title }?.files.map(\.path) ?? []
    }
    let names = ["postkit.d.ts", "jsconfig.json"]
    for text in ["\(head)> ./a1️⃣fter.js\n", "\(head)> {% req1️⃣uire('./a.js') %}\n"] {
      let found = files(text)
      #expect(found.count == 2 && zip(found, names).allSatisfy { $0.hasSuffix("/" + $1) }, "\(text)")
    }
    #expect(files("\(head)> {% client.lo1️⃣g(1) %}\n") == [])
  }
}
