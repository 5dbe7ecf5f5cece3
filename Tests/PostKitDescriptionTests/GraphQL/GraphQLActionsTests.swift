// Changes that an editor offers.

import PostKitTestSupport
import PostKitText
import Testing

@testable import PostKitDescription

@Suite struct GraphQLActionsTests {
  /// The query after the action whose title begins so, and the variables after it.
  private func changed(
    _ marked: String, _ title: String, variables: String? = nil
  ) throws -> (query: String, variables: String?)? {
    let text = MarkedText(marked)
    let range = text.selections.first ?? text.offset()..<text.offset()
    let actions = request(text.text, variables: variables).actions(in: range)
    guard let action = actions.first(where: { $0.title.hasPrefix(title) }) else { return nil }
    let query = try #require(TextEdit.apply(action.edits, to: text.bytes))
    let after = try variables.map {
      try #require(TextEdit.apply(action.variableEdits, to: Array($0.utf8)))
    }
    let json = action.newVariables ?? after.map { String(decoding: $0, as: UTF8.self) }
    return (String(decoding: query, as: UTF8.self), json)
  }

  @Test(arguments: [
    ("{ search(text: \"\") { ... on Magazine { ti1️⃣tle } } }",
     "{ search(text: \"\") { ... on Magazine { title issue } } }"),
    ("{ search(text: \"\") { ... on Magazine {title1️⃣} } }",
     "{ search(text: \"\") { ... on Magazine {title issue} } }"),
    ("{\n  bo1️⃣oks\n}",
     "{\n  books {\n    id\n    title\n    genre\n    pages\n    rating\n    published\n  }\n}"),
    ("{\n  books {\n\tid\n  1️⃣}\n}",
     "{\n  books {\n\tid\n\ttitle\n\tgenre\n\tpages\n\trating\n\tpublished\n  }\n}"),
    ("{ a1️⃣: node(id: 1) }", "{ a: node(id: 1) {\n  id\n} }"),
    ("{ node(id: 1) {1️⃣} }", "{ node(id: 1) { id } }"),
    ("{ search(text: \"\") {\n1️⃣\n} }", "{ search(text: \"\") {\n  __typename\n\n} }"),
  ])
  func `all simple fields are filled in`(marked: String, expected: String) throws {
    #expect(try changed(marked, "Fill")?.query == expected)
  }

  @Test(arguments: [
    "{ node(id: 1) { i1️⃣d } }", "{ node(id: 1) { 1️⃣", "query 1️⃣Q { a }",
  ])
  func `nothing is filled in where nothing is missing or known`(marked: String) throws {
    #expect(try changed(marked, "Fill") == nil)
  }

  @Test(arguments: [
    ("{ book(id: 1️⃣7) { id } }", nil, "query ($id: ID!) { book(id: $id) { id } }",
     "{\n  \"id\": 7\n}"),
    ("query Q { book(id: \"1️⃣7\") { id } }", "{}", "query Q($id: ID!) { book(id: $id) { id } }",
     "{\n  \"id\": \"7\"\n}"),
    ("query($id: ID!) { a: book(id: $id) { id } b: book(id: 81️⃣) { id } }", "{\"id\": 1}",
     "query($id: ID!, $id2: ID!) { a: book(id: $id) { id } b: book(id: $id2) { id } }",
     "{\"id\": 1, \"id2\": 8}"),
    ("mutation ($to: String!) { a: lend(book: 1, to: $to) { id }\n"
      + "b: lend(book: 1, to: \"1️⃣a\\u0041\\n\") { id } }", "{\n  \"to\": {{x}}\n}\n",
     "mutation ($to: String!, $to2: String!) { a: lend(book: 1, to: $to) { id }\n"
      + "b: lend(book: 1, to: $to2) { id } }",
     "{\n  \"to\": {{x}},\n  \"to2\": \"aA\\n\"\n}\n"),
    ("{ books(filter: 1️⃣{ genre: NOVEL, years: {from: 1} }) { id } }", nil,
     "query ($filter: BookFilter) { books(filter: $filter) { id } }",
     "{\n  \"filter\": { \"genre\": \"NOVEL\", \"years\": { \"from\": 1 } }\n}"),
    ("{ books(filter: { genre: NO1️⃣VEL }) { id } }", nil,
     "query ($genre: Genre) { books(filter: { genre: $genre }) { id } }",
     "{\n  \"genre\": \"NOVEL\"\n}"),
    ("{ books(genres: ⏩[NOVEL, POETRY]⏪) { id } }", "",
     "query ($genres: [Genre!]) { books(genres: $genres) { id } }",
     "{\n  \"genres\": [\"NOVEL\", \"POETRY\"]\n}"),
  ] as [(String, String?, String, String)])
  func `a value becomes a variable`(
    marked: String, variables: String?, query: String, json: String
  ) throws {
    let result = try #require(try changed(marked, "Extract", variables: variables))
    #expect(result.query == query)
    #expect(result.variables == json)
    let after = request(result.query, variables: result.variables)
    #expect(after.findings().isEmpty)
    #expect(after.variableFindings().isEmpty)
  }

  @Test(arguments: [
    "query ($a: ID!) { book(id: $1️⃣a) { id } }", "{ book(id: {{1️⃣x}}) { id } }",
    "query ($a: Int = 11️⃣) { books(first: $a) { id } }", "{ book(nope: 11️⃣) { id } }",
    "{ ...F } fragment F on Query { book(id: 11️⃣) { id } }", "{ book(id: 11️⃣ { id } }",
    "query ($g: Genre!) { books(genres: 1️⃣[$g]) { id } }",
  ])
  func `what is no plain value stays`(marked: String) throws {
    #expect(try changed(marked, "Extract") == nil)
  }

  @Test func `variables that are no JSON are left alone`() throws {
    #expect(try changed("{ book(id: 1️⃣7) { id } }", "Extract", variables: "{") == nil)
  }
}
