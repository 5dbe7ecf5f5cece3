// What can be typed at a place of a request.

/// Makes the candidates at a caret.
struct GraphQLCompleter {
  let reading: GraphQLReading
  let caret: GraphQLCaret

  private var tree: GraphQLTree { reading.tree }
  private var schema: GraphQLSchema? { reading.schema }

  /// The candidates.
  func items() -> [GraphQLItem] {
    switch caret.expectation {
    case .definition: keywords()
    case .selection: fields()
    case .argument: arguments()
    case .inputField: inputFields()
    case .value: values()
    case .directive: directives()
    case .spread: spreads()
    case .typeCondition: conditions()
    case .inputType: inputTypes()
    case .variableDefinition: variableDefinitions()
    }
  }

  private func keywords() -> [GraphQLItem] {
    let operations = GraphQLOperationType.allCases.filter {
      schema == nil || schema?.root($0) != nil
    }
    return (operations.map(\.keyword) + ["fragment"]).enumerated().map { rank, word in
      GraphQLItem(label: word, kind: .keyword, text: word, rank: rank)
    }
  }

  // MARK: - Members

  private func fields() -> [GraphQLItem] {
    guard let schema, reading.meanings[caret.node].scope >= 0 else {
      return [GraphQLItem(label: "__typename", kind: .field, text: "__typename", rank: 0)]
    }
    let scope = Int(reading.meanings[caret.node].scope)
    let type = schema.types[scope]
    let own = type.kind == .union ? 0..<0 : type.members
    let meta = schema.metaFields
    var members = Array(own) + [meta.all]
    if scope == schema.root(.query) { members += meta.query }
    return members.enumerated().map { rank, member in
      item(member, .field, schema, rank: rank)
    }
  }

  private func arguments() -> [GraphQLItem] {
    let owner = tree.parent(caret.node)
    let known = schema.flatMap { reading.arguments(of: owner, $0) }
    guard let range = known ?? bareArguments(of: owner) else { return [] }
    return missing(range, .argument)
  }

  /// The arguments of a directive that every service has, where there is no schema.
  private func bareArguments(of owner: Int) -> Range<Int>? {
    guard schema == nil, tree.nodes[owner].kind == .directive else { return nil }
    return GraphQLSchema.bare.directive(named: tree.name(owner)).map {
      GraphQLSchema.bare.directives[$0].arguments
    }
  }

  private func inputFields() -> [GraphQLItem] {
    guard let schema, reading.meanings[caret.node].scope >= 0 else { return [] }
    return missing(schema.types[Int(reading.meanings[caret.node].scope)].members, .inputField)
  }

  /// Candidates for the members whose names are not given yet; required ones come first.
  private func missing(_ range: Range<Int>, _ kind: GraphQLItemKind) -> [GraphQLItem] {
    let schema = schema ?? .bare
    let given = Set(
      tree.children(caret.node).filter { tree.nodes[$0].name != caret.replaced }.map(tree.name))
    let hasColon = tree.bytes[caret.replaced.upperBound...].first { $0 != 32 && $0 != 9 }
      == UInt8(ascii: ":")
    return range.filter { !given.contains(schema.name($0)) }.enumerated().map { rank, member in
      let isRequired = schema.members[member].isRequired
      var item = item(member, kind, schema, rank: isRequired ? rank : rank + 500)
      if !hasColon { item.text += ": " }
      return item
    }
  }

  private func item(
    _ member: Int, _ kind: GraphQLItemKind, _ schema: GraphQLSchema, rank: Int
  ) -> GraphQLItem {
    let deprecation = schema.deprecation(member)
    return GraphQLItem(
      label: schema.name(member), kind: kind, text: schema.name(member),
      detail: schema.members[member].type.map(schema.text),
      documentation: schema.string(schema.members[member].description), deprecation: deprecation,
      rank: deprecation == nil ? rank : rank + 10_000)
  }

