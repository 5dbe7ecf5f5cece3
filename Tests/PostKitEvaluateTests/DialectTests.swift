// Both readings of each knob, on the request that is sent.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import Testing

@Suite struct DialectTests {
  /// A knob, its answers, and what each makes of a file.
  struct Case: Sendable, CustomTestStringConvertible {
    var knob: String
    var answers: [(String, String)]
    var file: String
    var testDescription: String { "\(knob): \(answers.map(\.0).joined(separator: ", "))" }
  }

  private static let form =
    "POST http://t.test\nContent-Type: application/x-www-form-urlencoded"

  static let cases = [
    Case(
      knob: "redefinition",
      answers: [
        ("nearest", "GET http://t.test/1/12"), ("last", "GET http://t.test/3/32"),
        ("top-down", "GET http://t.test/1/12"), ("top-down-fixed", "GET http://t.test/1/02"),
      ],
      file: """
        @b = {{a}}2
        ###
        @a = 1
        GET http://t.test/{{a}}/{{b}}
        ###
        @a = 3
        GET http://t.test/
        """),
    Case(
      knob: "precedence",
      answers: [("file-first", "GET http://t.test/file"), ("env-first", "GET http://t.test/env")],
      file: "@v = file\nGET http://t.test/{{v}}"),
    Case(
      knob: "unresolved",
      answers: [
        ("literal", "POST http://t.test\n\n-{{nope}}-"), ("error", "error: unresolved-variable"),
        ("empty", "POST http://t.test\n\n--"),
      ],
      file: "POST http://t.test\n\n-{{nope}}-"),
    Case(
      knob: "fileVarEscapes",
      answers: [
        ("minimal", "POST http://t.test\n\na\tb\\d"), ("restclient", "POST http://t.test\n\na\tbd"),
        ("none", "POST http://t.test\n\na\\tb\\d"),
      ],
      file: "@v = a\\tb\\d\nPOST http://t.test\n\n{{v}}"),
    Case(
      knob: "bodyComments",
      answers: [
        ("auto", "POST http://t.test\n\na\n# b\nc"), ("strip", "POST http://t.test\n\na\nc"),
        ("keep", "POST http://t.test\n\na\n# b\nc"),
      ],
      file: "POST http://t.test\n\na\n# b\nc"),
    Case(
      knob: "fileBody",
      answers: [
        ("raw-plain", "POST http://t.test\n\n<v.json>"),
        ("substitute-plain", "POST http://t.test\n\n\"env\""),
        ("substitute-structured", "POST http://t.test\n\n\"env\""),
      ],
      file: "POST http://t.test\n\n< v.json"),
    Case(
      knob: "processEnvironment",
      answers: [("true", "GET http://t.test/home"), ("false", "error: unresolved-variable")],
      file: "GET http://t.test/{{HOME}}"),
    Case(
      knob: "timestamp",
      answers: [("s", "GET http://t.test/1770271628"), ("ms", "GET http://t.test/1770271628009")],
      file: "GET http://t.test/{{$timestamp}}"),
    Case(
      knob: "dateFormat",
      answers: [
        ("heuristic", "GET http://t.test/2026-05"), ("dayjs", "GET http://t.test/yyyy-Th"),
        ("dotnet", "GET http://t.test/2026-05"),
      ],
      file: "GET http://t.test/{{$datetime \"yyyy-dd\"}}"),
    Case(
      knob: "originFormScheme",
      answers: [("port", "GET http://t.test/x\nHost: t.test"), ("https", "GET https://t.test/x\nHost: t.test")],
      file: "GET /x\nHost: t.test"),
    Case(
      knob: "inferContentType",
      answers: [
        ("none", "POST http://t.test\n\n{}"),
        ("json", "POST http://t.test\nContent-Type: application/json\n\n{}"),
      ],
      file: "POST http://t.test\n\n{}"),
    Case(
      knob: "bodyLineEnding",
      answers: [
        ("lf", "POST http://t.test\n\na\nb"), ("crlf", "POST http://t.test\n\na\r\nb"),
        ("file", "POST http://t.test\n\na\r\nb"), ("as-written", "POST http://t.test\n\na\r\nb"),
      ],
      file: "POST http://t.test\n\na\r\nb"),
    Case(
      knob: "formEncoding",
      answers: [
        ("automatic", "\(form)\n\na=b%20c%20"), ("always", "\(form)\n\na=b%20c%2520"),
        ("never", "\(form)\n\na=b c%20"),
      ],
      file: "\(form)\n\na=b c%20"),
  ]

