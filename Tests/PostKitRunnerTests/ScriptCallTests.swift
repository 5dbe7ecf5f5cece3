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
  private static let engine = ScriptHost(
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
      await jar.set('http://other.test', 'far', 'away');
      const far = await jar.get('http://other.test', 'far');
      client.log(await jar.get('$URL', 'theme'), typeof await jar.get('$URL', 'far'), far);
      %}

      ### b
      GET $URL/b

      > {%
      client.log(response.body.cookies.split('; ').sort().join(), pm.cookies.get('own'));
      await pm.cookies.jar().unset('$URL', 'own');
      await bru.cookies.jar().deleteCookies('http://other.test');
      %}

      ### c
      GET $URL/c

      > {%
      const far = await bru.cookies.jar().hasCookie('other.test', 'far');
      client.log(response.body.cookies, far);
      %}

      """)
    #expect(lines == [["dark undefined away"], ["own=mine,theme=dark mine"], ["theme=dark false"]])
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
