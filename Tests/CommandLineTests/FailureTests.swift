// What goes wrong, in words, exit codes and reports; nothing crashes, nothing hangs.

import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct FailureTests {
  /// A request file, the exit code and the word for `error`.
  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var status: Int32
    var word: String
    var testDescription: String { "\(word): \(file.prefix(40))" }
  }

  static let cases = [
    Case(file: "GET $URL/{{nope}}\n", status: 3, word: "unresolved-variable"),
    Case(file: "GET $URL/\nX: {{nope}}\n", status: 3, word: "unresolved-variable"),
    Case(file: "POST $URL/\n\n< {{nope}}.json\n", status: 3, word: "unresolved-variable"),
    Case(file: "@a={{b}}\n@b={{a}}\nGET $URL/{{a}}\n", status: 3, word: "variable-cycle"),
    Case(file: "POST $URL/\n\n< missing.json\n", status: 3, word: "file-not-found"),
    Case(file: "GET\n", status: 3, word: "syntax"),
    Case(file: "GET ftp://example.test/\n", status: 3, word: "syntax"),
    Case(
      file: "GET $URL/\nX: \(String(repeating: "x", count: 1_100_000))\n", status: 3,
      word: "syntax"),
    Case(file: "# @ref b\nGET $URL/\n", status: 2, word: "request-not-found"),
    Case(file: "", status: 2, word: "request-not-found"),
    Case(file: "GET http://127.0.0.1:1/\n", status: 4, word: "connection"),
    Case(file: "GET http://host.invalid/\n", status: 4, word: "connection"),
    Case(file: "GET $URL/nothing\n", status: 4, word: "connection"),
    Case(file: "# @timeout 200 ms\nGET $URL/hang\n", status: 4, word: "timeout"),
    Case(file: "GET $URL/loop\n", status: 4, word: "too-many-redirects"),
    Case(file: "GET $URL/broken\n", status: 4, word: "protocol"),
    Case(file: "GET $URL/garbage\n", status: 4, word: "protocol"),
    Case(file: "GET $URL/long-header\n", status: 4, word: "protocol"),
    Case(file: "GET $URL/many-headers\n", status: 4, word: "protocol"),
    Case(file: "GET $URL/negative-length\n", status: 4, word: "protocol"),
    Case(file: "GET $URL/bad-redirect\n", status: 4, word: "protocol"),
  ]

  @Sendable private static func answer(_ request: StubRequest) -> [StubStep] {
    switch request.target {
    case "/hang": [.waitForClose]
    case "/nothing": [.close]
    case "/long-header":
      [
        .text("HTTP/1.1 200 OK\r\nX: "),
        .repeated(Array(repeating: 120, count: 1_000), count: 1_000), .close,
      ]
    case "/many-headers":
      [
        .text("HTTP/1.1 200 OK\r\n"),
        .repeated(Array("X: \(String(repeating: "x", count: 997))\r\n".utf8), count: 1_000), .close,
      ]
    case "/negative-length": [.text("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nok"), .close]
    case "/bad-redirect": [.response("302 Found", headers: ["Location: http://a b/"])]
    case "/garbage": [.text("GARBAGE\r\n\r\n"), .close]
    case "/broken": [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart"), .close]
    case "/loop": [.response("302 Found", headers: ["Location: /loop"])]
    case "/away":
      [
        .response(
          "302 Found",
          headers: request.values("Host").map {
            "Location: http://localhost:\($0.split(separator: ":")[1])/"
          })
      ]
    case "/xml": [.response(headers: ["Content-Type: text/xml"], body: "<a/>")]
    default: [.response(body: "ok")]
    }
  }

  @Test("a failure has a word, an exit code and reports", arguments: cases)
  func failure(_ example: Case) async throws {
    let bench = try Bench([:], FailureTests.answer)
    try bench.write("a.http", example.file)
    let result = try await bench.postkit(
      "run", "a.http", "--report", "json=r.json", "--report", "junit=r.xml", "--report",
      "tap=r.tap")
    #expect(result.status == example.status)
    #expect(try bench.json("r.json")["error"]?.string == example.word)
    #expect(result.errorOutput.contains("a.http"))
    #expect(try bench.directory.read("r.xml").contains("errors=\"1\""))
    let tap = try bench.directory.read("r.tap")
    #expect(tap.contains("not ok 1") || tap.contains("Bail out!"))
  }

  @Test func `of an XPath that is none nothing is said but by us`() async throws {
    let bench = try Bench([:], FailureTests.answer)
    try bench.write("a.http", "GET $URL/xml\n\n?? xpath document('x')/a == 1\n")
    let result = try await bench.postkit("run", "a.http")
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("XPath 1.0 has no such function"))
    #expect(!result.errorOutput.contains("xmlXPath"), "\(result.errorOutput)")
  }

  @Test func `a header that another origin must not see is named`() async throws {
    let bench = try Bench([:], FailureTests.answer)
    try bench.write("a.http", "# @secret key\nGET $URL/away\nX-Api-Key: {{key}}\nX-B: open\n")
    let result = try await bench.postkit("run", "a.http", "--input", "key=hush-hush")
    let origin = "http://localhost:\(bench.server.port)"
    #expect(
      result.errorOutput.contains(
        "`X-Api-Key` was not sent on to \(origin), which is another origin."),
      "\(result.errorOutput)")
    #expect(bench.server.requests.map { $0.values("X-Api-Key") } == [["hush-hush"], []])
    #expect(!result.errorOutput.contains("hush-hush"))
  }

  @Test func `of several failures the gravest decides, and the first is named`() async throws {
    let file = """
      ### a
      GET http://127.0.0.1:1/

      ### b
      GET $URL/{{nope}}

      ### c
      GET $URL/c

      """
    let bench = try Bench(["a.http": file])
    let result = try await bench.postkit("run", "a.http", "--all", "--report", "json=r.json")
    #expect(result.status == 3)
    let report = try bench.json("r.json")
    #expect(report["error"]?.string == "connection")
    let requests = try #require(report["requests"]?.elements)
    #expect(requests.map { $0["state"]?.string } == ["failed", "failed", "done"])
    #expect(requests.map { $0["line"]?.int } == [2, 5, 8])
    #expect(requests.map { $0["status"]?.int } == [nil, nil, 200])
    #expect(requests.map { $0["name"]?.string } == ["a", "b", "c"])
  }

  @Test func `what came of a response that broke off is printed and kept`() async throws {
    let bench = try Bench(["a.http": "GET $URL/broken\n"], FailureTests.answer)
    #expect(try await bench.postkit("run", "a.http").output == "part")
    let entry = try #require(try await bench.history().first)
    #expect(entry["state"]?.string == "failed")
    #expect(entry["status"]?.int == 200)
    #expect(entry["error"]?.string == "protocol")
  }

  @Test(
    "a command line that can't be understood is explained, and its reports are written",
    arguments: [
      ["--bogus"], ["--line", "0"], ["--line", "x"], ["--dialect", "none"], ["--var", "x"],
      ["--input", "=x"], ["b.http"], ["--name"], ["--store", ""],
    ])
  func usage(_ words: [String]) async throws {
    let bench = try Bench(["a.http": "GET $URL/\n"])
    let result = try await bench.postkit(["run", "a.http", "--report", "json=r.json"] + words)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errorOutput.contains("Usage: postkit run FILE"))
    #expect(try bench.json("r.json")["error"]?.string == "usage")
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `other subcommands explain themselves, too`() async throws {
    let bench = try Bench()
    let lines = [
      "", "nope", "history nope", "history show", "history forget", "history --limit 0",
      "history forget --all --host x", "history forget --since yesterday", "env", "check",
      "version x", "doctor x", "demo x", "lsp x",
    ]
    for line in lines {
      let result = try await bench.postkit(line.split(separator: " ").map(String.init))
      #expect(result.status == 2, "\(line)")
      #expect(result.output.isEmpty, "\(line)")
      #expect(!result.errorOutput.isEmpty, "\(line)")
    }
  }

  @Test(
    "bytes that are no UTF-8 are sent, and refused where nothing can hold them",
    arguments: [
      ("GET $URL/\u{1}\n", false), ("GET $URL/\nX: \u{1}\n", false),
      ("# \u{1}\nGET $URL/\n", false), ("POST $URL/\n\n\u{1}", false),
      ("GET http://\u{1}.test/\n", true), ("@m = \u{1}\n{{m}} $URL/", true),
    ])
  func invalidUTF8(_ text: String, _ isRefused: Bool) async throws {
    let bench = try Bench()
    try bench.write("a.http", text)
    let bytes = try bench.directory.read("a.http").utf8.map { $0 == 1 ? 0xFF : $0 }
    try bench.directory.write("a.http", bytes: bytes)
    let result = try await bench.postkit("run", "a.http")
    #expect(result.status == (isRefused ? 3 : 0))
    #expect(result.errorOutput.contains("not UTF-8") == isRefused)
    #expect(bench.server.requests.count == (isRefused ? 0 : 1))
    let check = try await bench.postkit("check", "a.http")
    #expect(check.status == (isRefused ? 3 : 0))
    #expect(check.output.contains("warning: These bytes are not UTF-8 and stay as they are."))
    if text.hasPrefix("POST") { #expect(bench.server.requests.first?.body == [0xFF]) }
  }

  @Test func `what is no request file is refused at once`() async throws {
    let bench = try Bench()
    try FileSystem.makeDirectory(bench.directory.path("folder.http"))
    _ = try await bench.shell("mkfifo pipe.http")
    for path in ["missing.http", "folder.http", "pipe.http", "/dev/zero", "missing/a.http"] {
      for command in ["run", "check", "env"] {
        let result = try await bench.postkit(command, path)
        #expect(result.status == 2)
        #expect(result.errorOutput.contains(path))
      }
    }
  }

  @Test(
    "a body that is no file is refused at its place, by a check, too",
    arguments: ["< ./folder", "<@ ./folder", "< ./pipe", "<@ ./pipe"])
  func noFile(_ line: String) async throws {
    let bench = try Bench(["a.http": "POST $URL/\n\n\(line)\n"])
    try FileSystem.makeDirectory(bench.directory.path("folder"))
    _ = try await bench.shell("mkfifo pipe")
    let column = line.hasPrefix("<@") ? 4 : 3
    for command in ["run", "check"] {
      let result = try await bench.postkit(command, "a.http")
      #expect(result.status == 3)
      let said = result.output + result.errorOutput
      let kind = line.hasSuffix("pipe") ? "named pipe and not a file" : "directory"
      let name = bench.directory.path(line.hasSuffix("pipe") ? "pipe" : "folder")
      #expect(
        said.hasPrefix(
          "a.http:3:\(column): error: File `\(name)` can't be read: it is a \(kind); "))
      #expect(said.contains("[file-not-found]") && !said.contains(".."))
    }
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `hostile request files are answered, not obeyed`() async throws {
    let files: [[UInt8]] = [
      Array(repeating: 0, count: 1_000), Array("GET http://127.0.0.1/\nX: a\0b\n".utf8),
      [0xFF, 0xFE, 0x47, 0x00], Array("GET http://[::1\n".utf8),
      Array("GET http://127.0.0.1:1/".utf8) + Array(repeating: 0x7B, count: 100_000)
        + Array(repeating: 0x7D, count: 100_000),
      Array(repeating: 0x78, count: 10_000_000), Array("###\n".utf8),
      Array(String(repeating: "###\n", count: 20_000).utf8),
      Array((0..<100).map { "@v\($0)={{v\($0 + 1)}}{{v\($0 + 1)}}\n" }.joined().utf8)
        + Array("GET http://127.0.0.1/{{v0}}\n".utf8),
    ]
    let bench = try Bench()
    for (index, bytes) in files.enumerated() {
      try bench.directory.write("a.http", bytes: bytes)
      let result = try await bench.postkit("run", "a.http")
      #expect([2, 3].contains(result.status), "file \(index): \(result.errorOutput.prefix(300))")
      #expect(result.errorOutput.utf8.count < 10_000, "file \(index)")
      let check = try await bench.postkit("check", "a.http", "--json")
      #expect([0, 3].contains(check.status), "file \(index)")
      #expect((try? Bench.json(check.output)) != nil, "file \(index)")
    }
    #expect(bench.server.connectionCount == 0)
  }

  /// Exit code 5 is for commands whose answer comes from the store, and for reports. A run was asked
  /// for responses: it has them, says on standard error that they were not recorded, and is well.
  @Test(
    "a store that can't be opened keeps no request from being sent",
    arguments: ["file", "file/below", "/proc/nowhere"])
  func badStore(_ place: String) async throws {
    let bench = try Bench(["a.http": "GET $URL/\n", "file": "a file"])
    let path = place.hasPrefix("/") ? place : bench.directory.path(place)
    let result = try await bench.postkit("run", "a.http", "--store", path)
    #expect(result.status == 0)
    #expect(result.output == #"{"ok":true}"#)
    let notices = result.errorOutput.split(separator: "\n").filter { $0.contains(path) }
    #expect(notices.count == 1)
    let history = try await bench.postkit("history", "--store", path)
    #expect(history.status == 5)
    #expect(history.errorOutput.contains("--store"))
    #expect(try await bench.postkit("doctor", "--store", path).status == 5)
  }

  @Test func `a damaged history is set aside, and the user is told`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n"])
    try bench.directory.write("store/history.sqlite", String(repeating: "garbage", count: 1_000))
    let result = try await bench.postkit("run", "a.http")
    #expect(result.status == 0)
    #expect(result.output == #"{"ok":true}"#)
    #expect(result.errorOutput.contains("set-aside"))
    #expect(try await bench.history().count == 1)
  }

  @Test func `a report that can't be written makes the exit code 5`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n"])
    for path in ["missing/r.json", "."] {
      let result = try await bench.postkit("run", "a.http", "--report", "json=\(path)")
      #expect(result.status == 5)
      #expect(result.output == #"{"ok":true}"#)
      #expect(result.errorOutput.contains("the report was not written"))
    }
  }

  @Test func `a report may go to a device or a pipe, which stays what it is`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n"])
    let result = try await bench.shell(
      "mkfifo pipe; cat pipe > copy & \"$POSTKIT\" run a.http --report json=pipe"
        + " --report tap=/dev/stderr; wait; test -p pipe")
    #expect(result.status == 0)
    #expect(try bench.json("copy")["error"] != nil)
    #expect(result.errorOutput.contains("TAP version 13"))
  }
}
