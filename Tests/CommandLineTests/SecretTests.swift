// Canaries: values that must not come out anywhere but on the wire and in the response itself.

import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct SecretTests {
  private static let canaries = [
    "private-canary-1", "dotenv-canary-22", "prompt-canary-333", "secret-canary-4444",
    "process-canary-5", "literal-canary-66", "password-canary-7", "response-canary-8",
    "digest-canary-9", "signing-canary-10", "session-canary-11",
  ]

  private static let file = """
    @derived = <{{hidden}}>

    ### echo
    # @name echo
    # @prompt password
    # @secret deep
    POST {{host}}/echo?k={{hidden}}&d={{derived}}
    Authorization: Bearer literal-canary-66
    X-Dotenv: {{API_KEY}} {{$dotenv API_KEY}}
    X-Process: {{$processEnv CANARY_TOKEN}}
    X-Prompt: {{password}}
    X-Deep: {{deep}}
    Content-Type: application/json

    {"a": "{{hidden}}", "b": "{{password}}", "c": "{{deep}}"}

    ### cookie
    # @name login
    GET {{host}}/login
    Authorization: Basic ann:password-canary-7

    ### use the token
    GET {{host}}/echo
    Authorization: Bearer {{login.response.headers.X-Token}}

    ### digest
    GET {{host}}/digest
    Authorization: Digest ann digest-canary-9

    ### signature
    GET {{host}}/echo
    Authorization: AWS AKID signing-canary-10 token:session-canary-11 service:s3

    ### refused
    GET http://ann:{{hidden}}@127.0.0.1:1/{{API_KEY}}

    ### unresolved
    GET {{host}}/{{hidden}}/{{nope}}
    Authorization: Bearer {{hidden}}

    """

  /// Repeats the whole request; a login answers with a cookie and a token that a later request
  /// sends. Nobody can know that the token of a response header is a secret, so it has no canary.
  @Sendable private static func answer(_ request: StubRequest) -> [StubStep] {
    if request.target == "/login" {
      return [
        .response(
          headers: ["Set-Cookie: sid=response-canary-8", "X-Token: t-1234567"], body: "{}")
      ]
    }
    if request.target == "/digest", request.values("Authorization").isEmpty {
      let challenge = #"Digest realm="r", nonce="n", qop="auth""#
      return [.response("401 Unauthorized", headers: ["WWW-Authenticate: \(challenge)"])]
    }
    // A cookie is not known to be a secret where it is repeated in a body.
    let lines = request.lines.filter { !$0.hasPrefix("Cookie:") }.joined(separator: "\n")
    let text = lines + "\n\n" + String(decoding: request.body, as: UTF8.self)
    return [.response(headers: ["Content-Type: text/plain"], body: text)]
  }

  @Test func `secrets are on the wire, and nowhere else`() async throws {
    let bench = try Bench(
      [
        "a.http": SecretTests.file, ".env": "API_KEY=dotenv-canary-22\n",
        "http-client.env.json": #"{"dev": {"host": "$URL"}}"#,
        "http-client.private.env.json": #"{"dev": {"hidden": "private-canary-1", "short": "abc"}}"#,
      ], SecretTests.answer)
    let run = try await bench.postkit(
      [
        "run", "a.http", "--all", "--env", "dev", "--input", "password=prompt-canary-333",
        "--input", "deep=secret-canary-4444", "--report", "json=r.json", "--report",
        "junit=r.xml", "--report", "tap=r.tap",
      ], environment: ["CANARY_TOKEN": "process-canary-5"])
    #expect(run.status == 3)
    #expect(bench.server.requests.count == 6)
    for canary in SecretTests.canaries.prefix(6) { #expect(run.output.contains(canary)) }
    search(run.errorOutput, "standard error")
    for report in ["r.json", "r.xml", "r.tap"] { search(try bench.directory.read(report), report) }
    // The jar has the true value, or it could not be sent again; no command shows it.
    search(
      String(decoding: try Bench.bytes(below: bench.store), as: UTF8.self)
        .replacing("sidresponse-canary-8", with: ""), "the store")
    let commands = [
      ["history"], ["history", "--json"], ["env", "a.http"], ["env", "a.http", "--json"],
      ["check", "a.http"], ["check", "a.http", "--env", "dev", "--json"], ["doctor"],
      ["doctor", "--json"],
    ]
    let ids = try await bench.history().compactMap { $0["id"]?.string }
    #expect(ids.count == 6)
    let shows = ids.flatMap { id in
      [[], ["--json"], ["--body"]].map { ["history", "show", id] + $0 }
    }
    for command in commands + shows {
      let result = try await bench.postkit(command)
      search(result.output + result.errorOutput, command.joined(separator: " "))
    }
  }

  @Test(
    "of a large response only what the history keeps stays on the disk",
    arguments: [[], ["--no-history"]])
  func spooledBodies(_ words: [String]) async throws {
    let body = String(repeating: "x", count: 1_500_000)
    let bench = try Bench([
      "a.http": "GET $URL/plain\n\n###\nGET $URL/secret\nX-Key: {{API_KEY}}\n",
      ".env": "API_KEY=dotenv-canary-22\n",
    ]) { request in
      [.response(body: request.target == "/secret" ? body + "dotenv-canary-22" : body)]
    }
    let run = try await bench.postkit(["run", "a.http", "--all"] + words)
    #expect(run.output == body + body + "dotenv-canary-22")
    #expect(try FileSystem.list(bench.store + "/bodies/incoming").isEmpty)
    search(String(decoding: try Bench.bytes(below: bench.store), as: UTF8.self), "the store")
    guard words.isEmpty else { return }
    let id = try #require(try await bench.history().first?["id"]?.string)
    let kept = try await bench.postkit("history", "show", id, "--body")
    #expect(kept.output == body + "••••••")
  }

  @Test func `what can't be sent is explained without its secrets`() async throws {
    let file = """
      ### file
      POST $URL/

      < ./{{API_KEY}}.json

      ### folder
      POST $URL/

      < ./{{API_KEY}}/{{nope}}

      ### host
      GET http://a{{API_KEY}} b/

      ### scheme
      GET ftp://127.0.0.1/{{API_KEY}}

      ### timeout
      # @timeout {{API_KEY}}
      GET $URL/

      """
    let bench = try Bench(["a.http": file, ".env": "API_KEY=dotenv-canary-22\n"])
    let run = try await bench.postkit(
      "run", "a.http", "--all", "--report", "json=r.json", "--report", "junit=r.xml", "--report",
      "tap=r.tap")
    #expect(run.status == 3)
    #expect(run.errorOutput.contains("File `./••••••.json` not found"))
    search(run.errorOutput, "standard error")
    for report in ["r.json", "r.xml", "r.tap"] { search(try bench.directory.read(report), report) }
    #expect(bench.server.connectionCount == 0)
  }

  private func search(_ text: String, _ place: String) {
    for canary in SecretTests.canaries {
      #expect(!text.contains(canary), "\(canary) is in \(place)")
    }
  }

  @Test func `the environment command hides private values`() async throws {
    let bench = try Bench([
      "a.http": "GET $URL/\n", "http-client.env.json": #"{"dev": {"host": "h"}, "prod": {}}"#,
      "http-client.private.env.json": "{\"dev\": {\n\n\"hidden\": \"private-canary-1\"}}",
    ])
    let all = try Bench.json(try await bench.postkit("env", "a.http", "--json").output)
    #expect(all.elements.map { $0["environment"]?.string } == [nil, "dev", "prod"])
    #expect(all.elements.map { $0["active"]?.bool } == [true, false, false])
    let dev = try Bench.json(
      try await bench.postkit("env", "a.http", "-e", "dev", "--json").output)
    let environment = try #require(dev.elements.first)
    #expect(environment["active"]?.bool == true)
    let variables = try #require(environment["variables"]?.elements)
    #expect(variables.map { $0["name"]?.string } == ["hidden", "host"])
    #expect(variables.map { $0["value"] } == [.null, "h"])
    #expect(variables.map { $0["masked"]?.bool } == [true, false])
    let place = bench.directory.path("http-client.private.env.json")
    #expect(variables[0]["origin"] == ["file": .string(place), "line": 3])
    #expect(try await bench.postkit("env", "a.http", "-e", "nope").status == 2)
  }
}
