// An engine whose scripts are a few plain words, for tests of what the runner does with scripts.

import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSupport

/// Each line of a script is a verb with its words: `set`, `export`, `global`, `header`, `test`,
/// `log`, `throw`, `skip`, `replay`, `execute`, `url`, `template`, `show NAME`. An expression is
/// `upper(name)`, or a name alone.
struct FakeScriptEngine: ScriptEngine {
  /// What the engine was asked, in order.
  let seen = Monitor<[String]>([])

  func session(
    _ limits: ScriptLimits, seed: UInt64?, now: Int64?
  ) async throws(ScriptEngineFailure) -> any ScriptSession {
    seen.update { $0.append("session") }
    return FakeScriptSession(seen: seen)
  }

  func warm() {}
}

/// A session of it.
final class FakeScriptSession: ScriptSession {
  private struct State {
    var names: [String: JSONValue] = [:]
    var events: [ScriptEvent] = []
    /// Scripts that wait for a call, with what is left of them.
    var waiting: [(job: RunScript, outcome: ScriptOutcome, lines: [String])] = []
    var calls = 0
  }

  private let seen: Monitor<[String]>
  private let state = Monitor(State())

  init(seen: Monitor<[String]>) { self.seen = seen }

  func open(_ context: ScriptContext) async {}

  func define(_ scope: ScriptScope) async {
    state.update { state in
      for member in scope.set { state.names[member.key] = member.value }
      for name in scope.unset { state.names[name] = nil }
    }
  }

  func begin(_ job: ScriptJob) async {
    switch job {
    case .run(let job):
      seen.update { $0.append("\(job.phase.rawValue) \(job.script.place.line)") }
      let lines = job.script.text.split(whereSeparator: \.isNewline).map(String.init)
      state.update { FakeScriptSession.go(job, ScriptOutcome(id: job.id), lines[...], &$0) }
    case .evaluate(let job):
      seen.update { $0.append("evaluate \(job.items.map(\.script.text).joined(separator: " "))") }
      state.update { state in
        let names = state.names
        let items = job.items.map { ($0.key, FakeScriptSession.value($0.script.text, names)) }
        state.events.append(.values(ExpressionOutcome(id: job.id, items: items)))
      }
    case .check, .deliver: break
    }
  }

  func follow(with job: EvaluateExpressions) async -> Bool {
    seen.update { $0.append("follow \(job.items.map(\.script.text).joined(separator: " "))") }
    state.update { state in
      let names = state.names
      let items = job.items.map { ($0.key, FakeScriptSession.value($0.script.text, names)) }
      state.events.append(.values(ExpressionOutcome(id: job.id, items: items)))
    }
    return true
  }

  func next() async -> ScriptEvent {
    state.update { state in
      state.events.isEmpty ? .failed(.broken("nothing goes on")) : state.events.removeFirst()
    }
  }

  func answer(_ call: ScriptCall, _ answer: ScriptAnswer) async {
    state.update { state in
      var (job, outcome, lines) = state.waiting.removeLast()
      if case .error(let name, let message, _) = answer {
        outcome.error = ScriptError(name: name, message: message, place: job.script.place)
        lines = []
      }
      FakeScriptSession.go(job, outcome, lines[...], &state)
    }
  }

  func cancel() {}

  func close() async { seen.update { $0.append("close") } }

  private static func value(_ text: String, _ names: [String: JSONValue]) -> ScriptValue {
    if text.first == "\"", text.last == "\"", text.count > 1 {
      return .value(.string(String(text.dropFirst().dropLast())))
    }
    if text.hasPrefix("upper("), text.hasSuffix(")") {
      let name = String(text.dropFirst(6).dropLast())
      guard case .string(let value)? = names[name] else {
        let place = ScriptPlace(file: "", line: 1, column: 1)
        return .error(
          ScriptError(name: "ReferenceError", message: name, place: place, unknownName: name))
      }
      return .value(.string(value.uppercased()))
    }
    return names[text].map(ScriptValue.value) ?? .undefined
  }

  /// Does what the lines of a script say until one of them waits.
  private static func go(
    _ job: RunScript, _ outcome: ScriptOutcome, _ lines: ArraySlice<String>, _ state: inout State
  ) {
    var outcome = outcome
    for (index, line) in zip(lines.indices, lines) {
      let words = line.split(separator: " ").map(String.init)
      guard let verb = words.first else { continue }
      let name = words.count > 1 ? words[1] : ""
      let rest = words.dropFirst(2).joined(separator: " ")
      let member = JSONMember(name, .string(rest))
      switch verb {
      case "set": outcome.effects.request.set.append(member)
      case "export": outcome.effects.exports.set.append(member)
      case "global": outcome.effects.globals.set.append(member)
      case "header": outcome.effects.headers.set.append(member)
      case "unset": outcome.effects.globals.unset.append(name)
      case "clear": outcome.effects.globals.clears = true
      case "headerless": outcome.effects.headers.clears = true
      case "display": outcome.effects.display = "\(name) \(rest)"
      case "show":
        let text = state.names[name].map(\.text) ?? "none"
        state.events.append(.log(job: job.id, [self.line(text, job)]))
      case "log":
        state.events.append(.log(job: job.id, [self.line("\(name) \(rest)", job)]))
      case "test":
        outcome.tests.append(
          ScriptTest(
            name: name, isPassed: rest.isEmpty, message: rest.isEmpty ? nil : rest,
            place: job.script.place, milliseconds: 3))
      case "throw":
        outcome.error = ScriptError(
          name: "TypeError", message: "\(name) \(rest)", place: job.script.place)
        state.events.append(.done(outcome))
        return
      case "skip": (outcome.stopped, outcome.reason) = (.skip, name)
      case "replay": if job.request.replayCount < 1 { outcome.stopped = .replay }
      case "url": outcome.effects.mutation = .init(url: job.request.known.url + name)
      case "execute":
        state.calls += 1
        state.waiting.append((job, outcome, Array(lines[(index + 1)...])))
        state.events.append(
          .call(
            ScriptCall(
              number: state.calls, job: job.id, name: "execute", arguments: [.string(name)],
              isAsync: true)))
        return
      default: break
      }
    }
    state.events.append(.done(outcome))
  }

  private static func line(_ text: String, _ job: RunScript) -> ScriptLine {
    ScriptLine(
      level: "log", text: text, file: job.script.place.file, line: job.script.place.line)
  }
}
