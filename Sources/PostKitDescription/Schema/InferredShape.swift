// What was seen at one place of samples, and what was seen of objects there.

import PostKitHTTP

/// What was seen at one place.
final class InferredShape {
  /// The number of values.
  var count = 0
  var types: SchemaTypes = []
  var texts = InferredTexts()
  /// What was seen of objects; `nil` where there was none.
  var object: InferredObject?
  /// What was seen of the elements of arrays; `nil` where there was none.
  var elements: InferredShape?
  /// Whether nothing is said, because there was no room to look.
  var isOpen = false

  /// Takes in what another has seen, which is of no use any more.
  func merge(_ other: InferredShape) {
    guard other !== self else { return }
    count += other.count
    types.formUnion(other.types)
    texts.merge(other.texts)
    isOpen = isOpen || other.isOpen
    if let theirs = other.object {
      if let own = object {
        own.resolved.unify(theirs.resolved)
      } else {
        object = theirs
      }
    }
    if let theirs = other.elements {
      if let own = elements { own.merge(theirs) } else { elements = theirs }
    }
  }
}

/// What was seen of objects at one place.
final class InferredObject {
  /// Members of an object; more make it a map whose names say nothing.
  static let memberLimit = 256
  /// Members of an object that is a map where all names look like ids.
  static let mapCount = 16

  /// A member by its name.
  struct Member {
    let name: String
    let shape: InferredShape
    /// The number of objects that have it.
    var presence = 0
    /// The number of the last object that had it.
    var lastSeen = 0
  }

  /// The number of objects.
  var count = 0
  private(set) var members: [Member] = []
  private var places: [String: Int] = [:]
  /// What was seen of any member, where the names say nothing.
  private(set) var further: InferredShape?
  /// The object that this one has become a part of.
  private var target: InferredObject?

  /// The object that counts.
  var resolved: InferredObject {
    var object = self
    while let next = object.target { object = next }
    return object
  }

  /// The place of a member among `members`; a new one gets the shape that `part` makes.
  func index(of name: String, _ part: () -> InferredShape) -> Int {
    if let index = places[name] { return index }
    places[name] = members.count
    members.append(Member(name: name, shape: part()))
    return members.count - 1
  }

  /// Notes that the newest object has a member. Of members that come twice each must fit, and the
  /// object has the name once.
  func note(_ index: Int) {
    guard members[index].lastSeen != count else { return }
    members[index].lastSeen = count
    members[index].presence += 1
  }

  /// Whether the names of members look like ids, none of which two objects have.
  var looksLikeMap: Bool {
    members.count >= Self.mapCount && members.allSatisfy { $0.presence == 1 || count == 1 }
      && members.allSatisfy { IdentifierText.isLikely($0.name) }
  }

  /// Takes all members for values of one kind.
  func becomeMap() {
    guard further == nil else { return }
    let all = InferredShape()
    further = all
    let old = members
    (members, places) = ([], [:])
    for member in old { all.merge(member.shape) }
  }

  /// Makes another object a part of this one, with all that was seen of it. The two may hold each
  /// other.
  func unify(_ other: InferredObject) {
    guard other !== self else { return }
    other.target = self
    count += other.count
    if further != nil || other.further != nil {
      becomeMap()
      other.becomeMap()
      if let own = further, let theirs = other.further { own.merge(theirs) }
      return
    }
    for member in other.members {
      if let index = places[member.name] {
        members[index].presence += member.presence
        members[index].shape.merge(member.shape)
      } else if let further {
        further.merge(member.shape)
      } else {
        places[member.name] = members.count
        members.append(member)
      }
    }
  }
}
