// What deletions take away, and how it comes back.

import PostKitJSON
import PostKitSupport

/// What one deletion took away.
package struct DeletedItem: Sendable, Hashable {
  /// The id of the deletion.
  package var id: String
  /// In milliseconds since 1970-01-01T00:00:00Z.
  package var deletedAt: Int64
  /// What was deleted.
  package var itemID: String
  /// The word for its kind: `collection`, `folder`, `request`, `environment` or `variable`.
  package var kind: String
  package var name: String
  /// The names of what it lay in, with slashes between; empty for what lies in nothing.
  package var path: String
  /// How many requests went with it, itself counted.
  package var requestCount: Int

  static let columns = """
    id, deleted_at, item_id, kind, name,
    CASE WHEN json_valid(content) THEN json_extract(content, '$.path') END,
    CASE WHEN json_valid(content) THEN json_array_length(content, '$.requests') END
    """

  /// How long it can be taken back, in milliseconds: 30 days.
  package static let lifetime: Int64 = 30 * 86_400_000

  /// Reads a row.
  init(_ row: Statement) {
    id = row.text(0)
    deletedAt = row.int64(1)
    itemID = row.text(2)
    kind = row.text(3)
    name = row.text(4)
    path = row.optionalText(5) ?? ""
    requestCount = row.int(6)
  }
}

extension CollectionReader {
  /// What can be taken back, the last deletion first.
  package func deleted() throws(StoreFailure) -> [DeletedItem] {
    try deletions(where: "deleted_at >= ?", Clock.wallMilliseconds - DeletedItem.lifetime)
  }

  /// Deletions from before a time, in milliseconds since 1970-01-01T00:00:00Z.
  func deleted(before time: Int64) throws(StoreFailure) -> [DeletedItem] {
    try deletions(where: "deleted_at < ?", time)
  }

  private func deletions(
    where condition: String, _ time: Int64
  ) throws(StoreFailure) -> [DeletedItem] {
    try read { connection throws(SQLiteError) in
      try connection.rows(
        """
        SELECT \(DeletedItem.columns) FROM trash WHERE \(condition)
        ORDER BY deleted_at DESC, id DESC
        """, [.int(time)], DeletedItem.init)
    }
  }
}

extension CollectionWriter {
  /// Keeps what a deletion takes away: the rows, which variables of them have secrets, which
  /// collection had the environment active, and what else beside it had its name.
  func keepForUndo(_ id: String, _ table: CollectionTable, as deletion: String) throws(StoreFailure)
  {
    var rows: [CollectionTable: [KeptRows.Row]] = [:]
    for kind in CollectionTable.allCases {
      guard let condition = kind.condition(below: table) else { continue }
      rows[kind] = try keptRows(of: kind, where: condition, [.text(id)])
    }
    let kept = KeptRows(rows)
    let users = table == .environment
      ? try self.rows("SELECT id FROM collection WHERE active_environment_id = ?", [.text(id)]) {
        $0.text(0)
      } : []
    let place = try currentPlace(of: id, in: table)
    let name = table == .request ? Self.caption : table.nameColumn
    let siblings = table.siblings(at: place)
    let namesakes = try self.rows(
      """
      SELECT id FROM \(table.rawValue) WHERE \(siblings.condition) AND id <> ?
        AND \(name) = (SELECT \(name) FROM \(table.rawValue) WHERE id = ?)
      """, siblings.values + [.text(id), .text(id)]
    ) { $0.text(0) }
    let owner = place.compactMap { KeptRows.text($0) }.last
    let content: JSONValue = [
      "path": .string(try path(of: owner)),
      "namesakes": .array(namesakes.map(JSONValue.string)), "rows": kept.json,
      "secrets": .array(kept.secrets.map { .string($0.id) }),
      "requests": .array(kept.requests.map(JSONValue.string)),
      "activeIn": .array(users.map(JSONValue.string)),
    ]
    try run(
      """
      INSERT INTO trash (id, deleted_at, item_id, kind, name, content)
      SELECT ?1, ?2, id, ?3, \(name), ?4 FROM \(table.rawValue) WHERE id = ?5
      """,
      [.text(deletion), .int(now), .text(table.word), .text(content.text), .text(id)])
  }

  private static let caption = CollectionTable.captionSQL

