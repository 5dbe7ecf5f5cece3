// Runs scripts through the real child of the real program.

import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSupport
import PostKitTestSupport
import Testing

/// How a job ended, and what came before.
struct Ended: Sendable {
  var outcome: ScriptOutcome?
  var values: ExpressionOutcome?
  var checked: [ScriptChecked] = []
  var failure: ScriptEngineFailure?
  var lines: [ScriptLine] = []
}

/// A session with the script engine.
final class ScriptBench: Sendable {
  let host: ScriptHost
  let session: any ScriptSession

  /// A program that was built beside these tests.
  static func program(_ name: String) -> String {
    let tests = FileSystem.realPath("/proc/self/exe") ?? CommandLine.arguments[0]
    return FilePath.join(FilePath.parent(tests), name)
  }

  /// Starts the engine; the file of all scripts is `/project/a.http` in context 0.
  init(
    _ limits: ScriptLimits = ScriptLimits(), program: String = "postkit",
    variables: [String: String] = [:], seed: UInt64? = nil, now: Int64? = nil
  ) async throws {
    host = ScriptHost(
      program: Self.program(program), variables: variables, startSeconds: 600)
    session = try await host.session(limits, seed: seed, now: now)
    await session.open(ScriptContext(number: 0, file: "/project/a.http", root: "/project"))
  }

  /// The job of a script.
  static func job(
    _ text: String, id: Int = 1, line: Int = 10, column: Int = 1, file: String = "/project/a.http",
    context: Int = 0, stores: ScriptStores = ScriptStores(), response: ScriptResponse? = nil,
    milliseconds: Int? = nil
  ) -> ScriptJob {
    .run(
      RunScript(
        id: id, context: context, phase: .response,
        script: ScriptText(text, at: ScriptPlace(file: file, line: line, column: column)),
        request: ScriptRequest(known: .init(method: "GET", url: "http://a/")), response: response,
        stores: stores, deadlineMilliseconds: milliseconds))
  }

  /// Runs a job to its end; calls are answered by `answer`.
  func run(
    _ job: ScriptJob,
    _ answer: @Sendable (ScriptCall) async -> ScriptAnswer = { _ in
      .error(name: "Error", message: "nobody answers")
    }
  ) async -> Ended {
    await session.begin(job)
    var ended = Ended()
    while true {
      switch await session.next() {
      case .call(let call): await session.answer(call, await answer(call))
      case .log(_, let lines): ended.lines += lines
      case .done(let outcome):
        ended.outcome = outcome
        return ended
      case .values(let values):
        ended.values = values
        return ended
      case .checked(_, let items):
        ended.checked = items
        return ended
      case .failed(let failure):
        ended.failure = failure
        return ended
      }
    }
  }

  /// Runs a script to its end.
  func run(_ text: String, milliseconds: Int? = nil) async -> Ended {
    await run(Self.job(text, milliseconds: milliseconds))
  }

  /// Evaluates expressions.
  func evaluate(
    _ texts: [String], stores: ScriptStores = ScriptStores(), line: Int = 5
  ) async -> [ScriptValue] {
    let items = texts.enumerated().map { index, text in
      ScriptExpression(
        key: "\(index)",
        ScriptText(text, at: ScriptPlace(file: "/project/a.http", line: line + index, column: 7)))
    }
    let ended = await run(
      .evaluate(
        EvaluateExpressions(
          id: 1, context: 0,
          request: ScriptRequest(known: .init(method: "GET", url: "http://a/")), stores: stores,
          items: items)))
    return ended.values?.items.map(\.value) ?? []
  }
}
