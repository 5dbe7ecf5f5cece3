// What makes a Swift type a row of a table.

/// A value that is read from a row of a table. Its columns say what queries may ask:
///
///     struct Note: WritableRow {
///       var id: String
///       var text: String?
///
///       struct Columns: Sendable {
///         let id = Column<Note, String>("id")
///         let text = Column<Note, String?>("text")
///         let tags = ToMany<Note, Tag>(column: "note_id") { [$0.name.ascending] }
///       }
///       static let columns = Columns()
///       static let table = Table("note", .collections, selection: "id, text")
///
///       init(_ row: Statement) {
///         id = row.text(0)
///         text = row.optionalText(1)
///       }
///
///       var assignments: [Assignment<Note>] {
///         [Note.columns.id.set(to: id), Note.columns.text.set(to: text)]
///       }
///     }
///
///     try await store.fetch(FetchDescriptor<Note>(where: { $0.text.contains("x") }))
package protocol StoredRow: Sendable {
  /// The columns and relationships of the table.
  associatedtype Columns: Sendable

  static var columns: Columns { get }
  /// Which table it is, and what is read of it.
  static var table: Table { get }

  /// Reads the current row of a statement that selects `table.selection`.
  init(_ row: Statement)
}

/// A row that can be inserted as a whole.
package protocol WritableRow: StoredRow {
  /// All columns that are written, in the same order for each row.
  var assignments: [Assignment<Self>] { get }
}

/// A table of one of the files.
package struct Table: Sendable, Hashable {
  let name: String
  /// What changes with it; it also says in which file it is.
  let scope: StoreScope
  /// What is read for a row, as SQL, in the order in which `init(_:)` reads it.
  let selection: String
  /// The columns that together tell rows apart; they end every order.
  let keys: [String]

  /// The column by which rows of other tables refer to a row.
  var key: String { keys[0] }

  /// A table whose rows are told apart by texts or numbers in the columns `keys`, never null.
  init(_ name: String, _ scope: StoreScope, selection: String, keys: [String] = ["id"]) {
    self.name = name
    self.scope = scope
    self.selection = selection
    self.keys = keys
  }
}

/// The namespace of row types: some have names that mean something else elsewhere.
package enum Model {}
