// Looks at rows of the collections within a transaction, and finds places among siblings.

import PostKitSupport

extension CollectionWriter {
  /// The folder `?1` and all below it. `UNION` ends where there should ever be a cycle.
  static let foldersBelow = """
    WITH RECURSIVE below (id) AS (
      SELECT ?1 UNION SELECT folder.id FROM folder JOIN below ON folder.parent_id = below.id)
    SELECT id FROM below
    """

  // MARK: - Statements

  /// Runs a statement without rows.
  func run(_ sql: String, _ values: [SQLValue]) throws(StoreFailure) {
    try file.sql(Self.action) { connection throws(SQLiteError) in
      _ = try connection.run(sql, values)
    }
  }

  /// The rows of a statement.
  func rows<Row>(
    _ sql: String, _ values: [SQLValue], _ read: (Statement) -> Row
  ) throws(StoreFailure) -> [Row] {
    try file.sql(Self.action) { connection throws(SQLiteError) in
      try connection.rows(sql, values, read)
    }
  }

  /// The first row of a statement.
  func first<Row>(
    _ sql: String, _ values: [SQLValue], _ read: (Statement) -> Row
  ) throws(StoreFailure) -> Row? {
    try rows(sql, values, read).first
  }

  /// A text of the row with an id; empty where there is none.
  func text(_ sql: String, _ id: String) throws(StoreFailure) -> String {
    try first(sql, [.text(id)]) { $0.text(0) } ?? ""
  }

  static let action = "change the collections"

  // MARK: - What is there

  /// The table in which an id stands.
  func table(of id: String) throws(StoreFailure) -> CollectionTable? {
    let sql = CollectionTable.allCases.map {
      "SELECT '\($0.rawValue)' FROM \($0.rawValue) WHERE id = ?1"
    }.joined(separator: " UNION ALL ")
    return try first(sql, [.text(id)]) { $0.text(0) }.flatMap(CollectionTable.init(rawValue:))
  }

  /// The table in which an id must stand.
  func requiredTable(of id: String) throws(StoreFailure) -> CollectionTable {
    guard let table = try table(of: id) else { throw .collection(.notFound(id)) }
    return table
  }

  /// Whether a table has an id.
  func exists(_ id: String, _ table: CollectionTable) throws(StoreFailure) -> Bool {
    try first("SELECT 1 FROM \(table.rawValue) WHERE id = ?", [.text(id)]) { _ in true } ?? false
  }

  /// Refuses an id that a table does not have.
  func require(_ id: String, _ table: CollectionTable) throws(StoreFailure) {
    guard try exists(id, table) else { throw .collection(.notFound(id)) }
  }

  /// Refuses a second variable of a key in an environment: who sets one would not know which of
  /// both is sent.
  func requireNoVariable(
    _ key: String, of environment: String, but id: String
  ) throws(StoreFailure) {
    let other = try first(
      """
      SELECT variable.id, ifnull(collection.name || '/', '') || environment.name
      FROM variable JOIN environment ON environment.id = variable.environment_id
        LEFT JOIN collection ON collection.id = environment.collection_id
      WHERE environment_id = ? AND key = ? AND variable.id <> ?
      """, [.text(environment), .text(key), .text(id)]
    ) { ($0.text(0), $0.text(1)) }
    guard let other else { return }
    throw .collection(.variableExists(key: key, environment: other.1, id: other.0))
  }

  // MARK: - Places

  /// The values of the columns that say where the content of a container lies.
  func place(of container: RequestContainer) throws(StoreFailure) -> [SQLValue] {
    switch container {
    case .collection(let id):
      try require(id, .collection)
      return [.text(id), .null]
    case .folder(let id):
      guard
        let collection = try first(
          "SELECT collection_id FROM folder WHERE id = ?", [.text(id)], { $0.text(0) })
      else { throw .collection(.notFound(id)) }
      return [.text(collection), .text(id)]
    case .either(let id):
      return try place(of: exists(id, .collection) ? .collection(id) : .folder(id))
    }
  }

  /// The request of a container that people call by a name.
  func request(
    named name: String, in container: RequestContainer
  ) throws(StoreFailure) -> String? {
    let siblings = CollectionTable.request.siblings(at: try place(of: container))
    return try first(
      """
      SELECT id FROM http_request
      WHERE \(siblings.condition) AND \(CollectionTable.captionSQL) = ?
      ORDER BY sort_order, id LIMIT 1
      """, siblings.values + [.text(name)]
    ) { $0.text(0) }
  }

