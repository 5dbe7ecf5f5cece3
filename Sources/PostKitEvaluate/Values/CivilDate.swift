// Dates without a calendar library: the proleptic Gregorian calendar in integers.

/// A moment as date and time of day.
package struct CivilDate: Sendable, Hashable {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  package var millisecond: Int
  /// Seconds ahead of UTC.
  package var offsetSeconds: Int

  /// The date of a moment in milliseconds since 1970-01-01T00:00:00Z.
  package init(milliseconds: Int64, offsetSeconds: Int = 0) {
    let local = milliseconds + Int64(offsetSeconds) * 1_000
    let days = CivilDate.floorDivide(local, 86_400_000)
    let rest = Int(local - days * 86_400_000)
    (year, month, day) = CivilDate.date(days: Int(days))
    hour = rest / 3_600_000
    minute = rest / 60_000 % 60
    second = rest / 1_000 % 60
    millisecond = rest % 1_000
    self.offsetSeconds = offsetSeconds
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  package var milliseconds: Int64 {
    let days = Int64(CivilDate.days(year: year, month: month, day: day))
    let seconds = days * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offsetSeconds)
    return seconds * 1_000 + Int64(millisecond)
  }

  /// 0 for Sunday to 6 for Saturday.
  package var weekday: Int {
    let days = CivilDate.days(year: year, month: month, day: day)
    return Int(CivilDate.floorModulo(Int64(days) + 4, 7))
  }

  /// The date some months later; the day is clamped to the length of its month.
  package func adding(months: Int) -> CivilDate {
    var result = self
    let total = Int64(year) * 12 + Int64(month - 1) + Int64(months)
    result.year = Int(CivilDate.floorDivide(total, 12))
    result.month = Int(CivilDate.floorModulo(total, 12)) + 1
    result.day = min(day, CivilDate.length(year: result.year, month: result.month))
    return result
  }

  /// The number of days of a month.
  package static func length(year: Int, month: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01; years start in March so that the leap day is the last one.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = Int(floorDivide(Int64(y), 400))
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func date(days: Int) -> (Int, Int, Int) {
    let shifted = days + 719_468
    let era = Int(floorDivide(Int64(shifted), 146_097))
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  private static func floorDivide(_ value: Int64, _ by: Int64) -> Int64 {
    value >= 0 ? value / by : -((-value + by - 1) / by)
  }

  private static func floorModulo(_ value: Int64, _ by: Int64) -> Int64 {
    value - floorDivide(value, by) * by
  }
}
