// Whether a value fits a schema, and where it does not (JSON Schema of draft 4 and 2020-12).

package import PostKitJSON

/// A place where a value does not fit its schema.
package struct SchemaDeviation: Sendable, Hashable {
  /// The place in the value as a JSON Pointer (RFC 6901); empty for the value itself.
  package let pointer: String
  /// The bytes of that place in the value's source.
  package let range: Range<Int>
  /// The keyword of the schema that refuses the value, such as `required`.
  package let keyword: String
  /// What was expected and what came, as a clause. Texts of the value are not in it, because they
  /// may be secrets.
  package let message: String
}

/// Checks values against the schemas of a description. It remembers what it has read of schemas, so
/// that one check serves many values.
package struct SchemaCheck {
  /// Deviations of one value that are told.
  package static let deviationLimit = 100
  /// Steps of one check; branches within branches could take forever.
  static let stepLimit = 20_000_000
  private static let depthLimit = 512

  private var rules: SchemaRules
  /// Whether the last check ended before it had seen everything.
  package private(set) var isCut = false

  private var deviations: [SchemaDeviation] = []
  /// Where the check is: names and positions, the outermost first.
  private var path: [PathStep] = []
  /// Above zero while only the answer counts, as in branches.
  private var quiet = 0
  private var steps = 0
  private var depth = 0
  private var identities: IdentifiedJSON?

  private enum PathStep {
    case member(JSONView)
    case element(Int)
  }

  /// Makes a check for the schemas of a description.
  package init(
    _ documents: DescriptionDocuments, _ dialect: SchemaDialect,
    direction: SchemaDirection = .any
  ) {
    rules = SchemaRules(documents, dialect, direction)
  }

  /// What schemas say that is not checked: keywords, patterns that can't run in bounded time, and
  /// references that lead to nothing.
  package var unchecked: [String] { rules.unchecked.sorted() }

  /// The places where a value does not fit a schema; none where it fits.
  package mutating func deviations(
    of value: JSONView, from schema: DescribedValue
  ) -> [SchemaDeviation] {
    deviations = []
    path = []
    (quiet, steps, depth, isCut) = (0, 0, 0, false)
    identities = nil
    let number = rules.number(of: schema)
    _ = fits(value, number)
    return deviations
  }

  // MARK: - One schema

  /// Whether a value fits a schema; where it does not, that is told unless only the answer counts.
  private mutating func fits(_ value: JSONView, _ number: SchemaRule.Number) -> Bool {
    steps += 1
    guard steps <= Self.stepLimit, depth < Self.depthLimit else {
      isCut = true
      return true
    }
    depth += 1
    defer { depth -= 1 }
    let rule = rules.rules[number]
    if rule.isImpossible { return refuse(value, "false", "nothing may stand here") }
    if rule.isNullable, value.isNull { return true }
    var isFine = true
    if let reference = rule.reference { isFine = fits(value, reference) && isFine }
    if let types = rule.types, !Self.hasType(value, types) {
      return refuse(value, "type", "expected \(types.text), came \(Self.kind(value))")
    }
    if let values = rule.values { isFine = isOne(value, of: values) && isFine }
    switch value.kind {
    case .number: isFine = numberFits(value, rule) && isFine
    case .string: isFine = stringFits(value, rule) && isFine
    case .array: isFine = arrayFits(value, rule) && isFine
    case .object:
      if rule.looksAtMembers || rule.isClosed { isFine = objectFits(value, rule) && isFine }
    default: break
    }
    return branchesFit(value, rule) && isFine
  }

  /// The same without telling.
  private mutating func quietlyFits(_ value: JSONView, _ number: SchemaRule.Number) -> Bool {
    quiet += 1
    defer { quiet -= 1 }
    return fits(value, number)
  }

  private mutating func branchesFit(_ value: JSONView, _ rule: SchemaRule) -> Bool {
    var isFine = true
    for part in rule.all { isFine = fits(value, part) && isFine }
    if let any = rule.any, !any.contains(where: { quietlyFits(value, $0) }) {
      isFine = refuseBranches(value, "anyOf", any)
    }
    if let one = rule.one {
      let count = one.count { quietlyFits(value, $0) }
      if count == 0 {
        isFine = refuseBranches(value, "oneOf", one)
      } else if count > 1 {
        isFine = refuse(
          value, "oneOf", "expected exactly one of \(one.count) schemas to fit, \(count) do")
      }
    }
    if let not = rule.not, quietlyFits(value, not) {
      isFine = refuse(value, "not", "expected a value that a schema excludes not to come")
    }
    if let condition = rule.condition {
      let branch = quietlyFits(value, condition) ? rule.then : rule.otherwise
      if let branch { isFine = fits(value, branch) && isFine }
    }
    return isFine
  }

  /// Tells that no branch fits; of a single one that could, by its type, what does not fit in it.
  private mutating func refuseBranches(
    _ value: JSONView, _ keyword: String, _ branches: [SchemaRule.Number]
  ) -> Bool {
    guard quiet == 0 else { return false }
    let near = branches.filter { branch in
      var rule = rules.rules[branch]
      var hops = 0
      while let next = rule.reference, rule.types == nil, hops < 32 {
        rule = rules.rules[next]
        hops += 1
      }
      return rule.types.map { Self.hasType(value, $0) } ?? true
    }
    if near.count == 1 { return fits(value, near[0]) }
    return refuse(value, keyword, "expected one of \(branches.count) schemas to fit, none does")
  }

  // MARK: - Scalars

  private mutating func isOne(_ value: JSONView, of values: [JSONValue]) -> Bool {
    let own = value.value
    if values.contains(where: { $0.isEquivalent(to: own) }) { return true }
    let shown = values.prefix(8).map(\.text).joined(separator: ", ")
    let more = values.count > 8 ? ", …" : ""
    return refuse(
      value, values.count == 1 ? "const" : "enum",
      "expected \(values.count == 1 ? "" : "one of ")\(shown)\(more), came another value")
  }

  private mutating func numberFits(_ value: JSONView, _ rule: SchemaRule) -> Bool {
    guard rule.minimum != nil || rule.maximum != nil || rule.multipleOf != nil,
      let digits = value.numberText
    else { return true }
    var isFine = true
    if let bound = rule.minimum, SchemaNumbers.isBelow(digits, bound) {
      let words = bound.isExclusive ? "more than" : "at least"
      isFine = refuse(value, "minimum", "expected \(words) \(bound.digits), came \(digits)")
    }
    if let bound = rule.maximum, SchemaNumbers.isAbove(digits, bound) {
      let words = bound.isExclusive ? "less than" : "at most"
      isFine = refuse(value, "maximum", "expected \(words) \(bound.digits), came \(digits)")
    }
    if let step = rule.multipleOf, !SchemaNumbers.isMultiple(digits, of: step) {
      isFine = refuse(value, "multipleOf", "expected a multiple of \(step), came \(digits)")
    }
    return isFine
  }

  private mutating func stringFits(_ value: JSONView, _ rule: SchemaRule) -> Bool {
    guard rule.minLength != nil || rule.maxLength != nil || rule.pattern != nil,
      let text = value.string
    else { return true }
    var isFine = true
    if rule.minLength != nil || rule.maxLength != nil {
      let length = text.unicodeScalars.count
      if let least = rule.minLength, length < least {
        isFine = refuse(
          value, "minLength", "expected at least \(least) characters, came \(length)")
      }
      if let most = rule.maxLength, length > most {
        isFine = refuse(value, "maxLength", "expected at most \(most) characters, came \(length)")
      }
    }
    if let pattern = rule.pattern, !pattern.matches(text) {
      isFine = refuse(
        value, "pattern", "expected a text that matches `\(pattern.text)`, came another one")
    }
    return isFine
  }

  // MARK: - Arrays

  private mutating func arrayFits(_ value: JSONView, _ rule: SchemaRule) -> Bool {
    var isFine = true
    let count = value.count
    if let least = rule.minItems, count < least {
      isFine = refuse(value, "minItems", "expected at least \(least) elements, came \(count)")
    }
    if let most = rule.maxItems, count > most {
      isFine = refuse(value, "maxItems", "expected at most \(most) elements, came \(count)")
    }
    guard rule.items != nil || !rule.prefixItems.isEmpty || rule.contains != nil || rule.isUnique
    else { return isFine }
    let elements = value.elements
    for (index, element) in elements.enumerated() {
      let number = index < rule.prefixItems.count ? rule.prefixItems[index] : rule.items
      guard let number else { break }
      path.append(.element(index))
      isFine = fits(element, number) && isFine
      path.removeLast()
    }
    if let contains = rule.contains {
      let hits = elements.count { quietlyFits($0, contains) }
      if hits < rule.minContains {
        isFine = refuse(
          value, "contains", "expected at least \(rule.minContains) fitting elements, came \(hits)")
      }
      if let most = rule.maxContains, hits > most {
        isFine = refuse(
          value, "maxContains", "expected at most \(most) fitting elements, came \(hits)")
      }
    }
    if rule.isUnique, !areUnique(elements, of: value) {
      isFine = refuse(value, "uniqueItems", "expected each element once, one came again")
    }
    return isFine
  }

  private mutating func areUnique(_ elements: [JSONView], of value: JSONView) -> Bool {
    guard elements.count > 1 else { return true }
    if identities == nil {
      var all = JSONIdentities()
      identities = all.identify(value.wholeTree)
    }
    guard let identities else { return true }
    var seen: Set<Int> = []
    return elements.allSatisfy { seen.insert(identities.identity(of: $0)).inserted }
  }

  // MARK: - Objects

  private mutating func objectFits(_ value: JSONView, _ rule: SchemaRule) -> Bool {
    var isFine = true
    let members = value.members.map { (name: $0.key.string ?? "", key: $0.key, value: $0.value) }
    let names = Set(members.map(\.name))
    for name in rule.required where !names.contains(name) {
      isFine = refuse(value, "required", "expected the member `\(name)`, it is missing")
    }
    if let least = rule.minProperties, names.count < least {
      isFine = refuse(
        value, "minProperties", "expected at least \(least) members, came \(names.count)")
    }
    if let most = rule.maxProperties, names.count > most {
      isFine = refuse(
        value, "maxProperties", "expected at most \(most) members, came \(names.count)")
    }
    for member in members {
      path.append(.member(member.key))
      isFine = memberFits(member.name, member.key, member.value, rule) && isFine
      path.removeLast()
    }
    for (name, others) in rule.dependentRequired where names.contains(name) {
      for other in others where !names.contains(other) {
        isFine = refuse(
          value, "dependentRequired",
          "expected the member `\(other)` beside `\(name)`, it is missing")
      }
    }
    for (name, number) in rule.dependentSchemas where names.contains(name) {
      isFine = fits(value, number) && isFine
    }
    return isFine
  }

  private mutating func memberFits(
    _ name: String, _ key: JSONView, _ value: JSONView, _ rule: SchemaRule
  ) -> Bool {
    var isFine = true
    var isNamed = false
    if let number = rule.properties[name] {
      isNamed = true
      isFine = fits(value, number)
    }
    for (pattern, number) in rule.patternProperties where pattern.matches(name) {
      // One that can't be checked names every member and holds for none.
      isNamed = true
      if pattern.compiled != nil { isFine = fits(value, number) && isFine }
    }
    if !isNamed {
      if rule.isClosed {
        isFine = refuse(value, "additionalProperties", "this member is not described")
      } else if let number = rule.additionalProperties {
        isFine = fits(value, number)
      }
    }
    if let number = rule.propertyNames, !quietlyFits(key, number) {
      isFine = refuse(key, "propertyNames", "the name does not fit what names may be")
    }
    return isFine
  }

  // MARK: - Telling

  private mutating func refuse(_ value: JSONView, _ keyword: String, _ message: String) -> Bool {
    if quiet == 0, deviations.count < Self.deviationLimit {
      deviations.append(
        SchemaDeviation(
          pointer: pointer, range: value.range, keyword: keyword, message: message))
    }
    return false
  }

  private var pointer: String {
    path.map { step in
      switch step {
      case .element(let index): "/\(index)"
      case .member(let key):
        "/" + (key.string ?? "").replacing("~", with: "~0").replacing("/", with: "~1")
      }
    }.joined()
  }

  private static func hasType(_ value: JSONView, _ types: SchemaTypes) -> Bool {
    switch value.kind {
    case .null: types.contains(.null)
    case .true, .false: types.contains(.boolean)
    case .string: types.contains(.string)
    case .array: types.contains(.array)
    case .object: types.contains(.object)
    case .number:
      types.contains(.number)
        || types.contains(.integer) && SchemaNumbers.isWhole(value.numberText ?? "")
    }
  }

  private static func kind(_ value: JSONView) -> String {
    switch value.kind {
    case .null: "null"
    case .true, .false: "a boolean"
    case .number: "the number \(value.numberText ?? "")"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
