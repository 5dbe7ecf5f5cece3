// Date formats: RFC 1123, ISO 8601, day.js patterns and .NET patterns (PK-63, PK-109).

/// Writes dates in the forms that `.http` files ask for.
package enum DateFormat {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// `2026-01-31T10:15:00.200Z`.
  package static func iso8601(_ date: CivilDate) -> String {
    pattern("YYYY-MM-DD[T]HH:mm:ss.SSS[Z]", date)
  }

  /// `2026-01-31T11:15:00+01:00` (PK-109).
  package static func localISO8601(_ date: CivilDate) -> String {
    pattern("YYYY-MM-DD[T]HH:mm:ssZ", date)
  }

  /// `Sat, 31 Jan 2026 10:15:00 GMT` (RFC 9110, section 5.6.7).
  package static func rfc1123(_ date: CivilDate) -> String {
    pattern("ddd, DD MMM YYYY HH:mm:ss [GMT]", date)
  }

  /// `Sat, 31 Jan 2026 11:15:00 +0100`.
  package static func localRFC1123(_ date: CivilDate) -> String {
    pattern("ddd, DD MMM YYYY HH:mm:ss ZZ", date)
  }

  /// Whose tokens a pattern is written with.
  package enum Style: Sendable, Hashable {
    /// .NET's where there is `yyyy` or `dd` and neither `YYYY` nor `DD`, else day.js's (PK-63).
    case heuristic
    case dayJS, dotNet
  }

  /// A pattern of the author's.
  package static func custom(
    _ text: String, _ date: CivilDate, style: Style = .heuristic
  ) -> String {
    let isDotNet =
      switch style {
      case .dayJS: false
      case .dotNet: true
      case .heuristic: looksLikeDotNet(text)
      }
    return pattern(isDotNet ? dayJS(fromDotNet: text) : text, date)
  }

  private static func looksLikeDotNet(_ text: String) -> Bool {
    var (isDotNet, isDayJS) = (false, false)
    forEachRun(of: text) { letter, run in
      switch letter {
      case "y": if run.count >= 4 { isDotNet = true }
      case "d": if run.count >= 2 { isDotNet = true }
      case "Y": if run.count >= 4 { isDayJS = true }
      case "D": if run.count >= 2 { isDayJS = true }
      default: break
      }
    }
    return isDotNet && !isDayJS
  }

  /// Rewrites .NET tokens as day.js tokens; letters that only .NET knows are left.
  private static func dayJS(fromDotNet text: String) -> String {
    var output: [UInt8] = []
    var isQuoted = false
    forEachRun(of: text) { letter, run in
      let literal = [UInt8(ascii: "[")] + run + [UInt8(ascii: "]")]
      switch letter {
      case "'":
        // Two quotes are one; a single one begins or ends a text.
        if run.count % 2 == 1 { isQuoted.toggle() }
        output += run.prefix(run.count / 2)
      case _ where isQuoted: output += literal
      case "a", "A", "D", "Y", "S", "Z", "X", "x": output += literal
      case "y": output += (run.count >= 4 ? "YYYY" : "YY").utf8
      case "d":
        output += (run.count >= 4 ? "dddd" : run.count == 3 ? "ddd" : run.count == 2 ? "DD" : "D")
          .utf8
      case "f": output += repeatElement(UInt8(ascii: "S"), count: run.count)
      case "t": output += (run.count >= 2 ? "A" : "a").utf8
      case "z": output += (run.count >= 3 ? "Z" : "ZZ").utf8
      case "K": output += "Z".utf8
      default: output += run
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func pattern(_ text: String, _ date: CivilDate) -> String {
    var output: [UInt8] = []
    var isLiteral = false
    forEachRun(of: text) { letter, run in
      if isLiteral {
        if letter == "]" { isLiteral = false } else { output += run }
      } else if letter == "[" {
        isLiteral = true
      } else if run.count > longestToken || !letter.isASCII {
        output += run
      } else {
        output += token(String(decoding: run, as: UTF8.self), date).utf8
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The bytes of the longest token.
  private static let longestToken = 4

  /// Cuts a pattern into runs of one repeated byte; brackets stand alone. No token has a letter
  /// beyond ASCII, so that the bytes of others may be taken apart: they are put together again.
  private static func forEachRun(
    of text: String, _ take: (Unicode.Scalar, ArraySlice<UInt8>) -> Void
  ) {
    let bytes = Array(text.utf8)
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      let joins = byte != UInt8(ascii: "[") && byte != UInt8(ascii: "]")
      var end = at + 1
      while joins, end < bytes.count, bytes[end] == byte { end += 1 }
      take(Unicode.Scalar(byte), bytes[at..<end])
      at = end
    }
  }

  private static func token(_ run: String, _ date: CivilDate) -> String {
    let hour12 = (date.hour + 11) % 12 + 1
    return switch run {
    case "YYYY": padded(date.year, 4)
    case "YY": padded(date.year % 100, 2)
    case "MMMM": months[date.month - 1]
    case "MMM": String(months[date.month - 1].prefix(3))
    case "MM": padded(date.month, 2)
    case "M": "\(date.month)"
    case "DD": padded(date.day, 2)
    case "D": "\(date.day)"
    case "dddd": weekdays[date.weekday]
    case "ddd": String(weekdays[date.weekday].prefix(3))
    case "dd": String(weekdays[date.weekday].prefix(2))
    case "d": "\(date.weekday)"
    case "HH": padded(date.hour, 2)
    case "H": "\(date.hour)"
    case "hh": padded(hour12, 2)
    case "h": "\(hour12)"
    case "mm": padded(date.minute, 2)
    case "m": "\(date.minute)"
    case "ss": padded(date.second, 2)
    case "s": "\(date.second)"
    case "SSS": padded(date.millisecond, 3)
    case "SS": padded(date.millisecond / 10, 2)
    case "S": "\(date.millisecond / 100)"
    case "A": date.hour < 12 ? "AM" : "PM"
    case "a": date.hour < 12 ? "am" : "pm"
    case "Z": offset(date, ":")
    case "ZZ": offset(date, "")
    case "X": "\(date.milliseconds / 1_000)"
    case "x": "\(date.milliseconds)"
    default: run
    }
  }

  private static func offset(_ date: CivilDate, _ colon: String) -> String {
    let minutes = abs(date.offsetSeconds) / 60
    let sign = date.offsetSeconds < 0 ? "-" : "+"
    return sign + padded(minutes / 60, 2) + colon + padded(minutes % 60, 2)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
