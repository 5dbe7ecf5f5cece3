// `postkit run` by its contract: what goes to which stream, and which requests are sent.

import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct RunTests {
  private static let three = """
    ### one
    # @name one
    GET $URL/one

    ### two
    POST $URL/two
    X-Header: y

    {"x": 1}

    ### three
    # @name three
    GET $URL/three

    """

  @Test func `standard output has the bytes of the body and nothing else`() async throws {
    let body = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) } + Array("\r\n\0".utf8)
    let bench = try Bench(["a.http": "GET $URL/\n"]) { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n"), .bytes(body)]
    }
    let result = try await bench.postkit("run", "a.http")
    #expect(result.status == 0)
    #expect(result.standardOutput == body)
    #expect(result.errorOutput.contains("200 OK"))
    let id = try #require(try await bench.history().first?["id"]?.string)
    #expect(try await bench.postkit("history", "show", id, "--body").standardOutput == body)
  }

  @Test func `a body that is spooled to disk comes out whole`() async throws {
    let piece = (0..<3_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let bench = try Bench(["a.http": "GET $URL/\n"]) { _ in
      [
        .text("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n"),
        .repeated(piece, count: 1_000),
      ]
    }
    let body = Array(repeatElement(piece, count: 1_000).joined())
    let result = try await bench.postkit("run", "a.http")
    #expect(result.standardOutput == body)
    let id = try #require(try await bench.history().first?["id"]?.string)
    #expect(try await bench.postkit("history", "show", id, "--body").standardOutput == body)
  }

  @Test func `a body that is cut off says so, on both ways to print it`() async throws {
    let bench = try Bench([
      "a.http": "GET $URL/\n", "store/config.json": #"{"history": {"maxBodyBytes": 1000}}"#,
    ]) { _ in
      [
        .text("HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n"),
        .repeated(Array("abc".utf8), count: 1_000),
      ]
    }
    let run = try await bench.postkit("run", "a.http")
    let id = try #require(try await bench.history().first?["id"]?.string)
    for result in [run, try await bench.postkit("history", "show", id, "--body")] {
      #expect(result.status == 0)
      #expect(result.output == String(String(repeating: "abc", count: 334).dropLast(2)))
      let remark = "only the first 1000 of 3000 bytes"
      #expect(result.errorOutput.components(separatedBy: remark).count == 2)
    }
  }

  @Test func `a coded body is decoded`() async throws {
    // `printf '{"a":\r\n"b"}' | gzip -n`
    let coded: [UInt8] = [
      31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 171, 86, 74, 84, 178, 226, 229, 82, 74, 82, 170, 5, 0, 67,
      133, 52, 63, 11, 0, 0, 0,
    ]
    let bench = try Bench(["a.http": "GET $URL/\n"]) { _ in
      let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)"
      return [.text(head + "\r\n\r\n"), .bytes(coded)]
    }
    let result = try await bench.postkit("run", "a.http")
    #expect(result.output == "{\"a\":\r\n\"b\"}")
  }

  @Test(
    "one request is chosen by name or line, all by --all",
    arguments: [
      (["--name", "three"], ["/three"]),
      (["--name", "two"], ["/two"]),
      (["--line", "1"], ["/one"]),
      (["--line", "5"], ["/two"]),
      (["--line", "7"], ["/two"]),
      (["--line", "9"], ["/two"]),
      (["--line", "1", "--name", "three"], ["/three"]),
      (["--all"], ["/one", "/two", "/three"]),
    ])
  func selection(_ words: [String], _ sent: [String]) async throws {
    let bench = try Bench(["a.http": RunTests.three])
    let result = try await bench.postkit(["run", "a.http"] + words)
    #expect(result.status == 0)
    #expect(bench.server.requests.map(\.target) == sent)
    #expect(result.output == String(repeating: #"{"ok":true}"#, count: sent.count))
  }

  @Test func `without a choice the requests are listed and nothing is sent`() async throws {
    let bench = try Bench(["a.http": RunTests.three])
    let result = try await bench.postkit("run", "a.http", "--report", "json=r.json")
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    for text in ["--line 3  one", "--line 6  two", "--line 13  three", "--name", "--all"] {
      #expect(result.errorOutput.contains(text))
    }
    #expect(bench.server.connectionCount == 0)
    #expect(try bench.json("r.json")["error"]?.string == "usage")
  }

  @Test(
    "a request that is not there",
    arguments: [["--name", "four"], ["--line", "99"]])
  func missing(_ words: [String]) async throws {
    let bench = try Bench(["a.http": RunTests.three])
    let result = try await bench.postkit(["run", "a.http", "--report", "json=r.json"] + words)
    #expect(result.status == 2)
    #expect(try bench.json("r.json")["error"]?.string == "request-not-found")
  }

  @Test func `variables, inputs and environments by their long and short names`() async throws {
    let file = """
      @where = file
      # @prompt pin
      GET $URL/{{where}}/{{host}}/{{pin}}

      """
    let environments = #"{"dev": {"host": "d"}, "prod": {"host": "p"}}"#
    let bench = try Bench(["a.http": file, "http-client.env.json": environments])
    _ = try await bench.postkit("run", "a.http", "--env", "dev", "--input", "pin=1")
    _ = try await bench.postkit(
      "run", "a.http", "-e", "prod", "--input=pin=a=b", "-V", "where=over")
    _ = try await bench.postkit(
      "run", "a.http", "-e", "prod", "--var", "where=x", "--var", "host=y", "--input", "pin=")
    #expect(
      bench.server.requests.map(\.target) == ["/file/d/1", "/over/p/a=b", "/x/y/"])
    let unknown = try await bench.postkit("run", "a.http", "-e", "test", "--input", "pin=1")
    #expect(unknown.status == 2)
    #expect(unknown.errorOutput.contains("dev"))
    let unanswered = try await bench.postkit("run", "a.http", "-e", "dev")
    #expect(unanswered.status == 2)
    #expect(unanswered.errorOutput.contains("--input pin="))
    #expect(bench.server.requests.count == 3)
  }

  @Test(
    "the dialect comes from the command line, the file, the project, then the user",
    arguments: [
      (["--dialect", "kulala"], "", "", true), ([], "# @dialect kulala\n", "", true),
      ([], "", #"{"dialect": "kulala"}"#, true), ([], "", "", false),
      (["--dialect", "auto"], "# @dialect kulala\n", "", false),
      ([], "# @dialect auto\n", #"{"dialect": "kulala"}"#, false),
    ])
  func dialect(
    _ words: [String], _ pragma: String, _ settings: String, _ readsProcess: Bool
  ) async throws {
    let bench = try Bench(["a.http": pragma + "GET $URL/{{POSTKIT_TEST_WORD}}\n"])
    if !settings.isEmpty { try bench.write("postkit.json", settings) }
    let result = try await bench.postkit(
      ["run", "a.http"] + words, environment: ["POSTKIT_TEST_WORD": "word"])
    #expect(result.status == (readsProcess ? 0 : 3))
    #expect(bench.server.requests.map(\.target) == (readsProcess ? ["/word"] : []))
  }

  @Test func `a run goes on after a failure unless it is told to stop`() async throws {
    let file = "### a\nGET http://127.0.0.1:1/\n\n### b\nGET $URL/b\n"
    let bench = try Bench(["a.http": file])
    #expect(try await bench.postkit("run", "a.http", "--all").status == 4)
    #expect(bench.server.requests.map(\.target) == ["/b"])
    for word in ["--bail", "--fail-fast"] {
      #expect(try await bench.postkit("run", "a.http", "--all", word).status == 4)
    }
    #expect(bench.server.requests.count == 1)
  }

  @Test func `an unresolved reference in a body warns, with --strict it refuses`() async throws {
    let bench = try Bench(["a.http": "POST $URL/\n\n{{nope}}"])
    let sent = try await bench.postkit("run", "a.http")
    #expect(sent.status == 0)
    #expect(sent.errorOutput.contains("a.http:3:1: warning: "))
    #expect(bench.server.requests.map(\.body) == [Array("{{nope}}".utf8)])
    let refused = try await bench.postkit("run", "a.http", "--strict")
    #expect(refused.status == 3)
    #expect(refused.errorOutput.contains("[unresolved-variable]"))
    #expect(bench.server.requests.count == 1)
  }

  @Test func `of many like problems of a request the first are told, and how many more there are`()
    async throws
  {
    let names = (1...60).map { "{{n\($0)}}" }.joined(separator: "\n")
    let bench = try Bench(["a.http": "POST $URL/\n\n\(names)\n{{n1}}\n\n### b\nGET $URL/{{b}}"])
    for (words, count) in [([], 11), (["--strict"], 11)] {
      let run = try await bench.postkit(["run", "a.http", "--line", "1"] + words)
      let lines = run.errorOutput.split(separator: "\n").filter { $0.contains("[unresolved-") }
      #expect(lines.count == 51)
      #expect(lines.first?.hasPrefix("a.http:3:1: ") == true)
      let kind = words.isEmpty ? "warning" : "error"
      #expect(
        lines.last == """
          a.http: \(kind): \(count) more like these are not listed; \
          `postkit check a.http` lists the first 1000 [unresolved-variable]
          """)
    }
    // Another request is told of anew.
    let other = try await bench.postkit("run", "a.http", "--all")
    #expect(other.errorOutput.contains("a.http:66:"))
  }

  @Test func `a title with hashes is no directive of a TAP report`() async throws {
    let bench = try Bench(["a.http": "### # SKIP it #\nGET $URL/\n"])
    _ = try await bench.postkit("run", "a.http", "--report", "tap=r.tap")
    #expect(try bench.directory.read("r.tap").contains("ok 1 - ＃ SKIP it ＃\n"))
  }

  @Test func `--tag chooses by the words of tags`() async throws {
    let bench = try Bench([
      "a.http": """
      ### a
      # @tag smoke, fast
      GET $URL/a

      ### b
      # @tag slow smoke
      GET $URL/b

      ### c
      GET $URL/c

      """
    ])
    #expect(try await bench.postkit("run", "a.http", "--tag", "smoke").status == 0)
    #expect(bench.server.requests.map(\.target) == ["/a", "/b"])
    #expect(try await bench.postkit("run", "a.http", "--tag", "fast", "--tag", "slow").status == 0)
    #expect(bench.server.requests.count == 4)
    let none = try await bench.postkit("run", "a.http", "--name", "c", "--tag", "fast")
    #expect(none.status == 2)
    #expect(none.errorOutput.contains("Tags are: fast, slow, smoke."))
    #expect(bench.server.requests.count == 4)
  }

  @Test func `--tag chooses blocks that only have run lines, too`() async throws {
    let bench = try Bench([
      "a.http": "### a\nGET $URL/a\n\n### both\n# @tag smoke\nrun #a\nrun ./b.http\n",
      "b.http": "### b\n# @tag other\nGET $URL/b\n",
    ])
    #expect(try await bench.postkit("run", "a.http", "--tag", "smoke").status == 0)
    #expect(bench.server.requests.map(\.target) == ["/a", "/b"])
    let named = try await bench.postkit("run", "a.http", "--name", "both", "--tag", "smoke")
    #expect(named.status == 0)
    let none = try await bench.postkit("run", "a.http", "--tag", "other")
    #expect(none.status == 2)
    #expect(none.errorOutput.contains("Tags are: smoke."))
  }

  @Test func `--repeat and --parallel send more, and refuse what is no number`() async throws {
    let bench = try Bench(["a.http": "### a\nGET $URL/a\n\n### b\nGET $URL/b\n"])
    let words = ["run", "a.http", "--all", "--repeat", "3", "--parallel", "4"]
    let result = try await bench.postkit(words + ["--report", "json=r.json"])
    #expect(result.status == 0)
    #expect(bench.server.requests.map(\.target).sorted() == ["/a", "/a", "/a", "/b", "/b", "/b"])
    let report = try bench.directory.read("r.json")
    #expect(report.split(separator: "\n").filter { $0.contains("\"name\"") }.count == 6)
    for word in ["--repeat", "--parallel"] {
      #expect(try await bench.postkit("run", "a.http", word, "0").status == 2)
      #expect(try await bench.postkit("run", "a.http", word, "many").status == 2)
    }
  }

  @Test func `--seed repeats the values of dynamic variables`() async throws {
    let bench = try Bench(["a.http": "GET $URL/{{$uuid}}\n"])
    for seed in ["1", "1", "2"] {
      #expect(try await bench.postkit("run", "a.http", "--seed", seed).status == 0)
    }
    let targets = bench.server.requests.map(\.target)
    #expect(targets[0] == targets[1] && targets[0] != targets[2])
    #expect(try await bench.postkit("run", "a.http", "--seed", "x").status == 2)
  }

  @Test func `assertions are told, reported and decide the exit code`() async throws {
    let file = "### a\nGET $URL/a\n\n?? status == 200\n?? status == \"<5>\"\n"
    let bench = try Bench(["a.http": file])
    let result = try await bench.postkit(
      "run", "a.http", "--report", "junit=r.xml", "--report", "tap=r.tap", "--report",
      "json=r.json")
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("✓ status == 200\n✗ status == \"<5>\"\n  The value is `200`.\n"))
    #expect(
      try bench.directory.read("r.tap") == """
        TAP version 13
        1..3
        ok 1 - a
        ok 2 - a: status == 200
        not ok 3 - a: status == "<5>"
          ---
          message: "The value is `200`."
          ...

        """)
    let junit = try bench.directory.read("r.xml")
    #expect(junit.contains("tests=\"3\" failures=\"1\" errors=\"0\""))
    #expect(
      junit.contains(
        """
        name="a: status == &quot;&lt;5&gt;&quot;" classname="a.http" time="0.000">
              <failure message="The value is `200`." type="assertion"/>
        """))
    #expect(try bench.directory.read("r.json").contains("\"error\": null"))
  }
}
