// Text that loses no byte of its author: what isn't UTF-8 is kept, and sent as it was.

/// The form in which texts keep bytes that are no UTF-8.
///
/// Nearly all text is UTF-8, and is a `String` like any other. A byte that is no part of UTF-8
/// stands in it as one of the last 128 characters of Unicode, U+10FF80 for 0x80 to U+10FFFF for
/// 0xFF, which stand for nothing. The author's own use of these is kept byte by byte as well, so
/// that `String(keeping: bytes).keptBytes` is always `bytes`, and joining and cutting texts at
/// ASCII characters is joining and cutting bytes. What makes bytes of a text for the wire asks for
/// `keptBytes`; what is displayed is `shown`.
private enum KeptBytes {
  /// The first byte, in UTF-8, of each character that keeps a byte. Hardly any other begins so.
  static let lead: UInt8 = 0xF4
  /// The first of these characters.
  static let first: UInt32 = 0x10FF80

  /// Adds the character that keeps a byte, in UTF-8; bytes below 0x80 are always UTF-8.
  static func append(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(lead)
    output.append(0x8F)
    output.append(byte & 0x40 == 0 ? 0xBE : 0xBF)
    output.append(byte & 0xBF)
  }

  /// The byte that is kept by the character at `at`; `nil` where there is another character.
  static func byte(_ bytes: [UInt8], at: Int) -> UInt8? {
    guard bytes[at] == lead, at + 3 < bytes.count, bytes[at + 1] == 0x8F else { return nil }
    switch bytes[at + 2] {
    case 0xBE: return bytes[at + 3]
    case 0xBF: return bytes[at + 3] | 0x40
    default: return nil
    }
  }
}

extension String {
  /// The text of bytes, of which those are kept that are no UTF-8.
  package init(keeping bytes: ArraySlice<UInt8>) {
    // ASCII by far the most often, for which a look at many bytes at a time is all that this costs.
    if bytes.withUnsafeBufferPointer({ $0.reduce(0, |) }) < 0x80 {
      self.init(decoding: bytes, as: UTF8.self)
      return
    }
    if !bytes.contains(KeptBytes.lead), let text = String(validating: bytes, as: UTF8.self) {
      self = text
      return
    }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    while true {
      var kept = 0
      switch parser.parseScalar(from: &rest) {
      case .emptyInput:
        self.init(decoding: output, as: UTF8.self)
        return
      case .error(let length): kept = length
      case .valid(let units):
        let scalar = Unicode.UTF8.decode(units)
        if scalar.value < KeptBytes.first {
          output += bytes[at..<at + units.count]
          at += units.count
        } else {
          kept = units.count
        }
      }
      for byte in bytes[at..<at + kept] { KeptBytes.append(byte, to: &output) }
      at += kept
    }
  }

  /// The text of bytes, of which those are kept that are no UTF-8.
  package init(keeping bytes: [UInt8]) { self.init(keeping: bytes[...]) }

  /// The text of one that keeps nothing yet, such as JSON: its own use of the characters that keep
  /// bytes is kept, too.
  package var keepingOwn: String { mayKeepBytes ? String(keeping: Array(utf8)) : self }

  /// Whether a look at each character is needed to tell if there are bytes that it keeps.
  package var mayKeepBytes: Bool { withBytes { $0.contains(KeptBytes.lead) } }

  /// The bytes that the text stands for.
  package var keptBytes: [UInt8] { Array(utf8).restoringKept }

  /// Whether the text stands for bytes that are no UTF-8.
  package var keepsBytes: Bool { mayKeepBytes && !utf8.elementsEqual(keptBytes) }

  /// The text for displays: what is no UTF-8 becomes U+FFFD.
  package var shown: String { keepsBytes ? String(decoding: keptBytes, as: UTF8.self) : self }

  /// The text with the bytes that are no UTF-8 as `%XX`.
  package var percentEncodingKept: String {
    guard keepsBytes else { return self }
    return unicodeScalars.reduce(into: "") { result, scalar in
      if scalar.value < KeptBytes.first {
        result.unicodeScalars.append(scalar)
      } else {
        result += PercentEncoding.encode(String(scalar), allowing: .unreserved)
      }
    }
  }

  /// The value of a header field for displays: bytes that are no UTF-8 as a whole are each the
  /// character of that number (RFC 9110, section 5.5), as in responses.
  package var shownInField: String {
    guard keepsBytes else { return self }
    let bytes = keptBytes
    return String(validating: bytes, as: UTF8.self) ?? CharacterEncoding.latin1.decode(bytes)
  }
}

extension [UInt8] {
  /// UTF-8 with the bytes that its text keeps as they were.
  package var restoringKept: [UInt8] {
    guard contains(KeptBytes.lead) else { return self }
    var output: [UInt8] = []
    output.reserveCapacity(count)
    var at = 0
    while at < count {
      if let byte = KeptBytes.byte(self, at: at) {
        output.append(byte)
        at += 4
      } else {
        output.append(self[at])
        at += 1
      }
    }
    return output
  }
}

extension HeaderFields {
  /// The fields for displays.
  package var shown: HeaderFields {
    guard fields.contains(where: \.value.mayKeepBytes) else { return self }
    return HeaderFields(fields.map { HeaderField($0.name, $0.value.shownInField) })
  }
}
