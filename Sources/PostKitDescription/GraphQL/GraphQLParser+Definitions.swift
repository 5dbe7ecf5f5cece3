// The definitions of schemas (October 2021, section 3).

/// The words that begin definitions of a schema.
enum GraphQLTypeKeyword: String, CaseIterable {
  case schema, scalar, type, interface, union, `enum`, input, directive

  /// The keyword as bytes.
  var word: StaticString {
    switch self {
    case .schema: "schema"
    case .scalar: "scalar"
    case .type: "type"
    case .interface: "interface"
    case .union: "union"
    case .enum: "enum"
    case .input: "input"
    case .directive: "directive"
    }
  }

  /// The node that it makes.
  var node: GraphQLNodeKind {
    switch self {
    case .schema: .schema
    case .scalar: .scalar
    case .type: .objectType
    case .interface: .interface
    case .union: .union
    case .enum: .enumType
    case .input: .inputObject
    case .directive: .directiveDefinition
    }
  }
}

extension GraphQLOperationType {
  /// The keyword as bytes.
  var word: StaticString {
    switch self {
    case .query: "query"
    case .mutation: "mutation"
    case .subscription: "subscription"
    }
  }
}

extension GraphQLParser {
  /// Parses the definition or extension of a type, a directive or the schema.
  mutating func parseTypeSystemDefinition() {
    isConstant = true
    defer { isConstant = false }
    let node = open(.scalar)
    parseDescription()
    if isAt("extend") {
      change(node) { $0.isMarked = true }
      advance()
    }
    guard let keyword = GraphQLTypeKeyword.allCases.first(where: { isAt($0.word) }) else {
      report(.missing("a definition, such as `type`"))
      change(node) { $0.kind = .description }
      if token.kind != .end, !isRequestKeyword { skip() }
      return close(node)
    }
    change(node) { $0.kind = keyword.node }
    advance()
    switch keyword {
    case .directive: parseDirectiveDefinition(node)
    case .schema: parseRest(of: node, keyword)
    case .scalar, .type, .interface, .union, .enum, .input:
      expectName(node, "the type's name")
      if isAt("implements") { parseImplemented() }
      parseRest(of: node, keyword)
    }
    close(node)
  }

  private var isRequestKeyword: Bool { GraphQLKeyword.requests.contains { isAt($0) } }

  private mutating func parseRest(of node: Int, _ keyword: GraphQLTypeKeyword) {
    parseDirectives(node)
    switch keyword {
    case .schema: parseBlock { $0.parseRootOperation() }
    case .type, .interface: parseBlock { $0.parseField(.fieldDefinition) }
    case .input: parseBlock { $0.parseField(.inputValue) }
    case .enum: parseBlock { $0.parseEnumValue() }
    case .union: if take(.equals) { parseNames(.unionMember, .pipe) }
    case .scalar, .directive: break
    }
  }

  private mutating func parseDescription() {
    if token.kind == .string || token.kind == .blockString { leaf(.description) }
  }

  private mutating func parseImplemented() {
    advance()
    parseNames(.implemented, .ampersand)
  }

  /// Parses names with a separator between them, which may stand before the first one, too.
  private mutating func parseNames(_ kind: GraphQLNodeKind, _ separator: GraphQLTokenKind) {
    _ = take(separator)
    repeat {
      guard isAtName else { return report(.missing("a name")) }
      leaf(kind)
    } while take(separator)
    // Older schemas list interfaces without a separator.
    while kind == .implemented, isAtName, !isRequestKeyword,
      !GraphQLTypeKeyword.allCases.contains(where: { isAt($0.word) })
    {
      leaf(kind)
    }
  }

  /// Parses members between braces, if there are some.
  private mutating func parseBlock(_ member: (inout GraphQLParser) -> Void) {
    guard token.kind == .braceOpen else { return }
    parseMembers(.braceClose, "{", member)
  }

  private mutating func parseMembers(
    _ end: GraphQLTokenKind, _ bracket: String, _ member: (inout GraphQLParser) -> Void
  ) {
    let start = token.range
    advance()
    while !take(end) {
      switch token.kind {
      case .end, .braceClose:
        return report(.unclosed(bracket), start)
      case .name, .template, .string, .blockString:
        member(&self)
      case .int, .float, .bang, .dollar, .ampersand, .parenOpen, .parenClose, .spread, .colon,
        .equals, .at, .bracketOpen, .bracketClose, .braceOpen, .pipe, .bad:
        report(.missing("a name"))
        skip()
      }
    }
  }

  private mutating func parseRootOperation() {
    let node = open(.rootOperation)
    takeName(node)
    if take(.colon) {
      parseType(nil, node)
    } else {
      report(.missing("`:` and a type"))
    }
    close(node)
  }

  private mutating func parseField(_ kind: GraphQLNodeKind) {
    let node = open(kind)
    parseDescription()
    expectName(node, "a name")
    if kind == .fieldDefinition, token.kind == .parenOpen {
      parseMembers(.parenClose, "(") { $0.parseField(.inputValue) }
    }
    if take(.colon) {
      parseType(nil, node)
    } else {
      report(.missing("`:` and a type"))
    }
    if take(.equals) { parseValue(node) }
    parseDirectives(node)
    close(node)
  }

  private mutating func parseEnumValue() {
    let node = open(.enumValueDefinition)
    parseDescription()
    expectName(node, "a value")
    parseDirectives(node)
    close(node)
  }

  private mutating func parseDirectiveDefinition(_ node: Int) {
    if !take(.at) { report(.missing("`@` and a name")) }
    expectName(node, "the directive's name")
    if token.kind == .parenOpen { parseMembers(.parenClose, "(") { $0.parseField(.inputValue) } }
    if isAt("repeatable") {
      change(node) { $0.isMarked = true }
      advance()
    }
    if isAt("on") {
      advance()
      parseNames(.directiveLocation, .pipe)
    } else {
      report(.missing("`on` and where it may stand"))
    }
  }
}
