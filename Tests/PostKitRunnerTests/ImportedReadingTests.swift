// Files that use each other, each read as its own author meant it.

import PostKitEvaluate
import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct ImportedReadingTests {
  private static func server() throws -> StubServer { try StubServer { _ in [.response()] } }

  @Test func `an imported file's values have the escapes of its own tag`() async throws {
    let server = try Self.server()
    let track = try Track(
      """
      import rc.http
      import plain.http
      @own = a\\tb

      ### a
      POST \(server.url("/"))

      {{rc}}|{{plain}}|{{own}}

      """,
      [
        "rc.http": "# @dialect restclient\n@rc = a\\qb\n",
        "plain.http": "# @dialect httpyac\n@plain = a\\tb\n",
      ])
    _ = await track.run()
    #expect(server.requests.first?.body == Array("aqb|a\\tb|a\tb".utf8))
  }

  @Test func `of two definitions in an imported file its own tool's counts`() async throws {
    let server = try Self.server()
    let text = "@x = 1\n@y = {{x}}\n@x = 2\n"
    let track = try Track(
      """
      # @dialect DIALECT
      import b.http

      ### a
      GET \(server.url("/{{y}}"))

      """, ["b.http": text])
    func target(_ main: String, _ imported: String) async throws -> String? {
      try track.directory.write("b.http", "# @dialect \(imported)\n" + text)
      let changed = try Track(
        track.text.replacing("DIALECT", with: main), ["b.http": "# @dialect \(imported)\n" + text])
      _ = await changed.run()
      return server.requests.last?.target
    }
    #expect(try await target("auto", "httpyac") == "/1")
    #expect(try await target("httpyac", "restclient") == "/2")
    #expect(try await target("restclient", "kulala") == "/2")
  }

  @Test func `a value made up on the spot follows the file that defines it`() async throws {
    let server = try Self.server()
    let track = try Track(
      """
      import ms.http

      ### a
      GET \(server.url("/{{ms}}/{{$timestamp}}/{{own}}"))

      ### b
      @own = {{ms}}
      GET \(server.url("/{{own}}"))

      """, ["ms.http": "# @dialect httpyac\n@ms = {{$timestamp}}\n"])
    _ = await track.run("a", "b") { $0.seed = 1 }
    #expect(
      server.requests.map(\.target) == [
        "/1577836800000/1577836800/1577836800000", "/1577836800000",
      ])
  }

  @Test func `a request of an imported file is sent as its own tool sends it`() async throws {
    let server = try Self.server()
    let other = """
      # @dialect kulala

      ### other
      POST \(server.url("/other"))
      Content-Type: text/plain

      # kept
      text

      """
    let track = try Track(
      """
      import other.http

      ### main
      # @ref other
      POST \(server.url("/main"))
      Content-Type: application/json

      # dropped
      {}

      """, ["other.http": other])
    let run = await track.run("main") { $0.dialect = Dialect(.jetbrains) }
    #expect(server.requests.map(\.body) == ["# kept\ntext", "{}"].map { Array($0.utf8) })
    #expect(run.recorded.map(\.dialect) == ["kulala", "jetbrains"])
  }

  @Test func `postkit.json beside an imported file is its project`() async throws {
    let server = try Self.server()
    let file = "@x = a\\tb\n"
    let track = try Track(
      """
      import near/file.http
      import near/tagged.http
      import far/file.http

      ### a
      POST \(server.url("/"))

      {{x}}|{{tagged}}|{{y}}

      """,
      [
        "near/postkit.json": #"{"dialect": "httpyac", "timestamp": "s"}"#,
        "near/file.http": file,
        "near/tagged.http": "# @dialect restclient\n@tagged = a\\qb\n",
        "far/deep/postkit.json": #"{"dialect": "httpyac"}"#,
        "far/file.http": "@y = a\\tb\n",
      ])
    _ = await track.run()
    #expect(server.requests.first?.body == Array("a\\tb|aqb|a\tb".utf8))
    _ = await track.run { input in
      input.dialect = Dialect(.restclient)
      input.workspace.reading = FileReading(chosen: .restclient)
    }
    #expect(server.requests.last?.body == Array("a\tb|aqb|a\tb".utf8), "the run stands above all")
  }

  @Test func `the paths of an imported file's bodies count as its own tool counts them`() async throws
  {
    let server = try Self.server()
    let files = [
      "lib/b.http": """
        # @dialect restclient

        ### b
        POST \(server.url("/"))

        < body.txt

        """,
      "body.txt": "root", "lib/body.txt": "beside",
    ]
    _ = await (try Track("import lib/b.http\n\n### a\n# @ref b\nGET \(server.url("/"))\n", files)).run("a")
    #expect(server.requests.first?.body == Array("root".utf8))
  }
}
