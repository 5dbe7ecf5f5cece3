// The variables beside a request: what can be written into their JSON, and what does not fit.

import PostKitJSON

/// Reads the JSON of variables against the definitions of a request.
struct GraphQLVariables {
  let reading: GraphQLReading
  let json: [UInt8]
  /// The schema, or what every service has.
  let schema: GraphQLSchema
  /// The definitions of all operations, the first of each name.
  let definitions: [(name: String, node: Int)]
  /// Their places in `definitions`.
  private let places: [String: Int]
  /// Those of the operation that is sent.
  let sent: [(name: String, node: Int)]

  /// What a place in the JSON is.
  enum Meaning {
    case variables
    case value(GraphQLTypeReference)
  }

  init(_ query: GraphQLQuery) {
    let reading = query.schema == nil ? GraphQLReading(query.tree, .bare) : query.reading
    self.reading = reading
    schema = query.schema ?? .bare
    json = GraphQLVariablesText.masked(query.variables ?? [])
    let operations = reading.definitions.map(\.node).filter {
      reading.tree.nodes[$0].kind == .operation
    }
    func named(_ operation: Int) -> [(name: String, node: Int)] {
      reading.variableDefinitions(operation).map { (reading.tree.name($0), $0) }
        .filter { !$0.name.isEmpty && !reading.tree.nodes[$0.node].isMarked }
    }
    var known: Set<String> = []
    definitions = operations.flatMap(named).filter { known.insert($0.name).inserted }
    places = Dictionary(uniqueKeysWithValues: zip(definitions.map(\.name), definitions.indices))
    let first = operations.first { !reading.tree.name($0).isEmpty } ?? operations.first
    sent = first.map(named) ?? []
  }

  /// The definition of a variable.
  func definition(named name: String) -> Int? { places[name].map { definitions[$0].node } }

  /// The type of a variable; `nil` where the schema does not know it.
  func type(_ definition: Int) -> GraphQLTypeReference? {
    reading.meanings[definition].type
  }

  /// What the value at the end of a path is.
  func meaning(_ path: [GraphQLVariablesPlace.Step]) -> Meaning? {
    var meaning = Meaning.variables
    for step in path {
      switch (meaning, step) {
      case (.variables, .member(let name)):
        guard let type = definition(named: name).flatMap(type) else { return nil }
        meaning = .value(type)
      case (.value(let type), .member(let name)):
        guard let member = field(name, of: type), let type = schema.members[member].type else {
          return nil
        }
        meaning = .value(type)
      case (.value(let type), .element):
        guard let item = type.item else { return nil }
        meaning = .value(item)
      case (.variables, .element): return nil
      }
    }
    return meaning
  }

  /// The field of an input object.
  func field(_ name: String, of type: GraphQLTypeReference) -> Int? {
    guard schema.kind(type) == .inputObject else { return nil }
    return schema.member(
      named: Array(name.utf8)[...], in: schema.types[Int(type.type)].members)
  }

  // MARK: - What can be written

  /// What can stand at an offset of the JSON.
  func completion(at offset: Int) -> GraphQLCompletion? {
    guard let place = GraphQLVariablesText.place(json, at: offset),
      let meaning = meaning(place.path)
    else { return nil }
    var items: [GraphQLItem] = []
    switch (meaning, place.isName) {
    case (.variables, true): items = variableItems()
    case (.value(let type), true) where schema.kind(type) == .inputObject:
      items = fieldItems(schema.types[Int(type.type)].members)
    case (.value(let type), false): items = valueItems(type)
    case (.value, true), (.variables, false): return nil
    }
    if place.isName {
      items.removeAll { place.given.contains($0.label) }
      let next = json[place.replaced.upperBound...].first { $0 > 32 }
      if next != UInt8(ascii: ":") {
        for index in items.indices { items[index].text += ": " }
      }
    }
    return GraphQLCompletion(items: items, replaced: place.replaced)
  }

  private func variableItems() -> [GraphQLItem] {
    definitions.enumerated().map { rank, own in
      GraphQLItem(
        label: own.name, kind: .variable, text: "\"\(own.name)\"",
        detail: reading.typeText(own.node), rank: rank)
    }
  }

