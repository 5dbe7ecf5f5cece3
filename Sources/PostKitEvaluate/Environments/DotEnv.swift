// Dotenv files (PK-52): `KEY=value`, quotes, comments; nothing is executed or expanded.

import PostKitHTTP
import PostKitText

/// One line of a dotenv file.
struct DotEnvEntry: Sendable, Hashable {
  var key: String
  var value: String
  /// The bytes of the key.
  var keyRange: Range<Int>
  /// The bytes of the value.
  var range: Range<Int>
  /// The line, counted from 1.
  var line: Int
}

/// Reads dotenv files.
package enum DotEnv {
  /// Where the keys and values of the entries stand, in order.
  package static func places(_ bytes: [UInt8]) -> [(key: Range<Int>, value: Range<Int>)] {
    entries(bytes).map { ($0.keyRange, $0.range) }
  }

  /// The entries in order; lines of another form are skipped, as every dotenv reader does.
  static func entries(_ bytes: [UInt8]) -> [DotEnvEntry] {
    var entries: [DotEnvEntry] = []
    // A byte order mark is no part of the first key.
    var start = bytes.byteOrderMarkLength
    var line = 1
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      var last = end
      if last > start, bytes[last - 1] == 0x0D { last -= 1 }
      if let entry = entry(bytes, start..<last, line: line) { entries.append(entry) }
      start = end + 1
      line += 1
    }
    return entries
  }

  private static func entry(_ bytes: [UInt8], _ range: Range<Int>, line: Int) -> DotEnvEntry? {
    guard let equals = bytes[range].firstIndex(of: UInt8(ascii: "=")) else { return nil }
    var key = String(decoding: bytes[range.lowerBound..<equals], as: UTF8.self).trimmingBlanks
    if key.hasPrefix("#") || key.isEmpty { return nil }
    if key.hasPrefix("export ") { key = key.dropFirst(7).description.trimmingBlanks }
    guard key.utf8.allSatisfy({ $0 > 32 }) else { return nil }
    let place = equals + 1..<range.upperBound
    let written = String(keeping: bytes[place]).trimmingBlanks
    // The key is the last word before the sign.
    let before = bytes[range.lowerBound..<equals]
    let end = before.lastIndex { $0 > 32 }.map { $0 + 1 } ?? equals
    let start = before[..<end].lastIndex { $0 <= 32 }.map { $0 + 1 } ?? range.lowerBound
    return DotEnvEntry(
      key: key, value: value(written), keyRange: start..<end, range: place, line: line)
  }

  private static func value(_ written: String) -> String {
    guard let quote = written.first, quote == "'" || quote == "\"" || quote == "`" else {
      return withoutComment(written)
    }
    var result = ""
    var escaped = false
    for character in written.dropFirst() {
      if escaped {
        escaped = false
        switch character {
        case "n": result.append("\n")
        case "r": result.append("\r")
        case "t": result.append("\t")
        case "\"", "\\": result.append(character)
        default: result.append("\\\(character)")
        }
      } else if quote == "\"" && character == "\\" {
        escaped = true
      } else if character == quote {
        return result
      } else {
        result.append(character)
      }
    }
    // The closing quote is missing: the quote is part of the value, as the author typed it.
    return withoutComment(written)
  }

  private static func withoutComment(_ written: String) -> String {
    if written.hasPrefix("#") { return "" }
    var previous: Character = "x"
    for index in written.indices {
      if written[index] == "#", previous == " " || previous == "\t" {
        return written[..<index].description.trimmingBlanks
      }
      previous = written[index]
    }
    return written
  }
}

extension String {
  /// The text without white space at both ends.
  package var trimmingBlanks: String {
    let isBlank: (UInt8) -> Bool = { $0 == 32 || $0 == 9 || $0 == 13 || $0 == 10 }
    guard let start = utf8.firstIndex(where: { !isBlank($0) }),
      let last = utf8.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[start...last])
  }
}
