// Ways through a file: from names to their definitions.

package import PostKitEvaluate
import PostKitJSON
import PostKitSyntax

/// Where a name is defined.
package struct DefinitionPlace: Sendable, Hashable {
  /// The reference in this file.
  package var origin: Range<Int>
  /// The absolute path of the file that holds the definition, or the URL or URI of what was
  /// fetched; `nil` for this file.
  package var path: String?
  /// The bytes of the name in this file, or of the value in another one.
  package var range: Range<Int>
  /// The members of the value that the reference goes on to, up to where it was asked about.
  package var members: [String] = []

  /// Makes a place.
  package init(origin: Range<Int>, path: String?, range: Range<Int>) {
    self.origin = origin
    self.path = path
    self.range = range
  }

  /// The place of the member that is meant, in the text of the file; the value as a whole where it
  /// has none such.
  package func narrowed(in text: [UInt8]) -> DefinitionPlace {
    guard !members.isEmpty, range.upperBound <= text.count else { return self }
    let options = JSONParsingOptions(allowsComments: true)
    // A value that is no JSON has no members.
    guard let tree = try? JSONTree(parsing: Array(text[range]), options: options) else {
      return self
    }
    var value = tree.root
    for member in members {
      guard let inner = value[member] else { return self }
      value = inner
    }
    var result = self
    result.range =
      value.range.lowerBound + range.lowerBound..<value.range.upperBound + range.lowerBound
    return result
  }
}

extension Analysis {
  /// The definitions of what stands at an offset: the one in force, then those that it covers.
  package func definitions(at position: Int) -> [DefinitionPlace] {
    let offset = max(0, min(position, document.bytes.count))
    guard let block = document.block(at: offset) else { return [] }
    if let found = scriptDefinition(at: offset) { return [found] }
    let place = offset - block.range.lowerBound
    if let tag = block.syntax.metadata.first(where: {
      ($0.kind == .ref || $0.kind == .forceRef) && $0.value.touches(place)
    }) {
      return request(block.text(tag.value), block.absolute(tag.value))
    }
    if let name = block.syntax.directives.lazy.compactMap(\.calledName).first(where: {
      $0.touches(place)
    }) {
      return request(block.text(name), block.absolute(name))
    }
    if let own = block.syntax.variables.first(where: { $0.nameRange.touches(place) }) {
      // What it is covered by, or covers, is as far away as it is from a use.
      let name = block.name(of: own)
      return scope.candidates(name, at: offset).compactMap {
        definition($0, block.absolute(own.nameRange))
      }
    }
    guard let reference = block.syntax.reference(at: place),
      case .path(let name, let rest) = reference.expression
    else { return [] }
    let origin = block.absolute(reference.range)
    for (known, members) in [(name + rest, []), (name, members(of: reference, at: place, block))] {
      let candidates = scope.candidates(known, at: offset)
      if !candidates.isEmpty {
        return candidates.compactMap { definition($0, origin, members) }
      }
    }
    return request(name, origin)
  }

  /// The members that a reference names up to a place in it; all of them from its braces.
  private func members(
    of reference: ReferenceSyntax, at place: Int, _ block: ParsedBlock
  ) -> [String] {
    let text = block.slice(0..<block.range.count)
    guard let found = NamedReference(reference.expression, reference.inner, in: text) else {
      return []
    }
    if found.range.lowerBound <= place, place <= found.range.upperBound { return [] }
    let segments = NameOccurrence(
      name: found.name, role: found.role, range: found.range, rest: found.rest
    ).segments
    let last = segments.firstIndex { $0.range.touches(place) }
    return segments.prefix((last ?? segments.count) + 1).map(\.name)
  }

  /// The definitions of the variable at an offset in each of several sets of environments, such as
  /// one for every environment that can be chosen, without repetitions.
  package func implementations(
    at position: Int, in environments: some Sequence<EnvironmentSet>
  ) -> [DefinitionPlace] {
    let offset = max(0, min(position, document.bytes.count))
    guard let block = document.block(at: offset) else { return [] }
    let place = offset - block.range.lowerBound
    let found: (range: Range<Int>, names: [String], members: [String])
    if let variable = block.syntax.variables.first(where: { $0.nameRange.touches(place) }) {
      found = (variable.nameRange, [block.name(of: variable)], [])
    } else if let reference = block.syntax.reference(at: place),
      case .path(let name, let rest) = reference.expression
    {
      let members = members(of: reference, at: place, block)
      found = (reference.range, [name + rest, name], members)
    } else {
      return []
    }
    var result: [DefinitionPlace] = []
    for set in environments {
      guard let name = found.names.first(where: { set.definitions[$0] != nil }),
        let winner = set.definitions[name],
        let place = definition(
          winner, block.absolute(found.range), name == found.names.last ? found.members : []),
        !result.contains(place)
      else { continue }
      result.append(place)
    }
    return result
  }

  private func definition(
    _ definition: VariableDefinition, _ origin: Range<Int>, _ members: [String] = []
  ) -> DefinitionPlace? {
    guard definition.origin.line > 0 else { return nil }
    let range = definition.origin.range
    guard definition.origin.layer == .file else {
      var place = DefinitionPlace(origin: origin, path: definition.origin.path, range: range)
      if definition.origin.layer != .importedFile { place.members = members }
      return place
    }
    // An empty value may stand at the end of its block, its operator never does.
    let block = document.block(at: max(0, range.lowerBound - 1))
    let variable = block?.syntax.variables.first { block?.absolute($0.value) == range }
    let name = variable.flatMap { block?.absolute($0.nameRange) }
    return DefinitionPlace(origin: origin, path: nil, range: name ?? range)
  }

  private func request(_ name: String, _ origin: Range<Int>) -> [DefinitionPlace] {
    guard let place = scope.files.place(named: name, from: scope.file)
        ?? scope.files.place(referredToAs: name, from: scope.file)
    else { return [] }
    let block = scope.files.block(place)
    let tag = block.syntax.metadata.first { $0.kind == .name && !$0.value.isEmpty }
    let range = tag?.value ?? block.syntax.separator?.title ?? block.leadingLine
    let path = place.file == scope.file ? nil : scope.files.files[place.file].path
    return [DefinitionPlace(origin: origin, path: path, range: block.absolute(range))]
  }
}

extension Range<Int> {
  /// Whether a place is in the range or at its end, as a caret behind a word is.
  func touches(_ place: Int) -> Bool { lowerBound <= place && place <= upperBound }
}
