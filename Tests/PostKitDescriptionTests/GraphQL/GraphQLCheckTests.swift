// The rules of October 2021, section 5, each with what breaks it and what does not.

import PostKitTestSupport
import Testing

@testable import PostKitDescription

@Suite struct GraphQLCheckTests {
  @Test(arguments: [
    "{ books { id title author { name books { id } } } }",
    "query A { books { id } } query B { books { id } }\n"
      + "mutation C { lend(book: 1, to: \"a\") { id } }",
    "subscription { lent { id } }",
    "subscription S { ...F } fragment F on Subscription { lent { id } lent { title } }",
    "{ search(text: \"a\") { __typename ... on Book { id } ... on Node { id } ...M } }\n"
      + "fragment M on Magazine { issue }",
    "{ node(id: \"1\") { id ... on Person { name } ... on Node { id } ... { id } } }",
    "query ($f: Int = 1, $g: [Genre!], $b: BookFilter) { books(first: $f, genres: $g, filter: $b)"
      + " { id } }",
    "query ($g: Genre!, $t: String) { books(genres: [$g], filter: { title: $t }) { id } }",
    "query ($s: Float) { book(id: 1) { rating(scale: $s) } }",
    "query ($id: ID = 1) { book(id: $id) { id } }",
    "{ books(genres: NOVEL, filter: { title: null, years: { from: 1 } }) { id } }",
    "{ matrix(rows: [[1], [2, 3]]) }",
    "{ book(id: 1) { rating(scale: 5) published cover(size: 2147483647) } }",
    "{ books @paid @paid(price: 1, by: EUR) @include(if: true) { id } }",
    "query ($yes: Boolean!) { books { id @skip(if: $yes) ...F @include(if: $yes) } }\n"
      + "fragment F on Book { title }",
    "mutation { pick(choice: { id: 1 }) { id } }",
    "mutation ($a: ID!) { pick(choice: { id: $a }) { id } }",
    "{ a: book(id: 1) { id } b: book(id: 2) { id } }",
    "{ search(text: \"\") { ... on Book { x: title } ... on Magazine { x: issue } } }",
    "{ __schema { types { name fields(includeDeprecated: true) { name } } } __type(name: \"A\") "
      + "{ kind } }",
    "query ($b: [[Int!]!], $c: [Int!]!) { x: matrix(rows: $b) y: matrix(rows: [$c]) }",
  ])
  func `a request that a service answers has nothing told about it`(text: String) {
    #expect(broken(text).isEmpty, "\(broken(text))")
  }

