// What a person at a terminal sees, and what happens when streams are closed or a key is pressed.

import Foundation
import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct TerminalTests {
  @Sendable private static func answer(_ request: StubRequest) -> [StubStep] {
    switch request.target {
    case "/binary":
      [
        .text("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 3\r\n\r\n"),
        .bytes([0, 1, 2]),
      ]
    case "/escape":
      [.response(headers: ["Content-Type: text/plain"], body: "\u{1B}[31mred\u{7}")]
    case "/hang": [.waitForClose]
    default: [.response(body: "ok")]
    }
  }

  /// Runs a command line on a terminal and answers what it shows.
  private func terminal(_ bench: Bench, _ line: String) async throws -> String? {
    guard try Require.tool("script", reason: "it makes a terminal") != nil else { return nil }
    return try await bench.shell("script -qec '\"$POSTKIT\" \(line)' /dev/null < /dev/null").output
  }

  @Test func `a terminal is shown no binary and obeys no response`() async throws {
    let bench = try Bench(
      ["a.http": "GET $URL/binary\n", "b.http": "GET $URL/escape\n"], TerminalTests.answer)
    guard let binary = try await terminal(bench, "run a.http") else { return }
    #expect(binary.contains("image/png, 3 B, not shown"))
    #expect(binary.contains("postkit run a.http --line 1 > FILE"))
    #expect(!binary.contains("\u{1}"))
    let escape = try #require(try await terminal(bench, "run b.http"))
    #expect(escape.contains(#"\x1B[31mred\x07"#))
    #expect(escape.contains("\u{1B}[32mHTTP/1.1 200 OK\u{1B}[0m"))
    let id = try #require(try await bench.history().first?["id"]?.string)
    for option in ["", " --body"] {
      let shown = try #require(try await terminal(bench, "history show \(id)\(option)"))
      #expect(shown.contains(#"\x1B[31mred\x07"#))
      #expect(!shown.contains("\u{1B}"))
    }
    #expect(
      try await bench.postkit("history", "show", id, "--body").output == "\u{1B}[31mred\u{7}")
  }

  @Test func `names of files, environments and options are shown, not obeyed`() async throws {
    let name = "a\u{1B}[31m\u{202E}.http"
    let environments = #"{"dev\u001b[31m": {"v": "1"}, "b\u202e": {"v": "2"}}"#
    let bench = try Bench([
      name: "### a\nGET $URL/\n\n### b\nGET $URL/\n", "http-client.env.json": environments,
      "one.http": "GET $URL/{{nope}}\n",
    ])
    try FileSystem.makeDirectory(bench.directory.path("d\u{1B}[31m"))
    try bench.directory.write("d\u{1B}[31m/c.http", "GET http://h/{{nope}}\n")
    for words in [
      ["run", name], ["run", name, "--all"], ["run", name, "--name", "nope"], ["check", name],
      ["env", name], ["env", "d\u{1B}[31m/c.http"], ["env", name, "-e", "x\u{1B}[31m"],
      ["run", "one.http", "-e", "x\u{1B}[31m"], ["run", "one.http", "--x\u{1B}[31m"],
      ["run", "missing\u{1B}[31m.http"], ["run", "d\u{1B}[31m/c.http"], ["format", name, "--check"],
      ["x\u{1B}[31m"], ["export", "history", "--format", "x\u{1B}[31m"],
    ] {
      let result = try await bench.postkit(words)
      let said = result.output + result.errorOutput
      for hidden in ["\u{1B}", "\u{202E}"] {
        // What is no terminal gets the names of files as they are, so that others can use them.
        let text = words[0] == "format" ? result.errorOutput : said
        #expect(!text.contains(hidden), "\(words): \(said.debugDescription)")
      }
    }
  }

  @Test func `an export is shown on a terminal, not obeyed`() async throws {
    let bench = try Bench(
      ["b.http": "POST $URL/escape\n\n\u{1B}[31mred\u{7}\n"], TerminalTests.answer)
    #expect(try await bench.postkit("run", "b.http").status == 0)
    for format in ["http", "har", "jsonl"] {
      let line = "export history --format \(format)"
      guard let shown = try await terminal(bench, line) else { return }
      #expect(!shown.contains("\u{1B}") && !shown.contains("\u{7}"), "\(format)")
      #expect(shown.contains("red"))
    }
    let plain = try await bench.postkit("export", "history", "--format", "http").output
    #expect(plain.contains("\u{1B}[31mred"))
  }

  @Test func `NO_COLOR is respected`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n"])
    guard try Require.tool("script", reason: "it makes a terminal") != nil else { return }
    let plain = try await bench.shell(
      "NO_COLOR=1 script -qec '\"$POSTKIT\" run a.http' /dev/null < /dev/null")
    #expect(plain.output.contains("200 OK"))
    #expect(!plain.output.contains("\u{1B}"))
  }

  @Test(
    arguments: [SIGINT, SIGTERM, SIGHUP],
    [["run", "a.http", "--all"], ["collections", "send", "C/a"]])
  func `an interrupted run is cancelled, recorded and reported`(
    _ number: Int32, _ words: [String]
  ) async throws {
    let bench = try Bench(
      ["a.http": "### a\nGET $URL/hang\n\n### b\nGET $URL/b\n"], TerminalTests.answer)
    let saved = try await bench.postkit("collections", "save", "a.http", "--name", "a", "--to", "C")
    #expect(saved.status == 0)
    let process = try ChildProcess(
      Bench.program, words + ["--report", "json=r.json"],
      directory: bench.directory.path,
      environment: ProcessEnvironment.all.merging(["POSTKIT_HOME": bench.store]) { $1 })
    defer { for stream in [process.input, process.output, process.error] { close(stream) } }
    _ = await bench.server.waitForRequests(1)
    process.send(signal: number)
    let status = await SerialQueueExecutor().perform { process.waitForEnd(timeoutSeconds: 60) }
    if status == nil { process.send(signal: SIGKILL) }
    #expect(status == 130)
    let report = try bench.json("r.json")
    #expect(report["error"]?.string == "cancelled")
    #expect(report["requests"]?.elements.map { $0["state"]?.string } == ["cancelled"])
    let history = try await bench.history()
    #expect(history.map { $0["state"]?.string } == ["cancelled"])
    #expect(bench.server.requests.count == 1)
  }

  @Test func `the end of the terminal ends no run that was started to outlive it`() async throws {
    let gate = StubGate()
    // The gate may open late on a busy machine.
    let bench = try Bench(["a.http": "# @timeout 600 s\nGET $URL/\n"]) { _ in
      [.wait(gate), .response(body: "ok")]
    }
    let process = try ChildProcess(
      "/bin/sh", ["-c", "trap '' HUP; exec \"$POSTKIT\" run a.http"],
      directory: bench.directory.path,
      environment: ProcessEnvironment.all.merging(
        ["POSTKIT_HOME": bench.store, "POSTKIT": Bench.program]) { $1 })
    defer { for stream in [process.input, process.output, process.error] { close(stream) } }
    _ = await bench.server.waitForRequests(1)
    process.send(signal: SIGHUP)
    gate.open()
    let status = await SerialQueueExecutor().perform { process.waitForEnd(timeoutSeconds: 60) }
    if status == nil { process.send(signal: SIGKILL) }
    #expect(status == 0)
    #expect(try await bench.history().map { $0["state"]?.string } == ["done"])
  }

  @Test func `closed streams harm nothing`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n"])
    for redirection in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"] {
      let result = try await bench.shell("\"$POSTKIT\" run a.http \(redirection)")
      #expect(result.status == 0)
      let isShown = !redirection.contains(" >&-") && redirection != ">&-"
      #expect(result.output == (isShown ? #"{"ok":true}"# : ""))
    }
    #expect(try await bench.history().count == 4)
    #expect(try await bench.postkit("doctor").status == 0)
  }

  @Test func `a reader that has gone is no failure, a full disk is one`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n"]) { _ in
      [
        .text("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n"),
        .repeated(Array(repeating: 120, count: 3_000), count: 1_000),
      ]
    }
    let gone = try await bench.shell(
      "{ \"$POSTKIT\" run a.http; echo $? > code; } | head -c 10")
    #expect(gone.output == "xxxxxxxxxx")
    #expect(try bench.directory.read("code") == "0\n")
    let full = try await bench.shell("\"$POSTKIT\" run a.http > /dev/full")
    #expect(full.status == 5)
    #expect(full.errorOutput.contains("standard output can't be written"))
    #expect(try await bench.history().count == 2)
  }
}
