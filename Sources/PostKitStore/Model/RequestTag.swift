// Tags of stored requests as rows for typed queries.

extension Model {
  /// A tag of a stored request, as its `# @tag` lines have it.
  package struct RequestTag: StoredRow, Hashable {
    package var id: String
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package var createdAt: Int64
    package var updatedAt: Int64
    package var requestID: String
    package var tag: String
    package var sortOrder: Int64

    package static let columns = Columns()
    package static let table = Table(
      "request_tag", .collections,
      selection: "id, created_at, updated_at, http_request_id, tag, sort_order")

    /// The columns of a tag of a stored request.
    package struct Columns: Sendable {
      package let id = Column<RequestTag, String>("id")
      package let createdAt = Column<RequestTag, Int64>("created_at")
      package let updatedAt = Column<RequestTag, Int64>("updated_at")
      package let requestID = Column<RequestTag, String>("http_request_id")
      package let tag = Column<RequestTag, String>("tag")
      package let sortOrder = Column<RequestTag, Int64>("sort_order")
    }

    /// Reads a row.
    package init(_ row: Statement) {
      id = row.text(0)
      createdAt = row.int64(1)
      updatedAt = row.int64(2)
      requestID = row.text(3)
      tag = row.text(4)
      sortOrder = row.int64(5)
    }
  }
}
