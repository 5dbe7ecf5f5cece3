// The Date header, without the C library's locale (RFC 9110, section 5.6.7).

/// Writes moments as HTTP does.
enum HTTPDate {
  /// A moment as `Sun, 06 Nov 1994 08:49:37 GMT`, given in seconds since 1970.
  static func text(seconds: Int64) -> String {
    let days = Int((Double(seconds) / 86_400).rounded(.down))
    let second = Int(seconds) - days * 86_400
    let (year, month, day) = civil(days: days)
    let weekday = ((days % 7) + 11) % 7
    let time = [second / 3_600, second / 60 % 60, second % 60].map(twoDigits)
    return "\(weekdays[weekday]), \(twoDigits(day)) \(months[month - 1]) \(year) "
      + "\(time.joined(separator: ":")) GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func twoDigits(_ value: Int) -> String {
    value < 10 ? "0\(value)" : String(value)
  }

  /// The Gregorian date of a day counted from 1970, from 1970 on. Years are walked one by one,
  /// which takes no time for any date of a running clock.
  private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    var rest = max(days, 0)
    var year = 1970
    while rest >= length(year) {
      rest -= length(year)
      year += 1
    }
    var lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if length(year) == 366 { lengths[1] = 29 }
    var month = 0
    while rest >= lengths[month] {
      rest -= lengths[month]
      month += 1
    }
    return (year, month + 1, rest + 1)
  }

  private static func length(_ year: Int) -> Int {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365
  }
}
