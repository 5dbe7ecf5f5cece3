// A GraphQL request as an editor asks about it: its text, its variables, and its service's schema.

/// A request's query with its variables, read against a schema if there is one. Every answer is a
/// function of these values.
package struct GraphQLQuery: Sendable {
  /// The query, and from `own` on texts of fragments that come from elsewhere.
  let bytes: [UInt8]
  let own: Int
  /// The JSON of the variables, if there is one.
  let variables: [UInt8]?
  let schema: GraphQLSchema?
  let tree: GraphQLTree
  let reading: GraphQLReading

  /// Reads a query. What begins at `own` are fragments that take part and about which nothing is
  /// told.
  package init(
    _ bytes: [UInt8], own: Int? = nil, variables: [UInt8]? = nil, schema: GraphQLSchema?
  ) {
    self.bytes = bytes
    self.own = min(own ?? bytes.count, bytes.count)
    self.variables = variables
    self.schema = schema
    tree = GraphQLTree(parsing: bytes, own: self.own)
    reading = GraphQLReading(tree, schema)
  }

  /// A part of all that was read.
  package func text(in range: Range<Int>) -> String { tree.text(range) }
}
