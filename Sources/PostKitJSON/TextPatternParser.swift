// Reads regular expressions as JavaScript writes them (ECMA-262, 22.2.1).

/// Turns a pattern into a tree. Whether a repeat is greedy, and what groups are called, is read
/// and of no account: only whether something matches is asked.
struct TextPatternParser {
  private let scalars: [Unicode.Scalar]
  private var at = 0
  private var depth = 0
  private var ignoresCase = false

  init(_ pattern: String) {
    scalars = Array(pattern.unicodeScalars)
    // As most other tools have it, JavaScript by a flag.
    if take("(?i)") { ignoresCase = true }
  }

  /// Reads the whole pattern.
  mutating func parse() throws(TextPattern.Mistake) -> JSONPathRegexpTree {
    let tree = try choice()
    if at < scalars.count { throw mistake("a `)` closes nothing") }
    return tree
  }

  private func mistake(_ explanation: String) -> TextPattern.Mistake {
    TextPattern.Mistake(explanation: "\(explanation) (character \(at + 1))")
  }

  private mutating func choice() throws(TextPattern.Mistake) -> JSONPathRegexpTree {
    depth += 1
    defer { depth -= 1 }
    guard depth <= JSONPathParser.depthLimit else { throw mistake("groups are nested too deeply") }
    var branches: [JSONPathRegexpTree] = []
    repeat {
      var pieces: [JSONPathRegexpTree] = []
      while let scalar = peek(), scalar != "|", scalar != ")" {
        let atom = try atom()
        pieces.append(try repeated(atom))
      }
      branches.append(.sequence(pieces))
    } while take("|")
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  // MARK: - Repeats

  private mutating func repeated(
    _ atom: JSONPathRegexpTree
  ) throws(TextPattern.Mistake) -> JSONPathRegexpTree {
    guard let (minimum, maximum) = try counts() else { return atom }
    _ = take("?")
    if try counts() != nil { throw mistake("a repeat is repeated") }
    return .repeated(atom, minimum, maximum)
  }

  /// How often what stands before is to match; `nil` where no repeat stands.
  private mutating func counts() throws(TextPattern.Mistake) -> (Int, Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = at
    // Braces that are no repeat stand for themselves.
    guard take("{"), let minimum = number() else {
      at = start
      return nil
    }
    var maximum: Int? = minimum
    if take(",") { maximum = number() }
    guard take("}") else {
      at = start
      return nil
    }
    if let maximum, maximum < minimum {
      throw mistake("the upper bound of a repeat is below the lower one")
    }
    guard max(minimum, maximum ?? 0) <= JSONPathRegexp.stepLimit else {
      throw mistake("a repeat exceeds \(JSONPathRegexp.stepLimit) times")
    }
    return (minimum, maximum)
  }

  private mutating func number() -> Int? {
    let start = at
    while let scalar = peek(), "0"..."9" ~= scalar { at += 1 }
    guard at > start else { return nil }
    let digits = String(String.UnicodeScalarView(scalars[start..<at]))
    // More digits than a number has are more than any limit.
    return Int(digits) ?? Int.max
  }

  // MARK: - Atoms

  private mutating func atom() throws(TextPattern.Mistake) -> JSONPathRegexpTree {
    guard let scalar = peek() else { throw mistake("the pattern is incomplete") }
    switch scalar {
    case "(": return try group()
    case "[":
      at += 1
      return one(try members())
    case "\\":
      if take("\\b") { return .boundary(isWord: true) }
      if take("\\B") { return .boundary(isWord: false) }
      at += 1
      return one(JSONPathCharacterClass(items: try escape(inClass: false)))
    case "*", "+", "?": throw mistake("there is nothing to repeat")
    default: break
    }
    at += 1
    switch scalar {
    case "^": return .edge(isStart: true)
    case "$": return .edge(isStart: false)
    case ".": return one(JSONPathCharacterClass(items: TextPatternParser.lineEnds, isNegated: true))
    default: return one(JSONPathCharacterClass(items: [.range(scalar.value, scalar.value)]))
    }
  }

  private func one(_ characters: JSONPathCharacterClass) -> JSONPathRegexpTree {
    var result = characters
    result.ignoresCase = ignoresCase
    return .one(result)
  }

  private mutating func group() throws(TextPattern.Mistake) -> JSONPathRegexpTree {
    for look in ["(?=", "(?!", "(?<=", "(?<!"] where take(look) {
      throw mistake("lookaround (`\(look)`) is not supported, because its time is not bounded")
    }
    if take("(?<") {
      while let scalar = peek(), scalar != ">" { _ = scalar; at += 1 }
      guard take(">") else { throw mistake("the name of a group is not closed") }
    } else if !take("(?:") {
      _ = take("(")
      if peek() == "?" { throw mistake("this kind of group is not known") }
    }
    let inner = try choice()
    guard take(")") else { throw mistake("a group is not closed; add `)`") }
    return inner
  }

  // MARK: - Classes

  private mutating func members() throws(TextPattern.Mistake) -> JSONPathCharacterClass {
    var result = JSONPathCharacterClass(items: [])
    result.isNegated = take("^")
    while !take("]") {
      let low = try member()
      guard peek() == "-", at + 1 < scalars.count, scalars[at + 1] != "]" else {
        result.items += low
        continue
      }
      at += 1
      let high = try member()
      guard let first = low.single, let last = high.single else {
        result.items += low + [.range(0x2D, 0x2D)] + high
        continue
      }
      guard first <= last else { throw mistake("the end of a character range is below its start") }
      result.items.append(.range(first, last))
    }
    return result
  }

  private mutating func member() throws(TextPattern.Mistake) -> [JSONPathCharacterClass.Item] {
    guard let scalar = peek() else { throw mistake("a character class is not closed; add `]`") }
    at += 1
    return scalar == "\\" ? try escape(inClass: true) : [.range(scalar.value, scalar.value)]
  }

  /// What follows a backslash.
  private mutating func escape(
    inClass: Bool
  ) throws(TextPattern.Mistake) -> [JSONPathCharacterClass.Item] {
    guard let scalar = peek() else { throw mistake("a backslash is at the end") }
    at += 1
    switch scalar {
    case "n": return [.range(0x0A, 0x0A)]
    case "r": return [.range(0x0D, 0x0D)]
    case "t": return [.range(0x09, 0x09)]
    case "v": return [.range(0x0B, 0x0B)]
    case "f": return [.range(0x0C, 0x0C)]
    case "0": return [.range(0, 0)]
    case "b" where inClass: return [.range(0x08, 0x08)]
    case "d": return TextPatternParser.digits
    case "D": return TextPatternParser.digits.complement
    case "w": return TextPatternParser.word
    case "W": return TextPatternParser.word.complement
    case "s": return TextPatternParser.blanks
    case "S": return TextPatternParser.blanks.complement
    case "x": return [try scalarValue(digits: 2)]
    case "u":
      guard take("{") else { return [try scalarValue(digits: 4)] }
      let value = try scalarValue(digits: nil)
      guard take("}") else { throw mistake("`\\u{` is not closed") }
      return [value]
    case "p", "P": return [try category(isNegated: scalar == "P")]
    case "1"..."9", "k":
      throw mistake(
        "backreferences (`\\\(scalar)`) are not supported, because their time is not bounded")
    case "a"..."z", "A"..."Z": throw mistake("`\\\(scalar)` is not known")
    default: return [.range(scalar.value, scalar.value)]
    }
  }

  private mutating func scalarValue(
    digits: Int?
  ) throws(TextPattern.Mistake) -> JSONPathCharacterClass.Item {
    let start = at
    while let scalar = peek(), scalar.properties.isASCIIHexDigit, at - start < digits ?? 6 {
      at += 1
    }
    let text = String(String.UnicodeScalarView(scalars[start..<at]))
    guard at - start == digits ?? (at - start), let value = UInt32(text, radix: 16) else {
      throw mistake("hexadecimal digits are missing")
    }
    return .range(value, value)
  }

  private mutating func category(
    isNegated: Bool
  ) throws(TextPattern.Mistake) -> JSONPathCharacterClass.Item {
    let start = at + 1
    while let scalar = peek(), scalar != "}" { _ = scalar; at += 1 }
    guard start <= at, scalars[start - 1] == "{" else {
      throw mistake("`\\p` needs a name in braces")
    }
    let name = String(String.UnicodeScalarView(scalars[start..<at]))
    guard take("}"), JSONPathCharacterClass.categories.contains(name) else {
      throw mistake("unknown character category `\(name)`")
    }
    return .category(name, isNegated: isNegated)
  }

  // MARK: - Scalars

  private func peek() -> Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

  private mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard scalars[at...].starts(with: wanted) else { return false }
    at += wanted.count
    return true
  }

