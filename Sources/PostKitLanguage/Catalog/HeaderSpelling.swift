// Header names that are one slip of the hand away from a known one.

/// Finds the header that a misspelt name means.
enum HeaderSpelling {
  /// Names shorter than this have neighbours that somebody may mean.
  private static let shortest = 5

  /// Known names by their length, in small letters.
  private static let known: [Int: [(small: [UInt8], name: String)]] = {
    let names = HeaderCatalog.all.map(\.name) + HeaderCatalog.responseNames
    let unique = Set(names.filter { $0.utf8.count >= shortest && !$0.lowercased().hasPrefix("x-") })
    return Dictionary(
      grouping: unique.sorted().map { (small: Array($0.lowercased().utf8), name: $0) },
      by: \.small.count)
  }()

  /// Names that are right although they look like one of those.
  private static let others: Set<String> = ["cookie2", "set-cookie2"]

  /// The known name that a name means; `nil` where it is known, the author's own, or too short to
  /// be told.
  static func meant(by written: ArraySlice<UInt8>) -> String? {
    guard written.count >= shortest - 1, written.count <= 40,
      !written.contains(UInt8(ascii: "{"))
    else { return nil }
    let small = written.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
    // Names of one's own begin so.
    if small.starts(with: "x-".utf8) { return nil }
    if known[small.count]?.contains(where: { $0.small == small }) == true { return nil }
    if others.contains(String(decoding: small, as: UTF8.self)) { return nil }
    for length in [small.count, small.count + 1, small.count - 1] {
      for candidate in known[length] ?? [] where isOneSlip(small, candidate.small) {
        return candidate.name
      }
    }
    return nil
  }

  /// Whether a text becomes the other by one letter that is changed, added or left out, or by two
  /// that change places.
  private static func isOneSlip(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let front = zip(left, right).prefix { $0 == $1 }.count
    let rest = (left.dropFirst(front), right.dropFirst(front))
    let back = zip(rest.0.reversed(), rest.1.reversed()).prefix { $0 == $1 }.count
    let middle = (rest.0.dropLast(back), rest.1.dropLast(back))
    switch (middle.0.count, middle.1.count) {
    case (1, 1), (0, 1), (1, 0): return true
    case (2, 2): return middle.0.elementsEqual(middle.1.reversed())
    default: return false
    }
  }
}
