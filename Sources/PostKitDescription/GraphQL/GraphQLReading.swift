// What the nodes of a request mean in a schema: the types that selections are of, the members that
// names stand for, and the types that values must have.

/// What a node means; negative where that is unknown.
struct GraphQLMeaning: Sendable, Hashable {
  /// The type that a selection or field is of, or whose field a name of an input object is.
  var scope: Int32 = -1
  /// The field, argument, input field or enumeration's value; of a directive, its position among
  /// the directives.
  var member: Int32 = -1
  /// The type of a field, or the one that a value must have.
  var type: GraphQLTypeReference?
}

/// A text with the meaning of each node, and what its definitions use.
struct GraphQLReading: Sendable {
  /// An operation or a fragment with what is used in it.
  struct Definition: Sendable {
    var node: Int
    /// The spreads of fragments by their names.
    var spreads: [Int] = []
    /// The variables that stand as values.
    var variables: [Int] = []
  }

  let tree: GraphQLTree
  let schema: GraphQLSchema?
  private(set) var meanings: [GraphQLMeaning]
  private(set) var definitions: [Definition] = []
  /// The positions of the first fragment of each name among the definitions.
  private(set) var fragments: [String: Int] = [:]
  /// Whether a template stands where a definition, field or argument could be.
  private(set) var hasTemplates = false

  /// Reads a text.
  init(_ tree: GraphQLTree, _ schema: GraphQLSchema?) {
    self.tree = tree
    self.schema = schema
    meanings = Array(repeating: GraphQLMeaning(), count: tree.nodes.count)
    for index in tree.nodes.indices.dropFirst() {
      let node = tree.nodes[index]
      if let schema { meanings[index] = meaning(index, node, schema) }
      collect(index, node)
    }
  }

  /// The meaning of a node, whose parents have theirs already.
  private func meaning(
    _ index: Int, _ node: GraphQLNode, _ schema: GraphQLSchema
  ) -> GraphQLMeaning {
    let parent = meanings[Int(node.parent)]
    var result = GraphQLMeaning()
    switch node.kind {
    case .operation:
      let operation = GraphQLOperationType(rawValue: node.detail) ?? .query
      result.scope = Int32(schema.root(operation) ?? -1)
    case .fragmentDefinition, .inlineFragment:
      result.scope = condition(index, schema) ?? parent.scope
    case .selectionSet:
      result.scope = parent.scope
      guard tree.nodes[Int(node.parent)].kind == .field else { break }
      result.scope = parent.type.map { schema.kind($0).isComposite ? $0.type : -1 } ?? -1
    case .fragmentSpread: result.scope = parent.scope
    case .field:
      result.scope = parent.scope
      if result.scope >= 0 {
        let name = tree.bytes[node.name]
        result.take(schema.field(named: name, of: Int(result.scope)), schema)
      }
    case .alias: return parent
    case .directive: result.member = Int32(schema.directive(named: tree.name(index)) ?? -1)
    case .argument:
      let range = arguments(of: tree.parent(Int(node.parent)), schema)
      result.take(schema.member(named: tree.bytes[node.name], in: range ?? 0..<0), schema)
    case .variableDefinition:
      result.type = tree.child(.type, of: index).flatMap { reference($0, schema) }
    case .type: result.type = reference(index, schema)
    case .objectField:
      result.scope = parent.scope
      guard result.scope >= 0 else { break }
      let range = schema.types[Int(result.scope)].members
      result.take(schema.member(named: tree.bytes[node.name], in: range), schema)
    case .variable, .int, .float, .string, .boolean, .null, .enumValue, .list, .object, .template:
      result = value(node, schema)
    case .document, .variableDefinitions, .arguments, .schema, .rootOperation, .scalar,
      .objectType, .interface, .union, .enumType, .inputObject, .directiveDefinition,
      .fieldDefinition, .inputValue, .enumValueDefinition,
      .description, .implemented, .unionMember, .directiveLocation:
      break
    }
    return result
  }

  private func value(_ node: GraphQLNode, _ schema: GraphQLSchema) -> GraphQLMeaning {
    var result = GraphQLMeaning()
    result.type = expected(in: Int(node.parent))
    guard let type = result.type else { return result }
    let named = schema.types[Int(type.type)]
    if node.kind == .object, named.kind == .inputObject { result.scope = type.type }
    if node.kind == .enumValue, named.kind == .enumeration {
      let member = schema.member(named: tree.bytes[node.name], in: named.members)
      result.member = Int32(member ?? -1)
    }
    return result
  }

