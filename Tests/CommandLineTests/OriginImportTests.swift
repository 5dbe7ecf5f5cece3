// `postkit import` of what other tools keep: folders, collections, reports, exit codes.

import Foundation
import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct OriginImportTests {
  private static let shop = """
    {"info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/x"},
     "item": [
      {"name": "List", "request": {"method": "GET", "url": "{{base}}/users?q=old"}},
      {"name": "Create", "request": {"method": "POST", "url": "{{base}}/users",
       "header": [{"key": "Content-Type", "value": "application/json"}],
       "body": {"mode": "raw", "raw": "{\\"v\\": 1}"}}}],
     "variable": [{"key": "base", "value": "$URL"}]}
    """
  private static let environment = """
    {"name": "dev", "_postman_variable_scope": "environment",
     "values": [{"key": "token", "value": "hunter2", "type": "secret", "enabled": true}]}
    """

  private func bench() throws -> Bench {
    try Bench(["shop.json": Self.shop, "dev.json": Self.environment])
  }

  private func text(_ bench: Bench, _ path: String) throws -> String {
    try String(contentsOfFile: bench.directory.path(path), encoding: .utf8)
  }

  @Test func `a collection and its environment become a folder that is sent`() async throws {
    let bench = try bench()
    let result = try await bench.postkit(
      "import", "shop.json", "dev.json", "--report", "json=report.json")
    #expect(result.status == 0, "\(result.errorOutput)")
    let sentence = "Imported 2 requests of Shop into Shop/ (1 file, 1 environment)"
    #expect(result.output.hasPrefix(sentence))
    #expect(result.errorOutput.contains("[secret-moved]"))
    let sent = try await bench.postkit("run", "Shop/Shop.http", "--name", "List")
    #expect(sent.status == 0, "\(sent.errorOutput)")
    #expect(bench.server.requests.first?.lines.first == "GET /users?q=old HTTP/1.1")
    let report = try JSONTree(parsing: Array(text(bench, "report.json").utf8)).root.value
    #expect(report["format"]?.string == "postman" && report["requests"]?.int == 2)
    #expect(report["environments"]?.elements.map(\.string) == ["dev"])
    #expect(report["error"] == .null)
    for path in ["report.json", "Shop/postkit-import.json", "Shop/http-client.env.json"] {
      #expect(try !text(bench, path).contains("hunter2"), "\(path)")
    }
    #expect(!result.output.contains("hunter2") && !result.errorOutput.contains("hunter2"))
  }

  @Test func `again changes nothing, and what both changed is decided as asked`() async throws {
    let bench = try bench()
    let words = ["import", "shop.json", "--to", "out", "--report", "json=report.json"]
    #expect(try await bench.postkit(words).status == 0)
    let check = try await bench.postkit(words + ["--check"])
    #expect(check.status == 0, "\(check.errorOutput)")
    let file = try text(bench, "out/Shop.http")
    try bench.write("out/Shop.http", file.replacing("\"v\": 1", with: "\"v\": 2"))
    try bench.write(
      "shop.json",
      Self.shop.replacing("\\\"v\\\": 1", with: "\\\"v\\\": 3").replacing("q=old", with: "q=new"))
    let changed = try await bench.postkit(words + ["--check"])
    #expect(changed.status == 1 && changed.output.contains("updated out/Shop.http"))
    let before = try text(bench, "out/Shop.http")
    let stopped = try await bench.postkit(words + ["--on-conflict", "stop"])
    #expect(stopped.status == 1 && stopped.errorOutput.contains("Nothing was written"))
    #expect(try text(bench, "report.json").contains("\"error\":\"conflict\""))
    #expect(try text(bench, "out/Shop.http") == before)
    let mine = try await bench.postkit(words)
    #expect(mine.status == 0 && mine.errorOutput.contains("[conflict]"))
    let merged = try text(bench, "out/Shop.http")
    #expect(merged.contains("q=new") && merged.contains("\"v\": 2") && !merged.contains("\"v\": 3"))
    #expect(try await bench.postkit(words + ["--check"]).status == 0)
  }

  @Test func `standard input and the store are a source and a target`() async throws {
    let bench = try bench()
    let result = try await bench.shell("cat shop.json | \"$POSTKIT\" import - --collection")
    let sentence = "Imported 2 requests of Shop into the collection `Shop`"
    #expect(result.status == 0 && result.output.hasPrefix(sentence))
    let sent = try await bench.postkit("collections", "send", "Shop/List", "-e", "default")
    #expect(sent.status == 0, "\(sent.errorOutput)")
    #expect(bench.server.requests.first?.lines.first == "GET /users?q=old HTTP/1.1")
    let again = try await bench.shell("cat shop.json | \"$POSTKIT\" import - --collection")
    #expect(again.status == 0, "\(again.errorOutput)")
    let check = try await bench.postkit("import", "shop.json", "--collection", "--check")
    #expect(check.status == 0, "\(check.errorOutput)")
    let source = try text(bench, "shop.json")
    try bench.write("shop.json", source.replacing("q=old", with: "q=new"))
    let dry = try await bench.postkit("import", "shop.json", "--collection", "--dry-run")
    #expect(dry.status == 0 && dry.output.contains("updated List\n"), "\(dry.output)")
    let changed = try await bench.postkit("import", "shop.json", "--collection", "--check")
    #expect(changed.status == 1 && changed.errorOutput.contains("import again without --check"))
    #expect(try await bench.postkit("import", "shop.json", "--collection").status == 0)
    let got = try await bench.postkit("collections", "send", "Shop/List", "-e", "default")
    #expect(got.status == 0 && bench.server.requests.last?.lines.first?.contains("q=new") == true)
    let list = try await bench.postkit("collections")
    #expect(list.output.components(separatedBy: "List").count == 2)
  }

  @Test func `what can't be done is said, and the report says it too`() async throws {
    let bench = try bench()
    try bench.write("odd.json", #"{"a": 1}"#)
    try bench.write("full/x.txt", "")
    for (words, message) in [
      (["none.json"], "none.json doesn't exist"), (["shop.json", "shop.json"], "two collections"),
      (["odd.json"], "odd.json is in no format that PostKit reads"),
      (["dev.json"], "has no requests"), (["shop.json", "--to", "full"], "that no import made"),
      (["http://a.test/x.json", "--fetch"], "Only `https:`"),
      (["https://a.test/x.json"], "is fetched with `--fetch` alone"),
      (["shop.json", "--from", "word"], "`word` is not supported here"),
      (["shop.json", "--layout", "x"], "write folder, request or file"),
      (["shop.json", "--env", "live"], "There is no environment `live`"),
      (["shop.json", "--to", "a", "--collection"], "exclude each other"),
      (["full", "--to", "a"], "full is in no format that PostKit reads"),
    ] {
      let result = try await bench.postkit(["import"] + words + ["--report", "json=r.json"])
      #expect(result.status == 2 && result.errorOutput.contains(message), "\(result.errorOutput)")
      let report = try JSONTree(parsing: Array(text(bench, "r.json").utf8)).root.value
      #expect(report["error"]?.string != nil, "\(words)")
    }
    #expect(try FileSystem.list(bench.directory.path("full")) == ["x.txt"])
  }

  @Test func `a full disk is told and leaves nothing`() async throws {
    let bench = try bench()
    let result = try await bench.postkit("import", "shop.json", "--to", "/proc/out")
    #expect(result.status == 5, "\(result.errorOutput)")
  }
}
