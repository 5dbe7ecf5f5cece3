// What a description of an API offers and says at the places of a request (IO-34 to IO-36).

import PostKitDescription
import PostKitJSON
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

private let pets = #"""
  {"openapi":"3.0.3","servers":[{"url":"https://pets.test/v1"}],
  "paths":{
  "/pets":{
  "get":{"operationId":"list","summary":"Lists pets","parameters":[
  {"name":"limit","in":"query","schema":{"type":"integer","minimum":1,"maximum":100}},
  {"name":"status","in":"query","required":true,"description":"Which ones.",
  "schema":{"type":"string","enum":["sold","left & right"]}},
  {"name":"all","in":"query","deprecated":true,"schema":{"type":"boolean"}},
  {"name":"X-Trace","in":"header","schema":{"type":"string","example":"t-1"}}],
  "responses":{"200":{"description":"The pets","content":{"application/json":{"schema":
  {"type":"object","properties":{"items":{"type":"array","items":
  {"$ref":"#/components/schemas/Pet"}},"next":{"type":"string"}}}}}}}},
  "post":{"summary":"Adds a pet","security":[{"token":[]}],"requestBody":{"content":{
  "application/json":{"schema":{"$ref":"#/components/schemas/Pet"}},
  "application/x-www-form-urlencoded":{"schema":{"$ref":"#/components/schemas/Pet"}}}},
  "responses":{"201":{"description":"Added"}}}},
  "/pets/{id}":{"delete":{"deprecated":true,"summary":"Removes a pet","parameters":[
  {"name":"id","in":"path","schema":{"type":"string"}}]}},
  "/stores/{id}/pets":{"get":{"summary":"Pets of a store"}}},
  "components":{"securitySchemes":{"token":{"type":"http","scheme":"bearer"}},
  "schemas":{"Pet":{"type":"object","required":["kind"],"allOf":[{"properties":{
  "name":{"type":"string","description":"What it is called."}}}],
  "properties":{"id":{"type":"integer","readOnly":true},
  "kind":{"type":"string","enum":["cat","dog"]},"tame":{"type":"boolean"},
  "owner":{"type":"object","properties":{"city":{"type":"string"}}},
  "toys":{"type":"array","items":{"properties":{"colour":{"enum":["red","blue"]}}}}}}}}}
  """#

private func index() throws -> DescriptionIndex {
  let tree = try JSONTree(parsing: Array(pets.utf8))
  return DescriptionIndex(try #require(APIDescription(DescriptionDocuments(tree))))
}

private func sources() throws -> CompletionSources {
  let index = try index()
  var sources = CompletionSources()
  sources.described = { index.texts(for: $0) }
  return sources
}

/// What the description offers at the caret, as `label | detail`.
private func offers(
  _ marked: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let text = MarkedText(marked)
  let answer = Bench().analysis(text.bytes).completion(at: text.offset(), with: try sources())
  let shown = answer.items.filter { $0.origin == "description" }.map { item in
    item.label + (item.detail.map { " | \($0)" } ?? "") + (item.isDeprecated ? " | old" : "")
  }
  #expect(shown.joined(separator: "\n") == expected, sourceLocation: sourceLocation)
}

struct DescribedTests {
  @Test func `Paths are offered with what is missing of the server's path`() throws {
    try offers(
      "GET https://pets.test/1️⃣",
      """
      /v1/pets | GET Lists pets
      /v1/stores/{{id}}/pets | GET Pets of a store
      /v1/pets/{{id}} | DELETE Removes a pet | old
      """)
    try offers(
      "@base = https://pets.test/v1\n\n###\nDELETE {{base}}/pe1️⃣",
      """
      /pets/{{id}} | DELETE Removes a pet | old
      /pets | GET, POST Lists pets
      /stores/{{id}}/pets | GET Pets of a store
      """)
  }

  @Test func `A value that is typed stays in the paths that are offered`() throws {
    try offers("GET {{unknown}}/stores/7/1️⃣", "/stores/7/pets | GET Pets of a store")
  }

  @Test func `Methods of the URL come first`() throws {
    let text = MarkedText("1️⃣ https://pets.test/v1/pets\n")
    let analysis = Bench().analysis(text.bytes)
    let items = analysis.completion(at: text.offset(), with: try sources()).items
    #expect(items.prefix(3).map(\.label) == ["GET", "POST", "PUT"])
    #expect(items.first?.origin == "Lists pets")
  }

  @Test func `A query has the names and values of its description`() throws {
    try offers(
      "GET https://pets.test/v1/pets?1️⃣",
      """
      status | "sold" | "left & right", required
      limit | integer 1…100
      all | boolean | old
      """)
    try offers(
      "GET https://pets.test/v1/pets?status=1️⃣",
      """
      sold | "sold" | "left & right"
      left%20%26%20right | "sold" | "left & right"
      """)
    try offers("GET {{host}}/v1/pets\n  ?all=1️⃣", "true | boolean\nfalse | boolean")
    try offers("GET https://pets.test/v1/nothing?1️⃣", "")
  }

  @Test func `Header fields and their values are offered`() throws {
    try offers(
      "GET https://pets.test/v1/pets\n1️⃣",
      "X-Trace | string\nAccept | application/json")
    try offers("GET https://pets.test/v1/pets\nx-trace: 1️⃣", "t-1 | string")
    try offers("POST https://pets.test/v1/pets\nAuthorization: 1️⃣", "Bearer {{token}} | token")
    try offers(
      "POST https://pets.test/v1/pets\nContent-Type: 1️⃣",
      "application/json\napplication/x-www-form-urlencoded")
  }

  @Test func `A body has the keys and values of its schema`() throws {
    let head = "POST https://pets.test/v1/pets\nContent-Type: application/json\n\n"
    try offers(
      head + "{\n  1️⃣\n}",
      """
      kind | "cat" | "dog", required
      tame | boolean
      owner | object
      toys | array of object
      name | string
      """)
    try offers(
      head + #"{"kind": 1️⃣}"#, "\"cat\" | \"cat\" | \"dog\"\n\"dog\" | \"cat\" | \"dog\"")
    try offers(head + #"{"owner": {1️⃣}}"#, "city | string")
    try offers(head + #"{"toys": [{"colour": "1️⃣"}]}"#,
      "\"red\" | \"red\" | \"blue\"\n\"blue\" | \"red\" | \"blue\"")
  }

  @Test func `A key is inserted with what its value begins with`() throws {
    let text = MarkedText(
      "POST https://pets.test/v1/pets\nContent-Type: application/json\n\n{1️⃣}")
    let analysis = Bench().analysis(text.bytes)
    let items = analysis.completion(at: text.offset(), with: try sources()).items
    #expect(items.first { $0.label == "owner" }?.snippet == #""owner": {$1\}"#)
    #expect(items.first { $0.label == "name" }?.documentation == "What it is called.")
  }

  @Test func `A form has the fields of its schema`() throws {
    try offers(
      "POST https://pets.test/v1/pets\nContent-Type: application/x-www-form-urlencoded\n\nkin1️⃣",
      #"kind | "cat" | "dog", required"#)
  }

  @Test func `A path into an answer that never came has the described members`() throws {
    let login = "### \n# @name all\nGET https://pets.test/v1/pets\n\n###\n"
    try offers(
      login + "GET https://pets.test/{{all.response.body.1️⃣}}",
      "items | described: array of Pet\nnext | described: string")
    try offers(
      login + "GET https://pets.test/{{all.response.body.$.items[0].na1️⃣}}",
      "name | described: string")
  }

  @Test(arguments: [
    ("DEL1️⃣ETE https://pets.test/v1/pets/7", "**DELETE** `/pets/{id}` Removes a pet"),
    ("DELETE https://pets.test/v1/pets/71️⃣", "`id` (path, required): `string`"),
    ("GET https://pets.test/v1/pets?sta1️⃣tus=sold", "`status` (query, required): `\"sold\""),
    ("POST https://pets.test/v1/pets\n\n{\"na1️⃣me\": \"x\"}", "`name`: `string`"),
    ("PUT https://pets.test/v1/pe1️⃣ts", ""),
  ])
  func `A hover tells what is described`(marked: String, expected: String) throws {
    let text = MarkedText(marked)
    let hover = Bench().analysis(text.bytes).describedHover(at: text.offset(), in: try index()) {
      "at \($0.view.range.lowerBound)"
    }
    let markdown = hover?.markdown ?? ""
    #expect(markdown.hasPrefix(expected))
    #expect((hover == nil) == expected.isEmpty)
  }

  @Test func `A description is no mark in what is shown`() throws {
    let text = MarkedText("GET https://x.test/1️⃣a")
    let tree = try JSONTree(
      parsing: Array(
        #"""
        {"openapi":"3.1.0","paths":{"/a":{"get":{"summary":"![x](http://evil.test/y)",
        "description":"<img src=x> [l](http://evil.test)"}}}}
        """#.utf8))
    let index = DescriptionIndex(try #require(APIDescription(DescriptionDocuments(tree))))
    let analysis = Bench().analysis(text.bytes)
    let hover = analysis.describedHover(at: text.offset(), in: index) { _ in "" }
    let markdown = try #require(hover).markdown
    #expect(!markdown.contains(" [l]") && !markdown.contains(" <img") && !markdown.contains("!["))
  }

  @Test(arguments: [
    ("POST https://pets.test/v1/pe1️⃣ts", "Pet"),
    ("POST https://pets.test/v1/pets\n\n1️⃣{\"tame\": true}", "Pet"),
    ("GET https://pets.test/v1/pets/?sta1️⃣tus=sold", ""),
    (
      "### a\n# @name all\nGET https://pets.test/v1/pets\n\n### b\n"
        + "GET {{all.response.body.it1️⃣ems}}", "Pet"
    ),
    ("DELETE https://pets.test/v1/pets/71️⃣", ""), ("GET https://pets.test/v1/no1️⃣thing", "-"),
    ("# note1️⃣\nGET https://pets.test/v1/pets", "-"),
  ])
  func `A type is the schema of the description`(marked: String, expected: String) throws {
    let text = MarkedText(marked)
    let found = Bench().analysis(text.bytes).describedTypes(at: text.offset(), in: try index())
    let names = found.map { $0.places.map { $0.view.string ?? "" }.joined(separator: " ") }
    #expect(names ?? "-" == expected)
  }

  @Test func `An answer that is read is told by its description`() throws {
    let text = MarkedText(
      "### a\n# @name all\nGET https://pets.test/v1/pets\n\n### b\n"
        + "GET https://a.test/{{all.response.body.$.items[0].na1️⃣me}}")
    let analysis = Bench().analysis(text.bytes)
    #expect(analysis.describedBlock(at: text.offset())?.index == 0)
    let hover = analysis.describedHover(at: text.offset(), in: try index()) { _ in "" }
    #expect(hover?.markdown.hasPrefix("`name`: `string`") == true)
  }

  @Test func `A definition is the name of a member in the description`() throws {
    let text = MarkedText("POST https://pets.test/v1/pets\n\n{\"tame1️⃣\": true}")
    let analysis = Bench().analysis(text.bytes)
    let found = analysis.describedDefinition(at: text.offset(), in: try index())
    #expect(found?.place.view.string == "tame")
  }
}
