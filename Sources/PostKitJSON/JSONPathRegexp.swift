// Regular expressions for JSONPath (RFC 9485) and for searches in texts (TextPattern), run in time
// linear in text and pattern.

/// A compiled I-Regexp over Unicode scalars.
struct JSONPathRegexp: Sendable, Hashable {
  /// One step of the program; a state is the index of a step.
  enum Step: Sendable, Hashable {
    case one(JSONPathCharacterClass)
    /// Goes on at both places.
    case split(Int, Int)
    case jump(Int)
    /// Goes on only at the start of the text, or else only at its end.
    case edge(isStart: Bool)
    /// Goes on only at an end of a word, or else only elsewhere.
    case boundary(isWord: Bool)
    case accept
  }

  private let steps: [Step]
  /// Steps of a program; repeats are written out, so that `{1000}{1000}` would fill the memory.
  static let stepLimit = 20_000

  /// Compiles a pattern; `nil` when it is no I-Regexp or too large.
  init?(_ pattern: String) {
    var parser = JSONPathRegexpParser(pattern)
    guard let tree = parser.parse() else { return nil }
    self.init(tree)
  }

  /// Compiles a tree; `nil` when it is too large.
  init?(_ tree: JSONPathRegexpTree) {
    var steps: [Step] = []
    guard JSONPathRegexp.emit(tree, into: &steps) else { return nil }
    steps.append(.accept)
    self.steps = steps
  }

  /// How much work a text is at most, in steps of a query.
  func effort(_ text: String) -> Int { 1 + steps.count * (1 + text.utf8.count) / 8 }

  /// Whether the whole text, or else some part of it, matches.
  func matches(_ text: String, isWhole: Bool) -> Bool {
    matches(text, isWhole: isWhole, limit: .max) ?? false
  }

  /// The same with a limit on the states that are gone through; `nil` where it is not enough.
  func matches(_ text: String, isWhole: Bool, limit: Int) -> Bool? {
    let scalars = Array(text.unicodeScalars)
    var states = States(count: steps.count)
    var next = states
    var left = limit
    add(0, to: &states, Place(scalars, 0))
    for (position, scalar) in scalars.enumerated() {
      if !isWhole, states.isListed(steps.count - 1) { return true }
      left -= states.list.count
      if left < 0 { return nil }
      let place = Place(scalars, position + 1)
      next.removeAll()
      for state in states.list {
        if case .one(let characters) = steps[state], characters.contains(scalar) {
          add(state + 1, to: &next, place)
        }
      }
      if !isWhole { add(0, to: &next, place) }
      if next.list.isEmpty { return false }
      swap(&states, &next)
    }
    return states.isListed(steps.count - 1)
  }

  /// What is known of a place between two characters.
  private struct Place {
    let isStart: Bool
    let isEnd: Bool
    /// Whether a word begins or ends there.
    let isBoundary: Bool

