// What scripts ask of a run: cookies, requests of their own, tokens, values of collections. These
// run in the real engine.

import Foundation
import PostKitHTTP
import PostKitScripting
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct ScriptCallTests {
  static let engine = ScriptHost(
    program: URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "postkit").path)

  /// `/cookies` sets one; all others say what they got.
  private static func server() throws -> StubServer {
    try StubServer { request in
      let isSetting = request.target == "/cookies"
      let cookies = request.values("Cookie").joined()
      let body = #"{"target":"\#(request.target)","cookies":"\#(cookies)","tok":"\#(token)"}"#
      return [
        .response(
          headers: ["Content-Type: application/json"]
            + (isSetting ? ["Set-Cookie: theme=dark"] : []), body: body)
      ]
    }
  }

  /// The claims are `{"sub":"7"}`.
  private static let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.x"

  /// What is printed, by the requests that print it.
  private func output(
    _ text: String, allows: Bool = false
  ) async throws -> (lines: [[String]], run: Track.Result) {
    let server = try Self.server()
    let track = try Track(text.replacing("$URL", with: String(server.url().dropLast())))
    let run = await track.run(engine: Self.engine, change: { $0.allowsScriptRequests = allows })
    return (run.result.outcomes.map { $0.output.map(\.text) }, run)
  }

  @Test func `httpYac's regions are the requests of the file`() async throws {
    let (lines, _) = try await output(
      """
      ### first
      # @note careful
      GET $URL/a

      {{
      const regions = httpFile.httpRegions;
      console.log(regions.map((it) => it.symbol.name + it.symbol.startLine).join());
      console.log(regions[0].metaData.note, regions.length);
      console.log($httpyac.findHttpRegionInContext('second').symbol.startLine);
      console.log(typeof $httpyac.findHttpRegionInContext('third'));
      }}

      ### second
      GET $URL/b
      """)
    #expect(lines.first == ["first2,second13", "careful 2", "13", "undefined"])
  }

  @Test func `scripts read and write the cookies of the run`() async throws {
    let (lines, _) = try await output(
      """
      ### a
      GET $URL/cookies

      > {%
      const jar = pm.cookies.jar();
      await jar.set('$URL', 'own', 'mine');
      client.log(await jar.get('$URL', 'theme'), typeof await jar.get('$URL', 'far'));
      %}

      ### b
      GET $URL/b

      > {%
      client.log(response.body.cookies.split('; ').sort().join(), pm.cookies.get('own'));
      await pm.cookies.jar().unset('$URL', 'own');
      %}

      ### c
      GET $URL/c

      > {%
      client.log(response.body.cookies);
      await bru.cookies.jar().clear();
      client.log(await bru.cookies.jar().hasCookie('$URL', 'theme'));
      %}

      """)
    #expect(lines == [["dark undefined"], ["own=mine,theme=dark mine"], ["theme=dark", "false"]])
  }

  @Test func `scripts reach the cookies of no other host, before and after sending`() async throws {
    let tries = """
      const said = async (work) => { try { return await work(); } catch (e) { return e.message; } };
      const other = 'http://other.test';
      for (const work of [
        () => pm.cookies.jar().get(other, 'sid'), () => pm.cookies.jar().getAll('other.test'),
        () => pm.cookies.jar().set(other, 'sid', '1'), () => pm.cookies.jar().unset(other, 'sid'),
        () => pm.cookies.jar().clear(other), () => bru.cookies.jar().getCookies(other),
        () => pm.cookies.jar().get('http://127.0.0.1@other.test/', 'sid'),
        () => bru.cookies.jar().setCookie('$URL', {key: 'x', value: '1', domain: 'other.test'}),
        () => bru.cookies.jar().setCookie('$URL', {key: 'x', value: '1', domain: '1'}),
      ]) client.log(await said(work));
      """
    let (lines, _) = try await output(
      """
      @base = $URL

      < {%
      \(tries)
      await pm.cookies.jar().set('{{base}}', 'mine', 'here');
      %}
      GET {{base}}/a

      > {%
      \(tries)
      client.log(response.body.cookies);
      %}

      """)
    let refusal =
      "scripts reach the cookies of their request's host alone, which is `127.0.0.1`, "
      + "not those of `other.test`"
    let domains = ["other.test", "1"].map {
      "`127.0.0.1` can't set cookies of `\($0)`; leave `domain` out, or give the host or a domain "
        + "above it"
    }
    let each = Array(repeating: refusal, count: 7) + domains
    let said = try #require(lines.first)
    #expect(said.count == 2 * each.count + 1)
    for (line, expected) in zip(said, each + each) { #expect(line.hasSuffix(expected), "\(line)") }
    #expect(said.last == "mine=here")
  }

  @Test func `a request of a script is sent where the user allows it, and recorded`() async throws {
    let text = """
      GET $URL/a

      > {%
      pm.sendRequest({url: '$URL/own', method: 'POST', header: {A: '1'}}, (error, answer) => {
        client.log(error, answer.code, answer.json().target);
      });
      const missing = await pm.sendRequest('http://127.0.0.1:1/').catch((error) => error.name);
      client.log(missing);
      %}

      """
    let (lines, run) = try await output(text, allows: true)
    #expect(Set(lines.flatMap { $0 }) == ["null 200 /own", "RequestError"])
    #expect(run.recorded.map(\.request.method).sorted() == ["GET", "GET", "POST"])
    let own = try #require(run.recorded.first { $0.request.method == "POST" })
    #expect(own.template.hasPrefix("POST http://127.0.0.1") && own.template.contains("\nA: 1"))
    #expect(own.requestName == nil)
    #expect(run.recorded.filter { $0.purpose == .script }.count == 2)
    let (none, refused) = try await output(text)
    #expect(none == [[]])
    #expect(refused.recorded.count == 1)
    let failure = try #require(refused.result.outcomes.first?.failure)
    #expect(failure.code == .scriptFailed)
    #expect(failure.message.contains("pm.sendRequest: scripts may not send requests of their own"))
  }

  @Test func `tokens are decoded beside themselves, for scripts and references`() async throws {
    let (lines, run) = try await output(
      """
      # @name t
      # @jwt tok
      GET $URL/t

      > {% client.log(response.parsedBody.tok_parsed.sub, response.body.target) %}

      ### u
      GET $URL/{{t.tok_parsed.sub}}

      > {% client.log(response.body.target, t.tok_parsed.sub, tResponse.statusCode) %}

      ### v
      GET $URL/v

      > {% client.log(typeof response.parsedBody.tok_parsed) %}

      """)
    #expect(lines == [["7 /t"], ["/7 7 200"], ["undefined"]])
    #expect(run.result.outcomes.allSatisfy { $0.failure == nil })
  }

  @Test func `a turn of a loop sees what the scripts of the one before have exported`()
    async throws
  {
    let (lines, run) = try await output(
      """
      @m = 0

      ### loop
      # @loop while (Number(m) < 3 && $index < 9)
      GET $URL/{{m}}

      {{
      exports.m = Number(m) + 1;
      console.log(response.parsedBody.target);
      }}

      ### own
      # @loop while (Number(n) < 3 && $index < 2)
      @n = 0
      GET $URL/own/{{n}}

      {{
      exports.n = Number(n) + 1;
      console.log(response.parsedBody.target);
      }}

      ### later
      # @disabled !m
      GET $URL/later/{{m}}

      > {% client.log(response.body.target) %}

      """)
    #expect(
      lines == [["/0"], ["/1"], ["/2"], ["/own/0"], ["/own/0"], ["/later/3"]])
    #expect(run.result.outcomes.allSatisfy { $0.failure == nil })
  }

  @Test func `a handler that reads lines gets them of a value, too`() async throws {
    let (lines, _) = try await output(
      """
      GET $URL/v

      > {%
      client.log(response.body.target);
      response.body.onEachLine((line) => client.log(typeof line, JSON.parse(line).target));
      %}

      """)
    #expect(lines == [["/v", "string /v"]])
  }

  @Test func `a handler has the values of collections of its turn`() async throws {
    let (lines, _) = try await output(
      """
      < {% request.variables.set("list", [{"a": 1, "b": 2}, {"a": 3, "b": 4}]) %}
      GET $URL/{{$.list..b}}?a={{$.list..a}}

      > {% client.log(request.templateValue(0), request.templateValue(1)) %}

      """)
    #expect(lines == [["2 1"], ["4 3"]])
  }
}
