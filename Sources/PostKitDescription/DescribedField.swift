// The named parts of a request: parameters, header fields, members of bodies and fields of forms.

package import PostKitJSON

/// A part of a request or of an answer that has a name.
package struct DescribedField: Sendable {
  /// Its name as it is sent.
  package let name: String
  package let isRequired: Bool
  package let isDeprecated: Bool
  /// What its value may be, with all that belongs to it.
  package let schema: FlatSchema
  /// The same as it is written, references not followed.
  package let schemas: [DescribedValue]
  /// Where it stands: the object of a parameter, or the name of a member.
  package let place: DescribedValue
  /// What it is for, in Markdown; empty where nobody says.
  package let explanation: String
  /// Samples that stand beside the schema.
  package let samples: [JSONView]

  /// The values that a person may choose: those that are named one by one, else `true` and `false`,
  /// else samples.
  package var choices: [JSONView] {
    let named = schema.namedValues
    return named.isEmpty ? samples + schema.sampleValues : named
  }

  /// Whether its value is `true` or `false`.
  package var isFlag: Bool { schema.type == "boolean" }
}

extension DescriptionIndex {
  /// The parameters of an operation that are sent in a place; as header fields also those that its
  /// security needs.
  package func fields(_ match: OperationMatch, in location: ParameterLocation) -> [DescribedField] {
    var result = parameters(match).filter { $0.location == location }.map(field)
    guard location == .header || location == .query else { return result }
    var failures: [ReferenceFailure] = []
    for need in description.security(of: operation(match), &failures).joined() {
      guard case .apiKey(let name, location) = need.scheme.kind,
        !result.contains(where: { $0.name.lowercased() == name.lowercased() })
      else { continue }
      result.append(
        DescribedField(
          name: name, isRequired: true, isDeprecated: false, schema: flat([]), schemas: [],
          place: need.scheme.value, explanation: need.scheme.value.string("description") ?? "",
          samples: []))
    }
    return result
  }

  /// The members of the body at a path, or the fields of a form at none; without what only answers
  /// have.
  package func bodyFields(
    _ match: OperationMatch, type: String?, at path: [String] = []
  ) -> [DescribedField] {
    var failures: [ReferenceFailure] = []
    let body = description.body(of: operation(match), &failures)
    if path.isEmpty, let form = body?.media.first(where: { !$0.fields.isEmpty }) {
      return form.fields.map(field)
    }
    guard let root = bodySchema(match, type: type) else { return [] }
    return members(of: root, at: path).filter { !$0.schema.isTrue("readOnly") }
  }

  /// The members of an answer at a path: of the first answer that says that all is well.
  package func responseFields(_ match: OperationMatch, at path: [String]) -> [DescribedField] {
    guard let root = wellSchema(match) else { return [] }
    return members(of: root, at: path).filter { !$0.schema.isTrue("writeOnly") }
  }

  /// What the values at a path of the body may be; `nil` where nothing is described.
  package func bodyValue(
    _ match: OperationMatch, type: String?, at path: [String]
  ) -> FlatSchema? {
    bodySchema(match, type: type).flatMap { schema($0, at: Self.steps(path)) }
  }

  /// The schema of the first answer whose status is 2xx, else of `default`.
  package func wellSchema(_ match: OperationMatch) -> DescribedValue? {
    var failures: [ReferenceFailure] = []
    let responses = description.responses(of: operation(match), &failures)
    let well = responses.first { $0.status.hasPrefix("2") && !$0.media.isEmpty }
    guard let media = (well ?? responses.first { $0.status == "default" })?.media else {
      return nil
    }
    return (media.first { $0.type.contains("json") } ?? media.first)?.schema
  }

  /// The media types that an operation takes, and those that it answers in.
  package func mediaTypes(_ match: OperationMatch) -> (taken: [String], answered: [String]) {
    var failures: [ReferenceFailure] = []
    let taken = description.body(of: operation(match), &failures)?.media.map(\.type) ?? []
    var answered: [String] = []
    for response in description.responses(of: operation(match), &failures) {
      for media in response.media where !answered.contains(media.type) {
        answered.append(media.type)
      }
    }
    return (taken, answered)
  }

  /// The schemes with which an operation is called, each once.
  package func schemes(_ match: OperationMatch) -> [APISecurityScheme] {
    var failures: [ReferenceFailure] = []
    var seen: Set<String> = []
    return description.security(of: operation(match), &failures).joined().map(\.scheme)
      .filter { seen.insert($0.name).inserted }
  }

  /// Where an operation is named in its path, such as `get:`; its object where it isn't.
  package func place(of match: OperationMatch) -> DescribedValue {
    let operation = operation(match)
    let name = operation.method.lowercased()
    for (key, value) in operation.item.view.members
    where value.range == operation.value.view.range && key.string?.lowercased() == name {
      return DescribedValue(key, document: operation.item.document)
    }
    return operation.value
  }

  /// Where the operation with an id is named.
  package func place(ofOperation id: String) -> DescribedValue? {
    operations.firstIndex { $0.id == id }.map(place(ofOperationAt:))
  }

  /// Where one of `operations` is named.
  package func place(ofOperationAt operation: Int) -> DescribedValue {
    place(of: OperationMatch(operation: operation, pathParameters: [], isExact: true))
  }

  private func field(_ parameter: APIParameter) -> DescribedField {
    var samples = [parameter.value, parameter.media].compactMap { $0?["example"]?.view }
    for holder in [parameter.value, parameter.media] {
      for (_, example) in holder?["examples"]?.members ?? [] {
        if let value = example["value"] { samples.append(value.view) }
      }
    }
    let schemas = parameter.schema.map { [$0] } ?? []
    let schema = flat(schemas)
    let own = parameter.description
    return DescribedField(
      name: parameter.name, isRequired: parameter.isRequired,
      isDeprecated: parameter.isDeprecated, schema: schema, schemas: schemas,
      place: parameter.value,
      explanation: own.isEmpty ? schema.explanation : own, samples: samples)
  }

  private func members(of root: DescribedValue, at path: [String]) -> [DescribedField] {
    guard let object = schema(root, at: Self.steps(path)) else { return [] }
    let required = Set(object.required)
    var places: [String: DescribedValue] = [:]
    for part in object.parts {
      for (key, _) in part["properties"]?.view.members ?? [] {
        guard let name = key.string, places[name] == nil else { continue }
        places[name] = DescribedValue(key, document: part.document)
      }
    }
    return object.properties.compactMap { name, schemas in
      guard let place = places[name] else { return nil }
      let schema = flat(schemas)
      return DescribedField(
        name: name, isRequired: required.contains(name), isDeprecated: schema.isTrue("deprecated"),
        schema: schema, schemas: schemas, place: place, explanation: schema.explanation,
        samples: [])
    }
  }

  /// Schemas that hold at once, as one.
  package func flat(_ schemas: [DescribedValue]) -> FlatSchema {
    FlatSchema(schemas, in: description.documents, description.version.schemaDialect)
  }

  /// The words for what a field may be.
  package func words(_ schema: FlatSchema) -> String {
    schema.words(description.documents, description.version.schemaDialect)
  }

  /// A path of a body as somebody writes it, in which `*` is any element of a list.
  private static func steps(_ path: [String]) -> [String] { path.map { $0 == "*" ? "0" : $0 } }
}
