// Headers and parameters of requests, and copies of whole subtrees.

import PostKitSupport

extension CollectionWriter {
  // MARK: - Fields

  /// Brings the headers, parameters and tags of a request up to date, and what it is found by. Rows
  /// keep their ids by position, so that a change of one value changes one row.
  func replaceFields(
    of request: String, _ content: StoredRequestContent
  ) throws(StoreFailure) {
    try replace(content.headers, of: request, in: "request_header")
    try replace(content.parameters, of: request, in: "query_parameter")
    try replaceTags(of: request, content.tags)
    try writeSearch(of: request, text: content.searchText)
    // Last: a change of the text itself takes it back.
    try run(
      "UPDATE http_request SET derivation = ? WHERE id = ?",
      [.int(StoredRequestContent.derivation), .text(request)])
  }

  /// Brings up to date what derives from the text of a request, which stays as it is and as old as
  /// it is.
  func derive(_ request: String, _ content: StoredRequestContent) throws(StoreFailure) {
    try run(
      "UPDATE http_request SET name = ?, method = ?, url = ?, body = ? WHERE id = ?",
      [
        .optional(content.name), .text(content.method), .text(content.url),
        .optional(content.body), .text(request),
      ])
    try replaceFields(of: request, content)
  }

  fileprivate func replaceTags(of request: String, _ tags: [String]) throws(StoreFailure) {
    let known = try rows(
      "SELECT tag FROM request_tag WHERE http_request_id = ? ORDER BY sort_order, id",
      [.text(request)]
    ) { $0.text(0) }
    guard known != tags else { return }
    try run("DELETE FROM request_tag WHERE http_request_id = ?", [.text(request)])
    for (place, tag) in tags.enumerated() {
      try run(
        """
        INSERT INTO request_tag (id, created_at, updated_at, http_request_id, tag, sort_order)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        [
          .text(Identifier.next()), .int(now), .int(now), .text(request), .text(tag),
          .int(Int64(place)),
        ])
    }
  }

  /// Writes the row by which a request is found.
  fileprivate func writeSearch(of request: String, text: String) throws(StoreFailure) {
    try run(
      """
      INSERT OR REPLACE INTO request_search (http_request_id, container_id, sort_order, created_at,
        updated_at, method, is_favourite, search_text)
      SELECT id, ifnull(folder_id, collection_id), sort_order, created_at, updated_at, method,
        is_favourite, ?2
      FROM http_request WHERE id = ?1
      """, [.text(request), .text(text)])
  }

  private func replace(
    _ fields: [StoredField], of request: String, in table: String
  ) throws(StoreFailure) {
    let known = try rows(
      """
      SELECT id, key, value, is_enabled FROM \(table)
      WHERE http_request_id = ? ORDER BY sort_order, id
      """, [.text(request)]
    ) { ($0.text(0), StoredField($0.text(1), $0.text(2), isEnabled: $0.int(3) != 0)) }
    for (field, row) in zip(fields, known) where field != row.1 {
      try run(
        "UPDATE \(table) SET key = ?, value = ?, is_enabled = ?, updated_at = ? WHERE id = ?",
        [
          .text(field.key), .text(field.value), .int(field.isEnabled ? 1 : 0), .int(now),
          .text(row.0),
        ])
    }
    for row in known.dropFirst(fields.count) {
      try run("DELETE FROM \(table) WHERE id = ?", [.text(row.0)])
    }
    for (place, field) in fields.enumerated().dropFirst(known.count) {
      try run(
        """
        INSERT INTO \(table) (id, created_at, updated_at, http_request_id, key, value, is_enabled,
          sort_order)
        VALUES (?, ?, ?, ?, ?, ?, ?,
          (SELECT ifnull(max(sort_order) + 1, \(place)) FROM \(table) WHERE http_request_id = ?4))
        """,
        [
          .text(Identifier.next()), .int(now), .int(now), .text(request), .text(field.key),
          .text(field.value), .int(field.isEnabled ? 1 : 0),
        ])
    }
  }

  // MARK: - Copies

  /// Copies a row behind itself, with all that belongs to it.
  mutating func duplicate(_ id: String, as copy: String) throws(StoreFailure) {
    guard Identifier.isValid(copy) else { throw .collection(.badID(copy)) }
    guard try table(of: copy) == nil else { throw .collection(.idExists(copy)) }
    let table = try requiredTable(of: id)
    var copier = Copier(writer: self)
    switch table {
    case .collection:
      try copier.copyRow(id, as: copy, in: .collection)
      try copier.copyChildren(of: id, in: .environment, "collection_id")
      try copier.copyFolders(of: id, whole: true)
      try copier.copyRequests(of: id, whole: true)
      try copier.chooseEnvironment(of: copy)
    case .folder:
      try copier.copyRow(id, as: copy, in: .folder)
      try copier.copyFolders(of: id, whole: false)
      try copier.copyRequests(of: id, whole: false)
    case .request, .environment, .variable: try copier.copy(id, as: copy, in: table)
    }
    let place = try currentPlace(of: copy, in: table)
    let order = try order(of: copy, among: table.siblings(at: place), .after(id))
    var columns: [(String, SQLValue)] = [("sort_order", .int(order))]
    if table != .request {
      let name = try text("SELECT \(table.nameColumn) FROM \(table.rawValue) WHERE id = ?", copy)
      columns.append((table.nameColumn, .text(try copyName(of: name, copy, in: table))))
    }
    try set(columns, of: copy, in: table)
    note(copy: copy, secrets: copier.secrets)
  }

  /// What a copy is called. Of variables each key is there once.
  private func copyName(
    of name: String, _ copy: String, in table: CollectionTable
  ) throws(StoreFailure) -> String {
    guard table == .variable else { return name + " copy" }
    let keys = try rows(
      "SELECT key FROM variable WHERE environment_id IN "
        + "(SELECT environment_id FROM variable WHERE id = ?)", [.text(copy)]
    ) { $0.text(0) }
    var candidate = name + " copy"
    var number = 2
    while keys.contains(candidate) {
      candidate = "\(name) copy \(number)"
      number += 1
    }
    return candidate
  }
}

/// Copies rows under new ids; references between copied rows lead to the copies.
private struct Copier {
  let writer: CollectionWriter
  private var copies: [String: String] = [:]
  private(set) var secrets: [CollectionEditResult.SecretCopy] = []

  init(writer: CollectionWriter) { self.writer = writer }

  /// Copies an environment, request or variable with its own rows.
  mutating func copy(
    _ id: String, as copy: String, in table: CollectionTable
  ) throws(StoreFailure) {
    try copyRow(id, as: copy, in: table)
    switch table {
    case .environment: try copyChildren(of: id, in: .variable, "environment_id")
    case .request: try copyFields(of: id, to: copy)
    case .variable:
      let isSecret = try writer.first(
        "SELECT 1 FROM variable WHERE id = ? AND is_secret = 1", [.text(id)]) { _ in true }
      if isSecret != nil { secrets.append(.init(original: id, copy: copy)) }
    case .collection, .folder: break
    }
  }

  /// Copies a row alone.
  mutating func copyRow(
    _ id: String, as copy: String, in table: CollectionTable
  ) throws(StoreFailure) {
    copies[id] = copy
    let kept = table.contentColumns.joined(separator: ", ")
    let places = table.placeColumns
    let values = try writer.currentPlace(of: id, in: table).map { value in
      if case .text(let owner) = value { SQLValue.text(copies[owner] ?? owner) } else { value }
    }
    let marks = places.map { _ in ", ?" }.joined()
    try writer.run(
      """
      INSERT INTO \(table.rawValue) (id, created_at, updated_at\(places.map { ", " + $0 }.joined()),
        \(kept))
      SELECT ?, ?, ?\(marks), \(kept) FROM \(table.rawValue) WHERE id = ?
      """, [.text(copy), .int(writer.now), .int(writer.now)] + values + [.text(id)])
  }

  /// Copies what a column says belongs to a row.
  mutating func copyChildren(
    of id: String, in table: CollectionTable, _ column: String
  ) throws(StoreFailure) {
    for child in try texts("SELECT id FROM \(table.rawValue) WHERE \(column) = ?", id) {
      try copy(child, as: Identifier.next(), in: table)
    }
  }

  /// Copies the folders of a collection, or those below a folder, owners first.
  mutating func copyFolders(of id: String, whole: Bool) throws(StoreFailure) {
    var waiting = try texts(
      whole
        ? "SELECT id FROM folder WHERE collection_id = ? AND parent_id IS NULL"
        : "SELECT id FROM folder WHERE parent_id = ?", id)
    while let folder = waiting.popLast() {
      try copyRow(folder, as: Identifier.next(), in: .folder)
      waiting += try texts("SELECT id FROM folder WHERE parent_id = ?", folder)
    }
  }

  /// Copies the requests of a collection, or those in a folder and below.
  mutating func copyRequests(of id: String, whole: Bool) throws(StoreFailure) {
    let condition = whole ? "collection_id = ?1" : "folder_id IN (\(CollectionWriter.foldersBelow))"
    // The copies of folders are empty yet.
    for request in try texts("SELECT id FROM http_request WHERE \(condition)", id) {
      try copy(request, as: Identifier.next(), in: .request)
    }
  }

  /// Has the copy of a collection use the copy of the environment that the original has active.
  func chooseEnvironment(of copy: String) throws(StoreFailure) {
    let active = try writer.text("SELECT active_environment_id FROM collection WHERE id = ?", copy)
    guard let own = copies[active] else { return }
    try writer.set([("active_environment_id", .text(own))], of: copy, in: .collection)
  }

  private func copyFields(of id: String, to copy: String) throws(StoreFailure) {
    for table in ["request_header", "query_parameter"] {
      for field in try texts("SELECT id FROM \(table) WHERE http_request_id = ?", id) {
        try writer.run(
          """
          INSERT INTO \(table) (id, created_at, updated_at, http_request_id, key, value,
            is_enabled, sort_order)
          SELECT ?, ?, ?, ?, key, value, is_enabled, sort_order FROM \(table) WHERE id = ?
          """,
          [
            .text(Identifier.next()), .int(writer.now), .int(writer.now), .text(copy),
            .text(field),
          ])
      }
    }
    let tags = try texts(
      "SELECT tag FROM request_tag WHERE http_request_id = ? ORDER BY sort_order, id", id)
    try writer.replaceTags(of: copy, tags)
    let text = try writer.text(
      "SELECT search_text FROM request_search WHERE http_request_id = ?", id)
    // Without a row it is found out later, as for the original.
    if !text.isEmpty { try writer.writeSearch(of: copy, text: text) }
  }

  private func texts(_ sql: String, _ id: String) throws(StoreFailure) -> [String] {
    try writer.rows(sql, [.text(id)]) { $0.text(0) }
  }
}
