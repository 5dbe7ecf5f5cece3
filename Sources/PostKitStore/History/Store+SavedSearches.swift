// Searches of the history that people have named.

import PostKitSupport

extension Store {
  /// The saved searches by their names.
  package func savedSearches() throws(StoreFailure) -> [Model.SavedSearch] {
    try fetch(FetchDescriptor<Model.SavedSearch>(sortBy: { [$0.name.ascending] }))
  }

  /// The saved search of a name.
  ///
  /// Throws a refusal with the names that there are.
  package func savedSearch(_ name: String) throws(StoreFailure) -> Model.SavedSearch {
    let all = try savedSearches()
    if let found = all.first(where: { $0.name == name }) { return found }
    throw Store.noSearch(name, among: all.map(\.name))
  }

  /// Saves a search, in place of one of the same name; answers whether there was one.
  @discardableResult
  package func saveSearch(_ name: String, _ line: HistoryLine) throws(StoreFailure) -> Bool {
    guard name.contains(where: { !$0.isWhitespace }) else { throw .collection(.emptyName) }
    guard !name.hasControlCharacters else { throw .collection(.controlCharacter) }
    let row = Model.SavedSearch(
      name: name, filter: line.text, createdAt: Clock.wallMilliseconds)
    return try change(Model.SavedSearch.self) { connection throws(SQLiteError) in
      let count = try connection.update(
        Model.SavedSearch.self, where: { $0.name == name },
        set: { [$0.filter.set(to: row.filter)] })
      if count == 0 { try connection.insert(row) }
      return count > 0
    }
  }

  /// Deletes a saved search.
  ///
  /// Throws a refusal with the names that there are.
  package func deleteSearch(_ name: String) throws(StoreFailure) {
    let count = try delete(Model.SavedSearch.self) { $0.name == name }
    if count == 0 { throw Store.noSearch(name, among: try savedSearches().map(\.name)) }
  }

  private static func noSearch(_ name: String, among names: [String]) -> StoreFailure {
    let rest = names.isEmpty
      ? "No search is saved yet. `postkit history save-search NAME FILTER` saves one."
      : "The saved searches are: \(names.map { "`\($0)`" }.joined(separator: ", "))."
    return .collection(.sentence("There is no saved search `\(name)`. \(rest)"))
  }

  /// The query with the id of the stored request that it names by a path.
  package func resolved(_ query: HistoryQuery) throws(StoreFailure) -> HistoryQuery {
    guard let place = query.storedRequestID, !Identifier.isValid(place.lowercased()) else {
      return query
    }
    let items = try look { reader throws(StoreFailure) in try reader.items(path: place) }
    let ids = items.filter { $0.container == nil }.map(\.id)
    var query = query
    query.storedRequestID = ids.first
    if ids.count == 1 { return query }
    if let item = items.first, ids.isEmpty {
      throw .collection(.sentence("`\(place)` is a \(item.kind). Name a stored request."))
    }
    if ids.isEmpty {
      throw .collection(
        .sentence("`\(place)` not found. Name a stored request by its path or its id."))
    }
    throw .collection(
      .sentence("`\(place)` is ambiguous. Use an id: \(ids.joined(separator: ", "))."))
  }
}
