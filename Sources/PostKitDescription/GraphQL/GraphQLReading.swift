// What the nodes of a request mean in a schema.

/// The meaning of each node.
struct GraphQLReading: Sendable {
  init(_ tree: GraphQLTree, _ schema: GraphQLSchema?) {}
}
