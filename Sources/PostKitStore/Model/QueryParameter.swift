// Query parameters of stored requests as rows for typed queries.

extension Model {
  /// A query parameter of a stored request, as written.
  package struct QueryParameter: StoredRow, Hashable {
    package var id: String
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package var createdAt: Int64
    package var updatedAt: Int64
    package var requestID: String
    package var key: String
    package var value: String
    package var isEnabled: Bool
    package var sortOrder: Int64

    package static let columns = Columns()
    package static let table = Table(
      "query_parameter", .collections,
      selection: "id, created_at, updated_at, http_request_id, key, value, is_enabled, sort_order")

    /// The columns of a query parameter of a stored request.
    package struct Columns: Sendable {
      package let id = Column<QueryParameter, String>("id")
      package let createdAt = Column<QueryParameter, Int64>("created_at")
      package let updatedAt = Column<QueryParameter, Int64>("updated_at")
      package let requestID = Column<QueryParameter, String>("http_request_id")
      package let key = Column<QueryParameter, String>("key")
      package let value = Column<QueryParameter, String>("value")
      package let isEnabled = Column<QueryParameter, Bool>("is_enabled")
      package let sortOrder = Column<QueryParameter, Int64>("sort_order")
    }

    /// Reads a row.
    package init(_ row: Statement) {
      id = row.text(0)
      createdAt = row.int64(1)
      updatedAt = row.int64(2)
      requestID = row.text(3)
      key = row.text(4)
      value = row.text(5)
      isEnabled = row.int(6) != 0
      sortOrder = row.int64(7)
    }
  }
}
