// Applies compiled queries to the flat nodes of a tree.

/// How many steps an evaluation may still take.
final class JSONPathBudget {
  private(set) var left: Int

  init(_ steps: Int) { left = steps }

  /// Takes steps; false where there are no more.
  func spend(_ steps: Int) -> Bool {
    left -= steps
    return left >= 0
  }
}

/// Evaluates queries against one tree. Once the budget is spent, everything ends with what it has.
struct JSONPathEvaluation {
  private let tree: JSONTree
  // Views of the tree's memory: the arrays would be retained and released at each look.
  private let nodes: UnsafeBufferPointer<JSONNode>
  private let bytes: UnsafeBufferPointer<UInt8>
  private let root: Int
  let budget: JSONPathBudget

  /// Calls `body` with an evaluation, which must not outlive it.
  static func of<Result>(
    _ root: JSONView, steps: Int, _ body: (JSONPathEvaluation) throws(JSONPathError) -> Result
  ) throws(JSONPathError) -> Result {
    let tree = root.tree
    return try tree.nodes.withUnsafeBufferPointer { nodes throws(JSONPathError) in
      try tree.bytes.withUnsafeBufferPointer { bytes throws(JSONPathError) in
        try body(
          JSONPathEvaluation(
            tree: tree, nodes: nodes, bytes: bytes, root: root.index,
            budget: JSONPathBudget(steps)))
      }
    }
  }

  /// The nodes that segments select from given nodes, as indexes.
  func select(_ segments: [JSONPathSegment], from start: [Int]) -> [Int] {
    var current = start
    for segment in segments {
      var next: [Int] = []
      for node in current where budget.spend(1) {
        if segment.isDescendant {
          applyToAll(segment.selectors, in: node, into: &next)
        } else {
          apply(segment.selectors, to: node, into: &next)
        }
      }
      current = next
    }
    return current
  }

  /// Applies selectors to a node and all values in it, each before what it holds. Depth is bounded
  /// by the parser's limit.
  private func applyToAll(_ selectors: [JSONPathSelector], in node: Int, into output: inout [Int]) {
    let parent = nodes[node]
    // Nothing can be selected from what holds nothing.
    guard parent.count > 0 else { return }
    apply(selectors, to: node, into: &output)
    visitChildren(of: node) { applyToAll(selectors, in: $0, into: &output) }
  }

  /// Calls `body` with the values directly in an array or object.
  private func visitChildren(of node: Int, _ body: (Int) -> Void) {
    let parent = nodes[node]
    guard parent.count > 0 else { return }
    let keyCount = parent.kind == .object ? 1 : 0
    var at = node + 1
    while at < Int(parent.next), budget.spend(1) {
      let value = at + keyCount
      body(value)
      at = Int(nodes[value].next)
    }
  }

  /// The values directly in an array or object.
  private func children(of node: Int) -> [Int] {
    var result: [Int] = []
    visitChildren(of: node) { result.append($0) }
    return result
  }

  /// The member of that name; of duplicates the last (PROMISES.md F8).
  private func member(_ name: String, of node: Int) -> Int? {
    let parent = nodes[node]
    guard parent.kind == .object else { return nil }
    let length = name.utf8.count
    var found: Int?
    var at = node + 1
    while at < Int(parent.next), budget.spend(1) {
      let key = nodes[at]
      let inside = Int(key.start) + 1..<Int(key.end) - 1
      // Bytes decide: `==` of strings takes different spellings of an accent for equal.
      if key.isEscaped {
        if view(at).string?.utf8.elementsEqual(name.utf8) == true { found = at + 1 }
      } else if inside.count == length, bytes[inside].elementsEqual(name.utf8) {
        found = at + 1
      }
      at = Int(nodes[at + 1].next)
    }
    return found
  }

  /// The element at that place of an array, from the end where it is negative.
  private func element(_ index: Int, of node: Int) -> Int? {
    let parent = nodes[node]
    let place = index < 0 ? Int(parent.count) + index : index
    guard parent.kind == .array, place >= 0, place < parent.count, budget.spend(place) else {
      return nil
    }
    var at = node + 1
    for _ in 0..<place { at = Int(nodes[at].next) }
    return at
  }

  private func apply(_ selectors: [JSONPathSelector], to node: Int, into output: inout [Int]) {
    for selector in selectors {
      switch selector {
      case .name(let name):
        if let found = member(name, of: node) { output.append(found) }
      case .nameOrIndex(let name, let index):
        if let found = member(name, of: node) ?? element(index, of: node) { output.append(found) }
      case .wildcard: visitChildren(of: node) { output.append($0) }
      case .index(let index):
        if let found = element(index, of: node) { output.append(found) }
      case .slice(let start, let end, let step):
        guard nodes[node].kind == .array else { continue }
        let elements = children(of: node)
        for at in JSONPathEvaluation.slice(elements.count, start, end, step) {
          output.append(elements[at])
        }
      case .filter(let condition):
        visitChildren(of: node) { if holds(condition, $0) { output.append($0) } }
      }
    }
  }

  /// The places that a slice selects (RFC 9535, section 2.3.4.2.2).
  private static func slice(
    _ count: Int, _ start: Int?, _ end: Int?, _ step: Int
  ) -> StrideTo<Int> {
    let normal = { (index: Int) in index < 0 ? count + index : index }
    if step > 0 {
      let lower = min(max(normal(start ?? 0), 0), count)
      let upper = min(max(normal(end ?? count), 0), count)
      return stride(from: lower, to: upper, by: step)
    }
    // Nothing is selected by a step of 0.
    if step == 0 { return stride(from: 0, to: 0, by: 1) }
    let upper = min(max(start.map(normal) ?? count - 1, -1), count - 1)
    let lower = min(max(end.map(normal) ?? -1, -1), count - 1)
    return stride(from: upper, to: lower, by: step)
  }

