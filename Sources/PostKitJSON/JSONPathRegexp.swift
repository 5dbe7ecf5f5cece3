// Regular expressions for JSONPath (RFC 9485), run in time linear in text and pattern.

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
    case accept
  }

  private let steps: [Step]
  /// Steps of a program; repeats are written out, so that `{1000}{1000}` would fill the memory.
  static let stepLimit = 20_000

  /// Compiles a pattern; `nil` when it is no I-Regexp or too large.
  init?(_ pattern: String) {
    var parser = JSONPathRegexpParser(pattern)
    guard let tree = parser.parse() else { return nil }
    var steps: [Step] = []
    guard JSONPathRegexp.emit(tree, into: &steps) else { return nil }
    steps.append(.accept)
    self.steps = steps
  }

  /// How much work a text is at most, in steps of a query.
  func effort(_ text: String) -> Int { 1 + steps.count * (1 + text.utf8.count) / 8 }

  /// Whether the whole text, or else some part of it, matches.
  func matches(_ text: String, isWhole: Bool) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var states = States(count: steps.count)
    add(0, to: &states, isStart: true, isEnd: scalars.isEmpty)
    for (position, scalar) in scalars.enumerated() {
      if !isWhole, states.isListed[steps.count - 1] { return true }
      let isEnd = position == scalars.count - 1
      var next = States(count: steps.count)
      for state in states.list {
        if case .one(let characters) = steps[state], characters.contains(scalar) {
          add(state + 1, to: &next, isStart: false, isEnd: isEnd)
        }
      }
      if !isWhole { add(0, to: &next, isStart: false, isEnd: isEnd) }
      if next.list.isEmpty { return false }
      states = next
    }
    return states.isListed[steps.count - 1]
  }

  /// The states a text can have led to.
  private struct States {
    var list: [Int] = []
    var isListed: [Bool]

    init(count: Int) { isListed = [Bool](repeating: false, count: count) }
  }

  /// Lists a state and all that are reached from it without a character.
  private func add(_ state: Int, to states: inout States, isStart: Bool, isEnd: Bool) {
    var pending = [state]
    while let state = pending.popLast() {
      if states.isListed[state] { continue }
      states.isListed[state] = true
      states.list.append(state)
      switch steps[state] {
      case .one, .accept: break
      case .edge(let needsStart):
        if needsStart ? isStart : isEnd { pending.append(state + 1) }
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
    for _ in 0..<minimum where !emit(part, into: &steps) { return false }
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

  /// Whether a character class holds a scalar.
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let isListed = items.contains { item in
      switch item {
      case .range(let low, let high): scalar.value >= low && scalar.value <= high
      case .category(let name, let isNegated):
        JSONPathCharacterClass.category(of: scalar).hasPrefix(name) != isNegated
      }
    }
    return isListed != isNegated
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
