// Variables of environments as rows for typed queries.

extension Model {
  /// A variable of an environment.
  package struct Variable: StoredRow, Hashable {
    package var id: String
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package var createdAt: Int64
    package var updatedAt: Int64
    package var environmentID: String
    package var key: String
    /// `nil` where it is a secret; see `SecretStore`.
    package var value: String?
    package var isSecret: Bool
    package var sortOrder: Int64

    package static let columns = Columns()
    package static let table = Table(
      "variable", .collections,
      selection: "id, created_at, updated_at, environment_id, key, value, is_secret, sort_order")

    /// The columns of a variable of an environment.
    package struct Columns: Sendable {
      package let id = Column<Variable, String>("id")
      package let createdAt = Column<Variable, Int64>("created_at")
      package let updatedAt = Column<Variable, Int64>("updated_at")
      package let environmentID = Column<Variable, String>("environment_id")
      package let key = Column<Variable, String>("key")
      package let value = Column<Variable, String?>("value")
      package let isSecret = Column<Variable, Bool>("is_secret")
      package let sortOrder = Column<Variable, Int64>("sort_order")
    }

    /// Reads a row.
    package init(_ row: Statement) {
      id = row.text(0)
      createdAt = row.int64(1)
      updatedAt = row.int64(2)
      environmentID = row.text(3)
      key = row.text(4)
      value = row.optionalText(5)
      isSecret = row.int(6) != 0
      sortOrder = row.int64(7)
    }
  }
}
