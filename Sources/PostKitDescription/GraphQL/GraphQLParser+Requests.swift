// Operations, fragments, selections and values (October 2021, sections 2.2 to 2.12).

extension GraphQLParser {
  /// Parses one definition, or skips what can't begin one.
  mutating func parseDefinition() {
    switch token.kind {
    case .braceOpen:
      let node = open(.operation)
      parseSelections()
      close(node)
    case .template:
      leaf(.template)
    case .string, .blockString:
      parseTypeSystemDefinition()
    case .name:
      parseNamedDefinition()
    case .end, .int, .float, .bang, .dollar, .ampersand, .parenOpen, .parenClose, .spread, .colon,
      .equals, .at, .bracketOpen, .bracketClose, .pipe, .braceClose, .bad:
      report(.keyword)
      skip()
    }
  }

  private mutating func parseNamedDefinition() {
    if isAt("fragment") { return parseFragment() }
    for type in GraphQLOperationType.allCases where isAt(type.word) {
      return parseOperation(type)
    }
    if GraphQLTypeKeyword.allCases.contains(where: { isAt($0.word) }) || isAt("extend") {
      return parseTypeSystemDefinition()
    }
    report(.keyword)
    advance()
    // Probably a keyword that is being written.
    switch token.kind {
    case .braceOpen, .name, .parenOpen, .at: parseOperationRest(open(.operation))
    case .end, .int, .float, .string, .blockString, .template, .bang, .dollar, .ampersand,
      .parenClose, .spread, .colon, .equals, .bracketOpen, .bracketClose, .pipe, .braceClose, .bad:
      break
    }
  }

  private mutating func parseOperation(_ type: GraphQLOperationType) {
    let node = open(.operation)
    change(node) { $0.detail = type.rawValue }
    advance()
    parseOperationRest(node)
  }

  private mutating func parseOperationRest(_ node: Int) {
    if isAtName, !beginsDefinition { takeName(node) }
    if token.kind == .parenOpen { parseVariableDefinitions() }
    parseDirectives(node)
    parseOwnSelections(node)
    close(node)
  }

  private mutating func parseFragment() {
    let node = open(.fragmentDefinition)
    advance()
    if isAt("on") {
      report(.missing("the fragment's name"))
    } else {
      expectName(node, "the fragment's name")
    }
    if isAt("on") {
      advance()
      parseCondition(node)
    } else if token.kind == .template {
      leaf(.template)
    } else {
      report(.missing("`on` and a type"))
    }
    parseDirectives(node)
    parseOwnSelections(node)
    close(node)
  }

  private mutating func parseCondition(_ owner: Int) {
    note(.typeCondition, owner)
    guard isAtName, !beginsDefinition else { return report(.missing("a type")) }
    leaf(.type)
  }

  // MARK: - Variables

  private mutating func parseVariableDefinitions() {
    let list = open(.variableDefinitions)
    let start = token.range
    advance()
    var isEmpty = true
    while true {
      note(.variableDefinition, list)
      switch token.kind {
      case .dollar:
        parseVariableDefinition()
        isEmpty = false
      case .template:
        leaf(.template)
        isEmpty = false
      case .parenClose:
        if isEmpty { report(.empty("a variable"), start.lowerBound..<token.end) }
        advance()
        return close(list)
      case .end, .braceOpen, .braceClose:
        report(.unclosed("("), start)
        return close(list)
      case .name, .int, .float, .string, .blockString, .bang, .ampersand, .parenOpen, .spread,
        .colon, .equals, .at, .bracketOpen, .bracketClose, .pipe, .bad:
        report(.missing("a variable, such as `$id: ID!`"))
        skip()
      }
    }
  }

