// Reads schemas as rules, each once, when a value first asks for it.

import PostKitJSON

/// For which way a value goes: members that only come back, or are only sent, need not be there.
package enum SchemaDirection: Sendable, Hashable {
  case any, request, response
}

/// The rules of a description's schemas.
struct SchemaRules {
  let documents: DescriptionDocuments
  let dialect: SchemaDialect
  let direction: SchemaDirection
  private(set) var rules: [SchemaRule] = []
  private var numbers: [DescribedIdentity: SchemaRule.Number] = [:]
  /// What was found in schemas and is not checked: keywords, patterns, references.
  private(set) var unchecked: Set<String> = []

  init(
    _ documents: DescriptionDocuments, _ dialect: SchemaDialect, _ direction: SchemaDirection
  ) {
    self.documents = documents
    self.dialect = dialect
    self.direction = direction
  }

  /// Keywords that would change what fits and are not checked.
  private static let unknown = ["unevaluatedProperties", "unevaluatedItems", "$dynamicRef"]

  /// The number of a schema. Schemas that hold themselves come to an end, because a schema has its
  /// number before it is read.
  mutating func number(of schema: DescribedValue) -> SchemaRule.Number {
    let identity = schema.identity
    if let known = numbers[identity] { return known }
    let number = rules.count
    numbers[identity] = number
    let rule = SchemaRule()
    rules.append(rule)
    read(schema, rule)
    return number
  }

  private mutating func read(_ schema: DescribedValue, _ rule: SchemaRule) {
    guard schema.view.kind == .object else {
      rule.isImpossible = schema.view.bool == false
      return
    }
    if let reference = schema.string("$ref") {
      do throws(ReferenceFailure) {
        let target = try documents.target(of: reference, in: schema.document)
        rule.reference = number(of: target)
      } catch {
        unchecked.insert("$ref \(error.reference)")
      }
      if dialect == .draft4 { return }
    }
    for keyword in Self.unknown where schema[keyword] != nil { unchecked.insert(keyword) }
    readValues(schema, rule)
    readBranches(schema, rule)
    readNumbers(schema, rule)
    readItems(schema, rule)
    readMembers(schema, rule)
  }

  private mutating func numbers(of list: DescribedValue?) -> [SchemaRule.Number]? {
    guard let list, list.view.kind == .array else { return nil }
    return list.elements.map { number(of: $0) }
  }

  private mutating func optional(_ schema: DescribedValue?) -> SchemaRule.Number? {
    schema.map { number(of: $0) }
  }

  private func readValues(_ schema: DescribedValue, _ rule: SchemaRule) {
    if let type = schema.view["type"] {
      var types: SchemaTypes = []
      for word in type.string.map({ [$0] }) ?? type.elements.compactMap(\.string) {
        if word == "any" || word == "file" { types = SchemaTypes(rawValue: .max) }
        for known in SchemaTypes.words where known.word == word { types.insert(known.type) }
      }
      if !types.isEmpty { rule.types = types }
    }
    rule.isNullable = dialect == .draft4 && schema.isTrue("nullable")
    if let values = schema["enum"], values.view.kind == .array {
      rule.values = values.view.elements.map(\.value)
    }
    if let constant = schema.view["const"], dialect == .current {
      rule.values = (rule.values ?? [constant.value]).filter { $0.isEquivalent(to: constant.value) }
    }
  }

  private mutating func readBranches(_ schema: DescribedValue, _ rule: SchemaRule) {
    rule.all = numbers(of: schema["allOf"]) ?? []
    rule.any = numbers(of: schema["anyOf"])
    rule.one = numbers(of: schema["oneOf"])
    rule.not = optional(schema["not"])
    guard dialect == .current, let condition = schema["if"] else { return }
    rule.condition = number(of: condition)
    rule.then = optional(schema["then"])
    rule.otherwise = optional(schema["else"])
  }

