// Saved searches of the history as rows for typed queries.

extension Model {
  /// A question to the history that somebody has given a name.
  package struct SavedSearch: WritableRow, Hashable {
    package var name: String
    /// The question as a line, see `HistoryLine`.
    package var filter: String
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package var createdAt: Int64

    package static let columns = Columns()
    package static let table = Table(
      "saved_search", .history, selection: "name, filter, created_at", keys: ["name"])

    /// The columns of a saved search.
    package struct Columns: Sendable {
      package let name = Column<SavedSearch, String>("name")
      package let filter = Column<SavedSearch, String>("filter")
      package let createdAt = Column<SavedSearch, Int64>("created_at")
    }

    package var assignments: [Assignment<SavedSearch>] {
      let columns = SavedSearch.columns
      return [
        columns.name.set(to: name), columns.filter.set(to: filter),
        columns.createdAt.set(to: createdAt),
      ]
    }
  }
}

extension Model.SavedSearch {
  /// Reads a row.
  package init(_ row: Statement) {
    self.init(name: row.text(0), filter: row.text(1), createdAt: row.int64(2))
  }
}
