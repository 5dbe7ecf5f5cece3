// Which exchanges are asked for, and in which order.

package import PostKitHTTP

/// What exchanges are listed by; the largest value comes first.
package enum HistorySort: String, Sendable, Hashable, CaseIterable {
  /// When they started: the newest first.
  case time
  /// How long they took.
  case milliseconds = "ms"
  /// Bytes of the response body after content codings were removed.
  case size

  /// All of them, as words of a sentence.
  package static let words = "time, ms or size"
}

/// What the exchanges of a question were made for.
package enum HistoryPurpose: Sendable, Hashable {
  /// What people ask for: requests in lists and figures, anything where it is forgotten.
  case usual
  case all
  case only(ExchangePurpose)

  /// All of them, as words of a sentence.
  package static let words = "request, token, script, schema or all"
}

/// A question to the history. Conditions that are `nil` don't count.
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
  /// The id of the stored request that was sent, in any case; of a path `Store.resolved` makes one.
  package var storedRequestID: String?
  /// What they were made for.
  package var purpose = HistoryPurpose.usual
  /// Who asked for them.
  package var origin: ExchangeOrigin?
  /// What comes first.
  package var sort = HistorySort.time
  /// Continues after this entry of the page before.
  package var after: Cursor?
  /// The most entries that are answered.
  package var limit: Int
  /// Whether so many entries have the path that they are better read by time.
  var pathIsCommon = false
  /// Whether the history has anything that was made for something else than a request.
  var hasOtherPurposes = false

  /// The question of all exchanges that it is about, whatever they were made for, unless it says
  /// so: what is forgotten leaves nothing behind.
  package var ofAnyPurpose: HistoryQuery {
    var query = self
    if query.purpose == .usual { query.purpose = .all }
    return query
  }

  /// A place in the history; new entries don't move it.
  package struct Cursor: Sendable, Hashable {
    package var startedAt: Int64
    package var id: String
    /// What a search for words goes by.
    package var sequence: Int64
    /// The order that it is a place of; in another one it means nothing.
    package var sort: HistorySort
    /// What the entry has of that: microseconds, or bytes; 0 in the order of time.
    package var value: Int64

    /// The place of an entry.
    package init(
      startedAt: Int64, id: String, sequence: Int64, sort: HistorySort = .time, value: Int64 = 0
    ) {
      self.startedAt = startedAt
      self.id = id
      self.sequence = sequence
      self.sort = sort
      self.value = value
    }

    /// The place of an entry in an order.
    package init(_ summary: ExchangeSummary, sort: HistorySort = .time) {
      let value = switch sort {
      case .time: Int64(0)
      case .milliseconds: summary.microseconds
      case .size: Int64(summary.size)
      }
      self.init(
        startedAt: summary.startedAt, id: summary.id, sequence: summary.sequence, sort: sort,
        value: value)
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
}
