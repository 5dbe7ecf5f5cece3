// Parses GraphQL (October 2021): requests and schemas by one parser, which goes on behind mistakes.

/// Makes the nodes of a text.
struct GraphQLParser {
  /// How deep selections and values may nest.
  static let depthLimit = 200
  /// Lists and exclamation marks that a type may have, which is what a node has bits for.
  static let wrappingLimit = 16
  private static let problemLimit = 100
  private static let tokenLimit = 5_000_000

  private let bytes: UnsafeBufferPointer<UInt8>
  private var lexer: GraphQLLexer
  /// The token to be read next.
  private(set) var token: GraphQLToken
  /// Where the token before ends.
  private(set) var lastEnd = 0
  private(set) var nodes: [GraphQLNode] = []
  private var problems: [GraphQLSyntaxProblem] = []
  private var tokenCount = 0
  /// The node that is open.
  private(set) var current = 0
  var depth = 0
  /// Whether values are defaults, or of directives on definitions, which know no variables.
  var isConstant = false

  private let caret: Int?
  private var found: GraphQLCaret?
  /// Whether nothing more can stand at the caret, since a word ends there that was read already.
  private var isPastCaret = false

  private let allowsTemplates: Bool

  init(_ bytes: UnsafeBufferPointer<UInt8>, caret: Int?, allowsTemplates: Bool) {
    self.bytes = bytes
    self.caret = caret
    self.allowsTemplates = allowsTemplates
    lexer = GraphQLLexer(bytes, 0..<0, allowsTemplates: allowsTemplates)
    token = GraphQLToken(kind: .end, start: 0, end: 0)
    nodes.reserveCapacity(bytes.count / 20 + 8)
    append(.document)
    nodes[0].end = UInt32(truncatingIfNeeded: bytes.count)
  }

  /// What was parsed.
  consuming func finished() -> ([GraphQLNode], [GraphQLSyntaxProblem], GraphQLCaret?) {
    nodes[0].next = UInt32(nodes.count)
    return (nodes, problems, found)
  }

  /// Parses the definitions of a range.
  mutating func parse(_ range: Range<Int>) {
    guard bytes.count < Int(Int32.max) else {
      return report(.tooLong, range.lowerBound..<range.lowerBound)
    }
    lexer = GraphQLLexer(bytes, range, allowsTemplates: allowsTemplates)
    tokenCount = 0
    (current, depth, lastEnd, isConstant) = (0, 0, range.lowerBound, false)
    read()
    while true {
      note(.definition, 0)
      if token.kind == .end { break }
      parseDefinition()
    }
  }

  // MARK: - Tokens

  private mutating func read() {
    token = lexer.next()
    tokenCount += 1
    if let problem = lexer.problem { report(problem, token.range) }
    guard tokenCount >= Self.tokenLimit else { return }
    if tokenCount == Self.tokenLimit { report(.tooLong, token.range) }
    token = GraphQLToken(kind: .end, start: token.start, end: token.start)
  }

  /// Goes on to the next token.
  mutating func advance() {
    if let caret, token.start < caret,
      caret < token.end || caret == token.end && token.kind.isWord
    {
      isPastCaret = true
    }
    lastEnd = token.end
    read()
  }

  /// Takes a token if it is of a kind.
  mutating func take(_ kind: GraphQLTokenKind) -> Bool {
    guard token.kind == kind else { return false }
    advance()
    return true
  }

  /// Whether a name or a template is next.
  var isAtName: Bool { token.kind == .name || token.kind == .template }

