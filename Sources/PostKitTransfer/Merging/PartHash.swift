// What a manifest keeps of a text: enough to see that it changed, and nothing of it.

import PostKitHTTP
import PostKitSupport

/// Hashes of generated texts (IO-20).
enum PartHash {
  /// The first 16 hexadecimal digits of a text's SHA-256.
  static func of(_ text: String) -> String { hex(number(of: text), digits: 16) }

  /// The same of bytes.
  static func of(_ bytes: [UInt8]) -> String {
    hex(bytes.withUnsafeBytes { SHA256.prefix($0) }, digits: 16)
  }

  /// The first 8 digits, for a single line of a part: of these there are many.
  static func short(_ text: String) -> String { hex(number(of: text) >> 32, digits: 8) }

  /// What the digits of `of` are, as a number.
  static func number(of text: String) -> UInt64 {
    if text.isEmpty { return empty }
    if text.mayKeepBytes { return text.keptBytes.withUnsafeBytes { SHA256.prefix($0) } }
    return text.withBytes { SHA256.prefix(UnsafeRawBufferPointer($0)) }
  }

  /// The last hexadecimal digits of a number, in small letters.
  static func hex(_ number: UInt64, digits: Int) -> String {
    let letters: StaticString = "0123456789abcdef"
    return String(unsafeUninitializedCapacity: digits) { bytes in
      for place in 0..<digits {
        let shift = UInt64(digits - 1 - place) &* 4
        bytes[place] = letters.utf8Start[Int(number >> shift & 15)]
      }
      return digits
    }
  }

  /// The number of such digits; `nil` for what a manifest has in their place.
  static func number(ofDigits text: String) -> UInt64? {
    guard text.utf8.count == 16, !text.has("+"), !text.has("-") else { return nil }
    return UInt64(text, radix: 16)
  }

  private static let empty = [UInt8]().withUnsafeBytes { SHA256.prefix($0) }
}

/// The hashes of short texts that have come before: nearly all headers and checks of a collection
/// are those of another request.
struct KnownHashes {
  /// How many texts are kept, and the bytes of each.
  private static let (most, mostBytes) = (4_096, 512)

  private var numbers: [String: UInt64] = [:]

  /// The hash of a text.
  mutating func number(of text: String) -> UInt64 {
    if text.isEmpty || text.utf8.count > Self.mostBytes || !text.withBytes(\.isASCII) {
      return PartHash.number(of: text)
    }
    if let known = numbers[text] { return known }
    let number = PartHash.number(of: text)
    if numbers.count < Self.most { numbers[text] = number }
    return number
  }

  /// The short hash of each item, by its name.
  mutating func short(_ items: [PartItem]) -> NamedHashes {
    NamedHashes(
      items.map { item in
        // The item without a name is the target, which is hardly ever that of another request.
        let number = item.name.isEmpty ? PartHash.number(of: item.text) : number(of: item.text)
        return PartItem(name: item.name, text: PartHash.hex(number >> 32, digits: 8))
      })
  }
}

/// Short hashes by the names of what they are of. Nearly always there are two or three, for which
/// a dictionary would be the largest part of what is remembered of a request.
struct NamedHashes: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The names with their hashes, in the order of their bytes; each name once.
  let pairs: [PartItem]

  /// Takes pairs in any order; of equal names the first.
  init(_ pairs: [PartItem]) {
    var result: [PartItem] = []
    result.reserveCapacity(pairs.count)
    // Equal names keep their order, so that the first of them stays.
    for pair in pairs.sorted(by: { $0.name.precedesInBytes($1.name) })
    where result.last?.name != pair.name {
      result.append(pair)
    }
    self.pairs = result
  }

  /// Takes names with hashes.
  init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { PartItem(name: $0, text: $1) })
  }

  /// Whether there is none.
  var isEmpty: Bool { pairs.isEmpty }

  /// The hash of a name.
  subscript(name: String) -> String? {
    var range = pairs.indices
    while let low = range.first {
      let middle = low + range.count / 2
      if pairs[middle].name == name { return pairs[middle].text }
      range = pairs[middle].name.precedesInBytes(name)
        ? middle + 1..<range.upperBound : low..<middle
    }
    return nil
  }
}
