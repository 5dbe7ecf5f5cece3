// The JSON of variables: what can be written into it, and what does not fit.

import PostKitTestSupport
import Testing

@testable import PostKitDescription

@Suite struct GraphQLVariablesTests {
  private let query = """
    query Find($filter: BookFilter, $genres: [Genre!]!, $first: Int = 5, $id: ID!, $on: Date,
      $yes: Boolean!) {
      books(filter: $filter, genres: $genres, first: $first) { published @skip(if: $yes) }
      book(id: $id) { id }
    }
    """

  private func completion(_ marked: String, schema: GraphQLSchema? = library) -> [String]? {
    let text = MarkedText(marked)
    let answer = request(query, variables: text.text, schema: schema)
      .variableCompletion(at: text.offset())
    return answer?.items.sorted { $0.rank < $1.rank }.map(\.text)
  }

  private func findings(_ json: String?, schema: GraphQLSchema? = library) -> [String] {
    told(json ?? "", request(query, variables: json, schema: schema).variableFindings())
  }

  @Test(arguments: [
    ("{1️⃣}",
     ["\"filter\": ", "\"genres\": ", "\"first\": ", "\"id\": ", "\"on\": ", "\"yes\": "]),
    ("{\"filter\": {}, \"id\": {{x}}, 1️⃣",
     ["\"genres\": ", "\"first\": ", "\"on\": ", "\"yes\": "]),
    ("{\"fi1️⃣\": 1, \"id\": 2}",
     ["\"filter\"", "\"genres\"", "\"first\"", "\"on\"", "\"yes\""]),
    ("{1️⃣\"genres\": [], \"first\": {{f}}, \"on\": 1, \"yes\": true}",
     ["\"filter\": ", "\"id\": "]),
    ("{\"filter\": {1️⃣",
     ["\"title\": ", "\"genre\": ", "\"years\": ", "\"authorId\": ", "\"isNew\": "]),
    ("{\"filter\": {\"years\": {\"t1️⃣\n}}}", ["\"from\": ", "\"to\": "]),
    ("{\"filter\": {\"genre\": 1️⃣}}", ["\"NOVEL\"", "\"POETRY\"", "null", "\"PULP\""]),
    ("{\"genres\": [\"NOVEL\", \"1️⃣", ["\"NOVEL\"", "\"POETRY\"", "\"PULP\""]),
    ("{\"yes\": t1️⃣}", ["true", "false"]),
    ("{\"yes\": 1️⃣", ["true", "false"]),
    ("{\"first\": 1️⃣", ["null"]),
    ("{\"nope\": {1️⃣", nil), ("1️⃣", nil), ("{\"id\": {1️⃣", nil), ("{} 1️⃣", nil),
  ])
  func `a place has its candidates`(marked: String, expected: [String]?) {
    #expect(completion(marked) == expected)
  }

  @Test func `without a schema the definitions have the names`() {
    #expect(completion("{ \"id\": 1, 1️⃣", schema: nil)?.count == 5)
    #expect(completion("{ \"yes\": 1️⃣", schema: nil) == ["true", "false"])
  }

  @Test(arguments: [
    #"{"genres":["NOVEL"],"id":"1","yes":true}"#,
    #"{"genres":"NOVEL","id":1,"yes":false,"first":null,"on":{"any":1},"filter":null}"#,
    #"{"genres":[],"id":{{id}},"yes":{{yes}},"filter":{"title":"{{t}}","genre":{{g}}}}"#,
    #"{"genres":["{{g}}"],"id":"{{fn("a")}}","yes":{{ fn({a:"}"}) }}}"#,
    #"{"genres":[],"id":123456789012345678901234567890,"yes":true}"#,
    #"{{{everything}},"genres":[]}"#, #"{"{{name}}":1}"#, "not JSON", "[1]",
    #"{"genres":[],"id":"a","yes":true,"filter":{"years":{"from":1,"to":null}}}"#,
  ])
  func `what fits has nothing told about it`(json: String) {
    #expect(findings(json) == [])
  }

  @Test(arguments: [
    (nil, ["genres", "id", "yes"]), ("", ["genres", "id", "yes"]), ("{}", ["genres", "id", "yes"]),
    (#"{"genres":[],"yes":true}"#, ["id"]),
  ] as [(String?, [String])])
  func `a variable without a value is told`(json: String?, names: [String]) {
    let found = request(query, variables: json).variableFindings()
    #expect(found.map(\.rule) == names.map { _ in .variablesMissing })
    #expect(
      zip(found, names).allSatisfy { $0.message.hasPrefix("The variable `$\($1)` needs a value") })
  }

  @Test(arguments: [
    (#""gneres":1"#,
     #"variables-unknown «"gneres"» The operation has no variable `$gneres`. "#
      + "Did you mean `genres`?"),
    (#""filter":{"authorId":1.5}"#, "variables-value «1.5» This is no `ID`."),
    (#""first":"1""#, #"variables-value «"1"» This is no `Int`."#),
    (#""first":1.5"#, "variables-value «1.5» This is no `Int`."),
    (#""first":2147483648"#, "variables-value «2147483648» This is no `Int`."),
    (#""first":[1]"#, "variables-value «[1]» This is no `Int`."),
    (#""filter":{"title":1}"#, "variables-value «1» This is no `String`."),
    (#""filter":{"genre":"NOVELL"}"#,
     #"variables-value «"NOVELL"» This is no value of `Genre`. Did you mean `NOVEL`?"#),
    (#""filter":{"titel":"a"}"#,
     #"variables-value «"titel"» `BookFilter` has no field `titel`. Did you mean `title`?"#),
    (#""filter":{"years":{}}"#, "variables-value «{}» `Span` needs the field `from: Int!`."),
    (#""filter":"a""#,
     #"variables-value «"a"» Expected an object with the fields of `BookFilter`."#),
    (#""filter":{"isNew":null}"#, "variables-value «null» `null` is no `Boolean!`."),
  ])
  func `what does not fit is told with its place`(member: String, expected: String) {
    #expect(findings("{\"genres\":[],\"id\":1,\"yes\":true,\(member)}") == [expected])
  }

  @Test func `null and items of lists are held against their types`() {
    #expect(
      findings(#"{"genres":["NOVEL",null,3],"id":null,"yes":1}"#) == [
        "variables-value «null» `null` is no `Genre!`.",
        "variables-value «3» This is no value of `Genre`.",
        "variables-value «null» `null` is no `ID!`.",
        "variables-value «1» This is no `Boolean!`.",
      ])
    #expect(findings(#"{"id":true,"yes":1,"genres":1}"#, schema: nil).count == 2)
  }

  @Test func `a name in the variables leads to its definition`() throws {
    let json = #"{"filter":{"genre":"NOVEL"},"id":1}"#
    let read = request(query, variables: json)
    let hover = try #require(read.variableHover(at: 14))
    #expect(hover.declaration == "BookFilter.genre: Genre = NOVEL")
    #expect(hover.range == 11..<18)
    #expect(read.variableHover(at: 3)?.declaration == "$filter: BookFilter")
    #expect(read.variableHover(at: 22) == nil)
    #expect(read.variableDefinition(at: 3) == .text(12..<18))
    guard case .schema(0, let range) = read.variableDefinition(at: 14) else {
      Issue.record("no place")
      return
    }
    #expect(library.sources[0].bytes[range].elementsEqual("genre".utf8))
  }
}