  // MARK: - Values

  private func values() -> [GraphQLItem] {
    let type = reading.expected(in: caret.node)
    var items = reading.literals(of: type)
    if tree.enclosing(caret.node, [.variableDefinition]) == nil {
      items = variables(type) + items
    }
    // After a `$`, only variables can stand.
    let isVariable = tree.bytes[caret.replaced].first == UInt8(ascii: "$")
    return isVariable ? items.filter { $0.kind == .variable } : items
  }

  private func variables(_ type: GraphQLTypeReference?) -> [GraphQLItem] {
    let definitions = reading.variables(at: caret.node)
    let fitting = definitions.filter { definition in
      guard let type else { return true }
      return reading.allows(variable: definition, as: type, hasDefault: hasDefault)
    }
    return fitting.enumerated().map { rank, definition in
      let name = "$" + tree.name(definition)
      return GraphQLItem(
        label: name, kind: .variable, text: name, detail: reading.typeText(definition),
        rank: rank - 1000)
    }
  }

  private var hasDefault: Bool {
    let member = Int(reading.meanings[caret.node].member)
    guard let schema, member >= 0, tree.nodes[caret.node].kind != .list else { return false }
    return !schema.members[member].defaultValue.isEmpty
  }

  // MARK: - Directives, fragments and types

  private func directives() -> [GraphQLItem] {
    guard let location = GraphQLLocation(tree.nodes[caret.node]) else { return [] }
    let schema = schema ?? .bare
    let others = tree.children(caret.node).filter {
      tree.nodes[$0].kind == .directive && !tree.nodes[$0].range.overlaps(caret.replaced)
    }
    let given = Set(others.map(tree.name))
    return schema.directives.filter {
      $0.locations.contains(location) && ($0.isRepeatable || !given.contains($0.name))
    }.enumerated().map { rank, directive in
      let name = "@" + directive.name
      return GraphQLItem(
        label: name, kind: .directive, text: name,
        detail: schema.declaration(name, arguments: directive.arguments, type: nil).text,
        documentation: schema.string(directive.description), rank: rank)
    }
  }

  private func spreads() -> [GraphQLItem] {
    let scope = Int(reading.meanings[caret.node].scope)
    let around = tree.enclosing(caret.node, [.fragmentDefinition]).map(tree.name)
    let names = reading.fragments.keys.sorted().filter { name in
      guard name != around, !name.isEmpty, let position = reading.fragments[name] else {
        return false
      }
      let type = Int(reading.meanings[reading.definitions[position].node].scope)
      guard let schema, scope >= 0, type >= 0 else { return true }
      return schema.overlap(scope, type)
    }
    let fragments = names.enumerated().map { rank, name in
      GraphQLItem(
        label: name, kind: .fragment, text: name, detail: reading.condition(ofFragment: name),
        rank: rank)
    }
    return fragments + [GraphQLItem(label: "on", kind: .keyword, text: "on ", rank: 5000)]
      + conditions().map { item in
        var item = item
        (item.label, item.text) = ("on " + item.label, "on " + item.text)
        item.rank += 6000
        return item
      }
  }

  private func conditions() -> [GraphQLItem] {
    guard let schema else { return [] }
    let isDefinition = tree.nodes[caret.node].kind == .fragmentDefinition
    // What is around it: its own type is what is being written.
    let scope = Int(reading.meanings[tree.parent(caret.node)].scope)
    return types { type in
      guard schema.types[type].kind.isComposite else { return false }
      return isDefinition || scope < 0 || schema.overlap(scope, type)
    }
  }

  private func inputTypes() -> [GraphQLItem] {
    guard let schema else {
      return types { GraphQLSchema.bare.types[$0].kind == .scalar }
    }
    return types { schema.types[$0].kind.isInput }
  }

