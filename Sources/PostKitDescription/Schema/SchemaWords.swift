// A schema in a few words, as people read it behind a name.

package import PostKitJSON

extension FlatSchema {
  /// What a value may be in one line: `integer ≥ 1`, `"a" | "b"`, `array of User`; empty where
  /// nothing is said.
  package func words(_ documents: DescriptionDocuments, _ dialect: SchemaDialect) -> String {
    words(documents, dialect, depth: 0)
  }

  /// The values that are named one by one: of `enum`, or the one of `const`.
  package var namedValues: [JSONView] {
    if let only = self["const"] { return [only.view] }
    return self["enum"]?.elements.map(\.view) ?? []
  }

  /// Values that the description gives as samples: `default`, `example`, `examples`.
  package var sampleValues: [JSONView] {
    var result = ["default", "example"].compactMap { self[$0]?.view }
    if let more = self["examples"] { result += more.view.elements }
    return result
  }

  /// The description of the value, in Markdown.
  package var explanation: String {
    for part in parts {
      if let text = part.string("description") ?? part.string("title"), !text.isEmpty {
        return text
      }
    }
    return ""
  }

  private func words(
    _ documents: DescriptionDocuments, _ dialect: SchemaDialect, depth: Int
  ) -> String {
    let named = namedValues
    if !named.isEmpty {
      let shown = named.prefix(Self.shownValues).map(Self.text)
      return (shown + (named.count > shown.count ? ["…"] : [])).joined(separator: " | ")
    }
    let all = types
    let types = all.filter { $0 != "null" }
    var text = types.joined(separator: " | ")
    if types == ["array"] || types.isEmpty && !items.isEmpty {
      let inner =
        depth < 3
        ? FlatSchema(items, in: documents, dialect).words(documents, dialect, depth: depth + 1) : ""
      text = inner.isEmpty ? "array" : "array of \(inner)"
    } else if let name = referencedName, types == ["object"] || types.isEmpty {
      text = name
    } else if let format = self["format"]?.view.string {
      text += text.isEmpty ? format : " (\(format))"
    }
    if types == ["integer"] || types == ["number"] { text += bounds("minimum", "maximum") }
    if types == ["string"] { text += bounds("minLength", "maxLength", unit: " characters") }
    if all.contains("null") || isTrue("nullable") { text += text.isEmpty ? "null" : " | null" }
    return text
  }

  private func bounds(_ low: String, _ high: String, unit: String = "") -> String {
    let low = self[low]?.view.numberText
    let high = self[high]?.view.numberText
    switch (low, high) {
    case (let low?, let high?): return " \(low)…\(high)\(unit)"
    case (let low?, nil): return " ≥ \(low)\(unit)"
    case (nil, let high?): return " ≤ \(high)\(unit)"
    case (nil, nil): return ""
    }
  }

  private static func text(_ value: JSONView) -> String {
    String(decoding: value.source.prefix(60), as: UTF8.self)
  }

  /// How many values are named.
  private static let shownValues = 8
}