  private func fieldItems(_ members: Range<Int>) -> [GraphQLItem] {
    members.enumerated().map { rank, member in
      let name = schema.name(member)
      let isRequired = schema.members[member].isRequired
      return GraphQLItem(
        label: name, kind: .inputField, text: "\"\(name)\"",
        detail: schema.members[member].type.map(schema.text),
        documentation: schema.string(schema.members[member].description),
        deprecation: schema.deprecation(member), rank: isRequired ? rank : rank + 500)
    }
  }

  private func valueItems(_ type: GraphQLTypeReference) -> [GraphQLItem] {
    reading.literals(of: type).map { item in
      var item = item
      if item.kind == .enumValue { item.text = "\"\(item.text)\"" }
      return item
    }
  }

  // MARK: - What is wrong

  /// Everything that does not fit, in the order of the JSON.
  func findings() -> [GraphQLFinding] {
    var checker = GraphQLVariablesCheck(self)
    guard !json.allSatisfy({ $0 <= 32 }) else {
      checker.checkMissing([], 0..<0)
      return checker.findings
    }
    // What is no JSON is told by those who send it.
    guard let tree = try? JSONTree(parsing: json), tree.root.kind == .object else { return [] }
    checker.check(tree.root)
    return checker.findings
  }
}

/// Looks at the variables' JSON.
private struct GraphQLVariablesCheck {
  private let variables: GraphQLVariables
  private(set) var findings: [GraphQLFinding] = []

  private var schema: GraphQLSchema { variables.schema }

  init(_ variables: GraphQLVariables) { self.variables = variables }

  private mutating func report(
    _ rule: GraphQLRule, _ range: Range<Int>, _ message: String, meant: String? = nil
  ) {
    if findings.count >= GraphQLCheck.findingLimit { return }
    let hint = meant.map { " Did you mean `\($0)`?" } ?? ""
    findings.append(
      GraphQLFinding(rule: rule, range: range, message: message + "." + hint, suggestion: meant))
  }

  private func nearest<Names: Sequence<String>>(
    _ name: String, _ known: @autoclosure () -> Names
  ) -> String? {
    let isTold = findings.count < GraphQLCheck.suggestionLimit
    return isTold ? GraphQLSpelling.nearest(name, known()) : nil
  }

  mutating func check(_ root: JSONView) {
    let members = root.members
    for (key, value) in members {
      let name = key.string ?? ""
      if GraphQLVariablesText.isTemplate(key) { continue }
      if findings.count >= GraphQLCheck.findingLimit { return }
      guard let own = variables.definition(named: name) else {
        report(
          .variablesUnknown, key.range, "The operation has no variable `$\(name)`",
          meant: nearest(name, variables.definitions.map(\.name)))
        continue
      }
      if let type = variables.type(own) { check(value, type) }
    }
    if !members.contains(where: { GraphQLVariablesText.isTemplate($0.key) }) {
      checkMissing(Set(members.compactMap { $0.key.string }), root.range)
    }
  }

  mutating func checkMissing(_ given: Set<String>, _ range: Range<Int>) {
    let tree = variables.reading.tree
    for own in variables.sent where !given.contains(own.name) {
      guard let type = tree.child(.type, of: own.node),
        GraphQLTypeReference(type: -1, wrapping: tree.nodes[type].wrapping).isNonNull,
        variables.reading.defaultValue(own.node) == nil
      else { continue }
      report(
        .variablesMissing, range,
        "The variable `$\(own.name)` needs a value: it is a `\(tree.text(tree.nodes[type].range))`")
    }
  }

  private mutating func check(_ value: JSONView, _ type: GraphQLTypeReference) {
    if GraphQLVariablesText.isTemplate(value) { return }
    let expected = schema.text(type)
    if value.isNull {
      if type.isNonNull { report(.variablesValue, value.range, "`null` is no `\(expected)`") }
      return
    }
    if value.kind == .array, let item = type.item {
      for element in value.elements { check(element, item) }
      return
    }
    let named = schema.types[Int(type.type)]
    switch named.kind {
    case .scalar:
      if !fits(value, named.name) {
        report(.variablesValue, value.range, "This is no `\(expected)`")
      }
    case .enumeration:
      let text = value.string ?? ""
      if value.kind == .string, has(text, named) { return }
      report(
        .variablesValue, value.range, "This is no value of `\(named.name)`",
        meant: nearest(text, named.members.map(schema.name)))
    case .inputObject: checkObject(value, named)
    case .object, .interface, .union, .missing: break
    }
  }

