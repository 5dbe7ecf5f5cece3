// What a name of a request stands for, and where it is declared.

extension GraphQLTree {
  /// The innermost node whose name an offset touches, with the `$` or `@` before it.
  func named(at offset: Int) -> Int? {
    nodes.lastIndex { node in
      guard node.nameStart < node.nameEnd else { return false }
      let isMarked =
        node.kind == .variable || node.kind == .variableDefinition || node.kind == .directive
      return Int(isMarked ? node.start : node.nameStart) <= offset && offset <= node.nameEnd
    }
  }
}

extension GraphQLQuery {
  /// What the name at an offset of the query stands for.
  package func hover(at offset: Int) -> GraphQLHover? {
    guard let index = tree.named(at: offset) else { return nil }
    let node = tree.nodes[index]
    if node.kind == .variableDefinition { return hover(variable: index, node) }
    if node.kind == .variable {
      return variableDefinition(of: index).flatMap { hover(variable: $0, node) }
    }
    if node.kind == .fragmentSpread {
      return reading.condition(ofFragment: tree.name(index)).map { type in
        GraphQLHover(range: node.name, declaration: "fragment \(tree.name(index)) \(type)")
      }
    }
    return schema.flatMap { hover(index, node, $0) }
  }

  private func hover(
    _ index: Int, _ node: GraphQLNode, _ schema: GraphQLSchema
  ) -> GraphQLHover? {
    let meaning = reading.meanings[index]
    if node.kind == .type {
      return meaning.type.map { schema.hover(ofType: Int($0.type), node.name) }
    }
    let member = Int(meaning.member)
    guard member >= 0 else { return nil }
    if node.kind == .directive {
      return GraphQLHover(
        range: Int(node.start)..<node.name.upperBound,
        declaration: schema.declaration(ofDirective: member),
        description: schema.string(schema.directives[member].description))
    }
    // An argument's owner is the field before it, not a type.
    let owner = node.kind == .enumValue ? meaning.type?.type ?? -1 : meaning.scope
    return schema.hover(ofMember: member, owner: owner < 0 ? nil : Int(owner), node.name)
  }

  /// The definition of the variable that a node uses.
  func variableDefinition(of variable: Int) -> Int? {
    let name = tree.name(variable)
    return reading.variables(at: variable).first { tree.name($0) == name }
  }

  private func hover(variable definition: Int, _ node: GraphQLNode) -> GraphQLHover {
    let own = tree.nodes[definition]
    let type = reading.meanings[definition].type
    let description = type.flatMap { type in
      schema.flatMap { $0.string($0.types[Int(type.type)].description) }
    }
    return GraphQLHover(
      range: Int(node.start)..<node.name.upperBound, declaration: tree.text(own.range),
      description: description)
  }

  /// Where the name at an offset of the query is declared.
  package func definition(at offset: Int) -> GraphQLPlace? {
    guard let index = tree.named(at: offset) else { return nil }
    let (node, meaning) = (tree.nodes[index], reading.meanings[index])
    if node.kind == .variableDefinition || node.kind == .fragmentDefinition {
      return .text(node.name)
    }
    if node.kind == .variable {
      return variableDefinition(of: index).map { .text(tree.nodes[$0].name) }
    }
    if node.kind == .fragmentSpread {
      return reading.fragments[tree.name(index)].map {
        .text(tree.nodes[reading.definitions[$0].node].name)
      }
    }
    guard let schema else { return nil }
    if node.kind == .type {
      return meaning.type.flatMap { schema.place(schema.types[Int($0.type)].place) }
    }
    let member = Int(meaning.member)
    guard member >= 0 else { return nil }
    return schema.place(
      node.kind == .directive ? schema.directives[member].place : schema.members[member].place)
  }