  private func laboratory(_ dialect: Dialect) -> Laboratory {
    var laboratory = Laboratory()
    laboratory.dialect = dialect
    laboratory.environment = "dev"
    laboratory.sources = [(.publicFile, "{\"dev\":{\"v\":\"env\",\"a\":\"0\"}}")]
    laboratory.files = ["v.json": "\"{{v}}\""]
    laboratory.processEnvironment = ["HOME": "home"]
    return laboratory
  }

  @Test("both readings", arguments: cases)
  func readings(_ example: Case) {
    for (answer, expected) in example.answers {
      let member = JSONMember(example.knob, .string(answer))
      let laboratory = laboratory(Dialect(.auto, knobs: [member]))
      #expect(laboratory.lower(example.file).text == expected, "\(answer)")
    }
  }

  @Test func `a bare number of a timeout is seconds or milliseconds`() {
    for (answer, expected) in [("auto", 600_000), ("s", 600_000), ("ms", 600)] {
      let laboratory = laboratory(Dialect(.auto, knobs: [JSONMember("bareTimeout", .string(answer))]))
      let lowered = laboratory.lower("# @timeout 600\nGET http://t.test")
      #expect(lowered.settings.options.totalTimeoutMilliseconds == expected)
    }
  }

  @Test(
    "knobs of the transfer, and the tags that stand above them",
    arguments: [
      ("followRedirects", "true", "", true),
      ("followRedirects", "false", "", false),
      ("followRedirects", "true", "# @no-redirect", false),
      ("redirectMethod", "browser", "", false),
      ("redirectMethod", "keep", "", true),
      ("redirectMethod", "keep", "# @post-redirect-get", false),
      ("cookies", "true", "", true),
      ("cookies", "false", "", false),
      ("cookies", "true", "# @no-cookie-jar", false),
      ("cookies", "false", "# @attach-cookie-jar", true),
      ("cookieHeaderFeedsJar", "true", "", true),
      ("cookieHeaderFeedsJar", "false", "", false),
    ] as [(String, String, String, Bool)])
  func transfer(_ knob: String, _ answer: String, _ tag: String, _ expected: Bool) {
    let laboratory = laboratory(Dialect(.auto, knobs: [JSONMember(knob, .string(answer))]))
    let options = laboratory.lower("\(tag)\nGET http://t.test").settings.options
    let found =
      switch knob {
      case "followRedirects": options.followsRedirects
      case "redirectMethod": options.keepsMethod
      case "cookies": options.usesCookieJar
      default: options.cookieHeaderFeedsJar
      }
    #expect(found == expected)
  }

  @Test(arguments: [(false, 301, "GET"), (false, 302, "GET"), (false, 303, "GET"),
    (true, 301, "POST"), (true, 302, "POST"), (true, 303, "GET"), (true, 307, "POST")])
  func `a POST stays one after 301 and 302 where the method is kept`(
    _ keeps: Bool, _ status: Int, _ method: String
  ) throws {
    var spec = RequestSpec(
      method: "POST", url: "http://t.test/a", body: [.bytes(Array("x".utf8))])
    spec.options.keepsMethod = keeps
    let decision = Redirects.decide(
      after: spec, status: status, headers: ["Location": "/b"], secrets: [])
    guard case .follow(let next) = decision else {
      Issue.record("\(decision)")
      return
    }
    #expect(next.method == method)
    #expect(next.body.isEmpty == (method == "GET"))
  }