  private func has(_ name: String, _ type: GraphQLTypeDefinition) -> Bool {
    schema.member(named: Array(name.utf8)[...], in: type.members) != nil
  }

  private func fits(_ value: JSONView, _ scalar: String) -> Bool {
    switch scalar {
    case "Int": value.int.flatMap(Int32.init(exactly:)) != nil
    case "Float": value.kind == .number
    case "String": value.kind == .string
    case "Boolean": value.bool != nil
    // However many digits there are.
    case "ID":
      value.kind == .string
        || value.kind == .number && value.source.allSatisfy { "-0123456789".utf8.contains($0) }
    default: true
    }
  }

  private mutating func checkObject(_ value: JSONView, _ type: GraphQLTypeDefinition) {
    guard value.kind == .object else {
      return report(
        .variablesValue, value.range, "Expected an object with the fields of `\(type.name)`")
    }
    var given: Set<String> = []
    for (key, inner) in value.members {
      if GraphQLVariablesText.isTemplate(key) { return }
      let name = key.string ?? ""
      given.insert(name)
      guard let field = schema.member(named: Array(name.utf8)[...], in: type.members) else {
        report(
          .variablesValue, key.range, "`\(type.name)` has no field `\(name)`",
          meant: nearest(name, type.members.map(schema.name)))
        continue
      }
      if let type = schema.members[field].type { check(inner, type) }
    }
    for field in type.members
    where schema.members[field].isRequired && !given.contains(schema.name(field)) {
      report(
        .variablesValue, value.range,
        "`\(type.name)` needs the field `\(schema.argument(field))`")
    }
    if type.isOneOf, given.count != 1 {
      report(.variablesValue, value.range, "`\(type.name)` needs exactly one field")
    } else if type.isOneOf, let only = value.members.first?.value, only.kind == .null {
      report(
        .variablesValue, only.range, "The one field of `\(type.name)` can't be `null`")
    }
  }
}

extension GraphQLQuery {
  /// What can stand at an offset of the variables' JSON.
  package func variableCompletion(at offset: Int) -> GraphQLCompletion? {
    GraphQLVariables(self).completion(at: offset)
  }

  /// What is wrong with the variables; ranges are those of their JSON.
  package func variableFindings() -> [GraphQLFinding] { GraphQLVariables(self).findings() }

  /// What the name at an offset of the variables' JSON stands for.
  package func variableHover(at offset: Int) -> GraphQLHover? {
    guard let (variables, name, place) = named(at: offset) else { return nil }
    switch variables.meaning(place.path) {
    case .variables:
      guard let own = variables.definition(named: name) else { return nil }
      var hover = hover(at: tree.nodes[own].name.lowerBound)
      hover?.range = place.replaced
      return hover
    case .value(let type):
      guard let field = variables.field(name, of: type) else { return nil }
      return variables.schema.hover(ofMember: field, owner: Int(type.type), place.replaced)
    case nil: return nil
    }
  }

  /// Where the name at an offset of the variables' JSON is declared.
  package func variableDefinition(at offset: Int) -> GraphQLPlace? {
    guard let (variables, name, place) = named(at: offset) else { return nil }
    switch variables.meaning(place.path) {
    case .variables:
      return variables.definition(named: name).map { .text(tree.nodes[$0].name) }
    case .value(let type):
      return variables.field(name, of: type).flatMap {
        variables.schema.place(variables.schema.members[$0].place)
      }
    case nil: return nil
    }
  }

  private func named(
    at offset: Int
  ) -> (GraphQLVariables, String, GraphQLVariablesPlace)? {
    let variables = GraphQLVariables(self)
    guard let place = GraphQLVariablesText.place(variables.json, at: offset), place.isName,
      !place.replaced.isEmpty
    else { return nil }
    return (variables, GraphQLString.value(variables.json[place.replaced]), place)
  }
}