  private func holds(_ condition: JSONPathCondition, _ node: Int) -> Bool {
    switch condition {
    case .any(let conditions): conditions.contains { holds($0, node) }
    case .all(let conditions): conditions.allSatisfy { holds($0, node) }
    case .not(let inner): !holds(inner, node)
    case .exists(let query): !run(query, node).isEmpty
    case .function(let function): matches(function, node)
    case .comparison(let left, let comparison, let right):
      compare(evaluate(left, node), comparison, evaluate(right, node))
    }
  }

  private func run(_ query: JSONPathQuery, _ node: Int) -> [Int] {
    select(query.segments, from: [query.isFromRoot ? root : node])
  }

  private func evaluate(_ operand: JSONPathOperand, _ node: Int) -> JSONPathValue {
    switch operand {
    case .literal(let value): return value
    case .query(let query): return single(run(query, node))
    case .function(.length(let argument)):
      return length(of: evaluate(argument, node)).map(JSONPathEvaluation.number) ?? .nothing
    case .function(.count(let query)): return JSONPathEvaluation.number(run(query, node).count)
    case .function(.value(let query)): return single(run(query, node))
    // The parser lets no logical function stand where a value is needed.
    case .function(.regexp): return .nothing
    }
  }

  private static func number(_ value: Int) -> JSONPathValue { .number(JSONDecimal(String(value))) }

  private func single(_ nodes: [Int]) -> JSONPathValue {
    nodes.count == 1 ? value(nodes[0]) : .nothing
  }

  private func matches(_ function: JSONPathFunction, _ node: Int) -> Bool {
    guard case .regexp(let operand, let pattern, let isWhole) = function,
      case .string(let text) = evaluate(operand, node)
    else { return false }
    let regexp: JSONPathRegexp?
    switch pattern {
    case .fixed(let fixed): regexp = fixed
    case .computed(let operand):
      guard case .string(let source) = evaluate(operand, node) else { return false }
      regexp = JSONPathRegexp(source)
    }
    guard let regexp, budget.spend(regexp.effort(text)) else { return false }
    return regexp.matches(text, isWhole: isWhole)
  }

  /// Bytes of a text that take about as long as a step.
  private static let bytesOfStep = 32

  /// Takes the steps that reading the bytes of a node takes.
  private func spendBytes(of node: Int) -> Bool {
    budget.spend(Int(nodes[node].end - nodes[node].start) / JSONPathEvaluation.bytesOfStep)
  }

  /// The value of a node; nothing once the budget is spent.
  func value(_ node: Int) -> JSONPathValue {
    let view = view(node)
    let isText = view.kind == .string || view.kind == .number
    if isText, !spendBytes(of: node) { return .nothing }
    switch view.kind {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .number: return .number(JSONDecimal(view.numberText ?? "0"))
    case .string: return .string(view.string ?? "")
    case .array, .object: return .structure(node)
    }
  }

  /// The number of characters, elements or members; `nil` for other values.
  func length(of value: JSONPathValue) -> Int? {
    switch value {
    case .string(let text): text.unicodeScalars.count
    case .structure(let node): Int(nodes[node].count)
    case .nothing, .null, .bool, .number: nil
    }
  }

  private func compare(
    _ left: JSONPathValue, _ comparison: JSONPathComparison, _ right: JSONPathValue
  ) -> Bool {
    switch comparison {
    case .equal: areEqual(left, right)
    case .notEqual: !areEqual(left, right)
    case .less: isLess(left, right)
    case .greater: isLess(right, left)
    case .lessOrEqual: isLess(left, right) || areEqual(left, right)
    case .greaterOrEqual: isLess(right, left) || areEqual(left, right)
    }
  }

  private func isLess(_ left: JSONPathValue, _ right: JSONPathValue) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    // The order of UTF-8 is that of scalar values.
    case (.string(let left), .string(let right)):
      left.utf8.lexicographicallyPrecedes(right.utf8)
    default: false
    }
  }

  private func areEqual(_ left: JSONPathValue, _ right: JSONPathValue) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.structure(let left), .structure(let right)): areEqual(left, right)
    default: left == right
    }
  }

  private func areEqual(_ left: Int, _ right: Int) -> Bool {
    if left == right || !budget.spend(1) { return left == right }
    let (one, other) = (nodes[left], nodes[right])
    guard one.kind == other.kind, one.count == other.count else { return false }
    if one.kind == .array {
      return zip(children(of: left), children(of: right)).allSatisfy {
        areEqual(value($0), value($1))
      }
    }
    guard spendBytes(of: left), spendBytes(of: right) else { return false }
    // Bytes decide, and of duplicates the last.
    let counterparts = Dictionary(
      view(right).members.map { (Array(($0.key.string ?? "").utf8), $0.value.index) },
      uniquingKeysWith: { $1 })
    return view(left).members.allSatisfy { member in
      guard let counterpart = counterparts[Array((member.key.string ?? "").utf8)] else {
        return false
      }
      return areEqual(value(member.value.index), value(counterpart))
    }
  }

  private func view(_ node: Int) -> JSONView { JSONView(tree: tree, index: node) }
}
