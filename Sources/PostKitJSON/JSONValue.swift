// JSON as a value of its own, for building and keeping.

/// A member of an object.
package struct JSONMember: Sendable, Hashable {
  package var key: String
  package var value: JSONValue

  /// Makes a member.
  package init(_ key: String, _ value: JSONValue) {
    self.key = key
    self.value = value
  }
}

/// A JSON value; numbers keep their digits, objects their order.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// The digits as they stand in the text.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// An integer.
  package static func int(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

  /// A string, or `null` for `nil`.
  package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  /// The member of that name; of duplicates the last.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  /// The text of a string.
  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The value of a `true` or `false`.
  package var bool: Bool? {
    if case .bool(let flag) = self { flag } else { nil }
  }

  /// The number as an integer.
  package var int: Int? {
    guard case .number(let digits) = self else { return nil }
    return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
  }

  /// The elements of an array; none for any other value.
  package var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  /// The value as compact JSON.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The value as compact JSON in UTF-8.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.bytes
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .number(String(value)) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { JSONMember($0.0, $0.1) })
  }
  package init(nilLiteral: ()) { self = .null }
}
