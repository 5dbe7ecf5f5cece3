// `postkit export`.

import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct ExportTests {
  private static let file = """
    @host = $URL
    ### one
    # @name one
    GET {{host}}/one?q=1

    ### two
    POST {{host}}/two
    Content-Type: text/plain

    needle

    """

  private func filled() async throws -> Bench {
    let bench = try Bench(["a.http": ExportTests.file])
    #expect(try await bench.postkit("run", "a.http", "--all").status == 0)
    return bench
  }

  @Test func `an archive has what was sent, oldest first`() async throws {
    let bench = try await filled()
    let result = try await bench.postkit("export", "history", "--format", "har")
    #expect(result.status == 0 && result.errorOutput.isEmpty)
    let entries = try Bench.json(result.output)["log"]?["entries"]?.elements ?? []
    #expect(entries.map { $0["request"]?["method"] } == ["GET", "POST"])
    #expect(entries[1]["request"]?["postData"]?["text"] == "needle")
    #expect(entries[0]["response"]?["content"]?["text"] == #"{"ok":true}"#)
  }

  @Test func `each line is what history show prints`() async throws {
    let bench = try await filled()
    let result = try await bench.postkit("export", "history", "--format", "jsonl")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2)
    for line in lines {
      let id = try #require(try Bench.json(String(line))["id"]?.string)
      #expect(try await bench.postkit("history", "show", id, "--json").output == line + "\n")
    }
  }

  @Test func `what was written on an exchange goes with it`() async throws {
    let bench = try await filled()
    let id = try #require(try await bench.history().last?["id"]?.string)
    for words in [["pin", id], ["label", "bug 7", id], ["note", "since the deploy", id]] {
      #expect(try await bench.postkit(["history"] + words).status == 0)
    }
    let line = try await bench.postkit("export", "history", "--format", "jsonl", "--limit", "2")
    let shown = try await bench.postkit("history", "show", id, "--json")
    let marked = [
      try #require(try await bench.history().last), try Bench.json(shown.output),
      try Bench.json(String(line.output.split(separator: "\n")[0])),
    ]
    for value in marked {
      #expect(value["pinned"] == true && value["label"] == "bug 7")
      #expect(value["note"] == "since the deploy")
    }
    let other = try #require(try await bench.history().first)
    #expect(other["pinned"] == false && other["label"] == .null && other["note"] == .null)
    let archive = try await bench.postkit("export", "history", "--format", "har")
    let entries = try Bench.json(archive.output)["log"]?["entries"]?.elements ?? []
    let comment = try #require(entries[0]["comment"]?.string)
    #expect(comment.hasSuffix("bug 7; since the deploy") && entries[0]["_pinned"] == true)
  }

  @Test func `a request file runs again and sends the same`() async throws {
    let bench = try await filled()
    let seen = bench.server.requests.count
    let result = try await bench.postkit(
      "export", "history", "--format", "http", "--output", "out/b.http")
    #expect(result.status == 5 && result.errorOutput.contains("out/b.http"))
    let written = try await bench.postkit(
      "export", "history", "--format", "http", "--output", "b.http")
    #expect(written.status == 0 && written.errorOutput == "Wrote 2 exchanges to b.http.\n")
    #expect(FileSystem.mode(bench.directory.path("b.http")) == 0o600)
    #expect(try await bench.postkit("run", "b.http", "--all").status == 0)
    let requests = bench.server.requests.map {
      String(decoding: $0.head + $0.rawBody, as: UTF8.self)
    }
    #expect(Array(requests[..<seen]) == Array(requests[seen...]))
  }

  @Test func `filters choose, and a file is replaced only when that is asked for`() async throws {
    let bench = try await filled()
    let line = ["export", "history", "--format", "jsonl", "--output", "x"]
    #expect(try await bench.postkit(line + ["--search", "needle"]).status == 0)
    #expect(try bench.directory.read("x").split(separator: "\n").count == 1)
    let refused = try await bench.postkit(line)
    #expect(refused.status == 2 && refused.errorOutput.contains("`--force` replaces it"))
    #expect(try bench.directory.read("x").split(separator: "\n").count == 1)
    #expect(try await bench.postkit(line + ["--force"]).status == 0)
    #expect(try bench.directory.read("x").split(separator: "\n").count == 2)
    #expect(try await bench.postkit(line + ["--force", "--limit", "1"]).status == 0)
    #expect(try Bench.json(try bench.directory.read("x"))["method"] == "POST")
    #expect(!(try FileSystem.list(bench.directory.path).contains { $0.hasPrefix("x.") }))
  }

  @Test func `a description says what was called, in YAML or in JSON`() async throws {
    let bench = try await filled()
    let words = ["export", "history", "--format", "openapi"]
    let yaml = try await bench.postkit(words)
    #expect(yaml.status == 0 && yaml.errorOutput.isEmpty)
    #expect(yaml.output.hasPrefix("openapi: \"3.1.0\"\n") && yaml.output.contains("example:"))
    #expect(try await bench.postkit(words).output == yaml.output)
    let json = try await bench.postkit(words + ["--no-examples", "--output", "api.json"])
    #expect(json.status == 0 && json.errorOutput.contains("Wrote 2 exchanges to api.json."))
    let value = try Bench.json(try bench.directory.read("api.json"))
    let one = value["paths"]?["/one"]?["get"]
    #expect(one?["parameters"]?.elements.first?["schema"]?["type"] == "integer")
    #expect(
      one?["responses"]?["200"]?["content"]?["application/json"]?["schema"]?["required"]
        == ["ok"], "\(value.text)")
    #expect(value["paths"]?["/two"]?["post"]?["requestBody"]?["required"] == true)
    // An import makes requests of it.
    let imported = try await bench.postkit("import", "api.json", "--to", "api")
    #expect(imported.status == 0, "\(imported.errorOutput)")
  }

  @Test func `stored requests are exported to other tools`() async throws {
    let bench = try Bench([
      "a.http": "### pay\nPOST {{host}}/pay\nX-Key: {{token}}\n\n{}\n\n"
        + "### list\nGET {{host}}/list\n"
    ])
    for words in [
      ["save", "a.http", "--line", "2", "--to", "Shop/money"],
      ["save", "a.http", "--line", "8", "--to", "Shop/money"],
      ["set", "host=http://h", "--env", "live"],
      ["set", "token=canary-77", "--secret", "--env", "live", "--collection", "Shop"],
    ] {
      let done = try await bench.postkit(["collections"] + words)
      #expect(done.status == 0, "\(done.errorOutput)")
    }
    let words = ["export", "requests", "collection:Shop", "--format", "postman", "--env", "live"]
    let made = try await bench.postkit(words + ["--output", "shop.json"])
    #expect(made.status == 0, "\(made.errorOutput)")
    let text = try bench.directory.read("shop.json")
    #expect(text.contains("\"pay\"") && text.contains("\"list\"") && text.contains("{{token}}"))
    #expect(text.contains("\"money\"") && !text.contains("canary-77"))
    let missing = try await bench.postkit(
      "export", "requests", "collection:Nothing", "--format", "postman")
    #expect(missing.status == 2 && missing.errorOutput.contains("`Nothing` not found"))
  }

  @Test func `a folder is exported in the order of its manifest`() async throws {
    let bench = try Bench([
      "api/a.http": "### first\nGET http://h/a\n", "api/b.http": "### second\nGET http://h/b\n",
      "api/postkit-folder.json": #"{"requests": ["b.http", "a.http"]}"#,
    ])
    let made = try await bench.postkit("export", "requests", "api", "--format", "http")
    #expect(made.status == 0, "\(made.errorOutput)")
    let lines = made.output.split(separator: "\n").filter { $0.hasPrefix("GET") }
    #expect(lines == ["GET http://h/b", "GET http://h/a"])
  }

  @Test func `what can't be understood is said`() async throws {
    let bench = try Bench()
    for (words, message) in [
      (["export"], "what should be exported?"), (["export", "history"], "--format har"),
      (["export", "history", "--format", "pdf"], "unknown format `pdf`"),
      (["export", "history", "--format", "har", "--force"], "needs `--output FILE`"),
      (["export", "history", "--format", "har", "--no-examples"], "needs `--format openapi`"),
    ] {
      let result = try await bench.postkit(words)
      #expect(result.status == 2 && result.errorOutput.contains(message), "\(words)")
    }
  }
}
