// Headers, query parameters and tags of stored requests as rows for typed queries.

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

/// A table of headers or of query parameters, which have the same columns.
package protocol RequestFieldTable: Sendable {
  static var name: String { get }
}

extension Model {
  /// The table of headers.
  package enum HeaderTable: RequestFieldTable { package static let name = "request_header" }

  /// The table of query parameters.
  package enum ParameterTable: RequestFieldTable { package static let name = "query_parameter" }

  package typealias RequestHeader = RequestField<HeaderTable>
  package typealias QueryParameter = RequestField<ParameterTable>

  /// A header or query parameter of a stored request, as written.
  package struct RequestField<Fields: RequestFieldTable>: StoredRow, Hashable {
    package var id: String
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package var createdAt: Int64
    package var updatedAt: Int64
    package var requestID: String
    package var key: String
    package var value: String
    package var isEnabled: Bool
    package var sortOrder: Int64

    package static var columns: Columns { Columns() }
    package static var table: Table {
      Table(
        Fields.name, .collections,
        selection:
          "id, created_at, updated_at, http_request_id, key, value, is_enabled, sort_order")
    }

    /// The columns of a field of a stored request.
    package struct Columns: Sendable {
      package let id = Column<RequestField, String>("id")
      package let createdAt = Column<RequestField, Int64>("created_at")
      package let updatedAt = Column<RequestField, Int64>("updated_at")
      package let requestID = Column<RequestField, String>("http_request_id")
      package let key = Column<RequestField, String>("key")
      package let value = Column<RequestField, String>("value")
      package let isEnabled = Column<RequestField, Bool>("is_enabled")
      package let sortOrder = Column<RequestField, Int64>("sort_order")
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
