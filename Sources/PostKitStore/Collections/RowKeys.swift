// Ids of requests as numbers: comparing and hashing ten thousand texts would take longer than
// reading them.

import PostKitSupport

/// An id as two numbers.
struct RowKey: Equatable {
  private var high: UInt64 = 0
  fileprivate var low: UInt64 = 0

  /// The key of no id.
  fileprivate init() {}

  /// The key of an id.
  init(_ id: String) {
    var id = id
    self = id.withUTF8 { RowKey(UnsafeRawBufferPointer($0)) }
  }

  /// Takes the 32 digits of an id, eight at a time; the store has no other ids.
  init(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Identifier.length else { return }
    func four(_ place: Int) -> UInt64 {
      UInt64(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
    func digits(_ first: Int, _ second: Int) -> UInt64 {
      let text = four(first) | four(second) << 32
      // The low bits of a letter are nine less than its value; bit 6 tells letters from digits.
      var value = (text & 0x0F0F_0F0F_0F0F_0F0F) &+ (text >> 6 & 0x0101_0101_0101_0101) &* 9
      value = (value | value >> 4) & 0x00FF_00FF_00FF_00FF
      value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
      return (value | value >> 16) & 0xFFFF_FFFF
    }
    high = digits(0, 4) << 32 | digits(9, 14)
    low = digits(19, 24) << 32 | digits(28, 32)
  }
}

/// Numbers by the keys of ids.
///
/// Ids end in random digits, which are as good as a hash of them.
struct RowKeyTable {
  private var keys: [RowKey] = []
  private var numbers: [Int64] = []
  /// Keys that it has.
  private(set) var count = 0
  /// The key that was looked up last, and its number: rows of one container follow each other.
  private var last = RowKey()
  private var lastNumber: Int64?

  /// A table with no keys and room for some.
  init(capacity: Int = 64) { reserve(capacity) }

  /// Adds a key, and answers whether it was missing. That of no id can't be added.
  @discardableResult
  mutating func insert(_ key: RowKey, _ number: Int64 = 0) -> Bool {
    if count * 2 >= keys.count { reserve(count * 4) }
    let place = self.place(of: key)
    guard keys[place] != key else { return false }
    last = RowKey()
    lastNumber = nil
    keys[place] = key
    numbers[place] = number
    count += 1
    return true
  }

  /// Whether it has a key.
  func contains(_ key: RowKey) -> Bool { keys[place(of: key)] == key && key != RowKey() }

  /// The number of a key; `nil` for one that it doesn't have.
  mutating func number(of key: RowKey) -> Int64? {
    if key != last {
      let place = self.place(of: key)
      last = key
      lastNumber = keys[place] == key && key != RowKey() ? numbers[place] : nil
    }
    return lastNumber
  }

  /// Leaves those keys that another table has, too.
  mutating func formIntersection(_ other: RowKeyTable) {
    var both = RowKeyTable(capacity: min(count, other.count))
    for key in keys where key != RowKey() && other.contains(key) { both.insert(key) }
    self = both
  }

  /// Where a key is, or would be.
  private func place(of key: RowKey) -> Int {
    let mask = keys.count - 1
    var place = Int(truncatingIfNeeded: key.low ^ key.low >> 32) & mask
    while keys[place] != key, keys[place] != RowKey() { place = (place + 1) & mask }
    return place
  }

  /// Makes room for twice as many keys, so that few share a place.
  private mutating func reserve(_ capacity: Int) {
    var size = 64
    while size < capacity * 2 { size *= 2 }
    let old = zip(keys, numbers)
    (keys, numbers) = (
      Array(repeating: RowKey(), count: size), Array(repeating: 0, count: size)
    )
    for (key, number) in old where key != RowKey() {
      let place = self.place(of: key)
      (keys[place], numbers[place]) = (key, number)
    }
  }
}
