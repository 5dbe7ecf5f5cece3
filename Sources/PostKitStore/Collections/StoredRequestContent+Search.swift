// What a stored request is found by: derived from its text, and by which rules.

extension StoredRequestContent {
  /// The number of the rules by which what derives from a text is found out. Who changes them
  /// raises it: requests that were derived by earlier ones are derived again.
  package static let derivation: Int64 = 1

  /// What words are looked for in, folded: its name, then its method, target and tags.
  var searchText: String {
    let caption = name == nil ? [] : ["\(method) \(url)"]
    return ([displayName] + caption + tags).map { line in
      FoldedText.fold(String(line.map { $0.isNewline ? " " : $0 }))
    }.joined(separator: "\n")
  }
}

/// Finds out what derives from the text of a stored request; the second is the preset that reads
/// it.
package typealias RequestDeriving = @Sendable (
  _ source: String, _ dialect: String?
) -> StoredRequestContent

extension Store {
  /// Derives anew what older PostKits have written or changed, some in each transaction. Nobody
  /// else sees a change, so that no revision rises.
  package func deriveRequests(_ derive: RequestDeriving) throws(StoreFailure) {
    let file = try openCollections()
    while try hasRequestsToDerive(file) {
      try file.write("derive what requests are found by", scope: nil) { _ throws(StoreFailure) in
        let writer = CollectionWriter(file: file, mode: .edit)
        let found = try writer.rows(
          Store.toDeriveSQL + " LIMIT 200", [.int(StoredRequestContent.derivation)]
        ) { (id: $0.text(0), source: $0.text(1), dialect: $0.optionalText(2)) }
        for row in found { try writer.derive(row.id, derive(row.source, row.dialect)) }
      }
      file.letOthersWrite()
    }
  }

  private func hasRequestsToDerive(_ file: DatabaseFile) throws(StoreFailure) -> Bool {
    try file.read("look for requests to derive") { connection throws(SQLiteError) in
      // Counting tells without a look at each whether a row is missing, as after damage.
      try connection.integer(
        """
        SELECT EXISTS (SELECT 1 FROM http_request WHERE derivation < ?)
          OR (SELECT count(*) FROM http_request) > (SELECT count(*) FROM request_search)
        """, [.int(StoredRequestContent.derivation)]) != 0
    }
  }

  private static let toDeriveSQL = """
    SELECT id, source, dialect FROM http_request
    WHERE derivation < ? OR NOT EXISTS (
      SELECT 1 FROM request_search WHERE http_request_id = http_request.id)
    """
}
