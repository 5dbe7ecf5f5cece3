// Hover, definition and signature.

import PostKitTestSupport
import Testing

@testable import PostKitDescription

@Suite struct GraphQLNamesTests {
  @Test(arguments: [
    ("{ b1️⃣ook(id: 1) { id } }", "Query.book(id: ID!): Book | One book."),
    ("{ x1️⃣: book(id: 1) { id } }", "Query.book(id: ID!): Book | One book."),
    ("{ book(i1️⃣d: 1) { id } }", "id: ID! | Its number."),
    ("{ book(id: 1) { i1️⃣sbn } }", "Book.isbn: String | deprecated No longer supported"),
    ("{ books(filter: { ge1️⃣nre: NOVEL }) { id } }", "BookFilter.genre: Genre = NOVEL"),
    ("{ books(genres: [PU1️⃣LP]) { id } }",
     "Genre.PULP | No longer bought. | deprecated Nobody reads it."),
    ("{ search(text: \"\") { ... on Bo1️⃣ok { id } } }",
     "type Book implements Node | A book.\n  It has pages."),
    ("query ($f: [BookF1️⃣ilter!]) { books { id } }", "input BookFilter"),
    ("{ search(text: \"\") { ... on Find1️⃣ing { __typename } } }",
     "union Finding = Book | Magazine"),
    ("{ __type1️⃣name }", "Query.__typename: String! | The name of the object's type."),
    ("{ books @pa1️⃣id { id } }", "@paid(price: Int! = 100, by: Coin) | Marks what costs money."),
    ("query ($n: ID! = 7) { book(id: $1️⃣n) { id } }",
     "$n: ID! = 7 | A value that identifies something. It is sent as a string; "
      + "numbers are accepted, too."),
    ("query ($1️⃣n: Genre) { books(genres: $n) { id } }", "$n: Genre"),
    ("{ ...1️⃣F } fragment F on Query { __typename }", "fragment F on Query"),
  ])
  func `a name says what it stands for`(marked: String, expected: String) throws {
    let text = MarkedText(marked)
    let hover = try #require(request(text.text).hover(at: text.offset()))
    let parts = [
      hover.declaration, hover.description, hover.deprecation.map { "deprecated " + $0 },
    ]
    #expect(parts.compactMap { $0 }.joined(separator: " | ") == expected)
  }

  @Test(arguments: [
    "{ bo1️⃣x }", "{ books(1️⃣ first: 1) }", "query Na1️⃣me { books { id } }", "1️⃣",
  ])
  func `what is unknown says nothing`(marked: String) {
    let text = MarkedText(marked)
    #expect(request(text.text).hover(at: text.offset()) == nil)
  }

  @Test(arguments: [
    ("{ b1️⃣ook(id: 1) { id } }", "schema book"),
    ("{ book(i1️⃣d: 1) { id } }", "schema id"),
    ("{ books(genres: NO1️⃣VEL) { id } }", "schema NOVEL"),
    ("query ($f: Sp1️⃣an) { books { id } }", "schema Span"),
    ("{ books @pa1️⃣id { id } }", "schema paid"),
    ("query ($n: ID!) { book(id: $1️⃣n) { id } }", "text n"),
    ("{ ...F1️⃣ } fragment F on Query { __typename }", "text F"),
    ("{ __type1️⃣name }", "-"), ("{ books @sk1️⃣ip(if: true) { id } }", "-"),
    ("query ($f: Str1️⃣ing) { books { id } }", "-"),
  ])
  func `a name leads to its declaration`(marked: String, expected: String) {
    let text = MarkedText(marked)
    let place =
      switch request(text.text).definition(at: text.offset()) {
      case .text(let range): "text " + String(decoding: text.bytes[range], as: UTF8.self)
      case .schema(let source, let range):
        "schema " + String(decoding: library.sources[source].bytes[range], as: UTF8.self)
      case nil: "-"
      }
    #expect(place == expected)
  }

  @Test(arguments: [
    ("{ books(1️⃣) { id } }", "first: Int = 10"),
    ("{ books(first: 1, 1️⃣) { id } }", "filter: BookFilter"),
    ("{ books(first: 1, filter: {title: 1️⃣\"a\"}) { id } }", "filter: BookFilter"),
    ("{ books(nope: 1️⃣1) { id } }", "-"),
    ("{ books(genres: [1️⃣", "genres: [Genre!]"),
    ("{ books @paid(by: 1️⃣", "by: Coin"),
    ("{ book(id: 1) { rating(1️⃣) } }", "scale: Float! = 5.0"),
  ])
  func `a list of arguments shows the one at the caret`(marked: String, expected: String) throws {
    let text = MarkedText(marked)
    let signature = try #require(request(text.text).signature(at: text.offset()))
    let active = signature.active.map { index in
      let range = signature.parameters[index].range
      return String(decoding: Array(signature.label.utf8)[range], as: UTF8.self)
    }
    #expect(active ?? "-" == expected)
  }

  @Test func `a signature has everything that the schema says`() throws {
    let query = request("{ book(id: 1) { id } }")
    let signature = try #require(query.signature(at: 8))
    #expect(signature.label == "book(id: ID!): Book")
    #expect(signature.documentation == "One book.")
    #expect(signature.parameters.map(\.documentation) == ["Its number."])
    #expect(query.signature(at: 6) == nil)
    #expect(query.signature(at: 13) == nil)
    #expect(request("{ a @skip(", schema: nil).signature(at: 10)?.label == "@skip(if: Boolean!)")
  }

  @Test func `a fragment from elsewhere takes part`() throws {
    let own = "query { ...F }"
    let text = own + "\nfragment F on Query { nope }"
    let query = GraphQLQuery(Array(text.utf8), own: own.utf8.count, schema: library)
    #expect(query.findings().isEmpty)
    #expect(query.definition(at: 12) == .text(24..<25))
    let broken = "query { ...F "
    let other = GraphQLQuery(
      Array((broken + text.dropFirst(own.count)).utf8), own: broken.utf8.count, schema: library)
    #expect(other.findings().map(\.rule) == [.syntax])
  }
}
