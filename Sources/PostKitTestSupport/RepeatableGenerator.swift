// Random numbers that are the same on every run, so that a failing property test can be repeated.

/// SplitMix64: tiny, fast, and good enough to choose test cases.
package struct RepeatableGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator; equal seeds give equal numbers for ever.
  package init(seed: UInt64) { state = seed }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// A number of a range; the range must not be empty.
  package mutating func int(in range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

  /// An element of a collection that is not empty.
  package mutating func pick<Elements: RandomAccessCollection>(
    _ elements: Elements
  ) -> Elements.Element {
    elements[elements.index(elements.startIndex, offsetBy: int(in: 0..<elements.count))]
  }

  /// True once in `times` on average.
  package mutating func oneIn(_ times: Int) -> Bool { int(in: 0..<times) == 0 }

  /// Bytes with one random change: a byte replaced, removed, doubled, or a range cut out.
  package mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return [UInt8(truncatingIfNeeded: next())] }
    var result = bytes
    let at = int(in: 0..<result.count)
    switch int(in: 0..<4) {
    case 0: result[at] = UInt8(truncatingIfNeeded: next())
    case 1: result.remove(at: at)
    case 2: result.insert(result[at], at: at)
    default: result.removeSubrange(at..<min(result.count, at + int(in: 1..<8)))
    }
    return result
  }
}
