// Reads JSON into protocol types and remembers where it failed (PROMISES.md Q2).

package import PostKitJSON

/// Why JSON is not the type that the protocol asks for, and where.
package struct DecodingFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The way from the outermost value, such as `position`, `line`.
  package private(set) var path: [String]
  /// The type that was asked for.
  package private(set) var expected: String
  /// Whether it is only that we don't know the value, which a later version of the protocol may.
  private var isUnknownValue = false

  /// Makes a failure at the place that is being read.
  package init(expected: String, path: [String] = []) {
    self.expected = expected
    self.path = path
  }

  /// Makes the failure of a value that is none of those we know.
  package init(known: String) {
    self.init(expected: known)
    isUnknownValue = true
  }

  /// Whether the very value that is being read is one that we don't know: who can do without it
  /// passes it over.
  var canBePassedOver: Bool { isUnknownValue && path.isEmpty }

  /// The same failure seen from one level further out.
  package func inside(_ step: String) -> DecodingFailure {
    var result = self
    result.path.insert(step, at: 0)
    return result
  }

  /// Becomes the other failure where that got further: of a union's alternatives, the one that
  /// fitted longest was meant.
  package mutating func takeDeeper(_ other: DecodingFailure) {
    if other.path.count >= path.count { self = other }
  }

  /// A clause such as `params.position.line: expected uinteger`.
  package var description: String {
    var text = "params"
    for step in path { text += step.hasPrefix("[") ? step : "." + step }
    return "\(text): expected \(expected)"
  }
}

/// Readers of the types that are no structures.
package enum Decode {
  /// A reader of one type.
  package typealias Reader<Value> = @Sendable (JSONView) throws(DecodingFailure) -> Value

  /// Reads a string.
  @Sendable package static func string(_ view: JSONView) throws(DecodingFailure) -> String {
    guard let value = view.string else { throw DecodingFailure(expected: "string") }
    return value
  }

  /// Reads a boolean.
  @Sendable package static func boolean(_ view: JSONView) throws(DecodingFailure) -> Bool {
    guard let value = view.bool else { throw DecodingFailure(expected: "boolean") }
    return value
  }

  /// Reads an integer of -2^31 to 2^31 - 1.
  @Sendable package static func integer(_ view: JSONView) throws(DecodingFailure) -> Int {
    guard let value = view.int, Int32(exactly: value) != nil else {
      throw DecodingFailure(expected: "integer")
    }
    return value
  }

  /// Reads an integer of 0 to 2^31 - 1.
  @Sendable package static func uinteger(_ view: JSONView) throws(DecodingFailure) -> Int {
    guard let value = view.int, value >= 0, value <= Int(Int32.max) else {
      throw DecodingFailure(expected: "uinteger")
    }
    return value
  }

  /// Reads a number.
  @Sendable package static func decimal(_ view: JSONView) throws(DecodingFailure) -> Double {
    guard let value = view.double else { throw DecodingFailure(expected: "decimal") }
    return value
  }

  /// Keeps any value as it is.
  @Sendable package static func any(_ view: JSONView) throws(DecodingFailure) -> JSONValue {
    view.value
  }

  /// Reads `null`.
  @Sendable package static func null(_ view: JSONView) throws(DecodingFailure) -> LSP.Nothing {
    guard view.isNull else { throw DecodingFailure(expected: "null") }
    return LSP.Nothing()
  }

  /// A reader of arrays; elements that we don't know are passed over.
  package static func array<Value>(_ element: @escaping Reader<Value>) -> Reader<[Value]> {
    { view throws(DecodingFailure) in
      guard view.kind == .array else { throw DecodingFailure(expected: "array") }
      var values: [Value] = []
      values.reserveCapacity(view.count)
      for (index, item) in view.elements.enumerated() {
        do throws(DecodingFailure) {
          values.append(try element(item))
        } catch {
          if !error.canBePassedOver { throw error.inside("[\(index)]") }
        }
      }
      return values
    }
  }

  /// A reader of objects with free keys.
  package static func map<Value>(_ value: @escaping Reader<Value>) -> Reader<[String: Value]> {
    { view throws(DecodingFailure) in
      guard view.kind == .object else { throw DecodingFailure(expected: "object") }
      var values: [String: Value] = [:]
      for member in view.members {
        let key = member.key.string ?? ""
        do throws(DecodingFailure) {
          values[key] = try value(member.value)
        } catch {
          throw error.inside(key)
        }
      }
      return values
    }
  }

  /// A reader that takes `null` for `nil`.
  package static func nullable<Value>(_ value: @escaping Reader<Value>) -> Reader<Value?> {
    { view throws(DecodingFailure) in view.isNull ? nil : try value(view) }
  }

  /// Checks that a value is an object before its members are read.
  package static func object(_ view: JSONView, _ name: String) throws(DecodingFailure) {
    guard view.kind == .object else { throw DecodingFailure(expected: name) }
  }

  /// Checks a member that can only have one value.
  package static func literal(
    _ view: JSONView, _ name: String, _ text: String
  ) throws(DecodingFailure) {
    guard view[name]?.string == text else {
      throw DecodingFailure(expected: "\"\(text)\"", path: [name])
    }
  }
}

extension JSONView {
  /// Reads a member that must be there.
  package func required<Value>(
    _ name: String, _ read: Decode.Reader<Value>
  ) throws(DecodingFailure) -> Value {
    do throws(DecodingFailure) {
      guard let member = self[name] else { throw DecodingFailure(expected: "a value") }
      return try read(member)
    } catch {
      throw error.inside(name)
    }
  }

  /// Reads a member that may be missing; `null` counts as missing, as some clients write it so, and
  /// so does a value that we don't know.
  package func optional<Value>(
    _ name: String, _ read: Decode.Reader<Value>
  ) throws(DecodingFailure) -> Value? {
    guard let member = self[name], !member.isNull else { return nil }
    do throws(DecodingFailure) {
      return try read(member)
    } catch {
      if error.canBePassedOver { return nil }
      throw error.inside(name)
    }
  }

  /// Reads a member that may be `null`, with a reader that takes it; a missing one counts as
  /// `null`, as some clients leave it out.
  package func nullable<Value>(
    _ name: String, _ read: Decode.Reader<Value?>
  ) throws(DecodingFailure) -> Value? {
    self[name] == nil ? nil : try required(name, read)
  }
}
