// Values that fit a schema, as people read them in a request (IO-24).

package import PostKitJSON

/// What a sample could not say.
package enum SampleProblem: Sendable, Hashable {
  /// A schema holds itself; the member that would go on was left out.
  case cycle
  /// The sample would have become too large.
  case cut
  case reference(ReferenceFailure)
  /// The text does not match the pattern.
  case pattern(String)
}

/// Makes samples of schemas. The same schema gives the same sample.
package struct SchemaSampler {
  /// The text that stands for a password.
  package static let passwordTemplate = "{{password}}"
  /// Values of one sample, and bytes of it.
  private static let nodeLimit = 2_000
  private static let byteLimit = 64 << 10
  /// Levels of objects in which members stand that may be left out.
  private static let optionalDepth = 3
  /// The most elements of a list that `minItems` makes.
  private static let elementLimit = 3

  let documents: DescriptionDocuments
  let dialect: SchemaDialect
  /// Whether the sample is sent; else it is answered.
  package var isRequest = true
  /// Whether members are left out that may be.
  package var isRequiredOnly = false
  /// What the samples made so far could not say, each once.
  package private(set) var problems: [SampleProblem] = []
  /// Whether `passwordTemplate` stands in a sample made so far.
  package private(set) var usesPassword = false

  private var nodes = 0
  private var bytes = 0
  private var open = SmallSet<DescribedIdentity>()

  /// Makes a sampler of a description's schemas.
  package init(_ documents: DescriptionDocuments, _ dialect: SchemaDialect) {
    self.documents = documents
    self.dialect = dialect
  }

  /// A value that fits a schema; `nil` where nothing can be said, as in a schema that is not there.
  package mutating func sample(of schema: DescribedValue) -> JSONValue? {
    nodes = 0
    bytes = 0
    open = SmallSet()
    return value([schema], depth: 0)
  }

  /// The schema with all that belongs to it, and with the branch of `oneOf` or `anyOf` that samples
  /// take.
  package func chosen(_ schemas: [DescribedValue]) -> FlatSchema {
    chosen(FlatSchema(schemas, in: documents, dialect))
  }

  private func chosen(_ flat: FlatSchema) -> FlatSchema {
    var flat = flat
    var taken = SmallSet<DescribedIdentity>()
    while let options = nextOptions(of: flat, &taken) {
      guard let option = firstOption(options) else { continue }
      flat.add(option, documents, dialect)
    }
    return flat
  }

  /// Keeps a problem, each once.
  mutating func tell(_ problem: SampleProblem) {
    if !problems.contains(problem) { problems.append(problem) }
  }

  private func nextOptions(
    of flat: FlatSchema, _ taken: inout SmallSet<DescribedIdentity>
  ) -> [DescribedValue]? {
    for part in flat.parts {
      for keyword in ["oneOf", "anyOf"] {
        guard let options = part[keyword], options.view.count > 0,
          taken.insert(options.identity)
        else { continue }
        return options.elements
      }
    }
    return nil
  }

  private func firstOption(_ options: [DescribedValue]) -> DescribedValue? {
    options.first { option in
      let flat = FlatSchema([option], in: documents, dialect)
      return flat.types != ["null"] && !flat.isImpossible
        && flat["const"]?.view.isNull != true
        && !(flat["enum"].map { $0.view.count == 1 && $0.elements[0].view.isNull } ?? false)
    } ?? options.first
  }

  // MARK: - Values

  private mutating func value(_ schemas: [DescribedValue], depth: Int) -> JSONValue? {
    value(FlatSchema(schemas, in: documents, dialect), depth: depth)
  }

  private mutating func value(_ written: FlatSchema, depth: Int) -> JSONValue? {
    nodes += 1
    guard nodes <= Self.nodeLimit, bytes <= Self.byteLimit else {
      tell(.cut)
      return nil
    }
    let flat = chosen(written)
    for failure in flat.failures { tell(.reference(failure)) }
    if flat.isCut { tell(.cut) }
    if flat.parts.isEmpty, !flat.failures.isEmpty { return nil }
    if let given = Self.given(flat) {
      count(given)
      return given
    }
    guard let principal = flat.principal else { return plain(flat, depth: depth) }
    guard open.insert(principal) else {
      tell(.cycle)
      return nil
    }
    defer { open.remove(principal) }
    return plain(flat, depth: depth)
  }

  /// The value that the description itself gives.
  static func given(_ flat: FlatSchema) -> JSONValue? {
    let takesNull = flat.types == ["null"]
    func fit(_ value: DescribedValue?) -> JSONValue? {
      guard let value, takesNull || !value.view.isNull else { return nil }
      return value.view.value
    }
    for part in flat.parts {
      if let value = fit(part["example"]) { return value }
      if let examples = part["examples"], examples.view.kind == .array,
        let value = fit(examples.elements.first)
      {
        return value
      }
    }
    return fit(flat["default"]) ?? flat["const"]?.view.value
      ?? flat["enum"]?.elements.lazy.compactMap(fit).first
  }

  private mutating func plain(_ flat: FlatSchema, depth: Int) -> JSONValue? {
    let result: JSONValue
    switch flat.type {
    case "object": return object(flat, depth: depth)
    case "array": return array(flat, depth: depth)
    case "string", "file": result = .string(text(flat))
    case "integer": result = .number(SampleNumber.text(flat, isInteger: true, dialect))
    case "number": result = .number(SampleNumber.text(flat, isInteger: false, dialect))
    case "boolean": result = .bool(true)
    case "null": result = .null
    default: result = .object([])
    }
    count(result)
    return result
  }

  private mutating func count(_ value: JSONValue) {
    switch value {
    case .string(let text): bytes += text.utf8.count + 3
    case .array, .object: bytes += value.bytes.count
    default: bytes += 8
    }
  }

  private mutating func text(_ flat: FlatSchema) -> String {
    let sample = SampleText(flat)
    if sample.isPassword { usesPassword = true }
    if let pattern = sample.unmatched { tell(.pattern(pattern)) }
    return sample.text
  }

  private mutating func object(_ flat: FlatSchema, depth: Int) -> JSONValue {
    var members: [JSONMember] = []
    let listed = flat.required
    var required = SmallSet<String>()
    for name in listed { _ = required.insert(name) }
    let discriminator = discriminated(flat)
    var names = SmallSet<String>()
    for (name, schemas) in flat.properties {
      _ = names.insert(name)
      let isRequired = required.contains(name)
      guard isRequired || (depth < Self.optionalDepth && !isRequiredOnly) else { continue }
      if let discriminator, discriminator.name == name {
        members.append(JSONMember(name, .string(discriminator.value)))
        continue
      }
      let property = FlatSchema(schemas, in: documents, dialect)
      if property.isTrue(isRequest ? "readOnly" : "writeOnly") { continue }
      append(name, property, isRequired, depth, &members)
    }
    for name in listed where !names.contains(name) {
      let value = discriminator?.name == name ? discriminator?.value : nil
      members.append(JSONMember(name, value.map(JSONValue.string) ?? .object([])))
    }
    if let further = flat["additionalProperties"], further.view.count > 0,
      further.view.kind == .object, depth < Self.optionalDepth, !isRequiredOnly,
      !names.contains("key")
    {
      append("key", FlatSchema([further], in: documents, dialect), false, depth, &members)
    }
    return .object(members)
  }

  private mutating func append(
    _ name: String, _ schema: FlatSchema, _ isRequired: Bool, _ depth: Int,
    _ members: inout [JSONMember]
  ) {
    bytes += name.utf8.count + 5
    if let value = value(schema, depth: depth + 1) {
      members.append(JSONMember(name, value))
    } else if isRequired {
      members.append(JSONMember(name, empty(schema)))
    }
  }

  /// What stands where a value must be and none can be made.
  private func empty(_ schema: FlatSchema) -> JSONValue {
    switch chosen(schema).type {
    case "object": .object([])
    case "array": .array([])
    default: .null
    }
  }

  private mutating func array(_ flat: FlatSchema, depth: Int) -> JSONValue {
    let most = flat["maxItems"]?.view.int ?? .max
    let least = flat["minItems"]?.view.int ?? 0
    var elements: [JSONValue] = []
    for schema in flat["prefixItems"]?.elements ?? [] where elements.count < most {
      let schema = FlatSchema([schema], in: documents, dialect)
      elements.append(value(schema, depth: depth + 1) ?? empty(schema))
    }
    let wanted = min(most, max(min(least, Self.elementLimit), elements.isEmpty ? 1 : 0))
    let schemas = flat.items
    while elements.count < wanted {
      if schemas.isEmpty {
        guard elements.count < least else { break }
        elements.append(.object([]))
      } else if let element = value(schemas, depth: depth + 1) {
        elements.append(element)
      } else if elements.count < least {
        elements.append(empty(FlatSchema(schemas, in: documents, dialect)))
      } else {
        break
      }
    }
    return .array(elements)
  }

  // MARK: - Discriminators

  /// The member that tells which of several schemas a value follows, and its value here.
  private func discriminated(_ flat: FlatSchema) -> (name: String, value: String)? {
    for part in flat.parts {
      guard let discriminator = part["discriminator"] else { continue }
      guard let name = discriminator.string("propertyName") ?? discriminator.view.string else {
        continue
      }
      let mapping = discriminator["mapping"]?.members ?? []
      let targets = mapping.map { ($0.name, $0.value.view.string ?? "") }
      for reference in flat.references.reversed() {
        let word = Self.word(of: reference)
        if let hit = targets.first(where: { $0.1 == reference || $0.1 == word }) {
          return (name, hit.0)
        }
      }
      if let first = targets.first { return (name, first.0) }
      return flat.references.last.map { (name, Self.word(of: $0)) }
    }
    return nil
  }

  private static func word(of reference: String) -> String {
    String(reference.split(separator: "/").last ?? "")
  }
}
