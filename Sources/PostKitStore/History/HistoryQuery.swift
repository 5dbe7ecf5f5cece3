// Which exchanges are asked for, rendered to SQL by a pure function.

package import PostKitHTTP

/// A question to the history; the answer is newest first. Conditions that are `nil` don't count.
package struct HistoryQuery: Sendable, Hashable {
  /// Words that occur in the URL, the name, headers, bodies or notes, see `SearchText`.
  package var text: String?
  package var file: String?
  package var requestName: String?
  package var environment: String?
  package var method: String?
  /// The host without port, in any case.
  package var host: String?
  package var status: Int?
  /// The first digit of the status.
  package var statusClass: Int?
  package var state: ExchangeState?
  package var runID: String?
  /// How the path of the URL begins; as it was sent, with its escapes.
  package var path: String?
  /// The shortest and the longest duration, in milliseconds.
  package var minMilliseconds: Int?
  package var maxMilliseconds: Int?
  /// The fewest and the most bytes of the response body.
  package var minSize: Int?
  package var maxSize: Int?
  /// Whether it has a test that failed; `false` counts as `nil`.
  package var hasFailedTests = false
  package var isPinned: Bool?
  package var label: String?
  /// The earliest start, in milliseconds since 1970.
  package var since: Int64?
  /// The start before which it must lie, in milliseconds since 1970.
  package var until: Int64?
  /// Continues after this entry of the page before.
  package var after: Cursor?
  /// The most entries that are answered.
  package var limit: Int
  /// Whether so many entries have the path that they are better read by time.
  var pathIsCommon = false

  /// A place in the history; new entries don't move it.
  package struct Cursor: Sendable, Hashable {
    package var startedAt: Int64
    package var id: String
    /// What a search for words goes by.
    package var sequence: Int64

    /// The place of an entry.
    package init(startedAt: Int64, id: String, sequence: Int64) {
      self.startedAt = startedAt
      self.id = id
      self.sequence = sequence
    }

    /// The place of an entry.
    package init(_ summary: ExchangeSummary) {
      self.init(
        startedAt: summary.startedAt, id: summary.id, sequence: summary.sequence)
    }
  }

  /// How the words of a question are found.
  enum Search: Hashable {
    /// By reading what may have them.
    case reading
    /// By the index of words, in the language of FTS5, and outside a range of it by reading.
    case indexed(words: String, except: WordRange?)
  }

  /// Asks for the newest entries.
  package init(text: String? = nil, limit: Int = 50) {
    self.text = text
    self.limit = limit
  }

  /// The statement that answers the question.
  func rendered(_ search: Search = .reading) -> SQLQuery {
    if case .indexed(let words, let range) = search { return indexed(words, except: range) }
    var descriptor = FetchDescriptor<Model.HistoryEntry>(
      sortBy: { [$0.startedAt.descending] }, fetchLimit: limit)
    descriptor.predicate = text.map { predicate && HistoryQuery.occurrences($0) } ?? predicate
    descriptor.after = after.map { PageKey($0.startedAt, $0.id) }
    return descriptor.rendered()
  }

  /// Newest first is by `sequence` here: that is the order of the index, so that no more is read
  /// than is answered. The table of words comes first; otherwise its list of matches would be made
  /// for each exchange.
  private func indexed(_ words: String, except range: WordRange?) -> SQLQuery {
    let number = Term.fragment("words.rowid", [])
    var found = Term.fragment("words MATCH ?", [.text(words)]) && predicate.term
    if let after { found = found && .infix(number, "<", .value(.int(after.sequence))) }
    var matches = Selection(
      table: "exchange",
      source: "words CROSS JOIN exchange ON exchange.sequence = words.rowid",
      terms: [.fragment(ExchangeSummary.selection, [])], condition: found,
      order: [(number, .reverse)], limit: limit)
    guard let range, let text else { return matches.rendered() }
    matches.terms = [.fragment("words.rowid AS number", [])]
    // The rest of a long history is not worth the wait: whoever searches is told of it.
    let rest = range.first - HistoryQuery.readingLimit
    let parts = [
      matches.rendered(), unindexed(text) { $0.sequence > range.last },
      unindexed(text) { $0.sequence < range.first && $0.sequence >= rest },
    ]
    let union = parts.map { "SELECT number FROM (\($0.sql))" }.joined(separator: " UNION ALL ")
    return Selection(
      table: "exchange", terms: [.fragment(ExchangeSummary.selection, [])],
      condition: .fragment("sequence IN (\(union))", parts.flatMap(\.values)),
      order: [(.column("sequence"), .reverse)], limit: limit
    ).rendered()
  }

  private func unindexed(
    _ text: String, in place: (Model.HistoryEntry.Columns) -> Predicate<Model.HistoryEntry>
  ) -> SQLQuery {
    let entry = Model.HistoryEntry.columns
    var bounds = place(entry)
    if let after { bounds = bounds && entry.sequence < after.sequence }
    let words = SearchText(text).words.map { HistoryQuery.occurrences($0.text) }
    return Selection(
      table: "exchange", terms: [.fragment("sequence AS number", [])],
      condition: (bounds && predicate && .all(words)).term,
      order: [(.column("sequence"), .reverse)], limit: limit
    ).rendered()
  }

  /// All conditions but those of the text and the page.
  private var predicate: Predicate<Model.HistoryEntry> {
    let entry = Model.HistoryEntry.columns
    var conditions: [Predicate<Model.HistoryEntry>] = []
    func require<Value>(
      _ value: Value?, _ condition: (Value) -> Predicate<Model.HistoryEntry>
    ) {
      if let value { conditions.append(condition(value)) }
    }
    require(file) { entry.file == $0 }
    require(requestName) { entry.requestName == $0 }
    require(environment) { entry.environment == $0 }
    require(method) { entry.method == $0 }
    require(host) { entry.host == $0.lowercased() }
    require(status) { entry.status == $0 }
    // The class as well, because it is what the index knows.
    require(statusClass ?? status.map { $0 / 100 }) { entry.statusClass == $0 }
    require(state) { entry.state == $0 }
    require(runID) { entry.runID == $0 }
    // An index is chosen for a path that few have; many would have to be sorted.
    let urlPath = pathIsCommon ? entry.unindexedPath : entry.path
    require(path) { urlPath >= $0 && urlPath < $0 + "\u{10FFFF}" }
    require(minMilliseconds) { entry.totalMicroseconds >= Int64($0) * 1_000 }
    require(maxMilliseconds) { entry.totalMicroseconds <= Int64($0) * 1_000 }
    require(minSize) { entry.size >= $0 }
    require(maxSize) { entry.size <= $0 }
    // The constants are what indexes are chosen by.
    if hasFailedTests { conditions.append(Predicate(term: .fragment("failed_test_count > 0", []))) }
    require(isPinned) { Predicate(term: .fragment("pinned = \($0 ? 1 : 0)", [])) }
    require(label) { entry.label == $0 }
    require(since) { entry.startedAt >= $0 }
    require(until) { entry.startedAt < $0 }
    return .all(conditions)
  }

  /// Whether anything is asked for but the newest.
  package var hasConditions: Bool { hasFilters || text?.isEmpty == false }

  /// Whether anything is asked for but words and the newest.
  var hasFilters: Bool { predicate.term != .always }

  /// Answers whether this many entries have a path.
  static let commonPathSQL = """
    SELECT count(*) FROM (
      SELECT 1 FROM exchange WHERE path >= ?1 AND path < ?1 || char(1114111) LIMIT ?2)
    """
  /// Entries of a path that are found and sorted in a few milliseconds.
  static let commonPathCount: Int64 = 1_000

  /// Exchanges that the index doesn't know yet and that a search reads one by one.
  private static let readingLimit: Int64 = 10_000

  /// That a text occurs anywhere in what is kept in the database; letters of ASCII match without
  /// regard to case. True for the empty text.
  private static func occurrences(_ text: String) -> Predicate<Model.HistoryEntry> {
    guard !text.isEmpty else { return .all([]) }
    let entry = Model.HistoryEntry.columns
    return .any([
      entry.url.contains(text), entry.requestName.contains(text),
      entry.requestHeaders.contains(text), entry.responseHeaders.contains(text),
      entry.label.contains(text), entry.note.contains(text), entry.requestBody.contains(text),
      entry.responseBody.contains(text),
    ])
  }
}
