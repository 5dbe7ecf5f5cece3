// `postkit copy`.

import PostKitJSON
import Testing

@Suite struct CopyCommandTests {
  private static let files = [
    "a.http": """
      @host = http://h.example

      ### one
      # @name one
      GET {{host}}/one
      Authorization: Bearer {{apiToken}}

      ### two
      GET {{host}}/two/{{nothing}}

      """,
    "http-client.env.json": #"{"dev": {}}"#,
    "http-client.private.env.json": #"{"dev": {"apiToken": "s3cret-value"}}"#,
  ]

  @Test(arguments: [
    ["a.http#one"], ["a.http:4"], ["a.http", "--name", "one"], ["a.http", "--line", "5"],
  ])
  func `a request is chosen as it is for a run`(_ words: [String]) async throws {
    let bench = try Bench(Self.files)
    let call = ["copy"] + words + ["--as", "python", "--env", "dev"]
    let hidden = try await bench.postkit(call)
    #expect(hidden.status == 0 && hidden.errorOutput.isEmpty, "\(hidden.errorOutput)")
    #expect(hidden.output.contains("os.environ[\"API_TOKEN\"]"), "\(hidden.output)")
    #expect(!hidden.output.contains("s3cret-value"))
    let revealed = try await bench.postkit(call + ["--reveal"])
    #expect(revealed.output.contains("s3cret-value") && !revealed.output.contains("os.environ"))
  }

  @Test func `curl has values, and JSON says what was copied`() async throws {
    let bench = try Bench(Self.files)
    let curl = try await bench.postkit(
      "copy", "a.http#one", "--as", "curl", "--var", "apiToken=other-value")
    #expect(curl.output.hasPrefix("curl ") && curl.output.contains("Bearer other-value"))
    let result = try await bench.postkit(
      "copy", "a.http#one", "--as", "go", "--env", "dev", "--json")
    let json = try Bench.json(result.output)
    #expect(json["name"] == "one" && json["line"] == 5 && json["as"] == "go")
    #expect(json["text"]?.string?.hasPrefix("// The secrets are read") == true)
  }

  @Test func `a word stands for a token that is got when a request is sent`() async throws {
    let bench = try Bench([
      "c.http": """
        GET http://h.example/
        X-Token: {{$auth.token("my shop")}}

        """,
      "http-client.env.json": """
        {"dev": {"Security": {"Auth": {"my shop": {"Type": "Mock", "Token": "t0ken"}}}}}
        """,
    ])
    let curl = try await bench.postkit("copy", "c.http", "--as", "curl", "--env", "dev")
    #expect(curl.output.contains("X-Token: TOKEN_MY_SHOP"), "\(curl.output)")
    #expect(curl.errorOutput.contains("`TOKEN_MY_SHOP` stands for the token of `my shop`"))
    let code = try await bench.postkit("copy", "c.http", "--as", "python", "--env", "dev")
    #expect(code.output.contains("os.environ[\"TOKEN_MY_SHOP\"]"), "\(code.output)")
    let given = try await bench.postkit(
      "copy", "c.http", "--as", "curl", "--env", "dev", "--var", "auth.my shop=given")
    #expect(given.output.contains("X-Token: given") && given.errorOutput.isEmpty)
  }

  private static let asking = [
    "b.http": """
      ### asks
      # @prompt pin
      # @secret pass
      GET http://h.example/{{pin}}
      X-Pass: {{pass}}
      X-Colour: {{$pick colour $value: red, blue}}

      ### one
      # @name one
      GET http://h.example/one

      ### two
      GET http://h.example/two/{{one.response.body.$.id}}

      ### three
      GET http://h.example/three

      > {% client.global.set("made", "1"); %}

      ### four
      GET http://h.example/four/{{made}}

      """
  ]

  @Test func `what a request asks for is given as for a run`() async throws {
    let bench = try Bench(Self.asking)
    let call = ["copy", "b.http:4", "--as", "python", "--input", "pin=42"]
    let given = call + ["--input", "pass=s3cret-word", "--input", "colour=red"]
    let result = try await bench.postkit(given)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.contains("http://h.example/42\""), "\(result.output)")
    #expect(result.output.contains("os.environ[\"PASS\"]"), "\(result.output)")
    #expect(result.output.contains("\"red\"") && !result.output.contains("s3cret-word"))
    let missing = try await bench.postkit(call)
    let words = "Give them with `--input pass=VALUE --input colour=VALUE`."
    #expect(missing.status == 2 && missing.output.isEmpty, "\(missing.output)")
    #expect(missing.errorOutput.contains(words), "\(missing.errorOutput)")
    let other = try await bench.postkit(given + ["--input", "colour=green"])
    #expect(other.status == 2 && other.errorOutput.contains("green"), "\(other.errorOutput)")
  }

  @Test func `what only a response or a script gives is told with another way`() async throws {
    let bench = try Bench(Self.asking)
    for (line, sent) in [("13", "`one`"), ("21", "the request whose script sets `made`")] {
      let result = try await bench.postkit("copy", "b.http:\(line)", "--as", "curl")
      let words = "sends nothing: copy it in an editor after \(sent) was sent there"
      #expect(result.status == 3 && result.output.isEmpty, "\(result.output)")
      #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
    }
  }

  @Test func `what can't be copied is told`() async throws {
    let bench = try Bench(Self.files)
    func fails(_ words: String..., code: Int32, _ text: String) async throws {
      let result = try await bench.postkit(["copy"] + words)
      #expect(result.status == code && result.output.isEmpty, "\(words): \(result.output)")
      #expect(result.errorOutput.contains(text), "\(words): \(result.errorOutput)")
    }
    try await fails("a.http", "--as", "curl", code: 2, "Choose one with --name or --line")
    try await fails("a.http#one", code: 2, "the language is missing")
    try await fails("a.http#one", "--as", "perl", code: 2, "unknown language `perl`")
    try await fails("a.http#none", "--as", "go", code: 2, "Request `none` not found")
    try await fails("a.http:4", "--name", "one", "--as", "go", code: 2, "names a request already")
    try await fails("a.http#two", "--as", "go", code: 3, "`nothing` is not defined")
    try await fails("a.http#one", "--as", "go", "--env", "x", code: 2, "x")
    try await fails("none.http", "--as", "go", code: 2, "none.http")
  }
}
