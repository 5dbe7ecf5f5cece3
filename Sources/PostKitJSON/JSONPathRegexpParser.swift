// Reads I-Regexp patterns (RFC 9485, section 3).

/// A pattern as a tree.
indirect enum JSONPathRegexpTree: Sendable, Hashable {
  case one(JSONPathCharacterClass)
  /// The start of the text, or else its end.
  case edge(isStart: Bool)
  /// An end of a word, or else no end of one.
  case boundary(isWord: Bool)
  case sequence([JSONPathRegexpTree])
  case choice([JSONPathRegexpTree])
  /// `nil` for no upper bound.
  case repeated(JSONPathRegexpTree, Int, Int?)
}

/// Turns a pattern into a tree. Besides the standard it knows `\d`, `\D`, `\s` and `\w`, and
/// takes `^` and `$` for the edges of the text, as the compliance suite does.
struct JSONPathRegexpParser {
  private let scalars: [Unicode.Scalar]
  private var at = 0
  private var depth = 0

  init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  /// Reads the whole pattern; `nil` when it is none.
  mutating func parse() -> JSONPathRegexpTree? {
    guard let tree = parseChoice(), at == scalars.count else { return nil }
    return tree
  }

  private mutating func parseChoice() -> JSONPathRegexpTree? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= JSONPathParser.depthLimit else { return nil }
    var branches: [JSONPathRegexpTree] = []
    repeat {
      guard let branch = parseBranch() else { return nil }
      branches.append(branch)
    } while take("|")
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func parseBranch() -> JSONPathRegexpTree? {
    var pieces: [JSONPathRegexpTree] = []
    while let scalar = peek(), scalar != "|", scalar != ")" {
      guard let atom = parseAtom(), let piece = parseQuantifier(atom) else { return nil }
      pieces.append(piece)
    }
    return .sequence(pieces)
  }

  private mutating func parseQuantifier(_ atom: JSONPathRegexpTree) -> JSONPathRegexpTree? {
    if take("*") { return .repeated(atom, 0, nil) }
    if take("+") { return .repeated(atom, 1, nil) }
    if take("?") { return .repeated(atom, 0, 1) }
    guard take("{") else { return atom }
    guard let minimum = parseCount() else { return nil }
    var maximum: Int? = minimum
    if take(",") { maximum = peek() == "}" ? nil : parseCount() ?? -1 }
    guard take("}"), maximum ?? minimum >= minimum else { return nil }
    return .repeated(atom, minimum, maximum)
  }

  private mutating func parseCount() -> Int? {
    var digits = ""
    while let scalar = peek(), scalar >= "0", scalar <= "9" {
      digits.unicodeScalars.append(scalar)
      at += 1
    }
    return Int(digits).flatMap { $0 <= JSONPathRegexp.stepLimit ? $0 : nil }
  }

  private mutating func parseAtom() -> JSONPathRegexpTree? {
    guard let scalar = peek() else { return nil }
    at += 1
    switch scalar {
    case "(":
      guard let inner = parseChoice(), take(")") else { return nil }
      return inner
    case ".":
      let lineEnds: [JSONPathCharacterClass.Item] = [.range(0x0A, 0x0A), .range(0x0D, 0x0D)]
      return .one(JSONPathCharacterClass(items: lineEnds, isNegated: true))
    case "^": return .edge(isStart: true)
    case "$": return .edge(isStart: false)
    case "[": return parseClass().map(JSONPathRegexpTree.one)
    case "\\":
      return parseEscape().map { .one(JSONPathCharacterClass(items: $0)) }
    case "*", "+", "?", "{", "}", "]": return nil
    default: return .one(JSONPathCharacterClass(items: [.range(scalar.value, scalar.value)]))
    }
  }

  private mutating func parseClass() -> JSONPathCharacterClass? {
    var result = JSONPathCharacterClass(items: [])
    result.isNegated = take("^")
    if take("-") { result.items.append(.range(0x2D, 0x2D)) }
    while let scalar = peek() {
      if scalar == "]" {
        at += 1
        return result.items.isEmpty ? nil : result
      }
      if scalar == "-" {
        at += 1
        guard peek() == "]" else { return nil }
        result.items.append(.range(0x2D, 0x2D))
        continue
      }
      guard let items = parseClassMember() else { return nil }
      if items.count == 1, case .range(let low, let same) = items[0], low == same, peek() == "-",
        at + 1 < scalars.count, scalars[at + 1] != "]"
      {
        at += 1
        guard let upper = parseClassMember(), upper.count == 1,
          case .range(let high, let sameHigh) = upper[0], high == sameHigh, low <= high
        else { return nil }
        result.items.append(.range(low, high))
      } else {
        result.items += items
      }
    }
    return nil
  }

  private mutating func parseClassMember() -> [JSONPathCharacterClass.Item]? {
    guard let scalar = peek(), scalar != "[", scalar != "]" else { return nil }
    at += 1
    if scalar == "\\" { return parseEscape() }
    return [.range(scalar.value, scalar.value)]
  }

  private mutating func parseEscape() -> [JSONPathCharacterClass.Item]? {
    guard let scalar = peek() else { return nil }
    at += 1
    switch scalar {
    case "n": return [.range(0x0A, 0x0A)]
    case "r": return [.range(0x0D, 0x0D)]
    case "t": return [.range(0x09, 0x09)]
    case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}", "$", "/":
      return [.range(scalar.value, scalar.value)]
    case "d": return [.category("Nd", isNegated: false)]
    case "D": return [.category("Nd", isNegated: true)]
    case "s": return [.range(0x20, 0x20), .range(0x09, 0x0A), .range(0x0D, 0x0D)]
    case "w":
      return [.range(0x30, 0x39), .range(0x41, 0x5A), .range(0x5F, 0x5F), .range(0x61, 0x7A)]
    case "p", "P": return parseCategory(isNegated: scalar == "P")
    default: return nil
    }
  }

  private mutating func parseCategory(isNegated: Bool) -> [JSONPathCharacterClass.Item]? {
    guard take("{") else { return nil }
    var name = ""
    while let scalar = peek(), scalar != "}" {
      name.unicodeScalars.append(scalar)
      at += 1
    }
    guard take("}"), JSONPathCharacterClass.categories.contains(name) else { return nil }
    return [.category(name, isNegated: isNegated)]
  }

  private func peek() -> Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    at += 1
    return true
  }
}
