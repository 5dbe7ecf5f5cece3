// Samples as XML, by the `xml` objects of their schemas (OpenAPI 3.1, 4.8.26).

package import PostKitJSON

/// Writes samples as XML.
package struct SampleXML {
  private let sampler: SchemaSampler
  private static let depthLimit = 64

  /// Makes a writer for the samples of a sampler.
  package init(_ sampler: SchemaSampler) { self.sampler = sampler }

  /// The document that a sample of a schema is, indented by two blanks.
  package func text(_ value: JSONValue, _ schema: DescribedValue) -> String {
    let flat = sampler.chosen([schema])
    let name = flat["xml"]?.string("name") ?? flat.referencedName ?? "root"
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    element(name, value, [schema], 0, &lines)
    return lines.joined(separator: "\n")
  }

  private func element(
    _ name: String, _ value: JSONValue, _ schemas: [DescribedValue], _ depth: Int,
    _ lines: inout [String]
  ) {
    guard depth < Self.depthLimit else { return }
    let flat = sampler.chosen(schemas)
    let tag = Self.qualified(name, flat["xml"])
    let indent = String(repeating: "  ", count: depth)
    switch value {
    case .object(let members):
      let properties = Dictionary(flat.properties.map { ($0.name, $0.schemas) }) { first, _ in first
      }
      var attributes = Self.namespace(flat["xml"])
      var inner: [String] = []
      for member in members {
        let schemas = properties[member.key] ?? []
        let property = sampler.chosen(schemas)
        let name = property["xml"]?.string("name") ?? member.key
        if property["xml"]?.isTrue("attribute") == true {
          let name = Self.qualified(name, property["xml"])
          attributes += " \(name)=\"\(Self.escaped(ParameterWriter.plain(member.value)))\""
        } else if case .array(let elements) = member.value {
          list(name, elements, property, depth + 1, &inner)
        } else {
          element(name, member.value, schemas, depth + 1, &inner)
        }
      }
      if inner.isEmpty {
        lines.append("\(indent)<\(tag)\(attributes)/>")
      } else {
        lines += ["\(indent)<\(tag)\(attributes)>"] + inner + ["\(indent)</\(tag)>"]
      }
    case .array(let elements):
      lines.append("\(indent)<\(tag)\(Self.namespace(flat["xml"]))>")
      let items = flat.items
      let name = sampler.chosen(items)["xml"]?.string("name") ?? "item"
      for each in elements { element(name, each, items, depth + 1, &lines) }
      lines.append("\(indent)</\(tag)>")
    default:
      let text = Self.escaped(ParameterWriter.plain(value))
      lines.append("\(indent)<\(tag)\(Self.namespace(flat["xml"]))>\(text)</\(tag)>")
    }
  }

  /// A list that is a member: its elements one after the other, in an element of their own where
  /// the schema says `wrapped`.
  private func list(
    _ name: String, _ elements: [JSONValue], _ flat: FlatSchema, _ depth: Int,
    _ lines: inout [String]
  ) {
    let items = flat.items
    let isWrapped = flat["xml"]?.isTrue("wrapped") == true
    let element = sampler.chosen(items)["xml"]?.string("name") ?? name
    let indent = String(repeating: "  ", count: depth)
    let tag = Self.qualified(name, flat["xml"])
    if isWrapped { lines.append("\(indent)<\(tag)\(Self.namespace(flat["xml"]))>") }
    for each in elements {
      self.element(element, each, items, isWrapped ? depth + 1 : depth, &lines)
    }
    if isWrapped { lines.append("\(indent)</\(tag)>") }
  }

  private static func qualified(_ name: String, _ xml: DescribedValue?) -> String {
    xml?.string("prefix").flatMap { $0.isEmpty ? nil : "\($0):\(name)" } ?? name
  }

  private static func namespace(_ xml: DescribedValue?) -> String {
    guard let uri = xml?.string("namespace") else { return "" }
    let prefix = xml?.string("prefix").flatMap { $0.isEmpty ? nil : ":\($0)" } ?? ""
    return " xmlns\(prefix)=\"\(escaped(uri))\""
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
