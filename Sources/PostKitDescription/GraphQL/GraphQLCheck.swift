// Whether a service would answer a request: the rules of October 2021, section 5, one look at each
// node. Without a schema, those that the text alone decides.

import PostKitText

/// Looks at a text.
struct GraphQLCheck {
  /// Findings that are told of one text.
  static let findingLimit = 200
  /// Findings that say what may be meant.
  static let suggestionLimit = 50
  private static let nameLimit = 500

  let reading: GraphQLReading
  /// Where texts begin about which nothing is told.
  let own: Int
  private(set) var findings: [GraphQLFinding] = []
  /// Fragments that may be meant by an unknown name.
  let fragmentNames: [String]

  var tree: GraphQLTree { reading.tree }
  var schema: GraphQLSchema? { reading.schema }

  init(_ reading: GraphQLReading, own: Int) {
    self.reading = reading
    self.own = own
    fragmentNames = reading.definitions.prefix(Self.nameLimit).map { reading.tree.name($0.node) }
      .filter { reading.fragments[$0] != nil }
  }

  /// Tells something, if it is about the part that is the user's own.
  mutating func report(
    _ rule: GraphQLRule, _ range: Range<Int>, _ message: String, meant: String? = nil
  ) {
    guard range.lowerBound < own || range.isEmpty && range.lowerBound == own,
      findings.count < Self.findingLimit
    else { return }
    let hint = meant.map { " Did you mean `\($0)`?" } ?? ""
    findings.append(
      GraphQLFinding(
        rule: rule, range: range, message: message + "." + hint, suggestion: meant))
  }

  /// Everything that is wrong, in the order of the text.
  consuming func all() -> [GraphQLFinding] {
    for problem in tree.problems { report(.syntax, problem.range, problem.message) }
    checkDefinitions()
    for index in tree.nodes.indices.dropFirst() {
      let node = tree.nodes[index]
      if Int(node.start) >= own || findings.count >= Self.findingLimit { break }
      check(index, node)
    }
    checkFragments()
    checkVariables()
    checkMerging()
    return findings.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
  }

  private mutating func check(_ index: Int, _ node: GraphQLNode) {
    checkDirectivesUnique(index)
    switch node.kind {
    case .field: checkField(index, node)
    case .arguments: checkUnique(index, .argument, .argumentUnique, "argument")
    case .argument: checkArgument(index, node)
    case .directive: checkDirective(index, node)
    case .fragmentDefinition, .inlineFragment: checkCondition(index, node)
    case .fragmentSpread: checkSpread(index, node)
    case .objectField:
      if let schema, reading.meanings[index].member < 0, reading.meanings[index].scope >= 0,
        !node.isMarked
      {
        let type = schema.types[Int(reading.meanings[index].scope)]
        report(
          .inputField, node.name, "`\(type.name)` has no field `\(tree.name(index))`",
          meant: nearest(tree.name(index), type.members.map(schema.name)))
      }
    case .object:
      checkUnique(index, .objectField, .inputFieldUnique, "field")
      checkValue(index, node)
    case .variable, .int, .float, .string, .boolean, .null, .enumValue, .list, .template:
      checkValue(index, node)
    case .document, .operation, .variableDefinitions, .variableDefinition, .selectionSet, .alias,
      .type, .schema, .rootOperation, .scalar, .objectType, .interface, .union, .enumType,
      .inputObject, .directiveDefinition, .fieldDefinition, .inputValue, .enumValueDefinition,
      .description, .implemented, .unionMember, .directiveLocation:
      break
    }
    let member = Int(reading.meanings[index].member)
    guard let schema, member >= 0, node.kind != .directive, node.kind != .alias,
      let reason = schema.deprecation(member)
    else { return }
    let why = reason.inOneLine.withoutEnd
    report(.deprecated, node.name, "`\(tree.name(index))` is deprecated: \(why)")
  }

  /// The name that is meant by an unknown one, of the first findings: more are told to nobody.
  func nearest<Names: Sequence<String>>(
    _ name: String, _ known: @autoclosure () -> Names
  ) -> String? {
    findings.count < Self.suggestionLimit ? GraphQLSpelling.nearest(name, known()) : nil
  }

