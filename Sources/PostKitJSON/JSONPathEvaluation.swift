// Applies compiled queries to the flat nodes of a tree.

/// Evaluates queries against one tree.
struct JSONPathEvaluation {
  private let tree: JSONTree
  private let root: Int

  init(_ root: JSONView) {
    self.tree = root.tree
    self.root = root.index
  }

  /// The nodes that segments select from given nodes, as indexes.
  func select(_ segments: [JSONPathSegment], from start: [Int]) -> [Int] {
    var current = start
    for segment in segments {
      var next: [Int] = []
      for node in current {
        if segment.isDescendant {
          visit(node) { each in apply(segment.selectors, to: each, into: &next) }
        } else {
          apply(segment.selectors, to: node, into: &next)
        }
      }
      current = next
    }
    return current
  }

  /// Calls `body` with a node and all values in it, each before what it holds. Depth is bounded by
  /// the parser's limit.
  private func visit(_ node: Int, _ body: (Int) -> Void) {
    body(node)
    for child in children(of: node) { visit(child, body) }
  }

  /// The values directly in an array or object.
  private func children(of node: Int) -> [Int] {
    let parent = tree.nodes[node]
    guard parent.count > 0 else { return [] }
    let isObject = parent.kind == .object
    var result: [Int] = []
    result.reserveCapacity(Int(parent.count))
    var at = node + 1
    while at < Int(parent.next) {
      let value = isObject ? at + 1 : at
      result.append(value)
      at = Int(tree.nodes[value].next)
    }
    return result
  }

  private func apply(_ selectors: [JSONPathSelector], to node: Int, into output: inout [Int]) {
    for selector in selectors {
      switch selector {
      case .name(let name):
        if let found = view(node)[name] { output.append(found.index) }
      case .nameOrIndex(let name, let index):
        if let found = view(node)[name] ?? view(node)[index] { output.append(found.index) }
      case .wildcard: output += children(of: node)
      case .index(let index):
        let count = view(node).count
        if let found = view(node)[index < 0 ? count + index : index] { output.append(found.index) }
      case .slice(let start, let end, let step):
        guard tree.nodes[node].kind == .array else { continue }
        let elements = children(of: node)
        for at in JSONPathEvaluation.slice(elements.count, start, end, step) {
          output.append(elements[at])
        }
      case .filter(let condition):
        for child in children(of: node) where holds(condition, child) { output.append(child) }
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
    return regexp?.matches(text, isWhole: isWhole) ?? false
  }

  /// The value of a node.
  func value(_ node: Int) -> JSONPathValue {
    let view = view(node)
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
    case .structure(let node): Int(tree.nodes[node].count)
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
    if left == right { return true }
    let (one, other) = (tree.nodes[left], tree.nodes[right])
    guard one.kind == other.kind, one.count == other.count else { return false }
    if one.kind == .array {
      return zip(children(of: left), children(of: right)).allSatisfy {
        areEqual(value($0), value($1))
      }
    }
    return view(left).members.allSatisfy { member in
      guard let counterpart = view(right)[member.key.string ?? ""] else { return false }
      return areEqual(value(member.value.index), value(counterpart.index))
    }
  }

  private func view(_ node: Int) -> JSONView { JSONView(tree: tree, index: node) }
}
