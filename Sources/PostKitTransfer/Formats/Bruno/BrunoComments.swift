// JSON with comments, which Bruno takes out before it sends a body.

/// Takes the comments out of JSON.
enum BrunoComments {
  /// The text without `//` and `/* */` outside of strings, and without the lines that hold nothing
  /// else; `nil` where there is none.
  static func removed(from text: String) -> String? {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var at = 0
    var found = false
    while at < bytes.count {
      switch bytes[at] {
      case 0x22:
        let end = stringEnd(bytes, at)
        result += bytes[at..<end]
        at = end
      case 0x2F where at + 1 < bytes.count && bytes[at + 1] == 0x2F:
        found = true
        at = bytes[at...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        at = endOfEmptyLine(bytes, at, &result)
      case 0x2F where at + 1 < bytes.count && bytes[at + 1] == 0x2A:
        guard let end = commentEnd(bytes, at + 2) else {
          // What is never closed is no comment.
          result += bytes[at...]
          at = bytes.count
          continue
        }
        found = true
        at = endOfEmptyLine(bytes, end, &result)
      default:
        result.append(bytes[at])
        at += 1
      }
    }
    return found ? String(decoding: result, as: UTF8.self) : nil
  }

  /// Just behind the quote that closes a string, or the end of its line where none does.
  private static func stringEnd(_ bytes: [UInt8], _ start: Int) -> Int {
    var at = start + 1
    while at < bytes.count, bytes[at] != 0x0A {
      if bytes[at] == 0x22 { return at + 1 }
      at += bytes[at] == 0x5C ? 2 : 1
    }
    return min(at, bytes.count)
  }

  private static func commentEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    var at = start
    while at + 1 < bytes.count {
      if bytes[at] == 0x2A, bytes[at + 1] == 0x2F { return at + 2 }
      at += 1
    }
    return nil
  }

  /// Goes on behind a comment; where nothing else stands on its line, behind the line's end, and
  /// takes back the blanks before it.
  private static func endOfEmptyLine(
    _ bytes: [UInt8], _ start: Int, _ result: inout [UInt8]
  ) -> Int {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let kept = result.lastIndex { !isBlank($0) }
    guard kept.map({ result[$0] == 0x0A }) ?? true else { return start }
    var end = start
    while end < bytes.count, isBlank(bytes[end]) { end += 1 }
    guard end == bytes.count || bytes[end] == 0x0A || bytes[end] == 0x0D else { return start }
    if end < bytes.count, bytes[end] == 0x0D { end += 1 }
    if end < bytes.count, bytes[end] == 0x0A { end += 1 }
    result.removeLast(result.count - (kept.map { $0 + 1 } ?? 0))
    return end
  }
}
