// Globals: values that a request leaves behind for all others (PK-59).

package import PostKitJSON
package import PostKitSyntax

/// The value of a global.
package struct GlobalValue: Sendable, Hashable {
  /// The value with its type.
  package var value: JSONValue
  /// Whether a secret is in it, so that it is neither shown nor kept in a file.
  package var isSecret: Bool

  /// Makes a value.
  package init(_ value: JSONValue, isSecret: Bool = false) {
    self.value = value
    self.isSecret = isSecret
  }

  /// The globals that were kept in a file.
  package static func kept(_ members: [JSONMember]) -> [String: GlobalValue] {
    Dictionary(members.map { ($0.key, GlobalValue($0.value)) }) { _, last in last }
  }
}

/// What a run has done to globals.
package struct GlobalChanges: Sendable, Hashable {
  /// Those that have another value now.
  package var set: [String: GlobalValue]
  /// The names of those that are gone, in order.
  package var removed: [String]

  /// Whether nothing is another than before.
  package var isEmpty: Bool { removed.isEmpty && set.isEmpty }

  /// What leads from some globals to others.
  package init(from before: [String: GlobalValue], to after: [String: GlobalValue]) {
    set = after.filter { before[$0.key] != $0.value }
    removed = before.keys.filter { after[$0] == nil }.sorted()
  }
}

extension [String: GlobalValue] {
  /// What may be kept in a file, and the names of secrets, which may not.
  package var parted: (kept: [JSONMember], secret: [String]) {
    let pairs = sorted { $0.key < $1.key }
    return (
      pairs.filter { !$0.value.isSecret }.map { JSONMember($0.key, $0.value.value) },
      pairs.filter(\.value.isSecret).map(\.key)
    )
  }
}

extension Scope {
  /// The global that holds the headers which scripts give to every request.
  package static let globalHeaders = "$headers"

  /// The global of a name: what the request at an offset sets itself, else what an earlier one has
  /// set.
  func global(_ name: String, at offset: Int) -> VariableDefinition? {
    if let own = globalSet(name, at: offset) { return own }
    return globals[name].map { kept in
      var definition = plain(name, kept.value, .global)
      definition.isSecret = kept.isSecret
      return definition
    }
  }

  /// The globals that a request of the file sets before it is sent: those of its own block, and
  /// those of the blocks without a request, which go before it (PK-40).
  package func globalsSet(by block: ParsedBlock) -> [VariableDefinition] {
    Set(writtenNames(\.globals.keys).joined()).sorted()
      .compactMap { globalSet($0, at: block.range.lowerBound) }
  }

  private func globalSet(_ name: String, at offset: Int) -> VariableDefinition? {
    if let own = globalSet(name, at: offset, in: file) { return own }
    for index in files.files[file].visible {
      if let found = globalSet(name, at: offset, in: index) { return found }
    }
    return nil
  }

  private func globalSet(_ name: String, at offset: Int, in index: Int) -> VariableDefinition? {
    let content = files.files[index].content
    guard let places = content.names.globals[name] else { return nil }
    let own = index == file ? content.document.block(at: offset)?.index : nil
    let place =
      places.last { $0.block == own }
      ?? places.last { content.blocks[$0.block].syntax.kind == .global }
    return place.map { definition($0, in: index) }
  }
}

extension Evaluator {
  /// The value of a definition where a request stands; `nil` where something in it is unknown.
  package mutating func value(
    of definition: VariableDefinition, for block: ParsedBlock
  ) -> JSONValue? {
    let line = block.absolute(block.leadingLine)
    guard
      case .value(let value) = use(definition, at: line, place: .body, offset: line.lowerBound),
      problems.isEmpty
    else { return nil }
    return value
  }

  /// `$global.name`, or a member of what it is.
  mutating func global(
    _ path: String, at range: Range<Int>, place: TemplatePlace, offset: Int
  ) -> Resolution {
    let name = path.prefix { $0 != "." && $0 != "[" }
    names.insert(path)
    names.insert(String(name))
    if let definition = scope.global(path, at: offset) {
      return use(definition, at: range, place: place, offset: offset)
    }
    if let definition = scope.global(String(name), at: offset),
      let value = member(
        String(path[name.endIndex...]), of: definition, at: range, place: place, offset: offset)
    {
      return .value(value)
    }
    if let request = scope.requestDefining(String(name)) {
      return .unresolved(.requestNotRun(name: request))
    }
    let script = setByScript(String(name), orWhole: path, called: "$global.\(name)")
    if let script { return .unresolved(script) }
    return .unresolved(.unresolvedVariable(name: "$global." + path, suggestion: nil))
  }
}
