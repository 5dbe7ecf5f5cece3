// How much belongs to something, counted by indexes; nothing is counted ahead.

extension Store {
  /// How much would go with something that is deleted, itself not counted. What is not there has
  /// nothing.
  package func contents(of id: String) throws(StoreFailure) -> CollectionContents {
    try openCollections().read("count what belongs to it") { connection throws(SQLiteError) in
      try connection.contents(of: id)
    }
  }

  /// Each count is that of a collection, of a folder or of an environment; the others are 0.
  static let contentsSQL = """
    WITH RECURSIVE below (id) AS (
      SELECT id FROM folder WHERE parent_id = ?1
      UNION SELECT folder.id FROM folder JOIN below ON folder.parent_id = below.id)
    SELECT
      (SELECT count(*) FROM folder WHERE collection_id = ?1) + (SELECT count(*) FROM below),
      (SELECT count(*) FROM http_request WHERE collection_id = ?1)
        + (SELECT count(*) FROM http_request WHERE folder_id = ?1)
        + (SELECT count(*) FROM below JOIN http_request ON http_request.folder_id = below.id),
      (SELECT count(*) FROM environment WHERE collection_id = ?1),
      (SELECT count(*) FROM variable WHERE environment_id = ?1)
        + (SELECT count(*) FROM environment
          JOIN variable ON variable.environment_id = environment.id
          WHERE environment.collection_id = ?1)
    """
}

extension Connection {
  /// How much would go with something that is deleted.
  func contents(of id: String) throws(SQLiteError) -> CollectionContents {
    try first(Store.contentsSQL, [.text(id)]) { row in
      CollectionContents(
        folders: row.int(0), requests: row.int(1), environments: row.int(2), variables: row.int(3))
    } ?? CollectionContents()
  }
}
