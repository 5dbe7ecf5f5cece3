// A schema together with all that it refers to and consists of.

import PostKitJSON

/// A schema with what its `$ref` and `allOf` bring in, so that a keyword is looked for in one
/// place.
package struct FlatSchema: Sendable {
  /// The objects that the schema consists of; none for a schema that says nothing.
  package private(set) var parts: [DescribedValue] = []
  /// The texts of the references that were followed, the outermost first.
  private(set) var references: [String] = []
  private(set) var failures: [ReferenceFailure] = []
  /// Whether there is a `false` among the parts, so that no value fits.
  package private(set) var isImpossible = false
  /// The first object that is no mere reference, by which recursion is known.
  private(set) var principal: DescribedIdentity?
  /// Whether the schema consists of so much that the rest was left out.
  private(set) var isCut = false

  private static let partLimit = 500
  private var seen = SmallSet<DescribedIdentity>()

  /// Puts schemas together that hold at the same time.
  package init(
    _ schemas: [DescribedValue], in documents: DescriptionDocuments, _ dialect: SchemaDialect
  ) {
    for schema in schemas { add(schema, documents, dialect) }
  }

  /// Adds a schema that holds, too. Towers of `allOf` cost no more than their parts, because a part
  /// counts once.
  mutating func add(
    _ schema: DescribedValue, _ documents: DescriptionDocuments, _ dialect: SchemaDialect
  ) {
    var open = [schema]
    while let next = open.popLast() {
      guard next.view.kind == .object else {
        if next.view.bool == false { isImpossible = true }
        continue
      }
      guard seen.insert(next.identity) else { continue }
      guard seen.count <= Self.partLimit else {
        isCut = true
        return
      }
      if let reference = next.string("$ref") {
        references.append(reference)
        if dialect == .current, next.view.count > 1 { parts.append(next) }
        do throws(ReferenceFailure) {
          open.append(try documents.target(of: reference, in: next.document))
        } catch {
          failures.append(error)
        }
        if dialect == .draft4 { continue }
      } else {
        if principal == nil { principal = next.identity }
        parts.append(next)
      }
      if let all = next["allOf"] { open += all.elements.reversed() }
    }
  }

  /// The first value of a keyword.
  package subscript(keyword: String) -> DescribedValue? {
    for part in parts { if let value = part[keyword] { return value } }
    return nil
  }

  /// Whether a keyword is `true` in one of the parts.
  package func isTrue(_ keyword: String) -> Bool { parts.contains { $0.isTrue(keyword) } }

  /// The names of the properties in order, with the schemas that hold for each.
  package var properties: [(name: String, schemas: [DescribedValue])] {
    var seen = SmallSet<String>()
    var places: [String: Int] = [:]
    var result: [(name: String, schemas: [DescribedValue])] = []
    for part in parts {
      for (name, schema) in part["properties"]?.members ?? [] {
        if seen.insert(name) {
          result.append((name, [schema]))
          continue
        }
        if places.isEmpty {
          for (place, property) in result.enumerated() { places[property.name] = place }
        }
        if let place = places[name] { result[place].schemas.append(schema) }
      }
    }
    return result
  }

  /// What the elements of a list follow, all of it.
  package var items: [DescribedValue] {
    parts.compactMap { $0["items"] }.filter { $0.view.kind == .object }
  }

  /// The last step of the outermost reference: what people call the schema.
  package var referencedName: String? {
    references.first?.split(separator: "/").last.map(String.init)
  }

  /// The names of the properties that must be there.
  package var required: [String] {
    var seen = SmallSet<String>()
    return parts.flatMap { $0["required"]?.elements.compactMap(\.view.string) ?? [] }
      .filter { seen.insert($0) }
  }

  /// The types that a value may have, as the first part that says any says them; without a word
  /// those that other keywords hint at.
  package var types: [String] {
    for part in parts {
      guard let type = part.view["type"] else { continue }
      if let word = type.string { return [word] }
      let words = type.elements.compactMap(\.string)
      if !words.isEmpty { return words }
    }
    let hints: [(String, [String])] = [
      ("object", ["properties", "additionalProperties", "required", "patternProperties"]),
      ("array", ["items", "prefixItems", "minItems", "maxItems"]),
      ("string", ["pattern", "minLength", "maxLength", "format"]),
      ("number", ["minimum", "maximum", "multipleOf", "exclusiveMinimum"]),
    ]
    return hints.first { _, keywords in keywords.contains { self[$0] != nil } }.map { [$0.0] } ?? []
  }

  /// The type by which a sample is made: the first that is not `null`; `nil` for any.
  package var type: String? {
    let types = types
    return types.first { $0 != "null" } ?? types.first
  }

  /// Whether the text is bytes that are no text: a file in forms.
  package var isBinary: Bool {
    if type == "file" { return true }
    guard type == "string" || type == nil else { return false }
    if self["format"]?.view.string == "binary" { return true }
    return self["contentMediaType"] != nil && self["contentEncoding"] == nil
      && !parts.contains { $0["enum"] != nil || $0["const"] != nil }
  }
}
