// Carries out edits of the collections in an open transaction.

import PostKitSupport

/// Writes to the tables of the collections; lives as long as one transaction.
struct CollectionWriter {
  /// What rows with known ids mean: an error, or that they are to be brought up to date.
  enum Mode { case edit, importing }

  let file: DatabaseFile
  let mode: Mode
  var renaming: RequestTextRenaming?
  let now = Clock.wallMilliseconds
  private(set) var result = CollectionEditResult()

  /// Carries out one edit.
  mutating func apply(_ edit: CollectionEdit) throws(StoreFailure) {
    switch edit {
    case .createCollection(let id, let name, let position):
      try insert(id, into: .collection, at: [], position, [("name", try Self.name(name))])
    case .createFolder(let id, let name, let container, let position):
      let place = try place(of: container)
      if try exists(id, .folder) { try requireNoCycle(id, in: container) }
      try insert(id, into: .folder, at: place, position, [("name", try Self.name(name))])
      try adoptCollection(id, place[0])
    case .createRequest(let id, let content, let container, let position):
      try insert(
        id, into: .request, at: place(of: container), position, Self.columns(content))
      try replaceFields(of: id, content)
    case .saveRequest(let id, let content, let container, let position):
      if let known = try request(named: content.displayName, in: container) {
        try update(known, content)
      } else {
        try apply(.createRequest(id: id, content, in: container, at: position))
      }
    case .createEnvironment(let id, let name, let collection, let position):
      if let collection { try require(collection, .collection) }
      try insert(
        id, into: .environment, at: [.optional(collection)], position,
        [("name", try Self.name(name, of: .environment))])
    case .createVariable(let id, let key, let value, let environment):
      try require(environment, .environment)
      if try exists(id, .variable) { try noteSecret(id, before: value) }
      try requireNoVariable(key, of: environment, but: id)
      try insert(
        id, into: .variable, at: [.text(environment)], .last,
        [("key", try Self.name(key))] + Self.columns(value))
    case .rename(let id, let name): try rename(id, name)
    case .update(let request, let content):
      try require(request, .request)
      try update(request, content)
    case .setVariable(let id, let value):
      try require(id, .variable)
      try noteSecret(id, before: value)
      try set(Self.columns(value), of: id, in: .variable)
      result.ids.append(id)
    case .move(let id, let container, let position): try move(id, container, position)
    case .duplicate(let id, let copy): try duplicate(id, as: copy)
    case .delete(let id): try delete(id)
    case .undo(let id): try undo(id)
    case .discard(let deletions): try discard(deletions)
    case .activate(let environment, let collection): try activate(environment, collection)
    case .favourite(let id, let isFavourite): try favour(id, isFavourite)
    case .setDefaults(let id, let defaults): try setDefaults(of: id, defaults)
    case .setImportManifest(let id, let manifest):
      try require(id, .collection)
      try set([("import_manifest", .text(manifest))], of: id, in: .collection)
    case .restore(let rows): try restore(rows)
    }
  }

  // MARK: - Making and changing

  private mutating func insert(
    _ id: String, into table: CollectionTable, at place: [SQLValue], _ position: SiblingPosition,
    _ columns: [(String, SQLValue)]
  ) throws(StoreFailure) {
    guard Identifier.isValid(id) else { throw .collection(.badID(id)) }
    var columns = columns
    for (name, value) in zip(table.placeColumns, place) { columns.append((name, value)) }
    result.ids.append(id)
    if let known = try self.table(of: id) {
      guard mode == .importing, known == table else { throw .collection(.idExists(id)) }
      if position != .last {
        let order = try order(of: id, among: table.siblings(at: place), position)
        columns.append(("sort_order", .int(order)))
      }
      try set(columns, of: id, in: table)
      return
    }
    let order = try order(of: id, among: table.siblings(at: place), position)
    columns += [
      ("id", .text(id)), ("created_at", .int(now)), ("updated_at", .int(now)),
      ("sort_order", .int(order)),
    ]
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    try run(
      "INSERT INTO \(table.rawValue) (\(columns.map(\.0).joined(separator: ", "))) "
        + "VALUES (\(marks))", columns.map(\.1))
  }

  /// Sets columns of a row.
  func set(
    _ columns: [(String, SQLValue)], of id: String, in table: CollectionTable
  ) throws(StoreFailure) {
    let terms = (columns.map(\.0) + ["updated_at"]).map { "\($0) = ?" }
    try run(
      "UPDATE \(table.rawValue) SET \(terms.joined(separator: ", ")) WHERE id = ?",
      columns.map(\.1) + [.int(now), .text(id)])
  }

  private mutating func update(
    _ request: String, _ content: StoredRequestContent
  ) throws(StoreFailure) {
    try set(Self.columns(content), of: request, in: .request)
    try replaceFields(of: request, content)
    result.ids.append(request)
  }

  private mutating func rename(_ id: String, _ name: String) throws(StoreFailure) {
    let table = try requiredTable(of: id)
    let column = try Self.name(name, of: table)
    if table == .request { return try update(id, renamed(id, name)) }
    if table == .variable {
      let environment = try text("SELECT environment_id FROM variable WHERE id = ?", id)
      try requireNoVariable(name, of: environment, but: id)
    }
    try set([(table.nameColumn, column)], of: id, in: table)
    result.ids.append(id)
  }

  private func renamed(_ id: String, _ name: String) throws(StoreFailure) -> StoredRequestContent {
    guard let renaming else {
      throw .collection(
        .notPossible(operation: "renamed but by its text", kind: CollectionTable.request.noun))
    }
    let content = try first(
      "SELECT source, dialect FROM http_request WHERE id = ?", [.text(id)]
    ) { renaming($0.text(0), $0.optionalText(1), name) }
    guard case .some(.some(let content)) = content else {
      throw .collection(.requestName(name))
    }
    return content
  }

