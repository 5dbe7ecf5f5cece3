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
  /// The names that rules mention; those of one rule by length, then by bytes.
  private(set) var names: [SchemaName] = []
  /// The bytes of the names.
  private(set) var texts: [UInt8] = []
  private var numbers: [DescribedIdentity: SchemaRule.Number] = [:]
  /// Schemas that have a number and are not read yet.
  private var pending: [(schema: DescribedValue, number: SchemaRule.Number)] = []
  /// What was found in schemas and is not checked: keywords, patterns, references.
  private(set) var unchecked: Set<String> = []
  /// References that lead to nothing.
  private(set) var failures: [ReferenceFailure] = []

  init(
    _ documents: DescriptionDocuments, _ dialect: SchemaDialect, _ direction: SchemaDirection
  ) {
    self.documents = documents
    self.dialect = dialect
    self.direction = direction
  }

  /// Keywords that would change what fits and are not checked.
  private static let unknown = ["unevaluatedProperties", "unevaluatedItems", "$dynamicRef"]

  /// The number of a schema, with everything read that it leads to: one after the other, because a
  /// chain of references may be longer than a stack is deep.
  mutating func compile(_ schema: DescribedValue) -> SchemaRule.Number {
    let number = number(of: schema)
    while let next = pending.popLast() {
      var rule = SchemaRule()
      read(next.schema, &rule)
      rules[next.number] = rule
    }
    return number
  }

  /// The number of a schema. Schemas that hold themselves come to an end, because a schema has its
  /// number before it is read.
  private mutating func number(of schema: DescribedValue) -> SchemaRule.Number {
    let identity = schema.identity
    if let known = numbers[identity] { return known }
    let number = rules.count
    numbers[identity] = number
    rules.append(SchemaRule())
    pending.append((schema, number))
    return number
  }

  private mutating func read(_ schema: DescribedValue, _ rule: inout SchemaRule) {
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
        rule.failure = failures.count
        failures.append(error)
      }
      if dialect == .draft4 { return }
    }
    for keyword in Self.unknown where schema[keyword] != nil { unchecked.insert(keyword) }
    readValues(schema, &rule)
    readBranches(schema, &rule)
    readNumbers(schema, &rule)
    readItems(schema, &rule)
    readMembers(schema, &rule)
  }

  private mutating func numbers(of list: DescribedValue?) -> [SchemaRule.Number]? {
    guard let list, list.view.kind == .array else { return nil }
    return list.elements.map { number(of: $0) }
  }

  private mutating func optional(_ schema: DescribedValue?) -> SchemaRule.Number? {
    schema.map { number(of: $0) }
  }

  private mutating func readValues(_ schema: DescribedValue, _ rule: inout SchemaRule) {
    if let type = schema.view["type"] {
      var types: SchemaTypes = []
      for word in type.string.map({ [$0] }) ?? type.elements.compactMap(\.string) {
        if word == "any" || word == "file" { types = .all }
        for known in SchemaTypes.words where known.word == word { types.insert(known.type) }
      }
      if !types.isEmpty { rule.types = types }
    }
    // The second word is what people wrote before there was the first.
    rule.isNullable =
      dialect == .draft4 && (schema.isTrue("nullable") || schema.isTrue("x-nullable"))
    if let values = schema["enum"], values.view.kind == .array {
      rule.values = values.view.elements.map(\.value)
    }
    if let constant = schema.view["const"], dialect == .current {
      rule.values = (rule.values ?? [constant.value]).filter { $0.isEquivalent(to: constant.value) }
    }
    var texts = MentionedNames()
    for case .string(let text) in rule.values ?? [] { _ = texts.index(of: text) }
    rule.texts = keep(texts)
  }

  private mutating func readBranches(_ schema: DescribedValue, _ rule: inout SchemaRule) {
    rule.all = numbers(of: schema["allOf"]) ?? []
    rule.any = numbers(of: schema["anyOf"])
    rule.one = numbers(of: schema["oneOf"])
    rule.not = optional(schema["not"])
    if dialect == .current, let condition = schema["if"] {
      rule.condition = number(of: condition)
      rule.then = optional(schema["then"])
      rule.otherwise = optional(schema["else"])
    }
    rule.hasBranches =
      !rule.all.isEmpty || rule.any != nil || rule.one != nil || rule.not != nil
      || rule.condition != nil
  }

  private mutating func readNumbers(_ schema: DescribedValue, _ rule: inout SchemaRule) {
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

  private mutating func readItems(_ schema: DescribedValue, _ rule: inout SchemaRule) {
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

  private mutating func readMembers(_ schema: DescribedValue, _ rule: inout SchemaRule) {
    rule.minProperties = schema.view["minProperties"]?.int
    rule.maxProperties = schema.view["maxProperties"]?.int
    var own = MentionedNames()
    for (name, property) in schema["properties"]?.members ?? [] {
      let at = own.index(of: name)
      own.names[at].property = number(of: property)
      own.names[at].isForOtherWay = isForOtherWay(property)
    }
    for (text, property) in schema["patternProperties"]?.members ?? [] {
      rule.patternProperties.append((pattern(text), number(of: property)))
    }
    if let further = schema["additionalProperties"] {
      rule.isClosed = further.view.bool == false
      rule.isOpen = !rule.isClosed
      rule.additionalProperties = further.view.kind == .object ? number(of: further) : nil
    }
    rule.describesMembers =
      !own.names.isEmpty || !rule.patternProperties.isEmpty
      || rule.additionalProperties != nil || rule.isClosed
    for name in schema["required"]?.elements.compactMap(\.view.string) ?? []
    where !own.names[own.index(of: name)].isForOtherWay {
      rule.required.append(own.watch(name))
    }
    if dialect == .current {
      rule.propertyNames = optional(schema["propertyNames"])
      for (name, others) in schema["dependentRequired"]?.members ?? [] {
        readDependent(name, others, &own, &rule)
      }
    }
    let dependent = dialect == .current ? "dependentSchemas" : "dependencies"
    for (name, value) in schema[dependent]?.members ?? [] {
      if value.view.kind == .array {
        readDependent(name, value, &own, &rule)
      } else {
        rule.dependentSchemas.append((own.watch(name).place, number(of: value)))
      }
    }
    rule.watched = own.watched
    rule.looksAtMembers =
      !own.names.isEmpty || rule.describesMembers || rule.isOpen || rule.propertyNames != nil
      || rule.minProperties != nil || rule.maxProperties != nil
    rule.names = keep(own)
  }

  private func readDependent(
    _ name: String, _ others: DescribedValue, _ own: inout MentionedNames, _ rule: inout SchemaRule
  ) {
    let place = own.watch(name).place
    let others = others.elements.compactMap(\.view.string).map { own.watch($0) }
    rule.dependentRequired.append((place, name, others))
  }

  /// Puts the names of a rule behind those that are there.
  private mutating func keep(_ own: MentionedNames) -> Range<Int> {
    let first = names.count
    let sorted = own.names.indices.sorted { left, right in
      let (left, right) = (own.names[left].text, own.names[right].text)
      return left.count == right.count
        ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }
    var indexes = Array(repeating: first, count: sorted.count + 1)
    for (index, place) in sorted.enumerated() { indexes[place] = first + index }
    for place in sorted {
      let name = own.names[place]
      names.append(
        SchemaName(
          start: texts.count, count: name.text.count, property: name.property, place: name.place,
          isForOtherWay: name.isForOtherWay, following: indexes[place + 1]))
      texts += name.text
    }
    return first..<names.count
  }

  /// Whether a member is no part of the way that the value goes.
  private func isForOtherWay(_ property: DescribedValue) -> Bool {
    guard direction != .any, property.view.kind == .object else { return false }
    let word = direction == .request ? "readOnly" : "writeOnly"
    if property.view["$ref"] == nil, property.view["allOf"] == nil { return property.isTrue(word) }
    return FlatSchema([property], in: documents, dialect).isTrue(word)
  }
}

/// The names that one schema mentions while it is read.
private struct MentionedNames {
  struct Name {
    let text: [UInt8]
    var property = -1
    var place = -1
    var isForOtherWay = false
  }

  var names: [Name] = []
  private(set) var watched = 0
  /// Indexes by bytes, because `==` of strings takes different spellings of an accent for equal.
  private var known: [[UInt8]: Int] = [:]

  /// The index of a name, which is added where it is new.
  mutating func index(of name: String) -> Int {
    let text = Array(name.utf8)
    if let at = known[text] { return at }
    known[text] = names.count
    names.append(Name(text: text))
    return names.count - 1
  }

  /// Gives a name a place among those that are looked for.
  mutating func watch(_ name: String) -> (place: Int, name: String) {
    let at = index(of: name)
    if names[at].place < 0 {
      names[at].place = watched
      watched += 1
    }
    return (names[at].place, name)
  }
}
