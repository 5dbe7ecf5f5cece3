// How a request is read goes into its file as a line, so that whoever opens the file reads it so;
// the manifest notes that it is none of the request's own.

import PostKitEvaluate
import PostKitText

/// The line `# @dialect PRESET` at the beginning of a file.
enum DialectLine {
  /// The file with the line; one that names a preset itself stays as it is.
  static func added(_ preset: DialectPreset, to bytes: [UInt8]) -> [UInt8] {
    let end = bytes.firstIndex(of: 10) ?? 0
    let isCRLF = end > 0 && bytes[end - 1] == 13
    let mark = bytes.byteOrderMarkLength
    return bytes[..<mark] + line(preset, isCRLF ? "\r\n" : "\n") + bytes[mark...]
  }

  /// The file without the line; one that begins otherwise stays as it is.
  static func removed(_ preset: DialectPreset, from bytes: [UInt8]) -> [UInt8] {
    let mark = bytes.byteOrderMarkLength
    for lineEnd in ["\n", "\r\n"] {
      let line = line(preset, lineEnd)
      guard bytes[mark...].starts(with: line) else { continue }
      return Array(bytes[..<mark] + bytes[(mark + line.count)...])
    }
    return bytes
  }

  private static func line(_ preset: DialectPreset, _ lineEnd: String) -> [UInt8] {
    Array("# @dialect \(preset.rawValue)\(lineEnd)".utf8)
  }
}
