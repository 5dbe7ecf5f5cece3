// Numbers of schemas by their digits, since floating point takes large ids for equal.

import PostKitJSON

/// Compares numbers exactly.
enum SchemaNumbers {
  /// Whether a number is whole.
  static func isWhole(_ digits: String) -> Bool {
    guard digits.utf8.contains(where: { ".eE".utf8.contains($0) }) else { return true }
    guard let number = decimal(digits) else {
      return Double(digits).map { $0.rounded() == $0 } ?? false
    }
    return number.exponent >= 0
  }

  /// Whether a number is below a bound, or at it where the bound itself is refused.
  static func isBelow(_ digits: String, _ bound: SchemaBound) -> Bool {
    isPast(digits, bound.digits, bound.isExclusive, isBelow: true)
  }

  /// Whether a number is above a bound, or at it where the bound itself is refused.
  static func isAbove(_ digits: String, _ bound: SchemaBound) -> Bool {
    isPast(digits, bound.digits, bound.isExclusive, isBelow: false)
  }

  private static func isPast(
    _ digits: String, _ bound: String, _ isExclusive: Bool, isBelow: Bool
  ) -> Bool {
    if let number = Int(digits), let bound = Int(bound) {
      if number == bound { return isExclusive }
      return isBelow == (number < bound)
    }
    let (number, bound) = (JSONValue.number(digits), JSONValue.number(bound))
    if number.isEquivalent(to: bound) { return isExclusive }
    return isBelow == (number.isLess(than: bound) == true)
  }

  /// Whether a number is a multiple of another one that is above zero.
  static func isMultiple(_ digits: String, of step: String) -> Bool {
    guard let number = decimal(digits), let step = decimal(step), step.value > 0,
      let shift = difference(number.exponent, step.exponent)
    else {
      guard let number = Double(digits), let step = Double(step), step > 0 else { return true }
      let count = number / step
      return count.isInfinite ? number.remainder(dividingBy: step) == 0 : count.rounded() == count
    }
    if number.value == 0 { return true }
    // Both are scaled to whole numbers of the smaller unit.
    if shift >= 0 {
      var rest = number.value % step.value
      for _ in 0..<shift { rest = rest * 10 % step.value }
      return rest == 0
    }
    var scaled = step.value
    for _ in 0..<(-shift) {
      let (next, overflows) = scaled.multipliedReportingOverflow(by: 10)
      if overflows { return false }
      scaled = next
    }
    return number.value % scaled == 0
  }

  private static func difference(_ left: Int, _ right: Int) -> Int? {
    let shift = left - right
    return abs(shift) <= 1_000 ? shift : nil
  }

  /// The number as digits times a power of ten, without zeros at the end; `nil` where it is too
  /// long.
  private static func decimal(_ text: String) -> (value: Int128, exponent: Int)? {
    let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "eE".contains($0) }
    let parts = halves[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1] : ""
    guard parts[0].utf8.count + fraction.utf8.count <= 36, var value = Int128(parts[0] + fraction)
    else { return nil }
    var exponent = halves.count > 1 ? Int(halves[1]) ?? .max : 0
    guard abs(exponent) <= 1 << 20 else { return nil }
    exponent -= fraction.utf8.count
    if value == 0 { return (0, 0) }
    while value % 10 == 0 {
      value /= 10
      exponent += 1
    }
    return (value < 0 ? -value : value, exponent)
  }
}
