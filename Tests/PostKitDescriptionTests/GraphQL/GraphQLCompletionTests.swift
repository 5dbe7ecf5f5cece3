// What can be typed at a place of a request.

import PostKitTestSupport
import Testing

@testable import PostKitDescription

@Suite struct GraphQLCompletionTests {
  @Test(arguments: [
    ("1️⃣", ["query", "mutation", "subscription", "fragment"]),
    ("que1️⃣", ["query", "mutation", "subscription", "fragment"]),
    ("query { search(text: \"a\") { 1️⃣ } }", ["__typename"]),
    ("query { search(text: \"a\") { ... on Magazine { 1️⃣", ["title", "issue", "__typename"]),
    ("{ search(text: \"a\") { ...M } } fragment M on Magazine { ti1️⃣ }",
     ["title", "issue", "__typename"]),
    ("subscription { 1️⃣ }", ["lent", "returned", "__typename"]),
    ("{ a: 1️⃣ }",
     ["books", "book", "search", "node", "matrix", "__typename", "__schema", "__type", "person"]),
    ("{ node(id: 1) { 1️⃣ }", ["id", "__typename"]),
    ("{ __schema { directives { 1️⃣ } } }",
     ["name", "description", "locations", "args", "isRepeatable", "__typename"]),
    ("{ books(1️⃣) { id } }", ["first: ", "filter: ", "genres: ", "tags: "]),
    ("{ books(first: 1, fi1️⃣: {}) { id } }", ["filter", "genres", "tags"]),
    ("{ books(first: 1, 1️⃣", ["filter: ", "genres: ", "tags: "]),
    ("{ books(filter: { 1️⃣ }) { id } }",
     ["title: ", "genre: ", "years: ", "authorId: ", "isNew: "]),
    ("{ books(filter: { years: { 1️⃣ } }) { id } }", ["from: ", "to: "]),
    ("{ books(filter: { genre: 1️⃣ }) { id } }", ["NOVEL", "POETRY", "null", "PULP"]),
    ("{ books(filter: { isNew: t1️⃣ }) { id } }", ["true", "false"]),
    ("{ books(genres: [NOVEL, 1️⃣]) { id } }", ["NOVEL", "POETRY", "PULP"]),
    ("query ($a: Int, $b: Int!, $c: String = \"\") { books(first: 1️⃣) { id } }",
     ["$a", "$b", "null"]),
    ("query ($a: ID, $b: ID!) { book(id: $1️⃣) { id } }", ["$b"]),
    ("query ($a: ID = 1, $b: ID!) { book(id: $a1️⃣) { id } }", ["$a", "$b"]),
    ("query ($a: ID!) { ...F } fragment F on Query { book(id: 1️⃣) { id } }", ["$a"]),
    ("query ($a: Genre!) { books(genres: [1️⃣]) { id } }", ["$a", "NOVEL", "POETRY", "PULP"]),
    ("{ books @1️⃣ { id } }", ["@paid", "@include", "@skip"]),
    ("{ books @skip(if: true) @s1️⃣ { id } }", ["@paid", "@include"]),
    ("query @1️⃣ { books { id } }", ["@paid"]),
    ("{ books @include(1️⃣) { id } }", ["if: "]),
    ("{ books @include(if: 1️⃣) { id } }", ["true", "false"]),
    ("query ($a: 1️⃣) { a }",
     ["Date", "Genre", "BookFilter", "Span", "Choice", "Coin", "String", "Int", "Float", "Boolean",
       "ID"]),
    ("query ($a: [Bo1️⃣]) { a }",
     ["Date", "Genre", "BookFilter", "Span", "Choice", "Coin", "String", "Int", "Float", "Boolean",
       "ID"]),
    ("query ($1️⃣) { book(id: $number) { rating(scale: $scale) } }",
     ["$number: ID!", "$scale: Float!"]),
    ("query ($number: ID!, $s1️⃣) { book(id: $number) { rating(scale: $scale) } }",
     ["$scale: Float!"]),
    ("fragment F on 1️⃣ { id }",
     ["Query", "Node", "Book", "Person", "Magazine", "Finding", "Mutation", "Subscription"]),
    ("{ search(text: \"\") { ... on 1️⃣ } }", ["Node", "Book", "Magazine", "Finding"]),
    ("{ person { ...1️⃣ } } fragment P on Person { id } fragment M on Magazine { issue }\n"
      + "fragment N on Node { id }",
     ["N", "P", "on ", "on Node", "on Person"]),
    ("fragment A on Node { ...A1️⃣ } fragment B on Node { id }",
     ["B", "on ", "on Node", "on Book", "on Person", "on Finding"]),
  ])
  func `a place has its candidates`(marked: String, expected: [String]) {
    #expect(completion(marked) == expected)
  }

  @Test(arguments: [
    "{ books(tags: \"a1️⃣\") { id } }", "{ books # 1️⃣\n }", "query Na1️⃣ { a }", "{ {{na1️⃣me}} }",
    "query N($a: Int) 1️⃣ { a }",
  ])
  func `nothing is offered where only words of the user's own can stand`(marked: String) {
    #expect(completion(marked) == nil)
  }

  @Test func `a candidate replaces the word at the caret`() throws {
    func replaced(_ marked: String) throws -> String {
      let text = MarkedText(marked)
      let answer = try #require(request(text.text).completion(at: text.offset()))
      return String(decoding: text.bytes[answer.replaced], as: UTF8.self)
    }
    #expect(try replaced("{ bo1️⃣oks }") == "books")
    #expect(try replaced("{ 1️⃣books }") == "")
    #expect(try replaced("{ a @inc1️⃣ }") == "@inc")
    #expect(try replaced("query ($a: Int) { books(first: $a1️⃣)") == "$a")
    #expect(try replaced("{ ...on Bo1️⃣") == "Bo")
  }

  @Test func `a candidate says its type, what it is for and whether it should be used`() throws {
    let text = MarkedText("{ 1️⃣ }")
    let items = try #require(request(text.text).completion(at: text.offset())).items
    let book = try #require(items.first { $0.label == "book" })
    #expect(book.kind == .field)
    #expect(book.detail == "Book")
    #expect(book.documentation == "One book.")
    #expect(book.deprecation == nil)
    #expect(items.first { $0.label == "person" }?.deprecation == "Use `node`.")
  }

  @Test(arguments: [
    ("1️⃣", ["query", "mutation", "subscription", "fragment"]),
    ("{ a { 1️⃣ } }", ["__typename"]),
    ("query ($a: ID!, $b: X) { c(d: 1️⃣) }", ["$a", "$b", "true", "false", "null"]),
    ("{ a @1️⃣ }", ["@include", "@skip"]),
    ("{ a @skip(1️⃣) }", ["if: "]),
    ("{ ...1️⃣ } fragment A on B { c }", ["A", "on "]),
    ("query ($1️⃣) { a(b: $c) }", ["$c"]),
    ("query ($a: 1️⃣) { a }", ["String", "Int", "Float", "Boolean", "ID"]),
  ])
  func `without a schema the text itself has candidates`(marked: String, expected: [String]) {
    #expect(completion(marked, schema: nil) == expected)
  }
}