  private mutating func parseVariableDefinition() {
    let node = open(.variableDefinition)
    let mark = token.start
    advance()
    note(.variableDefinition, node, mark: mark)
    expectName(node, "the variable's name")
    if take(.colon) {
      parseType(.inputType, node)
    } else {
      report(.missing("`:` and the variable's type"))
    }
    isConstant = true
    if take(.equals) { parseValue(node) }
    parseDirectives(node)
    isConstant = false
    close(node)
  }

  /// Parses a type with its lists and exclamation marks; `owner` is what has it.
  mutating func parseType(_ expectation: GraphQLCaret.Expectation?, _ owner: Int) {
    if let expectation { note(expectation, owner) }
    let node = open(.type)
    var lists: [Int] = []
    while token.kind == .bracketOpen {
      lists.append(token.start)
      advance()
      if let expectation { note(expectation, owner) }
    }
    expectName(node, "a type")
    var (wrapping, count): (UInt32, Int) = (0, 0)
    func wrap(_ value: UInt32) {
      if count < Self.wrappingLimit { wrapping |= value << UInt32(2 * count) }
      count += 1
    }
    if take(.bang) { wrap(GraphQLTypeReference.nonNull) }
    while let start = lists.popLast() {
      if !take(.bracketClose) { report(.unclosed("["), start..<start + 1) }
      wrap(GraphQLTypeReference.list)
      if take(.bang) { wrap(GraphQLTypeReference.nonNull) }
    }
    close(node)
    change(node) { $0.wrapping = wrapping }
    if count > Self.wrappingLimit { report(.tooDeep, nodes[node].range) }
  }

  // MARK: - Selections

  /// Parses the selections that a definition or fragment must have; a template may stand for them,
  /// or bring them along.
  private mutating func parseOwnSelections(_ owner: Int) {
    if token.kind == .braceOpen { return parseSelections() }
    if token.kind == .template { return leaf(.template) }
    if !nodes[owner].isMarked { report(.missing("a selection, `{ … }`")) }
  }

  private mutating func parseSelections() {
    let set = open(.selectionSet)
    let start = token.range
    guard depth < Self.depthLimit else {
      report(.tooDeep)
      skip()
      return close(set)
    }
    depth += 1
    defer { depth -= 1 }
    advance()
    var isEmpty = true
    while true {
      note(.selection, set)
      switch token.kind {
      case .braceClose:
        if isEmpty { report(.empty("a field"), start.lowerBound..<token.end) }
        advance()
        return close(set)
      case .end:
        report(.unclosed("{"), start)
        return close(set)
      case .name where beginsDefinition:
        report(.unclosed("{"), start)
        return close(set)
      case .name, .template: parseField()
      case .spread: parseSpread()
      case .braceOpen:
        report(.missing("a field before `{`"))
        parseSelections()
      case .int, .float, .string, .blockString, .bang, .dollar, .ampersand, .parenOpen,
        .parenClose, .colon, .equals, .at, .bracketOpen, .bracketClose, .pipe, .bad:
        report(.missing("a field"))
        skip()
      }
      isEmpty = false
    }
  }

  private mutating func parseField() {
    let node = open(.field)
    takeName(node)
    if token.kind == .colon {
      moveName(of: node, to: .alias)
      advance()
      note(.selection, Int(nodes[node].parent))
      expectName(node, "a field")
    }
    if token.kind == .parenOpen { parseArguments() }
    parseDirectives(node)
    if token.kind == .braceOpen { parseSelections() }
    close(node)
  }

  private mutating func parseSpread() {
    let node = open(.fragmentSpread)
    advance()
    note(.spread, node)
    if isAt("on") {
      change(node) { $0.kind = .inlineFragment }
      advance()
      parseCondition(node)
    } else if isAtName {
      takeName(node)
      parseDirectives(node)
      return close(node)
    } else if token.kind == .at || token.kind == .braceOpen {
      change(node) { $0.kind = .inlineFragment }
    } else {
      report(.missing("a fragment, or `on` and a type"))
      return close(node)
    }
    parseDirectives(node)
    parseOwnSelections(node)
    close(node)
  }