  // MARK: - Operations

  private mutating func checkDefinitions() {
    var names: Set<String> = []
    let operations = tree.children(0).filter { tree.nodes[$0].kind == .operation }
    for index in tree.children(0) {
      let node = tree.nodes[index]
      if node.kind.isTypeSystem {
        report(
          .executableDefinitions, node.name.isEmpty ? node.range : node.name,
          "A request has no definitions of types")
      }
      guard node.kind == .operation else { continue }
      let name = tree.name(index)
      if name.isEmpty, operations.count > 1 {
        report(
          .loneAnonymous, Int(node.start)..<Int(node.start) + 1,
          "An operation beside others needs a name")
      } else if !name.isEmpty, !node.isMarked, !names.insert(name).inserted {
        report(.operationName, node.name, "Another operation is called `\(name)`")
      }
      checkRoot(index, node)
    }
  }

  private mutating func checkRoot(_ index: Int, _ node: GraphQLNode) {
    let type = GraphQLOperationType(rawValue: node.detail) ?? .query
    let isShort = tree.bytes[Int(node.start)] == UInt8(ascii: "{")
    let length = isShort ? 1 : min(type.keyword.utf8.count, node.range.count)
    let word = Int(node.start)..<Int(node.start) + length
    if let schema, schema.root(type) == nil {
      report(.operationType, word, "The schema has no type for a \(type.keyword)")
    }
    guard type == .subscription, !reading.hasTemplates,
      let set = tree.child(.selectionSet, of: index)
    else { return }
    var steps = Self.stepLimit
    let fields = fields(in: [Placed(node: set)], &steps).map(\.node)
    let names = Set(fields.map { tree.responseName($0) })
    if names.count > 1 {
      report(.singleRoot, node.name.isEmpty ? word : node.name, "A subscription has one field")
    } else if let field = fields.first, tree.name(field).hasPrefix("__") {
      report(.singleRoot, tree.nodes[field].name, "A subscription's field can't be one of these")
    }
  }

  // MARK: - Fields and arguments

  private mutating func checkField(_ index: Int, _ node: GraphQLNode) {
    guard let schema, !node.isMarked, !node.name.isEmpty else { return }
    let meaning = reading.meanings[index]
    guard meaning.scope >= 0 else { return }
    let scope = schema.types[Int(meaning.scope)]
    guard meaning.member >= 0 else {
      if scope.kind != .missing { reportUnknownField(index, scope, schema) }
      return
    }
    // A field whose definition is broken has no type.
    guard let type = meaning.type else { return }
    let set = tree.child(.selectionSet, of: index)
    let kind = schema.kind(type)
    if kind.isLeaf, let set {
      report(
        .leaf, tree.nodes[set].range,
        "`\(tree.name(index))` is a `\(schema.text(type))`, which has no fields")
    } else if kind.isComposite, kind != .missing, set == nil, !isBeforeTemplate(index) {
      report(
        .leaf, node.name,
        "`\(tree.name(index))` is a `\(schema.text(type))`: select fields of it, `{ … }`")
    }
    checkRequired(index, node.name, schema)
  }

  private mutating func reportUnknownField(
    _ index: Int, _ scope: GraphQLTypeDefinition, _ schema: GraphQLSchema
  ) {
    let (node, name) = (tree.nodes[index], tree.name(index))
    if scope.kind == .union {
      return report(
        .field, node.name,
        "`\(scope.name)` is a union, of which only `__typename` and fragments are selected")
    }
    let meant = nearest(name, scope.members.map(schema.name))
    if meant == nil,
      let owner = scope.possible.first(where: {
        schema.field(named: tree.bytes[node.name], of: Int($0)) != nil
      })
    {
      let type = schema.types[Int(owner)].name
      return report(
        .field, node.name,
        "`\(scope.name)` has no field `\(name)`, but `\(type)` has: use `... on \(type)`")
    }
    report(.field, node.name, "`\(scope.name)` has no field `\(name)`", meant: meant)
  }

  /// Whether a template follows a field, which may be its selection.
  private func isBeforeTemplate(_ index: Int) -> Bool {
    let next = Int(tree.nodes[index].next)
    return next < tree.nodes.count && tree.nodes[next].isMarked
      && tree.nodes[next].parent == tree.nodes[index].parent
  }

