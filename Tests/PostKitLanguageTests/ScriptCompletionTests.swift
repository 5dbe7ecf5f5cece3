// What can be typed in scripts, what a name in them means, and which arguments a call takes.

import PostKitEvaluate
import PostKitHTTP
@testable import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

/// The labels of the first items at the caret.
private func labels(
  _ marked: String, _ bench: Bench = Bench(), with sources: CompletionSources = CompletionSources()
) -> [String] {
  let text = MarkedText(marked)
  return bench.analysis(text.bytes).completion(at: text.offset(), with: sources).items.map(\.label)
}

/// A bench in which the request `login` was answered.
private var answered: Bench {
  var bench = Bench()
  bench.exchanges["login"] = Bench.exchange(
    #"{"user": {"id": 7, "na-me": 1}, "token": "abc", "list": [{"a": 1}]}"#,
    headers: ["X-Request-Id": "17", "Content-Type": "application/json"])
  return bench
}

private let head = "# @name login\nGET https://a.test/\n\n"

struct ScriptCompletionTests {
  @Test func `Members are those of the phase, the family's own first`() {
    #expect(labels("\(head)> {% client.1️⃣ %}").contains("global"))
    #expect(labels("\(head)> {% client.global.1️⃣ %}").starts(with: ["set", "get"]))
    #expect(labels("\(head)> {% response.headers.1️⃣ %}") == ["valueOf", "valuesOf", "all"])
    #expect(labels("< {% request.1️⃣ %}\n\(head)").contains("skip"))
    #expect(!labels("\(head)> {% request.1️⃣ %}").contains("skip"))
    #expect(!labels("< {% response.1️⃣ %}\n\(head)").contains("status"))
    #expect(labels("\(head)> {% response.1️⃣ %}").first == "status")
    #expect(labels("\(head){{\nresponse.1️⃣\n}}").contains("parsedBody"))
    #expect(labels("\(head)> {% crypto.sha256().updateWithText('a').1️⃣ %}").contains("digest"))
    #expect(labels("\(head)> {% const client = 1; client.1️⃣ %}") == [])
  }

  @Test func `A member's name is replaced as a whole, and calls are filled in`() throws {
    try checkInsertion(
      "\(head)> {% client.gl1️⃣obal.get() %}", "global",
      is: "\(head)> {% client.global1️⃣.get() %}")
    let text = MarkedText("\(head)> {% client.te1️⃣ %}")
    let item = Bench().analysis(text.bytes).completion(at: text.offset()).items.first
    #expect(item?.label == "test")
    #expect(item?.snippet?.hasPrefix("test(\"${1:name}\"") == true)
    #expect(item?.apiPath == "client.test")
  }

  @Test func `The last response tells which members its body has`() {
    #expect(labels("\(head)> {% response.body.1️⃣ %}", answered) == ["user", "token", "list"])
    #expect(labels("\(head)> {% client.log(response.body.user.i1️⃣d) %}", answered) == ["id"])
    #expect(labels("\(head)> {% response.body.list[0].1️⃣ %}", answered) == ["a"])
    #expect(labels("\(head){{\nresponse.parsedBody.1️⃣\n}}", answered).first == "user")
    checkCompletion(
      "\(head)> {% response.body.user.1️⃣ %}", bench: answered, is: "id | 7 | last response")
    checkCompletion(
      "\(head)> {% response.body.tok1️⃣ %}", bench: answered, is: "token | •••••• | last response")
  }

