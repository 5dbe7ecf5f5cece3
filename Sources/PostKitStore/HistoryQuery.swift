// Which exchanges are asked for, rendered to SQL by a pure function.

package import PostKitHTTP

/// A question to the history; the answer is newest first. Conditions that are `nil` don't count.
package struct HistoryQuery: Sendable, Hashable {
  /// Occurs in the URL, the name, a header or a body that is kept in the database; letters of ASCII
  /// match without regard to case.
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
  /// The earliest start, in milliseconds since 1970.
  package var since: Int64?
  /// The start before which it must lie, in milliseconds since 1970.
  package var until: Int64?
  /// Continues after this entry of the page before.
  package var after: Cursor?
  /// The most entries that are answered.
  package var limit: Int

  /// A place in the history; new entries don't move it.
  package struct Cursor: Sendable, Hashable {
    package var startedAt: Int64
    package var id: String

    /// The place of an entry.
    package init(startedAt: Int64, id: String) {
      self.startedAt = startedAt
      self.id = id
    }

    /// The place of an entry.
    package init(_ summary: ExchangeSummary) {
      self.init(startedAt: summary.startedAt, id: summary.id)
    }
  }

  /// Asks for the newest entries.
  package init(text: String? = nil, limit: Int = 50) {
    self.text = text
    self.limit = limit
  }

  /// The statement that answers the question.
  package func rendered() -> SQLQuery {
    var terms: [String] = []
    var values: [SQLValue] = []
    func require(_ term: String, _ value: SQLValue?) {
      guard let value else { return }
      terms.append(term)
      values.append(value)
    }
    require("file = ?", file.map(SQLValue.text))
    require("request_name = ?", requestName.map(SQLValue.text))
    require("environment = ?", environment.map(SQLValue.text))
    require("method = ?", method.map(SQLValue.text))
    require("host = ?", host.map { .text($0.lowercased()) })
    require("status = ?", status.map { .int(Int64($0)) })
    // The class as well, because it is what the index knows.
    require("status_class = ?", (statusClass ?? status.map { $0 / 100 }).map { .int(Int64($0)) })
    require("state = ?", state.map { .text($0.rawValue) })
    require("run_id = ?", runID.map(SQLValue.text))
    require("started_at >= ?", since.map(SQLValue.int))
    require("started_at < ?", until.map(SQLValue.int))
    if let after {
      terms.append("(started_at, id) < (?, ?)")
      values += [.int(after.startedAt), .text(after.id)]
    }
    if let text, !text.isEmpty {
      terms.append(HistoryQuery.searchTerm)
      values += Array(
        repeating: .text(HistoryQuery.pattern(text)), count: HistoryQuery.searched.count)
    }
    var sql = "SELECT \(ExchangeSummary.columns) FROM exchange"
    if !terms.isEmpty { sql += " WHERE " + terms.joined(separator: " AND ") }
    sql += " ORDER BY started_at DESC, id DESC LIMIT ?"
    values.append(.int(Int64(max(limit, 0))))
    return SQLQuery(sql: sql, values: values)
  }

  // The seam for full text search: only this term changes when there is an index of words.
  private static let searched = [
    "url", "request_name", "request_headers", "response_headers", "CAST(request_body AS TEXT)",
    "CAST(response_body AS TEXT)",
  ]

  private static let searchTerm =
    "(" + searched.map { "\($0) LIKE ? ESCAPE '\\'" }.joined(separator: " OR ") + ")"

  /// The pattern that matches a text anywhere. SQLite refuses patterns over 50,000 bytes, which is
  /// more than anybody searches for; of a longer text the beginning is looked for.
  private static func pattern(_ text: String) -> String {
    var pattern = "%"
    for scalar in text.unicodeScalars {
      guard pattern.utf8.count < 16_384 else { break }
      if scalar == "%" || scalar == "_" || scalar == "\\" { pattern.append("\\") }
      pattern.unicodeScalars.append(scalar)
    }
    return pattern + "%"
  }
}
