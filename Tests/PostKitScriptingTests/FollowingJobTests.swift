// Expressions that are handed over while a script runs, and evaluated when it has ended (SC-95).

import PostKitJSON
import PostKitScripting
import PostKitTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FollowingJobTests {
  private func expressions(_ texts: [String]) -> EvaluateExpressions {
    let items = texts.enumerated().map { index, text in
      ScriptExpression(
        key: "\(index)",
        ScriptText(text, at: ScriptPlace(file: "/project/a.http", line: 5, column: 1)))
    }
    var job = EvaluateExpressions(
      id: 2, context: 0, request: ScriptRequest(known: .init(method: "GET", url: "http://a/")),
      items: items)
    job.predecessor = 1
    return job
  }

  /// The ends of the jobs in their order; calls are answered.
  private func ends(_ bench: ScriptBench, _ count: Int) async -> [ScriptEvent] {
    var found: [ScriptEvent] = []
    while found.count < count {
      let event = await bench.session.next()
      switch event {
      case .call(let call): await bench.session.answer(call, .value("answer", []))
      case .log: continue
      case .failed: return found + [event]
      default: found.append(event)
      }
    }
    return found
  }

  @Test(arguments: [
    "exports.step = () => 1;", "client.variables.file.get('x'); exports.step = () => 1;",
    "await new Promise((done) => setTimeout(done, 20)); exports.step = () => 1;",
    "await $httpyac.execute('other'); exports.step = () => 1;",
  ])
  func `expressions come after the script`(script: String) async throws {
    let bench = try await ScriptBench()
    await bench.session.begin(ScriptBench.job(script))
    #expect(await bench.session.follow(with: expressions(["typeof step", "1 + 1"])))
    let events = await ends(bench, 2)
    guard case .done(let outcome)? = events.first, case .values(let values)? = events.last else {
      Issue.record("\(events)")
      return
    }
    #expect(outcome.error == nil)
    #expect(values.items.map(\.value) == [.value("function"), .value(2)])
    #expect(await bench.evaluate(["3"]) == [.value(3)])
  }

  @Test func `a script that fails doesn't keep them back`() async throws {
    let bench = try await ScriptBench()
    await bench.session.begin(ScriptBench.job("for (;;);", milliseconds: 50))
    #expect(await bench.session.follow(with: expressions(["1 + 1"])))
    let events = await ends(bench, 2)
    guard case .done(let outcome)? = events.first, case .values(let values)? = events.last else {
      Issue.record("\(events)")
      return
    }
    #expect(outcome.stopped == .time)
    #expect(values.items.map(\.value) == [.value(2)])
  }

  @Test func `another job goes on although nobody has asked for their values`() async throws {
    let bench = try await ScriptBench()
    await bench.session.begin(ScriptBench.job("1;"))
    #expect(await bench.session.follow(with: expressions(["1 + 1"])))
    _ = await ends(bench, 1)
    await bench.session.begin(ScriptBench.job("client.global.set('a', 1);", id: 3))
    var values = 0
    while true {
      switch await bench.session.next() {
      case .values: values += 1
      case .done(let outcome):
        #expect(outcome.id == 3 && outcome.effects.globals.set == [JSONMember("a", 1)])
        #expect(values == 1)
        return
      case let event:
        Issue.record("\(event)")
        return
      }
    }
  }
}