  private func types(where holds: (Int) -> Bool) -> [GraphQLItem] {
    let schema = schema ?? .bare
    let found = schema.types.indices.filter { index in
      let type = schema.types[index]
      return type.kind != .missing && !type.name.hasPrefix("__") && holds(index)
    }
    return found.enumerated().map { rank, index in
      let type = schema.types[index]
      return GraphQLItem(
        label: type.name, kind: .type, text: type.name, detail: type.kind.keyword,
        documentation: schema.string(type.description), rank: rank)
    }
  }

  /// Definitions for the variables that the operation uses and does not define.
  private func variableDefinitions() -> [GraphQLItem] {
    guard let operation = tree.enclosing(caret.node, [.operation]),
      let own = reading.definition(of: operation)
    else { return [] }
    var names = Set(
      reading.variableDefinitions(operation).filter { $0 != caret.node }.map(tree.name))
    let used = reading.reached(from: own).flatMap { reading.definitions[$0].variables }
    return used.filter { !tree.name($0).isEmpty && names.insert(tree.name($0)).inserted }
      .enumerated().map { rank, variable in
        let name = "$" + tree.name(variable)
        let type = reading.meanings[variable].type.flatMap { type in schema?.text(type) }
        return GraphQLItem(
          label: name, kind: .variable, text: type.map { name + ": " + $0 } ?? name, detail: type,
          rank: rank)
      }
  }
}

extension GraphQLReading {
  /// The values of a type that have names, as candidates.
  func literals(of type: GraphQLTypeReference?) -> [GraphQLItem] {
    func item(_ word: String, _ rank: Int) -> GraphQLItem {
      GraphQLItem(label: word, kind: .literal, text: word, rank: rank)
    }
    guard let schema, let type else {
      return [item("true", 0), item("false", 1), item("null", 2)]
    }
    let named = schema.types[Int(type.type)]
    var items = named.name == "Boolean" ? [item("true", 0), item("false", 1)] : []
    if named.kind == .enumeration {
      items = named.members.enumerated().map { rank, member in
        let deprecation = schema.deprecation(member)
        return GraphQLItem(
          label: schema.name(member), kind: .enumValue, text: schema.name(member),
          detail: named.name, documentation: schema.string(schema.members[member].description),
          deprecation: deprecation, rank: deprecation == nil ? rank : rank + 10_000)
      }
    }
    return type.isNonNull ? items : items + [item("null", 9000)]
  }

  /// The type that a variable's definition or another owner writes, as it stands in the text.
  func typeText(_ definition: Int) -> String? {
    tree.child(.type, of: definition).map { tree.text(tree.nodes[$0].range) }
  }

  /// What a fragment is on, such as `on User`.
  func condition(ofFragment name: String) -> String? {
    fragments[name].flatMap { typeText(definitions[$0].node) }.map { "on " + $0 }
  }

  /// Whether a variable may stand where a type is expected (October 2021, section 5.8.5).
  func allows(variable definition: Int, as type: GraphQLTypeReference, hasDefault: Bool) -> Bool {
    guard let schema, let own = meanings[definition].type else { return true }
    if type.isNonNull, !own.isNonNull {
      let value = defaultValue(definition)
      let isGiven = value.map { tree.nodes[$0].kind != .null } ?? false
      return (isGiven || hasDefault) && schema.isSubtype(own, of: type.nullable)
    }
    return schema.isSubtype(own, of: type)
  }
}

extension GraphQLSchema {
  /// What every service has, and nothing else.
  static let bare = GraphQLSchema(sources: [])
}

extension GraphQLQuery {
  /// What can stand at an offset of the query.
  package func completion(at offset: Int) -> GraphQLCompletion? {
    let tree = GraphQLTree(parsing: bytes, own: own, caret: offset)
    guard let caret = tree.caret else { return nil }
    let items = GraphQLCompleter(reading: GraphQLReading(tree, schema), caret: caret).items()
    return GraphQLCompletion(items: items, replaced: caret.replaced)
  }
}
