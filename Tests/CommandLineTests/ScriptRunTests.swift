// What scripts of a run leave behind: what they show, what the history keeps, what is gone.

import PostKitJSON
import PostKitTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ScriptRunTests {
  @Test func `what a script displays is printed, and the history keeps the body`() async throws {
    let bench = try Bench([
      "a.http": """
      ### shown
      GET $URL/

      {{@responseLogging
        response.body = 'ok: ' + JSON.parse(response.body).ok;
      }}

      """,
    ])
    let result = try await bench.postkit("run", "a.http")
    #expect(result.status == 0 && result.output == "ok: true", "\(result.errorOutput)")
    let id = try #require(try await bench.history().first?["id"]?.string)
    #expect(try await bench.postkit("history", "show", id, "--body").output == #"{"ok":true}"#)
  }

  @Test func `the history prints what scripts have printed, secrets masked`() async throws {
    let bench = try Bench([
      "http-client.private.env.json": #"{"dev": {"key": "hush-hush-1"}}"#,
      "a.http": """
      ### loud
      GET $URL/

      > {%
        for (let i = 1; i <= 12; i++) client.log('line', i);
        console.error(client.variables.environment.get('key'));
      %}

      """,
    ])
    #expect(try await bench.postkit("run", "a.http", "--env", "dev").status == 0)
    let entry = try #require(try await bench.history().first)
    #expect(entry["origin"]?.string == "run" && entry["purpose"]?.string == "request")
    let id = try #require(entry["id"]?.string)
    let shown = try await bench.postkit("history", "show", id).output
    #expect(shown.contains("# Output (13 lines)\n# line 1\n"))
    #expect(shown.contains("# line 12\n# error: ••••••\n") && !shown.contains("hush"))
    let json = try Bench.json(try await bench.postkit("history", "show", id, "--json").output)
    let output = try #require(json["output"]?.elements)
    #expect(output.count == 13)
    #expect(output[0] == ["level": "log", "text": "line 1", "line": 5])
    #expect(output[12]["level"]?.string == "error" && output[12]["text"]?.string == "••••••")
  }

  @Test func `what scripts print stands below the line of their request, in order`() async throws {
    let bench = try Bench([
      "a.http": """
      ### outer
      < {% client.log('before') %}
      GET $URL/outer

      > {% client.log('handled', response.status); %}
      {{
        console.log('first');
        await $httpyac.execute('inner').catch(() => 0);
        console.log('second');
      }}
      ?? status == 201

      ### inner
      GET $URL/inner

      > {% client.log('inside'); client.assert(false, 'no'); %}

      """,
    ])
    let result = try await bench.postkit("run", "a.http", "--name", "outer")
    let shown = result.errorOutput.split(separator: "\n").map { line in
      line.hasPrefix("HTTP/1.1 200") ? "200" : line.replacing(bench.server.url("/"), with: "")
    }
    #expect(
      shown == [
        "before", "GET outer", "200", "handled 200", "first", "GET inner", "200", "inside",
        "a.http:16:35: error: AssertionError: no [script-failed]", "GET outer", "second",
        "✗ status == 201", "  The value is `200`.",
        "2 requests: 1 with failed tests, 1 failed; 1 tests: 0 passed, 1 failed",
      ])
  }

  @Test func `lists are of who asked and of what for`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n"])
    _ = try await bench.postkit("run", "a.http")
    _ = try await bench.postkit("demo")
    for (filter, count) in [
      ("--origin run", 1), ("--origin demo", 3), ("--origin editor", 0), ("--purpose all", 4),
      ("--purpose request", 4), ("--purpose token", 0),
    ] {
      let words = filter.split(separator: " ").map(String.init)
      #expect(try await bench.postkit(["history", "--count"] + words).output == "\(count)\n")
    }
    let wrong = try await bench.postkit("history", "--purpose", "fun")
    #expect(wrong.status == 2)
    #expect(wrong.errorOutput.contains("write request, token, script, schema or all"))
    #expect(try await bench.postkit("history", "forget", "--origin", "demo").status == 0)
    #expect(try await bench.history().count == 1)
  }

  @Test func `globals that a script clears are gone for the next process`() async throws {
    let bench = try Bench([
      "postkit.json": #"{"persistGlobals": true}"#,
      "a.http": """
      ### set
      GET $URL/set

      > {%
        client.global.set('a', 'a-1');
        client.global.set('b', 'b-1');
        client.global.headers.set('X-G', 'g-1');
      %}

      ### one
      GET $URL/one

      > {% client.global.clear('a') %}

      ### all
      GET $URL/all

      > {% client.global.clearAll(); client.global.headers.clear('X-G') %}

      ### read
      POST $URL/read

      {{a}} {{b}}

      """,
    ])
    var bodies: [String] = []
    for name in ["set", "read", "one", "read", "all", "read"] {
      let result = try await bench.postkit("run", "a.http", "--name", name)
      #expect(result.status == 0, "\(result.errorOutput)")
      guard name == "read", let sent = bench.server.requests.last else { continue }
      let header = sent.values("X-G").first ?? "none"
      bodies.append(String(decoding: sent.body, as: UTF8.self) + " " + header)
    }
    #expect(bodies == ["a-1 b-1 g-1", "{{a}} b-1 g-1", "{{a}} {{b}} none"])
    #expect(try await bench.postkit("session", "--json").output.contains("a-1") == false)
  }
}
