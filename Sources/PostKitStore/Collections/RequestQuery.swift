// Which stored requests are looked for, in which order, and a page of them.

/// A question for stored requests. Conditions that are `nil` don't count.
package struct RequestQuery: Sendable, Hashable {
  /// What the answer is sorted by.
  package enum Sort: String, Sendable, Hashable, CaseIterable {
    /// As they lie in the tree: folders before requests.
    case order
    /// By what people call them, without regard to case and accents.
    case name
    /// The one that was changed last comes first.
    case updated
    /// The newest comes first.
    case created
    /// The one that was sent last comes first; those that were never sent are left out.
    case recent

    /// Whether rows that were written last are likely to come first.
    var isByTime: Bool { self == .updated || self == .created || self == .recent }
  }

  /// A header or parameter that a request has, switched off or not.
  package struct Field: Sendable, Hashable {
    /// Its name: of a header in any case, of a parameter exactly. `nil` for any.
    package var name: String?
    /// What occurs in its value, folded; `nil` for anything.
    package var value: String?

    /// Asks for a field; `nil` where neither a name nor a value is given.
    package init?(_ name: String?, _ value: String? = nil) {
      if name == nil, value == nil { return nil }
      self.name = name
      self.value = value
    }

    /// Reads `NAME` or `NAME=VALUE`; `nil` where the name is missing.
    package init?(text: String) {
      let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = halves.first, !name.isEmpty else { return nil }
      self.init(String(name), halves.count > 1 ? String(halves[1]) : nil)
    }
  }

  /// Words and "phrases" that all occur in name, method, target or tags, folded.
  package var text: String?
  /// In any case.
  package var method: String?
  package var header: Field?
  package var parameter: Field?
  /// A word of its `# @tag` lines, exactly.
  package var tag: String?
  /// Where it lies, however deep below.
  package var container: RequestContainer?
  package var isFavourite: Bool?
  package var sort = Sort.order
  /// The most requests that are answered.
  package var limit: Int
  /// Continues after a page before; see `RequestPage`.
  package var cursor: String?

  /// Asks for all.
  package init(text: String? = nil, sort: Sort = .order, limit: Int = 50) {
    self.text = text
    self.sort = sort
    self.limit = limit
  }
}

/// A stored request that was looked for.
package struct FoundRequest: Sendable, Hashable {
  package var request: Model.HTTPRequest
  /// The names above it and its own, with slashes between.
  package var path: String
  package var tags: [String]
}

/// A page of stored requests.
package struct RequestPage: Sendable, Hashable {
  package var requests: [FoundRequest] = []
  /// How many there are on all pages.
  package var total = 0
  /// Where the next page begins; `nil` when this is the last.
  package var cursor: String?
  /// The revision of the collections that it shows.
  package var revision: Int64 = 0
}

/// The place of a request in an order: it is compared from the first member to the last.
struct RequestOrderKey: Hashable {
  /// The place of its container, or a time with its sign turned.
  var first: Int64 = 0
  /// The place among its siblings.
  var second: Int64 = 0
  /// Its folded name, where that is what is sorted by.
  var name = ""
  var id = ""

  /// Whether it comes before another.
  func isBefore(_ other: RequestOrderKey) -> Bool {
    if first != other.first { return first < other.first }
    if second != other.second { return second < other.second }
    if name != other.name { return name.utf8.lexicographicallyPrecedes(other.name.utf8) }
    return id.utf8.lexicographicallyPrecedes(other.id.utf8)
  }
}

/// Where a page ended, as a text that a client keeps and gives back. It holds for one order and for
/// the collections as they were.
struct RequestCursor: Hashable {
  var sort: RequestQuery.Sort
  var revision: Int64
  var place: RequestOrderKey
}

extension RequestCursor {
  /// Reads a cursor that is to be used for an order, while the collections have a revision.
  init(_ text: String, sort: RequestQuery.Sort, revision: Int64) throws(StoreFailure) {
    let parts = text.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
    guard parts.count == 6, let known = RequestQuery.Sort(rawValue: String(parts[0])),
      let read = Int64(parts[1]), let first = Int64(parts[2]), let second = Int64(parts[3])
    else { throw .collection(.badCursor("is none of an earlier page")) }
    guard known == sort else {
      throw .collection(.badCursor("belongs to the order `\(known.rawValue)`"))
    }
    guard read == revision else {
      throw .collection(.badCursor("is older than the last change of the collections"))
    }
    self.init(
      sort: sort, revision: revision,
      place: RequestOrderKey(
        first: first, second: second, name: String(parts[5]), id: String(parts[4])))
  }

  /// The cursor as a text.
  var text: String {
    "\(sort.rawValue) \(revision) \(place.first) \(place.second) \(place.id) \(place.name)"
  }
}
