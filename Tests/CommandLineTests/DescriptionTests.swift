// `postkit check --openapi` and `postkit describe coverage`.

import Foundation
import PostKitJSON
import PostKitTestSupport
import Testing

struct DescriptionTests {
  /// A description with an operation for each of many schemas.
  private static func description(_ count: Int) -> String {
    let kinds = [
      #"{"type": "string", "minLength": 2}"#, #"{"type": "integer", "minimum": 1}"#,
      #"{"type": "boolean"}"#, #"{"enum": ["red", "blue"]}"#,
      #"{"type": "array", "items": {"type": "number"}, "minItems": 2}"#,
      #"{"type": "object", "required": ["x"], "properties": {"x": {"type": "string"}}}"#,
      #"{"oneOf": [{"type": "integer"}, {"type": "boolean"}]}"#,
      #"{"type": "string", "format": "date-time"}"#, ##"{"$ref": "#/components/schemas/Money"}"##,
      #"{"allOf": [{"type": "object", "required": ["y"], "properties": {"y": {"type": "integer"}}}]}"#,
    ]
    let paths = (0..<count).map { number in
      let kind = kinds[number % kinds.count]
      return """
        "/things\(number)/{id}": {"post": {
          "operationId": "make\(number)",
          "parameters": [
            {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}},
            {"name": "size", "in": "query", "required": true, "schema": {"type": "integer"}},
            {"name": "X-Trace", "in": "header", "required": true, "schema": {"type": "string"}}
          ],
          "requestBody": {"required": true, "content": {"application/json": {"schema": {
            "type": "object", "additionalProperties": false, "required": ["value", "word"],
            "properties": {"value": \(kind), "word": {"type": "string"}, "more": {"type": "integer"}}
          }}}},
          "responses": {"200": {"description": ""}}}}
        """
    }
    return """
      {"openapi": "3.1.0", "info": {"title": "Things", "version": "1"},
       "servers": [{"url": "https://api.example.com/v1"}],
       "paths": {\(paths.joined(separator: ",\n"))},
       "components": {"schemas": {"Money": {"type": "object", "required": ["amount"],
        "properties": {"amount": {"type": "number"}, "currency": {"enum": ["EUR", "USD"]}}}}}}
      """
  }

  /// The lines about the description.
  private func findings(_ result: SubprocessResult) -> [Substring] {
    result.output.split(separator: "\n").filter { $0.contains("[openapi-") }
  }

  @Test func `Samples of fifty operations fit, and one that is spoilt has one finding`() async throws
  {
    let bench = try Bench(["things.json": Self.description(50)])
    let imported = try await bench.postkit("import", "things.json", "--to", "out")
    #expect(imported.status == 0, "\(imported.errorOutput)")
    let folder = bench.directory.path("out")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".http") }.map { "out/\($0)" }.sorted()
    let fine = try await bench.postkit(["check"] + files + ["--openapi", "things.json"])
    #expect(fine.status == 0, "\(fine.output)")
    #expect(findings(fine).isEmpty)
    let covered = try await bench.postkit("describe", "coverage", "things.json", "out")
    #expect(covered.status == 0)
    #expect(covered.output == "50 of 50 operations have a request.\n")

    let whole = try files.map { try bench.directory.read($0) }.joined(separator: "\n\n")
    let changes: [(String, String, code: String)] = [
      ("\"word\": \"string\"", "\"word\": 5", "openapi-body"),
      ("\"word\": \"string\"", "\"word\": \"string\", \"extra\": 1", "openapi-body"),
      ("\"more\": 0", "\"mroe\": 0", "openapi-body"),
      (",\n  \"word\": \"string\"", "", "openapi-body"),
      ("X-Trace:", "X-Trcae:", "openapi-header"),
      ("size=0", "size=big", "openapi-type"), ("size=0", "size=0&sze=1", "openapi-query"),
      ("application/json", "text/plain", "openapi-content-type"),
    ]
    for (old, new, code) in changes {
      let place = try #require(whole.range(of: old), "\(old)")
      try bench.write("out/changed.http", whole.replacingCharacters(in: place, with: new))
      let result = try await bench.postkit(
        "check", "out/changed.http", "--openapi", "things.json")
      var found = findings(result)
      // Who misspells what has to be there lacks it as well.
      if code == "openapi-header" { found.removeAll { $0.contains("[openapi-missing]") } }
      #expect(result.status == 1, "\(new): \(result.output)\(result.errorOutput)")
      #expect(found.count == 1 && found[0].contains("[\(code)]"), "\(new): \(found)")
    }
  }

  @Test func `Coverage lists what both lack of each other, from files and from the history`()
    async throws
  {
    let bench = try Bench([
      "things.json": Self.description(3).replacing("https://api.example.com/v1", with: "$URL/v1"),
      "a.http": """
        @base = $URL/v1

        ###
        POST {{base}}/things0/{{id}}

        ###
        POST {{base}}/thing/1

        ###
        GET {{base}}/things1/1
        """,
    ])
    let result = try await bench.postkit("describe", "coverage", "things.json", "a.http")
    #expect(result.status == 1)
    #expect(
      result.output == """
        1 of 3 operations have a request.
        Operations without a request:
          things.json:15: POST /things1/{id}
          things.json:27: POST /things2/{id}
        Requests without an operation:
          a.http:7: POST {{base}}/thing/1
          a.http:10: GET {{base}}/things1/1 (the path has POST)

        """, "\(result.output)")
    let json = try Bench.json(
      try await bench.postkit("describe", "coverage", "things.json", ".", "--json").output)
    #expect(json["covered"]?.int == 1 && json["operations"]?.int == 3)
    #expect(json["withoutRequest"]?.elements.map { $0["operationId"]?.string } == ["make1", "make2"])
    #expect(json["withoutOperation"]?.elements.first?["line"]?.int == 7)

    _ = try await bench.postkit("run", "a.http", "--line", "10")
    let history = try await bench.postkit("describe", "coverage", "things.json", "--history")
    #expect(history.status == 1)
    #expect(history.output.contains("0 of 3 operations"))
    #expect(history.output.contains("history: GET "))
  }

  @Test func `A tag that names nothing is told without being asked`() async throws {
    let bench = try Bench([
      "a.http": "# @openapi ./gone.yaml\nGET https://a.test/\n",
      "b.http": "# @openapi ./things.json#mak0\nGET https://a.test/\n",
      "things.json": Self.description(1),
    ])
    let gone = try await bench.postkit("check", "a.http")
    #expect(gone.status == 0)
    #expect(gone.output.contains("a.http:1:12: warning: There is no file ./gone.yaml"), "\(gone)")
    let other = try await bench.postkit("check", "b.http")
    #expect(
      other.output.contains("has no operation `mak0`. Did you mean `make0`? [openapi-file]"),
      "\(other)")
  }

  @Test func `What can't be read or is written wrongly is said`() async throws {
    let bench = try Bench(["a.http": "GET https://a.test/\n", "b.json": "{\"a\": 1}"])
    for (words, status) in [
      ("check a.http --openapi missing.yaml", 2), ("check a.http --openapi b.json", 2),
      ("describe", 2), ("describe nothing", 2), ("describe coverage", 2),
      ("describe coverage b.json", 2), ("describe coverage b.json .", 2),
      ("describe coverage b.json . --history", 2), ("describe coverage missing.json .", 2),
    ] {
      let result = try await bench.postkit(words.split(separator: " ").map(String.init))
      #expect(result.status == Int32(status), "\(words): \(result.errorOutput)")
      #expect(result.errorOutput.hasPrefix("postkit: "), "\(words)")
    }
  }
}
