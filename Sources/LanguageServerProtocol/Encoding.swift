// Writes protocol types as JSON; the mirror of `Decode`.

package import PostKitJSON

/// Writers of the types that are no structures.
package enum Encode {
  /// A writer of one type.
  package typealias Writer<Value> = @Sendable (inout JSONWriter, Value) -> Void

  /// Writes a structure, enumeration or union.
  @Sendable package static func value(_ writer: inout JSONWriter, _ value: some ProtocolValue) {
    value.encode(to: &writer)
  }

  /// Writes a string.
  @Sendable package static func string(_ writer: inout JSONWriter, _ value: String) {
    writer.string(value)
  }

  /// Writes a boolean.
  @Sendable package static func boolean(_ writer: inout JSONWriter, _ value: Bool) {
    writer.bool(value)
  }

  /// Writes an integer.
  @Sendable package static func integer(_ writer: inout JSONWriter, _ value: Int) {
    writer.int(value)
  }

  /// Writes an array of integers.
  @Sendable package static func integers(_ writer: inout JSONWriter, _ values: [Int]) {
    writer.integers(values)
  }

  /// Writes a number, without a fraction where it has none.
  @Sendable package static func decimal(_ writer: inout JSONWriter, _ value: Double) {
    writer.double(value)
  }

  /// Writes any JSON.
  @Sendable package static func any(_ writer: inout JSONWriter, _ value: JSONValue) {
    writer.write(value)
  }

  /// Writes `null`.
  @Sendable package static func null(_ writer: inout JSONWriter, _ value: LSP.Nothing) {
    writer.null()
  }

  /// A writer of arrays.
  package static func array<Element>(_ element: @escaping Writer<Element>) -> Writer<[Element]> {
    { writer, elements in
      writer.beginArray()
      for item in elements { element(&writer, item) }
      writer.endArray()
    }
  }

  /// A writer of objects with free keys, sorted so that the same value gives the same bytes.
  package static func map<Element>(
    _ element: @escaping Writer<Element>
  ) -> Writer<[String: Element]> {
    { writer, members in
      writer.beginObject()
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        writer.key(name)
        element(&writer, value)
      }
      writer.endObject()
    }
  }

  /// A writer that writes `null` for `nil`.
  package static func nullable<Value>(_ write: @escaping Writer<Value>) -> Writer<Value?> {
    { writer, value in
      if let value { write(&writer, value) } else { writer.null() }
    }
  }
}

extension JSONWriter {
  /// Writes a member that is always there.
  package mutating func member<Value>(
    _ name: String, _ value: Value, _ write: Encode.Writer<Value>
  ) {
    key(name)
    write(&self, value)
  }

  /// Writes a member unless it is `nil`.
  package mutating func optional<Value>(
    _ name: String, _ value: Value?, _ write: Encode.Writer<Value>
  ) {
    guard let value else { return }
    key(name)
    write(&self, value)
  }
}
