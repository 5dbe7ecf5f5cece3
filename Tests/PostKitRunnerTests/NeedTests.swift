// What a request needs before it can be sent: evaluation says so, the runner gets it, and the
// request is evaluated again (PK-54).

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitSyntax
import Testing

@testable import PostKitRunner

@Suite struct NeedTests {
  /// A run of one request, and services that answer each question with its label.
  private static func begin(
    _ target: String, _ asked: Monitor<[String]>
  ) -> (state: RunState, services: RunServices) {
    let document = ParsedDocument(bytes: Array("GET http://t.test/\(target)\n".utf8))
    let path = "/nowhere/a.http"
    let state = RunState(
      input: RunInput(
        workspace: Workspace(file: path), document: document, blocks: [0], file: path,
        defaults: Settings().requestDefaults))
    let services = RunServices(
      record: { _ in true }, earlier: { _, _ in nil }, exampleServer: { nil },
      ask: { prompt in
        asked.update { $0.append(prompt.label) }
        return .given(prompt.label)
      })
    return (state, services)
  }

  private static let place = RequestPlace(file: 0, block: 0)

  /// A target that needs one thing of that kind. A new kind must say here how it comes about.
  private static func target(needing need: Need) -> String {
    switch need {
    case .prompt(let prompt): "{{$input \(prompt.label)}}"
    case .expression(let need): "{{\(need.text)}}"
    case .token(let need): "{{$auth.token(\"\(need.configuration.id)\")}}"
    }
  }

  @Test(
    "each kind is found by evaluation, got by the runner, and needed no more",
    arguments: [Need.prompt(Prompt(name: "who", label: "who", isSecret: false))])
  func kinds(_ need: Need) async throws {
    let asked = Monitor<[String]>([])
    var (state, services) = NeedTests.begin(NeedTests.target(needing: need), asked)
    #expect(state.lower(NeedTests.place, services).needs == [need])
    let lowered = try await state.lowerAnswered(NeedTests.place, services).get()
    #expect(lowered.needs.isEmpty)
    #expect(lowered.spec?.url == "http://t.test/who")
    #expect(state.scope.answers.meet(need))
    #expect(asked.update { $0 } == ["who"])
  }

  /// Evaluates a block as if each answer led to another question, up to a number of them.
  private static func evaluate(_ state: inout RunState, _ questions: Int) -> LoweredRequest {
    let known = state.scope.answers.prompts.count
    let (_, services) = begin("", Monitor([]))
    var lowered = state.lower(place, services)
    if known < questions {
      let label = "question \(known + 1)"
      lowered.needs = [.prompt(Prompt(name: label, label: label, isSecret: false))]
    }
    return lowered
  }

  @Test(arguments: [0, 1, 10]) func `an answer may lead to another question`(
    _ questions: Int
  ) async throws {
    let asked = Monitor<[String]>([])
    var (state, services) = NeedTests.begin("", asked)
    let lowered = try await state.meetingNeeds(of: NeedTests.place, services) {
      NeedTests.evaluate(&$0, questions)
    }.get()
    #expect(lowered?.needs.isEmpty == true)
    #expect(asked.update { $0.count } == questions)
  }

  @Test func `a request that always needs more is given up after ten rounds`() async {
    let asked = Monitor<[String]>([])
    var (state, services) = NeedTests.begin("", asked)
    let result = await state.meetingNeeds(of: NeedTests.place, services) { NeedTests.evaluate(&$0, 1_000) }
    guard case .failure(let failure) = result else {
      Issue.record("It was evaluated.")
      return
    }
    #expect(failure.code == .usage)
    #expect(
      failure.message
        == "This request still needs a value after 10 rounds of questions, because each answer leads "
        + "to another question. Write the value into the file.")
    #expect(asked.update { $0.count } == 10)
  }
}
