// All collections as rows, and rows as collections.

import PostKitSupport

extension CollectionReader {
  /// All that the collections have, but the values of secrets and the wastebasket.
  package func all() throws(StoreFailure) -> KeptRows {
    let writer = CollectionWriter(file: file, mode: .edit)
    var rows: [CollectionTable: [KeptRows.Row]] = [:]
    for table in CollectionTable.allCases {
      rows[table] = try writer.keptRows(of: table, where: "1 ORDER BY sort_order, id", [])
    }
    return KeptRows(rows)
  }

  /// Those variables of rows whose environments have other ones of their keys.
  package func taken(by rows: KeptRows) throws(StoreFailure) -> [KeptRows.NamedVariable] {
    var taken: [KeptRows.NamedVariable] = []
    for variable in rows.variables {
      let isTaken = try read { connection throws(SQLiteError) in
        try connection.integer(
          """
          SELECT EXISTS (
            SELECT 1 FROM variable WHERE environment_id = ? AND key = ? AND id <> ?)
          """, [.text(variable.environmentID), .text(variable.key), .text(variable.id)]) != 0
      }
      if isTaken { taken.append(variable) }
    }
    return taken
  }

  /// The names that collections of rows share with other collections.
  package func sharedNames(of rows: KeptRows) throws(StoreFailure) -> [String] {
    try read { connection throws(SQLiteError) in
      try connection.rows(
        """
        SELECT DISTINCT kept.name FROM collection AS kept
        JOIN collection AS other ON other.name = kept.name AND other.id <> kept.id
        WHERE kept.id IN (SELECT value FROM json_each(?)) ORDER BY kept.name
        """, [.text(StoredJSON.text(rows.ids(.collection)))]
      ) { $0.text(0) }
    }
  }
}

extension CollectionWriter {
  /// Brings rows in. An id that another kind of thing has is refused; a row whose owner is neither
  /// there nor among the rows, too.
  mutating func restore(_ kept: KeptRows) throws(StoreFailure) {
    var missing: [CollectionTable: [KeptRows.Row]] = [:]
    let ids = Dictionary(
      uniqueKeysWithValues: CollectionTable.allCases.map { ($0, Set(kept.ids($0))) })
    for table in CollectionTable.allCases {
      for row in kept.rows[table] ?? [] {
        guard let id = KeptRows.text(row["id"]), Identifier.isValid(id) else {
          throw .collection(.badID(KeptRows.text(row["id"]) ?? ""))
        }
        try requireOwner(of: row, table, among: ids)
        if table == .variable, try isTaken(row, id) { continue }
        switch try self.table(of: id) {
        case nil: missing[table, default: []].append(row)
        case table: try bringUpToDate(id, table, row)
        case .some: throw .collection(.idExists(id))
        }
        note(changed: id)
      }
    }
    try insert(KeptRows(missing))
    for row in kept.rows[.folder] ?? [] {
      let id = KeptRows.text(row["id"]) ?? ""
      if let parent = KeptRows.text(row["parent_id"]) {
        try requireNoCycle(id, in: .folder(parent))
      } else {
        try adoptCollection(id, row["collection_id"] ?? .null)
      }
    }
  }

  /// Refuses a row whose owner is neither among the rows nor in the collections.
  private func requireOwner(
    of row: KeptRows.Row, _ table: CollectionTable, among ids: [CollectionTable: Set<String>]
  ) throws(StoreFailure) {
    for column in table.placeColumns {
      guard let owner = KeptRows.text(row[column]) else {
        guard column == "parent_id" || column == "folder_id" || table == .environment else {
          throw .collection(.badID(""))
        }
        continue
      }
      let kind: CollectionTable = column == "collection_id"
        ? .collection : column == "environment_id" ? .environment : .folder
      if ids[kind]?.contains(owner) == true { continue }
      try require(owner, kind)
    }
  }

  /// Whether another variable of the environment has its key by now: that one stays.
  private func isTaken(_ row: KeptRows.Row, _ id: String) throws(StoreFailure) -> Bool {
    try first(
      "SELECT 1 FROM variable WHERE environment_id = ? AND key = ? AND id <> ?",
      [row["environment_id"] ?? .null, row["key"] ?? .null, .text(id)]
    ) { _ in true } ?? false
  }

  private mutating func bringUpToDate(
    _ id: String, _ table: CollectionTable, _ row: KeptRows.Row
  ) throws(StoreFailure) {
    if table == .variable {
      try noteSecret(id, before: row["is_secret"] == .int(1) ? .secret : .plain(""))
    }
    try run("PRAGMA defer_foreign_keys = ON", [])
    let columns = row.keys.filter { $0 != "id" && $0 != "created_at" }.sorted()
    try run(
      "UPDATE \(table.rawValue) SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) "
        + "WHERE id = ?", columns.map { row[$0] ?? .null } + [.text(id)])
  }
}