  /// Whether the next token is that word.
  func isAt(_ word: StaticString) -> Bool {
    token.kind == .name && token.end - token.start == word.utf8CodeUnitCount
      && bytes[token.range].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// Whether the next token begins its line and has a name behind it, as a definition does.
  var beginsDefinition: Bool {
    guard token.start == 0 || bytes[token.start - 1] == 10 || bytes[token.start - 1] == 13,
      GraphQLKeyword.requests.contains(where: { isAt($0) })
    else { return false }
    var ahead = lexer
    guard ahead.next().kind == .name else { return false }
    let next = ahead.next()
    return next.kind == .braceOpen || next.kind == .parenOpen || next.kind == .at
      || next.kind == .name
  }

  /// Skips one token, and if it opens a bracket, all up to its end.
  mutating func skip() {
    var open = 0
    repeat {
      switch token.kind {
      case .parenOpen, .bracketOpen, .braceOpen: open += 1
      case .parenClose, .bracketClose, .braceClose: open -= 1
      case .end: return
      case .name, .int, .float, .string, .blockString, .template, .bang, .dollar, .ampersand,
        .spread, .colon, .equals, .at, .pipe, .bad:
        break
      }
      advance()
    } while open > 0
  }

  // MARK: - Nodes

  @discardableResult
  private mutating func append(_ kind: GraphQLNodeKind) -> Int {
    let start = UInt32(truncatingIfNeeded: token.start)
    nodes.append(
      GraphQLNode(
        kind: kind, start: start, end: start, nameStart: start, nameEnd: start,
        parent: UInt32(truncatingIfNeeded: current), next: UInt32(nodes.count + 1)))
    return nodes.count - 1
  }

  /// Begins a node at the next token; what follows is inside of it.
  mutating func open(_ kind: GraphQLNodeKind) -> Int {
    let index = append(kind)
    current = index
    return index
  }

  /// Ends a node behind the last token.
  mutating func close(_ index: Int) {
    let end = UInt32(truncatingIfNeeded: lastEnd)
    // What is missing is behind the last token, also where blanks follow.
    if end < nodes[index].start {
      (nodes[index].start, nodes[index].nameStart, nodes[index].nameEnd) = (end, end, end)
    }
    nodes[index].end = end
    nodes[index].next = UInt32(nodes.count)
    current = Int(nodes[index].parent)
  }

  /// Makes a node of the next token, which is its name, too.
  mutating func leaf(_ kind: GraphQLNodeKind) {
    let index = open(kind)
    takeName(index)
    close(index)
  }

  /// Takes the next token as a node's name.
  mutating func takeName(_ index: Int) {
    nodes[index].nameStart = UInt32(truncatingIfNeeded: token.start)
    nodes[index].nameEnd = UInt32(truncatingIfNeeded: token.end)
    if token.kind == .template { nodes[index].isMarked = true }
    advance()
  }

  /// Takes the name of a node, or tells that it is missing.
  @discardableResult
  mutating func expectName(_ index: Int, _ what: String) -> Bool {
    guard isAtName else {
      report(.missing(what))
      return false
    }
    takeName(index)
    return true
  }

  /// Changes what a node is.
  mutating func change(_ index: Int, _ edit: (inout GraphQLNode) -> Void) { edit(&nodes[index]) }

  /// The bytes of a node so far, as a name of another one.
  mutating func moveName(of index: Int, to kind: GraphQLNodeKind) {
    let alias = append(kind)
    let node = nodes[index]
    (nodes[alias].start, nodes[alias].end) = (node.nameStart, node.nameEnd)
    (nodes[alias].nameStart, nodes[alias].nameEnd) = (node.nameStart, node.nameEnd)
    (nodes[index].nameStart, nodes[index].nameEnd) = (node.nameEnd, node.nameEnd)
  }

  // MARK: - Problems and the caret

  /// Tells a mistake at the next token or in a range.
  mutating func report(_ kind: GraphQLSyntaxProblem.Kind, _ range: Range<Int>? = nil) {
    let range = range ?? (token.kind == .end ? lastEnd..<lastEnd : token.range)
    // What follows from a mistake at the same place is none of its own.
    if problems.count >= Self.problemLimit || problems.last?.range == range { return }
    problems.append(GraphQLSyntaxProblem(range: range, kind: kind))
  }

  /// Remembers what can stand between the last token and the next one, if the caret is there, or
  /// in place of the next one, if the caret is in it or at its end. `mark` is where a `$` or `@`
  /// begins that belongs to it.
  mutating func note(
    _ expectation: GraphQLCaret.Expectation, _ node: Int, mark: Int? = nil
  ) {
    guard let caret, found == nil, !isPastCaret else { return }
    var replaced = caret..<caret
    let isInside = token.start < caret || mark != nil && caret == token.start
    // What is in a template is no matter of GraphQL.
    if token.kind.isWord, token.kind != .template, isInside, caret <= token.end {
      replaced = (mark ?? token.start)..<token.end
    } else if caret < lastEnd || caret > token.start || isComment(caret) {
      return
    } else if let mark {
      replaced = mark..<caret
    }
    found = GraphQLCaret(expectation: expectation, node: node, replaced: replaced)
  }

  /// Whether an offset between two tokens is in a comment.
  private func isComment(_ offset: Int) -> Bool {
    var at = offset
    while at > lastEnd, bytes[at - 1] != 10, bytes[at - 1] != 13 {
      at -= 1
      if bytes[at] == UInt8(ascii: "#") { return true }
    }
    return false
  }
}

/// Words that begin definitions.
enum GraphQLKeyword {
  /// Those of requests.
  static let requests: [StaticString] = ["query", "mutation", "subscription", "fragment"]
}
