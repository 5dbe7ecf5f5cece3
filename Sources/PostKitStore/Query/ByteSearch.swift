// Looking for bytes in bytes.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Finds texts by their bytes, as the C library does it: a comparison of characters takes a hundred
/// times as long.
enum ByteSearch {
  /// Whether some bytes occur in others.
  static func contains(_ needle: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = needle.first else { return true }
    guard var start = bytes.baseAddress else { return false }
    let end = start + bytes.count
    return needle.withUnsafeBytes { needle in
      guard let wanted = needle.baseAddress else { return true }
      while start + needle.count <= end {
        let room = end - start - needle.count + 1
        guard let found = memchr(start, Int32(first), room) else { return false }
        if memcmp(found, wanted, needle.count) == 0 { return true }
        start = UnsafeRawPointer(found) + 1
      }
      return false
    }
  }

  /// Whether some bytes occur in a text.
  static func contains(_ needle: [UInt8], in text: String) -> Bool {
    var text = text
    return text.withUTF8 { contains(needle, in: UnsafeRawBufferPointer($0)) }
  }
}