  private mutating func readNumbers(_ schema: DescribedValue, _ rule: SchemaRule) {
    rule.minimum = Self.bound(schema, "minimum", "exclusiveMinimum", dialect)
    rule.maximum = Self.bound(schema, "maximum", "exclusiveMaximum", dialect)
    rule.multipleOf = schema.view["multipleOf"]?.numberText
    rule.minLength = schema.view["minLength"]?.int
    rule.maxLength = schema.view["maxLength"]?.int
    rule.pattern = schema.string("pattern").map { pattern($0) }
  }

  private mutating func pattern(_ text: String) -> SchemaPattern {
    let pattern = SchemaPattern(text)
    if pattern.compiled == nil { unchecked.insert("pattern \(text)") }
    return pattern
  }

  /// The stricter of both bounds where 2020-12 has two.
  private static func bound(
    _ schema: DescribedValue, _ inclusive: String, _ exclusive: String, _ dialect: SchemaDialect
  ) -> SchemaBound? {
    let plain = schema.view[inclusive]?.numberText
    guard dialect == .current else {
      return plain.map { SchemaBound(digits: $0, isExclusive: schema.isTrue(exclusive)) }
    }
    let strict = schema.view[exclusive]?.numberText
    guard let plain, let strict else {
      return strict.map { SchemaBound(digits: $0, isExclusive: true) }
        ?? plain.map { SchemaBound(digits: $0, isExclusive: false) }
    }
    let isLess = JSONValue.number(plain).isLess(than: .number(strict)) == true
    let isPlainStricter =
      inclusive == "minimum"
      ? JSONValue.number(strict).isLess(than: .number(plain)) == true : isLess
    return SchemaBound(digits: isPlainStricter ? plain : strict, isExclusive: !isPlainStricter)
  }

  private mutating func readItems(_ schema: DescribedValue, _ rule: SchemaRule) {
    rule.minItems = schema.view["minItems"]?.int
    rule.maxItems = schema.view["maxItems"]?.int
    rule.isUnique = schema.isTrue("uniqueItems")
    if dialect == .current {
      rule.prefixItems = numbers(of: schema["prefixItems"]) ?? []
      rule.items = optional(schema["items"])
      rule.contains = optional(schema["contains"])
      rule.minContains = schema.view["minContains"]?.int ?? 1
      rule.maxContains = schema.view["maxContains"]?.int
    } else if let first = numbers(of: schema["items"]) {
      rule.prefixItems = first
      rule.items = optional(schema["additionalItems"])
    } else {
      rule.items = optional(schema["items"])
    }
  }

  private mutating func readMembers(_ schema: DescribedValue, _ rule: SchemaRule) {
    rule.minProperties = schema.view["minProperties"]?.int
    rule.maxProperties = schema.view["maxProperties"]?.int
    var absent: Set<String> = []
    for (name, property) in schema["properties"]?.members ?? [] {
      rule.properties[name] = number(of: property)
      if isAbsent(property) { absent.insert(name) }
    }
    for (text, property) in schema["patternProperties"]?.members ?? [] {
      rule.patternProperties.append((pattern(text), number(of: property)))
    }
    if let further = schema["additionalProperties"] {
      rule.isClosed = further.view.bool == false
      rule.additionalProperties = further.view.kind == .object ? number(of: further) : nil
    }
    rule.required =
      schema["required"]?.elements.compactMap(\.view.string).filter { !absent.contains($0) } ?? []
    if dialect == .current {
      rule.propertyNames = optional(schema["propertyNames"])
      for (name, others) in schema["dependentRequired"]?.members ?? [] {
        rule.dependentRequired.append((name, others.elements.compactMap(\.view.string)))
      }
    }
    let dependent = dialect == .current ? "dependentSchemas" : "dependencies"
    for (name, value) in schema[dependent]?.members ?? [] {
      if value.view.kind == .array {
        rule.dependentRequired.append((name, value.elements.compactMap(\.view.string)))
      } else {
        rule.dependentSchemas.append((name, number(of: value)))
      }
    }
  }

  /// Whether a member need not be there on the way that the value goes.
  private func isAbsent(_ property: DescribedValue) -> Bool {
    guard direction != .any else { return false }
    let word = direction == .request ? "readOnly" : "writeOnly"
    return FlatSchema([property], in: documents, dialect).isTrue(word)
  }
}