    init(_ scalars: [Unicode.Scalar], _ at: Int) {
      isStart = at == 0
      isEnd = at == scalars.count
      let before = at > 0 && Place.isWord(scalars[at - 1])
      isBoundary = before != (at < scalars.count && Place.isWord(scalars[at]))
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_": true
      default: false
      }
    }
  }

  /// The states a text can have led to.
  private struct States {
    private(set) var list: [Int] = []
    /// The turn in which a state was listed last: no list has to be cleared between turns.
    private var turns: [Int]
    private var turn = 1

    init(count: Int) { turns = [Int](repeating: 0, count: count) }

    func isListed(_ state: Int) -> Bool { turns[state] == turn }

    mutating func list(_ state: Int) {
      turns[state] = turn
      list.append(state)
    }

    mutating func removeAll() {
      list.removeAll(keepingCapacity: true)
      turn += 1
    }
  }

  /// Lists a state and all that are reached from it without a character.
  private func add(_ state: Int, to states: inout States, _ place: Place) {
    var pending = [state]
    while let state = pending.popLast() {
      if states.isListed(state) { continue }
      states.list(state)
      switch steps[state] {
      case .one, .accept: break
      case .edge(let needsStart):
        if needsStart ? place.isStart : place.isEnd { pending.append(state + 1) }
      case .boundary(let isWord):
        if place.isBoundary == isWord { pending.append(state + 1) }
      case .jump(let target): pending.append(target)
      case .split(let first, let second): pending += [second, first]
      }
    }
  }

  /// Appends the steps of a tree; false when there are too many.
  private static func emit(_ tree: JSONPathRegexpTree, into steps: inout [Step]) -> Bool {
    guard steps.count < stepLimit else { return false }
    switch tree {
    case .one(let characters): steps.append(.one(characters))
    case .edge(let isStart): steps.append(.edge(isStart: isStart))
    case .boundary(let isWord): steps.append(.boundary(isWord: isWord))
    case .sequence(let parts):
      for part in parts where !emit(part, into: &steps) { return false }
    case .choice(let branches):
      var jumps: [Int] = []
      for branch in branches.dropLast() {
        let split = steps.count
        steps.append(.split(split + 1, split + 1))
        guard emit(branch, into: &steps) else { return false }
        jumps.append(steps.count)
        steps.append(.accept)
        steps[split] = .split(split + 1, steps.count)
      }
      guard let last = branches.last, emit(last, into: &steps) else { return false }
      for jump in jumps { steps[jump] = .jump(steps.count) }
    case .repeated(let part, let minimum, let maximum):
      return emit(part, minimum, maximum, into: &steps)
    }
    return true
  }

  private static func emit(
    _ part: JSONPathRegexpTree, _ minimum: Int, _ maximum: Int?, into steps: inout [Step]
  ) -> Bool {
    for _ in 0..<minimum {
      let start = steps.count
      guard emit(part, into: &steps) else { return false }
      // What is empty once is empty however often: `(){20000}{20000}` must not be counted out.
      if steps.count == start { break }
    }
    if let maximum {
      var splits: [Int] = []
      for _ in minimum..<maximum {
        splits.append(steps.count)
        steps.append(.accept)
        guard emit(part, into: &steps) else { return false }
      }
      for split in splits { steps[split] = .split(split + 1, steps.count) }
    } else {
      let split = steps.count
      steps.append(.accept)
      guard emit(part, into: &steps) else { return false }
      steps.append(.jump(split))
      steps[split] = .split(split + 1, steps.count)
    }
    return true
  }
}

/// A set of scalars.
struct JSONPathCharacterClass: Sendable, Hashable {
  /// One kind of member.
  enum Item: Sendable, Hashable {
    case range(UInt32, UInt32)
    /// A general category by its first or both letters; negated for `\P`.
    case category(String, isNegated: Bool)
  }

  var items: [Item]
  var isNegated = false
  /// Whether small and capital letters are the same.
  var ignoresCase = false

  /// Whether a character class holds a scalar.
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var isListed = lists(scalar)
    if ignoresCase, !isListed {
      isListed =
        JSONPathCharacterClass.single(scalar.properties.lowercaseMapping).map(lists) == true
        || JSONPathCharacterClass.single(scalar.properties.uppercaseMapping).map(lists) == true
    }
    return isListed != isNegated
  }

  private func lists(_ scalar: Unicode.Scalar) -> Bool {
    items.contains { item in
      switch item {
      case .range(let low, let high): scalar.value >= low && scalar.value <= high
      case .category(let name, let isNegated):
        JSONPathCharacterClass.category(of: scalar).hasPrefix(name) != isNegated
      }
    }
  }

  /// The only scalar of a text; `nil` where there are more.
  private static func single(_ text: String) -> Unicode.Scalar? {
    let scalars = text.unicodeScalars
    return scalars.count == 1 ? scalars.first : nil
  }

  /// The letters of all general categories; a first letter alone stands for its group.
  static let categories: Set<String> = [
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc",
    "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C",
    "Cc", "Cf", "Cn", "Co",
  ]

  private static func category(of scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    case .unassigned: "Cn"
    @unknown default: "Cn"
    }
  }
}
