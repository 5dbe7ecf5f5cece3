// Which words name one thing of many: `7`, a UUID, a date, an address of e-mail.

/// Tells words that are likely to be ids from those that name a kind of thing.
package enum IdentifierText {
  /// Whether a word is likely to name one thing of many: all digits, or long with digits in it and
  /// nothing but what ids are made of, or an address of e-mail, perhaps percent-encoded.
  package static func isLikely(_ word: some StringProtocol) -> Bool {
    var digits = 0
    var isHexadecimal = true
    for byte in word.utf8 {
      switch byte {
      case 48...57: digits += 1
      case 65...70, 97...102, UInt8(ascii: "-"): break
      case 71...90, 103...122, UInt8(ascii: "_"): isHexadecimal = false
      default: return isAddress(String(word))
      }
    }
    let count = word.utf8.count
    if digits == count { return count > 0 }
    return isHexadecimal ? digits > 0 && count >= 8 : digits >= 3 && count >= 16
  }

  /// Whether a text has the form of an address of e-mail, such as `ann@example.com`.
  package static func isAddress(_ text: String) -> Bool {
    let bytes = PercentEncoding.decode(text)
    guard bytes.count <= 254, let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0 else {
      return false
    }
    let domain = bytes[(at + 1)...].split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return domain.count > 1 && domain.allSatisfy { isLabel($0) }
      && bytes[..<at].allSatisfy { isAlphanumeric($0) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains($0) }
  }

  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    !label.isEmpty && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    default: false
    }
  }
}
