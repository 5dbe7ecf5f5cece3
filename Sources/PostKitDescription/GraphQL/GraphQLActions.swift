// Changes of a request that an editor offers: all simple fields at once, and a value as a variable.

import PostKitJSON
import PostKitText

extension GraphQLQuery {
  /// The changes that can be made at a range of the query.
  package func actions(in range: Range<Int>) -> [GraphQLAction] {
    guard let schema, range.upperBound <= own else { return [] }
    return [fillingLeafFields(at: range.lowerBound, schema), extractingVariable(range, schema)]
      .compactMap { $0 }
  }

  // MARK: - Fill all leaf fields

  private func fillingLeafFields(at offset: Int, _ schema: GraphQLSchema) -> GraphQLAction? {
    guard
      let index = tree.nodes.lastIndex(where: {
        ($0.kind == .field || $0.kind == .selectionSet) && Int($0.start) <= offset
          && offset <= Int($0.end)
      })
    else { return nil }
    let node = tree.nodes[index]
    var set: Int? = index
    var type = reading.meanings[index].scope
    if node.kind == .field {
      set = tree.child(.selectionSet, of: index)
      // A field without fields of its own is part of what is around it.
      guard let own = reading.meanings[index].type, !schema.kind(own).isLeaf else {
        set = tree.parent(index)
        return filling(set, type, after: node, schema)
      }
      type = own.type
    }
    return filling(set, type, after: node, schema)
  }

  private func filling(
    _ set: Int?, _ scope: Int32, after node: GraphQLNode, _ schema: GraphQLSchema
  ) -> GraphQLAction? {
    guard scope >= 0 else { return nil }
    let type = schema.types[Int(scope)]
    let given = Set(
      set.map { tree.children($0).filter { tree.nodes[$0].kind == .field }.map(tree.name) } ?? [])
    var names = type.kind == .union ? [] : type.members.filter { member in
      guard let own = schema.members[member].type, schema.kind(own).isLeaf,
        schema.deprecation(member) == nil
      else { return false }
      return !schema.arguments(member).contains { schema.members[$0].isRequired }
    }.map(schema.name).filter { !given.contains($0) }
    if names.isEmpty, given.isEmpty { names = ["__typename"] }
    guard !names.isEmpty, let edit = inserting(names, set, after: node) else { return nil }
    return GraphQLAction(title: "Fill all leaf fields", edits: [edit])
  }

  private func inserting(_ names: [String], _ set: Int?, after node: GraphQLNode) -> TextEdit? {
    guard let set else {
      let outer = indentation(at: Int(node.start))
      let lines = names.map { "\n\(outer)  \($0)" }.joined()
      // Behind the directives and arguments, where the field ends.
      return TextEdit(Int(node.end)..<Int(node.end), " {\(lines)\n\(outer)}")
    }
    let range = tree.nodes[set].range
    guard range.count >= 2, bytes[range.upperBound - 1] == UInt8(ascii: "}") else { return nil }
    let last = tree.children(set).reduce(nil) { $1 as Int? }
    let end = last.map { Int(tree.nodes[$0].end) } ?? range.lowerBound + 1
    guard bytes[range].contains(10) else {
      let text = names.joined(separator: " ")
      let hasBlank = bytes[range.upperBound - 2] == 32
      return TextEdit(end..<end, " " + text + (last == nil && !hasBlank ? " " : ""))
    }
    let first = tree.children(set).first { _ in true }
    let outer = indentation(at: range.upperBound - 1)
    let inner = first.map { indentation(at: Int(tree.nodes[$0].start)) } ?? outer + "  "
    let lines = names.map { "\n\(inner)\($0)" }.joined()
    let closes = bytes[end..<range.upperBound].contains(10) ? "" : "\n" + outer
    return TextEdit(end..<end, lines + closes)
  }

  /// The blanks that the line of an offset begins with.
  private func indentation(at offset: Int) -> String {
    let start = bytes[..<offset].lastIndex(of: 10).map { $0 + 1 } ?? 0
    let blanks = bytes[start..<offset].prefix { $0 == 32 || $0 == 9 }
    return String(decoding: blanks, as: UTF8.self)
  }

  // MARK: - Extract variable

