// Stored requests as rows for typed queries: what lists show.

extension Model {
  /// A stored request. Its text and its body can be asked for, but are not read.
  package struct HTTPRequest: StoredRow, Hashable {
    package var id: String
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package var createdAt: Int64
    package var updatedAt: Int64
    package var collectionID: String
    /// The folder in which it lies; `nil` at the top of its collection.
    package var folderID: String?
    package var sortOrder: Int64
    /// As its text has it.
    package var name: String?
    package var method: String
    /// The target as written.
    package var url: String
    /// The file from which it was saved.
    package var originFile: String?
    /// Its name in that file.
    package var originName: String?
    /// The preset by which its text is read, where the file it came from had one.
    package var dialect: String?
    /// Whether its owner wants it at hand.
    package var isFavourite: Bool

    /// What people call it: its name, else its method and target.
    package var displayName: String { name ?? "\(method) \(url)" }

    package static let columns = Columns()
    package static let table = Table(
      "http_request", .collections,
      selection: "id, created_at, updated_at, collection_id, folder_id, sort_order, name, method, "
        + "url, origin_file, origin_name, dialect, is_favourite")

    /// The columns and relationships of a stored request.
    package struct Columns: Sendable {
      package let id = Column<HTTPRequest, String>("id")
      package let createdAt = Column<HTTPRequest, Int64>("created_at")
      package let updatedAt = Column<HTTPRequest, Int64>("updated_at")
      package let collectionID = Column<HTTPRequest, String>("collection_id")
      package let folderID = Column<HTTPRequest, String?>("folder_id")
      package let sortOrder = Column<HTTPRequest, Int64>("sort_order")
      package let name = Column<HTTPRequest, String?>("name")
      package let method = Column<HTTPRequest, String>("method")
      package let url = Column<HTTPRequest, String>("url")
      package let originFile = Column<HTTPRequest, String?>("origin_file")
      package let originName = Column<HTTPRequest, String?>("origin_name")
      package let dialect = Column<HTTPRequest, String?>("dialect")
      package let isFavourite = Column<HTTPRequest, Bool>("is_favourite")
      /// What people call it; an index has just this.
      package let caption = Column<HTTPRequest, String>(
        term: .fragment(CollectionTable.captionSQL, []))
      /// The exact text; see `StoredRequestContent`.
      package let source = Column<HTTPRequest, String>("source")
      package let body = Column<HTTPRequest, String?>("body")
      package let tags = ToMany<HTTPRequest, RequestTag>(column: "http_request_id") {
        [$0.sortOrder.ascending]
      }
    }

    /// Reads a row.
    package init(_ row: Statement) {
      id = row.text(0)
      createdAt = row.int64(1)
      updatedAt = row.int64(2)
      collectionID = row.text(3)
      folderID = row.optionalText(4)
      sortOrder = row.int64(5)
      name = row.optionalText(6)
      method = row.text(7)
      url = row.text(8)
      originFile = row.optionalText(9)
      originName = row.optionalText(10)
      dialect = row.optionalText(11)
      isFavourite = row.int(12) != 0
    }
  }
}