  /// The arguments of the innermost field or directive whose parentheses an offset is in.
  package func signature(at offset: Int) -> GraphQLSignature? {
    guard let list = argumentList(at: offset) else { return nil }
    let owner = tree.parent(list)
    let isDirective = tree.nodes[owner].kind == .directive
    let (schema, reading) =
      schema.map { ($0, self.reading) }
      ?? (.bare, GraphQLReading(tree, isDirective ? .bare : nil))
    guard let range = reading.arguments(of: owner, schema), !range.isEmpty else { return nil }
    let member = Int(reading.meanings[owner].member)
    let (label, places) = schema.declaration(
      (isDirective ? "@" : "") + tree.name(owner), arguments: range,
      type: isDirective ? nil : schema.members[member].type)
    let description =
      isDirective ? schema.directives[member].description : schema.members[member].description
    let given = tree.children(list).filter { tree.nodes[$0].kind == .argument }
    let names = given.map(tree.name)
    let current = given.last { argument in
      let (start, end) = (Int(tree.nodes[argument].start), Int(tree.nodes[argument].end))
      if start > offset || offset <= end { return start <= offset }
      // The value is missing so far.
      return bytes[end - 1] == UInt8(ascii: ":") && bytes[end..<offset].allSatisfy { $0 <= 32 }
    }
    // Between arguments, the next one is what somebody may want to write.
    let active =
      current.map { argument in range.first { schema.name($0) == tree.name(argument) } }
      ?? range.first { !names.contains(schema.name($0)) }
    return GraphQLSignature(
      label: label, documentation: schema.string(description),
      parameters: zip(range, places).map { member, place in
        GraphQLSignature.Parameter(
          range: place, documentation: schema.string(schema.members[member].description))
      },
      active: active.map { $0 - range.lowerBound })
  }

  /// The innermost list of arguments whose parentheses an offset is in; one without an end goes on
  /// to the next token.
  private func argumentList(at offset: Int) -> Int? {
    tree.nodes.lastIndex { node in
      guard node.kind == .arguments, node.start < offset else { return false }
      if bytes[Int(node.end) - 1] == UInt8(ascii: ")") { return offset < node.end }
      if offset <= node.end { return true }
      return offset <= bytes.count
        && bytes[Int(node.end)..<offset].allSatisfy { $0 <= 32 || $0 == UInt8(ascii: ",") }
    }
  }
}

/// The places of the names of fragments in a text.
package struct GraphQLFragmentNames: Sendable, Hashable {
  /// Where fragments are defined, by their names.
  package var definitions: [String: [Range<Int>]] = [:]
  /// Where they are spread, by their names.
  package var spreads: [String: [Range<Int>]] = [:]

  /// Looks through a text.
  package init(_ bytes: [UInt8]) { self.init(GraphQLTree(parsing: bytes)) }

  init(_ tree: GraphQLTree) {
    for node in tree.nodes.indices where !tree.nodes[node].isMarked {
      let range = tree.nodes[node].name
      if range.isEmpty { continue }
      switch tree.nodes[node].kind {
      case .fragmentDefinition: definitions[tree.name(node), default: []].append(range)
      case .fragmentSpread: spreads[tree.name(node), default: []].append(range)
      default: break
      }
    }
  }

  /// The name whose place has an offset in it.
  package func name(at offset: Int) -> String? {
    for places in [definitions, spreads] {
      let found = places.first { _, ranges in
        ranges.contains { $0.contains(offset) || $0.upperBound == offset }
      }
      if let found { return found.key }
    }
    return nil
  }

  /// Whether a text can be the name of a fragment.
  package static func isName(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let isLetter: (UInt8) -> Bool = { $0 == 95 || (65...90).contains($0 & 0xDF) }
    return text != "on" && bytes.first.map(isLetter) == true
      && bytes.allSatisfy { isLetter($0) || (48...57).contains($0) }
  }
}

extension GraphQLSchema {
  /// A type and what it says about itself.
  func hover(ofType index: Int, _ range: Range<Int>) -> GraphQLHover {
    GraphQLHover(
      range: range, declaration: declaration(ofType: index),
      description: string(types[index].description))
  }

  /// A member and what it says about itself; `owner` is the type that has it.
  func hover(ofMember index: Int, owner: Int?, _ range: Range<Int>) -> GraphQLHover {
    let member = members[index]
    let before = owner.map { types[$0].name + "." } ?? ""
    let text =
      member.arguments.isEmpty
      ? before + argument(index)
      : declaration(before + name(index), arguments: arguments(index), type: member.type).text
    return GraphQLHover(
      range: range, declaration: text, description: string(member.description),
      deprecation: deprecation(index))
  }

  /// Where a part of a source is; `nil` for what no source of the user has.
  func place(_ span: GraphQLSpan) -> GraphQLPlace? {
    guard !span.isEmpty, Int(span.source) < sources.count - 1 else { return nil }
    return .schema(source: Int(span.source), span.range)
  }
}
