// GraphQL bodies on the wire (PK-21, PK-104).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import Testing

@Suite struct GraphQLTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var title: String
    /// What stands above the blank line.
    var head = "POST http://t.test/\n"
    var body: String
    /// The JSON that is sent; `nil` where the body is sent as it is written.
    var json: String?
    var testDescription: String { title }
  }

  private static let laboratory: Laboratory = {
    var laboratory = Laboratory()
    laboratory.files = [
      "q.graphql": "query Find($id: ID!) {\n  user(id: $id) { name }\n}\n",
      "v.json": "{ \"id\": {{id}}, \"n\": 1.50 }", "n.graphql": "{ users }",
    ]
    return laboratory
  }()

  @Test(
    "a query becomes JSON",
    arguments: [
      Case(
        title: "the method GRAPHQL", head: "GRAPHQL http://t.test/\n", body: "query { a }",
        json: #"{"query":"query { a }"}"#),
      Case(
        title: "the header, in any letters",
        head: "POST http://t.test/\nX-Request-Type: GraphQL\n", body: "{ a }",
        json: #"{"query":"{ a }"}"#),
      Case(
        title: "the tag", head: "# @graphql\nPOST http://t.test/\n", body: "{ a }",
        json: #"{"query":"{ a }"}"#),
      Case(
        title: "the body of a request without method", head: "http://t.test/\n",
        body: "query { a }", json: #"{"query":"query { a }"}"#),
      Case(
        title: "a keyword and the selection on the next line", body: "query\n{ a }",
        json: #"{"query":"query\n{ a }"}"#),
      Case(
        title: "variables after a blank line, numbers and escapes as written",
        body: "query A($v: Int) { a }\n\n{\n  \"v\": 1.10e+2, \"t\": \"a \\u00e9 \\\" }\"\n}",
        json: #"{"query":"query A($v: Int) { a }","operationName":"A","#
          + #""variables":{"v":1.10e+2,"t":"a \u00e9 \" }"}}"#),
      Case(
        title: "a query may hold blank lines",
        body: "query A {\n  a\n\n  b\n}\n\n{ \"v\": 1 }",
        json: #"{"query":"query A {\n  a\n\n  b\n}","operationName":"A","variables":{"v":1}}"#),
      Case(
        title: "the first operation with a name gives it, after a fragment named query",
        body: "fragment query on T { b }\n\nquery { a }\n\nmutation Second { c }",
        json: #"{"query":"fragment query on T { b }\n\nquery { a }\n\nmutation Second { c }","#
          + #""operationName":"Second"}"#),
      Case(
        title: "quotes, backslashes and tabs are escaped",
        body: "query {\n\ta(t: \"x \\\\ } y\", u: \"\"\"b\"\"\")\n}",
        json: #"{"query":"query {\n\ta(t: \"x \\\\ } y\", u: \"\"\"b\"\"\")\n}"}"#),
      Case(
        title: "remarks are not sent (PK-5)", body: "query A {\n# {\na\n}\n\n{\n// no\n\"v\":1}",
        json: #"{"query":"query A {\na\n}","operationName":"A","variables":{"v":1}}"#),
      Case(
        title: "a query in a file", head: "GRAPHQL http://t.test/\n",
        body: "< q.graphql\n\n{ \"id\": 7 }",
        json: #"{"query":"query Find($id: ID!) {\n  user(id: $id) { name }\n}\n","#
          + #""operationName":"Find","variables":{"id":7}}"#),
      Case(
        title: "a query in a file with a name of its own (PK-104)",
        body: "gql Mine < q.graphql\n\n{ \"id\": 7 }",
        json: #"{"query":"query Find($id: ID!) {\n  user(id: $id) { name }\n}\n","#
          + #""operationName":"Mine","variables":{"id":7}}"#),
      Case(
        title: "a query in a file without a name", body: "gql < n.graphql",
        json: #"{"query":"{ users }"}"#),
      Case(
        title: "variables in a file", head: "@id = 3\nPOST http://t.test/\n",
        body: "query A { a }\n\n<@ v.json",
        json: #"{"query":"query A { a }","operationName":"A","variables":{"id":3,"n":1.50}}"#),
      Case(
        title: "references are resolved in both", head: "@f = name\n@v = 5\nPOST http://t.test/\n",
        body: "query { a { {{f}} } }\n\n{ \"v\": {{v}} }",
        json: #"{"query":"query { a { name } }","variables":{"v":5}}"#),
      Case(
        title: "an empty set of variables", body: "query { a }\n\n{}",
        json: #"{"query":"query { a }","variables":{}}"#),
      Case(title: "a form is none", body: "query=shoes&page=2", json: nil),
      Case(title: "nor is a member of JSON", body: "query : 1", json: nil),
      Case(title: "nor JSON that is a payload already",
        head: "GRAPHQL http://t.test/\n", body: "{\n\"query\": \"{ a }\"\n}", json: nil),
      Case(
        title: "nor text of another type",
        head: "POST http://t.test/\nContent-Type: text/plain\n", body: "query { a }", json: nil),
      Case(
        title: "nor what a tag says is none (`@no-gql-parsing`)",
        head: "# @noGqlParsing\nPOST http://t.test/\n", body: "query { a }", json: nil),
    ])
  func lowers(_ example: Case) throws {
    let spec = try #require(Self.laboratory.lower(example.head + "\n" + example.body).spec)
    let text = spec.body.map { chunk in
      if case .bytes(let bytes) = chunk { String(decoding: bytes, as: UTF8.self) } else { "file" }
    }.joined()
    #expect(text == example.json ?? example.body)
    #expect(spec.method == "POST")
    #expect(!spec.headers.contains("X-Request-Type"))
    if example.json != nil { #expect(spec.headers.first("Content-Type") == "application/json") }
  }

  @Test func `a GET carries the query in its URL`() {
    #expect(
      Laboratory().lower(
        "GET http://t.test/g?k=1\nX-Request-Type: graphql\n\nquery A { a }\n\n{ \"v\": 1 }"
      ).text == "GET http://t.test/g?k=1&query=query%20A%20%7B%20a%20%7D&operationName=A"
        + "&variables=%7B%22v%22%3A1%7D")
  }

  @Test(
    "variables must be an object",
    arguments: [
      "{ \"v\": }", "{ \"v\": 1 } x", "{ v: 1 }",
    ])
  func mistakes(_ variables: String) throws {
    let lowered = Laboratory().lower("POST http://t.test/\n\nquery { a }\n\n\(variables)")
    #expect(lowered.text == "error: graphql-variables-json")
    let problem = try #require(lowered.failure)
    #expect(problem.message.hasPrefix("The variables of a GraphQL query must be a JSON object: "))
    #expect(problem.range.lowerBound == 34)
  }

  @Test func `an unresolved variable is told, not called bad JSON`() throws {
    let lowered = Laboratory().lower("POST http://t.test/\n\nquery { a }\n\n{ \"v\": {{x}} }")
    #expect(lowered.problems.map(\.code) == [.unresolvedVariable])
    #expect(lowered.text.hasSuffix(#""variables":{ "v": {{x}} }}"#))
  }

  @Test func `a missing file of a query is an error`() {
    #expect(
      Laboratory().lower("GRAPHQL http://t.test/\n\ngql A < none.graphql").text
        == "error: file-not-found")
  }

  @Test func `the byte order marks of files are no part of the query or of its variables`() {
    var laboratory = Laboratory()
    laboratory.files = [
      "q.graphql": "\u{FEFF}query Q { a }", "v.json": "\u{FEFF}{\"a\": 1}",
    ]
    for lines in ["< q.graphql\n\n< v.json", "gql Q < q.graphql\n\n<@ v.json"] {
      #expect(
        laboratory.lower("GRAPHQL http://t.test/\n\n\(lines)").text.hasSuffix(
          #"{"query":"query Q { a }","operationName":"Q","variables":{"a":1}}"#))
    }
  }

  /// A file with fragments, and the query that is sent.
  private func query(_ prologue: String, _ body: String) -> String? {
    let text = "\(prologue)\n### a\nPOST http://t.test/\n\n\(body)\n"
    var laboratory = Self.laboratory
    laboratory.files["f.graphql"] = "fragment File on T { c }"
    guard case .bytes(let sent)? = laboratory.lower(text).spec?.body.first,
      let tree = try? JSONTree(parsing: sent)
    else { return nil }
    return tree.root["query"]?.string
  }

  @Test func `fragments of the file go with the queries that use them`() {
    let prologue = """
      fragment Name on User {
        first
        ...Inner
      }

      fragment Inner on User { {{member}} }
      gql File < f.graphql
      fragment NameMore on User { x }
      @member = last
      """
    let name = "fragment Name on User {\n  first\n  ...Inner\n}"
    let inner = "fragment Inner on User { last }"
    #expect(query(prologue, "query { a }") == "query { a }")
    #expect(query(prologue, "query { ...Name }") == "query { ...Name }\n\(name)\n\(inner)")
    #expect(
      query(prologue, "query A {\n  ... on T { ... File }\n}\n\n{}")
        == "query A {\n  ... on T { ... File }\n}\nfragment File on T { c }")
    #expect(query(prologue, "query { a(t: \"...Name\") } # ...Name") == "query { a(t: \"...Name\") } # ...Name")
    let own = "fragment Name on U { y }\n\nquery { ...Name }"
    #expect(query(prologue, own) == own)
  }

  @Test func `fragments that use each other are sent once, and of two with a name the last`() {
    let prologue = """
      fragment A on T { ...B }

      fragment B on T { ...A }

      fragment A on T { ...B z }

      """
    #expect(
      query(prologue, "query { ...B }")
        == "query { ...B }\nfragment B on T { ...A }\nfragment A on T { ...B z }")
  }

  @Test func `the operation is that of the query, not a fragment`() {
    let text = "fragment query on T { b }\n\n### a\nPOST http://t.test/\n\n{ ...query }\n"
    let sent = Laboratory().lower(text.replacing("POST", with: "GRAPHQL")).text
    #expect(!sent.contains("operationName"))
  }

  @Test func `a file that is not there is told where the fragment is used`() throws {
    let text = "gql F < none.graphql\n\n### a\nPOST http://t.test/\n\nquery { ...F }\n"
    let lowered = Laboratory().lower(text)
    #expect(lowered.spec == nil)
    let problem = try #require(lowered.problems.first)
    #expect(problem.kind == .fileNotFound(path: "none.graphql"))
    #expect(String(decoding: Array(text.utf8)[problem.range], as: UTF8.self) == "...F")
    let unused = text.replacing("...F", with: "f")
    #expect(Laboratory().lower(unused).problems.isEmpty)
  }

  @Test(arguments: ["fragment", "fragment of", "fragmentation on T", "fragment.test/on"])
  func `anything else that begins with the word is a request line`(_ line: String) {
    #expect(ParsedDocument(bytes: Array("\(line)\n".utf8)).requests.count == 1)
  }
}
