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

/// What of header fields stays the same when nothing has changed: those that tell of the moment
/// differ each time, so that a comparison doesn't count them.
enum PassingHeaders {
  /// Names in small letters: times (RFC 9110, 9111, 8246), ids of one request, what it took, and
  /// what is left of a limit.
  static let names: Set<String> = [
    "age", "cf-ray", "date", "expires", "ratelimit", "ratelimit-remaining", "ratelimit-reset",
    "server-timing", "traceparent", "x-amz-cf-id", "x-amz-id-2", "x-amz-request-id",
    "x-amzn-requestid", "x-amzn-trace-id", "x-b3-spanid", "x-b3-traceid", "x-cloud-trace-context",
    "x-correlation-id", "x-envoy-upstream-service-time", "x-github-request-id",
    "x-ratelimit-remaining", "x-ratelimit-reset", "x-request-id", "x-response-time", "x-runtime",
    "x-timer", "x-trace-id",
  ]

  /// The values of a field without what is of the moment; nothing for the names above.
  static func steady(_ name: String, _ values: [String]) -> [String] {
    let name = name.lowercased()
    if names.contains(name) { return [] }
    return name == "set-cookie" ? values.map(withoutExpiry) : values
  }

  /// A cookie without the end of its life (RFC 6265, section 4.1.2).
  private static func withoutExpiry(_ cookie: String) -> String {
    let parts = cookie.split(separator: ";", omittingEmptySubsequences: false)
    let kept = parts.enumerated().filter { index, part in
      let attribute = String(part.prefix { $0 != "=" }).trimmingASCIIBlanks().lowercased()
      return index == 0 || attribute != "expires" && attribute != "max-age"
    }
    return kept.map { String($0.element).trimmingASCIIBlanks() }.joined(separator: "; ")
  }
}
