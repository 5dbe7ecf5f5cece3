// Literals of scripts that browsers copy.

/// A literal value of a script.
indirect enum CopiedValue: Sendable, Hashable {
  case text(String)
  case number(String)
  case bool(Bool)
  case null
  /// Members in order, repeats included.
  case object([CopiedMember])
  case list([CopiedValue])

  /// The value as a text that is sent; `nil` for objects, lists and `null`.
  var plain: String? {
    switch self {
    case .text(let text): text
    case .number(let digits): digits
    case .bool(let flag): flag ? "true" : "false"
    case .null, .object, .list: nil
    }
  }
}

/// A member of a literal object.
struct CopiedMember: Sendable, Hashable {
  var name: String
  var value: CopiedValue
}
