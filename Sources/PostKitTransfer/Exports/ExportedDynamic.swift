// The values that are made anew at each use, as far as other tools can make them.

import PostKitEvaluate

/// What a `$` variable gives, in words that a writer can say in its own language.
enum ExportedDynamic: Sendable, Hashable {
  case uuid
  /// Seconds since 1970, shifted by so many.
  case seconds(shift: Int)
  case milliseconds
  case iso8601
  case rfc1123
  /// The local date, `YYYY-MM-DD`.
  case date
  /// A whole number from the first up to, but not including, the second.
  case integer(Int, Int)
  case float(Double, Double)
  /// So many of these characters.
  case characters(String, Int)
  case email
  /// One that other tools can't make.
  case other

  private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
  /// The letters of a made-up mail address.
  static let small = "abcdefghijklmnopqrstuvwxyz"

  /// Reads a name without `$` and its arguments.
  init(name: String, arguments: String) {
    let words = arguments.split { $0 == " " || $0 == "," || $0 == "\t" }.map(String.init)
    switch name {
    case "guid", "uuid", "random.uuid": self = .uuid
    case "timestamp": self = ExportedDynamic.shift(words).map { .seconds(shift: $0) } ?? .other
    case "timestampMs": self = .milliseconds
    case "isoTimestamp": self = .iso8601
    case "datetime" where words == ["iso8601"]: self = .iso8601
    case "datetime" where words == ["rfc1123"]: self = .rfc1123
    case "date": self = .date
    case "randomInt", "random.integer": self = ExportedDynamic.integer(words)
    case "random.float": self = ExportedDynamic.float(words)
    case "random.alphabetic": self = .characters(Self.letters, ExportedDynamic.count(words))
    case "random.alphanumeric":
      self = .characters(Self.letters + "0123456789_", ExportedDynamic.count(words))
    case "random.hexadecimal":
      self = .characters("0123456789abcdef", ExportedDynamic.count(words))
    case "random.email": self = .email
    default: self = .other
    }
  }

  private static func count(_ words: [String]) -> Int { words.first.flatMap(Int.init) ?? 1 }

  private static func integer(_ words: [String]) -> ExportedDynamic {
    let numbers = words.compactMap(Int.init)
    guard numbers.count == words.count, numbers.count <= 2 else { return .other }
    let bounds = numbers.count == 2 ? (numbers[0], numbers[1]) : (0, numbers.first ?? 1_000)
    return bounds.0 < bounds.1 ? .integer(bounds.0, bounds.1) : .other
  }

  private static func float(_ words: [String]) -> ExportedDynamic {
    let numbers = words.compactMap(Double.init)
    guard numbers.count == words.count, numbers.count <= 2 else { return .other }
    return numbers.count == 2 ? .float(numbers[0], numbers[1]) : .float(0, numbers.first ?? 1_000)
  }

  /// The seconds of `-1 d`; none where nothing is written.
  private static func shift(_ words: [String]) -> Int? {
    if words.isEmpty { return 0 }
    let units = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
    guard words.count == 2, let number = Int(words[0]), abs(number) < 1_000_000_000,
      let unit = units[words[1]]
    else { return nil }
    return number * unit
  }
}
