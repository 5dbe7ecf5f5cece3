// The fields of a dictionary of Bruno's, with what was read of them.

/// Names and values that know which of them were read, so that none is left out in silence (IO-3).
final class BrunoFields {
  private struct Field {
    let name: String
    let value: String
    let place: OriginPlace
    var isUsed = false
  }

  /// Where the dictionary stands.
  let place: OriginPlace
  private let notes: ImportNotes
  private var fields: [Field]

  /// Makes fields of names and values.
  init(
    _ fields: [(name: String, value: String, place: OriginPlace)], at place: OriginPlace,
    notes: ImportNotes
  ) {
    self.place = place
    self.notes = notes
    self.fields = fields.map { Field(name: $0.name, value: $0.value, place: $0.place) }
  }

  /// The value of a field; of duplicates the last. It counts as read.
  subscript(name: String) -> String? {
    var found: String?
    for index in fields.indices where fields[index].name == name {
      fields[index].isUsed = true
      found = fields[index].value
    }
    return found
  }

  /// The value of a field, without counting it as read.
  func peek(_ name: String) -> String? { fields.last { $0.name == name }?.value }

  /// The value of a field that says something.
  func filled(_ name: String) -> String? {
    guard let value = self[name], !value.isEmpty else { return nil }
    return value
  }

  /// Whether a field is `true` or `false`; `nil` for other words, which count as not read.
  func bool(_ name: String) -> Bool? {
    switch fields.last(where: { $0.name == name })?.value {
    case "true": self[name] != nil
    case "false": self[name] == nil
    default: nil
    }
  }

  /// Where a field stands; the dictionary where there is none of that name.
  func place(of name: String) -> OriginPlace {
    fields.last { $0.name == name }?.place ?? place
  }

  /// Says of fields that they are known and without effect.
  func ignore(_ names: String...) { for name in names { _ = self[name] } }

  /// All fields as variables; they count as read.
  func all() -> [OriginVariable] {
    for index in fields.indices { fields[index].isUsed = true }
    return fields.map { OriginVariable(name: $0.name, value: .text($0.value), place: $0.place) }
  }

  /// Tells each field that says something and was not read.
  func finish(origin: String?) {
    for field in fields where !field.isUsed && !field.value.isEmpty {
      notes.tell(
        .memberUnknown, "PostKit does not know what `\(field.name)` means and leaves it out.",
        at: field.place, origin: origin)
    }
  }
}
