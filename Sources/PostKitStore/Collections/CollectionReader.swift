// What a change of the collections decides on, read inside the transaction that makes it.

import PostKitSupport

/// The collections as they are while a transaction lasts, or a single look at them.
///
/// Nobody else can change them meanwhile. What is found out of it must not be used for a later
/// change: that decides anew.
package struct CollectionReader {
  let file: DatabaseFile

  /// The collection, folder or request with an id.
  package func item(id: String) throws(StoreFailure) -> CollectionItem? {
    try read { connection throws(SQLiteError) in try connection.item(id: id) }
  }

  /// What a path means, names with slashes between: `Shop/orders/list orders`. Names may hold
  /// slashes, too. More than one thing can have a path.
  package func items(path: String) throws(StoreFailure) -> [CollectionItem] {
    try read { connection throws(SQLiteError) in try connection.items(path: path) }
  }

  /// The collection or folder that a path or an id means. Of a folder and a request with one path
  /// it is the folder.
  package func container(_ text: String) throws(StoreFailure) -> RequestContainer {
    let found = Identifier.isValid(text) ? [try item(id: text)].compactMap { $0 }
      : try items(path: text)
    let containers = found.compactMap(\.container)
    if containers.count == 1 { return containers[0] }
    if let item = found.first, containers.isEmpty {
      throw .collection(
        .sentence("`\(text)` is a \(item.kind). Name a collection or a folder."))
    }
    if found.isEmpty {
      throw .collection(
        .sentence(
          "`\(text)` not found. Name a collection or a folder by its path or its id."))
    }
    let ids = found.filter { $0.container != nil }.map(\.id).joined(separator: ", ")
    throw .collection(.sentence("`\(text)` is ambiguous. Use an id: \(ids)."))
  }

  /// The collections with a name.
  package func collections(named name: String) throws(StoreFailure) -> [Model.Collection] {
    try read { connection throws(SQLiteError) in
      try connection.fetch(
        FetchDescriptor<Model.Collection>(
          where: { $0.name == name }, sortBy: { [$0.sortOrder.ascending] }))
    }
  }

  /// The environments of a collection, or the global ones for `nil`, with their variables.
  package func environments(
    of collection: String?
  ) throws(StoreFailure) -> [EnvironmentContents] {
    try read { connection throws(SQLiteError) in
      try connection.environments { $0.collectionID == collection }
    }
  }

  /// The environment with an id, with its variables.
  package func environment(id: String) throws(StoreFailure) -> EnvironmentContents? {
    try read { connection throws(SQLiteError) in try connection.environments { $0.id == id } }.first
  }

  /// The stored request with an id.
  package func request(id: String) throws(StoreFailure) -> Model.HTTPRequest? {
    guard case .request(let request) = try item(id: id) else { return nil }
    return request
  }

  /// The text of a stored request; `nil` where there is none.
  package func source(ofRequest id: String) throws(StoreFailure) -> String? {
    try read { connection throws(SQLiteError) in
      try connection.fetch(
        FetchDescriptor<Model.HTTPRequest>(where: { $0.id == id })) { $0.source }.first
    }
  }

  /// What an import remembers of a collection; `nil` for one that none has made.
  package func importManifest(ofCollection id: String) throws(StoreFailure) -> String? {
    try read { connection throws(SQLiteError) in
      try connection.rows("SELECT import_manifest FROM collection WHERE id = ?", [.text(id)]) {
        $0.optionalText(0)
      }
    }.first ?? nil
  }

  /// The texts of the requests of a collection, by their ids, with the presets that read them and
  /// the folders that they lie in.
  package func sources(
    ofCollection id: String
  ) throws(StoreFailure) -> [String: (source: String, dialect: String?, folder: String?)] {
    let found = try read { connection throws(SQLiteError) in
      try connection.fetch(
        FetchDescriptor<Model.HTTPRequest>(where: { $0.collectionID == id })
      ) { ($0.id, $0.source, $0.dialect, $0.folderID) }
    }
    return Dictionary(found.map { ($0.0, ($0.1, $0.2, $0.3)) }) { first, _ in first }
  }

  /// What lies in a container, or all collections for `nil`, `depth` levels of it.
  package func tree(
    in container: RequestContainer?, depth: Int = .max
  ) throws(StoreFailure) -> [CollectionNode] {
    try read { connection throws(SQLiteError) in
      guard let container else { return try connection.collections(depth: depth) }
      return try connection.children(of: container, depth: depth)
    }
  }

  /// Stored requests that are looked for; `sent` are the times by which `.recent` sorts.
  package func find(
    _ query: RequestQuery, sent: [String: Int64]
  ) throws(StoreFailure) -> RequestPage {
    let revision = try revision()
    let start = try query.cursor.map { text throws(StoreFailure) in
      try RequestCursor(text, sort: query.sort, revision: revision).place
    }
    let found = try read { connection throws(SQLiteError) in
      try RequestFinder(query, sent: sent, connection).page(after: start)
    }
    let cursor = found.last.map {
      RequestCursor(sort: query.sort, revision: revision, place: $0).text
    }
    return RequestPage(
      requests: found.requests, total: found.total, cursor: cursor, revision: revision)
  }

  /// The revision of the collections at this moment.
  package func revision() throws(StoreFailure) -> Int64 {
    try file.revision(of: StoreScope.collections.rawValue)
  }

  /// How much would go with something that is deleted, itself not counted.
  package func contents(of id: String) throws(StoreFailure) -> CollectionContents {
    try read { connection throws(SQLiteError) in try connection.contents(of: id) }
  }

  /// Those of some ids that something in the collections has.
  package func known(_ ids: [String]) throws(StoreFailure) -> Set<String> {
    let sql = CollectionTable.allCases.map {
      "SELECT id FROM \($0.rawValue) WHERE id IN (SELECT value FROM json_each(?1))"
    }.joined(separator: " UNION ALL ")
    return Set(
      try read { connection throws(SQLiteError) in
        try connection.rows(sql, [.text(StoredJSON.text(ids))]) { $0.text(0) }
      })
  }

  /// Whether the value of a variable is a secret.
  func isSecret(variable id: String) throws(StoreFailure) -> Bool {
    try read { connection throws(SQLiteError) in
      try connection.integer(
        "SELECT EXISTS (SELECT 1 FROM variable WHERE id = ? AND is_secret = 1)", [.text(id)]) != 0
    }
  }

  /// Reads something of the collections.
  func read<Result>(
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(StoreFailure) -> Result {
    try file.sql("read the collections", body)
  }
}

/// What is to be changed, as somebody decided who read the collections.
package struct CollectionPlan<Value: Sendable>: Sendable {
  package var edits: [CollectionEdit]
  /// The values of secret variables by their ids.
  package var secrets: [String: String]
  /// What the decision found out besides.
  package var value: Value

  /// Makes a plan.
  package init(_ edits: [CollectionEdit], secrets: [String: String] = [:], value: Value) {
    self.edits = edits
    self.secrets = secrets
    self.value = value
  }

  /// Puts the values that variables which stay secret are to have among the secrets.
  mutating func separateSecrets(_ reader: CollectionReader) throws(StoreFailure) {
    var isSecret: [String: Bool] = [:]
    for index in edits.indices {
      switch edits[index] {
      case .setVariable(let id, .kept(let text)):
        let known = isSecret[id]
        guard try known == nil ? reader.isSecret(variable: id) : known == true else { continue }
        secrets[id] = text
        edits[index] = .setVariable(id: id, .secret)
      case .createVariable(let id, _, let value, _), .setVariable(let id, let value):
        isSecret[id] = value == .secret
      default: break
      }
    }
  }
}

extension CollectionPlan where Value == Void {
  /// Makes a plan of edits that hang on nothing.
  package init(_ edits: [CollectionEdit], secrets: [String: String] = [:]) {
    self.init(edits, secrets: secrets, value: ())
  }
}

/// Decides what is changed by what the collections have at that moment. It runs in the transaction
/// of the change, perhaps more than once, and while it runs all other processes wait.
package typealias CollectionDecision<Value: Sendable> =
  @Sendable (CollectionReader) throws(StoreFailure) -> CollectionPlan<Value>

/// A change of the collections with the decision that it is made by.
struct CollectionChange<Value: Sendable>: Sendable {
  var mode = CollectionWriter.Mode.edit
  var ifRevision: Int64?
  var renaming: RequestTextRenaming?
  var decide: CollectionDecision<Value>

  /// Decides, and carries out what was decided; the caller has an open transaction.
  func carryOut(
    in file: DatabaseFile, separatingSecrets: Bool
  ) throws(StoreFailure) -> (plan: CollectionPlan<Value>, result: CollectionEditResult) {
    let revision = try file.revision(of: StoreScope.collections.rawValue)
    if let ifRevision, ifRevision != revision { throw .collection(.stale) }
    let reader = CollectionReader(file: file)
    var plan = try decide(reader)
    if separatingSecrets { try plan.separateSecrets(reader) }
    var writer = CollectionWriter(file: file, mode: mode, renaming: renaming)
    for edit in plan.edits { try writer.apply(edit) }
    var result = writer.result
    // The transaction raises it when it ends.
    result.revision = revision + 1
    return (plan, result)
  }
}
