// A schema, and what is said with it about the GraphQL of a file.

import PostKitDescription
import PostKitEvaluate
import PostKitSyntax
import PostKitTestSupport

@testable import PostKitLanguage

/// A service with a schema.
enum GraphQLBench {
  static let definitions = """
    "A person"
    type User implements Node { id: ID!, name: String, friends: [User!] }
    type Post implements Node { id: ID!, title: String }
    interface Node { id: ID! }
    union Found = User | Post
    enum Order { ASC DESC }
    input Filter { name: String, min: Int! }
    directive @cached(ttl: Int) on FIELD
    type Query {
      "One person"
      user(id: ID!): User
      users(first: Int, order: Order): [User!]!
      search(filter: Filter): [Found]
      old: String @deprecated(reason: "Use `user`.")
    }
    type Subscription { added: User, removed: User }
    """

  static let schema = ServiceSchema(
    GraphQLSchema(sources: [
      GraphQLSource(path: "/project/schema.graphql", bytes: Array(definitions.utf8))
    ]), .files(["/project/schema.graphql"]))

  /// The GraphQL at an offset of a file.
  static func request(
    _ analysis: Analysis, at offset: Int, _ schema: ServiceSchema? = schema
  ) -> GraphQLRequest? {
    analysis.graphQL(at: offset).map { GraphQLRequest($0.parts, schema, caret: offset) }
  }

  /// What is said about a file.
  static func diagnostics(
    _ analysis: Analysis, _ code: DiagnosticCode? = nil, _ schema: ServiceSchema? = schema
  ) -> [Diagnostic] {
    if code == .graphQLSchema, let tag = analysis.document.schemaTag(of: nil) {
      let message = "There is no file /project/\(tag.path)."
      return [.schemaFailure(message, at: tag.range)]
    }
    return analysis.document.blocks.flatMap { block in
      analysis.allGraphQL(of: block).flatMap { GraphQLRequest($0, schema).diagnostics }
    }
  }
}
