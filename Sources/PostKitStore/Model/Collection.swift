// Collections as rows for typed queries.

extension Model {
  /// A collection of requests, with environments of its own.
  package struct Collection: StoredRow, Hashable {
    package var id: String
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package var createdAt: Int64
    package var updatedAt: Int64
    package var name: String
    package var sortOrder: Int64
    /// The environment that its requests use; one of its own or a global one.
    package var activeEnvironmentID: String?
    /// What its requests have that don't say it themselves, as JSON; see `StoredDefaults`.
    package var defaults: String?

    package static let columns = Columns()
    package static let table = Table(
      "collection", .collections,
      selection: "id, created_at, updated_at, name, sort_order, active_environment_id, defaults")

    /// The columns and relationships of a collection of requests.
    package struct Columns: Sendable {
      package let id = Column<Collection, String>("id")
      package let createdAt = Column<Collection, Int64>("created_at")
      package let updatedAt = Column<Collection, Int64>("updated_at")
      package let name = Column<Collection, String>("name")
      package let sortOrder = Column<Collection, Int64>("sort_order")
      package let activeEnvironmentID = Column<Collection, String?>("active_environment_id")
      package let defaults = Column<Collection, String?>("defaults")
      package let folders = ToMany<Collection, Folder>(column: "collection_id") {
        [$0.sortOrder.ascending]
      }
      package let requests = ToMany<Collection, HTTPRequest>(column: "collection_id") {
        [$0.sortOrder.ascending]
      }
    }

    /// Reads a row.
    package init(_ row: Statement) {
      id = row.text(0)
      createdAt = row.int64(1)
      updatedAt = row.int64(2)
      name = row.text(3)
      sortOrder = row.int64(4)
      activeEnvironmentID = row.optionalText(5)
      defaults = row.optionalText(6)
    }
  }
}
