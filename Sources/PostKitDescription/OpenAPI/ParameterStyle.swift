// How values are written into paths, queries, heads and cookies (OpenAPI 3.1, 4.8.12).

package import PostKitJSON

/// A way to write lists and objects.
package enum ParameterStyle: String, Sendable, Hashable {
  case simple, label, matrix, form, spaceDelimited, pipeDelimited, deepObject
  /// Of Swagger 2.0 alone.
  case tabDelimited

  /// The style of a place where a description says none.
  static func standard(in location: ParameterLocation) -> ParameterStyle {
    location == .path || location == .header ? .simple : .form
  }

  /// The style that a `collectionFormat` of Swagger 2.0 is, and whether it is exploded.
  static func ofCollection(
    _ format: String?, in location: ParameterLocation
  ) -> (ParameterStyle, isExploded: Bool) {
    switch format {
    case "ssv": (.spaceDelimited, false)
    case "tsv": (.tabDelimited, false)
    case "pipes": (.pipeDelimited, false)
    case "multi": (.form, true)
    default: (standard(in: location), false)
    }
  }
}

/// Writes a parameter's value.
package struct ParameterWriter {
  private let name: String
  private let style: ParameterStyle
  private let isExploded: Bool
  /// Encodes names and values, not the signs between them.
  private let encode: (String) -> String
  /// What stands between the elements of a list that is one value.
  private let separator: String
  /// Whether the value is written in a media type, whatever the style (OpenAPI 3.1, 4.8.12).
  private var isContent = false

  /// Makes a writer for a parameter; see the other one.
  package init(
    _ parameter: APIParameter, isForURL: Bool = true, encode: @escaping (String) -> String
  ) {
    self.init(
      name: parameter.name, style: parameter.style, isExploded: parameter.isExploded,
      isForURL: isForURL, encode: encode)
    isContent = parameter.mediaType != nil
  }

  /// Makes a writer. What is not for a URL has blanks and tabs as they are.
  package init(
    name: String, style: ParameterStyle, isExploded: Bool, isForURL: Bool = true,
    encode: @escaping (String) -> String
  ) {
    self.name = name
    self.style = style
    self.isExploded = isExploded
    self.encode = encode
    separator =
      switch style {
      case .spaceDelimited: isForURL ? "%20" : " "
      case .tabDelimited: isForURL ? "%09" : "\t"
      case .pipeDelimited: "|"
      default: ","
      }
  }

  /// The text that stands for a value in a path or a head.
  package func text(_ value: JSONValue) -> String {
    if isContent { return encode(value.text) }
    switch style {
    case .label: return "." + joined(value, by: isExploded ? "." : ",")
    case .matrix: return matrix(value)
    default: return joined(value, by: separator)
    }
  }

  /// The pairs that a value makes in a query, a form or a cookie, encoded.
  package func pairs(_ value: JSONValue) -> [(name: String, value: String)] {
    let key = encode(name)
    if isContent { return [(key, encode(value.text))] }
    switch value {
    case .object(let members) where style == .deepObject:
      return members.flatMap { deep("\(key)[\(encode($0.key))]", $0.value) }
    case .object(let members) where isExploded:
      return members.map { (encode($0.key), encode(Self.plain($0.value))) }
    case .array(let elements) where !elements.isEmpty && (isExploded || style == .deepObject):
      return elements.map { (key, encode(Self.plain($0))) }
    case .object(let members):
      return [(key, Self.flat(members).map(encode).joined(separator: separator))]
    case .array(let elements):
      let texts = elements.map { encode(Self.plain($0)) }
      return [(key, texts.joined(separator: separator))]
    default: return [(key, encode(Self.plain(value)))]
    }
  }

  /// The text of a value that stands alone: of a string its text, else its JSON; nothing for
  /// `null`.
  package static func plain(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .null: ""
    default: value.text
    }
  }

  private func deep(_ key: String, _ value: JSONValue) -> [(name: String, value: String)] {
    switch value {
    case .object(let members):
      return members.flatMap { deep("\(key)[\(encode($0.key))]", $0.value) }
    case .array(let elements): return elements.map { (key, encode(Self.plain($0))) }
    default: return [(key, encode(Self.plain(value)))]
    }
  }

  private func joined(_ value: JSONValue, by separator: String) -> String {
    switch value {
    case .array(let elements):
      elements.map { encode(Self.plain($0)) }.joined(separator: separator)
    case .object(let members) where isExploded:
      members.map { "\(encode($0.key))=\(encode(Self.plain($0.value)))" }
        .joined(separator: separator)
    case .object(let members): Self.flat(members).map(encode).joined(separator: separator)
    default: encode(Self.plain(value))
    }
  }

  private func matrix(_ value: JSONValue) -> String {
    let key = encode(name)
    switch value {
    case .array(let elements) where isExploded:
      return elements.map { ";\(key)=\(encode(Self.plain($0)))" }.joined()
    case .object(let members) where isExploded:
      return members.map { ";\(encode($0.key))=\(encode(Self.plain($0.value)))" }.joined()
    default: return ";\(key)=\(joined(value, by: ","))"
    }
  }

  private static func flat(_ members: [JSONMember]) -> [String] {
    members.flatMap { [$0.key, plain($0.value)] }
  }
}