  /// Where a row lies now.
  func currentPlace(
    of id: String, in table: CollectionTable
  ) throws(StoreFailure) -> [SQLValue] {
    let columns = table.placeColumns
    guard !columns.isEmpty else { return [] }
    return try first(
      "SELECT \(columns.joined(separator: ", ")) FROM \(table.rawValue) WHERE id = ?", [.text(id)]
    ) { row in columns.indices.map { .optional(row.optionalText(Int32($0))) } } ?? []
  }

  /// Refuses to put a folder into itself or below.
  func requireNoCycle(
    _ folder: String, in container: RequestContainer
  ) throws(StoreFailure) {
    let target: String
    switch container {
    case .collection: return
    case .folder(let id), .either(let id): target = id
    }
    let isBelow = try first(
      "SELECT 1 WHERE ?2 IN (\(Self.foldersBelow))", [.text(folder), .text(target)]
    ) { _ in true }
    guard isBelow == nil else {
      throw .collection(.cycle(try text("SELECT name FROM folder WHERE id = ?", folder)))
    }
  }

  // MARK: - Order

  /// The distance between siblings: each place can be halved sixteen times before they are counted
  /// anew, so that a move writes one row.
  private static let gap: Int64 = 1 << 16

  /// The order of a row that comes among siblings; they are counted anew where there is no room.
  func order(
    of id: String, among siblings: CollectionTable.Siblings, _ position: SiblingPosition
  ) throws(StoreFailure) -> Int64 {
    if let order = try freeOrder(of: id, siblings, position) { return order }
    try run(
      """
      UPDATE \(siblings.table.rawValue) SET sort_order = counted.place * \(Self.gap)
      FROM (
        SELECT id, row_number() OVER (ORDER BY sort_order, id) AS place
        FROM \(siblings.table.rawValue) WHERE \(siblings.condition)) AS counted
      WHERE counted.id = \(siblings.table.rawValue).id
      """, siblings.values)
    return try freeOrder(of: id, siblings, position) ?? 0
  }

  /// An order between two neighbours; `nil` where there is none between them.
  private func freeOrder(
    of id: String, _ siblings: CollectionTable.Siblings, _ position: SiblingPosition
  ) throws(StoreFailure) -> Int64? {
    let (before, after) = try neighbours(of: id, siblings, position)
    switch (before, after) {
    case (nil, nil): return 0
    case (let before?, nil): return before + Self.gap
    case (nil, let after?): return after - Self.gap
    case (let before?, let after?):
      let middle = before + (after - before) / 2
      return middle > before && middle < after ? middle : nil
    }
  }

  private func neighbours(
    of id: String, _ siblings: CollectionTable.Siblings, _ position: SiblingPosition
  ) throws(StoreFailure) -> (before: Int64?, after: Int64?) {
    switch position {
    case .last: return (try orders(id, siblings, "1", [], "DESC LIMIT 1").first, nil)
    case .first: return (nil, try orders(id, siblings, "1", [], "ASC LIMIT 1").first)
    case .index(let index):
      guard index > 0 else { return try neighbours(of: id, siblings, .first) }
      let found = try orders(id, siblings, "1", [], "ASC LIMIT 2 OFFSET \(index - 1)")
      guard let before = found.first else { return try neighbours(of: id, siblings, .last) }
      return (before, found.dropFirst().first)
    case .before(let other):
      let order = try order(of: other, apartFrom: id, siblings)
      let values = [SQLValue.int(order), .text(other)]
      let before = try orders(id, siblings, "(sort_order, id) < (?, ?)", values, "DESC LIMIT 1")
      return (before.first, order)
    case .after(let other):
      let order = try order(of: other, apartFrom: id, siblings)
      let values = [SQLValue.int(order), .text(other)]
      let after = try orders(id, siblings, "(sort_order, id) > (?, ?)", values, "ASC LIMIT 1")
      return (order, after.first)
    }
  }

  /// The order of a sibling.
  private func order(
    of other: String, apartFrom id: String, _ siblings: CollectionTable.Siblings
  ) throws(StoreFailure) -> Int64 {
    let found = try orders(id, siblings, "id = ?", [.text(other)], "ASC LIMIT 1")
    guard let order = found.first else { throw .collection(.noSibling(other)) }
    return order
  }

  /// Orders of siblings without the row that comes among them; `end` sorts and limits.
  private func orders(
    _ id: String, _ siblings: CollectionTable.Siblings, _ condition: String, _ values: [SQLValue],
    _ end: String
  ) throws(StoreFailure) -> [Int64] {
    let direction = end.prefix { $0 != " " }
    return try rows(
      """
      SELECT sort_order FROM \(siblings.table.rawValue)
      WHERE \(siblings.condition) AND id <> ? AND \(condition)
      ORDER BY sort_order \(direction), id \(end)
      """, siblings.values + [.text(id)] + values
    ) { $0.int64(0) }
  }
}
