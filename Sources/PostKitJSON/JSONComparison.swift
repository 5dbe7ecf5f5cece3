// Which values are the same, and which number is smaller, whatever way they are written.

extension JSONValue {
  /// Whether both say the same: numbers by value, objects in any order of their members.
  package func isEquivalent(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): JSONDecimal(left) == JSONDecimal(right)
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isEquivalent(to: $1) }
    case (.object(let left), .object(let right)):
      JSONValue.areEquivalent(JSONValue.byKey(left), JSONValue.byKey(right))
    default: self == other
    }
  }

  /// Whether a number is smaller than another, exactly; `nil` where one of them is no number.
  package func isLess(than other: JSONValue) -> Bool? {
    guard case .number(let left) = self, case .number(let right) = other else { return nil }
    return JSONDecimal(left) < JSONDecimal(right)
  }

  private static func byKey(_ members: [JSONMember]) -> [String: JSONValue] {
    Dictionary(members.map { ($0.key, $0.value) }) { _, last in last }
  }

  private static func areEquivalent(
    _ left: [String: JSONValue], _ right: [String: JSONValue]
  ) -> Bool {
    left.count == right.count
      && left.allSatisfy { key, value in right[key].map(value.isEquivalent) ?? false }
  }
}
