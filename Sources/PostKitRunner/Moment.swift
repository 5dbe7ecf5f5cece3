// Times as people write and read them.

import PostKitEvaluate
import PostKitSupport

/// Reads and writes moments in milliseconds since 1970-01-01T00:00:00Z.
package enum Moment {
  /// RFC 3339 in UTC with milliseconds.
  package static func utc(_ milliseconds: Int64) -> String {
    DateFormat.iso8601(CivilDate(milliseconds: milliseconds))
  }

  /// Date and time in the local zone.
  package static func local(_ milliseconds: Int64) -> String {
    DateFormat.custom("YYYY-MM-DD HH:mm:ss", localDate(milliseconds))
  }

  /// The date in the local zone: `2026-01-31`.
  package static func date(_ milliseconds: Int64) -> String {
    DateFormat.custom("YYYY-MM-DD", localDate(milliseconds))
  }

  /// The time of the day in the local zone: `07:29`.
  package static func clock(_ milliseconds: Int64) -> String {
    DateFormat.custom("HH:mm", localDate(milliseconds))
  }

  /// The day in the local zone as a heading: `Yesterday, 27 November 2026`, and before that
  /// `Thursday, 26 November 2026`; `nil` for today.
  package static func day(_ milliseconds: Int64, now: Int64) -> String? {
    let (date, today) = (localDate(milliseconds), localDate(now))
    let age = dayNumber(today) - dayNumber(date)
    guard age != 0 else { return nil }
    return (age == 1 ? "Yesterday" : DateFormat.custom("dddd", date))
      + DateFormat.custom(", D MMMM YYYY", date)
  }

  private static func localDate(_ milliseconds: Int64) -> CivilDate {
    CivilDate(
      milliseconds: milliseconds, offsetSeconds: Clock.localOffsetSeconds(at: milliseconds / 1_000))
  }

  /// The number of a date's day since 1970, in the date's own zone.
  private static func dayNumber(_ date: CivilDate) -> Int64 {
    var noon = date
    (noon.hour, noon.minute, noon.second, noon.millisecond, noon.offsetSeconds) = (12, 0, 0, 0, 0)
    return noon.milliseconds / 86_400_000
  }

  /// Reads `2026-01-31`, `2026-01-31T10:00:00[.123][Z|+01:00]` or an age such as `2h`; a date
  /// without a zone is local.
  package static func parse(_ text: String, now: Int64) -> Int64? {
    let hours = text.hasSuffix("d") ? days(text) : text
    if let age = Duration.milliseconds(hours, Dialect(.jetbrains)),
      text.last.map({ $0.isLetter }) == true, !text.contains("T"), !text.hasSuffix("Z")
    {
      return now - Int64(age)
    }
    let pieces = halves(text, "T")
    let date = pieces[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard date.count == 3, let year = date[0], let month = date[1], let day = date[2],
      (1...9_999).contains(year), (1...12).contains(month),
      (1...CivilDate.length(year: year, month: month)).contains(day)
    else { return nil }
    var result = CivilDate(milliseconds: 0)
    (result.year, result.month, result.day) = (year, month, day)
    guard pieces.count > 1 else { return inLocalZone(result) }
    return time(pieces[1], on: result)
  }

  private static func days(_ text: String) -> String {
    guard let days = Int(text.dropLast()), (0...36_500).contains(days) else { return text }
    return "\(days * 24)h"
  }

  /// A text up to the first separator, and what comes after it.
  private static func halves(_ text: String, _ separator: Character) -> [String] {
    text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
  }

  private static func time(_ text: String, on date: CivilDate) -> Int64? {
    var clock = text
    var offset: Int?
    if clock.hasSuffix("Z") || clock.hasSuffix("z") {
      clock.removeLast()
      offset = 0
    } else if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let parts = clock[clock.index(after: sign)...].split(separator: ":").map { Int($0) }
      guard parts.count == 2, let hours = parts[0], let minutes = parts[1], hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 3_600 + minutes * 60) * (clock[sign] == "-" ? -1 : 1)
      clock = String(clock[..<sign])
    }
    let halves = halves(clock, ".")
    let parts = halves[0].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
      let second = parts.count > 2 ? parts[2] : 0, (0..<24).contains(hour),
      (0..<60).contains(minute), (0...60).contains(second)
    else { return nil }
    var result = date
    (result.hour, result.minute, result.second) = (hour, minute, second)
    if halves.count > 1 {
      let digits = halves[1]
      guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
      result.millisecond = Int((digits + "000").prefix(3)) ?? 0
    }
    guard let offset else { return inLocalZone(result) }
    result.offsetSeconds = offset
    return result.milliseconds
  }

  private static func inLocalZone(_ date: CivilDate) -> Int64 {
    var result = date
    result.offsetSeconds = Clock.localOffsetSeconds(at: date.milliseconds / 1_000)
    return result.milliseconds
  }
}
