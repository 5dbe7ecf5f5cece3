// Fragments, and fields that share a name in the response (October 2021, sections 5.3.2 and 5.5).

extension GraphQLCheck {
  /// The steps through selections that fragments bring in, which could multiply without end.
  static let stepLimit = 20_000

  /// A fragment's type exists and has fields, and can be what is around it.
  mutating func checkCondition(_ index: Int, _ node: GraphQLNode) {
    guard let type = tree.child(.type, of: index), let schema, !tree.nodes[type].isMarked else {
      return
    }
    let (name, range) = (tree.name(type), tree.nodes[type].name)
    if name.isEmpty { return }
    guard let found = schema.type(named: name), schema.types[found].kind != .missing else {
      return report(
        .fragmentType, range, "The schema has no type `\(name)`",
        meant: schema.nearestType(name) { $0.isComposite })
    }
    guard schema.types[found].kind.isComposite else {
      return report(.fragmentType, range, "`\(name)` has no fields, so no fragment is on it")
    }
    guard node.kind == .inlineFragment else { return }
    checkPossible(found, in: tree.parent(index), range, schema)
  }

  private mutating func checkPossible(
    _ type: Int, in set: Int, _ range: Range<Int>, _ schema: GraphQLSchema
  ) {
    let scope = Int(reading.meanings[set].scope)
    guard scope >= 0, !schema.overlap(scope, type) else { return }
    report(
      .fragmentImpossible, range,
      "A `\(schema.types[scope].name)` is never a `\(schema.types[type].name)`")
  }

  /// A fragment that is spread exists, and can be what is around it.
  mutating func checkSpread(_ index: Int, _ node: GraphQLNode) {
    if node.name.isEmpty || node.isMarked { return }
    let name = tree.name(index)
    guard let fragment = reading.fragments[name] else {
      return report(
        .fragmentUnknown, node.name, "There is no fragment `\(name)`",
        meant: GraphQLSpelling.nearest(name, fragmentNames))
    }
    let type = Int(reading.meanings[reading.definitions[fragment].node].scope)
    guard let schema, type >= 0 else { return }
    checkPossible(type, in: tree.parent(index), node.name, schema)
  }

  /// Fragments have names of their own, are used, and never contain themselves.
  mutating func checkFragments() {
    var names: Set<String> = []
    var used: Set<String> = []
    for definition in reading.definitions { used.formUnion(definition.spreads.map(tree.name)) }
    let hasOperation = reading.definitions.contains { tree.nodes[$0.node].kind == .operation }
    for definition in reading.definitions {
      let node = tree.nodes[definition.node]
      guard node.kind == .fragmentDefinition, !node.isMarked, !node.name.isEmpty else { continue }
      let name = tree.name(definition.node)
      if !names.insert(name).inserted {
        report(.fragmentName, node.name, "Another fragment is called `\(name)`")
      } else if hasOperation, !reading.hasTemplates, !used.contains(name) {
        report(.fragmentUnused, node.name, "No operation uses the fragment `\(name)`")
      }
    }
    for circle in GraphQLCircles(reading).find() {
      let members = Set(circle)
      for fragment in circle {
        let definition = reading.definitions[fragment]
        for spread in definition.spreads
        where reading.fragments[tree.name(spread)].map(members.contains) == true {
          report(
            .fragmentCycle, tree.nodes[spread].name,
            "The fragment `\(tree.name(definition.node))` contains itself here")
        }
      }
    }
  }

  // MARK: - Fields of the same name

  /// The fields that some selections have, with those that fragments bring in.
  func fields(in sets: [Int], _ steps: inout Int) -> [Int] {
    var fields: [Int] = []
    var waiting = Array(sets.reversed())
    var known: Set<Int> = []
    while let set = waiting.popLast() {
      guard known.insert(set).inserted else { continue }
      for child in tree.children(set) {
        steps -= 1
        if steps <= 0 { return fields }
        if tree.nodes[child].kind == .field {
          fields.append(child)
          continue
        }
        let owner =
          tree.nodes[child].kind == .fragmentSpread
          ? reading.fragments[tree.name(child)].map { reading.definitions[$0].node } : child
        if let inner = owner.flatMap({ tree.child(.selectionSet, of: $0) }) {
          waiting.append(inner)
        }
      }
    }
    return fields
  }

