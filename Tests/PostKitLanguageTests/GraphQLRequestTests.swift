// What an editor shows in GraphQL bodies: places in the file, whatever stands around them.

import PostKitDescription
import PostKitEvaluate
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

@testable import PostKitLanguage

@Suite struct GraphQLRequestTests {
  private func sources() -> CompletionSources {
    var sources = CompletionSources()
    sources.schema = GraphQLBench.schema
    return sources
  }

  private func analysis(_ marked: String) -> (analysis: Analysis, text: MarkedText) {
    let text = MarkedText(marked)
    return (Bench().analysis(text.bytes), text)
  }

  @Test(arguments: [
    ("GRAPHQL {{host}}\n\nquery { user(id: 1) { n1️⃣ } }", "name | String"),
    ("POST {{host}}\nX-REQUEST-TYPE: graphql\n\nquery { user(id: 1) { n1️⃣ } }", "name | String"),
    ("POST {{host}}\n\nquery { user(id: 1) { n1️⃣ } }", "name | String"),
    ("# @graphql\nPOST {{host}}\n\n{ user(id: 1) { n1️⃣ } }", "name | String"),
    (
      "POST {{host}}\nContent-Type: application/graphql\n\n{ user(id: 1) { n1️⃣ } }",
      "name | String"
    ),
  ])
  func `fields are offered wherever a body is GraphQL`(marked: String, first: String) {
    checkCompletion(marked, with: sources(), limit: 1, is: first)
  }

  @Test func `a body of GraphQL in JSON, and one that is none, get nothing of it`() {
    checkCompletion(
      "# @no-gql-parsing\nPOST {{host}}\n\nquery { us1️⃣ }", with: sources(), kind: .member,
      is: "")
  }

  @Test func `an item goes in where its word stands`() throws {
    try checkInsertion(
      "### a\nGET {{host}}\n\n### b\nGRAPHQL {{host}}\n\nquery A {\n  user(id: 1) { na1️⃣ }\n}\n",
      "name", with: sources(),
      is: "### a\nGET {{host}}\n\n### b\nGRAPHQL {{host}}\n\nquery A {\n"
        + "  user(id: 1) { name1️⃣ }\n}\n")
  }

  @Test func `variables are offered in their JSON`() throws {
    try checkInsertion(
      "GRAPHQL {{host}}\n\nquery A($first: Int) { users(first: $first) { id } }\n\n{ \"1️⃣\" }",
      "first", with: sources(),
      is: "GRAPHQL {{host}}\n\nquery A($first: Int) { users(first: $first) { id } }\n\n"
        + "{ \"first\": 1️⃣ }")
  }