  @Test(arguments: [
    // 5.1 and 5.2: documents and operations
    ("type A { b: Int } { books { id } }", ["executable-definitions A"]),
    ("query A { books { id } } query A { books { id } }", ["operation-name A"]),
    ("{ books { id } } query A { books { id } }", ["lone-anonymous {"]),
    ("subscription { lent { id } returned { id } }", ["single-root subscription"]),
    ("subscription S { ...F } fragment F on Subscription { lent { id } x: lent { id } }",
     ["single-root S"]),
    ("subscription { __typename }", ["single-root __typename"]),
    // 5.3: fields
    ("{ bookz { id } }", ["field bookz"]),
    ("{ books { id { a } } }", ["leaf { a }"]),
    ("{ books }", ["leaf books"]),
    ("{ search(text: \"a\") { title } }", ["field title"]),
    ("{ node(id: 1) { name } }", ["field name"]),
    ("mutation { __schema { types { name } } }", ["field __schema"]),
    ("{ book(id: 1) { x: id x: title } }", ["field-merge x"]),
    ("{ books(first: 1) { id } books(first: 2) { id } }", ["field-merge books"]),
    ("{ a: book(id: 1) { id } ...F } fragment F on Query { a: book(id: 1) { id: title } }",
     ["field-merge id"]),
    // 5.4: arguments
    ("{ books(frist: 1) { id } }", ["argument-name frist"]),
    ("{ books(first: 1, first: 2) { id } }", ["argument-unique first"]),
    ("{ book { id } }", ["argument-required book"]),
    ("{ books @include { id } }", ["argument-required include"]),
    ("{ books @include(if: true, of: 1) { id } }", ["argument-name of"]),
    // 5.5: fragments
    ("{ ...F ...F } fragment F on Query { __typename } fragment F on Query { __typename }",
     ["fragment-name F"]),
    ("{ ... on Bok { id } }", ["fragment-type Bok"]),
    ("{ ...F } fragment F on Genre { id }", ["fragment-type Genre"]),
    ("{ books { id } } fragment F on Query { __typename }", ["fragment-unused F"]),
    ("{ books { id } } fragment F on Query { ...G } fragment G on Query { __typename }",
     ["fragment-unused F", "fragment-unused G"]),
    ("{ ...F }", ["fragment-unknown F"]),
    ("{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
     ["fragment-cycle B", "fragment-cycle A"]),
    ("{ ...A } fragment A on Query { ...A }", ["fragment-cycle A"]),
    ("{ books { ... on Person { id } } }", ["fragment-impossible Person"]),
    ("{ books { ...F } } fragment F on Finding { ... on Magazine { issue } }", []),
    ("{ books { ...F } } fragment F on Magazine { issue }", ["fragment-impossible F"]),
    // 5.6: values
    ("{ books(first: \"1\") { id } }", ["value \"1\""]),
    ("{ books(first: 1.0) { id } }", ["value 1.0"]),
    ("{ books(first: 2147483648) { id } }", ["value 2147483648"]),
    ("{ books(first: [1]) { id } }", ["value [1]"]),
    ("{ book(id: true) { id } }", ["value true"]),
    ("{ book(id: null) { id } }", ["value null"]),
    ("{ search(text: a) { __typename } }", ["value a"]),
    ("{ books(genres: [NOVEL, NOVELL, \"POETRY\", null]) { id } }",
     ["value NOVELL", "value \"POETRY\"", "value null"]),
    ("{ matrix(rows: [[1, a]]) }", ["value a"]),
    ("{ books(filter: 1) { id } }", ["value 1"]),
    ("{ books(filter: { titel: \"a\" }) { id } }", ["input-field titel"]),
    ("{ books(filter: { title: \"a\", title: \"b\" }) { id } }", ["input-field-unique title"]),
    ("{ books(filter: { years: { to: 1 } }) { id } }", ["input-field-required { to: 1 }"]),
    ("mutation { pick(choice: { id: 1, title: \"a\" }) { id } }",
     ["input-field-required { id: 1, title: \"a\" }"]),
    ("mutation { pick(choice: { id: null }) { id } }", ["value null"]),
    ("mutation ($a: ID) { pick(choice: { id: $a }) { id } }", ["variable-usage $a"]),
    ("query ($a: Int = \"x\") { books(first: $a) { id } }", ["value \"x\""]),
    ("query ($a: Int!, $b: Int = $a) { books(first: $b) { id } }", ["syntax $"]),
    // 5.7: directives
    ("{ books @inclde(if: true) { id } }", ["directive inclde"]),
    ("query @skip(if: true) { books { id } }", ["directive-location skip"]),
    ("{ books @skip(if: true) @skip(if: false) { id } }", ["directive-unique skip"]),
    // 5.8: variables
    ("query ($a: Int, $a: Int) { books(first: $a) { id } }", ["variable-name $a"]),
    ("query ($a: Book) { books(first: $a) { id } }",
     ["variable-type Book", "variable-usage $a"]),
    ("query ($a: Itn) { books(first: $a) { id } }", ["variable-type Itn"]),
    ("{ books(first: $a) { id } }", ["variable-unknown $a"]),
    ("query ($a: Int) { ...F } query B { ...F } fragment F on Query { books(first: $a) { id } }",
     ["lone-anonymous q", "variable-unknown $a"]),
    ("query ($a: Int) { books { id } }", ["variable-unused $a"]),
    ("query ($a: Int) { book(id: $a) { id } }", ["variable-usage $a"]),
    ("query ($a: ID) { book(id: $a) { id } }", ["variable-usage $a"]),
    ("query ($a: ID = null) { book(id: $a) { id } }", ["variable-usage $a"]),
    ("query ($a: Genre) { books(genres: [$a]) { id } }", ["variable-usage $a"]),
    ("query ($a: [Genre]) { books(genres: $a) { id } }", ["variable-usage $a"]),
    // What should not be used any more
    ("{ person { id } }", ["deprecated person"]),
    ("{ books(genres: PULP) { isbn } }", ["deprecated PULP", "deprecated isbn"]),
  ])
  func `what breaks a rule is told with its place`(text: String, expected: [String]) {
    #expect(broken(text) == expected)
  }

  @Test(arguments: [
    ("{ bookz { id } }", "`Query` has no field `bookz`. Did you mean `books`?"),
    ("{ search(text: \"a\") { title } }",
     "`Finding` is a union, of which only `__typename` and fragments are selected."),
    ("{ node(id: 1) { title } }",
     "`Node` has no field `title`, but `Book` has: use `... on Book`."),
    ("{ books }", "`books` is a `[Book!]!`: select fields of it, `{ … }`."),
    ("{ book { id } }", "`book` needs the argument `id: ID!`."),
    ("{ books(genres: \"NOVEL\") { id } }",
     "A value of `Genre` has no quotes. Did you mean `NOVEL`?"),
    ("{ search(text: hello) { __typename } }", "This is no `String`, which needs quotes."),
    ("query ($number: ID!) { book(id: $nubmer) { id } }",
     "Nothing uses `$number`."),
    ("{ person { id } }", "`person` is deprecated: Use `node`."),
    ("query ($a: Int) { book(id: $a) { id } }", "`$a` is a `Int`, expected a `ID!`."),
    ("{ ... on Persn { id } }", "The schema has no type `Persn`. Did you mean `Person`?"),
    ("{ ...Boks } fragment Books on Query { __typename }",
     "There is no fragment `Boks`. Did you mean `Books`?"),
  ])
  func `a finding says what is wrong and what may be meant`(text: String, message: String) {
    #expect(request(text).findings().first?.message == message)
  }

