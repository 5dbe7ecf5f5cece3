// Compares numbers by their digits, because floating point takes large ids for equal.

/// The exact value of a JSON number.
struct JSONDecimal: Sendable, Hashable, Comparable {
  private var isNegative = false
  /// The digits without zeros at either end; empty for zero.
  private var digits: [UInt8] = []
  /// The value is 0.digits times ten to this power; 0 for zero.
  private var exponent = 0

  /// Reads the digits of a JSON number.
  init(_ text: String) {
    let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "eE".contains($0) }
    let mantissa = halves[0].utf8
    let places = mantissa.firstIndex(of: UInt8(ascii: ".")).map {
      mantissa.distance(from: $0, to: mantissa.endIndex) - 1
    }
    let all = mantissa.filter { (48...57).contains($0) }
    let significant = all.drop { $0 == 48 }
    guard !significant.isEmpty else { return }
    isNegative = mantissa.first == UInt8(ascii: "-")
    digits = Array(significant)
    while digits.last == 48 { digits.removeLast() }
    exponent = significant.count - (places ?? 0)
    guard halves.count == 2 else { return }
    // An exponent that fits no integer is further away than any that does.
    let limit = 1 << 60
    let power = Int(halves[1]) ?? (halves[1].hasPrefix("-") ? -limit : limit)
    exponent += max(-limit, min(limit, power))
  }

  /// Whether one number is smaller than another, exactly.
  static func < (left: JSONDecimal, right: JSONDecimal) -> Bool {
    if left == right { return false }
    if left.isNegative != right.isNegative {
      return left.isNegative
    }
    return left.isNegative ? right.isNearerToZero(than: left) : left.isNearerToZero(than: right)
  }

  private func isNearerToZero(than other: JSONDecimal) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return !other.digits.isEmpty }
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}
