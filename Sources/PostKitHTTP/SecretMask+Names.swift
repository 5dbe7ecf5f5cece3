// Masks values by the names before them, whatever the values are and however short (AU-48).

extension SecretMask {
  /// A text without the values of some names, and these values.
  package struct NamedValues: Sendable, Hashable {
    package var bytes: [UInt8]
    /// The values as they are meant: without escapes and percent-encoding.
    package var values: [String]
  }

  /// Masks the values of members and parameters with certain names in small letters. It looks only
  /// at tokens, so that a text that is cut off or broken hides its secrets, too.
  package static func mask(
    valuesOf names: Set<String>, in bytes: [UInt8], as format: Format
  ) -> NamedValues {
    // Where nobody knows what it is, whatever looks like either is hidden. Servers send JSON as
    // forms, too.
    let members = jsonValues(of: names, in: bytes)
    let isForm = members.isEmpty && (format == .form || format == .plain)
    let found = isForm ? formValues(of: names, in: bytes) : members
    let mark = isForm ? text : "\"\(text)\""
    return NamedValues(
      bytes: replace(found.map(\.range), in: bytes, with: mark), values: found.map(\.value))
  }

  private static func formValues(
    of names: Set<String>, in bytes: [UInt8]
  ) -> [(range: Range<Int>, value: String)] {
    var found: [(range: Range<Int>, value: String)] = []
    eachValue(in: bytes, as: .form) { range, _ in
      let before = bytes[..<(range.lowerBound - 1)]
      let start = before.lastIndex(of: UInt8(ascii: "&")).map { $0 + 1 } ?? 0
      guard !range.isEmpty, names.contains(decoded(before[start...]).lowercased()) else { return }
      found.append((range, decoded(bytes[range])))
    }
    return found
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    PercentEncoding.decodeForm(String(decoding: bytes, as: UTF8.self)).trimmingASCIIBlanks()
  }

  private static func jsonValues(
    of names: Set<String>, in bytes: [UInt8]
  ) -> [(range: Range<Int>, value: String)] {
    var found: [(range: Range<Int>, value: String)] = []
    eachJSONString(in: bytes) { name, end in
      guard names.contains(name.lowercased()),
        let colon = bytes[end...].firstIndex(where: { !isBlank($0) }),
        bytes[colon] == UInt8(ascii: ":"),
        let start = bytes[(colon + 1)...].firstIndex(where: { !isBlank($0) })
      else { return }
      if bytes[start] == UInt8(ascii: "\"") {
        let inner = innerOfString(in: bytes, at: start)
        let value = String(decoding: JSONText.unescape(bytes[inner]), as: UTF8.self)
        if !value.isEmpty { found.append((start..<min(inner.upperBound + 1, bytes.count), value)) }
      } else {
        let end = bytes[start...].firstIndex { !JSONText.isBare($0) } ?? bytes.count
        let value = String(decoding: bytes[start..<end], as: UTF8.self)
        if end > start, value != "null" { found.append((start..<end, value)) }
      }
    }
    return found
  }

  /// Gives each string of JSON with the place behind it.
  private static func eachJSONString(
    in bytes: [UInt8], _ take: (_ text: String, _ end: Int) -> Void
  ) {
    var at = 0
    while let start = bytes[at...].firstIndex(of: UInt8(ascii: "\"")) {
      let inner = innerOfString(in: bytes, at: start)
      at = min(inner.upperBound + 1, bytes.count)
      take(String(decoding: JSONText.unescape(bytes[inner]), as: UTF8.self), at)
    }
  }

  /// What is between the quotes of a string; one that was cut off reaches to the end.
  private static func innerOfString(in bytes: [UInt8], at start: Int) -> Range<Int> {
    var at = start + 1
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    return start + 1..<min(at, bytes.count)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 32 || byte == 9 || byte == 10 || byte == 13
  }
}
