// The times of a capture (ISO 8601 as RFC 3339 has it).

import PostKitEvaluate

/// Reads times such as `2026-01-31T10:00:00.250+01:00`.
enum HARTime {
  /// Milliseconds since 1970; `nil` where the text is no such time.
  static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[range] {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 48)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), (1...CivilDate.length(year: year, month: month)).contains(day),
      hour < 24, minute < 60, second < 61
    else { return nil }
    var at = 19
    var fraction = 0
    if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
      at += 1
      var digits = 0
      while at < bytes.count, (48...57).contains(bytes[at]) {
        if digits < 3 { fraction = fraction * 10 + Int(bytes[at] - 48) }
        digits += 1
        at += 1
      }
      while digits < 3 {
        fraction *= 10
        digits += 1
      }
    }
    var offset = 0
    if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") {
      guard let hours = number(at + 1..<at + 3),
        let minutes = number(at + 4..<at + 6) ?? number(at + 3..<at + 5)
      else { return nil }
      offset = (hours * 60 + minutes) * (bytes[at] == UInt8(ascii: "-") ? -1 : 1)
    }
    var date = CivilDate(milliseconds: 0)
    (date.year, date.month, date.day) = (year, month, day)
    (date.hour, date.minute, date.second) = (hour, minute, second)
    return date.milliseconds + Int64(fraction) - Int64(offset) * 60_000
  }
}
