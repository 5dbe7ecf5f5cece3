// A schema as a check reads it: its keywords once, its parts by number.

import PostKitJSON

/// The types that a schema allows.
struct SchemaTypes: OptionSet {
  let rawValue: UInt8

  static let null = SchemaTypes(rawValue: 1)
  static let boolean = SchemaTypes(rawValue: 2)
  static let integer = SchemaTypes(rawValue: 4)
  /// Numbers of all kinds, integers among them.
  static let number = SchemaTypes(rawValue: 8)
  static let string = SchemaTypes(rawValue: 16)
  static let array = SchemaTypes(rawValue: 32)
  static let object = SchemaTypes(rawValue: 64)
  static let all = SchemaTypes(rawValue: .max)

  /// The types by the words that schemas use.
  static let words: [(word: String, type: SchemaTypes)] = [
    ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number),
    ("string", .string), ("array", .array), ("object", .object),
  ]

  /// The words of the types, such as `string or null`.
  var text: String { words.joined(separator: " or ") }

  /// The words of the types, each once.
  var words: [String] { Self.words.filter { contains($0.type) }.map(\.word) }
}

/// The keywords of one schema. Other schemas in it are named by their numbers. A check reads it
/// where it lies, because a copy for each value of an answer would count the owners of everything
/// in it.
struct SchemaRule {
  /// The number of a schema.
  typealias Number = Int

  /// Nothing fits: the schema is `false`.
  var isImpossible = false
  /// Types that are allowed.
  var types = SchemaTypes.all
  /// Whether `null` fits whatever else is said (`nullable` of OpenAPI 3.0).
  var isNullable = false
  /// `const` and `enum`: one of these values.
  var values: [JSONValue]?
  /// The texts among them, as a range of `SchemaRules.names`.
  var texts = 0..<0

  var reference: Number?
  /// Why its reference leads to nothing, as an index of `SchemaRules.failures`.
  var failure: Int?
  /// Whether one of the keywords up to `otherwise` is there.
  var hasBranches = false
  var all: [Number] = []
  var any: [Number]?
  var one: [Number]?
  var not: Number?
  var condition: Number?
  var then: Number?
  var otherwise: Number?

  /// Whether one of the keywords of numbers is there.
  var looksAtNumbers: Bool { minimum != nil || maximum != nil || multipleOf != nil }
  var minimum: SchemaBound?
  var maximum: SchemaBound?
  var multipleOf: String?

  var minLength: Int?
  var maxLength: Int?
  var pattern: SchemaPattern?

  var items: Number?
  var prefixItems: [Number] = []
  var contains: Number?
  var minContains = 1
  var maxContains: Int?
  var minItems: Int?
  var maxItems: Int?
  var isUnique = false

  /// The names that keywords mention, as a range of `SchemaRules.names`.
  var names = 0..<0
  /// How many of them have a place of their own among those that are looked for.
  var watched = 0
  /// The places of the members that must be there, with their names.
  var required: [(place: Int, name: String)] = []
  var patternProperties: [(pattern: SchemaPattern, rule: Number)] = []
  var additionalProperties: Number?
  /// Whether members that no keyword names are refused.
  var isClosed = false
  var propertyNames: Number?
  var minProperties: Int?
  var maxProperties: Int?
  var dependentRequired: [(place: Int, name: String, others: [(place: Int, name: String)])] = []
  var dependentSchemas: [(place: Int, rule: Number)] = []
  /// Whether the schema says which members there are, so that others are not described.
  var describesMembers = false
  /// Whether members that no keyword names are welcome in so many words.
  var isOpen = false
  /// Whether a keyword looks at objects.
  var looksAtMembers = false
}

/// A name that a schema mentions, and what it says of the member; or a text that a value may be.
struct SchemaName {
  /// The bytes of the name in `SchemaRules.texts`.
  let start: Int
  let count: Int
  /// The schema of the member, or -1.
  var property = -1
  /// Its place among the members that are looked for, or -1.
  var place = -1
  /// Whether the member goes the other way alone: `writeOnly` in answers, `readOnly` in requests.
  var isForOtherWay = false
  /// The index of the name that the schema mentions next, since answers have that order, too.
  var following = 0
}

/// A bound of numbers, with all digits.
struct SchemaBound {
  let digits: String
  let isExclusive: Bool
  /// The bound where it is short.
  let short: ShortDecimal?

  init(digits: String, isExclusive: Bool) {
    var digits = digits
    self.isExclusive = isExclusive
    short = digits.withUTF8 { ShortDecimal($0) }
    self.digits = digits
  }
}

/// A number of at most 18 digits without an exponent, as nearly all are: a whole number and how
/// many of its digits stand behind the point.
struct ShortDecimal {
  private(set) var value = 0
  private(set) var fraction = 0

  init?(_ text: UnsafeBufferPointer<UInt8>) {
    let isNegative = text.first == UInt8(ascii: "-")
    guard text.count <= 18 else { return nil }
    var hasPoint = false
    for at in (isNegative ? 1 : 0)..<text.count {
      let digit = text[at] &- UInt8(ascii: "0")
      if digit < 10 {
        value = value &* 10 &+ Int(digit)
        if hasPoint { fraction += 1 }
      } else if text[at] == UInt8(ascii: ".") {
        hasPoint = true
      } else {
        return nil
      }
    }
    if isNegative { value = -value }
  }

  /// Below zero where the number is smaller than another, zero where both are equal; `nil` where
  /// that takes more digits.
  func order(_ other: ShortDecimal) -> Int? {
    var (left, right) = (value, other.value)
    if fraction < other.fraction {
      guard Self.scale(&left, by: other.fraction - fraction) else { return nil }
    } else if fraction > other.fraction {
      guard Self.scale(&right, by: fraction - other.fraction) else { return nil }
    }
    return left < right ? -1 : left == right ? 0 : 1
  }

  private static func scale(_ value: inout Int, by count: Int) -> Bool {
    for _ in 0..<count {
      let (next, overflows) = value.multipliedReportingOverflow(by: 10)
      if overflows { return false }
      value = next
    }
    return true
  }
}

/// A pattern of a schema.
struct SchemaPattern {
  let text: String
  /// `nil` where the pattern can't be run in bounded time, so that it is not checked.
  let compiled: TextPattern?

  init(_ text: String) {
    self.text = text
    // One that can't be read is told as not checked.
    compiled = try? TextPattern(text)
  }

  /// Whether a text matches; so does one that can't be checked.
  func matches(_ text: String) -> Bool { compiled?.isFound(in: text) ?? true }
}