  /// The names from a collection or global environment to something, with slashes between.
  private func path(of id: String?) throws(StoreFailure) -> String {
    guard let id else { return "" }
    let names = try rows(
      """
      WITH RECURSIVE
        place (id, name, parent) AS (
          SELECT id, name, NULL FROM collection
          UNION ALL SELECT id, name, ifnull(parent_id, collection_id) FROM folder
          UNION ALL SELECT id, name, collection_id FROM environment),
        above (id, name, parent) AS (
          SELECT id, name, parent FROM place WHERE id = ?1
          UNION SELECT place.id, place.name, place.parent FROM place JOIN above
            ON place.id = above.parent)
      SELECT name FROM above
      """, [.text(id)]
    ) { $0.text(0) }
    return names.reversed().joined(separator: "/")
  }

  /// Rows with all columns that are kept.
  func keptRows(
    of table: CollectionTable, where condition: String, _ values: [SQLValue]
  ) throws(StoreFailure) -> [KeptRows.Row] {
    let columns = table.keptColumns
    return try rows(
      "SELECT \(columns.joined(separator: ", ")) FROM \(table.rawValue) WHERE \(condition)", values
    ) { row in
      Dictionary(
        uniqueKeysWithValues: columns.enumerated().map { ($1, row.value(Int32($0))) })
    }
  }

  // MARK: - Taking back

  /// Takes back a deletion: one with an id, or the last one of something with an id; the last of
  /// all for `nil`.
  mutating func undo(_ id: String?) throws(StoreFailure) {
    let found = try first(
      """
      SELECT \(DeletedItem.columns), content FROM trash
      WHERE deleted_at >= ?1 AND (?2 IS NULL OR id = ?2 OR item_id = ?2)
      ORDER BY deleted_at DESC, id DESC LIMIT 1
      """, [.int(now - DeletedItem.lifetime), .optional(id)]
    ) { (DeletedItem($0), $0.text(7)) }
    guard let (item, content) = found else {
      throw .collection(id.map(CollectionRefusal.notDeleted) ?? .nothingDeleted)
    }
    let tree = try kept(content, of: item)
    var rows = KeptRows(tree["rows"]?.value ?? .null)
    let reader = CollectionReader(file: file)
    guard try reader.known(rows.ids).isEmpty else {
      throw .collection(.madeAgain(name: item.name, kind: item.kind))
    }
    guard let table = CollectionTable(word: item.kind) else {
      throw .collection(.notDeleted(item.id))
    }
    let place = try self.place(of: item, table, in: rows)
    let namesakes = tree["namesakes"]?.elements.compactMap(\.string) ?? []
    try requireNoNamesake(item, table, at: place, besides: namesakes)
    rows.put(item.itemID, table, at: place)
    try insert(rows)
    for user in tree["activeIn"]?.elements ?? [] {
      try run(
        """
        UPDATE collection SET active_environment_id = ?1
        WHERE id = ?2 AND active_environment_id IS NULL
        """, [.text(item.itemID), .text(user.string ?? "")])
    }
    try run("DELETE FROM trash WHERE id = ?", [.text(item.id)])
    note(changed: item.itemID)
  }

  /// Inserts rows that are not there. Owners may come after what belongs to them.
  func insert(_ kept: KeptRows) throws(StoreFailure) {
    try run("PRAGMA defer_foreign_keys = ON", [])
    for table in CollectionTable.allCases {
      for row in kept.rows[table] ?? [] {
        let columns = row.keys.sorted()
        try run(
          "INSERT INTO \(table.rawValue) (\(columns.joined(separator: ", "))) VALUES ("
            + columns.map { _ in "?" }.joined(separator: ", ") + ")",
          columns.map { row[$0] ?? .null })
      }
    }
    // The environment of a collection may be a global one that is gone.
    try run(
      """
      UPDATE collection SET active_environment_id = NULL WHERE active_environment_id IS NOT NULL
        AND active_environment_id NOT IN (SELECT id FROM environment)
      """, [])
  }

  /// The last deletion that took a row away, which can be taken back.
  private func deletion(of id: String) throws(StoreFailure) -> (id: String, content: String)? {
    try first(
      """
      SELECT id, content FROM trash WHERE deleted_at >= ? AND instr(content, ?) > 0
      ORDER BY deleted_at DESC, id DESC LIMIT 1
      """, [.int(now - DeletedItem.lifetime), .text("\"id\":\"\(id)\"")]
    ) { ($0.text(0), $0.text(1)) }
  }

