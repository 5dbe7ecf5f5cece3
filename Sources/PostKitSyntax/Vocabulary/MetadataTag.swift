// The metadata tags of all tools (PK-36). What is known of each stands in `MetadataTable`; this is
// how a key finds its tag.

extension MetadataTag {
  /// The tag of a key as written; `nil` where no tool knows it.
  package init?(key: String) {
    let bytes = Array(key.utf8)
    self.init(bytes, 0..<bytes.count)
  }

  /// The tag of a key in a text.
  init?<Bytes: RandomAccessCollection>(
    _ bytes: Bytes, _ key: Range<Int>
  ) where Bytes.Element == UInt8, Bytes.Index == Int {
    let found = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: key.count) { buffer in
      var count = 0
      for place in key where bytes[place] != Byte.dash {
        buffer[count] = bytes[place].lowercased
        count += 1
      }
      return MetadataKeys.known.tag(of: UnsafeBufferPointer(rebasing: buffer[..<count]))
    }
    guard let found else { return nil }
    self = found
  }

  /// What is known of it.
  package var entry: MetadataEntry { MetadataTable.byTag[Int(rawValue)] }

  /// A key in small letters without hyphens, as which tools read it: `no-redirect` and `noRedirect`
  /// are `noredirect`.
  package static func folded(_ key: String) -> String {
    String(decoding: key.utf8.lazy.filter { $0 != Byte.dash }.map(\.lowercased), as: UTF8.self)
  }
}

/// The keys of all tags, folded. The parser asks for each line of metadata, so a key is looked up
/// by its bytes, and no text is made of it.
private struct MetadataKeys {
  static let known = MetadataKeys()

  /// The number of a key, from 1, at the place that its bytes give; 0 where there is none.
  private var slots = [UInt8](repeating: 0, count: 512)
  private var keys: [(bytes: [UInt8], tag: MetadataTag)] = []
  /// What keys with an open end begin with.
  private var beginnings: [(bytes: [UInt8], tag: MetadataTag)] = []

  private init() {
    for entry in MetadataTable.all {
      for key in entry.keys {
        let bytes = Array(MetadataTag.folded(key).utf8)
        if entry.isOpen {
          beginnings.append((bytes, entry.tag))
        } else {
          keys.append((bytes, entry.tag))
          var slot = bytes.withUnsafeBufferPointer(MetadataKeys.slot)
          while slots[slot] != 0 { slot = (slot + 1) % slots.count }
          slots[slot] = UInt8(keys.count)
        }
      }
    }
  }

  private static func slot(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int((hash ^ hash >> 15) & 511)
  }

  func tag(of key: UnsafeBufferPointer<UInt8>) -> MetadataTag? {
    var slot = MetadataKeys.slot(key)
    while slots[slot] != 0 {
      let known = keys[Int(slots[slot]) - 1]
      if known.bytes.elementsEqual(key) { return known.tag }
      slot = (slot + 1) % slots.count
    }
    return beginnings.first { key.starts(with: $0.bytes) }?.tag
  }
}
