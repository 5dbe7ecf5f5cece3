// From the definitions of some sources to the tables of a schema: extensions are merged, names
// become positions, and what does not fit is told.

/// Makes a schema's tables.
struct GraphQLSchemaBuilder {
  /// A node of one of the sources.
  struct Definition {
    var source: Int
    var node: Int
  }

  private static let problemLimit = 200

  let sources: [GraphQLSource]
  private let trees: [GraphQLTree]
  private(set) var problems: [GraphQLSchemaProblem] = []
  private(set) var types: [GraphQLTypeDefinition] = []
  private(set) var members: [GraphQLMember] = []
  private(set) var directives: [GraphQLDirectiveDefinition] = []
  private(set) var typeIndexes: [String: Int32] = [:]
  private(set) var roots: [Int32?] = [nil, nil, nil]
  private(set) var metaFields = (all: 0, query: 0..<0)
  /// The definition of each type and its extensions.
  private var definitions: [[Definition]] = []
  private var schemaNodes: [Definition] = []
  private var directiveNodes: [Definition] = []
  private var directiveNames: Set<String> = []

  /// Reads sources, of which the last one gives only what the others do not define.
  init(_ sources: [GraphQLSource]) {
    self.sources = sources
    trees = sources.map { GraphQLTree(parsing: $0.bytes, allowsTemplates: false) }
  }

  /// Makes the schema.
  consuming func schema() -> GraphQLSchema {
    for source in sources.indices { register(source) }
    for type in types.indices where types[type].kind == .missing { extend(type) }
    for node in directiveNodes { addDirective(node) }
    // Types that are named and missing join while others are defined.
    for type in types.indices { define(type) }
    setRoots()
    setPossibleTypes()
    setMetaFields()
    checkTypes()
    return GraphQLSchema(self)
  }

  private func isPrelude(_ source: Int) -> Bool { source == sources.count - 1 }

  private mutating func report(
    _ message: String, _ source: Int, _ range: Range<Int>, isRemark: Bool = false
  ) {
    guard problems.count < Self.problemLimit, !isPrelude(source) else { return }
    problems.append(
      GraphQLSchemaProblem(source: source, range: range, message: message, isRemark: isRemark))
  }

  private func span(_ source: Int, _ range: Range<Int>) -> GraphQLSpan {
    GraphQLSpan(
      source: Int32(source), start: UInt32(range.lowerBound), end: UInt32(range.upperBound))
  }

  // MARK: - Names

  private mutating func register(_ source: Int) {
    let tree = trees[source]
    for problem in tree.problems { report(problem.message + ".", source, problem.range) }
    for node in tree.children(0) {
      let definition = Definition(source: source, node: node)
      let kind = tree.nodes[node].kind
      if kind == .schema {
        schemaNodes.append(definition)
      } else if kind == .directiveDefinition {
        directiveNodes.append(definition)
      } else if kind.isTypeSystem {
        addType(definition)
      } else if kind == .operation || kind == .fragmentDefinition {
        report("A schema has no operations and fragments.", source, tree.nodes[node].range)
      }
    }
  }

  private mutating func addType(_ definition: Definition) {
    let tree = trees[definition.source]
    let node = tree.nodes[definition.node]
    let name = tree.name(definition.node)
    if name.isEmpty { return }
    let index = index(of: name)
    guard !node.isMarked else { return definitions[index].append(definition) }
    if types[index].kind != .missing {
      return report("The type `\(name)` is defined twice.", definition.source, node.name)
    }
    types[index].kind = GraphQLTypeKind(node.kind)
    types[index].place = span(definition.source, node.name)
    definitions[index].insert(definition, at: 0)
  }

  /// The position of a type; one that is unknown so far is missing until it is defined.
  private mutating func index(of name: String) -> Int {
    if let known = typeIndexes[name] { return Int(known) }
    typeIndexes[name] = Int32(types.count)
    types.append(GraphQLTypeDefinition(name: name))
    definitions.append([])
    return types.count - 1
  }

