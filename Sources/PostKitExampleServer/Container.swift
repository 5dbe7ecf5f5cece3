// Gzip and PNG around stored deflate blocks: valid for every reader, without a compressor.

/// Makes byte formats that hold data uncompressed.
enum Container {
  /// Bytes as a gzip file (RFC 1952).
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + stored(bytes)
      + littleEndian(crc32(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// An RGB image as a PNG file; `pixels` holds three bytes for each, line by line.
  static func png(width: Int, height: Int, pixels: [UInt8]) -> [UInt8] {
    var lines: [UInt8] = []
    for line in 0..<height {
      lines.append(0)
      lines += pixels[(line * width * 3)..<((line + 1) * width * 3)]
    }
    let size = bigEndian(UInt32(width)) + bigEndian(UInt32(height))
    return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + chunk("IHDR", size + [8, 2, 0, 0, 0])
      + chunk("IDAT", [0x78, 0x01] + stored(lines) + bigEndian(adler32(lines)))
      + chunk("IEND", [])
  }

  /// The check value of gzip and PNG.
  static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  /// Stored blocks of at most 65,535 bytes (RFC 1951, section 3.2.4).
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var start = 0
    repeat {
      let end = min(start + 65_535, bytes.count)
      let count = UInt16(end - start)
      output.append(end == bytes.count ? 1 : 0)
      for value in [count, ~count] {
        output += [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
      }
      output += bytes[start..<end]
      start = end
    } while start < bytes.count
    return output
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(type.utf8) + data
    return bigEndian(UInt32(data.count)) + content + bigEndian(crc32(content))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func littleEndian(_ value: UInt32) -> [UInt8] { bigEndian(value).reversed() }
}
