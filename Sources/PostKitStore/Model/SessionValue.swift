// Session values as rows for typed queries.

package import PostKitHTTP

extension Model {
  /// A small value that outlives a process, of a workspace folder and environment.
  package struct SessionValue: StoredRow, Hashable {
    package var owner: WorkspaceEnvironment
    package var key: String
    package var value: String
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package var updatedAt: Int64

    package static let columns = Columns()
    package static let table = Table(
      "session_value", .session,
      selection: "workspace_folder, environment, key, value, updated_at",
      keys: ["workspace_folder", "environment", "key"])

    /// The columns of session values.
    package struct Columns: Sendable {
      /// Empty for none.
      package let workspaceFolder = Column<SessionValue, String>("workspace_folder")
      /// Empty for none, and for what doesn't depend on it.
      package let environment = Column<SessionValue, String>("environment")
      /// See `SessionKey`.
      package let key = Column<SessionValue, String>("key")
      package let value = Column<SessionValue, String>("value")
      package let updatedAt = Column<SessionValue, Int64>("updated_at")
    }

    /// What the value is.
    package var kind: SessionKey { SessionKey(key) }

    /// Reads a row.
    package init(_ row: Statement) {
      owner = WorkspaceEnvironment(folder: row.text(0), environment: row.text(1))
      key = row.text(2)
      value = row.text(3)
      updatedAt = row.int64(4)
    }
  }
}
