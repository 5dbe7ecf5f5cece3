// Numbers the values of several trees by what they say, so that comparing two large ones is
// comparing two numbers.

/// Gives equal values the same number, whatever tree they stand in: numbers are equal by value,
/// objects in any order of their members, of members of one name the last counts.
package struct JSONIdentities: Sendable {
  private enum Key: Hashable {
    case null, yes, no
    case number(JSONDecimal)
    /// Bytes, because `==` of strings takes different spellings of an accent for equal.
    case string([UInt8])
    case array([Int])
    /// The names and values of the members in turn, in the order of the names' numbers.
    case object([Int])
  }

  private var known: [Key: Int] = [:]

  /// Knows no value yet.
  package init() {}

  /// Numbers all values of a tree.
  package mutating func identify(_ tree: JSONTree) -> IdentifiedJSON {
    var numbers = [Int](repeating: 0, count: tree.nodes.count)
    // Children stand behind their parents.
    for index in tree.nodes.indices.reversed() {
      let key = key(JSONView(tree: tree, index: index), numbers)
      let number = known[key] ?? known.count
      known[key] = number
      numbers[index] = number
    }
    return IdentifiedJSON(numbers: numbers)
  }

  private func key(_ view: JSONView, _ numbers: [Int]) -> Key {
    switch view.kind {
    case .null: return .null
    case .true: return .yes
    case .false: return .no
    case .number: return .number(JSONDecimal(view.numberText ?? "0"))
    case .string: return .string(Array((view.string ?? "").utf8))
    case .array: return .array(view.elements.map { numbers[$0.index] })
    case .object:
      let members = view.members.map { (numbers[$0.key.index], numbers[$0.value.index]) }
      let byName = Dictionary(members) { _, last in last }
      return .object(byName.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] })
    }
  }
}

/// The numbers of a tree's values.
package struct IdentifiedJSON: Sendable {
  fileprivate let numbers: [Int]

  /// The number of a value, or of a member's name, of the tree.
  package func identity(of view: JSONView) -> Int { numbers[view.index] }
}
