// Small values that outlive a process: the active environment, trust, answers to prompts, globals.

package import PostKitHTTP
package import PostKitJSON
import PostKitSupport

/// Which session values are meant; all of them where nothing is said.
package struct SessionQuery: Sendable, Hashable {
  package var folder: String?
  /// Empty for those of no environment.
  package var environment: String?
  /// Those with one of these keys.
  package var keys: [String]?

  /// Means all of them.
  package init() {}

  var predicate: Predicate<Model.SessionValue> {
    let columns = Model.SessionValue.columns
    var conditions: [Predicate<Model.SessionValue>] = []
    if let folder { conditions.append(columns.workspaceFolder == folder) }
    if let environment { conditions.append(columns.environment == environment) }
    if let keys { conditions.append(columns.key.isIn(keys)) }
    return .all(conditions)
  }
}

extension Store {
  /// A value of a workspace folder and environment; `nil` where none was set. What doesn't depend
  /// on an environment has the empty one.
  package func sessionValue(
    _ key: String, folder: String, environment: String = ""
  ) throws(StoreFailure) -> String? {
    try history().read("read a session value") { connection throws(SQLiteError) in
      try connection.first(
        """
        SELECT value FROM session_value
        WHERE workspace_folder = ? AND environment = ? AND key = ?
        """, [.text(folder), .text(environment), .text(key)]
      ) { $0.text(0) }
    }
  }

  /// Sets a value, or removes it with `nil`.
  package func setSessionValue(
    _ key: String, folder: String, environment: String = "", to value: String?
  ) throws(StoreFailure) {
    let owner = WorkspaceEnvironment(folder: folder, environment: environment)
    try keep(.values([SessionEdit(key: key, value: value)], of: owner))
  }

  /// The session values that are meant, in the order of their folders, environments and keys.
  package func sessionValues(
    _ query: SessionQuery
  ) throws(StoreFailure) -> [Model.SessionValue] {
    try fetch(FetchDescriptor(where: { _ in query.predicate }))
  }

  /// Deletes session values and leaves none of their bytes in the files; answers how many there
  /// were. Throws `notErasedYet` as `forget` does.
  @discardableResult
  package func forget(_ query: SessionQuery) throws(StoreFailure) -> Int {
    let count = try afterWaitingChanges { () throws(StoreFailure) in
      try delete(Model.SessionValue.self) { _ in query.predicate }
    }
    try history().truncateLog()
    return count
  }

  /// Deletes the values with some keys, or none of them where one of the keys is missing, which it
  /// answers then.
  package func forget(
    _ keys: [String], of query: SessionQuery
  ) throws(StoreFailure) -> (count: Int, missing: String?) {
    var query = query
    query.keys = keys
    let chosen = query.predicate
    let result = try afterWaitingChanges { () throws(StoreFailure) in
      try change(Model.SessionValue.self) {
        connection throws(SQLiteError) -> (count: Int, missing: String?) in
        let found = Set(
          try connection.fetch(FetchDescriptor<Model.SessionValue>(where: { _ in chosen }))
            .map(\.key))
        if let missing = keys.first(where: { !found.contains($0) }) { return (0, missing) }
        return (try connection.delete(Model.SessionValue.self) { _ in chosen }, nil)
      }
    }
    try history().truncateLog()
    return result
  }

  /// The values whose keys have a beginning, by what follows it.
  func sessionValues(
    _ beginning: String, folder: String, environment: String
  ) throws(StoreFailure) -> [(key: String, value: String)] {
    let owner = WorkspaceEnvironment(folder: folder, environment: environment)
    return try withWaiting(owner, beginning) { () throws(StoreFailure) in
      try history().read("read session values") { connection throws(SQLiteError) in
        try connection.rows(
          """
          SELECT substr(key, length(?) + 1), value FROM session_value
          WHERE workspace_folder = ? AND environment = ? AND key >= ? AND key < ? ORDER BY key
          """,
          [
            .text(beginning), .text(folder), .text(environment), .text(beginning),
            .text(beginning + "\u{10FFFF}"),
          ]
        ) { ($0.text(0), $0.text(1)) }
      }
    }
  }
}

extension Connection {
  /// Sets values of an owner, or removes those that are `nil`.
  func set(_ edits: [SessionEdit], of owner: WorkspaceEnvironment) throws(SQLiteError) {
    for edit in edits {
      let place: [SQLValue] = [.text(owner.folder), .text(owner.environment), .text(edit.key)]
      if let value = edit.value {
        try run(
          """
          INSERT INTO session_value (workspace_folder, environment, key, value, updated_at)
          VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
          SET value = excluded.value, updated_at = excluded.updated_at
          """, place + [.text(value), .int(Clock.wallMilliseconds)])
      } else {
        try run(
          "DELETE FROM session_value WHERE workspace_folder = ? AND environment = ? AND key = ?",
          place)
      }
    }
  }
}

extension Store {
  /// The globals of a workspace folder and environment, in the order of their names.
  package func globals(of owner: WorkspaceEnvironment) throws(StoreFailure) -> [JSONMember] {
    let values = try sessionValues(
      SessionKey.globals, folder: owner.folder, environment: owner.environment)
    return values.compactMap { name, text in
      // What is no JSON was not written by us, and is no global.
      guard let tree = try? JSONTree(parsing: Array(text.utf8)) else { return nil }
      return JSONMember(name, tree.root.value)
    }
  }

  /// Keeps globals, and forgets those that are named apart.
  package func keep(
    globals: [JSONMember], forgetting names: [String], of owner: WorkspaceEnvironment
  ) throws(StoreFailure) {
    try keep(.globals(globals, forgetting: names, of: owner))
  }
}