  private typealias Items = [JSONPathCharacterClass.Item]

  private static let lineEnds: Items = [
    .range(0x0A, 0x0A), .range(0x0D, 0x0D), .range(0x2028, 0x2029),
  ]
  private static let digits: Items = [.range(0x30, 0x39)]
  private static let word: Items = [
    .range(0x30, 0x39), .range(0x41, 0x5A), .range(0x5F, 0x5F), .range(0x61, 0x7A),
  ]
  private static let blanks: Items = [
    .range(0x09, 0x0D), .range(0x20, 0x20), .range(0xA0, 0xA0), .range(0x1680, 0x1680),
    .range(0x2000, 0x200A), .range(0x2028, 0x2029), .range(0x202F, 0x202F),
    .range(0x205F, 0x205F), .range(0x3000, 0x3000), .range(0xFEFF, 0xFEFF),
  ]
}

extension [JSONPathCharacterClass.Item] {
  /// The only scalar; `nil` where there are more.
  fileprivate var single: UInt32? {
    if count == 1, case .range(let low, let high) = self[0], low == high { low } else { nil }
  }

  /// All that is in none of these ranges, which are in order.
  fileprivate var complement: [JSONPathCharacterClass.Item] {
    var result: [JSONPathCharacterClass.Item] = []
    var next: UInt32 = 0
    for case .range(let low, let high) in self {
      if low > next { result.append(.range(next, low - 1)) }
      next = high + 1
    }
    return result + [.range(next, 0x10FFFF)]
  }
}
