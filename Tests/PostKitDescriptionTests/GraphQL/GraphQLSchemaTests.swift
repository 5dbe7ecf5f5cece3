// Schemas from definitions and from introspection.

import PostKitJSON
import PostKitTestSupport
import Testing

@testable import PostKitDescription

@Suite struct GraphQLSchemaTests {
  private func schema(_ texts: String...) -> GraphQLSchema {
    GraphQLSchema(
      sources: texts.enumerated().map {
        GraphQLSource(path: "\($0).graphql", bytes: Array($1.utf8))
      })
  }

  private func problems(_ texts: [String]) -> [String] {
    GraphQLSchema(
      sources: texts.map { GraphQLSource(path: "", bytes: Array($0.utf8)) }
    ).problems.map { problem in
      let bytes = Array(texts[problem.source].utf8)
      return String(decoding: bytes[problem.range], as: UTF8.self) + ": " + problem.message
    }
  }

  @Test func `the sample has no problems`() {
    #expect(library.problems.isEmpty, "\(library.problems)")
  }

  @Test func `extensions are merged across sources`() throws {
    let schema = schema(
      "extend type Query @x { b: Int }", "type Query { a: Int }", "extend enum E { B }",
      "enum E { A }", "extend schema { mutation: Query }", "scalar S @specifiedBy(url: \"a\")",
      "extend scalar S @x")
    let query = try #require(schema.type(named: "Query"))
    #expect(schema.types[query].members.map(schema.name) == ["a", "b"])
    let values = try #require(schema.type(named: "E"))
    #expect(schema.types[values].members.map(schema.name) == ["A", "B"])
    #expect(schema.root(.query) == query)
    #expect(schema.root(.mutation) == query)
    #expect(schema.problems.isEmpty, "\(schema.problems)")
    let place = try #require(schema.field(named: Array("b".utf8)[...], of: query))
    #expect(schema.members[place].place.source == 0)
  }

  @Test func `a schema of extensions alone is one`() {
    let schema = schema(
      "extend type Query { me: User } type User { id: ID! }",
      "extend type Product @key(fields: \"id\") { id: ID! } extend type Query { all: [Product] }")
    #expect(broken("{ me { id } all { id } }", schema: schema) == [])
    #expect(broken("{ all { ide } }", schema: schema) == ["field ide"])
    #expect(schema.problems.count == 2 && schema.problems.allSatisfy(\.isRemark))
  }

  @Test(arguments: [
    (["type Query { a: Missing }"], ["Missing: There is no type `Missing`."]),
    (["type Query { a(b: Query): Int }"], ["b: An argument can't have the type `Query`."]),
    (["type Query { a: Int } type Query { b: Int }"],
     ["Query: The type `Query` is defined twice."]),
    (["type Query { a: Int a: Int }"], ["a: `a` is defined twice."]),
    (["type Query { a(b: Int, b: Int): Int }"], ["b: `b` is defined twice."]),
    (["type Query { a: Int } directive @d on FIELD directive @d on FIELD"],
     ["d: The directive `@d` is defined twice."]),
    (["type Query { a: Int } extend type B { c: Int }"],
     ["B: There is no type `B` to be extended."]),
    (["type Query { a: Int } extend input Query { c: Int }"],
     ["Query: `Query` is defined as another kind of type."]),
    (["type Query { a: Int } union U = Int"],
     ["U: `Int` is no object type, which `U` needs here."]),
    (["type Query implements Query { a: Int }"],
     ["Query: `Query` is no interface, which `Query` needs here."]),
    (["type Query { a: I } input I { a: Query }"],
     ["a: A field of `Query` can't have the type `I`.",
      "a: A field of `I` can't have the type `Query`."]),
    (["type A { a: Int }"], [": The schema has no query type."]),
    (["type Query { a: Int", "query Q { a }"],
     ["{: `{` is not closed.", "query Q { a }: A schema has no operations and fragments."]),
    (["scalar ID type Query { a: ID, __typename: Int } directive @skip(if: Int) on FIELD"], []),
  ])
  func `what is wrong with a schema is told with its place`(texts: [String], expected: [String]) {
    #expect(problems(texts) == expected)
  }