  private mutating func move(
    _ id: String, _ container: RequestContainer?, _ position: SiblingPosition
  ) throws(StoreFailure) {
    let table = try requiredTable(of: id)
    var place = try currentPlace(of: id, in: table)
    if let container {
      guard table == .folder || table == .request else {
        throw .collection(
          .notPossible(operation: "put into a folder or collection", kind: table.noun))
      }
      if table == .folder { try requireNoCycle(id, in: container) }
      place = try self.place(of: container)
    }
    let order = try order(of: id, among: table.siblings(at: place), position)
    try set(
      Array(zip(table.placeColumns, place)) + [("sort_order", .int(order))], of: id, in: table)
    if table == .folder { try adoptCollection(id, place[0]) }
    result.ids.append(id)
  }

  /// What lies in a folder belongs to the folder's collection.
  func adoptCollection(_ folder: String, _ collection: SQLValue) throws(StoreFailure) {
    for (table, column) in [("folder", "id"), ("http_request", "folder_id")] {
      try run(
        """
        UPDATE \(table) SET collection_id = ?2, updated_at = ?3
        WHERE \(column) IN (\(Self.foldersBelow)) AND collection_id <> ?2
        """, [.text(folder), collection, .int(now)])
    }
  }

  private mutating func activate(
    _ environment: String?, _ collection: String
  ) throws(StoreFailure) {
    try require(collection, .collection)
    if let environment {
      try require(environment, .environment)
      let (name, owner) = try first(
        "SELECT name, collection_id FROM environment WHERE id = ?", [.text(environment)]
      ) { ($0.text(0), $0.optionalText(1)) } ?? ("", nil)
      guard owner == nil || owner == collection else {
        throw .collection(.foreignEnvironment(name))
      }
    }
    try set([("active_environment_id", .optional(environment))], of: collection, in: .collection)
    result.ids.append(collection)
  }

  // MARK: - Deleting

  private mutating func delete(_ id: String) throws(StoreFailure) {
    let table = try requiredTable(of: id)
    if table == .environment { try requireUnused(id) }
    let deletion = Identifier.next()
    try keepForUndo(id, table, as: deletion)
    try run("DELETE FROM \(table.rawValue) WHERE id = ?", [.text(id)])
    result.deletions[result.ids.count] = deletion
    result.ids.append(id)
  }

  /// The trigger of the schema refuses it, too; it has no names to tell.
  private func requireUnused(_ environment: String) throws(StoreFailure) {
    let users = try rows(
      """
      SELECT collection.name FROM collection
      JOIN environment ON environment.id = collection.active_environment_id
      WHERE environment.id = ? AND environment.collection_id IS NULL
      ORDER BY collection.sort_order, collection.id
      """, [.text(environment)]
    ) { $0.text(0) }
    guard !users.isEmpty else { return }
    let name = try text("SELECT name FROM environment WHERE id = ?", environment)
    throw .collection(.environmentInUse(name: name, collections: users))
  }

  private func secret(of variable: String) throws(StoreFailure) -> [String] {
    try rows("SELECT id FROM variable WHERE is_secret = 1 AND id = ?", [.text(variable)]) {
      $0.text(0)
    }
  }

  /// Notes whether a variable's secret goes, because it gets a value that is none.
  mutating func noteSecret(
    _ id: String, before value: VariableValue
  ) throws(StoreFailure) {
    switch value {
    case .plain: result.droppedSecrets += try secret(of: id)
    case .kept:
      // Somebody made it a secret after the caller looked.
      guard try secret(of: id).isEmpty else { throw .collection(.stale) }
    case .secret: result.droppedSecrets.removeAll { $0 == id }
    }
  }

  // MARK: - Notes of copies

  /// Adds what a copy is called by, and whose secrets it needs.
  mutating func note(copy: String, secrets: [CollectionEditResult.SecretCopy]) {
    result.ids.append(copy)
    result.copiedSecrets += secrets
  }

  /// Adds what was changed.
  mutating func note(changed id: String) { result.ids.append(id) }

  /// Adds what is gone for good.
  mutating func note(gone requests: [String], secrets: [String]) {
    result.deletedRequests += requests
    result.droppedSecrets += secrets
  }

  // MARK: - Columns

  private static func name(
    _ text: String, of table: CollectionTable? = nil
  ) throws(StoreFailure) -> SQLValue {
    guard text.contains(where: { !$0.isWhitespace }) else { throw .collection(.emptyName) }
    guard !text.hasControlCharacters else { throw .collection(.controlCharacter) }
    // Where environments are chosen, a comma stands between two, and `$shared` is none.
    if table == .environment, text.contains(",") || text.hasPrefix("$") {
      throw .collection(.environmentName(text))
    }
    return .text(text)
  }

  private static func columns(_ value: VariableValue) -> [(String, SQLValue)] {
    switch value {
    case .plain(let text), .kept(let text): [("value", .text(text)), ("is_secret", .int(0))]
    case .secret: [("value", .null), ("is_secret", .int(1))]
    }
  }

  private static func columns(_ content: StoredRequestContent) -> [(String, SQLValue)] {
    var columns: [(String, SQLValue)] = [
      ("name", .optional(content.name)), ("method", .text(content.method)),
      ("url", .text(content.url)), ("body", .optional(content.body)),
      ("source", .text(content.source)), ("dialect", .optional(content.dialect)),
    ]
    if let origin = content.origin {
      columns += [("origin_file", .text(origin.file)), ("origin_name", .optional(origin.name))]
    }
    return columns
  }
}
