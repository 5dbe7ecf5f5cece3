// Where the types of values stand: the schemas that they follow, by the names that people give
// them.

import PostKitJSON

extension DescriptionIndex {
  /// How deep lists and branches are looked into for schemas that have names.
  private static let depthOfNames = 4

  /// Where the types of a value stand: the names of the schemas that are referred to, of a list
  /// those of its elements, of what may be one of several those of all that have one; else the
  /// schema as it is written.
  package func typePlaces(_ schemas: [DescribedValue]) -> [DescribedValue] {
    var seen: Set<DescribedIdentity> = []
    return schemas.filter { $0.view.kind == .object }.flatMap { schema in
      let named = names(in: schema, depth: 0)
      return named.isEmpty ? [schema] : named
    }.filter { seen.insert($0.identity).inserted }
  }

  private func names(in schema: DescribedValue, depth: Int) -> [DescribedValue] {
    if let reference = schema.string("$ref") { return name(of: reference, in: schema.document) }
    // What has members of its own is a type by itself.
    guard schema["properties"] == nil, depth < Self.depthOfNames else { return [] }
    let branches = ["allOf", "oneOf", "anyOf"].flatMap { schema[$0]?.elements ?? [] }
    let inner = branches + [schema["items"]].compactMap { $0 }
    return inner.prefix(50).flatMap { names(in: $0, depth: depth + 1) }
  }

  /// The name of what a reference leads to, else what it leads to; nothing where that is not there.
  private func name(of reference: String, in document: Int) -> [DescribedValue] {
    let documents = description.documents
    // References to nothing are told where requests are compared.
    guard let target = try? documents.target(of: reference, in: document) else { return [] }
    guard reference.contains("#"), let slash = reference.lastIndex(of: "/"),
      let holder = try? documents.target(of: String(reference[..<slash]), in: document)
    else { return [target] }
    let member = holder.view.members.first { $0.value.range == target.view.range }
    return [member.map { DescribedValue($0.key, document: holder.document) } ?? target]
  }
}
