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
