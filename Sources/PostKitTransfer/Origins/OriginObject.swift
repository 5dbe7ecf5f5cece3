// Reading JSON of other tools so that nothing is dropped in silence (IO-3).

import PostKitJSON

/// An object of a source that knows which of its members were read. What is left when its reader
/// is done is told (`finish`), so that an importer can't pass over a member it doesn't know.
final class OriginObject {
  /// Where it stands.
  let place: OriginPlace
  private let notes: ImportNotes
  private let view: JSONView
  /// Which of the first members were read, a bit each, and which of the others.
  private var firstUsed: UInt64 = 0
  private var othersUsed: Set<Int> = []
  /// Whether its reader is done with it.
  private(set) var isFinished = false

  /// Makes a reader; `nil` for a value that is no object.
  init?(_ view: JSONView, at place: OriginPlace, notes: ImportNotes) {
    guard view.kind == .object else { return nil }
    self.place = place
    self.notes = notes
    self.view = view
  }

  /// The value of a member; of duplicates the last. It counts as read.
  subscript(name: String) -> JSONView? {
    var isRepeated = false
    var found = false
    let value = view.member(name) { position in
      isRepeated = isRepeated || found && !isUsed(position)
      found = true
      use(position)
    }
    if isRepeated, notes.tellsDuplicates {
      notes.tell(
        .itemMalformed, "`\(name)` stands more than once in one object; the last counts.",
        at: place.member(name))
    }
    return value
  }

  private func use(_ position: Int) {
    if position < 64 { firstUsed |= 1 << UInt64(position) } else { othersUsed.insert(position) }
  }

  private func isUsed(_ position: Int) -> Bool {
    position < 64 ? firstUsed & 1 << UInt64(position) != 0 : othersUsed.contains(position)
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

  /// The elements of a member that is an array, where nothing is ever told of one.
  func values(_ name: String) -> [JSONView] {
    guard let view = peek(name), view.kind == .array else { return [] }
    _ = self[name]
    return view.elements
  }

  /// The value of a member, without counting it as read.
  func peek(_ name: String) -> JSONView? { view[name] }

  /// The names of its members in order, without counting them as read.
  var names: [String] { view.members.map { $0.key.string ?? "" } }

  /// The names of the members that were neither read nor ignored, in order.
  var unreadNames: [String] { unread.map(\.name) }

  /// Whether each of the members was read, as far as the first ones tell.
  private var isAllUsed: Bool { view.count <= 64 && firstUsed.nonzeroBitCount == view.count }

  private var unread: [(name: String, value: JSONView)] {
    if isAllUsed { return [] }
    return view.members.enumerated().lazy.filter { !self.isUsed($0.offset) }
      .map { ($0.element.key.string ?? "", $0.element.value) }
  }

  /// Says of members that they are known and without effect: ids, dates, the state of a window.
  func ignore(_ names: String...) {
    if isAllUsed { return }
    for name in names { _ = self[name] }
  }

  /// Tells each member that was neither read nor ignored. `null`, empty texts, arrays and objects
  /// say nothing and are not told.
  func finish(origin: String? = nil) {
    isFinished = true
    for (name, value) in unread where !Self.isEmpty(value) {
      notes.tell(
        .memberUnknown, "PostKit does not know what `\(name)` means and leaves it out.",
        at: place.member(name), origin: origin)
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
