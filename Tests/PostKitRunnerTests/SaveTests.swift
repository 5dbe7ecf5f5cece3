// `>> file`: what is written where, and what isn't (PK-90).

import Libc
import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct SaveTests {
  static func server() throws -> StubServer {
    try StubServer { request in
      switch request.target {
      case "/away": [.response("302 Found", headers: ["Location: /there"], body: "gone")]
      case "/empty": [.response("204 No Content")]
      case "/bytes":
        [.text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"), .bytes([0xFF, 0, 0x0A])]
      case "/broken": [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .close]
      default: [.response(body: "answer of \(request.target)")]
      }
    }
  }

  @Test func `a file that is there is left alone, and the next gets a number`() async throws {
    let server = try Self.server()
    let track = try Track(
      "@name = five\nGET \(server.url("/a"))\n\n>> ./out/{{name}}.tar.gz\n>>! ./out/same.txt\n")
    var saved: [[String]] = []
    for _ in 0..<3 { saved.append(await track.run().recorded.flatMap(\.savedTo)) }
    let folder = track.directory.path("out")
    #expect(saved[0] == ["\(folder)/five.tar.gz", "\(folder)/same.txt"])
    #expect(saved[1][0] == "\(folder)/five.tar-1.gz" && saved[2][0] == "\(folder)/five.tar-2.gz")
    #expect(
      try FileSystem.list(folder).sorted()
        == ["five.tar-1.gz", "five.tar-2.gz", "five.tar.gz", "same.txt"])
    #expect(try track.directory.read("out/five.tar-2.gz") == "answer of /a")
  }

  @Test func `an overwritten file is shorter where the answer is`() async throws {
    let server = try Self.server()
    let track = try Track(
      "GET \(server.url("/bytes"))\n\n>>! ./a.bin\n", ["a.bin": "a long text that was there"])
    let run = await track.run()
    #expect(run.result.exitCode == 0)
    #expect(try FileSystem.read(path: track.directory.path("a.bin"), limit: 99) == [0xFF, 0, 0x0A])
  }

  @Test func `an answer without a body makes an empty file`() async throws {
    let server = try Self.server()
    let track = try Track("GET \(server.url("/empty"))\n\n>> ./a.bin\n")
    _ = await track.run()
    #expect(try FileSystem.read(path: track.directory.path("a.bin"), limit: 9).isEmpty)
  }

  @Test func `of a redirect the last answer is saved`() async throws {
    let server = try Self.server()
    let track = try Track("GET \(server.url("/away"))\n\n>> ./a.txt\n")
    let run = await track.run()
    #expect(run.recorded[0].savedTo == [track.directory.path("a.txt")])
    #expect(try track.directory.read("a.txt") == "answer of /there")
    let first = try Track("# @no-redirect\nGET \(server.url("/away"))\n\n>> ./a.txt\n")
    _ = await first.run()
    #expect(try first.directory.read("a.txt") == "gone")
  }

  @Test func `half an answer replaces nothing`() async throws {
    let server = try Self.server()
    let track = try Track(
      "GET \(server.url("/broken"))\n\n>>! ./a.txt\n>> ./b.txt\n", ["a.txt": "before"])
    let run = await track.run()
    #expect(run.result.firstFailure?.code == .protocol)
    #expect(try track.directory.read("a.txt") == "before")
    #expect(!FileSystem.exists(track.directory.path("b.txt")))
    #expect(try FileSystem.list(track.directory.path).filter { $0.hasPrefix("a.txt") } == ["a.txt"])
  }

  @Test func `a stream can be read while it comes, and stays when it is ended`() async throws {
    let gate = StubGate()
    let server = try StubServer { _ in
      [
        .text(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "9\r\ndata: 1\n\n\r\n"), .wait(gate), .text("9\r\ndata: 2\n\n\r\n"), .waitForClose,
      ]
    }
    let track = try Track("GET \(server.url())\nAccept: text/event-stream\n\n>>! ./a.txt\n")
    let path = track.directory.path("a.txt")
    let task = Task { await track.run() }
    await Self.wait(for: "data: 1\n\n", in: path)
    gate.open()
    await Self.wait(for: "data: 1\n\ndata: 2\n\n", in: path)
    task.cancel()
    let run = await task.value
    #expect(run.result.outcomes.map(\.state) == [.cancelled])
    #expect(try track.directory.read("a.txt") == "data: 1\n\ndata: 2\n\n")
  }

  /// Looks until the file has the text; the limit of the suite ends a wait in vain.
  private static func wait(for text: String, in path: String) async {
    while (try? FileSystem.read(path: path, limit: 99)) != Array(text.utf8) { await Task.yield() }
  }

  @Test func `a relative path leads nowhere outside`() async throws {
    let server = try Self.server()
    for path in ["../a.txt", "./x/../../a.txt"] {
      let track = try Track("GET \(server.url("/a"))\n\n>> \(path)\n")
      let run = await track.run()
      #expect(run.result.firstFailure?.code == .fileNotFound)
      #expect(run.result.firstFailure?.message.contains("lies outside of") == true)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `an absolute path outside needs a folder that is trusted`() async throws {
    let server = try Self.server()
    let outside = try TemporaryDirectory()
    let track = try Track("GET \(server.url("/a"))\n\n>> \(outside.path("a.txt"))\n")
    let refused = await track.run { $0.workspace.outsideRefusal = "it lies outside" }
    #expect(refused.result.firstFailure?.code == .fileNotFound)
    #expect(refused.result.firstFailure?.message.contains("not trusted") == true)
    #expect(server.requests.isEmpty)
    #expect(await track.run().result.exitCode == 0)
    #expect(try outside.read("a.txt") == "answer of /a")
  }

  @Test func `a link inside that leads outside is outside`() async throws {
    let server = try Self.server()
    let outside = try TemporaryDirectory()
    let track = try Track("GET \(server.url("/a"))\n\n>> ./link/new/a.txt\n")
    #expect(symlink(outside.path, track.directory.path("link")) == 0)
    let run = await track.run()
    #expect(run.result.firstFailure?.code == .fileNotFound)
    #expect(try FileSystem.list(outside.path).isEmpty)
  }

  @Test(arguments: [
    ".git/config", ".GIT/config", "sub/.hg/hgrc", ".svn/a", ".g\u{200B}it/config", "postkit.json",
    "b.http", "B.REST", "http-client.env.json", "http-client.private.env.json", ".env", "dev.env",
    ".env.dev", ".vscode/settings.json", ".httpyac.json", "link/config",
  ])
  func `no response goes into version control or what PostKit reads`(path: String) async throws {
    let server = try Self.server()
    for marker in [">>", ">>!"] {
      let track = try Track("GET \(server.url("/a"))\n\n\(marker) ./\(path)\n")
      #expect(symlink(".git", track.directory.path("link")) == 0)
      let run = await track.run()
      #expect(run.result.firstFailure?.message.contains("can't be saved to") == true)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `in a folder that is not trusted hidden files are out of reach`() async throws {
    let server = try Self.server()
    for path in [".envrc", ".vscode/tasks.json", "a/.b/c"] {
      let track = try Track("GET \(server.url("/a"))\n\n>>! ./\(path)\n")
      let run = await track.run { $0.workspace.outsideRefusal = "it lies outside" }
      #expect(run.result.firstFailure?.message.contains("is hidden") == true)
      #expect(await track.run().result.exitCode == 0)
    }
    #expect(server.requests.count == 3)
  }

  @Test func `in a folder that is not trusted only what a response made is replaced`() async throws {
    let server = try Self.server()
    let text = "### a\nGET \(server.url("/a"))\n\n>>! ./own.txt\n>>! ./made.txt\n"
    let track = try Track(text, ["own.txt": "mine"])
    let refused = await track.run { $0.workspace.outsideRefusal = "it lies outside" }
    let message = refused.result.firstFailure?.message ?? ""
    #expect(message.contains("own.txt") && message.contains("is not trusted"), "\(message)")
    #expect(server.requests.isEmpty)
    #expect(try track.directory.read("own.txt") == "mine")
    // What the run has made itself it may replace, as in the turns of a loop.
    let loop = try Track("# @loop for 3\nGET \(server.url("/a"))\n\n>>! ./made.txt\n")
    let run = await loop.run { $0.workspace.outsideRefusal = "it lies outside" }
    #expect(run.result.exitCode == 0 && server.requests.count == 3)
    // What a save made before that, the services know.
    let known = await track.run(wasSaved: [track.directory.path("own.txt")]) {
      $0.workspace.outsideRefusal = "it lies outside"
    }
    #expect(known.result.exitCode == 0)
    #expect(try track.directory.read("own.txt") == "answer of /a")
    #expect(await track.run().result.exitCode == 0)
  }

  @Test func `a file that came while the answer was waited for is not replaced`() async throws {
    let gate = StubGate()
    let server = try StubServer { _ in [.wait(gate), .response(body: "x")] }
    let track = try Track("GET \(server.url("/a"))\n\n>>! ./a.txt\n")
    let task = Task { await track.run { $0.workspace.outsideRefusal = "it lies outside" } }
    _ = await server.waitForRequests(1)
    try track.directory.write("a.txt", "mine")
    gate.open()
    let failure = await task.value.result.firstFailure
    #expect(failure?.message.contains("no response was saved to") == true)
    #expect(try track.directory.read("a.txt") == "mine")
  }

  @Test(arguments: ["../nowhere/made.txt", "/nowhere/made.txt", "link.txt"])
  func `a link to nothing outside is outside`(target: String) async throws {
    let server = try Self.server()
    let track = try Track("GET \(server.url("/a"))\n\n>>! ./link.txt\n")
    #expect(symlink(target, track.directory.path("link.txt")) == 0)
    let run = await track.run()
    #expect(run.result.firstFailure?.code == .fileNotFound)
    #expect(server.requests.isEmpty)
  }

  @Test func `a link to nothing inside leads to where the file is made`() async throws {
    let server = try Self.server()
    let track = try Track("GET \(server.url("/a"))\n\n>>! ./link.txt\n", ["out/a": ""])
    #expect(symlink("out/made.txt", track.directory.path("link.txt")) == 0)
    #expect(await track.run().result.exitCode == 0)
    #expect(try track.directory.read("out/made.txt") == "answer of /a")
  }

  @Test func `a folder that became a link before the answer came is not written to`() async throws {
    let gate = StubGate()
    let server = try StubServer { _ in [.wait(gate), .response(body: "x")] }
    let outside = try TemporaryDirectory()
    let track = try Track("GET \(server.url("/a"))\n\n>>! ./out/a.txt\n", ["out/b": ""])
    let task = Task { await track.run() }
    _ = await server.waitForRequests(1)
    try FileSystem.removeTree(track.directory.path("out"))
    #expect(symlink(outside.path, track.directory.path("out")) == 0)
    gate.open()
    #expect(await task.value.result.firstFailure?.message.contains("lies outside") == true)
    #expect(try FileSystem.list(outside.path).isEmpty)
  }

  @Test func `a place that can't be written is a failure, and the answer is kept`() async throws {
    let server = try Self.server()
    let track = try Track("GET \(server.url("/a"))\n\n>> ./file/a.txt\n", ["file": "x"])
    let run = await track.run()
    #expect(run.result.exitCode == 5)
    #expect(run.result.firstFailure?.message.contains("Saving the response to") == true)
    #expect(run.recorded[0].response?.status == 200)
  }

  @Test(arguments: [">> ./folder/\n", ">> {{nope}}.txt\n"])
  func `a save without a file keeps the request from being sent`(line: String) async throws {
    let server = try Self.server()
    let track = try Track("GET \(server.url("/a"))\n\n\(line)")
    let run = await track.run()
    #expect(run.result.exitCode == 3 && server.requests.isEmpty)
  }

  @Test func `a response reference is neither sent nor written`() async throws {
    let server = try Self.server()
    let track = try Track("POST \(server.url("/a"))\n\nbody\n\n<> ./old.json\n")
    let run = await track.run()
    #expect(run.result.exitCode == 0)
    #expect(server.requests[0].body == Array("body".utf8))
    #expect(!FileSystem.exists(track.directory.path("old.json")))
  }

  @Test func `curl's -o saves, too`() async throws {
    let server = try Self.server()
    let track = try Track("curl \(server.url("/a")) -o ./a.txt\n", ["a.txt": "before"])
    let run = await track.run()
    #expect(run.result.exitCode == 0)
    #expect(try track.directory.read("a.txt") == "answer of /a")
  }
}
