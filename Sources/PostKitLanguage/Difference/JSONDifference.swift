// How two JSON values differ, place by place.

package import PostKitJSON

/// One place at which two JSON values differ.
package struct JSONChange: Sendable, Hashable {
  /// A value and the JSONPath of its place.
  package struct Place: Sendable, Hashable {
    package var path: String
    package var value: JSONValue
  }

  /// What stood in the older value; `nil` for something added.
  package var old: Place?
  /// What stands in the newer value; `nil` for something removed.
  package var new: Place?
}

/// Compares JSON values.
package struct JSONDifference {
  private let before: IdentifiedJSON
  private let after: IdentifiedJSON
  private var changes: [JSONChange] = []

  /// The changes from one value to another, in their order. Numbers are compared by their exact
  /// value, members by their names, elements of arrays by the longest common subsequence.
  package static func changes(from old: JSONTree, to new: JSONTree) -> [JSONChange] {
    var identities = JSONIdentities()
    var difference = JSONDifference(
      before: identities.identify(old), after: identities.identify(new))
    if difference.before.identity(of: old.root) != difference.after.identity(of: new.root) {
      difference.compare(Spot("$", old.root), Spot("$", new.root))
    }
    return difference.changes
  }

  private init(before: IdentifiedJSON, after: IdentifiedJSON) {
    self.before = before
    self.after = after
  }

  /// A value and where it stands.
  private struct Spot {
    let path: String
    let view: JSONView

    init(_ path: String, _ view: JSONView) {
      self.path = path
      self.view = view
    }

    var place: JSONChange.Place { JSONChange.Place(path: path, value: view.value) }

    func member(_ name: JSONView, _ value: JSONView) -> Spot {
      Spot(path + JSONDifference.step(name.string ?? ""), value)
    }

    func element(_ index: Int, _ value: JSONView) -> Spot { Spot("\(path)[\(index)]", value) }
  }

  /// Compares two values that are not the same.
  private mutating func compare(_ old: Spot, _ new: Spot) {
    switch (old.view.kind, new.view.kind) {
    case (.object, .object): compareMembers(old, new)
    case (.array, .array): compareElements(old, new)
    default: changes.append(JSONChange(old: old.place, new: new.place))
    }
  }

  private mutating func compareMembers(_ old: Spot, _ new: Spot) {
    let (oldMembers, newMembers) = (members(old.view, before), members(new.view, after))
    let oldPlaces = Dictionary(uniqueKeysWithValues: oldMembers.map { ($0.identity, $0.value) })
    let newPlaces = Dictionary(uniqueKeysWithValues: newMembers.map { ($0.identity, $0.value) })
    for member in oldMembers {
      guard let value = newPlaces[member.identity] else {
        changes.append(JSONChange(old: old.member(member.name, member.value).place))
        continue
      }
      // Paths are made only where something is told of them.
      if before.identity(of: member.value) != after.identity(of: value) {
        compare(old.member(member.name, member.value), new.member(member.name, value))
      }
    }
    for member in newMembers where oldPlaces[member.identity] == nil {
      changes.append(JSONChange(new: new.member(member.name, member.value).place))
    }
  }

  private struct Member {
    let identity: Int
    let name: JSONView
    var value: JSONView
  }

  /// The members in order; of those of one name the last counts.
  private func members(_ view: JSONView, _ tree: IdentifiedJSON) -> [Member] {
    var result: [Member] = []
    var places: [Int: Int] = [:]
    for (name, value) in view.members {
      let identity = tree.identity(of: name)
      if let place = places[identity] {
        result[place].value = value
      } else {
        places[identity] = result.count
        result.append(Member(identity: identity, name: name, value: value))
      }
    }
    return result
  }

  private mutating func compareElements(_ old: Spot, _ new: Spot) {
    let (oldElements, newElements) = (old.view.elements, new.view.elements)
    let gaps = Alignment.gaps(
      oldElements.map(before.identity(of:)), newElements.map(after.identity(of:)))
    for gap in gaps {
      let pairs = pairs(
        gap.old.map { old.element($0, oldElements[$0]) },
        gap.new.map { new.element($0, newElements[$0]) })
      for (left, right) in pairs {
        if let left, let right {
          compare(left, right)
        } else {
          changes.append(JSONChange(old: left?.place, new: right?.place))
        }
      }
    }
  }

  /// What an element is known by where its content has changed.
  private struct Likeness: Hashable {
    let kind: JSONKind
    /// The number of its member `id`.
    let identity: Int?

    init(_ view: JSONView, _ tree: IdentifiedJSON) {
      kind = view.kind
      identity = view["id"].map(tree.identity(of:))
    }
  }

  /// Puts elements together that are the same thing with another content: objects of one `id`,
  /// else values of one kind, in their order.
  private func pairs(_ old: [Spot], _ new: [Spot]) -> [(Spot?, Spot?)] {
    let likeness = (old.map { Likeness($0.view, before) }, new.map { Likeness($0.view, after) })
    var result: [(Spot?, Spot?)] = []
    var (x, y) = (0, 0)
    for gap in Alignment.gaps(likeness.0, likeness.1) {
      result += zip(old[x..<gap.old.lowerBound], new[y..<gap.new.lowerBound]).map { ($0, $1) }
      result += gap.old.map { (old[$0], nil) }
      result += gap.new.map { (nil, new[$0]) }
      (x, y) = (gap.old.upperBound, gap.new.upperBound)
    }
    return result + zip(old[x...], new[y...]).map { ($0, $1) }
  }

  /// How JSONPath writes a step to a member (RFC 9535, section 2.3 and 2.5.1.1).
  static func step(_ name: String) -> String {
    let isPlain: (UInt8) -> Bool = {
      (65...90).contains($0) || (97...122).contains($0) || (48...57).contains($0) || $0 == 95
    }
    let bytes = name.utf8
    if let first = bytes.first, !(48...57).contains(first), bytes.allSatisfy(isPlain) {
      return "." + name
    }
    // An apostrophe needs a backslash here and none in JSON; a quotation mark the other way round.
    let quoted = JSONValue.string(name).text.dropFirst().dropLast()
    return "['" + quoted.replacing("\\\"", with: "\"").replacing("'", with: "\\'") + "']"
  }
}