  /// The knobs in which a preset differs from `auto`.
  private func differences(_ preset: DialectPreset) -> [String] {
    let (chosen, base) = (Dialect(preset), Dialect(.auto))
    return DialectKnob.all.compactMap { knob in
      let answer = knob.answer(in: chosen)
      return answer == knob.answer(in: base) ? nil : "\(knob.name)=\(answer)"
    }
  }

  @Test func `presets are bundles of answers`() {
    #expect(
      differences(.restclient) == [
        "redefinition=last", "fileVarEscapes=restclient", "bodyComments=strip",
        "dateFormat=dayjs", "redirectMethod=keep", "pathBase=root", "autoRun=never",
      ])
    #expect(
      differences(.jetbrains) == [
        "precedence=env-first", "envSearch=nearest", "fileVarEscapes=none",
        "fileBody=substitute-plain", "bodyComments=strip", "bareTimeout=s",
        "testsRun=afterScript", "autoRun=never",
      ])
    #expect(
      differences(.httpyac) == [
        "redefinition=top-down-fixed", "unresolved=error", "fileVarEscapes=none",
        "bodyComments=strip", "bareTimeout=ms", "dateFormat=dayjs", "timestamp=ms",
        "redirectMethod=keep", "autoRun=never",
      ])
    #expect(
      differences(.kulala) == [
        "redefinition=top-down", "precedence=env-first", "processEnvironment=true",
        "fileVarEscapes=none", "fileBody=substitute-structured", "bodyComments=keep",
        "bareTimeout=s", "inferContentType=json", "autoRun=never",
      ])
    #expect(
      differences(.restnvim) == [
        "redefinition=top-down-fixed", "envSearch=dotenv", "processEnvironment=true",
        "unresolved=empty", "fileVarEscapes=none", "fileBody=substitute-plain",
        "bodyComments=keep", "originFormScheme=https", "redirectMethod=keep",
        "inferContentType=json", "autoRun=never",
      ])
    #expect(
      differences(.visualstudio) == [
        "envSearch=nearest", "unresolved=error", "fileVarEscapes=none", "dateFormat=dotnet",
        "autoRun=never",
      ])
  }

  @Test func `an answer that a knob doesn't have is told about, and nothing turns`() {
    let json: JSONValue = ["precedence": "sideways", "envPrivateWins": false, "timeout": 3]
    let knobs = DialectKnob.read(json)
    #expect(knobs.map(\.key) == ["envPrivateWins"])
    #expect(
      SettingsForm.project.read(Array(json.text.utf8)).mistakes.map(\.sentence) == [
        "`precedence` can't be `\"sideways\"` and has no effect. Write one of `file-first`, "
          + "`env-first`."
      ])
    #expect(Dialect(.auto, knobs: knobs).privateEnvironmentWins == false)
  }

  @Test func `a definition that uses its own name reads the one above, where values are fixed`() {
    let file = "@a = 1\n@a = {{a}}2\nGET http://t.test/{{a}}"
    #expect(laboratory(Dialect(.httpyac)).lower(file).text == "GET http://t.test/12")
    #expect(laboratory(Dialect(.auto)).lower(file).text == "error: variable-cycle")
  }

  @Test func `what is defined below is not there yet, but in a block of its own`() {
    let below = "GET http://t.test/{{x}}\n###\n@x = 1\nGET http://t.test/"
    #expect(laboratory(Dialect(.kulala)).lower(below).text == "error: unresolved-variable")
    #expect(laboratory(Dialect(.auto)).lower(below).text == "GET http://t.test/1")
    let global = "GET http://t.test/{{x}}\n###\n@x = 1\n"
    #expect(laboratory(Dialect(.httpyac)).lower(global).text == "GET http://t.test/1")
  }
}
