// Writes JSON straight into bytes; no tree is built on the way.

/// A writer of compact or indented JSON. Calls must be balanced: it puts commas, not sense.
package struct JSONWriter: Sendable {
  /// What has been written.
  package private(set) var bytes: [UInt8] = []
  /// Whether each open array or object has something in it already.
  private var hasElement: [Bool] = []
  private var afterKey = false
  private var indent: Int?

  /// Makes a writer; with `indent` blanks a level the result is set on lines of its own.
  package init(indent: Int? = nil) { self.indent = indent }

  /// Begins an object.
  package mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Ends the innermost object.
  package mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Begins an array.
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }

  /// Ends the innermost array.
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes a member's name; its value must follow.
  package mutating func key(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    if indent != nil { bytes.append(0x20) }
    afterKey = true
  }

  /// Writes a string.
  package mutating func string(_ text: String) {
    separate()
    quote(text)
  }

  /// Writes an integer.
  package mutating func int(_ value: some BinaryInteger) {
    guard let small = UInt32(exactly: value) else { return raw(String(value).utf8) }
    separate()
    digits(small)
  }

  /// Writes the digits of a number, two at a time. There are lines and columns by the thousand: to
  /// make a text of each would take most of the time.
  private mutating func digits(_ value: UInt32) {
    if value >= 100 { digits(value / 100) }
    let rest = value % 100
    if value >= 10 { bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 10)) }
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
  }

  /// Writes an array of integers; there may be a million of them, so that nothing is asked twice.
  package mutating func integers(_ values: [Int]) {
    guard indent == nil else {
      beginArray()
      for value in values { int(value) }
      return endArray()
    }
    separate()
    bytes.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if let small = UInt32(exactly: value) {
        digits(small)
      } else {
        bytes.append(contentsOf: String(value).utf8)
      }
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Writes a number; infinite values and NaN, which JSON can't say, as `null`.
  package mutating func double(_ value: Double) {
    if let int = Int(exactly: value) { return self.int(int) }
    raw(value.isFinite ? value.description.utf8 : "null".utf8)
  }

  /// Writes `true` or `false`.
  package mutating func bool(_ value: Bool) { raw(value ? "true".utf8 : "false".utf8) }

  /// Writes `null`.
  package mutating func null() { raw("null".utf8) }

  /// Writes bytes that are JSON already.
  package mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Writes a value.
  package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let flag): bool(flag)
    case .number(let digits): raw(digits.utf8)
    case .string(let text): string(text)
    case .array(let elements):
      beginArray()
      for element in elements { write(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(member.key)
        write(member.value)
      }
      endObject()
    }
  }

  /// Sets on one line what `write` writes.
  package mutating func onOneLine(_ write: (inout JSONWriter) -> Void) {
    let outer = indent
    separate()
    (indent, afterKey) = (nil, true)
    write(&self)
    indent = outer
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    hasElement.append(false)
  }

  private mutating func end(_ bracket: UInt8) {
    let wasFilled = hasElement.popLast() ?? false
    if wasFilled { newLine() }
    bytes.append(bracket)
  }

  private mutating func separate() {
    if afterKey {
      afterKey = false
      return
    }
    guard let isFilled = hasElement.last else { return }
    if isFilled { bytes.append(UInt8(ascii: ",")) }
    hasElement[hasElement.count - 1] = true
    newLine()
  }

  private mutating func newLine() {
    guard let indent else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: indent * hasElement.count))
  }

  private mutating func quote(_ text: String) {
    var text = text
    text.withUTF8 { _ = JSONEscapes.quote($0, into: &bytes) }
  }
}
