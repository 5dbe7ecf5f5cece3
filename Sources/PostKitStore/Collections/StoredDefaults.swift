// What requests have from the folders and the collection in which they lie.

package import PostKitJSON

/// Headers, credentials and variables of requests that don't say them themselves.
///
/// As JSON: `{"headers": [[name, value]], "auth": text, "variables": [[name, value]]}`; members
/// without a value are left out.
package struct StoredDefaults: Sendable, Hashable {
  /// A header or a variable.
  package struct Entry: Sendable, Hashable {
    package var name: String
    package var value: String

    /// Makes an entry.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var headers: [Entry]
  /// The value of the `Authorization` header, in the words of a header line.
  package var auth: String?
  package var variables: [Entry]

  /// Makes defaults.
  package init(headers: [Entry] = [], auth: String? = nil, variables: [Entry] = []) {
    self.headers = headers
    self.auth = auth
    self.variables = variables
  }

  /// Reads the column of a row; what can't be read there is left out.
  package init(_ text: String?) {
    self.init()
    guard let text, let tree = try? JSONTree(parsing: Array(text.utf8)) else { return }
    func entries(_ member: String) -> [Entry] {
      (tree.root[member]?.elements ?? []).compactMap { pair in
        let halves = pair.elements.compactMap(\.string)
        return halves.count == 2 ? Entry(halves[0], halves[1]) : nil
      }
    }
    headers = entries("headers")
    auth = tree.root["auth"]?.string
    variables = entries("variables")
  }

  /// Whether nothing is in them.
  package var isEmpty: Bool { headers.isEmpty && auth == nil && variables.isEmpty }

  /// The defaults as JSON.
  package var json: JSONValue {
    func pairs(_ entries: [Entry]) -> JSONValue {
      .array(entries.map { [.string($0.name), .string($0.value)] })
    }
    var members: [JSONMember] = []
    if !headers.isEmpty { members.append(JSONMember("headers", pairs(headers))) }
    if let auth { members.append(JSONMember("auth", .string(auth))) }
    if !variables.isEmpty { members.append(JSONMember("variables", pairs(variables))) }
    return .object(members)
  }

  /// The text of the column; `nil` where nothing is in them.
  var column: String? { isEmpty ? nil : json.text }
}

extension CollectionReader {
  /// The names of the variables that a stored request has from its collection: of the defaults
  /// around it, and of the environment in use.
  package func variables(
    givenTo request: Model.HTTPRequest
  ) throws(StoreFailure) -> (defaults: Set<String>, environment: Set<String>) {
    guard case .collection(let collection) = try item(id: request.collectionID) else {
      return ([], [])
    }
    var texts = [collection.defaults]
    var next = request.folderID
    var seen: Set<String> = []
    while let id = next, seen.insert(id).inserted, case .folder(let folder) = try item(id: id) {
      texts.append(folder.defaults)
      next = folder.parentID
    }
    let active = try collection.activeEnvironmentID.flatMap { id throws(StoreFailure) in
      try environment(id: id)
    }
    return (
      Set(texts.flatMap { StoredDefaults($0).variables.map(\.name) }),
      Set((active?.variables ?? []).map(\.key))
    )
  }
}

extension CollectionWriter {
  /// Replaces the defaults of a collection or folder.
  mutating func setDefaults(of id: String, _ defaults: StoredDefaults) throws(StoreFailure) {
    let table = try requiredTable(of: id)
    guard table == .collection || table == .folder else {
      throw .collection(.notPossible(operation: "given defaults", kind: table.noun))
    }
    try set([("defaults", .optional(defaults.column))], of: id, in: table)
    note(changed: id)
  }

  /// Says whether a request is a favourite, which is no change of the request.
  mutating func favour(_ id: String, _ isFavourite: Bool) throws(StoreFailure) {
    let table = try requiredTable(of: id)
    guard table == .request else {
      throw .collection(.notPossible(operation: "a favourite", kind: table.noun))
    }
    try run(
      "UPDATE http_request SET is_favourite = ? WHERE id = ?",
      [.int(isFavourite ? 1 : 0), .text(id)])
    note(changed: id)
  }
}
