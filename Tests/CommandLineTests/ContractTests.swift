// `postkit run --openapi`: responses that are tested against a description.

import PostKitJSON
import Testing

@Suite struct ContractTests {
  private static let api = """
    openapi: 3.0.3
    paths:
      /one:
        get:
          operationId: one
          responses:
            "200":
              content:
                application/json:
                  schema: {type: object, required: [id], properties: {id: {type: integer}}}
    """

  private func bench(_ body: String) throws -> Bench {
    try Bench(["a.http": "GET $URL/one\n", "specs/shop.yaml": Self.api]) { _ in
      [.response(headers: ["Content-Type: application/json"], body: body)]
    }
  }

  @Test func `a deviation fails the run and stands in the reports`() async throws {
    let bench = try bench(#"{"id": "x"}"#)
    let run = try await bench.postkit(
      "run", "a.http", "--openapi", "specs/shop.yaml", "--report", "json=r.json", "--report",
      "junit=r.xml")
    #expect(run.status == 1)
    #expect(run.errorOutput.contains("✗ openapi"))
    #expect(run.errorOutput.contains("/id: expected integer, came a string"))
    let request = try #require(try bench.json("r.json")["requests"]?.elements.first)
    #expect(request["openapi"]?["operation"]?.string == "one")
    #expect(request["openapi"]?["deviations"]?.elements.first?["pointer"]?.string == "/id")
    #expect(try bench.directory.read("r.xml").contains("type=\"assertion\""))
  }

  @Test func `what is more than described counts where it is asked for`() async throws {
    let bench = try bench(#"{"id": 1, "more": 2}"#)
    let plain = try await bench.postkit("run", "a.http", "--openapi", "specs/shop.yaml")
    #expect(plain.status == 0)
    #expect(plain.errorOutput.contains("✓ openapi"))
    let strict = try await bench.postkit(
      "run", "a.http", "--openapi", "specs/shop.yaml", "--openapi-strict")
    #expect(strict.status == 1)
    #expect(strict.errorOutput.contains("/more: this member is not described"))
  }

  @Test func `what is strict needs something to be strict about`() async throws {
    let bench = try bench("{}")
    let run = try await bench.postkit("run", "a.http", "--openapi-strict")
    #expect(run.status == 2)
    #expect(run.errorOutput.contains("`--openapi-strict` needs `--openapi FILE`"))
    #expect(bench.server.requests.isEmpty)
  }

  @Test func `a schema that is not there fails the run, or is noted`() async throws {
    let bench = try bench(#"{"id": 1}"#)
    let api = Self.api.replacing(
      "{type: object, required: [id], properties: {id: {type: integer}}}",
      with: "{$ref: 'missing.yaml#/X'}")
    try bench.write("openapi.yaml", api)
    let tested = try await bench.postkit("run", "a.http", "--openapi", "openapi.yaml")
    #expect(tested.status == 1)
    #expect(tested.errorOutput.contains("could not be checked"))
    #expect(tested.errorOutput.contains("`missing.yaml#/X` is not there"))
    let noted = try await bench.postkit("run", "a.http")
    #expect(noted.status == 0)
    #expect(noted.errorOutput.contains("`missing.yaml#/X` is not there"))
  }

  @Test func `a description that can't be read sends nothing`() async throws {
    let bench = try bench("{}")
    try bench.write("no.yaml", "a: [1")
    for file in ["no.yaml", "gone.yaml", "a.http"] {
      let run = try await bench.postkit("run", "a.http", "--openapi", file)
      #expect(run.status == 2)
      #expect(run.errorOutput.contains(file))
    }
    #expect(bench.server.requests.isEmpty)
  }

  @Test func `a description beside the file is noted in one line`() async throws {
    let bench = try bench(#"{"id": "x"}"#)
    let quiet = try await bench.postkit("run", "a.http")
    #expect(!quiet.errorOutput.contains("deviation"))
    try bench.write("openapi.yaml", Self.api)
    let noted = try await bench.postkit("run", "a.http")
    #expect(noted.status == 0)
    #expect(noted.errorOutput.contains("1 deviation from openapi.yaml\n"))
    try bench.write("postkit.json", #"{"openapi.check": "off"}"#)
    #expect(try await !bench.postkit("run", "a.http").errorOutput.contains("deviation"))
    try bench.write("postkit.json", #"{"openapi.check": "test"}"#)
    #expect(try await bench.postkit("run", "a.http").status == 1)
  }
}
