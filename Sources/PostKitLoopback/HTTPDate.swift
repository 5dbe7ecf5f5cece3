// The Date header (RFC 9110, section 5.6.7); its words are English in every locale.

import Libc

/// Writes moments as HTTP does.
enum HTTPDate {
  /// A moment as `Sun, 06 Nov 1994 08:49:37 GMT`, given in seconds since 1970.
  static func text(seconds: Int64) -> String {
    var (moment, parts) = (time_t(seconds), tm())
    gmtime_r(&moment, &parts)
    let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    let day = "\(twoDigits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1_900)"
    return "\(weekdays[Int(parts.tm_wday)]), \(day) \(time) GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func twoDigits(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