  /// The type that a value must have which stands in an argument, a list, a field of an object or
  /// as a default.
  func expected(in owner: Int) -> GraphQLTypeReference? {
    let type = meanings[owner].type
    guard tree.nodes[owner].kind == .list else { return type }
    // A value stands for a list of itself; so does each value of a list for one of lists.
    return type.flatMap { $0.item }
  }

  /// The type that a fragment is on; -1 where it is unknown, `nil` where it says none.
  private func condition(_ node: Int, _ schema: GraphQLSchema) -> Int32? {
    guard let type = tree.child(.type, of: node) else {
      return tree.nodes[node].kind == .fragmentDefinition ? -1 : nil
    }
    guard let index = schema.type(named: tree.name(type)), schema.types[index].kind.isComposite
    else { return -1 }
    return Int32(index)
  }

  /// The type that a node writes; `nil` where the schema has none of its name.
  func reference(_ node: Int, _ schema: GraphQLSchema) -> GraphQLTypeReference? {
    schema.typeIndexes[tree.name(node)].map {
      GraphQLTypeReference(type: $0, wrapping: tree.nodes[node].wrapping)
    }
  }

  /// The arguments that a field or directive takes; `nil` where that is unknown.
  func arguments(of owner: Int, _ schema: GraphQLSchema) -> Range<Int>? {
    let member = Int(meanings[owner].member)
    guard member >= 0 else { return nil }
    if tree.nodes[owner].kind == .directive { return schema.directives[member].arguments }
    let range = schema.members[member].arguments
    return Int(range.lowerBound)..<Int(range.upperBound)
  }

  private mutating func collect(_ index: Int, _ node: GraphQLNode) {
    if node.kind == .operation || node.kind == .fragmentDefinition {
      let name = tree.name(index)
      if node.kind == .fragmentDefinition, !node.isMarked, fragments[name] == nil {
        fragments[name] = definitions.count
      }
      definitions.append(Definition(node: index))
    } else if let last = definitions.indices.last {
      if node.kind == .fragmentSpread { definitions[last].spreads.append(index) }
      if node.kind == .variable { definitions[last].variables.append(index) }
    }
    let isText = node.kind == .template && !Self.valueOwners.contains(parentKind(node))
    if isText || node.isMarked && Self.templateOwners.contains(node.kind) { hasTemplates = true }
  }

  private func parentKind(_ node: GraphQLNode) -> GraphQLNodeKind {
    tree.nodes[Int(node.parent)].kind
  }

  private static let valueOwners: Set<GraphQLNodeKind> = [
    .argument, .objectField, .list, .variableDefinition,
  ]
  /// What may be more than one node once its template is replaced.
  private static let templateOwners: Set<GraphQLNodeKind> = [
    .operation, .field, .argument, .objectField, .fragmentSpread, .directive,
  ]

  /// The positions of a definition and of all fragments that it uses, each once.
  func reached(from definition: Int) -> [Int] { reached(from: [definition]) }

  /// The same of several definitions.
  func reached(from definitions: [Int]) -> [Int] {
    var found = definitions
    var known = Set(definitions)
    var next = 0
    while next < found.count {
      for spread in self.definitions[found[next]].spreads {
        guard let fragment = fragments[tree.name(spread)], known.insert(fragment).inserted else {
          continue
        }
        found.append(fragment)
      }
      next += 1
    }
    return found
  }

  /// The definition that a node is part of, by its position.
  func definition(of node: Int) -> Int? {
    definitions.lastIndex { $0.node <= node }
  }

  /// The definitions of an operation's variables.
  func variableDefinitions(_ operation: Int) -> [Int] {
    guard let list = tree.child(.variableDefinitions, of: operation) else { return [] }
    return tree.children(list).filter { tree.nodes[$0].kind == .variableDefinition }
  }

  /// The default value of a variable, if it has one.
  func defaultValue(_ definition: Int) -> Int? {
    tree.children(definition).first { tree.nodes[$0].kind.isValue }
  }

  /// The definitions of the variables that can stand at a node: those of its operation, or of the
  /// operations that use its fragment.
  func variables(at node: Int) -> [Int] {
    guard let own = definition(of: node) else { return [] }
    if tree.nodes[definitions[own].node].kind == .operation {
      return variableDefinitions(definitions[own].node)
    }
    var names: Set<String> = []
    return definitions.indices.filter {
      tree.nodes[definitions[$0].node].kind == .operation && reached(from: $0).contains(own)
    }.flatMap { variableDefinitions(definitions[$0].node) }.filter {
      names.insert(tree.name($0)).inserted
    }
  }
}

extension GraphQLMeaning {
  /// Takes a member over, if it was found, and its type.
  fileprivate mutating func take(_ member: Int?, _ schema: GraphQLSchema) {
    guard let member else { return }
    self.member = Int32(member)
    type = schema.members[member].type
  }
}
