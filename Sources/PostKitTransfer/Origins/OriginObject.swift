// Reading JSON of other tools so that nothing is dropped in silence (IO-3).

import PostKitJSON

/// An object of a source that knows which of its members were read. What is left when its reader
/// is done is told (`finish`), so that an importer can't pass over a member it doesn't know.
final class OriginObject {
  private struct Member {
    let name: String
    let value: JSONView
    var isUsed = false
  }

  /// Where it stands.
  let place: OriginPlace
  private let notes: ImportNotes
  private var members: [Member]
  /// Whether its reader is done with it.
  private(set) var isFinished = false

  /// Makes a reader; `nil` for a value that is no object.
  init?(_ view: JSONView, at place: OriginPlace, notes: ImportNotes) {
    guard view.kind == .object else { return nil }
    self.place = place
    self.notes = notes
    members = view.members.map { Member(name: $0.key.string ?? "", value: $0.value) }
  }

  /// The value of a member; of duplicates the last. It counts as read.
  subscript(name: String) -> JSONView? {
    var found: JSONView?
    for index in members.indices where members[index].name == name {
      if found != nil, !members[index].isUsed, notes.tellsDuplicates {
        notes.tell(
          .itemMalformed, "`\(name)` stands more than once in one object; the last counts.",
          at: place.member(name))
      }
      members[index].isUsed = true
      found = members[index].value
    }
    return found
  }

  /// The text of a member that is a string; other kinds are not taken and count as not read.
  func string(_ name: String) -> String? {
    guard let text = peek(name)?.string else { return nil }
    _ = self[name]
    return text
  }

  /// The value of a member that is `true` or `false`; other kinds count as not read.
  func bool(_ name: String) -> Bool? {
    guard let value = peek(name)?.bool else { return nil }
    _ = self[name]
    return value
  }

  /// A member that is an object, to be read and finished in its turn.
  func object(_ name: String) -> OriginObject? {
    guard let view = peek(name),
      let object = OriginObject(view, at: place.member(name), notes: notes)
    else { return nil }
    _ = self[name]
    return object
  }

  /// The elements of a member that is an array, each with its place.
  func array(_ name: String) -> [(value: JSONView, place: OriginPlace)] {
    guard let view = peek(name), view.kind == .array else { return [] }
    _ = self[name]
    let place = place.member(name)
    return view.elements.enumerated().map { ($1, place.element($0)) }
  }

  /// The value of a member, without counting it as read.
  func peek(_ name: String) -> JSONView? { members.last { $0.name == name }?.value }

  /// The names of its members in order, without counting them as read.
  var names: [String] { members.map(\.name) }

  /// The names of the members that were neither read nor ignored, in order.
  var unreadNames: [String] { members.lazy.filter { !$0.isUsed }.map(\.name) }

  /// Says of members that they are known and without effect: ids, dates, the state of a window.
  func ignore(_ names: String...) { for name in names { _ = self[name] } }

  /// Tells each member that was neither read nor ignored. `null`, empty texts, arrays and objects
  /// say nothing and are not told.
  func finish(origin: String? = nil) {
    isFinished = true
    for member in members where !member.isUsed && !Self.isEmpty(member.value) {
      notes.tell(
        .memberUnknown, "PostKit does not know what `\(member.name)` means and leaves it out.",
        at: place.member(member.name), origin: origin)
    }
  }

  private static func isEmpty(_ view: JSONView) -> Bool {
    switch view.kind {
    case .null: true
    case .string: view.range.count == 2
    case .array, .object: view.count == 0
    default: false
    }
  }
}