  @Test func `types have their marks, innermost and outermost`() throws {
    let schema = schema("type Query { a: [[Int!]]!, b: Int, c: [Int]! }")
    let query = try #require(schema.type(named: "Query"))
    let types = try schema.types[query].members.map { try #require(schema.members[$0].type) }
    #expect(types.map(schema.text) == ["[[Int!]]!", "Int", "[Int]!"])
    #expect(types[0].isNonNull && types[0].isList)
    #expect(types[0].item.map(schema.text) == "[Int!]")
    #expect(types[0].item?.item.map(schema.text) == "Int!")
    #expect(types[0].item?.item?.item == nil)
    #expect(schema.isSubtype(types[2], of: types[2].nullable))
    #expect(!schema.isSubtype(types[2].nullable, of: types[2]))
    #expect(!schema.isSubtype(types[1], of: types[2]))
  }

  @Test func `introspection gives the same schema as definitions`() throws {
    let json = IntrospectionWriter(schema: library).answer()
    let again = try GraphQLSchema(introspection: json, path: "answer")
    #expect(again.problems.isEmpty, "\(again.problems)")
    expect(again.dump.joined(separator: "\n"), is: library.dump.joined(separator: "\n"))
    // Also when it is written once more, and without `data` around it.
    let bare = try JSONTree(parsing: json).root["data"]?.source
    let third = try GraphQLSchema(introspection: Array(try #require(bare)))
    #expect(third.sources[0].bytes == again.sources[0].bytes)
  }

  @Test(arguments: [
    ("<html>", "the answer is not JSON"),
    ("{}", "the answer has no `__schema`"),
    (#"{"data":{"__schema":null}}"#, "the answer has no `__schema`"),
    (#"{"errors":[{"message":"introspection is off"}],"data":null}"#,
     "the service answers: introspection is off"),
    (#"{"errors":[{"message":"it\n  is off"}]}"#, "the service answers: it is off"),
    (#"{"data":{"__schema":{"queryType":{"name":"Query"},"types":[]}}}"#,
     "the answer has no query type"),
    (#"{"data":{"__schema":{"types":[{"kind":"OBJECT","name":"Query"}]}}}"#,
     "the answer has no query type"),
  ])
  func `an answer without a schema says why`(json: String, explanation: String) {
    #expect(throws: GraphQLIntrospectionFailure(explanation: explanation)) {
      try GraphQLIntrospection.definitions(Array(json.utf8))
    }
  }

  @Test func `hostile names and values get nowhere`() throws {
    let json = #"""
      {"__schema":{"queryType":{"name":"Q"},"types":[
        {"kind":"OBJECT","name":"Q","description":"a\"\"\"b\n \\","fields":[
          {"name":"a } type X { b","type":{"kind":"SCALAR","name":"Int"}},
          {"name":"ok","description":"x\ny\"\"\"\nz","type":{"kind":"SCALAR","name":"Int"},"args":[
            {"name":"x","type":{"kind":"SCALAR","name":"Int"},"defaultValue":"1) evil(y: Int = 2"},
            {"name":"y","type":{"kind":"SCALAR","name":"Int"},"defaultValue":"7 # }"}],
           "isDeprecated":true,"deprecationReason":"a\"b\n"}]},
        {"kind":"OBJECT","name":"no name","fields":[]},
        {"kind":"WHAT","name":"Odd"}]}}
      """#
    let schema = try GraphQLSchema(introspection: Array(json.utf8))
    #expect(schema.problems.isEmpty, "\(schema.problems)")
    let query = try #require(schema.root(.query))
    #expect(schema.types[query].members.map(schema.name) == ["ok"])
    #expect(schema.string(schema.types[query].description) == "a\"\"\"b\n \\")
    let ok = schema.types[query].members.lowerBound
    #expect(schema.string(schema.members[ok].description) == "x\ny\"\"\"\nz")
    #expect(schema.deprecation(ok) == "a\"b\n")
    #expect(schema.arguments(ok).map(schema.argument) == ["x: Int", "y: Int = 7"])
    #expect(schema.type(named: "Odd") == nil)
  }

  @Test(arguments: [GraphQLIntrospection.query, GraphQLIntrospection.olderQuery])
  func `the question is valid in every schema`(query: String) {
    #expect(broken(query).isEmpty)
    #expect(broken(query, schema: nil).isEmpty)
  }
}

/// Writes what a service would answer to the introspection query.
private struct IntrospectionWriter {
  let schema: GraphQLSchema
  private typealias Members = [(String, JSONValue)]

  func answer() -> [UInt8] {
    let types = schema.types.indices.filter { schema.types[$0].kind != .missing }
    let roots = zip(["queryType", "mutationType", "subscriptionType"], schema.roots).map {
      ($0, $1.map { object([("name", .string(schema.types[Int($0)].name))]) } ?? .null)
    }
    let value = object([
      ("data", object([
        ("__schema", object(
          roots + [
            ("types", .array(types.map(type))),
            ("directives", .array(schema.directives.map(directive))),
          ]))
      ]))
    ])
    return Array(text(value).utf8)
  }

  private func object(_ members: Members) -> JSONValue {
    .object(members.map { JSONMember($0, $1) })
  }

  private func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  private func type(_ index: Int) -> JSONValue {
    let type = schema.types[index]
    let kind =
      switch type.kind {
      case .scalar: "SCALAR"
      case .object: "OBJECT"
      case .interface: "INTERFACE"
      case .union: "UNION"
      case .enumeration: "ENUM"
      case .inputObject: "INPUT_OBJECT"
      case .missing: ""
      }
    let members = JSONValue.array(type.members.map { member($0, of: type.kind) })
    func names(_ list: [Int32]) -> JSONValue {
      .array(list.map { object([("name", .string(schema.types[Int($0)].name))]) })
    }
    return object([
      ("kind", .string(kind)), ("name", .string(type.name)),
      ("description", optional(schema.string(type.description))),
      ("fields", kind == "OBJECT" || kind == "INTERFACE" ? members : .null),
      ("inputFields", kind == "INPUT_OBJECT" ? members : .null),
      ("enumValues", kind == "ENUM" ? members : .null),
      ("interfaces", names(type.interfaces)), ("possibleTypes", names(type.possible)),
      ("isOneOf", .bool(type.isOneOf)),
    ])
  }

  private func directive(_ directive: GraphQLDirectiveDefinition) -> JSONValue {
    object([
      ("name", .string(directive.name)),
      ("description", optional(schema.string(directive.description))),
      ("isRepeatable", .bool(directive.isRepeatable)),
      ("locations", .array(directive.locations.map { .string($0.rawValue) })),
      ("args", .array(directive.arguments.map { member($0, of: .inputObject) })),
    ])
  }

  private func member(_ index: Int, of kind: GraphQLTypeKind) -> JSONValue {
    let member = schema.members[index]
    let arguments = JSONValue.array(
      schema.arguments(index).map { self.member($0, of: .inputObject) })
    let value = schema.text(member.defaultValue)
    return object([
      ("name", .string(schema.name(index))),
      ("description", optional(schema.string(member.description))),
      ("args", kind == .inputObject || kind == .enumeration ? .null : arguments),
      ("type", member.type.map(reference) ?? .null),
      ("defaultValue", value.isEmpty ? .null : .string(value)),
      ("isDeprecated", .bool(schema.deprecation(index) != nil)),
      ("deprecationReason", optional(schema.deprecation(index))),
    ])
  }

  private func reference(_ type: GraphQLTypeReference) -> JSONValue {
    if type.isNonNull {
      return object([("kind", .string("NON_NULL")), ("ofType", reference(type.nullable))])
    }
    if let item = type.item {
      return object([("kind", .string("LIST")), ("ofType", reference(item))])
    }
    return object([
      ("kind", .string("SCALAR")), ("name", .string(schema.types[Int(type.type)].name)),
      ("ofType", .null),
    ])
  }

  private func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let digits): digits
    case .string(let text): GraphQLString.quoted(text)
    case .array(let items): "[" + items.map(text).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.map { GraphQLString.quoted($0.key) + ":" + text($0.value) }
        .joined(separator: ",") + "}"
    }
  }
}
