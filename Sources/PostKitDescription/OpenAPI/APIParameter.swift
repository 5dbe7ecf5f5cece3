// What an operation takes beside its body.

import PostKitJSON

/// Where a parameter is sent.
package enum ParameterLocation: String, Sendable, Hashable {
  case path, query, header, cookie
  /// The body of Swagger 2.0.
  case body
  /// A field of a form of Swagger 2.0.
  case formData
}

/// A parameter of an operation.
package struct APIParameter: Sendable {
  package let name: String
  package let location: ParameterLocation
  package let isRequired: Bool
  /// How lists and objects are written.
  package let style: ParameterStyle
  /// Whether each element of a list, or member of an object, is written by itself.
  package let isExploded: Bool
  /// Whether signs that mean something in URLs are written as they are.
  package let allowsReserved: Bool
  /// The parameter's object.
  package let value: DescribedValue
  /// What its value may be; of Swagger 2.0 the parameter itself.
  package let schema: DescribedValue?
  /// The media type in which the value is written, where the description says `content`.
  package let mediaType: String?
  /// The object of that media type.
  package let media: DescribedValue?

  /// What it is for, in Markdown.
  package var description: String { value.string("description") ?? "" }

  /// Whether it is on its way out.
  package var isDeprecated: Bool { value.isTrue("deprecated") }

  /// Reads a parameter that is no reference; `nil` without a name or a place that is known.
  init?(_ value: DescribedValue, _ version: APIVersion) {
    guard let name = value.string("name"),
      let location = value.string("in").flatMap(ParameterLocation.init)
    else { return nil }
    self.init(value, name: name, location, version)
  }

  /// Reads what a parameter and a header have in common.
  init(
    _ value: DescribedValue, name: String, _ location: ParameterLocation, _ version: APIVersion
  ) {
    self.value = value
    self.name = name
    self.location = location
    isRequired = location == .path || value.isTrue("required")
    allowsReserved = value.isTrue("allowReserved")
    if version == .swagger2 {
      (style, isExploded) = ParameterStyle.ofCollection(
        value.string("collectionFormat"), in: location)
      schema = location == .body ? value["schema"] : value
      mediaType = nil
      media = nil
    } else {
      let style =
        value.string("style").flatMap(ParameterStyle.init) ?? ParameterStyle.standard(in: location)
      self.style = style
      isExploded = value.view["explode"]?.bool ?? (style == .form)
      let content = value["content"]?.members.first
      mediaType = content?.name
      media = content?.value
      schema = content.map { $0.value["schema"] } ?? value["schema"]
    }
  }
}

extension APIDescription {
  /// A member of `headers` as the parameter that it is.
  package func header(
    _ name: String, _ value: DescribedValue, _ failures: inout [ReferenceFailure]
  ) -> APIParameter? {
    resolved(value, &failures).map { APIParameter($0, name: name, .header, version) }
  }

  /// The parameters of an operation: those of its path first; an equal one of the operation takes
  /// the place of the path's. References that lead to nothing are added to `failures`.
  package func parameters(
    of operation: APIOperation, _ failures: inout [ReferenceFailure]
  ) -> [APIParameter] {
    var result: [APIParameter] = []
    let shared = operation.item["parameters"]?.elements ?? []
    for value in shared + (operation.value["parameters"]?.elements ?? []) {
      guard let value = resolved(value, &failures), let parameter = APIParameter(value, version)
      else { continue }
      let place = result.firstIndex {
        $0.name.utf8.elementsEqual(parameter.name.utf8) && $0.location == parameter.location
      }
      if let place {
        result[place] = parameter
      } else {
        result.append(parameter)
      }
    }
    return result
  }
}