  private func extractingVariable(_ range: Range<Int>, _ schema: GraphQLSchema) -> GraphQLAction? {
    guard let index = extractable(range), let type = reading.meanings[index].type,
      let operation = tree.enclosing(index, [.operation]), tree.problems.isEmpty
    else { return nil }
    let node = tree.nodes[index]
    var name = tree.name(tree.enclosing(index, [.argument, .objectField]) ?? index)
    // Names that other operations' variables have would share their value.
    let known = Set(
      reading.definitions.flatMap { reading.variableDefinitions($0.node) }.map(tree.name)
        + variableNames())
    if known.contains(name) {
      name = (2...).lazy.map { "\(name)\($0)" }.first { !known.contains($0) } ?? name
    }
    guard let value = jsonText(index) else { return nil }
    let definition = "$\(name): \(schema.text(type))"
    var action = GraphQLAction(
      title: "Extract variable `$\(name)`",
      edits: [defining(definition, in: operation), TextEdit(node.range, "$" + name)])
    guard add(name, value, to: &action) else { return nil }
    return action
  }

  /// The innermost value around a range that has all its text.
  private func extractable(_ range: Range<Int>) -> Int? {
    guard
      let index = tree.nodes.lastIndex(where: {
        $0.kind.isValue && Int($0.start) <= range.lowerBound && range.upperBound <= Int($0.end)
      }), tree.enclosing(index, [.variableDefinition]) == nil
    else { return nil }
    let inner = index..<Int(tree.nodes[index].next)
    let isPlain = inner.allSatisfy {
      tree.nodes[$0].kind != .variable && tree.nodes[$0].kind != .template
        && !tree.nodes[$0].isMarked
    }
    return isPlain ? index : nil
  }

  private func defining(_ definition: String, in operation: Int) -> TextEdit {
    let node = tree.nodes[operation]
    if let list = tree.child(.variableDefinitions, of: operation) {
      let end = Int(tree.nodes[list].end) - 1
      return TextEdit(end..<end, ", " + definition)
    }
    if bytes[Int(node.start)] == UInt8(ascii: "{") {
      return TextEdit(Int(node.start)..<Int(node.start), "query (\(definition)) ")
    }
    let type = GraphQLOperationType(rawValue: node.detail) ?? .query
    let keyword = Int(node.start) + type.keyword.utf8.count
    let end = node.name.isEmpty ? keyword : node.name.upperBound
    return TextEdit(end..<end, (node.name.isEmpty ? " (" : "(") + definition + ")")
  }

  private func variableNames() -> [String] {
    variables.flatMap(Self.tree)?.root.members.compactMap { $0.key.string } ?? []
  }

  private static func tree(_ json: [UInt8]) -> JSONTree? {
    // What is no JSON is left alone.
    try? JSONTree(parsing: GraphQLVariablesText.masked(json))
  }

  /// Adds a value to the variables; false where they can't be read.
  private func add(_ name: String, _ value: String, to action: inout GraphQLAction) -> Bool {
    let member = "\"\(name)\": \(value)"
    guard let variables, !variables.allSatisfy({ $0 <= 32 }) else {
      action.newVariables = "{\n  \(member)\n}"
      return true
    }
    guard let root = Self.tree(variables)?.root, root.kind == .object else { return false }
    guard let last = root.members.last else {
      action.variableEdits = [TextEdit(root.range, "{\n  \(member)\n}")]
      return true
    }
    let start = last.key.range.lowerBound
    let before = variables[..<start].reversed().prefix { $0 <= 32 }
    let blanks = String(decoding: Array(before.reversed()), as: UTF8.self)
    let isLine = blanks.utf8.contains(10)
    let end = last.value.range.upperBound
    action.variableEdits = [TextEdit(end..<end, "," + (isLine ? blanks : " ") + member)]
    return true
  }

  /// A value as JSON.
  private func jsonText(_ index: Int) -> String? {
    let node = tree.nodes[index]
    if node.kind == .list {
      let items = tree.children(index).map(jsonText)
      return "[" + items.compactMap { $0 }.joined(separator: ", ") + "]"
    }
    if node.kind == .object {
      let members = tree.children(index).map { field in
        let value = tree.children(field).first { _ in true }.flatMap(jsonText) ?? "null"
        return GraphQLString.quoted(tree.name(field)) + ": " + value
      }
      return members.isEmpty ? "{}" : "{ " + members.joined(separator: ", ") + " }"
    }
    // Strings of GraphQL have escapes that JSON has not.
    if node.kind == .string {
      return GraphQLString.quoted(GraphQLString.value(bytes[node.range]))
    }
    if node.kind == .enumValue { return GraphQLString.quoted(tree.name(index)) }
    return node.kind == .variable || node.kind == .template ? nil : tree.text(node.range)
  }
}