  @Test func `Texts in calls are names, headers, modules and files`() {
    #expect(labels("\(head)> {% client.global.set('tok', 1); client.global.get('1️⃣') %}") == ["tok"])
    #expect(labels("< {% request.environment.get(\"1️⃣\") %}\n\(head)").contains("host"))
    #expect(
      labels("\(head)> {% response.headers.valueOf(\"1️⃣\") %}", answered).first == "X-Request-Id")
    #expect(labels("{{\nawait $httpyac.execute('1️⃣')\n}}\n\(head)") == ["login"])
    #expect(labels("{{\nconst a = require('as1️⃣')\n}}\n\(head)").starts(with: ["assert", "assert/strict"]))
    var sources = CompletionSources()
    sources.entries = { $0 == "./lib/" ? [FolderEntry("a.js"), FolderEntry("b.txt")] : [] }
    #expect(
      labels("{{\nconst a = require('./lib/1️⃣')\n}}\n\(head)", with: sources) == ["a.js"])
    #expect(labels("\(head)> {% client.log('1️⃣') %}") == [])
  }

  @Test func `Words are what is declared, variables, objects and keywords`() {
    let found = labels("@who-am-i = x\n{{\nconst mine = 1\n1️⃣\n}}\n\(head)")
    #expect(found.first == "mine")
    #expect(found.contains("whoAmI"))
    #expect(found.contains("client"))
    #expect(found.contains("typeof"))
    #expect(!labels("< {% 1️⃣ %}\n\(head)").contains("$requestClient"))
    #expect(labels("\(head)> {% test s1️⃣ %}").contains("test status"))
  }

  @Test(arguments: [
    "\(head)> {% // client.1️⃣ %}", "\(head)> {% /* 1️⃣ */ %}", "\(head)> {% 121️⃣ %}",
    "\(head)> {% /cl1️⃣/.test('') %}", "\(head)> {% const cl1️⃣ %}",
    "\(head)> {% `a1️⃣${b}` %}",
  ])
  func `Nothing is offered in comments, numbers, patterns and new names`(marked: String) {
    #expect(labels(marked) == [])
  }

  @Test func `Expressions between braces are completed once they are no plain name`() {
    #expect(labels("GET /{{client.global.get('a') + request.1️⃣}}").contains("method"))
    #expect(labels("GET /{{btoa(client.global.1️⃣").contains("get"))
    #expect(labels("GET /{{us1️⃣}}").first == "user")
  }

  @Test func `Any bytes can be completed`() {
    var random = RepeatableGenerator(seed: 5)
    let pieces = [
      "client.", "response.body.", "a", "(", ")", "{", "}", "`", "${", "\"", "'", "/", "//", "\n",
      ".", ",", "require(", "client.global.get(", "const ", "ä",
    ]
    for _ in 0..<500 {
      var text = "# @name login\nGET /\n\n> {%"
      let start = text.utf8.count
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        text += pieces[Int.random(in: pieces.indices, using: &random)]
      }
      let analysis = answered.analysis(text)
      for offset in start...text.utf8.count {
        for item in analysis.completion(at: offset).items {
          #expect(item.replaced.lowerBound <= offset)
        }
        _ = SignatureHelp(analysis.document, at: offset)
        _ = analysis.hover(at: offset)
      }
    }
  }
}

/// The active signature with its active parameter in brackets; empty where there is none.
private func signature(_ marked: String) -> String {
  let text = MarkedText(marked)
  guard let help = SignatureHelp(ParsedDocument(bytes: text.bytes), at: text.offset()) else {
    return ""
  }
  let signature = help.signatures[help.activeSignature]
  let active = signature.parameters.indices.contains(help.activeParameter)
    ? signature.parameters[help.activeParameter] : ""
  return "\(signature.label) <\(active)>"
}

struct ScriptHelpTests {
  @Test func `A call shows its parameters, the one at the caret active`() {
    #expect(
      signature("\(head)> {% client.global.set(1️⃣) %}")
        == "client.global.set(name: string, value: any): void <name: string>")
    #expect(
      signature("\(head)> {% client.global.set('a', 1️⃣) %}")
        == "client.global.set(name: string, value: any): void <value: any>")
    #expect(signature("\(head)> {% client.global.set('a', 1, 1️⃣) %}") == "")
    #expect(signature("\(head)> {% client.test('a', () => { 1️⃣ }) %}") == "")
    #expect(signature("\(head)> {% client.global.set('a'1️⃣) %}").hasSuffix("<name: string>"))
    #expect(signature("GET /{{jsonPath(response, 1️⃣)}}").hasSuffix("<path: string>"))
    #expect(signature("\(head)> {% client.log(1, 2, 1️⃣) %}").contains("..."))
    #expect(signature("\(head)> {% foo(1️⃣) %}") == "")
    #expect(signature("\(head)> {% const client = {}; client.log(1️⃣) %}") == "")
  }

  @Test func `A hover says what a name does and when it can be used`() {
    checkHover(
      "\(head)> {% client.global.⏩se1️⃣t⏪('a', 1) %}",
      is: """
        `client.global.set(name: string, value: any): void`

        """ + ScriptAPI.entry("client.global.set")!.markdownForTests)
  }

  @Test func `A name in quotes or alone shows its value`() {
    checkHover(
      "@who = x\n{{\nclient.log(⏩wh1️⃣o⏪)\n}}\nGET /",
      is: "`who` = `x`\n\nfrom this file, line 1")
    checkHover(
      "GET /\n\n> {% request.environment.get('⏩us1️⃣er⏪') %}",
      is: "`user` = `ann`\n\nfrom the environment `dev`, publicFile.json, line 3")
  }
}

extension ScriptEntry {
  /// What a hover says behind the signatures.
  fileprivate var markdownForTests: String {
    ScriptText.markdown(self, calledAs: "").split(separator: "\n\n", maxSplits: 1).last
      .map { "\n" + $0 } ?? ""
  }
}
