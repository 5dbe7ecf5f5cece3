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

/// The keywords of one schema. Other schemas in it are named by their numbers. It is a class,
/// because a copy for each value of an answer would count the owners of everything in it.
final class SchemaRule {
  /// The number of a schema.
  typealias Number = Int

  /// Nothing fits: the schema is `false`.
  var isImpossible = false
  /// Types that are allowed; `nil` for all.
  var types: SchemaTypes?
  /// Whether `null` fits whatever else is said (`nullable` of OpenAPI 3.0).
  var isNullable = false
  /// `const` and `enum`: one of these values.
  var values: [JSONValue]?

  var reference: Number?
  var all: [Number] = []
  var any: [Number]?
  var one: [Number]?
  var not: Number?
  var condition: Number?
  var then: Number?
  var otherwise: Number?

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

  var properties: [String: Number] = [:]
  var patternProperties: [(pattern: SchemaPattern, rule: Number)] = []
  var additionalProperties: Number?
  /// Whether members that no keyword names are refused.
  var isClosed = false
  var propertyNames: Number?
  var required: [String] = []
  var minProperties: Int?
  var maxProperties: Int?
  var dependentRequired: [(name: String, others: [String])] = []
  var dependentSchemas: [(name: String, rule: Number)] = []

  /// Whether a keyword looks at strings, numbers, arrays or objects.
  var looksAtMembers: Bool {
    !properties.isEmpty || !patternProperties.isEmpty || additionalProperties != nil
      || propertyNames != nil || !required.isEmpty || minProperties != nil
      || maxProperties != nil || !dependentRequired.isEmpty || !dependentSchemas.isEmpty
  }
}

/// A bound of numbers, with all digits.
struct SchemaBound {
  let digits: String
  let isExclusive: Bool
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
