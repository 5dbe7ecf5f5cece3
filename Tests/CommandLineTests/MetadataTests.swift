// What each tag of a request does when the request is run by the real program.

import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct MetadataTests {
  /// Answers with a redirect, a cookie, a long wait or what was asked for.
  @Sendable private static func answer(_ request: StubRequest) -> [StubStep] {
    switch request.target {
    case "/moved": [.response("302 Found", headers: ["Location: /here"])]
    case "/cookie": [.response(headers: ["Set-Cookie: crumb=1"])]
    case "/hang": [.waitForClose]
    default: [.response(headers: ["Content-Type: application/json"], body: #"{"ok":true}"#)]
    }
  }

  @Test func `@name, @title and @description name and describe a request`() async throws {
    let file = """
      ### heading
      # @name shelf
      # @title The shelf
      # @description All books, by title
      GET $URL/shelf

      """
    let bench = try Bench(["a.http": file])
    #expect(try await bench.postkit("run", "a.http", "--name", "shelf").status == 0)
    #expect(bench.server.requests.map(\.target) == ["/shelf"])
  }

  @Test(
    "a key may be written as any tool writes it",
    arguments: [
      "# @no-redirect", "// @no-redirect", "#@no-redirect", "# @noRedirect", "# @NO-REDIRECT",
      "# @no-redirect true",
    ])
  func noRedirect(_ line: String) async throws {
    let bench = try Bench(["a.http": "\(line)\nGET $URL/moved\n"], MetadataTests.answer)
    _ = try await bench.postkit("run", "a.http")
    #expect(bench.server.requests.map(\.target) == ["/moved"])
  }

  @Test func `@no-cookie-jar neither sends nor keeps cookies`() async throws {
    let file = """
      ### neither
      # @no-cookie-jar
      GET $URL/cookie

      ### without
      GET $URL/without

      ### kept
      GET $URL/cookie

      ### with
      GET $URL/with

      ### not sent
      # @no-cookie-jar
      GET $URL/not-sent

      ### the jar is attached anyway
      # @attach-cookie-jar
      GET $URL/attached

      """
    let bench = try Bench(["a.http": file], MetadataTests.answer)
    _ = try await bench.postkit("run", "a.http", "--all")
    #expect(
      bench.server.requests.map { $0.values("Cookie") } == [
        [], [], [], ["crumb=1"], [], ["crumb=1"],
      ])
  }

  @Test func `@no-log keeps a request out of the history`() async throws {
    let bench = try Bench(["a.http": "# @no-log\nGET $URL/a\n\n###\nGET $URL/b\n"])
    #expect(try await bench.postkit("run", "a.http", "--all").status == 0)
    let urls = try await bench.history().compactMap { $0["url"]?.string }
    #expect(urls.count == 1 && urls.first?.hasSuffix("/b") == true)
  }

  @Test func `@no-auto-encoding leaves a URL and a form as they are written`() async throws {
    let file = """
      # @no-auto-encoding
      POST $URL/a?q=é|%zz
      Content-Type: application/x-www-form-urlencoded

      a=b c&d=é

      ### encoded
      POST $URL/a?q=é|%zz
      Content-Type: application/x-www-form-urlencoded

      a=b c&d=é

      """
    let bench = try Bench(["a.http": file])
    _ = try await bench.postkit("run", "a.http", "--all")
    let sent = bench.server.requests
    try #require(sent.count == 2)
    #expect(sent.map(\.target) == ["/a?q=é|%zz", "/a?q=%C3%A9%7C%25zz"])
    let bodies = sent.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies == ["a=b c&d=é", "a=b%20c&d=%C3%A9"])
  }

  @Test(
    "a duration ends a request that takes longer",
    arguments: ["@timeout 200 ms", "@timeout 0.2 s", "@timeout = 200ms", "@timeout 1000"])
  func timeout(_ tag: String) async throws {
    let bench = try Bench(["a.http": "# \(tag)\nGET $URL/hang\n"], MetadataTests.answer)
    let result = try await bench.postkit("run", "a.http", "--report", "json=r.json")
    #expect(result.status == 4)
    #expect(try bench.json("r.json")["error"]?.string == "timeout")
  }

  @Test func `@prompt, @secret and @kulala-prompt ask, and a secret is not kept`() async throws {
    let file = """
      # @prompt user Who are you?
      # @secret pin
      # @kulala-prompt "Which shelf?" shelf
      GET $URL/{{user}}/{{shelf}}
      X-Pin: {{pin}}

      """
    let bench = try Bench(["a.http": file])
    let result = try await bench.postkit(
      "run", "a.http", "--input", "user=ann", "--input", "pin=s3cr3t-9", "--input", "shelf=b")
    #expect(result.status == 0)
    #expect(bench.server.requests.map(\.target) == ["/ann/b"])
    #expect(bench.server.requests.first?.values("X-Pin") == ["s3cr3t-9"])
    #expect(!(try Bench.bytes(below: bench.store)).contains(Array("s3cr3t-9".utf8)))
  }

  @Test func `@ref sends a request once a run, @forceRef each time`() async throws {
    let file = """
      ### once
      GET $URL/once

      ### each
      GET $URL/each

      ### a
      # @ref once
      # @forceRef each
      GET $URL/a

      ### b
      # @ref once
      # @force-ref each
      GET $URL/b

      """
    let bench = try Bench(["a.http": file])
    for name in ["a", "b"] {
      #expect(try await bench.postkit("run", "a.http", "--name", name).status == 0)
    }
    let one = ["/once", "/each"]
    #expect(bench.server.requests.map(\.target) == one + ["/a"] + one + ["/b"])
  }

  @Test func `@import makes the names of a file known`() async throws {
    let bench = try Bench([
      "a.http": "# @import ./b.http\n# @ref login\nGET $URL/{{where}}\n",
      "b.http": "@where = shelf\n### login\nGET $URL/login\n",
    ])
    #expect(try await bench.postkit("run", "a.http").status == 0)
    #expect(bench.server.requests.map(\.target) == ["/login", "/shelf"])
  }

  @Test func `@disabled, @if, @loop, @sleep and @tag decide whether, how often and when`()
    async throws
  {
    let file = """
      ### off
      # @disabled
      GET $URL/off

      ### unless
      # @if false
      GET $URL/unless

      ### twice
      # @loop for 2
      # @delay 5
      # @tag quick, dry
      GET $URL/{{$index}}

      """
    let bench = try Bench(["a.http": file])
    #expect(try await bench.postkit("run", "a.http", "--all").status == 0)
    #expect(try await bench.postkit("run", "a.http", "--tag", "dry").status == 0)
    #expect(bench.server.requests.map(\.target) == ["/0", "/1", "/0", "/1"])
  }

  @Test func `@inject-variables fills in files, @graphql and @no-gql-parsing read bodies`()
    async throws
  {
    let bench = try Bench([
      "b.txt": "{{x}}",
      "a.http": """
      @x = 1

      ### filled
      # @injectVariables
      POST $URL/

      < b.txt

      ### query
      # @graphql
      POST $URL/

      { shelf }

      ### text
      # @no-gql-parsing
      POST $URL/

      query { shelf }

      """,
    ])
    #expect(try await bench.postkit("run", "a.http", "--all").status == 0)
    #expect(
      bench.server.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
        "1", #"{"query":"{ shelf }"}"#, "query { shelf }",
      ])
  }

  @Test func `@forceRegionDelimiter leaves a method line to the body`() async throws {
    let file = """
      # @forceRegionDelimiter
      POST $URL/a
      Content-Type: text/plain

      GET $URL/b

      """
    let bench = try Bench(["a.http": file])
    #expect(try await bench.postkit("run", "a.http", "--all").status == 0)
    #expect(bench.server.requests.map(\.target) == ["/a"])
  }

  @Test func `@kulala-expect-status-code is a test`() async throws {
    let bench = try Bench(["a.http": "# @kulala-expect-status-code 201 204\nGET $URL/\n"])
    let result = try await bench.postkit("run", "a.http")
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("✗ kulala-expect-status-code 201 204"))
  }

  @Test func `@env-json-key and @env-header-key keep parts of a response`() async throws {
    let file = """
      ### login
      # @env-json-key TOKEN data.keys[0].id
      # @env-header-key SESSION X-Session
      GET $URL/login

      ### use
      GET $URL/use?{{TOKEN}}
      X-Session: {{SESSION}}

      """
    let bench = try Bench(["a.http": file]) { request in
      let body = request.target == "/login" ? #"{"data": {"keys": [{"id": "k-1"}]}}"# : "{}"
      return [.response(headers: ["X-Session: s-1"], body: body)]
    }
    #expect(try await bench.postkit("run", "a.http", "--name", "use").status == 0)
    #expect(bench.server.requests.map(\.target) == ["/login", "/use?k-1"])
    #expect(bench.server.requests.last?.values("X-Session") == ["s-1"])
    #expect(try await bench.postkit("check", "a.http").status == 0)
  }

  @Test func `what a response lacks is told with its place, and again where it is needed`()
    async throws
  {
    let file = """
      ### login
      # @env-json-key TOKEN data.token
      # @env-header-key SESSION X-Session
      GET $URL/login

      ### use
      GET $URL/use?{{TOKEN}}

      """
    let bench = try Bench(["a.http": file])
    let result = try await bench.postkit("run", "a.http", "--all")
    #expect(result.status != 0)
    #expect(
      result.errorOutput.contains(
        "a.http:2:1: warning: `@env-json-key` gives `TOKEN` no value: "
          + "`data.token` matches nothing in the body. "
          + "Compare the tag with the response and correct it."))
    #expect(
      result.errorOutput.contains(
        "a.http:3:1: warning: `@env-header-key` gives `SESSION` no value: there is no header "
          + "`X-Session`."))
    #expect(result.errorOutput.contains("a.http:7"))
    #expect(bench.server.requests.map(\.target) == ["/login"])
  }

  @Test(
    "a variable holds the content of a file beside the request file",
    arguments: ["kulala-file-contents-to-variable", "file-to-variable"])
  func fileToVariable(_ tag: String) async throws {
    let bench = try Bench([
      "sub/note.txt": "two\nlines {{no}}\n",
      "sub/a.http": "# @\(tag) NOTE ./note.txt\nPOST $URL/\n\n<{{NOTE}}>\n",
    ])
    #expect(try await bench.postkit("run", "sub/a.http").status == 0)
    #expect(bench.server.requests.map(\.body) == [Array("<two\nlines {{no}}\n>".utf8)])

    try bench.write("sub/a.http", "# @\(tag) NOTE ./gone.txt\nPOST $URL/\n\n{{NOTE}}\n")
    let result = try await bench.postkit("run", "sub/a.http")
    #expect(result.status != 0)
    #expect(result.errorOutput.contains("File `./gone.txt` not found."))
    #expect(bench.server.requests.count == 1)
  }

  @Test(
    "a tag that is not built yet is answered in one line, and the request is sent",
    arguments: ["jq .a", "kulala-jq .a", "save", "ratelimit max 1", "stdin-cmd cat", "stdin-cmd-pre a"])
  func later(_ tag: String) async throws {
    let bench = try Bench(["a.http": "# @\(tag)\nGET $URL/\n"])
    let result = try await bench.postkit("run", "a.http")
    #expect(result.status == 0)
    let lines = result.errorOutput.split(separator: "\n").filter { $0.contains("This version ") }
    #expect(lines.count == 1)
    #expect(bench.server.requests.count == 1)
  }

  @Test(
    "tags about other tools' windows and logs change nothing",
    arguments: [
      "openWith x", "extension json", "language json", "noResponseView", "verbose", "debug",
      "metaDataLogging", "responseRef", "noStreamingLog", "kulala-vscode-restclient-compat",
      "lang javascript", "nobody-knows-this",
    ])
  func ignored(_ tag: String) async throws {
    let bench = try Bench(["a.http": "# @\(tag)\nGET $URL/\n"])
    let result = try await bench.postkit("run", "a.http")
    #expect(result.status == 0)
    #expect(!result.errorOutput.contains("warning"))
    #expect(bench.server.requests.count == 1)
  }
}
