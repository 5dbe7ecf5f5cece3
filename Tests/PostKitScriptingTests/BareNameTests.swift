// Variables by their bare names: most scripts read none, and run without a way to them.

import PostKitJSON
import PostKitScripting
import PostKitTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct BareNameTests {
  private func bench() async throws -> ScriptBench {
    let bench = try await ScriptBench()
    await bench.session.define(
      ScriptScope(
        context: 0,
        set: [
          JSONMember("token", "secret"), JSONMember("list", [1, 2]), JSONMember("Ümlaut", 3),
          JSONMember("on", "yes"),
        ]))
    return bench
  }

  @Test func `an expression reads a variable wherever its name stands`() async throws {
    let bench = try await bench()
    let texts: [(String, JSONValue)] = [
      ("token", "secret"), ("token.length", 6), ("[...list].length", 2), ("`${token}`", "secret"),
      ("`a ${ list[1] }`", "a 2"), ("'token' + token", "tokensecret"), ("Ümlaut + 1", 4),
      ("({token}).token", "secret"), ("({ token: 1 }).token", 1), ("'a.token ' + token", "a.token secret"),
      ("((token) => token)(1)", 1), ("[1].map((n) => n + list[0])[0]", 2),
      ("eval('tok' + 'en')", "secret"), ("t\\u006fken", "secret"), ("/token/.test(token)", false),
      ("typeof tokens", "undefined"), ("typeof token", "string"),
    ]
    for (text, value) in texts {
      #expect(await bench.evaluate([text]) == [.value(value)], "\(text)")
    }
  }

  @Test func `a script reads and sets variables by their bare names`() async throws {
    let bench = try await bench()
    let texts = [
      "if (token !== 'secret') throw 'none';", "const { length } = list; if (length !== 2) throw 1;",
      "token = 'own'; if (token !== 'own') throw 'not set';",
      "if (`${token}${on}` !== 'secretyes') throw 'no template';",
      "exports.made = 1; await Promise.resolve(); if (token !== 'secret') throw 2;",
    ]
    for text in texts { #expect(await bench.run(text).outcome?.error == nil, "\(text)") }
    // What one script exports, the next one finds.
    #expect(await bench.run("if (made !== 1) throw 'gone';").outcome?.error != nil)
    await bench.session.define(ScriptScope(context: 0, set: [JSONMember("made", 1)]))
    #expect(await bench.run("if (made !== 1) throw 'gone';").outcome?.error == nil)
  }

  @Test func `text that only looks like a name is none`() async throws {
    let bench = try await bench()
    let text = """
      client.global.set("token", { list: 'on' }.list);
      client.test('on', () => client.assert(client.global.get('token') === "on", 'token'));
      """
    let outcome = try #require(await bench.run(text).outcome)
    #expect(outcome.error == nil && outcome.tests.map(\.isPassed) == [true])
    #expect(outcome.tests.map { [$0.place.line, $0.place.column] } == [[11, 8]])
  }

  @Test func `errors stand where they are thrown, with and without variables`() async throws {
    let bench = try await bench()
    for (text, line, column) in [
      ("1;\n  missing();", 11, 3), ("token;\n  missing();", 11, 3), ("missing()", 10, 1),
      ("await 1;\n  missing();", 11, 3), ("let a = ;", 10, 9), ("token; let a = ;", 10, 16),
    ] {
      let error = try #require(await bench.run(text).outcome?.error, "\(text)")
      #expect([error.place.line, error.place.column] == [line, column], "\(text): \(error)")
    }
  }

  @Test func `an expression can't become statements that stay`() async throws {
    let bench = try await bench()
    for text in ["1); var left = 1; (2", "1)\nvar left = 1\n(2", "1)\u{2028}var left = 1\u{2028}(2"] {
      _ = await bench.evaluate([text])
      #expect(await bench.evaluate(["typeof left"]) == [.value("undefined")], "\(text)")
    }
  }
}
