// Which descriptions a request file may mean, and which of them a request means (IO-34).

import PostKitDescription
import PostKitEvaluate
import PostKitJSON
import PostKitRunner
import PostKitSupport
import PostKitSyntax
import PostKitTestSupport
import Testing

struct DescriptionFinderTests {
  private static let yaml = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {}\n"

  /// A project with files; the request file is `sub/a.http`.
  private func paths(
    _ files: [String: String], _ text: String = "GET https://a.test/\n", settings: [String] = []
  ) throws -> (root: String, found: [String], source: DescriptionFinder.Source) {
    let folder = try TemporaryDirectory()
    try folder.write("postkit.json", "{}")
    try folder.write("sub/a.http", text)
    for (name, content) in files { try folder.write(name, content) }
    let workspace = Workspace(file: folder.path("sub/a.http"))
    let json: JSONValue = ["openapi.files": .array(settings.map(JSONValue.string))]
    let finder = DescriptionFinder(workspace, Settings(json, folder: workspace.root))
    let document = ParsedDocument(bytes: Array(text.utf8))
    let found = finder.candidates(for: document.blocks.last, in: document)
    return (
      workspace.root, found.paths.map { FilePath.relative($0, to: workspace.root) }, found.source
    )
  }

  @Test func `Descriptions are found near the file, the nearest first`() throws {
    let found = try paths([
      "openapi.yaml": Self.yaml, "sub/swagger.json": #"{"swagger":"2.0"}"#,
      "sub/docs/my.openapi.yml": Self.yaml, "api/api-docs.json": #"{ "openapi": "3.1.0" }"#,
      "sub/openapi-notes.yaml": "title: openapi is a word\n", "other/openapi.yaml": Self.yaml,
      "sub/openapi.txt": Self.yaml,
    ])
    #expect(
      found.found == [
        "sub/swagger.json", "sub/docs/my.openapi.yml", "openapi.yaml", "api/api-docs.json",
      ])
  }

  @Test func `A tag counts before everything, the first block's for all`() throws {
    let files = ["openapi.yaml": Self.yaml, "x.yaml": Self.yaml, "y.yaml": Self.yaml]
    let shared = "# @openapi ../x.yaml\nGET https://a.test/\n\n###\nGET https://a.test/b\n"
    #expect(try paths(files, shared).found == ["x.yaml"])
    let own = shared + "\n###\n# @openapi y.yaml#op\nGET https://a.test/c\n"
    #expect(try paths(files, own).found == ["y.yaml"])
    let missing = try paths(files, "# @openapi no.yaml\nGET https://a.test/\n")
    #expect(missing.found == [] && missing.source == .tag)
  }

  @Test func `An import counts before settings, and these before what is found`() throws {
    let manifest = #"{"version":1,"format":"openapi","source":"../spec/x.yaml","requests":{}}"#
    let files = ["openapi.yaml": Self.yaml, "spec/x.yaml": Self.yaml, "spec/deep/z.yaml": Self.yaml]
    let set = try paths(files, settings: ["spec/**/*.yaml"])
    #expect(set.found == ["spec/x.yaml", "spec/deep/z.yaml"] && set.source == .setting)
    let imported = try paths(
      files.merging(["sub/postkit-import.json": manifest]) { $1 }, settings: ["spec/**/*.yaml"])
    #expect(imported.found == ["spec/x.yaml"] && imported.source == .manifest)
    #expect(try paths(files, settings: ["none/*.yaml"]).found == ["openapi.yaml"])
  }

  @Test func `Of several the one with the server is meant, else the one with the path`() throws {
    func index(_ server: String, _ path: String) throws -> DescriptionIndex {
      let text = #"""
        {"openapi":"3.0.0","servers":[{"url":"\#(server)"}],"paths":{"\#(path)":{"get":{}}}}
        """#
      let tree = try JSONTree(parsing: Array(text.utf8))
      return DescriptionIndex(try #require(APIDescription(DescriptionDocuments(tree))))
    }
    let all = [
      try index("https://a.test/v1", "/x"), try index("https://b.test", "/x"),
      try index("https://c.test", "/y"),
    ]
    func chosen(_ target: String) -> Int? {
      DescriptionIndex.chosen(among: all, for: DescribedRequest(method: "GET", target: target))
    }
    #expect(chosen("https://b.test/x") == 1)
    #expect(chosen("https://other.test/y") == 2)
    #expect(chosen("https://c.test/unknown") == 2)
    #expect(chosen("{{base}}/nothing") == 0)
  }

  @Test func `A description is read with its files below the root, and knows its places`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("postkit.json", "{}")
    try folder.write(
      "spec/openapi.yaml",
      """
      openapi: 3.1.0
      paths:
        /ä/{id}:
          get:
            parameters:
              - $ref: ../shared/parts.yaml#/id
              - $ref: ../../../etc/passwd#/x
      """)
    try folder.write("shared/parts.yaml", "id:\n  name: id\n  in: path\n  required: true\n")
    let workspace = Workspace(file: folder.path("a.http"))
    let path = folder.path("spec/openapi.yaml")
    let description = try LoadedDescription(path, in: workspace)
    let request = DescribedRequest(method: "GET", target: "{{base}}/ä/7")
    let match = try #require(description.index.match(request))
    #expect(description.place(of: description.index.place(of: match)).line == 3)
    let field = try #require(description.index.fields(match, in: .path).first)
    let place = description.place(of: field.place)
    #expect(place.path.hasSuffix("/shared/parts.yaml") && place.line == 1)
    #expect(description.files.isCurrent(in: workspace))
    try folder.write("shared/parts.yaml", "id: {name: id, in: path}\n# longer than before\n")
    #expect(!description.files.isCurrent(in: workspace))
  }

  @Test func `a description that was fetched is called without the key of its URL`() throws {
    let folder = try TemporaryDirectory()
    let workspace = Workspace(file: folder.path("a.http"))
    let url = "https://ann:canary@a.test/v1/api.json?api_key=canary&v=2"
    let text = #"{"openapi": "3.1.0", "info": {}, "paths": {}}"#
    let known = try LoadedDescription(url, in: workspace) { _ in Array(text.utf8) }
    #expect(known.name == "api.json?api_key=***&v=2" && known.path == url)
    for content in [nil, Array("a: 1\n".utf8), Array("[".utf8)] {
      do throws(DescriptionFailure) {
        _ = try LoadedDescription(url, in: workspace) { _ in content }
        Issue.record("it was read")
      } catch {
        #expect(!error.message.contains("canary") && !error.name.contains("canary"))
        #expect(error.message.contains("https://a.test/v1/api.json?api_key=***"))
      }
    }
  }

  @Test(arguments: [
    ("openapi: [", "can't be read"), ("a: 1\n", "is no description"),
    ("{\"openapi\": \"4.0\"}", "is no description"),
  ])
  func `What is no description is told`(text: String, words: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write("openapi.yaml", text)
    let path = folder.path("openapi.yaml")
    let workspace = Workspace(file: folder.path("a.http"))
    do throws(DescriptionFailure) {
      _ = try LoadedDescription(path, in: workspace)
      Issue.record("it was read")
    } catch {
      #expect(error.message.contains(words))
    }
  }
}
