// Values within values double quickly: ten definitions can stand for more than any memory holds.

/// How much references may stand for in one request.
struct SubstitutionBudget: Sendable {
  /// Bytes that all references may stand for together, those within values included.
  private static let limit = 64 << 20
  /// Bytes that each reference within a value counts for beside its own, for the time it takes.
  private static let cost = 256

  private var spent = 0

  /// What is said when there are too many.
  static let sentence =
    "The values of the variables exceed 64 MB, because they contain each other many "
    + "times. Send large content from a file with `< path`."

  /// Whether nothing more may be put in the place of references.
  var isSpent: Bool { spent > SubstitutionBudget.limit }

  /// Counts the bytes of a value; whether it is the first that is too much.
  mutating func isExhausted(by count: Int, isNested: Bool) -> Bool {
    if isSpent { return false }
    spent += count + (isNested ? SubstitutionBudget.cost : 0)
    return isSpent
  }
}

extension Evaluator {
  /// How deep values may refer to values (PK-46).
  static let depthLimit = 10
}
