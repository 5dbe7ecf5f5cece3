// How the header fields of two messages differ, name by name.

package import PostKitHTTP

/// What changed in header fields. Their order and the case of their names mean nothing in HTTP, so
/// they are told apart from changes of values.
package struct HeaderDifference: Sendable, Hashable {
  /// The values of one field name that differ.
  package struct Change: Sendable, Hashable {
    package var name: String
    package var old: [String]
    package var new: [String]
  }

  /// Names that one message writes otherwise than the other.
  package struct Spelling: Sendable, Hashable {
    package var old: String
    package var new: String
  }

  package var changes: [Change] = []
  /// Fields that differ, but do so in nearly every response, whatever was asked for.
  package var passing: [Change] = []
  package var spellings: [Spelling] = []
  /// Whether names that both have come in another order.
  package var isReordered = false

  /// Compares header fields.
  package init(from old: HeaderFields, to new: HeaderFields) {
    let (before, after) = (HeaderDifference.byName(old), HeaderDifference.byName(new))
    let newFields = Dictionary(uniqueKeysWithValues: after.map { ($0.key, $0) })
    let oldNames = Set(before.map(\.key))
    for field in before {
      let other = newFields[field.key]
      if field.values != other?.values ?? [] {
        add(Change(name: other?.name ?? field.name, old: field.values, new: other?.values ?? []))
      }
      if let other, other.name != field.name {
        spellings.append(Spelling(old: field.name, new: other.name))
      }
    }
    for field in after where !oldNames.contains(field.key) {
      add(Change(name: field.name, old: [], new: field.values))
    }
    isReordered =
      before.map(\.key).filter { newFields[$0] != nil }
      != after.map(\.key).filter(oldNames.contains)
  }

  private mutating func add(_ change: Change) {
    // A field that only one of them has tells of more than the moment.
    let isPassing =
      !change.old.isEmpty && !change.new.isEmpty
      && PassingHeaders.steady(change.name, change.old)
        == PassingHeaders.steady(change.name, change.new)
    if isPassing { passing.append(change) } else { changes.append(change) }
  }

  private struct Field {
    /// The name in small letters.
    let key: String
    let name: String
    var values: [String]
  }

  private static func byName(_ headers: HeaderFields) -> [Field] {
    var result: [Field] = []
    var places: [String: Int] = [:]
    for field in headers.fields {
      let key = field.name.lowercased()
      if let place = places[key] {
        result[place].values.append(field.value)
      } else {
        places[key] = result.count
        result.append(Field(key: key, name: field.name, values: [field.value]))
      }
    }
    return result
  }
}
