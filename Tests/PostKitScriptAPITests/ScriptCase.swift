// A case of what a script does: its text, and what must come of it.

import PostKitJSON
import PostKitScripting
import Testing

/// The suites of the engine. They run one after the other, as an engine serves few runs at a time.
@Suite(.serialized) enum EngineTests {}

/// What one script must do.
struct ScriptCase: Sendable, CustomTestStringConvertible {
  let title: String
  let text: String
  var phase = ScriptPhase.response
  var family = ScriptFamily.jetbrains
  var response = ScriptBench.response()
  var output: [String] = []
  var tests: [String] = []
  var error: String?
  var stopped: ScriptStop?

  init(
    _ title: String, _ text: String, _ phase: ScriptPhase = .response,
    _ family: ScriptFamily = .jetbrains, response: ScriptResponse = ScriptBench.response(),
    prints output: [String] = [], tests: [String] = [], fails error: String? = nil,
    stopped: ScriptStop? = nil
  ) {
    self.title = title
    self.text = text
    self.phase = phase
    self.family = family
    self.response = response
    self.output = output
    self.tests = tests
    self.error = error
    self.stopped = stopped
  }

  var testDescription: String { title }

  /// Runs the script in a context of its own and compares.
  func check(_ modules: [String: String] = [:]) async throws {
    var bench = try await ScriptBench()
    bench.modules = modules
    let result = await bench.run(text, phase, family, response: response)
    await bench.session.close()
    #expect(result.output == output)
    #expect(result.tests == tests)
    #expect(result.error == error)
    #expect(result.stopped == stopped)
  }
}
