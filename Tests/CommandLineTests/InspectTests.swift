// The subcommands that look: check, doctor, version, demo, help.

import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct InspectTests {
  @Test func `check reports places that editors understand`() async throws {
    let bench = try Bench([
      "a.http": "### one\nGET $URL/{{nope}}\n", "b.http": "# @name b\nPOST $URL/b\n",
    ])
    let plain = try await bench.postkit("check", "a.http", "b.http")
    #expect(plain.status == 3)
    let line = try #require(plain.output.split(separator: "\n").first)
    #expect(line.wholeMatch(of: /a\.http:2:\d+: error: .+ \[.*unresolved.*\]/) != nil)
    #expect(!plain.output.contains("b.http"))
    let json = try await bench.postkit("check", "a.http", "b.http", "--json")
    let files = try json.output.split(separator: "\n").map { try Bench.json(String($0)) }
    #expect(files.map { $0["file"]?.string } == ["a.http", "b.http"])
    let request = try #require(files[1]["requests"]?.elements.first)
    #expect(request["line"]?.int == 2)
    #expect(request["name"]?.string == "b")
    #expect(request["method"]?.string == "POST")
    let diagnostic = try #require(files[0]["diagnostics"]?.elements.first)
    #expect(diagnostic["severity"]?.int == 1)
    #expect(diagnostic["range"]?["start"]?["line"]?.int == 1)
    #expect(files[1]["diagnostics"] == [])
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `types writes what editors read of scripts, and says how they find it`() async throws {
    let bench = try Bench(["other/a.js": ""])
    let result = try await bench.postkit("types", "other")
    #expect(result.status == 0)
    let path = bench.directory.path("other/postkit.d.ts")
    #expect(
      result.output.split(separator: "\n").map(String.init)
        == [path, #"{"include": ["**/*.js", "postkit.d.ts"]}"#])
    let text = try bench.directory.read("other/postkit.d.ts")
    #expect(text.contains("const client: {") && text.contains("interface PostmanCookieJar {"))
    #expect(try await bench.postkit("types", "nowhere").status == 2)
    #expect(try await bench.postkit("types", "a", "b").status == 2)
  }

  @Test func `check says that a request is sent first whose response is read`() async throws {
    let bench = try Bench([
      "a.http": "### login\nGET $URL/login\n\n### use\nGET $URL/{{login.response.status}}\n"
    ])
    let check = try await bench.postkit("check", "a.http")
    #expect(check.status == 0)
    expect(
      check.output,
      is: """
        a.http:5:\(bench.server.url("/").utf8.count + 5): hint: This reads the response of \
        `login`, so `postkit run` sends `login` first. [request-not-run]

        """)
    #expect(try await bench.postkit("run", "a.http", "--name", "use").status == 0)
    #expect(bench.server.requests.map(\.target) == ["/login", "/200"])
    // Where no request is sent by itself, nothing else is promised.
    try bench.write("postkit.json", #"{"dialect": "jetbrains"}"#)
    let other = try await bench.postkit("check", "a.http")
    #expect(other.output.contains("Send `login` before it in the same run"))
    #expect(try await bench.postkit("run", "a.http", "--name", "use").status == 3)
    #expect(try await bench.postkit("run", "a.http", "--all").status == 0)
  }

  @Test func `the variables of the file itself are named beside its environments`() async throws {
    let bench = try Bench([
      "a.http": "@base = x\n@pass = hush-hush\nGET $URL/{{base}}{{who}}\n",
      "http-client.env.json": #"{"dev": {"who": "ada"}}"#, "b.http": "GET $URL/\n",
    ])
    let plain = try await bench.postkit("env", "a.http", "-e", "dev")
    #expect(
      plain.output.hasSuffix(
        "\na.http itself, above every environment: base (line 1), pass (line 2)\n"))
    #expect(!plain.output.contains("hush-hush"))
    try bench.write("c.http", "# @dialect kulala\n@base = x\nGET $URL/{{base}}\n")
    let other = try await bench.postkit("env", "c.http")
    #expect(other.output.contains("itself, below every environment: base"))
    #expect(try await !bench.postkit("env", "b.http").output.contains("itself"))
    // The JSON is of environments alone.
    let listed = try await bench.postkit("env", "a.http", "-e", "dev", "--json")
    let json = try Bench.json(listed.output)
    #expect(json.elements.first?["variables"]?.elements.map { $0["name"]?.string } == ["who"])
  }

  @Test func `a value of another environment is named with the option that chooses it`()
    async throws
  {
    let bench = try Bench([
      "a.http": "### a\nGET $URL/{{who}}\n",
      "http-client.env.json": #"{"dev": {"who": "ada"}}"#,
    ])
    let advice =
      "`who` is defined in `dev`, but no environment is selected. Choose it with `-e dev`, or add "
      + "`@who = …`."
    #expect(try await bench.postkit("check", "a.http").output.contains(advice))
    let run = try await bench.postkit("run", "a.http")
    #expect(run.status == 3)
    #expect(run.errorOutput.contains(advice))
    #expect(try await bench.postkit("run", "a.http", "-e", "dev").status == 0)
    // One of a collection, too.
    for words in [
      ["collections", "save", "a.http", "--to", "Shop"],
      ["collections", "set", "who=bob", "--env", "live", "--collection", "Shop"],
    ] { #expect(try await bench.postkit(words).status == 0) }
    let sent = try await bench.postkit("collections", "send", "Shop/a")
    #expect(sent.status != 0)
    #expect(sent.errorOutput.contains("`live`"))
  }

  @Test func `the project's dialect decides what the lines of a file are`() async throws {
    let bench = try Bench([
      "a.http": "import b.http\n###\nPOST $URL/\n\nGET $URL/a\n",
      "b.http": "### one\nPOST $URL/\n\nGET $URL/b\n",
    ])
    func requests() async throws -> Int? {
      let check = try await bench.postkit("check", "a.http", "--json")
      return try Bench.json(check.output)["requests"]?.elements.count
    }
    #expect(try await requests() == 2)
    try bench.write("postkit.json", #"{"dialect": "jetbrains"}"#)
    #expect(try await requests() == 1)
    _ = try await bench.postkit("run", "a.http")
    #expect(bench.server.requests.map(\.body) == [Array("GET \(bench.server.url("/a"))".utf8)])
  }

  @Test func `check finds circles of requests over files, and environments that are not there`()
    async throws
  {
    let bench = try Bench([
      "a.http": "### a\n# @ref b\nGET $URL/a\n\n###\nimport ./b.http\n",
      "b.http": "### b\nrun ./a.http\nGET $URL/b\n", "c.http": "GET $URL/c\n",
    ])
    let circle = try await bench.postkit("check", "a.http")
    #expect(circle.status == 3)
    #expect(
      circle.output == """
        a.http:2:1: error: These requests need each other: a needs b needs a. Remove one of the \
        references. [request-cycle]

        """)
    let sent = try await bench.postkit("run", "a.http", "--name", "a")
    #expect(sent.errorOutput.contains("need each other: a needs b needs a."))
    let environment = try await bench.postkit("check", "c.http", "--env", "live")
    #expect(environment.status == 3)
    #expect(environment.output.hasPrefix("c.http:1:1: error: Environment `live` is not defined."))
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `mistakes in postkit.json are told by every command, once and with their place`()
    async throws
  {
    let bench = try Bench([
      "a.http": "GET $URL/\n", "b.http": "GET $URL/\n",
      "postkit.json": "{\n  \"timeout\": \"5 s\"\n}",
    ])
    for words in [
      ["run", "a.http"], ["check", "a.http", "b.http"], ["format", "--check", "a.http"],
      ["env", "a.http"],
    ] {
      let result = try await bench.postkit(words)
      #expect(result.status == 0)
      let told = result.errorOutput.split(separator: "\n").filter { $0.contains("postkit.json") }
      #expect(told.count == 1)
      #expect(
        told.first?.hasSuffix(
          "/postkit.json:2:3: `timeout` can't be `\"5 s\"` and has no effect. Write a number of "
            + "milliseconds, such as `30000`.") == true)
    }
  }

  @Test func `doctor finds nothing wrong with a sound installation`() async throws {
    let bench = try Bench()
    let plain = try await bench.postkit("doctor")
    #expect(plain.status == 0)
    for word in ["libcurl", "SQLite", bench.store, "Vim", "Neovim", "VS Code"] {
      #expect(plain.output.contains(word))
    }
    let json = try Bench.json(try await bench.postkit("doctor", "--json").output)
    let severities = json.elements.map { $0["severity"]?.string }
    #expect(!severities.contains("problem"))
    let scripts = json.elements.first { $0["subject"]?.string == "scripts" }
    #expect(scripts?["text"]?.string?.contains("JavaScriptCore") == true)
  }

  @Test func `doctor says how to install what scripts need, where it is missing`() async throws {
    let bench = try Bench()
    let result = try await bench.postkit(
      "doctor", environment: ["POSTKIT_JAVASCRIPT_LIBRARY": "libnothing.so.0"])
    #expect(result.status == 0)
    #expect(result.output.contains("scripts and expressions don't run"))
    #expect(result.output.contains("apt install libjavascriptcoregtk-4.1-0"))
  }

  @Test func `the version is one line`() async throws {
    let bench = try Bench()
    let version = try await bench.postkit("version")
    #expect(version.output == "postkit \(Version.number)\n")
    #expect(try await bench.postkit("--version").output == version.output)
    #expect(try await bench.postkit("version", "--store", "x").output == version.output)
  }

  @Test func `help names every subcommand and option`() async throws {
    let bench = try Bench()
    let overview = try await bench.postkit("help").output
    let commands = [
      "lsp", "run", "history", "collections", "cookies", "session", "export", "import", "env",
      "check", "format", "demo", "doctor", "version",
    ]
    for command in commands {
      #expect(overview.contains("  \(command) "))
      let help = try await bench.postkit("help", command).output
      #expect(help.contains("Usage: postkit \(command)"))
      #expect(help.contains("--store"))
      #expect(try await bench.postkit(command, "--help").output == help)
      #expect(try await bench.postkit(command, "-h").output == help)
    }
  }

  @Test func `the demo needs no network and leaves a history and a file`() async throws {
    let bench = try Bench()
    let demo = try await bench.postkit("demo")
    #expect(demo.status == 0)
    #expect(demo.output.contains("200 OK"))
    #expect(demo.output.contains("postkit history"))
    let history = try await bench.history()
    #expect(history.count == 3)
    #expect(history.allSatisfy { $0["status"]?.int == 200 })
    let path = try #require(history[0]["file"]?.string)
    let again = try await bench.postkit("run", path, "--name", "users")
    #expect(again.status == 0)
    #expect(again.output.contains("Ada Lovelace"))
  }

  @Test func `the demo leaves a collection with an environment, and all of it can be removed`()
    async throws
  {
    let bench = try Bench(["a.http": "# @name mine\nGET $URL/\n"])
    #expect(try await bench.postkit("run", "a.http").status == 0)
    #expect(try await bench.postkit("demo").status == 0)
    #expect(try await bench.postkit("demo").status == 0)
    let tree = try await bench.postkit("collections").output
    #expect(tree.contains("postkit-demo") && tree.split(separator: "\n").count == 4, "\(tree)")
    let sent = try await bench.postkit("collections", "send", "postkit-demo/accounts/login")
    #expect(sent.status == 0 && sent.output.contains("token"), "\(sent.errorOutput)")
    let found = try await bench.postkit("collections", "find", "--tag", "demo")
    #expect(found.output.split(separator: "\n").count == 2)
    #expect(try await bench.history().count == 8)
    let removed = try await bench.postkit("demo", "--remove")
    #expect(removed.status == 0 && removed.output.contains("Forgot 6 exchanges."))
    #expect(try await bench.history().map { $0["name"]?.string } == ["login", "mine"])
    #expect(try await !bench.postkit("collections").output.contains("postkit-demo"))
    #expect(!FileSystem.exists(bench.directory.path("store/demo.http")))
    let again = try await bench.postkit("demo", "--remove")
    #expect(again.output == "No demo has left anything here.\n")
  }

  @Test func `what somebody has changed outlives the demo`() async throws {
    let bench = try Bench(["a.http": "# @name mine\nGET $URL/\n"])
    #expect(try await bench.postkit("demo").status == 0)
    let save = ["collections", "save", "a.http", "--to", "postkit-demo"]
    #expect(try await bench.postkit(save).status == 0)
    try bench.directory.write("store/demo.http", "GET http://mine/\n")
    let removed = try await bench.postkit("demo", "--remove")
    #expect(removed.status == 0 && removed.output == "Forgot 3 exchanges.\n")
    #expect(removed.errorOutput.contains("`postkit-demo` was changed, so it stays."))
    #expect(removed.errorOutput.contains("demo.http was changed, so it stays."))
    #expect(try await bench.postkit("collections").output.contains("mine"))
    #expect(try bench.directory.read("store/demo.http") == "GET http://mine/\n")
  }

  @Test func `the next steps of a demo find what it has sent`() async throws {
    let bench = try Bench()
    let demo = try await bench.postkit("demo", "--store", "here")
    let step = try #require(demo.output.split(separator: "\n").first { $0.contains("history") })
    let words = step.prefix(upTo: try #require(step.firstRange(of: "  list")).lowerBound)
      .split(separator: " ").map(String.init)
    #expect(words.first == "postkit")
    #expect(try await bench.postkit(words.dropFirst() + ["--json"]).output.contains("/login"))
    let file = try bench.directory.write("file", "a file")
    let refused = try await bench.postkit("demo", "--store", file)
    #expect(refused.status == 5)
    #expect(refused.errorOutput.contains("--store DIR"))
  }
}
