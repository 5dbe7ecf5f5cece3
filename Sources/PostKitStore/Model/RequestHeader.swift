// Headers of stored requests as rows for typed queries.

extension Model {
  /// A header of a stored request, as written.
  package struct RequestHeader: StoredRow, Hashable {
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
      "request_header", .collections,
      selection: "id, created_at, updated_at, http_request_id, key, value, is_enabled, sort_order")

    /// The columns of a header of a stored request.
    package struct Columns: Sendable {
      package let id = Column<RequestHeader, String>("id")
      package let createdAt = Column<RequestHeader, Int64>("created_at")
      package let updatedAt = Column<RequestHeader, Int64>("updated_at")
      package let requestID = Column<RequestHeader, String>("http_request_id")
      package let key = Column<RequestHeader, String>("key")
      package let value = Column<RequestHeader, String>("value")
      package let isEnabled = Column<RequestHeader, Bool>("is_enabled")
      package let sortOrder = Column<RequestHeader, Int64>("sort_order")
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