  private mutating func addDirective(_ definition: Definition) {
    let tree = trees[definition.source]
    let node = tree.nodes[definition.node]
    let name = tree.name(definition.node)
    if name.isEmpty { return }
    guard directiveNames.insert(name).inserted else {
      return report("The directive `@\(name)` is defined twice.", definition.source, node.name)
    }
    var directive = GraphQLDirectiveDefinition(
      name: name, place: span(definition.source, node.name),
      description: description(definition), isRepeatable: node.isMarked)
    for child in tree.children(definition.node)
    where tree.nodes[child].kind == .directiveLocation {
      if let location = GraphQLLocation(rawValue: tree.name(child)) {
        directive.locations.insert(location)
      }
    }
    directive.arguments = addMembers([definition], .inputValue)
    directives.append(directive)
  }

  private func description(_ definition: Definition) -> GraphQLSpan {
    let tree = trees[definition.source]
    guard let child = tree.child(.description, of: definition.node) else { return GraphQLSpan() }
    return span(definition.source, tree.nodes[child].range)
  }

  // MARK: - Types

  /// A type that is only extended is what its first extension says: another service defines it.
  private mutating func extend(_ type: Int) {
    guard let first = definitions[type].first else { return }
    let node = trees[first.source].nodes[first.node]
    report(
      "There is no type `\(types[type].name)` to be extended.", first.source, node.name,
      isRemark: true)
    types[type].kind = GraphQLTypeKind(node.kind)
    types[type].place = span(first.source, node.name)
  }

  private mutating func define(_ type: Int) {
    let kind = types[type].kind
    for part in definitions[type] {
      let tree = trees[part.source]
      let node = tree.nodes[part.node]
      let name = types[type].name
      if GraphQLTypeKind(node.kind) != kind {
        report("`\(name)` is defined as another kind of type.", part.source, node.name)
        continue
      }
      if types[type].description.isEmpty { types[type].description = description(part) }
      for child in tree.children(part.node) { addPart(child, part.source, to: type) }
    }
    let member: GraphQLNodeKind? =
      switch kind {
      case .object, .interface: .fieldDefinition
      case .inputObject: .inputValue
      case .enumeration: .enumValueDefinition
      case .scalar, .union, .missing: nil
      }
    guard let member else { return }
    let parts = definitions[type].filter {
      GraphQLTypeKind(trees[$0.source].nodes[$0.node].kind) == kind
    }
    types[type].members = addMembers(parts, member)
  }

  private mutating func addPart(_ child: Int, _ source: Int, to type: Int) {
    let tree = trees[source]
    let kind = tree.nodes[child].kind
    if kind == .implemented {
      types[type].interfaces.append(Int32(reference(child, source)))
    } else if kind == .unionMember {
      types[type].possible.append(Int32(reference(child, source)))
    } else if kind == .directive, tree.name(child) == "oneOf" {
      types[type].isOneOf = true
    }
  }

  /// The position of the type that a node names; an unknown one is told.
  private mutating func reference(_ node: Int, _ source: Int) -> Int {
    let name = trees[source].name(node)
    let index = index(of: name)
    if types[index].kind == .missing, !name.isEmpty {
      report("There is no type `\(name)`.", source, trees[source].nodes[node].name)
    }
    return index
  }

  /// Adds the members of a kind that some definitions have, and then their arguments.
  private mutating func addMembers(
    _ parts: [Definition], _ kind: GraphQLNodeKind
  ) -> Range<Int> {
    let start = members.count
    var added: [Definition] = []
    var names: Set<String> = []
    for part in parts {
      let tree = trees[part.source]
      for child in tree.children(part.node) where tree.nodes[child].kind == kind {
        let name = tree.name(child)
        if name.isEmpty { continue }
        guard names.insert(name).inserted else {
          report("`\(name)` is defined twice.", part.source, tree.nodes[child].name)
          continue
        }
        added.append(Definition(source: part.source, node: child))
        members.append(member(child, part.source))
      }
    }
    let range = start..<members.count
    guard kind == .fieldDefinition else { return range }
    for (index, field) in zip(range, added)
    where trees[field.source].child(.inputValue, of: field.node) != nil {
      let arguments = addMembers([field], .inputValue)
      members[index].arguments = Int32(arguments.lowerBound)..<Int32(arguments.upperBound)
    }
    return range
  }

  private mutating func member(_ index: Int, _ source: Int) -> GraphQLMember {
    let tree = trees[source]
    var member = GraphQLMember(place: span(source, tree.nodes[index].name))
    for child in tree.children(index) {
      let node = tree.nodes[child]
      if node.kind == .description {
        member.description = span(source, node.range)
      } else if node.kind == .type {
        member.type = GraphQLTypeReference(
          type: Int32(reference(child, source)), wrapping: node.wrapping)
      } else if node.kind == .directive, tree.name(child) == "deprecated" {
        member.deprecation = span(source, deprecationReason(child, tree) ?? node.range)
      } else if node.kind.isValue {
        member.defaultValue = span(source, node.range)
      }
    }
    return member
  }

