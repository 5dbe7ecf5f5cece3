// Values and variables (October 2021, sections 5.6 and 5.8).

extension GraphQLCheck {
  /// A value is of the type that is expected where it stands.
  mutating func checkValue(_ index: Int, _ node: GraphQLNode) {
    guard let schema, let type = reading.meanings[index].type, node.kind != .variable,
      node.kind != .template
    else { return }
    let expected = schema.text(type)
    if node.kind == .null {
      if type.isNonNull { report(.value, node.range, "`null` is no `\(expected)`") }
      return
    }
    if node.kind == .list {
      let kind = schema.kind(type)
      let isCustom = kind == .missing || kind == .scalar && !type.isBuiltIn(schema)
      if !type.isList, !isCustom {
        report(.value, node.range, "Expected a `\(expected)`, not a list")
      }
      return
    }
    let named = schema.types[Int(type.type)]
    switch named.kind {
    case .scalar: checkScalar(index, node, named.name)
    case .enumeration: checkEnumeration(index, node, named, schema)
    case .inputObject: checkObject(index, node, named, schema)
    case .object, .interface, .union, .missing: break
    }
  }

  private mutating func checkScalar(_ index: Int, _ node: GraphQLNode, _ name: String) {
    let text = node.kind == .int ? tree.text(node.range) : ""
    let isFine =
      switch name {
      case "Int": node.kind == .int && Int32(text) != nil
      case "Float": node.kind == .int || node.kind == .float
      case "String": node.kind == .string
      case "Boolean": node.kind == .boolean
      case "ID": node.kind == .string || node.kind == .int
      default: true
      }
    if isFine { return }
    if node.kind == .int, name == "Int" {
      return report(.value, node.range, "An `Int` has 32 bits; this number needs more")
    }
    let needsQuotes = node.kind == .enumValue && (name == "String" || name == "ID")
    report(
      .value, node.range,
      "This is no `\(name)`" + (needsQuotes ? ", which needs quotes" : ""))
  }

  private mutating func checkEnumeration(
    _ index: Int, _ node: GraphQLNode, _ type: GraphQLTypeDefinition, _ schema: GraphQLSchema
  ) {
    if node.kind == .enumValue, reading.meanings[index].member >= 0 { return }
    var word = tree.text(node.range)
    if node.kind == .string { word = GraphQLString.value(tree.bytes[node.range]) }
    let known = type.members.map(schema.name)
    if node.kind == .string, known.contains(word) {
      return report(
        .value, node.range, "A value of `\(type.name)` has no quotes", meant: word)
    }
    report(
      .value, node.range, "This is no value of `\(type.name)`",
      meant: nearest(word, known))
  }

  private mutating func checkObject(
    _ index: Int, _ node: GraphQLNode, _ type: GraphQLTypeDefinition, _ schema: GraphQLSchema
  ) {
    guard node.kind == .object else {
      return report(.value, node.range, "Expected an object with the fields of `\(type.name)`")
    }
    let given = Array(tree.children(index))
    if given.contains(where: { tree.nodes[$0].isMarked }) { return }
    let names = Set(given.map(tree.name))
    for field in type.members
    where schema.members[field].isRequired && !names.contains(schema.name(field)) {
      report(
        .inputFieldRequired, node.range,
        "`\(type.name)` needs the field `\(schema.argument(field))`")
    }
    guard type.isOneOf else { return }
    let values = given.first.map { Array(tree.children($0)) } ?? []
    if given.count != 1 {
      report(.inputFieldRequired, node.range, "`\(type.name)` needs exactly one field")
    } else if let value = values.first, tree.nodes[value].kind == .null {
      report(
        .value, tree.nodes[value].range, "The one field of `\(type.name)` can't be `null`")
    }
  }

  // MARK: - Variables