  private mutating func checkRequired(
    _ owner: Int, _ range: Range<Int>, _ schema: GraphQLSchema
  ) {
    let taken = reading.arguments(of: owner, schema) ?? 0..<0
    if taken.isEmpty { return }
    let given = tree.child(.arguments, of: owner).map { Array(tree.children($0)) } ?? []
    if given.contains(where: { tree.nodes[$0].isMarked }) { return }
    let names = Set(given.map(tree.name))
    for argument in taken
    where schema.members[argument].isRequired && !names.contains(schema.name(argument)) {
      report(
        .argumentRequired, range,
        "`\(tree.name(owner))` needs the argument `\(schema.argument(argument))`")
    }
  }

  private mutating func checkArgument(_ index: Int, _ node: GraphQLNode) {
    let owner = tree.parent(Int(node.parent))
    guard let schema, !node.isMarked, reading.meanings[index].member < 0,
      let taken = reading.arguments(of: owner, schema)
    else { return }
    let at = tree.nodes[owner].kind == .directive ? "@" : ""
    report(
      .argumentName, node.name, "`\(at)\(tree.name(owner))` has no argument `\(tree.name(index))`",
      meant: nearest(tree.name(index), taken.map(schema.name)))
  }

  private mutating func checkUnique(
    _ list: Int, _ kind: GraphQLNodeKind, _ rule: GraphQLRule, _ what: String
  ) {
    var names: Set<String> = []
    for child in tree.children(list) where tree.nodes[child].kind == kind {
      let node = tree.nodes[child]
      guard !node.isMarked, !node.name.isEmpty, !names.insert(tree.name(child)).inserted else {
        continue
      }
      report(rule, node.name, "The \(what) `\(tree.name(child))` is given twice")
    }
  }

  // MARK: - Directives

  private mutating func checkDirective(_ index: Int, _ node: GraphQLNode) {
    guard !node.isMarked, !node.name.isEmpty else { return }
    let name = tree.name(index)
    let owner = tree.nodes[Int(node.parent)]
    guard let schema, let location = GraphQLLocation(owner) else { return }
    guard reading.meanings[index].member >= 0 else {
      let names = schema.directives.map(\.name)
      return report(
        .directive, node.name, "The schema has no directive `@\(name)`",
        meant: nearest(name, names))
    }
    let directive = schema.directives[Int(reading.meanings[index].member)]
    if !directive.locations.contains(location) {
      report(.directiveLocation, node.name, "`@\(name)` can't stand at \(location.text)")
    }
    checkRequired(index, node.name, schema)
  }

  /// A directive that is not repeatable stands once beside others.
  private mutating func checkDirectivesUnique(_ owner: Int) {
    guard let schema, GraphQLLocation(tree.nodes[owner]) != nil else { return }
    var names: Set<String> = []
    for child in tree.children(owner) where tree.nodes[child].kind == .directive {
      let member = Int(reading.meanings[child].member)
      guard member >= 0, !schema.directives[member].isRepeatable,
        !names.insert(tree.name(child)).inserted
      else { continue }
      report(
        .directiveUnique, tree.nodes[child].name, "`@\(tree.name(child))` can stand once only")
    }
  }
}

extension GraphQLTree {
  /// The name that a field has in the response.
  func responseName(_ field: Int) -> String { child(.alias, of: field).map(name) ?? name(field) }
}

extension GraphQLLocation {
  /// The place in a sentence.
  var text: String {
    switch self {
    case .query: "a query"
    case .mutation: "a mutation"
    case .subscription: "a subscription"
    case .field: "a field"
    case .fragmentDefinition: "a fragment"
    case .fragmentSpread: "the spread of a fragment"
    case .inlineFragment: "an inline fragment"
    case .variableDefinition: "a variable's definition"
    }
  }
}

extension String {
  /// The text without a point at its end, for sentences that go on.
  fileprivate var withoutEnd: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension GraphQLQuery {
  /// What is wrong with the query.
  package func findings() -> [GraphQLFinding] { GraphQLCheck(reading, own: own).all() }
}