  /// Puts a request that is deleted back, with what it lay in, as far as deletions have them; only
  /// for a look, as names are not compared. Answers whether all is there.
  func putBack(_ request: String) throws(StoreFailure) -> Bool {
    var wanted = [request]
    while let id = wanted.popLast() {
      if try table(of: id) != nil { continue }
      // One that can't be read is as good as none here; taking it back tells why.
      guard let found = try deletion(of: id),
        let tree = try? JSONTree(parsing: Array(found.content.utf8))
      else { return false }
      let rows = KeptRows(tree.root["rows"]?.value ?? .null)
      let missing = rows.without(try CollectionReader(file: file).known(rows.ids))
      guard missing.ids.contains(id) else { return false }
      try insert(missing)
      wanted += missing.owners
    }
    return true
  }

  /// Where something lay, as it is now.
  private func place(
    of item: DeletedItem, _ table: CollectionTable, in rows: KeptRows
  ) throws(StoreFailure) -> [SQLValue] {
    let row = rows.rows[table]?.first { $0["id"] == .text(item.itemID) } ?? [:]
    let owners = table.placeColumns.compactMap { KeptRows.text(row[$0]) }
    guard let owner = owners.last else { return table.placeColumns.map { _ in .null } }
    guard try self.table(of: owner) != nil else {
      throw .collection(.ownerDeleted(name: item.name, deletion: try deletion(of: owner)?.id))
    }
    switch table {
    case .folder, .request: return try place(of: .either(owner))
    case .collection, .environment, .variable: return [.text(owner)]
    }
  }

  /// Refuses what somebody has made again under the same name; those that had it all along don't
  /// count.
  private func requireNoNamesake(
    _ item: DeletedItem, _ table: CollectionTable, at place: [SQLValue], besides known: [String]
  ) throws(StoreFailure) {
    let siblings = table.siblings(at: place)
    let name = table == .request ? Self.caption : table.nameColumn
    let other = try first(
      """
      SELECT id FROM \(table.rawValue) WHERE \(siblings.condition) AND \(name) = ?
        AND id NOT IN (SELECT value FROM json_each(?)) LIMIT 1
      """, siblings.values + [.text(item.name), .text(StoredJSON.text(known))]
    ) { $0.text(0) }
    guard other == nil else {
      throw .collection(.madeAgain(name: item.name, kind: item.kind))
    }
  }

  // MARK: - For good

  /// Lets go of what deletions took away, for good: the history forgets its requests, and the
  /// values of its secrets are to be deleted.
  mutating func discard(_ deletions: [String]) throws(StoreFailure) {
    for deletion in deletions {
      let found = try first(
        "SELECT \(DeletedItem.columns), content FROM trash WHERE id = ?", [.text(deletion)]
      ) { (DeletedItem($0), $0.text(7)) }
      guard let (item, content) = found else { throw .collection(.notDeleted(deletion)) }
      // What can't be read can't be taken back either, and is no reason to keep the others.
      let tree = try? kept(content, of: item)
      func texts(_ member: String) -> [String] {
        tree?[member]?.elements.compactMap(\.string) ?? []
      }
      try run("DELETE FROM trash WHERE id = ?", [.text(deletion)])
      try SecretIntents(file: file).add(texts("secrets"))
      // A backup may have brought some of them back.
      let known = try CollectionReader(file: file).known(texts("requests"))
      note(gone: texts("requests").filter { !known.contains($0) }, secrets: texts("secrets"))
      note(changed: item.itemID)
    }
  }

  private func kept(_ content: String, of item: DeletedItem) throws(StoreFailure) -> JSONView {
    do throws(JSONSyntaxError) {
      return try JSONTree(parsing: Array(content.utf8)).root
    } catch {
      throw .collection(.notReadable(name: item.name, id: item.id))
    }
  }
}

extension KeptRows {
  /// Puts something into another place, and what belongs to it into the same collection.
  fileprivate mutating func put(
    _ id: String, _ table: CollectionTable, at place: [SQLValue]
  ) {
    var changed = rows
    for (kind, kept) in rows {
      changed[kind] = kept.map { row in
        var row = row
        if kind == table, row["id"] == .text(id) {
          for (column, value) in zip(table.placeColumns, place) { row[column] = value }
        } else if table == .folder, kind == .folder || kind == .request {
          row["collection_id"] = place.first
        }
        return row
      }
    }
    self = KeptRows(changed)
  }
}

extension CollectionTable {
  /// The word for the kind of its rows.
  var word: String { self == .request ? "request" : rawValue }

  /// The table of a kind of rows.
  init?(word: String) {
    guard let table = CollectionTable.allCases.first(where: { $0.word == word }) else { return nil }
    self = table
  }
}
