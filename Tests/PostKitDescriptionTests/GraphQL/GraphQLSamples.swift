// A schema that has a bit of everything, and requests to it as tests write them.

import PostKitTestSupport
import PostKitText

@testable import PostKitDescription

/// A service that lends books.
let libraryDefinitions = #"""
  "A library that lends books."
  schema { query: Query mutation: Mutation subscription: Subscription }

  "Marks what costs money."
  directive @paid("In cents." price: Int! = 100, by: Coin) repeatable on FIELD | QUERY

  scalar Date @specifiedBy(url: "https://example.org/date")

  type Query {
    "All books, the newest first."
    books(first: Int = 10, filter: BookFilter, genres: [Genre!], tags: [String!]): [Book!]!
    "One book."
    book(
      "Its number."
      id: ID!
    ): Book
    search(text: String!): [Finding]
    node(id: ID!): Node
    person: Person @deprecated(reason: "Use `node`.")
    matrix(rows: [[Int!]!]): Int
  }

  "Something with a number of its own."
  interface Node { id: ID! }
  """
  A book.
    It has pages.
  """
  type Book implements Node {
    id: ID!
    title: String!
    isbn: String @deprecated
    genre: Genre
    author: Person
    pages: Int
    rating(scale: Float! = 5.0): Float
    published: Date
    cover(size: Int!): String
  }
  type Person implements Node { id: ID!, name: String!, books: [Book!]! }
  type Magazine { title: String! issue: Int }
  union Finding = | Book | Magazine
  enum Genre { NOVEL, POETRY, "No longer bought." PULP @deprecated(reason: "Nobody reads it.") }
  input BookFilter {
    title: String
    genre: Genre = NOVEL
    years: Span
    authorId: ID
    isNew: Boolean! = false
  }
  input Span { from: Int!, to: Int }
  input Choice @oneOf { id: ID, title: String }
  enum Coin { EUR USD }

  type Mutation {
    lend(book: ID!, to: String!, filter: BookFilter): Book
    pick(choice: Choice!): Book
  }
  type Subscription { lent: Book, returned(late: Boolean): Book }
  """#

let library = GraphQLSchema(
  sources: [GraphQLSource(path: "library.graphql", bytes: Array(libraryDefinitions.utf8))])

/// Reads a request to the library.
func request(_ text: String, variables: String? = nil, schema: GraphQLSchema? = library)
  -> GraphQLQuery
{
  GraphQLQuery(Array(text.utf8), variables: variables.map { Array($0.utf8) }, schema: schema)
}

/// The texts of the candidates at the marker, in the order of their ranks.
func completion(_ marked: String, schema: GraphQLSchema? = library) -> [String]? {
  let text = MarkedText(marked)
  let answer = request(text.text, schema: schema).completion(at: text.offset())
  return answer?.items.sorted { $0.rank < $1.rank }.map(\.text)
}

/// The findings as `code «text» message`.
func told(_ text: String, _ findings: [GraphQLFinding]) -> [String] {
  let bytes = Array(text.utf8)
  return findings.map { finding in
    let place = String(decoding: bytes[finding.range], as: UTF8.self)
    return "\(finding.rule.rawValue.dropFirst(8)) «\(place)» \(finding.message)"
  }
}

/// The rules that a request breaks, and where.
func broken(_ text: String, schema: GraphQLSchema? = library) -> [String] {
  let bytes = Array(text.utf8)
  return request(text, schema: schema).findings().map { finding in
    let place = String(decoding: bytes[finding.range], as: UTF8.self)
    return "\(finding.rule.rawValue.dropFirst(8)) \(place)"
  }
}

extension GraphQLSchema {
  /// Everything that it says, a line each, whatever it was read from.
  var dump: [String] {
    var lines: [String] = []
    for (operation, root) in zip(GraphQLOperationType.allCases, roots) {
      lines.append("\(operation) \(root.map { types[Int($0)].name } ?? "-")")
    }
    func add(_ range: Range<Int>, _ owner: String) {
      for member in range {
        let place = owner + "." + name(member)
        lines.append(
          "\(place) \(argument(member)) \(string(members[member].description) ?? "") "
            + (deprecation(member).map { "deprecated \($0)" } ?? ""))
        add(arguments(member), place)
      }
    }
    for type in types where !type.name.hasPrefix("__") {
      let names = type.kind == .union ? type.possible.map { types[Int($0)].name }.sorted() : []
      lines.append(
        "\(type.kind) \(type.name) \(string(type.description) ?? "") "
          + type.interfaces.map { types[Int($0)].name }.sorted().joined(separator: "&")
          + names.joined(separator: "|") + (type.isOneOf ? " oneOf" : ""))
      add(type.members, type.name)
    }
    for directive in directives {
      let places = directive.locations.map(\.rawValue).sorted().joined(separator: "|")
      lines.append(
        "@\(directive.name) \(directive.isRepeatable) \(places) "
          + (string(directive.description) ?? ""))
      add(directive.arguments, "@" + directive.name)
    }
    return lines.sorted()
  }
}