  /// Parses the directives of a node.
  mutating func parseDirectives(_ owner: Int) {
    while token.kind == .at {
      let node = open(.directive)
      let mark = token.start
      advance()
      note(.directive, owner, mark: mark)
      expectName(node, "a directive")
      if token.kind == .parenOpen { parseArguments() }
      close(node)
    }
  }

  private mutating func parseArguments() {
    let list = open(.arguments)
    let start = token.range
    advance()
    var isEmpty = true
    while true {
      note(.argument, list)
      switch token.kind {
      case .name, .template:
        parsePair(.argument)
        isEmpty = false
      case .parenClose:
        if isEmpty { report(.empty("an argument"), start.lowerBound..<token.end) }
        advance()
        return close(list)
      case .end, .braceOpen, .braceClose:
        report(.unclosed("("), start)
        return close(list)
      case .int, .float, .string, .blockString, .bang, .dollar, .ampersand, .parenOpen, .spread,
        .colon, .equals, .at, .bracketOpen, .bracketClose, .pipe, .bad:
        report(.missing("an argument"))
        skip()
      }
    }
  }

  /// Parses a name and its value.
  private mutating func parsePair(_ kind: GraphQLNodeKind) {
    let node = open(kind)
    let isTemplate = token.kind == .template
    takeName(node)
    if take(.colon) {
      parseValue(node)
    } else if !isTemplate {
      report(.missing("`:` and a value"))
    }
    close(node)
  }

  // MARK: - Values

  /// Parses a value; `owner` is what has it.
  mutating func parseValue(_ owner: Int) {
    note(.value, owner)
    switch token.kind {
    case .dollar:
      if isConstant { report(.variable) }
      let node = open(.variable)
      let mark = token.start
      advance()
      note(.value, owner, mark: mark)
      expectName(node, "the variable's name")
      close(node)
    case .int: leaf(.int)
    case .float: leaf(.float)
    case .string, .blockString: leaf(.string)
    case .template: leaf(.template)
    case .name:
      leaf(isAt("true") || isAt("false") ? .boolean : isAt("null") ? .null : .enumValue)
    case .bracketOpen, .braceOpen:
      guard depth < Self.depthLimit else {
        report(.tooDeep)
        return skip()
      }
      depth += 1
      token.kind == .bracketOpen ? parseList() : parseObject()
      depth -= 1
    case .end, .bang, .ampersand, .parenOpen, .parenClose, .spread, .colon, .equals, .at,
      .bracketClose, .pipe, .braceClose, .bad:
      report(.missing("a value"))
    }
  }

  private mutating func parseList() {
    let node = open(.list)
    let start = token.range
    advance()
    while token.kind != .bracketClose {
      switch token.kind {
      case .end, .parenClose, .braceClose, .colon:
        note(.value, node)
        report(.unclosed("["), start)
        return close(node)
      case .bang, .ampersand, .spread, .equals, .at, .pipe, .parenOpen, .bad:
        report(.missing("a value"))
        skip()
      case .name, .int, .float, .string, .blockString, .template, .dollar, .bracketOpen,
        .bracketClose, .braceOpen:
        parseValue(node)
      }
    }
    note(.value, node)
    advance()
    close(node)
  }

  private mutating func parseObject() {
    let node = open(.object)
    let start = token.range
    advance()
    while true {
      note(.inputField, node)
      switch token.kind {
      case .name, .template:
        parsePair(.objectField)
      case .braceClose:
        advance()
        return close(node)
      case .end, .parenClose, .bracketClose:
        report(.unclosed("{"), start)
        return close(node)
      case .int, .float, .string, .blockString, .bang, .dollar, .ampersand, .parenOpen, .spread,
        .colon, .equals, .at, .bracketOpen, .braceOpen, .pipe, .bad:
        report(.missing("a field of the object"))
        skip()
      }
    }
  }
}
