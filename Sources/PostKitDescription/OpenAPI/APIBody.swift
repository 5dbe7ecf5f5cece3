// What an operation is sent, and what it answers.

import PostKitJSON

/// A body in one of the forms that an operation takes or answers.
package struct APIMedia: Sendable {
  /// The media type as the description writes it, such as `application/json`.
  package let type: String
  /// What the body may be.
  package let schema: DescribedValue?
  /// The object of the media type; `nil` of Swagger 2.0.
  package let value: DescribedValue?
  /// The fields of a form of Swagger 2.0.
  package var fields: [APIParameter] = []
}

/// The body of a request.
package struct APIBody: Sendable {
  package let isRequired: Bool
  package let description: String
  /// The forms that it may have, in the order of the description.
  package let media: [APIMedia]
  /// The body's object.
  package let value: DescribedValue?
}

/// An answer that an operation may give.
package struct APIResponse: Sendable {
  /// `200`, `2XX` or `default`.
  package let status: String
  /// The response's object.
  package let value: DescribedValue
  /// The forms that its body may have.
  package let media: [APIMedia]
}

extension APIDescription {
  /// The body of an operation's request; `nil` where it takes none.
  package func body(
    of operation: APIOperation, _ failures: inout [ReferenceFailure]
  ) -> APIBody? {
    if version == .swagger2 {
      return swaggerBody(of: operation, parameters(of: operation, &failures))
    }
    guard let value = resolved(operation.value["requestBody"], &failures),
      value.view.kind == .object
    else { return nil }
    return APIBody(
      isRequired: value.isTrue("required"), description: value.string("description") ?? "",
      media: media(of: value), value: value)
  }

  /// The answers of an operation in the order of the description.
  package func responses(
    of operation: APIOperation, _ failures: inout [ReferenceFailure]
  ) -> [APIResponse] {
    var result: [APIResponse] = []
    for (status, value) in operation.value["responses"]?.members ?? []
    where !status.hasPrefix("x-") {
      guard let value = resolved(value, &failures) else { continue }
      result.append(
        APIResponse(
          status: status, value: value,
          media: version == .swagger2 ? swaggerMedia(of: value, operation) : media(of: value)))
    }
    return result
  }

  private func media(of value: DescribedValue) -> [APIMedia] {
    (value["content"]?.members ?? []).map {
      APIMedia(type: $0.name, schema: $0.value["schema"], value: $0.value)
    }
  }

  // MARK: - Swagger 2.0

  private func swaggerBody(
    of operation: APIOperation, _ parameters: [APIParameter]
  ) -> APIBody? {
    let types = types("consumes", of: operation)
    if let body = parameters.first(where: { $0.location == .body }) {
      return APIBody(
        isRequired: body.isRequired, description: body.description,
        media: (types.isEmpty ? ["application/json"] : types).map {
          APIMedia(type: $0, schema: body.schema, value: nil)
        }, value: body.value)
    }
    let fields = parameters.filter { $0.location == .formData }
    guard !fields.isEmpty else { return nil }
    let hasFile = fields.contains { $0.value.string("type") == "file" }
    let multipart = "multipart/form-data"
    let form = "application/x-www-form-urlencoded"
    let type = hasFile ? multipart : types.first { $0 == form || $0 == multipart } ?? form
    return APIBody(
      isRequired: fields.contains(where: \.isRequired), description: "",
      media: [APIMedia(type: type, schema: nil, value: nil, fields: fields)], value: nil)
  }

  private func swaggerMedia(of value: DescribedValue, _ operation: APIOperation) -> [APIMedia] {
    guard value["schema"] != nil || value["examples"] != nil else { return [] }
    var types = types("produces", of: operation)
    for example in value["examples"]?.members ?? [] where !types.contains(example.name) {
      types.append(example.name)
    }
    return (types.isEmpty ? ["application/json"] : types).map {
      APIMedia(type: $0, schema: value["schema"], value: nil)
    }
  }

  private func types(_ name: String, of operation: APIOperation) -> [String] {
    (operation.value[name] ?? root[name])?.elements.compactMap(\.view.string) ?? []
  }
}
