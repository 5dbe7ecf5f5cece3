// Header fields as an ordered list: names keep the author's letters, repeats stay apart (PK-13).

/// One header field, as written or as received.
package struct HeaderField: Sendable, Hashable {
  /// The field name in the author's capitalisation.
  package var name: String
  /// The field value without the blanks around it; one to be sent may keep bytes that are no UTF-8.
  package var value: String

  /// Makes a field from its name and value.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension String {
  /// Whether a text has what ends a line of a message's head, or the head itself: no method, URL or
  /// header can have it.
  package var breaksLine: Bool {
    withBytes { $0.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 } }
  }

  /// The bytes of the text side by side: to ask a text for one after the other takes many times as
  /// long as to look at them.
  @inlinable package func withBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
  }
}

/// The header fields of one message in wire order.
package struct HeaderFields: Sendable, Hashable, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// All fields in order, repeats included.
  package var fields: [HeaderField]

  /// Makes a list from fields in order.
  package init(_ fields: [HeaderField] = []) { self.fields = fields }

  package init(arrayLiteral elements: (String, String)...) {
    self.fields = elements.map { HeaderField($0.0, $0.1) }
  }

  package init(dictionaryLiteral elements: (String, String)...) {
    self.fields = elements.map { HeaderField($0.0, $0.1) }
  }

  /// The value of the first field of that name; names match without regard to ASCII case
  /// (RFC 9110, section 5.1).
  package func first(_ name: String) -> String? {
    fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }

  /// The values of all fields of that name, in order.
  package func values(_ name: String) -> [String] {
    fields.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
  }

  /// Whether a field of that name is present.
  package func contains(_ name: String) -> Bool {
    fields.contains { $0.name.equalsIgnoringASCIICase(name) }
  }

  /// Adds a field at the end.
  package mutating func append(_ name: String, _ value: String) {
    fields.append(HeaderField(name, value))
  }

  /// Adds a field at the end where there is none of that name.
  package mutating func addDefault(_ name: String, _ value: String) {
    if !contains(name) { append(name, value) }
  }

  /// Removes every field of that name.
  package mutating func removeAll(_ name: String) {
    fields.removeAll { $0.name.equalsIgnoringASCIICase(name) }
  }
}

extension String {
  /// Whether two names are equal when ASCII letters are folded; other characters must be identical.
  package func equalsIgnoringASCIICase(_ other: String) -> Bool {
    // Each send compares some dozens of names, most of which differ in length.
    guard utf8.count == other.utf8.count else { return false }
    return withBytes { left in
      other.withBytes { right in
        left.indices.allSatisfy {
          left[$0] == right[$0] || left[$0].asciiLowercased == right[$0].asciiLowercased
        }
      }
    }
  }
}

extension UInt8 {
  /// The byte with an ASCII capital letter turned into its small one.
  package var asciiLowercased: UInt8 { self >= 65 && self <= 90 ? self | 0x20 : self }
}