  @Test func `a hover has the declaration, and how old a fetched schema is`() throws {
    let (analysis, text) = analysis("GRAPHQL {{host}}\n\nquery { us1️⃣er(id: 1) { id } }")
    let offset = text.offset()
    let found = try #require(
      GraphQLBench.request(analysis, at: offset)?.hover(at: offset, now: 0))
    #expect(found.markdown.contains("user(id: ID!): User"))
    #expect(found.markdown.contains("One person"))
    #expect(found.markdown.hasSuffix("from `schema.graphql`"))
    #expect(analysis.document.bytes[found.range].elementsEqual("user".utf8))
    let fetched = ServiceSchema(
      GraphQLBench.schema.schema, .service(url: "https://dev.test/graphql", time: 0))
    let old = try #require(
      GraphQLBench.request(analysis, at: offset, fetched)?
        .hover(at: offset, now: 3 * 86_400_000 + 5))
    #expect(old.markdown.hasSuffix("from `https://dev.test/graphql`, fetched 3 days ago"))
  }

  @Test func `texts of a schema make no links and no pictures`() throws {
    let schema = ServiceSchema(
      GraphQLSchema(sources: [
        GraphQLSource(
          path: "/a.graphql",
          bytes: Array("type Query { \"![x](https://evil.test/a.png) <img>\" a: Int }".utf8))
      ]), .files(["/a.graphql"]))
    let (analysis, text) = analysis("GRAPHQL {{host}}\n\nquery { 1️⃣a }")
    let found = try #require(
      GraphQLBench.request(analysis, at: text.offset(), schema)?
        .hover(at: text.offset(), now: 0))
    #expect(!found.markdown.contains("![x]") && !found.markdown.contains("<img>") || found
      .markdown.contains("\\[") && found.markdown.contains("\\<"))
  }

  @Test func `a name leads to its declaration, in the schema or the file`() throws {
    let (analysis, text) = analysis(
      "GRAPHQL {{host}}\n\nquery { users { 1️⃣name ...2️⃣Id } }\nfragment 3️⃣Id4️⃣ on User { id }")
    let request = try #require(GraphQLBench.request(analysis, at: text.offset(1)))
    let inSchema = try #require(
      request.definitions(at: text.offset(1), in: analysis.document).first)
    #expect(inSchema.path == "/project/schema.graphql")
    let bytes = Array(GraphQLBench.definitions.utf8)
    #expect(bytes[inSchema.range].elementsEqual("name".utf8))
    let own = try #require(request.definitions(at: text.offset(2), in: analysis.document).first)
    #expect(own.path == nil && own.range == text.offset(3)..<text.offset(4))
  }

  @Test func `a fragment before the request takes part`() throws {
    let (analysis, text) = analysis(
      "fragment 1️⃣Id2️⃣ on User {\n  id\n}\n\n###\nGRAPHQL {{host}}\n\n"
        + "query { users { ...3️⃣Id } }\n")
    #expect(GraphQLBench.diagnostics(analysis) == [])
    let offset = text.offset(3)
    let found = try #require(
      GraphQLBench.request(analysis, at: offset)?
        .definitions(at: offset, in: analysis.document).first)
    #expect(found.range == text.offset(1)..<text.offset(2))
  }

  @Test func `a fragment before requests is GraphQL itself`() throws {
    let (analysis, text) = analysis(
      "fragment Id on User {\n  1️⃣na\n  ...2️⃣Naem\n}\nfragment 3️⃣Name on User { name }\n\n###\n"
        + "GRAPHQL {{host}}\n\nquery { users { ...4️⃣ } }\n")
    #expect(
      GraphQLBench.diagnostics(analysis).map(\.code) == [
        .graphQLField, .graphQLFragmentUnknown, .graphQLSyntax,
      ])
    for (mark, label) in [(1, "name"), (2, "Name"), (4, "Id"), (4, "Name")] {
      let offset = text.offset(mark)
      let items = GraphQLBench.request(analysis, at: offset)?.completion(at: offset) ?? []
      #expect(items.contains { $0.label == label || $0.label == "...\(label)" }, "\(mark) \(label)")
    }
    var sources = CompletionSources()
    sources.schema = GraphQLBench.schema
    let offered = analysis.completion(at: text.offset(1), with: sources, limit: 50)
    #expect(offered.items.contains { $0.label == "name" })
  }

  @Test func `a fragment is renamed with all its uses, and no other`() throws {
    let (analysis, text) = analysis(
      "fragment 1️⃣Id on User { id }\nfragment More on User { ...2️⃣Id name }\n\n###\n"
        + "GRAPHQL {{host}}\n\nquery { users { ...3️⃣Id ...More } }\n\n###\n"
        + "GRAPHQL {{host}}\n\nquery { users { ...4️⃣Id } }\nfragment 5️⃣Id on User { name }\n")
    for mark in 1...3 {
      let uses = try #require(analysis.fragment(at: text.offset(mark)))
      #expect(uses.name == "Id" && uses.place.lowerBound == text.offset(mark))
      let places = try uses.renamed(to: "Other").map(\.range.lowerBound)
      #expect(places == [text.offset(1), text.offset(2), text.offset(3)])
    }
    let own = try #require(analysis.fragment(at: text.offset(4)))
    #expect(own.highlights.map(\.range.lowerBound) == [text.offset(4), text.offset(5)])
    for name in ["on", "1a", "a b", "", "More", "ä"] {
      #expect(throws: RenameRefusal.self, "\(name)") { try own.renamed(to: name) }
    }
    #expect(analysis.fragment(at: text.offset(3) + 12) == nil)
  }

  /// So many fragments, each of which uses the next, and a query that uses the first.
  private func chain(_ count: Int) -> String {
    (1..<count).map { "fragment F\($0) on User { id ...F\($0 + 1) }\n" }.joined()
      + "fragment F\(count) on User { id }\n\n###\n"
      + "GRAPHQL {{host}}\n\nquery { users { ...1️⃣F1 } }\n"
  }

  @Test func `a long chain of fragments is no work without end`() throws {
    let (analysis, text) = analysis(chain(2_000))
    let offset = text.offset()
    let uses = try #require(analysis.fragment(at: offset))
    #expect(uses.highlights.count == 2)
    #expect(try uses.renamed(to: "Other").count == 2)
    // What is asked at a place has the others once.
    for place in [1, offset] {
      let parts = try #require(analysis.graphQL(at: place)?.parts)
      #expect(String(decoding: parts.added, as: UTF8.self).contains("fragment F2000 on"))
      #expect(parts.unused == [] && parts.added.count < analysis.document.bytes.count)
    }
  }

  @Test func `each fragment of a chain has those behind it`() {
    let (analysis, _) = analysis(chain(100))
    let parts = analysis.document.blocks.flatMap { analysis.allGraphQL(of: $0) }
    let counts = parts.map { part in
      String(decoding: part.added, as: UTF8.self).split(separator: "\n").count
    }
    #expect(counts == Array((0..<100).reversed()) + [100])
  }

  @Test func `arguments are explained in their brackets`() throws {
    let (analysis, text) = analysis("GRAPHQL {{host}}\n\nquery { users(first: 1, 1️⃣) { id } }")
    let found = try #require(
      GraphQLBench.request(analysis, at: text.offset())?.signature(at: text.offset()))
    #expect(found.signatures.map(\.parameters) == [["first: Int", "order: Order"]])
  }

  @Test func `references and comments are never mistakes`() {
    let (analysis, _) = analysis(
      "GRAPHQL {{host}}\n\n# a comment\nquery {\n  user(id: {{id}}) { {{field}} name }\n}\n\n"
        + "{ \"a\": {{a}} }\n")
    let codes = GraphQLBench.diagnostics(analysis).map(\.code)
    #expect(codes.allSatisfy { $0 == .graphQLVariablesUnknown })
  }

  @Test func `without a schema only the text is judged`() {
    let (good, _) = analysis("GRAPHQL {{host}}\n\nquery A { anything(at: ALL) { whatever } }")
    #expect(GraphQLBench.diagnostics(good, nil, nil) == [])
    let (bad, _) = analysis("GRAPHQL {{host}}\n\nquery A { a { ...Missing } }")
    #expect(GraphQLBench.diagnostics(bad, nil, nil).map(\.code) == [.graphQLFragmentUnknown])
  }

  @Test func `variables that stand in a file are not missed`() {
    let (analysis, _) = analysis(
      "GRAPHQL {{host}}\n\nquery A($id: ID!) { user(id: $id) { id } }\n\n< ./with.json\n")
    #expect(GraphQLBench.diagnostics(analysis) == [])
  }

  /// The text after a change of a title; `nil` where it is not offered.
  private func changed(_ marked: String, _ title: String, lineEnd: String) throws -> String? {
    let (analysis, text) = analysis(marked)
    let at = text.offset()
    let change = GraphQLBench.request(analysis, at: at)?.changes(in: at..<at, lineEnd: lineEnd)
      .first { $0.title == title }
    guard let change else { return nil }
    let bytes = try #require(TextEdit.apply(change.edits, to: analysis.document.bytes))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: ["", "\r\n\r\n{}", "\r\n\r\n{\r\n  \"a\": 1\r\n}"])
  func `a value becomes a variable with the line ends of the file`(variables: String) throws {
    let text = try #require(
      try changed(
        "GRAPHQL {{host}}\r\n\r\nquery A { user(id: 1️⃣1) { id } }" + variables,
        "Extract variable `$id`", lineEnd: "\r\n"))
    #expect(text.contains("query A($id: ID!) { user(id: $id) { id } }\r\n\r\n{"))
    #expect(text.contains("\r\n  \"id\": 1\r\n}"))
    // A line end of the file is one character.
    #expect(!text.contains { $0 == "\n" })
  }

  @Test func `a body that is the query has no room for variables`() throws {
    let text = "POST {{host}}\nContent-Type: application/graphql\n\n{ user(id: 1️⃣1) { id } }"
    #expect(try changed(text, "Extract variable `$id`", lineEnd: "\n") == nil)
    #expect(try changed(text, "Fill all leaf fields", lineEnd: "\n") != nil)
  }

  @Test func `what is wrong with a schema is told where it is named`() throws {
    let (plain, _) = analysis("GRAPHQL {{host}}\n\nquery { a }")
    let hint = Diagnostic.schemaFailure("x", of: plain.document.blocks[0], in: plain.document)
    #expect(hint.severity == .hint && hint.range == plain.document.blocks[0].requestLine)
    let (named, _) = analysis("# @graphql-schema https://a.test/x\nGRAPHQL {{host}}\n\n{ a }")
    let told = Diagnostic.schemaFailure("x", of: named.document.blocks[0], in: named.document)
    #expect(told.range == named.document.schemaTag(of: nil)?.range)
    #expect(told.message.hasPrefix("A schema is not read from a URL; use the action Fetch"))
  }

  @Test func `a keystroke looks at one block`() throws {
    var cache = GraphQLFindings()
    let text = (0..<20).map { "### \($0)\nGRAPHQL {{host}}\n\nquery { users { id } }\n\n" }.joined()
    let first = ParsedDocument(bytes: Array(text.utf8))
    #expect(cache.begin(first, [:]).count == first.blocks.count)
    for block in first.blocks { cache.keep([], of: block) }
    cache.note("1", of: nil)
    #expect(cache.take(first) == [])
    let place = text.utf8.count / 2
    let edited = ParsedDocument(
      bytes: Array(text.utf8.prefix(place)) + Array(" ".utf8) + Array(text.utf8.dropFirst(place)),
      reusing: first)
    #expect(cache.begin(edited, ["": "1"]).count < 4)
    #expect(cache.begin(edited, ["": "2"]).count == edited.blocks.count)
  }

  @Test func `every place of a broken request has an answer`() {
    let text = Array(
      ("GRAPHQL https://a.test\n\nquery A($f: Int) { users(first: $f) { ...X id } }"
        + "\n\n{\"f\": 1}").utf8)
    for end in stride(from: 30, through: text.count, by: 3) {
      let analysis = Bench().analysis(Array(text.prefix(end)))
      for offset in stride(from: 0, through: end, by: 7) {
        guard let request = GraphQLBench.request(analysis, at: offset) else { continue }
        for item in request.completion(at: offset) {
          #expect(item.replaced.lowerBound >= 0 && item.replaced.upperBound <= end)
        }
        _ = request.hover(at: offset, now: 0)
        _ = request.signature(at: offset)
        _ = request.definitions(at: offset, in: analysis.document)
        _ = request.changes(in: offset..<offset, lineEnd: "\n")
      }
      _ = GraphQLBench.diagnostics(analysis)
    }
  }
}
