// Scripts that mean harm or don't know better: each ends, and the next script runs.

import PostKitJSON
import PostKitScripting
import PostKitTestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct HostileScriptTests {
  /// How a script may end. A machine that is busy may have the parent end what the child would
  /// have ended itself.
  enum End: Sendable {
    /// Its time was over: the child says so, or was killed.
    case time
    /// It used too much memory: the child says so, or was killed.
    case memory
    /// It ends by itself with an error that says this.
    case error(String)
    /// It ends by itself without an error.
    case quiet
    /// It ends by itself or is ended; which of it depends on the machine.
    case any
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let script: String
    let end: End
    var memoryBytes = 100 << 20
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "an endless loop", script: "for (;;) {}", end: .time),
    Case(
      name: "a loop that catches", script: "for (;;) { try { for (;;) {} } catch {} }", end: .time),
    Case(
      name: "a loop in finally", script: "try { throw 1 } finally { for (;;) {} }", end: .time),
    Case(
      name: "endless microtasks",
      script: "await (function f() { return Promise.resolve().then(f) })()", end: .time),
    Case(name: "an endless await", script: "while (true) await 0", end: .time),
    Case(name: "a timer that never ends", script: "setInterval(() => {}, 1)", end: .time),
    Case(name: "a long timer", script: "setTimeout(() => {}, 1e9)", end: .time),
    Case(
      name: "timers that beget timers",
      script: "(function f() { setTimeout(f, 0) })()", end: .time),
    Case(name: "a regular expression", script: "/(a+)+$/.test('a'.repeat(60) + 'b')", end: .time),
    Case(
      name: "an array bomb", script: "const a = []; for (;;) a.push(new Array(1e5).fill(1))",
      end: .memory),
    Case(
      name: "a string bomb",
      script: "let s = 'x'; const a = []; for (;;) { s += s.slice(0, 1e6); a.push(s + a.length); "
        + "a[a.length - 1].charCodeAt(5) }", end: .memory),
    Case(
      name: "a buffer bomb",
      script: "const a = []; for (;;) a.push(new Uint8Array(1e7).fill(7))", end: .memory),
    Case(
      name: "a string of half a GiB",
      script: "const s = 'x'.repeat(2 ** 29); client.log(s.length)", end: .any),
    Case(
      name: "a string that is too long", script: "'x'.repeat(2 ** 31)", end: .error("Out of memory")),
    Case(
      name: "recursion without end", script: "(function f() { f() })()",
      end: .error("Maximum call stack size exceeded.")),
    Case(
      name: "a getter that loops",
      script: "client.global.set('a', { get x() { for (;;) {} } })", end: .time),
    Case(
      name: "a toJSON that loops",
      script: "client.global.set('a', { toJSON() { for (;;) {} } })", end: .time),
    Case(
      name: "an export with a getter that loops",
      script: "Object.defineProperty(exports, 'a', { enumerable: true, get() { for (;;) {} } })",
      end: .time),
    Case(
      name: "an error whose message loops",
      script: "throw { get message() { for (;;) {} } }", end: .time),
    Case(
      name: "an error whose stack is no text",
      script: "const e = new Error('a'); e.stack = { toString() { for (;;) {} } }; throw e",
      end: .error("a")),
    Case(
      name: "a thenable that loops", script: "await { then() { for (;;) {} } }", end: .time),
    Case(
      name: "a circle", script: "const a = {}; a.a = a; client.global.set('a', a)",
      end: .error("client.global.set: a circle can't be kept")),
    Case(
      name: "65 levels",
      script: "let a = 1; for (let i = 0; i < 65; i++) a = [a]; client.global.set('a', a)",
      end: .error("client.global.set: a value may have 64 levels at most")),
    Case(
      name: "a value of 9 MiB", script: "client.global.set('a', 'x'.repeat(9 << 20))",
      end: .error("client.global.set: a value may have 8 MiB at most")),
    Case(
      name: "values that are too large together",
      script: "for (let i = 0; i < 12; i++) client.global.set('a' + i, 'x'.repeat(7 << 20))",
      end: .error("What the script sets has more than 64 MB."), memoryBytes: 2 << 30),
    Case(
      name: "1,001 names",
      script: "for (let i = 0; i < 1001; i++) client.global.set('a' + i, i)",
      end: .error("client.global.set: a script may set 1,000 names at most")),
    Case(
      name: "a function as a value", script: "client.global.set('a', () => 1)",
      end: .error("client.global.set: a function can't be kept")),
    Case(
      name: "a symbol as a value", script: "client.global.set('a', Symbol())",
      end: .error("client.global.set: a symbol can't be kept")),
    Case(
      name: "10,001 tests",
      script: "for (let i = 0; i < 10001; i++) client.test('a', () => {})",
      end: .error("a script may have 10,000 tests at most")),
    Case(
      name: "1,001 timers", script: "for (let i = 0; i < 1001; i++) setTimeout(() => {}, 1)",
      end: .error("a script may have 1,000 timers at most")),
    Case(
      name: "Object.prototype with a setter",
      script: "Object.defineProperty(Object.prototype, 'kind', { get() { return 'run' }, "
        + "set() { throw 1 } })", end: .any),
    Case(
      name: "Array.prototype and JSON replaced",
      script: "Array.prototype.push = () => { throw 1 }; JSON.stringify = () => '}{'; "
        + "Promise.prototype.then = () => {}; Object.keys = () => null", end: .any),
    Case(
      name: "the global object by a constructor",
      script: "client.global.set('a', typeof (function () {}).constructor('return this')().native)",
      end: .quiet),
    Case(
      name: "the prototype of exports", script: "exports.__proto__ = { a: 1 }; exports.b = 2",
      end: .quiet),
    Case(
      name: "callers of the script",
      script: "let f = (function g() { return g.caller })(); client.log(typeof f); "
        + "client.log(typeof arguments.callee.caller)", end: .any),
    Case(
      name: "a proxy as a value",
      script: "client.global.set('a', new Proxy({}, { ownKeys() { throw new Error('no') } }))",
      end: .error("no")),
    Case(
      name: "text that ends the script's function", script: "}); for (;;) {} (function () {",
      end: .any),
    Case(name: "a text without end", script: "`", end: .error("Unexpected EOF")),
  ]

  // Small limits, so that nobody waits; a busy machine only makes the tests take longer.
  @Test(arguments: cases) func `it ends, and the next script runs`(_ hostile: Case) async throws {
    let bench = try await ScriptBench(
      ScriptLimits(memoryBytes: hostile.memoryBytes))
    let span = if case .time = hostile.end { 300 } else { 20_000 }
    let ended = await bench.run(hostile.script, milliseconds: span)
    check(ended, hostile)
    let next = await bench.run("client.test('lives', () => {})", milliseconds: 20_000)
    // A context whose built-in objects a script has replaced may be of no use: to that file alone.
    if case .any = hostile.end, next.outcome?.tests.first?.isPassed != true {
      await bench.session.open(ScriptContext(number: 1, file: "/project/b.http"))
      let other = await bench.run(
        ScriptBench.job("client.test('lives', () => {})", context: 1, milliseconds: 20_000))
      #expect(other.outcome?.tests.first?.isPassed == true, "\(next) \(other)")
    } else {
      #expect(next.outcome?.tests.first?.isPassed == true, "\(next)")
    }
    await bench.session.close()
  }

  private func check(_ ended: Ended, _ hostile: Case) {
    switch hostile.end {
    case .time:
      let isKilled = if case .killed(.time) = ended.failure { true } else { false }
      #expect(ended.outcome?.stopped == .time || isKilled, "\(ended)")
      if let error = ended.outcome?.error {
        #expect(error.message == "The script took longer than 300 ms.")
      }
    case .memory:
      let isKilled = if case .killed(.memory) = ended.failure { true } else { false }
      #expect(ended.outcome?.stopped == .memory || isKilled, "\(ended)")
    case .error(let text):
      #expect(ended.outcome?.error?.message.contains(text) == true, "\(ended)")
    case .quiet: #expect(ended.outcome != nil && ended.outcome?.error == nil, "\(ended)")
    case .any: #expect(ended.outcome != nil || ended.failure != nil)
    }
  }

  @Test func `what a script prints has an end`() async throws {
    let bench = try await ScriptBench(
      ScriptLimits(milliseconds: 60_000, outputBytes: 10_000))
    let ended = await bench.run("for (let i = 0; i < 20000; i++) console.log('line ' + i)")
    let bytes = ended.lines.reduce(0) { $0 + $1.text.utf8.count }
    #expect(ended.outcome != nil && bytes < 11_000 && bytes > 1_000)
    #expect(ended.lines.last?.text.hasSuffix("\n… output cut at 10000 bytes") == true)
  }
}
