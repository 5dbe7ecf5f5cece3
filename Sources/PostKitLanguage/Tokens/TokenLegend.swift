// The names of the protocol that tokens are painted with;
// `protocol/semantic-tokens.json` shows the same.

/// What a token is; all names are standard ones, as clients drop what they do not know.
package enum SemanticTokenType: String, Sendable, Hashable, CaseIterable {
  case namespace, parameter, variable, property, function, method
  /// The name of a request.
  case label
  case `class`
  case decorator, keyword, comment, string, number, `operator`

  /// What takes its place where a client does not know it: it came with LSP 3.17 or 3.18.
  package var substitute: SemanticTokenType? {
    if self == .label { return .class }
    return self == .decorator ? .keyword : nil
  }
}

/// What is said of a token beside its type.
package struct SemanticTokenModifiers: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16
  /// Makes a set of its bits.
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let declaration = SemanticTokenModifiers(rawValue: 1 << 0)
  package static let readonly = SemanticTokenModifiers(rawValue: 1 << 1)
  package static let deprecated = SemanticTokenModifiers(rawValue: 1 << 2)
  package static let modification = SemanticTokenModifiers(rawValue: 1 << 3)
  package static let documentation = SemanticTokenModifiers(rawValue: 1 << 4)
  package static let defaultLibrary = SemanticTokenModifiers(rawValue: 1 << 5)
  /// Nothing gives the name a value.
  package static let unresolved = SemanticTokenModifiers(rawValue: 1 << 6)
  /// The value is a secret.
  package static let secret = SemanticTokenModifiers(rawValue: 1 << 7)

  /// The names in the order of the bits.
  package static let names = [
    "declaration", "readonly", "deprecated", "modification", "documentation", "defaultLibrary",
    "unresolved", "secret",
  ]

  /// The names that are ours. No client lists them, and one that doesn't know a modifier of the
  /// legend passes over it.
  package static let ownNames: Set<String> = ["unresolved", "secret"]
}

/// The types and modifiers of one client, and their numbers on the wire.
package struct TokenLegend: Sendable, Hashable {
  /// The names of the types, by their numbers.
  package let types: [String]
  /// The names of the modifiers, by their bits.
  package let modifiers: [String]
  /// The number of each type, in the order of all types.
  private let numbers: [UInt8?]
  /// The bit of each modifier, in the order of all modifiers.
  private let bits: [UInt32]

  /// The part of our legend that a client knows.
  package init(types known: [String], modifiers knownModifiers: [String]) {
    let offered = SemanticTokenType.allCases.filter { known.contains($0.rawValue) }
    types = offered.map(\.rawValue)
    numbers = SemanticTokenType.allCases.map { type in
      let number =
        offered.firstIndex(of: type)
        ?? type.substitute.flatMap { offered.firstIndex(of: $0) }
      return number.map { UInt8($0) }
    }
    let names = SemanticTokenModifiers.names.filter {
      knownModifiers.contains($0) || SemanticTokenModifiers.ownNames.contains($0)
    }
    modifiers = names
    bits = SemanticTokenModifiers.names.map { name in
      names.firstIndex(of: name).map { 1 << UInt32($0) } ?? 0
    }
  }

  /// The number of a type, with the bits of modifiers above it; `nil` where the client knows
  /// neither the type nor its substitute.
  func code(_ type: SemanticTokenType, _ modifiers: SemanticTokenModifiers) -> UInt32? {
    guard let number = numbers[type.place] else { return nil }
    var rest = modifiers.rawValue
    var set: UInt32 = 0
    while rest != 0 {
      set |= bits[rest.trailingZeroBitCount]
      rest &= rest - 1
    }
    return UInt32(number) | set << 8
  }
}

extension SemanticTokenType {
  /// The place among all types.
  fileprivate var place: Int {
    switch self {
    case .namespace: 0
    case .parameter: 1
    case .variable: 2
    case .property: 3
    case .function: 4
    case .method: 5
    case .label: 6
    case .class: 7
    case .decorator: 8
    case .keyword: 9
    case .comment: 10
    case .string: 11
    case .number: 12
    case .operator: 13
    }
  }
}
