// Hints drawn into marked text.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitTestSupport
import Testing

/// Compares a text that has its hints drawn into it, each between ⟦ and ⟧.
private func checkHints(
  _ bench: Bench = Bench(), _ variables: VariableHints = .url, is expected: String,
  file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = expected.split(separator: "⟦", omittingEmptySubsequences: false).enumerated()
    .map { $0 == 0 ? $1 : $1.drop { $0 != "⟧" }.dropFirst() }.joined()
  var bytes = Array(text.utf8)
  let hints = bench.analysis(bytes).inlayHints(in: 0..<bytes.count, variables: variables)
  for hint in hints.reversed() {
    bytes.insert(contentsOf: "⟦\(hint.text)⟧".utf8, at: hint.offset)
  }
  expect(
    String(decoding: bytes, as: UTF8.self), is: expected, file: file,
    sourceLocation: sourceLocation)
}

struct InlayHintTests {
  @Test func `Values stand behind the references of URLs`() {
    checkHints(is: """
      GET {{host}}⟦ = https://dev.test⟧/{{ user }}⟦ = ann⟧?t={{token}}⟦ = ••••••⟧&x={{$uuid}}
      X-User: {{user}}

      {{user}}
      """)
  }

  @Test func `All references have values where that is wanted, and none where it is not`() {
    let text = "GET {{host}}/\nX: {{user}}\n\n{{user}}{{nothing}}\n"
    checkHints(.init(), .all, is: """
      GET {{host}}⟦ = https://dev.test⟧/
      X: {{user}}⟦ = ann⟧

      {{user}}⟦ = ann⟧{{nothing}}⟦ not defined⟧

      """)
    checkHints(.init(), .unresolved, is: text.replacing("nothing}}", with: "nothing}}⟦ not defined⟧"))
    checkHints(.init(), .off, is: text)
  }

  @Test func `Values that change, are asked for or are long`() {
    checkHints(.init(), .all, is: """
      @id = {{$uuid}}
      @long = \(String(repeating: "ab", count: 30))
      @nested = x-{{user}}-{{pin}}
      # @prompt who
      POST /{{id}}/{{who}}/{{long}}⟦ = \(String(repeating: "ab", count: 19))a…⟧/{{nested}}⟦ = x-ann-••••••⟧
      """)
  }

  @Test func `Requests that are referred to tell what became of them`() {
    var bench = Bench()
    var result = Results.ok
    result.requestName = "login"
    result.startedAt = 1_770_271_628_009 - 5 * 60_000
    bench.results = [result]
    checkHints(bench, is: """
      ### login
      POST https://a.test/

      ### other
      # @ref login⟦200, 5 min ago⟧
      # @ref use⟦not sent yet⟧
      GET /{{login.response.body.$.a}}/{{login.response.body.$.b}}

      ### use
      GET /{{other.response.headers.X-A}}⟦not sent yet⟧
      """)
  }

  @Test func `A definition that has no effect names what covers it`() {
    checkHints(is: """
      @user = bob
      @host = x
      GET /
      """)
    var bench = Bench()
    bench.dialect.precedence = .environmentFirst
    checkHints(bench, is: """
      @user = bob⟦overridden by dev⟧
      @tenant = x⟦overridden by shared (publicFile.json)⟧
      @own = 1
      GET /
      """)
    bench = Bench()
    bench.dialect.redefinition = .lastInFile
    checkHints(bench, is: """
      @a = 1⟦overridden by line 2⟧
      @a = 2
      GET /
      """)
  }

  @Test func `What a hint is about is told in full`() {
    let text = "@user = bob\nGET /{{user}}"
    let analysis = Bench().analysis(text)
    for offset in [11, text.utf8.count] {
      #expect(analysis.inlayHintDetail(at: offset)?.hasPrefix("`user` = `bob`") == true)
    }
  }

  @Test func `Lines of scripts tell what they came to, until they say something else`() {
    let text = """
      ### login
      POST https://a.test/

      > {%
      console.log(response.status)
      client.test('a', () => {})
      client.test('b', () => {
        client.assert(false)
      })
      client.global.set("id", response.body)
      exports.mine = true
      %}
      """
    var bench = Bench()
    var result = Results.ok
    (result.requestName, result.line, result.template) = ("login", 2, text)
    var exchange = Exchange(
      id: "1", startedAt: 0, file: "a.http", line: 2, template: text,
      request: SentRequest(method: "POST", url: "https://a.test/", headers: [:]), state: .done)
    exchange.tests = [
      TestResult(name: "a", passed: true, line: 6, milliseconds: 0),
      TestResult(name: "b", passed: false, message: "no", line: 8, milliseconds: 1),
      TestResult(name: "status == 200", passed: false, message: "no", line: 4),
    ]
    exchange.output = [
      OutputLine(level: "log", text: "200", line: 5),
      OutputLine(level: "log", text: "20\n4", line: 5),
      OutputLine(level: "log", text: "elsewhere", line: 0),
    ]
    exchange.assigned = [
      AssignedValue(name: "id", text: "7"), AssignedValue(name: "id", text: "{\"a\":1}"),
      AssignedValue(name: "mine", text: "true"), AssignedValue(name: "other", text: "1"),
    ]
    result.noteLines(exchange)
    bench.results = [result]
    let hinted = text.replacing("(response.status)", with: "(response.status)⟦→ 20 4 ×2⟧")
      .replacing("() => {})", with: "() => {})⟦✓⟧").replacing("(false)", with: "(false)⟦✗ no⟧")
      .replacing("response.body)", with: "response.body)⟦= {\"a\":1}⟧")
      .replacing("mine = true", with: "mine = true⟦= true⟧")
    checkHints(bench, is: hinted)
    checkHints(bench, is: "@x = 1\n\n" + hinted)
    // They move with their lines and go with them, and say that they are older than the script.
    let edited = hinted.replacing("⟧", with: "  (before the edit)⟧")
      .replacing("(false)⟦✗ no  (before the edit)⟧", with: "(true)\n\n// more")
    checkHints(bench, is: "@x = 1\n\n" + edited)
  }

  @Test func `Ages in the words of people`() {
    var bench = Bench()
    for (milliseconds, age) in [
      (59_999, "just now"), (60_000, "1 min ago"), (3_599_000, "59 min ago"),
      (7_200_000, "2 h ago"), (172_800_000, "2 d ago"), (-5, "just now"),
    ] as [(Int64, String)] {
      var result = Results.ok
      result.startedAt = 1_770_271_628_009 - milliseconds
      bench.results = [result]
      checkHints(bench, is: "# @name ok\nGET /\n\n###\n# @ref ok⟦200, \(age)⟧\nGET /b\n")
    }
  }
}
