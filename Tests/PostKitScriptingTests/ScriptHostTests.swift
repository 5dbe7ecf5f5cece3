// Scripts through the real child: what they change, print, test and throw, and where.

import PostKitJSON
import PostKitScripting
import PostKitTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ScriptHostTests {
  @Test func `a script's tests, globals and exports come back`() async throws {
    let bench = try await ScriptBench()
    let ended = await bench.run(
      """
      client.test('is right', () => client.assert(true));
      client.test('is wrong', () => client.assert(1 === 2, 'one is not two'));
      client.global.set('token', { n: 12345678901234567890n, at: new Date(0), s: new Set([1]) });
      exports.double = (n) => 2 * n;
      exports.list = [1, 'a', null];
      console.log('said', { a: 1 });
      """)
    let outcome = try #require(ended.outcome)
    #expect(outcome.error == nil && outcome.stopped == nil)
    #expect(outcome.tests.map(\.name) == ["is right", "is wrong"])
    #expect(outcome.tests.map(\.isPassed) == [true, false])
    #expect(outcome.tests.last?.message == "one is not two")
    #expect(outcome.tests.map(\.place.line) == [10, 11])
    #expect(
      outcome.effects.globals.set == [
        JSONMember(
          "token",
          [
            "n": .number("12345678901234567890"), "at": "1970-01-01T00:00:00.000Z", "s": [1],
          ])
      ])
    #expect(outcome.effects.exportedFunctions == ["double"])
    #expect(outcome.effects.exports.set == [JSONMember("list", [1, "a", nil])])
    #expect(ended.lines.map(\.text) == ["said { a: 1 }"])
    #expect(ended.lines.map(\.line) == [15])
    // What was exported as a function lives on in the file's context.
    #expect(await bench.evaluate(["double(21)"]) == [.value(42)])
  }

  @Test func `a batch of expressions comes back in order, each with its own error`() async throws {
    let bench = try await ScriptBench()
    var stores = ScriptStores()
    stores.file = [JSONMember("n", 3)]
    let values = await bench.evaluate(
      ["n * 2", "unknown + 1", "undefined", "await 7", "new Uint8Array([1, 255])", "n +", "({a: n})"],
      stores: stores)
    try #require(values.count == 7)
    #expect(values[0] == .value(6))
    guard case .error(let unknown) = values[1], case .error(let cut) = values[5] else {
      Issue.record("\(values)")
      return
    }
    #expect(unknown.unknownName == "unknown")
    #expect(unknown.place == ScriptPlace(file: "/project/a.http", line: 6, column: 7))
    #expect(values[2] == .undefined && values[3] == .value(7) && values[4] == .bytes([1, 255]))
    #expect(cut.name == "SyntaxError" && cut.place.line == 10)
    #expect(values[6] == .value(["a": 3]))
  }

  /// Scripts, where they begin, and where what is wrong stands.
  static let places: [(script: String, line: Int, column: Int, at: (Int, Int), says: String)] = [
    ("throw new Error('oops')", 10, 1, (10, 7), "oops"),
    ("throw new Error('oops')", 10, 5, (10, 11), "oops"),
    ("throw new Error('oops')", 1, 1, (1, 7), "oops"),
    ("throw new Error('oops')", 1, 9, (1, 15), "oops"),
    ("\n  throw new Error('oops')", 1, 9, (2, 9), "oops"),
    ("\r\n  throw new Error('oops')", 4, 9, (5, 9), "oops"),
    ("let ä = 'ö';\n  nope.x()", 10, 1, (11, 3), "Can't find variable: nope"),
    ("let a = 1 + ;", 10, 3, (10, 15), "Unexpected token ';'"),
    ("f(1)\nlet x y", 1, 1, (2, 7), "Unexpected identifier 'y'. Expected ';' after variable declaration."),
    ("await null;\n null.foo", 7, 1, (8, 7), "null is not an object (evaluating 'null.foo')"),
    ("setTimeout(() => { throw new TypeError('late') }, 1)", 3, 1, (3, 26), "late"),
    ("Promise.reject(new Error('alone'))", 3, 1, (3, 16), "alone"),
    ("throw 'text'", 3, 4, (3, 4), "text"),
    ("await new Promise(() => {})", 3, 4, (3, 4), "the script waits for a promise that nothing settles"),
  ]

  @Test(arguments: places.indices) func `errors say where they were thrown`(index: Int) async throws {
    let (script, line, column, at, says) = Self.places[index]
    let bench = try await ScriptBench()
    let ended = await bench.run(ScriptBench.job(script, line: line, column: column))
    let error = try #require(ended.outcome?.error, "\(ended)")
    #expect(error.message == says)
    #expect(error.place == ScriptPlace(file: "/project/a.http", line: at.0, column: at.1))
  }

  @Test func `top-level await, timers and calls end before the script does`() async throws {
    let bench = try await ScriptBench()
    let ended = await bench.run(
      """
      const order = [];
      setTimeout(() => order.push('timer'), 2);
      queueMicrotask(() => order.push('microtask'));
      let left = 3;
      const interval = setInterval(() => { if (--left === 0) clearInterval(interval) }, 1);
      await new Promise((done) => setTimeout(done, 5));
      order.push('awaited');
      client.global.set('order', order);
      setTimeout(() => client.global.set('late', left), 1);
      """)
    let set = try #require(ended.outcome).effects.globals.set
    #expect(set.first == JSONMember("order", ["microtask", "timer", "awaited"]))
    #expect(set.last?.key == "late")
  }

  @Test func `names that leak are gone in the next script, and stops keep what was done`() async throws {
    let bench = try await ScriptBench()
    _ = await bench.run("leak = 1; globalThis.other = 2")
    let ended = await bench.run(
      """
      client.global.set('types', [typeof leak, typeof other]);
      try { client.exit() } catch { client.global.set('caught', 1) } finally { client.global.set('f', 1) }
      client.global.set('after', 1);
      """)
    let outcome = try #require(ended.outcome)
    #expect(outcome.stopped == .exit && outcome.error == nil)
    #expect(outcome.effects.globals.set == [JSONMember("types", ["undefined", "undefined"])])
  }

  @Test func `a check reads and runs nothing`() async throws {
    let bench = try await ScriptBench()
    let ended = await bench.run(
      .check(
        CheckScripts(
          id: 4,
          items: [
            .init(key: "a", text: "let x = 1\nlet y = ;", kind: .script),
            .init(key: "b", text: "}); for(;;); (function(){", kind: .script),
            .init(key: "c", text: "await client.go()", kind: .script),
            .init(key: "d", text: "a b", kind: .expression),
          ])))
    #expect(ended.checked.map(\.key) == ["a", "b", "c", "d"])
    #expect(ended.checked.map { $0.error?.line } == [2, nil, nil, 1])
  }

  @Test func `a seed and a time make runs repeatable`() async throws {
    let texts = ["Math.random()", "Math.random()", "new Date().getFullYear()"]
    let first = try await ScriptBench(seed: 5, now: 1_000).evaluate(texts)
    let second = try await ScriptBench(seed: 5, now: 1_000).evaluate(texts)
    #expect(first == second)
    #expect(first[0] != first[1] && first[2] == .value(1970))
  }

  @Test func `a call is answered with bytes or an error, and the clock stands still meanwhile`() async throws {
    let bench = try await ScriptBench(ScriptLimits(milliseconds: 20_000))
    let ended = await bench.run(
      ScriptBench.job(
        """
        client.global.set('is', $exampleServer);
        try { $exampleServer } catch (e) { client.global.set('no', [e.name, e.message]) }
        """)
    ) { call in
      call.number == 1
        ? .value("http://127.0.0.1:1/") : .error(name: "RangeError", message: "no more")
    }
    #expect(
      ended.outcome?.effects.globals.set == [
        JSONMember("is", "http://127.0.0.1:1/"), JSONMember("no", ["RangeError", "no more"]),
      ], "\(ended)")
  }

  @Test func `a script runs while another waits for an answer, and ends first`() async throws {
    let bench = try await ScriptBench()
    await bench.session.open(ScriptContext(number: 1, file: "/project/b.http"))
    await bench.session.begin(
      ScriptBench.job(
        "try { await $httpyac.execute('b') } finally { client.global.set('outer', 1) }", id: 1))
    guard case .call(let call) = await bench.session.next() else {
      Issue.record("nothing was asked")
      return
    }
    #expect(call.name == "execute" && call.isAsync && call.job == 1)
    await bench.session.begin(
      ScriptBench.job("client.global.set('inner', 1)", id: 2, context: 1))
    guard case .done(let inner) = await bench.session.next() else {
      Issue.record("the inner script did not end")
      return
    }
    #expect(inner.id == 2 && inner.effects.globals.set == [JSONMember("inner", 1)])
    await bench.session.answer(call, .error(name: "Error", message: "enough"))
    guard case .done(let outer) = await bench.session.next() else {
      Issue.record("the outer script did not end")
      return
    }
    #expect(outer.id == 1 && outer.error?.message == "enough")
    #expect(outer.effects.globals.set == [JSONMember("outer", 1)])
  }
}
