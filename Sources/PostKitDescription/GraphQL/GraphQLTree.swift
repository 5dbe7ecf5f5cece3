// A GraphQL text as a flat array of nodes: every range and name survives, whatever is broken.

/// What a node is.
package enum GraphQLNodeKind: UInt8, Sendable, Hashable {
  case document
  // Requests
  case operation, variableDefinitions, variableDefinition, fragmentDefinition
  case selectionSet, field, alias, fragmentSpread, inlineFragment
  case arguments, argument, directive
  // Values
  case variable, int, float, string, boolean, null, enumValue, list, object, objectField
  /// A word or value that has a `{{template}}` in it; what stands there is unknown.
  case template
  /// A reference to a type: as a condition, or with `[]` and `!`.
  case type
  // Definitions of a schema
  case schema, rootOperation, scalar, objectType, interface, union, enumType, inputObject
  case directiveDefinition, fieldDefinition, inputValue, enumValueDefinition
  case description, implemented, unionMember, directiveLocation

  /// Whether it is a value.
  var isValue: Bool {
    (GraphQLNodeKind.variable.rawValue...GraphQLNodeKind.object.rawValue).contains(rawValue)
      || self == .template
  }

  /// Whether it defines a part of a schema.
  var isTypeSystem: Bool {
    (GraphQLNodeKind.schema.rawValue...GraphQLNodeKind.directiveDefinition.rawValue)
      .contains(rawValue)
  }
}

/// Which operation an `operation` node is.
package enum GraphQLOperationType: UInt8, Sendable, Hashable, CaseIterable {
  case query, mutation, subscription

  /// Its keyword.
  package var keyword: String {
    switch self {
    case .query: "query"
    case .mutation: "mutation"
    case .subscription: "subscription"
    }
  }
}

/// One node: its kind, its bytes, and where its subtree ends.
struct GraphQLNode: Sendable, Hashable {
  var kind: GraphQLNodeKind
  /// An operation's type.
  var detail: UInt8 = 0
  /// Whether it begins with `extend`, is a directive definition with `repeatable`, or a name that
  /// holds a template.
  var isMarked = false
  var start: UInt32
  var end: UInt32
  /// The bytes of its name; empty where it has none.
  var nameStart: UInt32
  var nameEnd: UInt32
  /// The index of the node around it; 0 for the document itself.
  var parent: UInt32
  /// The index just past the last node of this subtree.
  var next: UInt32
  /// The lists and exclamation marks of a type.
  var wrapping: UInt32 = 0

  var range: Range<Int> { Int(start)..<Int(end) }
  var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
}

/// Something that GraphQL's grammar does not allow.
struct GraphQLSyntaxProblem: Sendable, Hashable {
  /// The kinds of mistake.
  enum Kind: Sendable, Hashable {
    case character, points, number, escape, unterminatedString, tooDeep, tooLong
    /// Something that must stand here is missing.
    case missing(String)
    /// A bracket has no counterpart; says which.
    case unclosed(String)
    /// Nothing is between two brackets, where something must be.
    case empty(String)
    /// A word that begins no definition.
    case keyword
    /// A variable where the value must be known without one.
    case variable
    /// What can't stand here.
    case unexpected
  }

  var range: Range<Int>
  var kind: Kind

  /// A sentence for people.
  var message: String {
    switch kind {
    case .character: "GraphQL has no such character outside of strings"
    case .points: "A fragment is spread with three points"
    case .number: "This is not a number of GraphQL"
    case .escape: "This is not an escape that GraphQL knows"
    case .unterminatedString: "The string has no closing quotes"
    case .tooDeep: "This is nested too deeply to be read"
    case .tooLong: "The text is too long to be read to its end"
    case .missing(let what): "Expected \(what)"
    case .unclosed(let bracket): "`\(bracket)` is not closed"
    case .empty(let what): "Expected \(what) between the brackets"
    case .keyword: "Expected `query`, `mutation`, `subscription` or `fragment`"
    case .variable: "The value here can't be a variable"
    case .unexpected: "This can't stand here"
    }
  }
}

/// A parsed GraphQL text. Parsing never fails; what is broken is told in `problems`.
struct GraphQLTree: Sendable {
  /// The source.
  let bytes: [UInt8]
  /// The nodes, each before those inside of it; the first is the document.
  let nodes: [GraphQLNode]
  let problems: [GraphQLSyntaxProblem]
  /// What can stand at the caret that the text was parsed with.
  let caret: GraphQLCaret?

  /// Parses a text. What begins at `own` is a text of its own. `caret` is an offset at which
  /// somebody wants to know what can stand there. Only requests have `{{templates}}`.
  init(
    parsing bytes: [UInt8], own: Int? = nil, caret: Int? = nil, allowsTemplates: Bool = true
  ) {
    let own = min(own ?? bytes.count, bytes.count)
    self.bytes = bytes
    (nodes, problems, self.caret) = bytes.withUnsafeBufferPointer { buffer in
      var parser = GraphQLParser(buffer, caret: caret, allowsTemplates: allowsTemplates)
      parser.parse(0..<own)
      if own < buffer.count { parser.parse(own..<buffer.count) }
      return parser.finished()
    }
  }

  /// The text of a range.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The name of a node; empty where it has none.
  func name(_ node: Int) -> String { text(nodes[node].name) }

  /// The nodes directly inside of a node.
  func children(_ node: Int) -> GraphQLChildren {
    GraphQLChildren(nodes: nodes, at: node + 1, end: Int(nodes[node].next))
  }

  /// The first node of a kind directly inside of a node.
  func child(_ kind: GraphQLNodeKind, of node: Int) -> Int? {
    children(node).first { nodes[$0].kind == kind }
  }

  /// The node around a node.
  func parent(_ node: Int) -> Int { Int(nodes[node].parent) }

  /// The nearest node of some kinds that a node is inside of, or is itself.
  func enclosing(_ node: Int, _ kinds: Set<GraphQLNodeKind>) -> Int? {
    var at = node
    while !kinds.contains(nodes[at].kind) {
      guard at > 0 else { return nil }
      at = parent(at)
    }
    return at
  }
}

/// The indexes of the nodes directly inside of a node.
struct GraphQLChildren: Sequence, IteratorProtocol {
  let nodes: [GraphQLNode]
  var at: Int
  let end: Int

  mutating func next() -> Int? {
    guard at < end else { return nil }
    defer { at = Int(nodes[at].next) }
    return at
  }
}

/// What can stand at a caret.
struct GraphQLCaret: Sendable, Hashable {
  /// The kinds of things.
  enum Expectation: Sendable, Hashable {
    case definition, selection, argument, value, inputField, directive, spread, typeCondition
    case inputType, variableDefinition
  }

  var expectation: Expectation
  /// The node that it would stand in: a selection set, the arguments, the owner of a value or of a
  /// directive.
  var node: Int
  /// The word at the caret, with `$` or `@`.
  var replaced: Range<Int>
}
