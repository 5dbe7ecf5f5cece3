// Texts that nobody should write, and all that lies between nothing and a good one.

import PostKitTestSupport
import Testing

@testable import PostKitDescription

@Suite struct GraphQLHostileTests {
  private let sample = #"""
    # A comment
    query Find($id: ID! = "7", $g: [Genre!] = [NOVEL]) @paid(price: 1) {
      x: book(id: $id) { ...Parts title @skip(if: true) }
      books(filter: { title: """a "b" """, years: { from: -1 } }, genres: $g) { {{more}} }
      search(text: "a\"\u00e9") { ... on Magazine { issue } __typename }
    }
    fragment Parts on Book { id author { name } }
    """#

  /// Asks everything at an offset.
  private func askAll(_ query: GraphQLQuery, at offset: Int) {
    _ = query.completion(at: offset)
    _ = query.hover(at: offset)
    _ = query.definition(at: offset)
    _ = query.signature(at: offset)
    _ = query.actions(in: offset..<offset)
    _ = query.variableCompletion(at: offset)
    _ = query.variableHover(at: offset)
    _ = query.variableDefinition(at: offset)
  }

  private func checkShape(_ tree: GraphQLTree) {
    for (index, node) in tree.nodes.enumerated().dropFirst() {
      let parent = tree.nodes[Int(node.parent)]
      #expect(Int(node.parent) < index && node.next <= parent.next && Int(node.next) > index)
      #expect(node.start <= node.end && Int(node.end) <= tree.bytes.count)
      #expect(node.nameStart <= node.nameEnd && Int(node.nameEnd) <= tree.bytes.count)
      #expect(parent.start <= node.start && node.end <= parent.end)
    }
  }

  @Test func `every prefix is read and can be asked at its end`() {
    let bytes = Array(sample.utf8)
    for end in 0...bytes.count {
      let query = GraphQLQuery(Array(bytes[..<end]), variables: nil, schema: library)
      checkShape(query.tree)
      for finding in query.findings() { #expect(finding.range.upperBound <= end) }
      askAll(query, at: end)
    }
  }

  @Test func `in every prefix a new selection can be written where one is open`() {
    let text = "query Find { books(first: 1) { id author { name } } person { books { id } } }"
    for end in text.utf8.indices where text.utf8[end] == UInt8(ascii: "{") {
      let prefix = String(text[...end])
      let answer = request(prefix).completion(at: prefix.utf8.count)
      #expect(answer?.items.isEmpty == false, "\(prefix)")
      #expect(answer?.items.contains { $0.label == "__typename" } == true, "\(prefix)")
    }
  }

  @Test func `texts with random changes are read and can be asked anywhere`() {
    var generator = RepeatableGenerator(seed: 40)
    for _ in 0..<80 {
      var bytes = Array(sample.utf8)
      for _ in 0..<generator.int(in: 1..<4) { bytes = generator.mutated(bytes) }
      let variables = #"{"id": {{x}}, "g": ["NOVEL", {"a": 1}], "z": "\n"}"#
      let json = generator.mutated(Array(variables.utf8))
      let query = GraphQLQuery(bytes, variables: json, schema: library)
      checkShape(query.tree)
      _ = query.findings()
      _ = query.variableFindings()
      askAll(query, at: generator.int(in: 0..<bytes.count + 1))
      for offset in stride(from: 0, to: json.count, by: 3) {
        _ = query.variableCompletion(at: offset)
      }
    }
  }

  @Test func `definitions with random changes are read`() {
    var generator = RepeatableGenerator(seed: 41)
    for _ in 0..<60 {
      var bytes = Array(libraryDefinitions.utf8)
      for _ in 0..<generator.int(in: 1..<5) { bytes = generator.mutated(bytes) }
      let schema = GraphQLSchema(sources: [GraphQLSource(path: "", bytes: bytes)])
      checkShape(GraphQLTree(parsing: bytes, allowsTemplates: false))
      let query = GraphQLQuery(Array(sample.utf8), schema: schema)
      _ = query.findings()
      askAll(query, at: generator.int(in: 0..<sample.utf8.count))
    }
  }

  @Test(arguments: [
    "{", "{ ", "{a", "[", "(", "{a(b:[", "{a(b:{c:", "\"\"\"", "...", "query Q($a:[", "@", "&", "|",
    "{{", "}}", "{a ", "fragment F on ", "type A{", "\\u{", "extend ", "...F ", "a: $b ", "@a ",
    "{a(b:1)", "query Q{a}", "fragment F on B{...F}", "type A{a:A}", "directive @a on FIELD ",
    "{\"a\":", "\"a\":1,",
  ])
  func `a hundred thousand of one thing end at once`(piece: String) {
    let bytes = Array(String(repeating: piece, count: 100_000).utf8)
    let tree = GraphQLTree(parsing: bytes, caret: bytes.count)
    #expect(tree.problems.count <= 100)
    let query = GraphQLQuery(bytes, variables: bytes, schema: library)
    #expect(query.findings().count <= GraphQLCheck.findingLimit)
    _ = query.variableFindings()
    _ = query.variableCompletion(at: bytes.count)
    _ = GraphQLSchema(sources: [GraphQLSource(path: "", bytes: bytes)])
  }

  @Test func `fragments that double again and again end at once`() {
    let fragments = (0..<60).map { number in
      let next = "...F\(number + 1)"
      return "fragment F\(number) on Node { x: id \(next) y: id \(next) ... on Node { \(next) } }"
    }
    let text = "{ node(id: 1) { ...F0 } }\n" + fragments.joined(separator: "\n")
      + "\nfragment F60 on Node { id }"
    #expect(broken(text).isEmpty)
    let nested = (0..<60).map { number in
      let books = "books { author { ...G\(number + 1) } }"
      return "fragment G\(number) on Person { a: \(books) b: \(books) }"
    }
    let other = "{ person { ...G0 } }\n" + nested.joined(separator: "\n")
      + "\nfragment G60 on Person { id }"
    #expect(broken(other) == ["deprecated person"])
  }

  @Test func `a thousand operations that share a thousand fragments end at once`() {
    let operations = (0..<1000).map { "query Q\($0)($a: ID!) { node(id: $a) { ...F0 } }" }
    let fragments = (0..<1000).map { "fragment F\($0) on Node { id ...F\(($0 + 1) % 1000) }" }
    let text = (operations + fragments).joined(separator: "\n")
    #expect(Set(request(text).findings().map(\.rule)) == [.fragmentCycle])
  }
}
