// `postkit history stats`, `--sort`, `--count`, `--stored` and saved searches.

import PostKitJSON
import PostKitTestSupport
import Testing

@Suite struct HistoryFiguresTests {
  private static let file = """
    ### one
    # @name one
    GET $URL/one?q=needle

    ### two
    # @name two
    POST $URL/two

    body

    ###
    GET $URL/missing

    """

  /// A history of four exchanges: the sizes of their responses are 10, 2, 30 and 10.
  private func filled() async throws -> Bench {
    let bench = try Bench(["a.http": HistoryFiguresTests.file]) { request in
      switch request.target {
      case "/missing": [.response("404 Not Found", body: String(repeating: "x", count: 30))]
      case "/two": [.response(body: "ok")]
      default: [.response(body: "0123456789")]
      }
    }
    _ = try await bench.postkit("run", "a.http", "--all")
    _ = try await bench.postkit("run", "a.http", "--name", "one")
    #expect(try await bench.history().count == 4)
    return bench
  }

  private func rows(_ bench: Bench, _ words: String...) async throws -> [JSONValue] {
    let result = try await bench.postkit(["history", "stats", "--json"] + words)
    #expect(result.status == 0, "\(result.errorOutput)")
    return try Bench.json(result.output).elements
  }

  @Test func `figures say how often, how well and how long`() async throws {
    let bench = try await filled()
    let all = try await rows(bench)
    #expect(all.map { $0["value"]?.string } == ["one", "GET /missing", "two"])
    #expect(all.map { $0["count"]?.int } == [2, 1, 1])
    #expect(all.map { $0["failed"]?.int } == [0, 1, 0])
    #expect(all.map { $0["requestBytes"]?.int } == [0, 0, 4])
    #expect(all.map { $0["responseBytes"]?.int } == [20, 30, 2])
    let members = [
      "by", "value", "count", "failed", "median", "p95", "max", "requestBytes", "responseBytes",
      "last",
    ]
    guard case .object(let first) = all[0] else {
      Issue.record("no object")
      return
    }
    #expect(first.map(\.key) == members + ["file"])
    #expect(all[0]["file"]?.string == bench.directory.path("a.http"))
    #expect(all[0]["last"] == (try await bench.history())[0]["time"])
    let statuses = try await rows(bench, "--by", "status", "--method", "GET")
    #expect(statuses.map { $0["value"]?.string } == ["200", "404"])
    #expect(statuses.allSatisfy { $0["file"] == nil && $0["by"]?.string == "status" })
    #expect(try await rows(bench, "--by", "host", "--host", "nowhere").isEmpty)
  }

  @Test func `figures are a table with a heading`() async throws {
    let bench = try await filled()
    let plain = try await bench.postkit("history", "stats", "--by", "status")
    let lines = plain.output.split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(
      lines[0] == ["STATUS", "COUNT", "FAILED", "MEDIAN", "P95", "MAX", "SENT", "RECEIVED", "LAST"])
    #expect(lines[1].prefix(3) == ["200", "3", "0"])
    #expect(lines[2].prefix(3) == ["404", "1", "1"])
    let none = try await bench.postkit("history", "stats", "--by", "environment")
    #expect(none.output.contains("(no environment)  "))
    let nothing = try await bench.postkit("history", "stats", "--host", "nowhere")
    #expect(nothing.output == "No matching requests.\n")
  }

  @Test func `the number alone is printed`() async throws {
    let bench = try await filled()
    #expect(try await bench.postkit("history", "--count").output == "4\n")
    #expect(try await bench.postkit("history", "--count", "--search", "needle").output == "2\n")
    let json = try await bench.postkit("history", "--count", "--json", "--status", "4xx")
    #expect(json.output == "{\"count\":1}\n")
  }

  @Test func `the largest come first`() async throws {
    let bench = try await filled()
    #expect(try await bench.history("--sort", "size").map { $0["size"]?.int } == [30, 10, 10, 2])
    let times = try await bench.history("--sort", "ms").compactMap { $0["ms"]?.int }
    #expect(times == times.sorted(by: >) && times.count == 4)
    let first = try await bench.history("--sort", "size", "--limit", "1")
    #expect(first.map { $0["size"]?.int } == [30])
  }

  @Test func `a stored request has its exchanges, by path, id and document`() async throws {
    let bench = try await filled()
    _ = try await bench.postkit("collections", "save", "a.http", "--name", "two", "--to", "Shop/in")
    #expect(try await bench.postkit("collections", "send", "Shop/in/two").status == 0)
    let sent = try await bench.history("--stored", "Shop/in/two")
    #expect(sent.count == 1 && sent[0]["name"]?.string == "two")
    let document = try #require(sent[0]["file"]?.string)
    #expect(document.hasPrefix("postkit:"))
    #expect(try await bench.history("--file", document) == sent)
    let id = try #require(document.split(separator: "/").last?.dropLast(".http".count))
    #expect(try await bench.history("--stored", String(id)) == sent)
    for (place, message) in [
      ("Shop/in", "is a folder. Name a stored request."), ("Shop/none", "`Shop/none` not found."),
    ] {
      let refused = try await bench.postkit("history", "--stored", place)
      #expect(refused.status == 2 && refused.errorOutput.contains(message))
    }
  }

  @Test func `a search is saved, used with more filters, listed and deleted`() async throws {
    let bench = try await filled()
    let saved = try await bench.postkit(
      "history", "save-search", "well done", "--status", "2xx", "--sort", "size", "--since", "1h")
    #expect(saved.output.contains("status:2xx since:1h sort:size"))
    #expect(try await bench.history("--saved", "well done").map { $0["size"]?.int } == [10, 10, 2])
    let fewer = try await bench.history("--saved", "well done", "--method", "POST")
    #expect(fewer.map { $0["size"]?.int } == [2])
    #expect(try await rows(bench, "--saved", "well done", "--by", "method").count == 2)
    let list = try await bench.postkit("history", "searches")
    #expect(list.output == "well done  status:2xx since:1h sort:size\n")
    let json = try Bench.json(try await bench.postkit("history", "searches", "--json").output)
    #expect(json.elements.map { $0["query"]?.string } == ["status:2xx since:1h sort:size"])
    let contradiction = try await bench.postkit(
      "history", "--saved", "well done", "--status", "404")
    #expect(contradiction.status == 2)
    #expect(contradiction.errorOutput.contains("`status:2xx` and `status:404` contradict"))
    #expect(try await bench.postkit("history", "delete-search", "well done").status == 0)
    let gone = try await bench.postkit("history", "--saved", "well done")
    #expect(gone.status == 2 && gone.errorOutput.contains("no saved search `well done`"))
  }

  @Test(arguments: [
    (["--sort", "colour"], "write time, ms or size"),
    (["stats", "--by", "moon"], "write request, host, path, status, method, environment or day"),
    (["--count", "--limit", "3"], "leave out `--limit`"),
    (["--min-ms", "2", "--max-ms", "1"], "nothing can match"),
    (["stats", "--since", "1h", "--until", "2h"], "nothing can match"),
    (["save-search", "x"], "needs a filter"), (["stats", "--sort", "ms"], "no option `--sort`"),
  ])
  func `what can't be asked is said`(words: [String], message: String) async throws {
    let bench = try Bench()
    let result = try await bench.postkit(["history"] + words)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errorOutput.contains(message), "\(result.errorOutput)")
  }
}
