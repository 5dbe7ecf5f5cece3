// ASN.1 in its distinguished encoding (X.690), as far as keys and signatures need it.

/// Writes what keys are made of.
enum DER {
  /// Elements after each other.
  static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }

  /// A string of bytes.
  static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

  /// A bit string of whole bytes.
  static func bits(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

  /// An element that a number in brackets marks, around another one.
  static func marked(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] { element(0xA0 | number, bytes) }

  static let null: [UInt8] = [0x05, 0x00]

  /// A number that is not negative, from its bytes, the most significant first.
  static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let digits = Array(bytes.drop { $0 == 0 })
    guard let first = digits.first else { return element(0x02, [0]) }
    return element(0x02, (first >= 0x80 ? [0] : []) + digits)
  }

  /// An element of a kind with its length.
  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
    var length: [UInt8] = []
    var rest = content.count
    while rest > 0 {
      length.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length + content
  }
}

/// Signatures on elliptic curves in both of their forms: two numbers beside each other, as a JWS
/// has them (RFC 7518, section 3.4), and as an ASN.1 sequence, as libraries have them.
package enum EllipticSignature {
  /// The sequence of two numbers; `nil` where the bytes are not two of the curve.
  package static func sequence(_ numbers: [UInt8], _ curve: EllipticCurve) -> [UInt8]? {
    guard numbers.count == 2 * curve.size else { return nil }
    return DER.sequence(
      DER.integer(numbers.prefix(curve.size)), DER.integer(numbers.suffix(curve.size)))
  }

  /// The two numbers of a sequence; `nil` where it is none of the curve.
  package static func numbers(_ sequence: [UInt8], _ curve: EllipticCurve) -> [UInt8]? {
    var reader = Reader(rest: sequence[...])
    guard var inside = reader.next(0x30).map(Reader.init), reader.rest.isEmpty,
      let first = inside.next(0x02), let second = inside.next(0x02), inside.rest.isEmpty
    else { return nil }
    var result: [UInt8] = []
    for number in [first, second] {
      let digits = number.drop { $0 == 0 }
      guard digits.count <= curve.size else { return nil }
      result += [UInt8](repeating: 0, count: curve.size - digits.count) + digits
    }
    return result
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    /// The content of the next element, where it is of a kind.
    mutating func next(_ tag: UInt8) -> ArraySlice<UInt8>? {
      guard rest.popFirst() == tag, var length = rest.popFirst().map(Int.init) else { return nil }
      if length >= 0x80 {
        // No signature is so long that two bytes would not tell its length.
        guard (0x81...0x82).contains(length) else { return nil }
        let bytes = rest.prefix(length - 0x80)
        length = bytes.reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(bytes.count)
      }
      guard rest.count >= length else { return nil }
      defer { rest = rest.dropFirst(length) }
      return rest.prefix(length)
    }
  }
}
