// Rows of the collections with all that they hold, outside of their tables: in the wastebasket and
// in backups.

package import PostKitJSON

/// Collections, folders, requests, environments and variables with all their columns.
///
/// As JSON it is an object with an array for each of these, whose members are the columns in camel
/// case; times are milliseconds since 1970-01-01T00:00:00Z. Values of secrets are not in the
/// database, so that none is here. What derives from the text of a request is left out.
package struct KeptRows: Sendable, Hashable {
  /// A row by the names of its columns.
  typealias Row = [String: SQLValue]

  private(set) var rows: [CollectionTable: [Row]] = [:]

  /// Makes rows of what was read.
  init(_ rows: [CollectionTable: [Row]]) { self.rows = rows }

  /// Reads the form of `json`; members that are unknown are left out.
  package init(_ json: JSONValue) {
    for table in CollectionTable.allCases {
      rows[table] = (json[table.plural]?.elements ?? []).map { row in
        var columns: Row = [:]
        for column in table.keptColumns {
          columns[column] = KeptRows.value(row[KeptRows.member(column)] ?? .null, column)
            ?? (table.mayBeNull(column) ? .null : nil)
        }
        if columns["is_secret"] == .int(1) { columns["value"] = .null }
        return columns
      }
    }
  }

  /// The rows as JSON.
  package var json: JSONValue {
    .object(
      CollectionTable.allCases.map { table in
        JSONMember(
          table.plural,
          .array(
            (rows[table] ?? []).map { row in
              .object(
                table.keptColumns.map { column in
                  JSONMember(KeptRows.member(column), KeptRows.json(row[column] ?? .null, column))
                })
            }))
      })
  }

  /// The ids of all rows.
  package var ids: [String] { CollectionTable.allCases.flatMap(ids) }

  /// The ids of the rows of a table.
  func ids(_ table: CollectionTable) -> [String] {
    (rows[table] ?? []).compactMap { KeptRows.text($0["id"]) }
  }

  /// The ids of what the rows lie in.
  var owners: [String] {
    CollectionTable.allCases.flatMap { table in
      (rows[table] ?? []).flatMap { row in
        table.placeColumns.compactMap { KeptRows.text(row[$0]) }
      }
    }
  }

  /// The rows but those with some ids.
  func without(_ ids: Set<String>) -> KeptRows {
    KeptRows(
      rows.mapValues { rows in rows.filter { !ids.contains(KeptRows.text($0["id"]) ?? "") } })
  }

  /// The ids of the requests.
  var requests: [String] { ids(.request) }

  /// A variable with the names of what it is in.
  package struct NamedVariable: Sendable, Hashable {
    package var id: String
    package var key: String
    /// The id of its environment.
    var environmentID: String
    /// The name of its environment.
    package var environment: String
    /// The name of its collection; `nil` where the environment is a global one.
    package var collection: String?
    var isSecret: Bool

    /// What people call it.
    package var name: String {
      "`\(key)` of `\(collection.map { $0 + "/" } ?? "")\(environment)`"
    }
  }

  /// All variables, as far as their environments are among the rows.
  package var variables: [NamedVariable] {
    func names(_ table: CollectionTable) -> [String: Row] {
      Dictionary(
        (rows[table] ?? []).map { (KeptRows.text($0["id"]) ?? "", $0) },
        uniquingKeysWith: { first, _ in first })
    }
    let (environments, collections) = (names(.environment), names(.collection))
    return (rows[.variable] ?? []).compactMap { row in
      guard let id = KeptRows.text(row["id"]) else { return nil }
      let owner = KeptRows.text(row["environment_id"]) ?? ""
      let environment = environments[owner]
      let collection = collections[KeptRows.text(environment?["collection_id"]) ?? ""]
      return NamedVariable(
        id: id, key: KeptRows.text(row["key"]) ?? "", environmentID: owner,
        environment: KeptRows.text(environment?["name"]) ?? "",
        collection: KeptRows.text(collection?["name"]), isSecret: row["is_secret"] == .int(1))
    }
  }

  /// The variables whose values are secrets.
  package var secrets: [NamedVariable] { variables.filter(\.isSecret) }

  /// The collections and folders that give something to their requests, by their names.
  package var defaults: [(name: String, defaults: StoredDefaults)] {
    [.collection, .folder].flatMap { (table: CollectionTable) in
      (rows[table] ?? []).compactMap { row in
        KeptRows.text(row["defaults"]).map {
          (KeptRows.text(row["name"]) ?? "", StoredDefaults($0))
        }
      }
    }
  }

  /// How many rows there are of each kind, itself counted.
  package var contents: (collections: Int, contents: CollectionContents) {
    func count(_ table: CollectionTable) -> Int { rows[table]?.count ?? 0 }
    return (
      count(.collection),
      CollectionContents(
        folders: count(.folder), requests: count(.request), environments: count(.environment),
        variables: count(.variable))
    )
  }

  /// The text of a value; `nil` for any other.
  static func text(_ value: SQLValue?) -> String? {
    if case .text(let text) = value { text } else { nil }
  }

  private static let flags: Set<String> = ["is_secret", "is_favourite"]
  private static let numbers: Set<String> = ["created_at", "updated_at", "sort_order"]

  private static func json(_ value: SQLValue, _ column: String) -> JSONValue {
    switch value {
    case .int(let number): flags.contains(column) ? .bool(number != 0) : .int(number)
    case .text(let text): .string(text)
    case .null, .real, .blob: .null
    }
  }

  /// The value of a column; `nil` leaves what the column has by itself.
  private static func value(_ json: JSONValue, _ column: String) -> SQLValue? {
    if flags.contains(column) { return json.bool.map { .int($0 ? 1 : 0) } }
    if numbers.contains(column) { return json.int.map { .int(Int64($0)) } }
    return json.string.map(SQLValue.text)
  }

  /// `created_at` as `createdAt`.
  private static func member(_ column: String) -> String {
    let words = column.split(separator: "_")
    return words.prefix(1).joined()
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

extension CollectionTable {
  /// What its rows are called together.
  fileprivate var plural: String {
    switch self {
    case .collection: "collections"
    case .folder: "folders"
    case .request: "requests"
    case .environment: "environments"
    case .variable: "variables"
    }
  }

  /// All columns but those that are found out anew.
  var keptColumns: [String] {
    ["id", "created_at", "updated_at"] + placeColumns
      + contentColumns.filter { $0 != "derivation" } + (self == .request ? ["is_favourite"] : [])
      // A copy is no import; what comes back is one still.
      + (self == .collection ? ["import_manifest"] : [])
  }

  /// Whether a column can be without a value.
  fileprivate func mayBeNull(_ column: String) -> Bool {
    switch (self, column) {
    case (.request, "name"), (.environment, "collection_id"): true
    default:
      [
        "parent_id", "folder_id", "active_environment_id", "defaults", "origin_file",
        "origin_name", "dialect", "body", "value", "import_manifest",
      ].contains(column)
    }
  }

  /// What goes with something that is deleted, as a condition on rows of this table whose `?1` is
  /// the id of what is deleted; `nil` where nothing does.
  func condition(below owner: CollectionTable) -> String? {
    let own = self == owner ? "id = ?1" : nil
    let environments = "SELECT id FROM environment WHERE collection_id = ?1"
    return switch (owner, self) {
    case (.collection, .folder), (.collection, .request), (.collection, .environment):
      "collection_id = ?1"
    case (.collection, .variable): "environment_id IN (\(environments))"
    case (.folder, .folder): "id IN (\(CollectionWriter.foldersBelow))"
    case (.folder, .request): "folder_id IN (\(CollectionWriter.foldersBelow))"
    case (.environment, .variable): "environment_id = ?1"
    default: own
    }
  }
}