  private func deprecationReason(_ directive: Int, _ tree: GraphQLTree) -> Range<Int>? {
    guard let arguments = tree.child(.arguments, of: directive) else { return nil }
    for argument in tree.children(arguments) where tree.name(argument) == "reason" {
      if let value = tree.child(.string, of: argument) { return tree.nodes[value].range }
    }
    return nil
  }

  // MARK: - What derives from all types

  private mutating func setRoots() {
    for definition in schemaNodes {
      let tree = trees[definition.source]
      for child in tree.children(definition.node) where tree.nodes[child].kind == .rootOperation {
        let word = tree.name(child)
        guard let type = tree.child(.type, of: child),
          let operation = GraphQLOperationType.allCases.first(where: { $0.keyword == word })
        else { continue }
        let root = reference(type, definition.source)
        if types[root].kind != .missing { roots[Int(operation.rawValue)] = Int32(root) }
      }
    }
    let isGiven = schemaNodes.contains { !trees[$0.source].nodes[$0.node].isMarked }
    if isGiven { return }
    // Without a definition of the schema, the names of the types say which they are.
    let names = ["Query", "Mutation", "Subscription"]
    for (operation, name) in zip(GraphQLOperationType.allCases, names) {
      let index = Int(operation.rawValue)
      if roots[index] == nil, let type = typeIndexes[name], types[Int(type)].kind == .object {
        roots[index] = type
      }
    }
  }

  private mutating func setPossibleTypes() {
    for type in types.indices where types[type].kind == .object {
      types[type].possible = [Int32(type)]
      for interface in types[type].interfaces where types[Int(interface)].kind == .interface {
        types[Int(interface)].possible.append(Int32(type))
      }
    }
    for type in types.indices where types[type].possible.count > 1 {
      types[type].possible = Array(Set(types[type].possible)).sorted()
    }
  }

  private mutating func setMetaFields() {
    guard let type = typeIndexes.removeValue(forKey: GraphQLPrelude.metaType) else { return }
    let range = types[Int(type)].members
    guard range.count == 3 else { return }
    metaFields = (range.lowerBound, range.dropFirst().startIndex..<range.upperBound)
  }

  private mutating func checkTypes() {
    for type in types.indices {
      let definition = types[type]
      func check(_ positions: [Int32], _ kind: GraphQLTypeKind, _ what: String) {
        for position in positions {
          let other = types[Int(position)]
          if other.kind == kind || other.kind == .missing { continue }
          report(
            "`\(other.name)` is no \(what), which `\(definition.name)` needs here.",
            Int(definition.place.source), definition.place.range)
        }
      }
      if definition.kind == .union { check(definition.possible, .object, "object type") }
      check(definition.interfaces, .interface, "interface")
      checkMembers(of: type)
    }
    if roots[0] == nil, let source = sources.indices.first, !isPrelude(source) {
      report("The schema has no query type.", source, 0..<0)
    }
  }

  private mutating func checkMembers(of type: Int) {
    let isInput = types[type].kind == .inputObject
    for index in types[type].members {
      let member = members[index]
      if let reference = member.type {
        let other = types[Int(reference.type)]
        if isInput ? !other.kind.isInput : other.kind == .inputObject {
          report(
            "A field of `\(types[type].name)` can't have the type `\(other.name)`.",
            Int(member.place.source), member.place.range)
        }
      }
      for argument in member.arguments {
        guard let reference = members[Int(argument)].type,
          !types[Int(reference.type)].kind.isInput
        else { continue }
        let place = members[Int(argument)].place
        report(
          "An argument can't have the type `\(types[Int(reference.type)].name)`.",
          Int(place.source), place.range)
      }
    }
  }
}

extension GraphQLTypeKind {
  /// The kind that a definition makes.
  init(_ node: GraphQLNodeKind) {
    self = Self.kinds[node] ?? .missing
  }

  private static let kinds: [GraphQLNodeKind: GraphQLTypeKind] = [
    .scalar: .scalar, .objectType: .object, .interface: .interface, .union: .union,
    .enumType: .enumeration, .inputObject: .inputObject,
  ]
}
