// JSONPath by RFC 9535, compiled once and applied to trees without copying them.

/// A compiled JSONPath query.
package struct JSONPath: Sendable, Hashable {
  /// The query as written.
  package let text: String
  let segments: [JSONPathSegment]
  /// Whether the query ends in `.length`, which counts what has no such member (PK-70).
  let endsInLength: Bool

  /// Compiles a query. Unless `isStrict`, some common spellings outside the standard are understood
  /// too: a missing `$`, digits as a segment (`a.0.b`), names with quotes or hyphens after a dot,
  /// and `.length` at the end (PK-70).
  package init(_ text: String, isStrict: Bool = false) throws(JSONPathError) {
    var parser = JSONPathParser(text, isStrict: isStrict)
    let query = try parser.parseQuery()
    self.text = text
    self.segments = query.segments
    self.endsInLength = query.endsInLength
  }

  /// The selected nodes in the order of the standard; a node may occur more than once.
  package func nodes(in root: JSONView, stepLimit: Int? = nil) throws(JSONPathError) -> [JSONView] {
    let steps = stepLimit ?? JSONPath.stepLimit(root)
    let found = try JSONPathEvaluation.of(root, steps: steps) { evaluation throws(JSONPathError) in
      try result(of: segments, evaluation, root)
    }
    return found.map { JSONView(tree: root.tree, index: $0) }
  }

  /// The first selected node; `nil` where nothing is selected.
  package func first(in root: JSONView) throws(JSONPathError) -> JSONView? {
    try nodes(in: root).first
  }

  /// The selected values. Here a last `.length` that names no member gives the number of elements
  /// of an array, members of an object or characters of a string.
  package func values(in root: JSONView) throws(JSONPathError) -> [JSONValue] {
    let found = try nodes(in: root)
    if !found.isEmpty || !endsInLength { return found.map(\.value) }
    return try lengths(in: root).map { .int($0) }
  }

  /// The first selected value; the others are not copied.
  package func value(in root: JSONView) throws(JSONPathError) -> JSONValue? {
    if let found = try first(in: root) { return found.value }
    return endsInLength ? try lengths(in: root).first.map { .int($0) } : nil
  }

  private func lengths(in root: JSONView) throws(JSONPathError) -> [Int] {
    let steps = JSONPath.stepLimit(root)
    return try JSONPathEvaluation.of(root, steps: steps) { evaluation throws(JSONPathError) in
      let counted = try result(of: Array(segments.dropLast()), evaluation, root)
      return counted.compactMap { evaluation.length(of: evaluation.value($0)) }
    }
  }

  private func result(
    of segments: [JSONPathSegment], _ evaluation: JSONPathEvaluation, _ root: JSONView
  ) throws(JSONPathError) -> [Int] {
    let found = evaluation.select(segments, from: [root.index])
    guard evaluation.budget.left >= 0 else {
      throw JSONPathError(
        offset: 0,
        explanation: "it takes too many steps on this document; write a narrower path")
    }
    return found
  }

  /// Steps of an evaluation; ten million are done in about a second. Going through the document
  /// some times is always allowed.
  private static func stepLimit(_ root: JSONView) -> Int {
    10_000_000 + 8 * root.tree.nodes.count
  }

  /// Whether the query selects at most one node whatever the document.
  package var isSingular: Bool { segments.allSatisfy(\.isSingular) }
}

/// Why a query can't be read or carried out, and where.
package struct JSONPathError: Error, Sendable, Hashable {
  /// The byte of the query at which reading stopped; 0 where carrying it out takes too long.
  package let offset: Int
  /// What is wrong, as a clause.
  package let explanation: String

  /// Makes an error.
  package init(offset: Int, explanation: String) {
    self.offset = offset
    self.explanation = explanation
  }
}

/// One step of a query: selectors applied to nodes, or to nodes and all that is in them.
struct JSONPathSegment: Sendable, Hashable {
  var isDescendant = false
  var selectors: [JSONPathSelector]

  var isSingular: Bool {
    guard !isDescendant, selectors.count == 1 else { return false }
    switch selectors[0] {
    case .name, .index, .nameOrIndex: return true
    case .wildcard, .slice, .filter: return false
    }
  }
}

/// One selector (RFC 9535, section 2.3).
enum JSONPathSelector: Sendable, Hashable {
  case name(String)
  case wildcard
  case index(Int)
  case slice(start: Int?, end: Int?, step: Int)
  case filter(JSONPathCondition)
  /// Digits after a dot: a member's name or an element's place (PK-70).
  case nameOrIndex(String, Int)
}

/// A logical expression of a filter (RFC 9535, section 2.3.5).
indirect enum JSONPathCondition: Sendable, Hashable {
  case any([JSONPathCondition])
  case all([JSONPathCondition])
  case not(JSONPathCondition)
  case comparison(JSONPathOperand, JSONPathComparison, JSONPathOperand)
  case exists(JSONPathQuery)
  case function(JSONPathFunction)
}

/// A comparison operator.
enum JSONPathComparison: Sendable, Hashable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

/// A query inside a filter, from the root or from the node that is tested.
struct JSONPathQuery: Sendable, Hashable {
  var isFromRoot: Bool
  var segments: [JSONPathSegment]
  var isSingular: Bool { segments.allSatisfy(\.isSingular) }
}

/// What has a value: one side of a comparison or an argument.
indirect enum JSONPathOperand: Sendable, Hashable {
  case literal(JSONPathValue)
  case query(JSONPathQuery)
  case function(JSONPathFunction)
}

/// A function call whose types have been checked (RFC 9535, section 2.4).
indirect enum JSONPathFunction: Sendable, Hashable {
  case length(JSONPathOperand)
  case count(JSONPathQuery)
  case value(JSONPathQuery)
  /// `match` when `isWhole`, else `search`.
  case regexp(JSONPathOperand, JSONPathPattern, isWhole: Bool)

  /// Whether the result is true or false and no value.
  var isLogical: Bool {
    if case .regexp = self { true } else { false }
  }
}

/// The pattern of `match` and `search`: compiled when it is written in the query.
enum JSONPathPattern: Sendable, Hashable {
  /// `nil` where the pattern is no regular expression, which matches nothing.
  case fixed(JSONPathRegexp?)
  case computed(JSONPathOperand)
}

/// A value while a filter is decided; equality is that of RFC 9535 only for values of one kind.
enum JSONPathValue: Sendable, Hashable {
  /// What a query that selects nothing has.
  case nothing
  case null
  case bool(Bool)
  case number(JSONDecimal)
  case string(String)
  /// An array or object, as the index of its node.
  case structure(Int)
}
