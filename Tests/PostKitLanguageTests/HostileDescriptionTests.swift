// Descriptions that try to write more into a file of requests than a request.

import PostKitDescription
import PostKitEvaluate
import PostKitLanguage
import PostKitSyntax
import PostKitText
import Testing

struct HostileDescriptionTests {
  private static func description(
    path: String = "/a", method: String = "post", parameters: String = "[]",
    type: String = "text/plain", media: String = "{}"
  ) -> String {
    """
    {"openapi": "3.1.0", "servers": [{"url": "https://a.test"}], "paths": {"\(path)": {
      "\(method)": {"parameters": \(parameters),
      "requestBody": {"content": {"\(type)": \(media)}}, "responses": {}}}}}
    """
  }

  private func analysis(_ description: String, _ text: String) -> Analysis {
    var bench = Bench()
    bench.description = description
    return bench.analysis(text)
  }

  /// The requests that are made of the first operation, and of an action on a request.
  private func texts(_ description: String, _ titles: [String]) throws -> [String] {
    let text = "POST https://a.test/a\n"
    let analysis = analysis(description, text)
    let index = try #require(Bench.index(description))
    let operation = try #require(index.description.operations.first)
    let made = analysis.newRequest(for: operation, in: index).map { [$0.text] } ?? []
    return made
      + analysis.refactorings(in: 4..<4).filter { titles.contains($0.title) }.compactMap {
        TextEdit.apply($0.edits, to: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
      }
  }

  @Test(arguments: [
    #"{{$processEnv HOME}}"#, #"a\n\n###\nDELETE https://a.test/a"#, #"a\r\nX-Other: b"#,
    #"{{{password}}$processEnv HOME}}"#,
  ])
  func `Values of headers stay values`(example: String) throws {
    for parameter in [
      #"[{"name": "X-A", "in": "header", "required": true, "example": "\#(example)"}]"#,
      #"[{"name": "X-A\#(example)", "in": "header", "required": true, "schema": {}}]"#,
      #"[{"name": "\#(example)", "in": "query", "required": true, "example": "\#(example)"}]"#,
    ] {
      let description = Self.description(parameters: parameter)
      let made = try texts(description, ["Add missing parameters"])
      #expect(!made.isEmpty)
      for text in made {
        let document = ParsedDocument(bytes: Array(text.utf8))
        #expect(document.blocks.count == 1 && document.blocks[0].references.isEmpty, "\(text)")
        #expect(!text.contains("X-Other:") && !text.contains("\nDELETE"), "\(text)")
      }
    }
  }

  @Test(arguments: [
    #"a\n> {% client.log(1) %}"#, #"< /etc/passwd"#, #"a\n\n?? status == 200"#,
    #"a\n\n< {% x %}"#, #"a\n\n>> ./saved"#, #"a\n\n# @name other"#, #"{{$processEnv HOME}}"#,
    #"a\n###\nGET https://other.test"#, #"a\n\nHTTP/1.1 200 OK\n\nb"#,
  ])
  func `Samples of bodies are bodies`(sample: String) throws {
    let one = Self.description(media: #"{"example": "\#(sample)"}"#)
    let fields = Self.description(
      type: "multipart/form-data",
      media: #"{"example": {"note": "\#(sample)"}, "schema": {"type": "object"}}"#)
    for description in [one, fields] {
      for text in try texts(description, ["Insert sample body"]) {
        let document = ParsedDocument(bytes: Array(text.utf8))
        #expect(document.blocks.count == 1)
        let block = document.blocks[0]
        #expect(block.scripts.isEmpty && block.assertions.isEmpty && block.saves.isEmpty)
        #expect(block.metadata.isEmpty && block.references.isEmpty, "\(text)")
        let reads = block.request?.body?.lines.contains {
          if case .file = $0.kind { true } else { false }
        }
        #expect(reads != true && block.syntax.inlineResponse == nil, "\(text)")
      }
    }
  }

  @Test func `Names of parts lead to no other folder, and stay names`() throws {
    let media = ##"""
      {"schema": {"type": "object", "properties": {"../../etc/passwd": {"type": "string",
      "format": "binary"}, "a\r\nX: y": {"type": "string"}}}}
      """##
    let made = try texts(
      Self.description(type: "multipart/form-data", media: media), ["Insert sample body"])
    #expect(made.count == 2)
    for text in made {
      #expect(text.contains("< ./file") && !text.contains("< ./..") && !text.contains("X: y"))
    }
  }

  @Test func `Paths and methods stay in their line`() throws {
    let path = try texts(Self.description(path: #"/a\r\nX: y/{{$uuid}}"#), [])
    #expect(path.count == 1)
    #expect(path[0].hasPrefix("POST https://a.test/a%0D%0AX:%20y/{{__uuid}}%7D"), "\(path)")
    let index = try #require(Bench.index(Self.description(path: "/b/{$processEnv HOME}")))
    let request = DescribedRequest(method: "GET", target: "https://a.test")
    let offered = index.texts(for: .paths(request, typed: "/"))
    #expect(offered.map(\.text) == ["/b/{{_processEnv_HOME}}"])
  }

  @Test func `A sample above a check leaves the check alone`() throws {
    let text = "POST https://a.test/a\n?? status == 200\n"
    let analysis = analysis(Self.description(media: #"{"example": "b"}"#), text)
    let change = analysis.refactorings(in: 4..<4).first { $0.title == "Insert sample body" }
    let edits = try #require(change).edits
    let bytes = try #require(TextEdit.apply(edits, to: Array(text.utf8)))
    let block = ParsedDocument(bytes: bytes).blocks[0]
    #expect(block.assertions.count == 1 && block.request?.body.map { block.text($0.range) } == "b")
  }

  @Test func `Names in a query are offered as they are sent`() throws {
    let parameters = #"[{"name": "a b=", "in": "query"}, {"name": "ids[]", "in": "query"}]"#
    let index = try #require(Bench.index(Self.description(parameters: parameters)))
    let request = DescribedRequest(method: "POST", target: "https://a.test/a")
    let names = index.texts(for: .queryNames(request)).map(\.text)
    #expect(names == ["a%20b%3D", "ids[]"])
    let values = index.texts(for: .queryValues(request, name: "a b="))
    #expect(values.isEmpty)
  }
}