  /// Variables have names of their own and types of values, are defined where they are used, are
  /// used where they are defined, and fit where they stand.
  mutating func checkVariables() {
    var steps = Self.stepLimit * 5
    for position in reading.definitions.indices {
      let operation = reading.definitions[position].node
      guard tree.nodes[operation].kind == .operation else { continue }
      var defined: [String: Int] = [:]
      for definition in reading.variableDefinitions(operation) {
        checkVariableDefinition(definition, &defined)
      }
      var used: Set<String> = []
      for part in reading.reached(from: position) {
        steps -= 1 + reading.definitions[part].variables.count
        if steps < 0 { return }
        for variable in reading.definitions[part].variables {
          used.insert(tree.name(variable))
          checkUse(variable, defined, operation)
        }
      }
      if reading.hasTemplates { continue }
      for (name, definition) in defined where !used.contains(name) {
        report(
          .variableUnused, tree.nodes[definition].nameWithMark, "Nothing uses `$\(name)`")
      }
    }
  }

  private mutating func checkVariableDefinition(
    _ definition: Int, _ defined: inout [String: Int]
  ) {
    let node = tree.nodes[definition]
    let name = tree.name(definition)
    if !name.isEmpty, !node.isMarked {
      if defined[name] != nil {
        report(.variableName, node.nameWithMark, "The variable `$\(name)` is defined twice")
      } else {
        defined[name] = definition
      }
    }
    guard let schema, let type = tree.child(.type, of: definition), !tree.nodes[type].isMarked,
      !tree.name(type).isEmpty
    else { return }
    let (word, range) = (tree.name(type), tree.nodes[type].name)
    guard let found = schema.type(named: word), schema.types[found].kind != .missing else {
      return report(
        .variableType, range, "The schema has no type `\(word)`",
        meant: nearestType(word) { $0.isInput })
    }
    if !schema.types[found].kind.isInput {
      report(.variableType, range, "A variable can't be a `\(word)`, which is no type of values")
    }
  }

  private mutating func checkUse(_ variable: Int, _ defined: [String: Int], _ operation: Int) {
    let node = tree.nodes[variable]
    let name = tree.name(variable)
    if name.isEmpty || node.isMarked || findings.count >= Self.findingLimit { return }
    guard let definition = defined[name] else {
      let title = tree.name(operation)
      return reportOnce(
        .variableUnknown, node.range,
        title.isEmpty
          ? "The operation does not define `$\(name)`" : "`\(title)` does not define `$\(name)`",
        meant: nearest(name, defined.keys.sorted()).map { "$" + $0 })
    }
    guard let schema, let type = reading.meanings[variable].type,
      let own = reading.meanings[definition].type
    else { return }
    let owner = Int(node.parent)
    let member = Int(reading.meanings[owner].member)
    let scope = Int(reading.meanings[owner].scope)
    if tree.nodes[owner].kind == .objectField, scope >= 0, schema.types[scope].isOneOf,
      !own.isNonNull
    {
      return reportOnce(
        .variableUsage, node.range,
        "`$\(name)` may be null, which the one field of `\(schema.types[scope].name)` can't be")
    }
    let hasDefault =
      tree.nodes[owner].kind != .list && member >= 0
      && !schema.members[member].defaultValue.isEmpty
    if reading.allows(variable: definition, as: type, hasDefault: hasDefault) { return }
    reportOnce(
      .variableUsage, node.range,
      "`$\(name)` is a `\(schema.text(own))`, expected a `\(schema.text(type))`")
  }

  /// Tells what several operations may have against one place.
  private mutating func reportOnce(
    _ rule: GraphQLRule, _ range: Range<Int>, _ message: String, meant: String? = nil
  ) {
    if findings.contains(where: { $0.rule == rule && $0.range == range }) { return }
    report(rule, range, message, meant: meant)
  }
}

extension GraphQLNode {
  /// The name of a variable's definition with its `$`.
  var nameWithMark: Range<Int> { Int(start)..<max(Int(start), Int(nameEnd)) }
}

extension GraphQLTypeReference {
  /// Whether the named type is one of the scalars that every service has.
  func isBuiltIn(_ schema: GraphQLSchema) -> Bool {
    ["String", "Int", "Float", "Boolean", "ID"].contains(schema.types[Int(type)].name)
  }
}
