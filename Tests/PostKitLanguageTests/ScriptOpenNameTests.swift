// Variables that scripts set in other ways than by a name in the file: no reference to one is a
// mistake of the file.

import PostKitEvaluate
import PostKitLanguage
import PostKitTestSupport
import Testing

/// What is said of a file: the code, and the text that it is said of.
private func findings(_ text: String, _ files: [String: String] = [:]) -> [String] {
  var bench = Bench()
  bench.files = Set(files.keys)
  bench.contents = files
  return bench.analysis(text).diagnostics(limit: 100).filter {
    $0.code == .unresolvedVariable || $0.code == .setByScript
  }.map {
    "\($0.code.rawValue) " + String(decoding: Array(text.utf8)[$0.range], as: UTF8.self)
  }
}

struct ScriptOpenNameTests {
  @Test(arguments: [
    "client.global.set(key, 1)", "client.global.set(`a${key}`, 1)", "exports[key] = 1",
    "module.exports = {...other}", "$global[key] = 1", "pm.environment.set(key, 1)",
    "request.variables.set(key + 1, 2)", "$httpyac.setVariables({[key]: 1})",
  ])
  func `A script that puts names together may set any`(call: String) {
    #expect(
      findings("### a\nGET https://a.test/{{b}}\n\n> {% \(call) %}\n") == ["set-by-script {{b}}"])
    #expect(findings("### a\n< {% \(call) %}\nGET https://a.test/{{b}}\n") == [])
  }

  @Test(arguments: [
    "client.global.get(key)", "client.log(exports[key])", "client.global.clear(key)",
    "client.log($global[key] === 1)", "client.global.set('c', 1)",
  ])
  func `A script that only reads such names sets none`(call: String) {
    #expect(
      findings("### a\nGET https://a.test/{{b}}\n\n> {% \(call) %}\n")
        == ["unresolved-variable {{b}}"])
  }

  @Test func `What a file with a script sets is known, and what none sets is not`() {
    let files = [
      "./before.js": "request.variables.set('id', 1)", "./after.js": "client.global.set('late', 1)",
      "./open.js": "client.global.set(name, 1)",
    ]
    let text =
      "### a\n< ./before.js\nGET https://a.test/{{id}}/{{late}}/{{$global.late}}/{{none}}\n"
    #expect(
      findings(text + "\n> ./after.js\n", files)
        == [
          "set-by-script {{late}}", "set-by-script {{$global.late}}",
          "unresolved-variable {{none}}",
        ])
    #expect(
      findings(text + "\n> ./open.js\n", files)
        == ["set-by-script {{late}}", "set-by-script {{$global.late}}", "set-by-script {{none}}"])
    #expect(findings(text + "\n> ./gone.js\n", files).contains("unresolved-variable {{late}}"))
  }

  @Test func `A sentence says which script it is`() {
    var bench = Bench()
    bench.files = ["./s.js"]
    bench.contents = ["./s.js": "exports.b = 1"]
    let text = "### a\nGET https://a.test/{{b}}\n\n> ./s.js\n"
    let found = bench.analysis(text).diagnostics(limit: 9).first { $0.code == .setByScript }
    let message = found?.message ?? ""
    #expect(message.hasPrefix("The script `./s.js` sets `b`, but has not done so yet."))
  }
}
