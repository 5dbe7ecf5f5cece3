// `postkit history`, and the place of the store.

import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct HistoryTests {
  private static let file = """
    ### one
    # @name one
    GET $URL/one?q=1

    ### two
    POST $URL/two
    Content-Type: text/plain

    needle

    ### three
    # @name three
    GET http://127.0.0.1:1/

    """

  private func filled() async throws -> Bench {
    let bench = try Bench([
      "a.http": HistoryTests.file, "http-client.env.json": #"{"dev": {"a": "b"}}"#,
    ])
    #expect(try await bench.postkit("run", "a.http", "--all", "-e", "dev").status == 4)
    return bench
  }

  private func keys(_ value: JSONValue) -> [String] {
    guard case .object(let members) = value else { return [] }
    return members.map(\.key)
  }

  @Test func `an exchange tells where its response was saved`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n\n>> kept/out.json\n"])
    #expect(try await bench.postkit("run", "a.http").status == 0)
    let id = try #require(try await bench.history().first?["id"]?.string)
    let path = bench.directory.path("kept/out.json")
    let json = try Bench.json(try await bench.postkit("history", "show", id, "--json").output)
    #expect(json["savedTo"]?.elements.map(\.string) == [path])
    let shown = try await bench.postkit("history", "show", id)
    #expect(shown.output.contains("# Saved to \(path)\n"))
    #expect(try bench.directory.read("kept/out.json") == #"{"ok":true}"#)
  }

  @Test func `the list has every member, newest first`() async throws {
    let bench = try await filled()
    let list = try await bench.history()
    #expect(list.map { $0["name"]?.string } == ["three", "two", "one"])
    let members = [
      "id", "time", "file", "name", "environment", "method", "url", "state", "status", "ms", "size",
      "error", "pinned", "label", "note", "origin", "purpose",
    ]
    for entry in list {
      #expect(keys(entry) == members)
      #expect(entry["file"]?.string == bench.directory.path("a.http"))
      #expect(entry["environment"]?.string == "dev")
      let time = try #require(entry["time"]?.string)
      #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
      let id = try #require(entry["id"]?.string)
      #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}/) != nil)
    }
    #expect(list[0]["error"]?.string == "connection")
    #expect(list[0]["status"] == .null)
    #expect(list[1]["method"]?.string == "POST")
    #expect(list[1]["status"]?.int == 200)
    #expect(list[1]["size"]?.int == 11)
    #expect(try await bench.history("--limit", "1").count == 1)
    #expect(try await bench.history("--search", "needle").map { $0["name"]?.string } == ["two"])
    #expect(try await bench.history("--search", #""x*("#).isEmpty)
  }

  @Test func `an exchange is shown by its id and by the beginning of it`() async throws {
    let bench = try await filled()
    let list = try await bench.history()
    let id = try #require(list[1]["id"]?.string)
    let plain = try await bench.postkit("history", "show", id)
    #expect(plain.output.contains("HTTP/1.1 200 OK"))
    for word in [String(id.prefix(30)), id.uppercased()] {
      #expect(try await bench.postkit("history", "show", word).output == plain.output)
    }
    let json = try Bench.json(try await bench.postkit("history", "show", id, "--json").output)
    #expect(json["request"]?["body"]?.string == "needle")
    #expect(json["request"]?["headers"]?.elements.contains(["Content-Type", "text/plain"]) == true)
    #expect(json["response"]?["status"]?.int == 200)
    #expect(json["response"]?["body"]?.string == #"{"ok":true}"#)
    #expect(json["hops"] == [])
    #expect(json["timings"]?["total"] != nil)
    #expect(try await bench.postkit("history", "show", id, "--body").output == #"{"ok":true}"#)
  }

  @Test(arguments: ["0", "", "%", "zzz"])
  func `an id that is unknown or not unique has the exit code 2`(_ id: String) async throws {
    let bench = try await filled()
    let result = try await bench.postkit("history", "show", id)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(!result.errorOutput.isEmpty)
  }

  @Test func `an ambiguous id has the exit code 2`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n"])
    _ = try await bench.postkit("run", "a.http")
    _ = try await bench.postkit("run", "a.http")
    let id = try #require(try await bench.history().first?["id"]?.string)
    let result = try await bench.postkit("history", "show", String(id.prefix(7)))
    #expect(result.status == 2)
    #expect(result.errorOutput.contains(id.prefix(7)))
  }

  @Test func `forgetting takes a host, a time or everything`() async throws {
    let bench = try await filled()
    #expect(try await bench.postkit("history", "forget", "--host", "nowhere").status == 0)
    #expect(try await bench.postkit("history", "forget", "--since", "9999-01-01").status == 0)
    #expect(try await bench.history().count == 3)
    #expect(try await bench.postkit("history", "forget", "--since", "1h").status == 0)
    #expect(try await bench.history().isEmpty)
    _ = try await bench.postkit("run", "a.http", "--all")
    #expect(try await bench.postkit("history", "forget", "--host", "127.0.0.1").status == 0)
    #expect(try await bench.history().isEmpty)
    _ = try await bench.postkit("run", "a.http", "--name", "one")
    #expect(try await bench.postkit("history", "forget", "--all").status == 0)
    #expect(try await bench.history().isEmpty)
  }

  @Test func `nothing is recorded without a wish for it`() async throws {
    let bench = try Bench([
      "a.http": "GET $URL/\n", "b.http": "# @no-log\nGET $URL/\n",
      "off/postkit.json": #"{"history.enabled": false}"#, "off/c.http": "GET $URL/\n",
    ])
    for words in [["a.http", "--no-history"], ["b.http"], ["off/c.http"]] {
      #expect(try await bench.postkit(["run"] + words).status == 0)
    }
    #expect(bench.server.requests.count == 3)
    #expect(try await bench.history().isEmpty)
  }

  @Test func `the store is where it was asked for, and nobody else can read it`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n"])
    let home = bench.directory
    _ = try await bench.postkit("run", "a.http", "--store", "here")
    _ = try await bench.postkit(
      ["run", "a.http"],
      environment: ["POSTKIT_HOME": nil, "XDG_DATA_HOME": home.path("data")])
    _ = try await bench.postkit(["run", "a.http"], environment: ["POSTKIT_HOME": nil])
    _ = try await bench.postkit("run", "a.http")
    let places = ["here", "data/postkit", ".local/share/postkit", "store"]
    for place in places {
      #expect(try FileSystem.list(home.path(place)).contains("history.sqlite"), "\(place)")
    }
    let modes = try await bench.shell(
      "umask 0; find here data/postkit store -type f ! -perm 600 -o -type d ! -perm 700")
    #expect(modes.output.isEmpty)
  }

  @Test func `settings of the user and of the project are used`() async throws {
    let bench = try Bench([
      "a.http": "GET $URL/{{host}}\n",
      "http-client.env.json": #"{"dev": {"host": "d"}, "p": {"host": "p"}}"#,
      "store/config.json": #"{"environment": "dev", "timeout": 5000}"#,
    ])
    #expect(try await bench.postkit("run", "a.http").status == 0)
    try bench.write("postkit.json", "// the project\n{\"environment\": \"p\"}")
    #expect(try await bench.postkit("run", "a.http").status == 0)
    #expect(try await bench.postkit("run", "a.http", "-e", "dev").status == 0)
    #expect(bench.server.requests.map(\.target) == ["/d", "/p", "/d"])
    #expect(try await bench.postkit("check", "a.http").status == 0)
    try bench.write("postkit.json", "{broken")
    let broken = try await bench.postkit("run", "a.http")
    #expect(broken.errorOutput.contains("postkit.json is ignored"))
  }

  @Test(
    "a moment that can't be read is refused",
    arguments: [
      "", "T", "d", "5", "yesterday", "-5h", "9223372036854775807d", "1e400h", "--5-1-1",
      "2026-13-01", "2026-02-30", "2026-01-31T", "2026-01-31TZ", "2026-01-31T+01:00",
      "2026-01-31T25:00", "2026-01-31T10:00:00.Z", "2026-01-31T10:00:00.1e400Z",
    ])
  func badMoment(_ text: String) async throws {
    let bench = try Bench()
    let result = try await bench.postkit("history", "forget", "--since=\(text)")
    #expect(result.status == 2)
    #expect(result.errorOutput.contains("`--since \(text)`: write a date"))
  }

  @Test(
    "a moment as people write it",
    arguments: ["3d", "36500d", "2h", "2020-01-31", "2020-01-31T10:00", "2020-01-31T10:00:00.5Z"])
  func moment(_ text: String) async throws {
    let bench = try Bench(["a.http": "GET $URL/\n"])
    _ = try await bench.postkit("run", "a.http")
    let result = try await bench.postkit("history", "forget", "--since", text)
    #expect(result.output == "Forgot 1 exchange.\n")
  }

  @Test func `each id in the list shows one exchange, also of requests in one moment`() async throws
  {
    let bench = try Bench(["a.http": String(repeating: "GET $URL/\n###\n", count: 30)])
    #expect(try await bench.postkit("run", "a.http", "--all").status == 0)
    let lines = try await bench.postkit("history").output.split(separator: "\n")
    #expect(lines.count == 30)
    for line in lines {
      let id = String(line.prefix { $0 != " " })
      let show = try await bench.postkit("history", "show", id, "--json")
      #expect(try Bench.json(show.output)["id"]?.string?.hasPrefix(id) == true)
    }
  }

  @Test func `an exchange has one line in the list, whatever it is called`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n"])
    _ = try await bench.postkit("run", "a.http")
    let id = String(try await bench.postkit("history").output.prefix { $0 != " " })
    #expect(try await bench.postkit("history", "label", "two\nlines", id).status == 0)
    let list = try await bench.postkit("history").output
    #expect(list.split(separator: "\n").count == 1 && list.contains("two\\x0Alines"))
  }

  @Test func `the list does not show a broken response as a success`() async throws {
    let bench = try Bench(["a.http": "GET $URL/\n"]) { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart"), .close]
    }
    #expect(try await bench.postkit("run", "a.http").status == 4)
    let list = try await bench.postkit("history").output
    #expect(list.contains("  protocol  "))
    #expect(!list.contains("  200  "))
  }

  @Test(
    "options of another form are refused",
    arguments: [
      "--all", "--body", "--until soon", "--status often", "show x --host x", "pin x --pinned",
      "forget x --all", "forget x --host h", "forget --sort ms", "pin --all", "pin", "label x",
      "show x --limit 1", "show x --all", "show x --json --body", "forget --all --json",
      "forget --all --limit 1",
    ])
  func foreignOption(_ line: String) async throws {
    let bench = try Bench()
    let words = ["history"] + line.split(separator: " ").map(String.init)
    let result = try await bench.postkit(words)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errorOutput.contains("Usage: postkit history"))
  }

  @Test func `each statement is logged with its time and its plan where that is asked for`()
    async throws
  {
    let bench = try await filled()
    let traced = try await bench.postkit("history", environment: ["POSTKIT_SQL_TRACE": "1"])
    let lines = traced.errorOutput.split(separator: "\n")
    let statement = /sql [0-9]+ us: SELECT .* FROM exchange .*/
    #expect(lines.contains { $0.wholeMatch(of: statement) != nil })
    #expect(lines.contains { $0.hasPrefix("sql plan: ") && $0.contains("exchange_by_time") })
    let silent = try await bench.postkit("history")
    #expect(traced.output == silent.output && !silent.errorOutput.contains("sql "))
  }

  @Test func `who asks for a damaged history is told where it was kept`() async throws {
    let bench = try Bench()
    try bench.directory.write("store/history.sqlite", String(repeating: "garbage", count: 1_000))
    let list = try await bench.postkit("history", "--json")
    #expect(list.status == 0)
    #expect(list.output == "[]\n")
    #expect(list.errorOutput.contains("history.sqlite.set-aside-"))
    let doctor = try await bench.postkit("doctor")
    #expect(doctor.output.contains("history.sqlite.set-aside-"))
    #expect(doctor.output.contains("fix: Look into the copy"))
  }
}
