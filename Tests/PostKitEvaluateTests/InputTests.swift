// Values that a request asks for: `@prompt`s and references such as `$input` (PK-54, PK-111).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import Testing

@Suite struct InputTests {
  private func lower(
    _ target: String, _ answers: [String: String] = [:],
    change: (inout Laboratory) -> Void = { _ in }
  ) -> LoweredRequest {
    var laboratory = Laboratory()
    laboratory.answers = answers
    change(&laboratory)
    return laboratory.lower("@team = red\nGET http://t.test/\(target)")
  }

  @Test(
    "questions and their labels",
    arguments: [
      ("$input Who are you", "Who are you", nil), ("$prompt a-b.c", "a-b.c", nil),
      ("$input who $value: Ada L", "who", "Ada L"), ("$password pin", "pin", nil),
      ("$input-askonce who", "who", nil), ("$input who $value:", "who", ""),
    ] as [(String, String, String?)])
  func questions(_ reference: String, _ label: String, _ proposal: String?) {
    let open = lower("{{\(reference)}}")
    #expect(open.spec == nil)
    #expect(open.failure?.code == .usage)
    #expect(open.needs.compactMap(\.prompt).map(\.name) == [label])
    #expect(open.needs.first?.prompt?.proposal == proposal)
    #expect(open.needs.first?.prompt?.isSecret == reference.hasPrefix("$password"))
    #expect(open.needs.first?.prompt?.asksOnce == reference.contains("-askonce"))
    let answered = lower("{{\(reference)}}", [label: "x"])
    #expect(answered.text == "GET http://t.test/x")
    #expect(answered.needs.isEmpty)
  }

  @Test(
    "choices",
    arguments: [
      "$pick color $value: red, green ,blue", "$pick color $value: [\"red\", \"green\", \"blue\"]",
      "$pick-askonce color $value: red,green,blue,",
    ])
  func choices(_ reference: String) {
    #expect(lower("{{\(reference)}}").needs.first?.prompt?.options == ["red", "green", "blue"])
  }

  @Test func `choices can be a variable that holds a list`() {
    let open = lower("{{$pick color $value: colors}}") {
      $0.environment = "dev"
      $0.sources = [(.publicFile, "{\"dev\":{\"colors\":[\"a\",2,true]}}")]
    }
    #expect(open.needs.first?.prompt?.options == ["a", "2", "true"])
  }

  @Test(
    "questions of another form",
    arguments: ["$input", "$input $value: x", "$pick color", "$pick color $value:", "$password"])
  func wrong(_ reference: String) {
    let lowered = lower("{{\(reference)}}")
    #expect(lowered.text == "error: dynamic-arguments")
    #expect(lowered.failure?.message.contains(" LABEL ") == true)
  }

  @Test func `each question is asked once a request, in the order of its use`() {
    let open = lower("{{$input b}}/{{$input a}}/{{$input b}}")
    #expect(open.needs.compactMap(\.prompt).map(\.name) == ["b", "a"])
  }

  @Test func `what is asked once is not asked where a variable of that name is there`() {
    #expect(lower("{{$input-askonce team}}").text == "GET http://t.test/red")
    #expect(lower("{{$input team}}").needs.compactMap(\.prompt).map(\.name) == ["team"])
  }

  @Test func `an answer in a definition is the same throughout`() {
    var laboratory = Laboratory()
    laboratory.answers = ["who": "ada"]
    let lowered = laboratory.lower("@who = {{$input who}}\nGET http://t.test/{{who}}/{{who}}")
    #expect(lowered.text == "GET http://t.test/ada/ada")
  }

  @Test func `a question in a body keeps the request, too`() {
    let lowered = Laboratory().lower("POST http://t.test\n\n{{$input who}}")
    #expect(lowered.spec == nil)
    #expect(lowered.needs.compactMap(\.prompt).map(\.name) == ["who"])
  }

  @Test func `passwords are secrets`() {
    #expect(lower("{{$password pin}}", ["pin": "12345678"]).secrets == ["12345678"])
    #expect(lower("{{$input pin}}", ["pin": "12345678"]).secrets == [])
  }

  @Test(
    "kulala's order of words",
    arguments: [
      ("\"Your name\" user", "user", "Your name"), ("'Your name' user", "user", "Your name"),
      ("user Your name", "user", "Your name"), ("user", "user", "user"),
    ])
  func labelled(_ value: String, _ name: String, _ label: String) {
    let lowered = Laboratory().lower("# @kulala-prompt \(value)\nGET http://t.test")
    #expect(lowered.settings.prompts.map(\.name) == [name])
    #expect(lowered.settings.prompts.map(\.label) == [label])
  }

  @Test(arguments: ["\"open user", "\"Your name\"", "\"Your name\" two words", ""])
  func `a question of kulala's without its parts is told about`(_ value: String) {
    let lowered = Laboratory().lower("# @kulala-prompt \(value)\nGET http://t.test")
    #expect(lowered.text == "error: syntax")
    #expect(lowered.failure?.message.contains("Write the question in quotes") == true)
  }

  @Test func `a process variable that is not there is empty, with a warning`() {
    let lowered = Laboratory().lower("GET http://t.test/{{$processEnv NOPE}}{{$env.NOPE}}")
    #expect(lowered.text == "GET http://t.test/")
    #expect(lowered.problems.map(\.severity) == [.warning, .warning])
    #expect(
      lowered.problems.first?.message
        == "Environment variable `NOPE` is not set, so the value is empty. Set it before you start "
        + "PostKit.")
    var laboratory = Laboratory()
    laboratory.dialect = Dialect(.visualstudio)
    #expect(
      laboratory.lower("GET http://t.test/{{$processEnv NOPE}}").text
        == "error: unresolved-variable")
    laboratory.processEnvironment = ["NOPE": ""]
    #expect(laboratory.lower("GET http://t.test/{{$processEnv NOPE}}").problems.isEmpty)
  }
}
