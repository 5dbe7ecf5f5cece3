// Tables of a library for the tests of typed queries: shelves in shelves, with books on them.

import PostKitTestSupport

@testable import PostKitStore

/// A book; some have no pages known, and some stand on no shelf.
struct Book: WritableRow, Hashable {
  var id: String
  var title: String
  var pages: Int?
  var isLent = false
  var shelfID: String?

  struct Columns: Sendable {
    let id = Column<Book, String>("id")
    let title = Column<Book, String>("title")
    let pages = Column<Book, Int?>("pages")
    let isLent = Column<Book, Bool>("is_lent")
    let shelfID = Column<Book, String?>("shelf_id")
    let shelf = ToOne<Book, Shelf>(column: "shelf_id")
  }
  static let columns = Columns()
  static let table = Table(
    "book", .collections, selection: "id, title, pages, is_lent, shelf_id")

  init(_ id: String, _ title: String, pages: Int? = nil, isLent: Bool = false, on shelf: String?) {
    self.id = id
    self.title = title
    self.pages = pages
    self.isLent = isLent
    shelfID = shelf
  }

  init(_ row: Statement) {
    id = row.text(0)
    title = row.text(1)
    pages = row.optionalInt(2)
    isLent = row.int(3) != 0
    shelfID = row.optionalText(4)
  }

  var assignments: [Assignment<Book>] {
    let columns = Book.columns
    return [
      columns.id.set(to: id), columns.title.set(to: title), columns.pages.set(to: pages),
      columns.isLent.set(to: isLent), columns.shelfID.set(to: shelfID),
    ]
  }
}

/// A shelf, which may stand in another one.
struct Shelf: WritableRow, Hashable {
  var id: String
  var name: String
  var parentID: String?

  struct Columns: Sendable {
    let id = Column<Shelf, String>("id")
    let name = Column<Shelf, String>("name")
    let books = ToMany<Shelf, Book>(column: "shelf_id") { [$0.title.ascending] }
    let shelves = ToMany<Shelf, Shelf>(column: "parent_id") { [$0.name.ascending] }
    let parentID = Column<Shelf, String?>("parent_id")
    let parent = ToOne<Shelf, Shelf>(column: "parent_id")
  }
  static let columns = Columns()
  static let table = Table("shelf", .collections, selection: "id, name, parent_id")

  init(_ id: String, _ name: String, in parent: String? = nil) {
    self.id = id
    self.name = name
    parentID = parent
  }

  init(_ row: Statement) {
    id = row.text(0)
    name = row.text(1)
    parentID = row.optionalText(2)
  }

  var assignments: [Assignment<Shelf>] {
    [
      Shelf.columns.id.set(to: id), Shelf.columns.name.set(to: name),
      Shelf.columns.parentID.set(to: parentID),
    ]
  }
}

extension Store {
  /// A store in memory with the tables of a library and these rows.
  static func library(shelves: [Shelf] = [], books: [Book] = []) async throws -> Store {
    let store = try await Store.inMemory()
    try await store.makeLibrary()
    try await store.insert(shelves)
    try await store.insert(books)
    return store
  }

  /// Inserts rows, all of them or none.
  func insert<Row: WritableRow>(_ rows: [Row]) throws(StoreFailure) {
    try change(Row.self) { connection throws(SQLiteError) in
      for row in rows { try connection.insert(row) }
    }
  }

  private func makeLibrary() throws {
    try collections?.connection.execute(
      """
      CREATE TABLE shelf (id TEXT PRIMARY KEY, name TEXT NOT NULL, parent_id TEXT) STRICT;
      CREATE TABLE book (
        id TEXT PRIMARY KEY, title TEXT NOT NULL, pages INTEGER, is_lent INTEGER NOT NULL,
        shelf_id TEXT) STRICT;
      """)
  }
}
