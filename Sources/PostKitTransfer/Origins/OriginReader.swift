// What readers of collections have in common: ids, and what is told of templates.

/// Reads what a tool exports. It is made for one import.
class OriginReader {
  let context: OriginContext
  /// Names that are no variables of the origin unless it has them, and code here.
  private(set) var unknownNames: Set<String> = []
  private var toldTemplates: Set<String> = []
  /// The ids of the requests so far, and how often each was wanted.
  private var ids: [String: Int] = [:]

  /// Reads for one import.
  init(_ context: OriginContext) { self.context = context }

  /// What is told.
  final var notes: ImportNotes { context.notes }

  /// An id that no request had before.
  final func uniqueID(_ wanted: String) -> String {
    var number = ids[wanted, default: 0]
    var id = wanted
    repeat {
      number += 1
      if number > 1 { id = "\(wanted) \(number)" }
    } while ids[id] != nil
    ids[wanted] = number
    if id != wanted { ids[id] = 1 }
    return id
  }

  /// Tells of something that can't be read.
  final func tellMalformed(
    _ message: String, at place: OriginPlace, origin: String? = nil, isWarning: Bool? = nil
  ) {
    notes.tell(.itemMalformed, message, at: place, origin: origin, isWarning: isWarning)
  }

  /// A template of ours for a name; remembers one that would be code here.
  final func template(_ name: Substring, isKnown: Bool) -> String {
    if !isKnown, NestedTemplates.isCode(name) { unknownNames.insert(String(name)) }
    return "{{\(name)}}"
  }

  /// Tells once of a template without an equivalent, as it is written.
  final func tellTemplate(_ written: String, at place: OriginPlace) {
    guard toldTemplates.insert(written).inserted else { return }
    notes.tell(
      .templateUnsupported, "`\(written)` has no equivalent. Put another value in its place.",
      at: place)
  }
}
