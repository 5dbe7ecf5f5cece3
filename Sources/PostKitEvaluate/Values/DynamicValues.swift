// The `$` variables: one table entry each.

/// A dynamic variable: what it is called, how it is written, what it gives.
package struct DynamicVariable: Sendable {
  /// The name without `$`.
  package let name: String
  /// How it is written, without the braces.
  package let signature: String
  /// What it stands for, in one sentence.
  package let summary: String
  /// The value, or `nil` where the arguments are wrong.
  let value: @Sendable (DynamicArguments, EvaluationContext, Dialect) -> String?
}

/// The arguments of a dynamic variable.
struct DynamicArguments: Sendable {
  /// The text after the name, trimmed.
  let text: String

  /// The words between blanks or commas; quoted text is one word, quotes included.
  var words: [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    for character in text {
      if let open = quote {
        word.append(character)
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
        word.append(character)
      } else if character == " " || character == "\t" || character == "," {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}

/// The table of dynamic variables.
package enum DynamicVariables {
  /// All of them, in the order in which completion shows them.
  package static let all: [DynamicVariable] =
    identifiers + times + randoms + places + environments + vocabulary
    + inputs + tokens + restClientTokens

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The variable of that name, without `$`.
  package static func named(_ name: String) -> DynamicVariable? { byName[name] }

  private static let identifiers = ["guid", "uuid", "random.uuid"].map { name in
    plain(name, "A random UUID, new at each use.", uuid)
  }

  /// A variable without arguments.
  private static func plain(
    _ name: String, _ summary: String, _ value: @escaping @Sendable (EvaluationContext) -> String?
  ) -> DynamicVariable {
    DynamicVariable(name: name, signature: "$" + name, summary: summary) { arguments, context, _ in
      arguments.text.isEmpty ? value(context) : nil
    }
  }

  private static let times: [DynamicVariable] = [
    DynamicVariable(
      name: "timestamp", signature: "$timestamp [offset unit]",
      summary: "Seconds since 1970 in UTC."
    ) { arguments, context, dialect in
      if arguments.text.isEmpty && dialect.timestampInMilliseconds { return "\(context.now())" }
      return shifted(context.now(), arguments.words[...], 0).map { "\($0 / 1_000)" }
    },
    plain("timestampMs", "Milliseconds since 1970 in UTC.") { "\($0.now())" },
    plain("isoTimestamp", "The time in ISO 8601, UTC.") {
      DateFormat.iso8601(CivilDate(milliseconds: $0.now()))
    },
    DynamicVariable(
      name: "datetime", signature: "$datetime rfc1123|iso8601|\"format\" [offset unit]",
      summary: "The date and time in UTC."
    ) { arguments, context, dialect in
      formatted(arguments, context, isLocal: false, dialect.dateStyle)
    },
    DynamicVariable(
      name: "localDatetime", signature: "$localDatetime rfc1123|iso8601|\"format\" [offset unit]",
      summary: "The date and time in the local zone."
    ) { arguments, context, dialect in
      formatted(arguments, context, isLocal: true, dialect.dateStyle)
    },
    plain("date", "The local date, `YYYY-MM-DD`.") {
      DateFormat.custom("YYYY-MM-DD", local($0, $0.now()))
    },
  ]

  private static let randoms: [DynamicVariable] = [
    DynamicVariable(
      name: "randomInt", signature: "$randomInt [min max]",
      summary: "A random integer from min up to, but not including, max; 0 to 999 without them."
    ) { arguments, context, _ in
      let words = arguments.words
      return words.count == 1 ? nil : integer(words, context)
    },
    DynamicVariable(
      name: "random.integer", signature: "$random.integer([[min,] max])",
      summary: "A random integer from min up to, but not including, max; 0 to 999 without them."
    ) { arguments, context, _ in integer(arguments.words, context) },
    DynamicVariable(
      name: "random.float", signature: "$random.float([[min,] max])",
      summary: "A random number between min and max; between 0 and 1000 without them."
    ) { arguments, context, _ in
      let numbers = arguments.words.map(Double.init)
      guard numbers.count <= 2, numbers.allSatisfy({ $0?.isFinite == true }) else { return nil }
      let bounds = numbers.compactMap { $0 }
      let low = bounds.count == 2 ? min(bounds[0], bounds[1]) : 0
      let high = bounds.count == 2 ? max(bounds[0], bounds[1]) : bounds.first ?? 1_000
      let unit = Double(context.random() >> 11) / Double(1 << 53)
      // The difference of the bounds may be more than a number can hold.
      return "\(low * (1 - unit) + high * unit)"
    },
    text("alphabetic", "letters", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    text(
      "alphanumeric", "letters, digits and underscores",
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
    text("hexadecimal", "hexadecimal digits", "0123456789abcdef"),
    plain("random.email", "A random mail address.") {
      pick("abcdefghijklmnopqrstuvwxyz", 8, $0) + "@example.com"
    },
  ]

  private static let places: [DynamicVariable] = [
    plain("projectRoot", "The root folder that the request file belongs to.", \.projectRoot),
    plain(
      "historyFolder", "The folder `.postkit/responses` in the root folder, for `>>` saves."
    ) { $0.projectRoot + "/.postkit/responses" },
    plain("placeholder", "A gap to fill in; PostKit sends no request that has one.") { _ in nil },
  ]

  /// The items of the built-in words, one variable each.
  private static let vocabulary = RandomVocabulary.patterns.keys.sorted().map { item in
    plain(
      "random." + item, "A random value, such as `\(RandomVocabulary.example(of: item))`."
    ) { RandomVocabulary.value(of: item, random: $0.random) }
  }

  /// What there is in place of an unknown `$random.category.item`; `nil` for other names.
  static func randomHint(_ name: String) -> String? {
    guard name.hasPrefix("random.") else { return nil }
    let category = String(name.dropFirst("random.".count).prefix { $0 != "." })
    let items = RandomVocabulary.items(of: category)
    if !items.isEmpty { return "`$random.\(category)` has: \(items.joined(separator: ", "))." }
    return "`$random` has: integer, float, alphabetic, alphanumeric, hexadecimal, email, uuid, and "
      + "items of \(RandomVocabulary.categories.joined(separator: ", "))."
  }

  /// How `$xpath` is written; the evaluator reads what it needs from the exchanges.
  static let xpathSignature = "$xpath[:name] expression"

  private static let environments: [DynamicVariable] = [
    DynamicVariable(
      name: "xpath", signature: xpathSignature,
      summary: "The result of an XPath in the latest response, or in that of the request `name`."
    ) { _, _, _ in nil },
    DynamicVariable(
      name: "processEnv", signature: "$processEnv NAME",
      summary: "A variable of the process environment; empty where it is not set."
    ) { arguments, context, _ in
      arguments.words.count == 1 ? context.processEnvironment(arguments.text) ?? "" : nil
    },
    DynamicVariable(
      name: "dotenv", signature: "$dotenv NAME", summary: "A variable of the nearest `.env` file."
    ) { arguments, context, _ in
      guard arguments.words.count == 1 else { return nil }
      return DynamicVariables.dotEnvValue(arguments.text, context)
    },
    plain(
      "exampleServer",
      "The address of the built-in example server, started when a request needs it."
    ) { $0.exampleServer() },
    plain(
      "mock",
      "The address of the editor's mock (\"Start the mock of this folder\")."
    ) { $0.mock() },
  ]

  /// The value of a name in the nearest dotenv files, the later file first.
  static func dotEnvValue(_ name: String, _ context: EvaluationContext) -> String? {
    for file in context.dotEnvFiles.reversed() {
      if let entry = DotEnv.entries(file.bytes).last(where: { $0.key == name }) {
        return entry.value
      }
    }
    return nil
  }
}

extension DynamicVariables {
  private static func uuid(_ context: EvaluationContext) -> String {
    let high = context.random() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = context.random() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let letters = Array("0123456789abcdef")
    var result = ""
    for (index, word) in [high, low].enumerated() {
      for digit in 0..<16 {
        let place = index * 16 + digit
        if [8, 12, 16, 20].contains(place) { result.append("-") }
        result.append(letters[Int(word >> UInt64(60 - 4 * digit) & 15)])
      }
    }
    return result
  }

  private static func integer(_ words: [String], _ context: EvaluationContext) -> String? {
    let numbers = words.map { Int($0) }
    guard numbers.count <= 2, !numbers.contains(nil) else { return nil }
    let bounds = numbers.compactMap { $0 }
    let first = bounds.count == 2 ? bounds[0] : 0
    let second = bounds.count == 2 ? bounds[1] : bounds.first ?? 1_000
    let low = min(first, second)
    let high = max(first, second)
    guard low < high else { return "\(low)" }
    let span = UInt64(bitPattern: Int64(high &- low))
    return "\(low &+ Int(bitPattern: UInt(context.random() % span)))"
  }

  private static func text(_ kind: String, _ what: String, _ letters: String) -> DynamicVariable {
    DynamicVariable(
      name: "random.\(kind)", signature: "$random.\(kind)(length)",
      summary: "Random \(what), as many as asked for."
    ) { arguments, context, _ in
      guard let count = Int(arguments.text), count > 0, count <= 100_000 else { return nil }
      return pick(letters, count, context)
    }
  }

  private static func pick(_ letters: String, _ count: Int, _ context: EvaluationContext) -> String
  {
    let choices = Array(letters)
    return String((0..<count).map { _ in choices[Int(context.random() % UInt64(choices.count))] })
  }

  private static func local(_ context: EvaluationContext, _ milliseconds: Int64) -> CivilDate {
    let seconds = milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000
    return CivilDate(milliseconds: milliseconds, offsetSeconds: context.localOffsetSeconds(seconds))
  }

  private static func formatted(
    _ arguments: DynamicArguments, _ context: EvaluationContext, isLocal: Bool,
    _ style: DateFormat.Style
  ) -> String? {
    var words = arguments.words[...]
    var format = words.first ?? "iso8601"
    if Int(format) != nil { format = "iso8601" } else { words = words.dropFirst() }
    let offset = isLocal ? local(context, context.now()).offsetSeconds : 0
    guard let moment = shifted(context.now(), words, offset) else { return nil }
    let date = isLocal ? local(context, moment) : CivilDate(milliseconds: moment)
    switch format {
    case "rfc1123": return isLocal ? DateFormat.localRFC1123(date) : DateFormat.rfc1123(date)
    case "iso8601": return isLocal ? DateFormat.localISO8601(date) : DateFormat.iso8601(date)
    default:
      guard let quote = format.first, quote == "'" || quote == "\"", format.count >= 2,
        format.last == quote
      else { return nil }
      return DateFormat.custom(String(format.dropFirst().dropLast()), date, style: style)
    }
  }

  /// A moment moved by `offset unit`; `nil` where the words say something else.
  private static func shifted(
    _ milliseconds: Int64, _ words: ArraySlice<String>, _ offsetSeconds: Int
  ) -> Int64? {
    if words.isEmpty { return milliseconds }
    guard words.count == 2, let amount = Int64(words[words.startIndex]),
      abs(amount) <= 1_000_000_000
    else { return nil }
    let fixed: [String: Int64] = [
      "ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
    ]
    let months: [String: Int] = ["M": 1, "Q": 3, "y": 12]
    let unit = words[words.startIndex + 1]
    if let length = fixed[unit] { return milliseconds + amount * length }
    guard let count = months[unit], abs(amount) <= 1_000_000 else { return nil }
    let date = CivilDate(milliseconds: milliseconds, offsetSeconds: offsetSeconds)
    return date.adding(months: Int(amount) * count).milliseconds
  }
}
