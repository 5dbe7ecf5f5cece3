// Exchanges as rows for typed queries: what lists show, and what they can be asked for.

package import PostKitHTTP

extension Model {
  /// One line of the history. Headers and bodies can be asked for, but are not read.
  package typealias HistoryEntry = ExchangeSummary
}

extension ExchangeSummary: StoredRow {
  package static let columns = Columns()
  package static let table = Table("exchange", .history, selection: selection)

  /// The columns of exchanges that queries may use.
  package struct Columns: Sendable {
    package let id = Column<ExchangeSummary, String>("id")
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package let startedAt = Column<ExchangeSummary, Int64>("started_at")
    package let file = Column<ExchangeSummary, String>("file")
    package let line = Column<ExchangeSummary, Int>("line")
    package let requestName = Column<ExchangeSummary, String?>("request_name")
    package let environment = Column<ExchangeSummary, String?>("environment")
    package let method = Column<ExchangeSummary, String>("method")
    package let url = Column<ExchangeSummary, String>("url")
    /// The path of the URL as it was sent, without query.
    package let path = Column<ExchangeSummary, String?>("path")
    /// In small letters, without port.
    package let host = Column<ExchangeSummary, String?>("host")
    package let state = Column<ExchangeSummary, ExchangeState>("state")
    package let status = Column<ExchangeSummary, Int?>("status")
    /// The first digit of the status; it has an index, the status itself has none.
    package let statusClass = Column<ExchangeSummary, Int?>("status_class")
    package let totalMicroseconds = Column<ExchangeSummary, Int64>("total_microseconds")
    /// Bytes of the response body after content codings were removed.
    package let size = Column<ExchangeSummary, Int>("decoded_size")
    package let failureCode = Column<ExchangeSummary, String?>("failure_code")
    package let isPinned = Column<ExchangeSummary, Bool>("pinned")
    package let label = Column<ExchangeSummary, String?>("label")
    package let note = Column<ExchangeSummary, String?>("note")
    package let workspaceFolder = Column<ExchangeSummary, String>("workspace_folder")
    package let runID = Column<ExchangeSummary, String>("run_id")
    package let storedRequestID = Column<ExchangeSummary, String?>("http_request_id")
    package let origin = Column<ExchangeSummary, String?>("origin")
    package let requestHeaders = Column<ExchangeSummary, String>("request_headers")
    package let responseHeaders = Column<ExchangeSummary, String?>("response_headers")
    /// Those of its bytes that are kept in the database, as text.
    package let requestBody = Column<ExchangeSummary, String?>(
      term: .fragment("CAST(request_body AS TEXT)", []))
    /// Those of its bytes that are kept in the database, as text.
    package let responseBody = Column<ExchangeSummary, String?>(
      term: .fragment("CAST(response_body AS TEXT)", []))
    /// Rises with each exchange that is recorded, whatever the clock says.
    package let sequence = Column<ExchangeSummary, Int64>("sequence")
  }
}