  /// Fields with one name in the response are one field.
  mutating func checkMerging() {
    var steps = Self.stepLimit
    var waiting: [[Int]] = tree.children(0).filter { tree.nodes[$0].kind == .operation }
      .compactMap { tree.child(.selectionSet, of: $0).map { [$0] } }.reversed()
    while let sets = waiting.popLast(), steps > 0 {
      var groups: [String: [Int]] = [:]
      var order: [String] = []
      for field in fields(in: sets, &steps) where !tree.nodes[field].isMarked {
        let name = tree.responseName(field)
        if groups[name] == nil { order.append(name) }
        groups[name, default: []].append(field)
      }
      for name in order {
        let group = groups[name] ?? []
        compare(group, name)
        let inner = group.compactMap { tree.child(.selectionSet, of: $0) }
        if !inner.isEmpty { waiting.append(inner) }
      }
    }
  }

  private mutating func compare(_ group: [Int], _ name: String) {
    guard let first = group.first, group.count > 1 else { return }
    for field in group.dropFirst() where !excludes(first, field) {
      if tree.name(field) != tree.name(first) {
        report(
          .fieldMerge, tree.nodes[tree.child(.alias, of: field) ?? field].name,
          "`\(name)` is `\(tree.name(first))` elsewhere in this selection")
      } else if arguments(field) != arguments(first) {
        report(
          .fieldMerge, tree.nodes[field].name,
          "`\(name)` has other arguments elsewhere in this selection; give one of them an alias")
      }
    }
  }

  /// Whether no object has both fields, since they are of different object types.
  private func excludes(_ one: Int, _ other: Int) -> Bool {
    let (left, right) = (reading.meanings[one].scope, reading.meanings[other].scope)
    guard let schema, left >= 0, right >= 0, left != right else { return false }
    return schema.types[Int(left)].kind == .object && schema.types[Int(right)].kind == .object
  }

  /// The arguments of a field without blanks, in the order of their names.
  private func arguments(_ field: Int) -> [String] {
    guard let list = tree.child(.arguments, of: field) else { return [] }
    return tree.children(list).map { argument in
      let bytes = tree.bytes[tree.nodes[argument].range].filter { $0 > 32 && $0 != 44 }
      return String(decoding: bytes, as: UTF8.self)
    }.sorted()
  }
}

/// Finds the circles of fragments, by Tarjan's way of finding strongly connected components,
/// without recursion.
struct GraphQLCircles {
  private let next: [[Int]]

  /// Looks at the fragments of a text.
  init(_ reading: GraphQLReading) {
    next = reading.definitions.map { definition in
      definition.spreads.compactMap { reading.fragments[reading.tree.name($0)] }
    }
  }

  /// The definitions that are part of one circle each.
  func find() -> [[Int]] {
    var order = Array(repeating: -1, count: next.count)
    var low = order
    var isOpen = Array(repeating: false, count: next.count)
    var (stack, count): ([Int], Int) = ([], 0)
    var result: [[Int]] = []
    for root in next.indices where order[root] < 0 {
      var path = [(node: root, at: 0)]
      while let (node, at) = path.last {
        if at == 0, order[node] < 0 {
          (order[node], low[node], isOpen[node]) = (count, count, true)
          count += 1
          stack.append(node)
        }
        if at < next[node].count {
          path[path.count - 1].at += 1
          let target = next[node][at]
          if order[target] < 0 {
            path.append((target, 0))
          } else if isOpen[target] {
            low[node] = min(low[node], order[target])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last?.node { low[parent] = min(low[parent], low[node]) }
        guard low[node] == order[node], let start = stack.lastIndex(of: node) else { continue }
        let circle = Array(stack[start...])
        stack.removeSubrange(start...)
        for member in circle { isOpen[member] = false }
        if circle.count > 1 || next[node].contains(node) { result.append(circle) }
      }
    }
    return result
  }
}

extension GraphQLSchema {
  /// The type that may be meant by an unknown name, of those of some kinds.
  func nearestType(_ name: String, where holds: (GraphQLTypeKind) -> Bool) -> String? {
    let fitting = types.filter {
      $0.kind != .missing && holds($0.kind) && !$0.name.hasPrefix("__")
    }
    return GraphQLSpelling.nearest(name, fitting.map(\.name))
  }
}