  @Test func `a schema without mutations says so`() {
    let schema = GraphQLSchema(
      sources: [GraphQLSource(path: "", bytes: Array("type Query { a: Int }".utf8))])
    #expect(broken("mutation { a }", schema: schema) == ["operation-type mutation"])
    #expect(broken("{ a }", schema: schema) == [])
  }

  @Test(arguments: [
    ("{ find { ... on Dog { owner { x: name a(b: 1) } } ... on Cat { owner { x: mail a(b: 2) } } } "
      + "}", []),
    ("{ find { ... on Dog { owner { x: name } } ... on Dog { owner { x: mail } } } }",
     ["field-merge x"]),
    ("{ find { ... on Pet { owner { x: name } } ... on Cat { owner { x: mail } } } }",
     ["field-merge x"]),
    ("{ find { ...D ... on Cat { owner { x: mail } } } } fragment D on Dog { owner { x: name } }",
     []),
  ])
  func `fields that no object has together may differ at any depth`(
    text: String, expected: [String]
  ) {
    let definitions = """
      type Query { find: Found } union Found = Dog | Cat
      interface Pet { owner: Person }
      type Dog implements Pet { owner: Person } type Cat implements Pet { owner: Person }
      type Person { name: String mail: String a(b: Int): Int }
      """
    let schema = GraphQLSchema(
      sources: [GraphQLSource(path: "", bytes: Array(definitions.utf8))])
    #expect(broken(text, schema: schema) == expected)
  }

  @Test func `a field whose definition is broken is no mistake of the request`() {
    let schema = GraphQLSchema(
      sources: [GraphQLSource(path: "", bytes: Array("type Query { a: Int hello: }".utf8))])
    #expect(broken("{ hello }", schema: schema) == [])
  }

  @Test func `a reason of several lines is told in one`() {
    let definitions = "type Query { a: Int @deprecated(reason: \"\"\"\nUse b.\n\nOr c.\n\"\"\") }"
    let schema = GraphQLSchema(
      sources: [GraphQLSource(path: "", bytes: Array(definitions.utf8))])
    #expect(
      request("{ a }", schema: schema).findings().map(\.message) == [
        "`a` is deprecated: Use b. Or c."
      ])
  }

  @Test func `nothing is meant by what has nothing in common, or comes late`() {
    let schema = GraphQLSchema(
      sources: [GraphQLSource(path: "", bytes: Array("type Query { b: Int, books: Int }".utf8))])
    #expect(request("{ x }", schema: schema).findings().first?.suggestion == nil)
    #expect(request("{ B }", schema: schema).findings().first?.suggestion == "b")
    let many = "{" + (0..<60).map { " a\($0): bookz" }.joined() + " }"
    let found = request(many, schema: schema).findings()
    #expect(found.count == 60 && found.count { $0.suggestion == "books" } == 50)
  }

  @Test func `a type that is missing in the schema is no mistake of the request`() {
    let schema = GraphQLSchema(
      sources: [GraphQLSource(path: "", bytes: Array("type Query { a(b: X): Y }".utf8))])
    #expect(broken("query ($b: Int) { a(b: $b) { c { d } } }", schema: schema) == [])
    #expect(broken("{ a(b: {c: [1]}) }", schema: schema) == [])
  }

  @Test(arguments: [
    ("{ a { b } ...F } fragment G on X { c }", ["fragment-unknown F", "fragment-unused G"]),
    ("query A($a: Y) { b(c: $d) } query A { a(x: 1, x: 2) }",
     ["variable-unused $a", "variable-unknown $d", "operation-name A", "argument-unique x"]),
    ("{ ...A } fragment A on X { ...A }", ["fragment-cycle A"]),
    ("{ x: a x: b y(a: 1) y(a: 1) }", ["field-merge x"]),
    ("{ search { ... on Repo { title: name } ... on User { title: login } } }", []),
    ("{ s { ... on A { o { x: a } } ... on B { o { x: b } } ... on A { o { x: c } } } }",
     ["field-merge x"]),
    ("fragment A on X { b(c: $d) }", []),
  ])
  func `without a schema the text alone decides`(text: String, expected: [String]) {
    #expect(broken(text, schema: nil) == expected)
  }

  @Test(arguments: [
    "{ book(id: {{id}}) { {{field}} title{{x}} { a } } }",
    "query ({{v}}) { books(first: $x{{y}}) { id } }",
    "{ books(filter: {title: {{t}}, {{more}}}, genres: [{{g}}]) { ...{{F}} } }",
    "{ books {{selection}} }", "{ books(first: {{a}}{{b}}, {{c}}) { id @{{d}} } }",
    "query ($a: Int) { books { {{uses}} } }", "{ books { id } {{more}} } fragment F on Book { id }",
    "query {{name}} { books { id } } query {{name}} { books { id } }",
    "{ book({{argument}}) { id } }", "{ search(text: \"{{a}}\") { ... on {{T}} { id } } }",
    "query ($a: {{T}}) { books(first: $a) { id } }", "{ x: {{a}} x: {{b}} }",
  ])
  func `what a template stands for is not judged`(text: String) {
    #expect(broken(text) == [])
  }
}
