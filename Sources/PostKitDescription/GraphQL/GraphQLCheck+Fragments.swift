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
        meant: nearestType(name) { $0.isComposite })
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
        meant: nearest(name, fragmentNames))
    }
    let type = Int(reading.meanings[reading.definitions[fragment].node].scope)
    guard let schema, type >= 0 else { return }
    checkPossible(type, in: tree.parent(index), node.name, schema)
  }

  /// Fragments have names of their own, are used, and never contain themselves.
  mutating func checkFragments() {
    var names: Set<String> = []
    let operations = reading.definitions.indices.filter {
      tree.nodes[reading.definitions[$0].node].kind == .operation
    }
    let used = Set(reading.reached(from: operations))
    for (position, definition) in reading.definitions.enumerated() {
      let node = tree.nodes[definition.node]
      guard node.kind == .fragmentDefinition, !node.isMarked, !node.name.isEmpty else { continue }
      let name = tree.name(definition.node)
      if !names.insert(name).inserted {
        report(.fragmentName, node.name, "Another fragment is called `\(name)`")
      } else if !operations.isEmpty, !reading.hasTemplates, !used.contains(position) {
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

  /// A field or its selection, with the object types that the selections on the way to it are of;
  /// `nil` where several objects may have them.
  struct Placed {
    var node: Int
    var types: [String?] = []
  }

  /// The fields that some selections have, with those that fragments bring in.
  func fields(in sets: [Placed], _ steps: inout Int) -> [Placed] {
    var fields: [Placed] = []
    var waiting = sets.reversed().map { (set: $0.node, outer: $0.types, on: String?.none) }
    var known: Set<Int> = []
    while let (set, outer, on) = waiting.popLast() {
      guard known.insert(set).inserted else { continue }
      let types = outer + [objectType(of: set, on)]
      for child in tree.children(set) {
        steps -= 1
        if steps <= 0 { return fields }
        if tree.nodes[child].kind == .field {
          fields.append(Placed(node: child, types: types))
          continue
        }
        let owner =
          tree.nodes[child].kind == .fragmentSpread
          ? reading.fragments[tree.name(child)].map { reading.definitions[$0].node } : child
        guard let owner, let inner = tree.child(.selectionSet, of: owner) else { continue }
        let condition = tree.child(.type, of: owner).map(tree.name)
        waiting.append((inner, outer, condition ?? on))
      }
    }
    return fields
  }

  /// The type that no object of another one's selection is of; without a schema, the one that
  /// the fragment is on may be such a type.
  private func objectType(of set: Int, _ condition: String?) -> String? {
    let scope = Int(reading.meanings[set].scope)
    guard let schema, scope >= 0 else { return condition }
    let type = schema.types[scope]
    return type.kind == .object || type.kind == .missing ? type.name : nil
  }

  /// Fields with one name in the response are one field.
  mutating func checkMerging() {
    var steps = Self.stepLimit
    var waiting: [[Placed]] = tree.children(0).filter { tree.nodes[$0].kind == .operation }
      .compactMap { tree.child(.selectionSet, of: $0).map { [Placed(node: $0)] } }.reversed()
    while let sets = waiting.popLast(), steps > 0 {
      var groups: [String: [Placed]] = [:]
      var order: [String] = []
      for field in fields(in: sets, &steps) where !tree.nodes[field.node].isMarked {
        let name = tree.responseName(field.node)
        if groups[name] == nil { order.append(name) }
        groups[name, default: []].append(field)
      }
      for name in order {
        let group = groups[name] ?? []
        compare(group, name)
        var inner = group.compactMap { field in
          tree.child(.selectionSet, of: field.node).map { Placed(node: $0, types: field.types) }
        }
        // What all came the same way for tells none of them apart.
        if inner.allSatisfy({ $0.types == inner[0].types }) {
          for index in inner.indices { inner[index].types = [] }
        }
        if !inner.isEmpty { waiting.append(inner) }
      }
    }
  }

  private mutating func compare(_ group: [Placed], _ name: String) {
    guard let placed = group.first, group.count > 1 else { return }
    let first = placed.node
    for field in group.dropFirst().filter({ !excludes(placed, $0) }).map(\.node) {
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

  /// Whether no response has both fields, since objects of different types have what leads to them.
  private func excludes(_ one: Placed, _ other: Placed) -> Bool {
    zip(one.types, other.types).contains { $0 != nil && $1 != nil && $0 != $1 }
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

extension GraphQLCheck {
  /// The type that may be meant by an unknown name, of those of some kinds.
  func nearestType(_ name: String, where holds: (GraphQLTypeKind) -> Bool) -> String? {
    guard let schema, findings.count < Self.suggestionLimit else { return nil }
    let fitting = schema.types.filter {
      $0.kind != .missing && holds($0.kind) && !$0.name.hasPrefix("__")
    }
    return GraphQLSpelling.nearest(name, fitting.map(\.name))
  }
}
