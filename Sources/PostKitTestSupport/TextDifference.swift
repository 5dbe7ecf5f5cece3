// Shows how two texts differ, line by line, for people who read a failed test.

/// Renders differences.
package enum TextDifference {
  /// The lines of both texts: `-` only expected, `+` only actual, with two equal lines around each.
  package static func lines(expected: String, actual: String) -> String {
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let new = actual.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var rows: [(mark: Character, text: String)] = []
    let difference = new.difference(from: old)
    var removed = Set<Int>()
    var inserted = Set<Int>()
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var oldAt = 0
    var newAt = 0
    while oldAt < old.count || newAt < new.count {
      if oldAt < old.count, removed.contains(oldAt) {
        rows.append(("-", old[oldAt]))
        oldAt += 1
      } else if newAt < new.count, inserted.contains(newAt) {
        rows.append(("+", new[newAt]))
        newAt += 1
      } else {
        rows.append((" ", old[oldAt]))
        oldAt += 1
        newAt += 1
      }
    }
    let changed = rows.indices.filter { rows[$0].mark != " " }
    let shown = rows.indices.filter { row in changed.contains { abs($0 - row) <= 2 } }
    return shown.map { "\(rows[$0].mark)|\(rows[$0].text)" }.joined(separator: "\n")
  }

  /// Whether a text fits an expectation in which each `«any»` stands for one run of any text within
  /// a line.
  package static func matches(expected: String, actual: String) -> Bool {
    if expected == actual { return true }
    let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let given = actual.split(separator: "\n", omittingEmptySubsequences: false)
    guard wanted.count == given.count else { return false }
    return zip(wanted, given).allSatisfy { matchesLine($0, $1) }
  }

  private static func matchesLine(_ expected: Substring, _ actual: Substring) -> Bool {
    let pieces = expected.split(separator: "«any»", omittingEmptySubsequences: false)
    guard pieces.count > 1, let first = pieces.first, let last = pieces.last else {
      return expected == actual
    }
    guard actual.hasPrefix(first) else { return false }
    var rest = actual.dropFirst(first.count)
    for piece in pieces.dropFirst().dropLast() {
      guard let found = rest.firstRange(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.count >= last.count && rest.hasSuffix(last)
  }
}
