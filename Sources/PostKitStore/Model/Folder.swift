// Folders as rows for typed queries.

extension Model {
  /// A folder of requests, at the top of a collection or in another folder.
  package struct Folder: StoredRow, Hashable {
    package var id: String
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package var createdAt: Int64
    package var updatedAt: Int64
    package var collectionID: String
    /// The folder in which it lies; `nil` at the top of its collection.
    package var parentID: String?
    package var name: String
    package var sortOrder: Int64
    /// What its requests have that don't say it themselves, as JSON; see `StoredDefaults`.
    package var defaults: String?

    package static let columns = Columns()
    package static let table = Table(
      "folder", .collections,
      selection: "id, created_at, updated_at, collection_id, parent_id, name, sort_order, defaults")

    /// The columns and relationships of a folder of requests.
    package struct Columns: Sendable {
      package let id = Column<Folder, String>("id")
      package let createdAt = Column<Folder, Int64>("created_at")
      package let updatedAt = Column<Folder, Int64>("updated_at")
      package let collectionID = Column<Folder, String>("collection_id")
      package let parentID = Column<Folder, String?>("parent_id")
      package let name = Column<Folder, String>("name")
      package let sortOrder = Column<Folder, Int64>("sort_order")
      package let defaults = Column<Folder, String?>("defaults")
      package let folders = ToMany<Folder, Folder>(column: "parent_id") { [$0.sortOrder.ascending] }
      package let requests = ToMany<Folder, HTTPRequest>(column: "folder_id") {
        [$0.sortOrder.ascending]
      }
    }

    /// Reads a row.
    package init(_ row: Statement) {
      id = row.text(0)
      createdAt = row.int64(1)
      updatedAt = row.int64(2)
      collectionID = row.text(3)
      parentID = row.optionalText(4)
      name = row.text(5)
      sortOrder = row.int64(6)
      defaults = row.optionalText(7)
    }
  }
}
