// Environments of collections as rows for typed queries.

extension Model {
  /// An environment of a collection, or a global one.
  package struct Environment: StoredRow, Hashable {
    package var id: String
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package var createdAt: Int64
    package var updatedAt: Int64
    /// The collection that it belongs to; `nil` for a global one.
    package var collectionID: String?
    package var name: String
    package var sortOrder: Int64

    package static let columns = Columns()
    package static let table = Table(
      "environment", .collections,
      selection: "id, created_at, updated_at, collection_id, name, sort_order")

    /// The columns and relationships of an environment of a collection.
    package struct Columns: Sendable {
      package let id = Column<Environment, String>("id")
      package let createdAt = Column<Environment, Int64>("created_at")
      package let updatedAt = Column<Environment, Int64>("updated_at")
      package let collectionID = Column<Environment, String?>("collection_id")
      package let name = Column<Environment, String>("name")
      package let sortOrder = Column<Environment, Int64>("sort_order")
      package let collection = ToOne<Environment, Collection>(column: "collection_id")
      package let variables = ToMany<Environment, Variable>(column: "environment_id") {
        [$0.sortOrder.ascending]
      }
    }

    /// Reads a row.
    package init(_ row: Statement) {
      id = row.text(0)
      createdAt = row.int64(1)
      updatedAt = row.int64(2)
      collectionID = row.optionalText(3)
      name = row.text(4)
      sortOrder = row.int64(5)
    }
  }
}
