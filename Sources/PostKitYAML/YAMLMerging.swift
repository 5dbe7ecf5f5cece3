// Merge keys: `<<: *defaults` puts the members of another mapping into one.

import PostKitJSON

/// Applies the merge keys of a tree in which aliases are written out. A mapping's own members win,
/// and of what is merged what comes first.
struct YAMLMerging {
  private let raw: JSONTree
  private let rawPlaces: [UInt32]

  private(set) var builder = JSONTreeBuilder()
  private(set) var places: [UInt32] = []
  private(set) var notes: YAMLNotes

  init(raw: JSONTree, places: [UInt32], notes: YAMLNotes) {
    self.raw = raw
    rawPlaces = places
    self.notes = notes
  }

  /// Makes the tree anew. It becomes no larger: what is merged stands at its merge key already.
  mutating func apply() { value(raw.root) }

  private mutating func value(_ view: JSONView) {
    place(view)
    switch view.kind {
    case .array:
      builder.beginArray()
      for element in view.elements { value(element) }
      builder.end()
    case .object:
      builder.beginObject()
      object(view)
      builder.end()
    default: builder.scalar(copying: view)
    }
  }

  private mutating func object(_ view: JSONView) {
    let members = view.members
    guard members.contains(where: { isMerge($0.key) }) else {
      for member in members { self.member(member.key, member.value) }
      return
    }
    var taken = Set(members.filter { !isMerge($0.key) }.map { $0.key.string ?? "" })
    for member in members {
      guard isMerge(member.key) else {
        self.member(member.key, member.value)
        continue
      }
      guard let sources = Self.sources(member.value) else {
        notes.tell(
          offset(member.key),
          "`<<` stands before something that is no mapping; it is read as an ordinary name.")
        self.member(member.key, member.value)
        continue
      }
      for source in sources { merge(source, &taken) }
    }
  }

  /// Writes the members of a mapping that the one around it doesn't have.
  private mutating func merge(_ source: JSONView, _ taken: inout Set<String>) {
    let members = source.members
    var last: [String: Int] = [:]
    for (index, member) in members.enumerated() { last[member.key.string ?? ""] = index }
    for (index, member) in members.enumerated() where !isMerge(member.key) {
      let name = member.key.string ?? ""
      guard last[name] == index, taken.insert(name).inserted else { continue }
      self.member(member.key, member.value)
    }
    for member in members where isMerge(member.key) {
      for source in Self.sources(member.value) ?? [] { merge(source, &taken) }
    }
  }

  /// The mappings that stand at a merge key; `nil` for what is neither one nor a list of some.
  private static func sources(_ view: JSONView) -> [JSONView]? {
    switch view.kind {
    case .object: return [view]
    case .array:
      let elements = view.elements
      return elements.allSatisfy { $0.kind == .object } ? elements : nil
    default: return nil
    }
  }

  private mutating func member(_ key: JSONView, _ view: JSONView) {
    place(key)
    builder.key(copying: key)
    value(view)
  }

  private mutating func place(_ view: JSONView) { places.append(UInt32(offset(view))) }

  private func offset(_ view: JSONView) -> Int {
    Int(rawPlaces[view.nodeIndex] & ~YAMLReading.mergeMark)
  }

  private func isMerge(_ key: JSONView) -> Bool {
    rawPlaces[key.nodeIndex] & YAMLReading.mergeMark != 0
  }
}
