// Collections for tests, and what is in them as text.

import PostKitSupport

@testable import PostKitStore

/// The id with a number, the same in each run.
func id(_ number: UInt64) -> String {
  Identifier.version7(milliseconds: Sample.start, random: (0, number))
}

/// The id with a number.
func id(_ number: Int) -> String { id(UInt64(number)) }

/// The ids of the samples.
enum Name {
  static let shop = id(1)
  static let notes = id(2)
  static let orders = id(3)
  static let returns = id(4)
  static let list = id(5)
  static let create = id(6)
  static let back = id(7)
  static let status = id(8)
  static let dev = id(9)
  static let live = id(10)
  static let everywhere = id(11)
  static let host = id(12)
  static let token = id(13)
  static let missing = id(99)
}

/// Two collections, one with everything that can be in one.
enum SampleCollections {
  static func request(_ method: String, _ url: String) -> StoredRequestContent {
    StoredRequestContent(source: "\(method) \(url)\n", name: nil, method: method, url: url)
  }

  static func store() async throws -> Store {
    let store = try await Store.inMemory()
    try await fill(store)
    return store
  }

  static func fill(_ store: Store) async throws {
    var list = request("GET", "/orders")
    list.headers = [StoredField("Accept", "text/html"), StoredField("Accept", "application/json")]
    list.parameters = [StoredField("page", "1"), StoredField("page", "2")]
    try await store.edit([
      .createCollection(id: Name.shop, name: "Shop"),
      .createCollection(id: Name.notes, name: "Notes"),
      .createFolder(id: Name.orders, name: "orders", in: .collection(Name.shop)),
      .createFolder(id: Name.returns, name: "returns", in: .folder(Name.orders)),
      .createRequest(id: Name.list, list, in: .folder(Name.orders)),
      .createRequest(id: Name.create, request("POST", "/orders"), in: .folder(Name.orders)),
      .createRequest(id: Name.back, request("DELETE", "/returns/1"), in: .folder(Name.returns)),
      .createRequest(id: Name.status, request("GET", "/status"), in: .collection(Name.shop)),
      .createEnvironment(id: Name.dev, name: "dev", collection: Name.shop),
      .createEnvironment(id: Name.live, name: "live", collection: Name.shop),
      .createEnvironment(id: Name.everywhere, name: "everywhere", collection: nil),
      .createVariable(
        id: Name.host, key: "host", value: .plain("localhost"), environment: Name.dev),
      .createVariable(id: Name.token, key: "token", value: .secret, environment: Name.dev),
      .createVariable(
        id: id(14), key: "host", value: .plain("shop.example"), environment: Name.live),
      .createVariable(
        id: id(15), key: "agent", value: .plain("postkit"), environment: Name.everywhere),
    ])
  }
}

extension Store {
  /// The collections as indented text: folders end with a slash, environments stand in brackets.
  func outline(of collection: String? = nil) throws -> String {
    let connection = try openCollections().connection
    var lines: [String] = []
    let collections = try connection.rows(
      "SELECT id, name FROM collection WHERE ?1 IS NULL OR id = ?1 ORDER BY sort_order, id",
      [.optional(collection)]) { ($0.text(0), $0.text(1)) }
    for (id, name) in collections {
      lines.append(name)
      lines += try folder(nil, of: id, connection).map { "  " + $0 }
      lines += try environments(of: id, connection).map { "  " + $0 }
    }
    if collection == nil { lines += try environments(of: nil, connection) }
    return lines.joined(separator: "\n")
  }

  private func folder(
    _ folder: String?, of collection: String, _ connection: Connection
  ) throws -> [String] {
    let place: [SQLValue] = [.text(collection), .optional(folder)]
    var lines: [String] = []
    let folders = try connection.rows(
      """
      SELECT id, name FROM folder WHERE collection_id = ? AND parent_id IS ?
      ORDER BY sort_order, id
      """, place) { ($0.text(0), $0.text(1)) }
    for (id, name) in folders {
      lines.append(name + "/")
      lines += try self.folder(id, of: collection, connection).map { "  " + $0 }
    }
    lines += try connection.rows(
      """
      SELECT method || ' ' || url FROM http_request WHERE collection_id = ? AND folder_id IS ?
      ORDER BY sort_order, id
      """, place) { $0.text(0) }
    return lines
  }

  private func environments(
    of collection: String?, _ connection: Connection
  ) throws -> [String] {
    let found = try connection.rows(
      "SELECT id, name FROM environment WHERE collection_id IS ? ORDER BY sort_order, id",
      [.optional(collection)]) { ($0.text(0), $0.text(1)) }
    var lines: [String] = []
    for (id, name) in found {
      let variables = try connection.rows(
        """
        SELECT key || '=' || iif(is_secret, ifnull(value, '***'), value) FROM variable
        WHERE environment_id = ? ORDER BY sort_order, id
        """, [.text(id)]) { $0.text(0) }
      lines.append((["[\(name)]"] + variables).joined(separator: " "))
    }
    return lines
  }

  /// The headers and parameters of a request, in order.
  func fields(of request: String) throws -> [String] {
    try fieldRows(of: request, "key || mark || value")
  }

  /// The ids of the headers and parameters of a request, in order.
  func fieldIDs(of request: String) throws -> [String] { try fieldRows(of: request, "id") }

  private func fieldRows(of request: String, _ column: String) throws -> [String] {
    try openCollections().connection.rows(
      """
      SELECT \(column) FROM (
        SELECT 1 AS kind, ': ' AS mark, * FROM request_header
        UNION ALL SELECT 2, '=', * FROM query_parameter)
      WHERE http_request_id = ? ORDER BY kind, sort_order, id
      """, [.text(request)]) { $0.text(0) }
  }

  /// The names in a table, in order.
  func names(of table: String) throws -> String {
    try openCollections().connection.rows("SELECT name FROM \(table) ORDER BY sort_order, id") {
      $0.text(0)
    }.joined(separator: " ")
  }

  /// The active environment of a collection.
  func active(of collection: String) throws -> String? {
    try openCollections().connection.first(
      "SELECT active_environment_id FROM collection WHERE id = ?", [.text(collection)]
    ) { $0.optionalText(0) } ?? nil
  }

  /// The number of rows of a table.
  func count(_ table: String) throws -> Int64 {
    try openCollections().connection.integer("SELECT count(*) FROM \(table)")
  }

  /// Deletes a row past all that PostKit does about it.
  func delete(_ id: String, from table: String) throws {
    try openCollections().connection.run("DELETE FROM \(table) WHERE id = ?", [.text(id)])
  }
}
