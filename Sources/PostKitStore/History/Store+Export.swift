// Reading many exchanges whole, for those who take them along.

package import PostKitHTTP

extension Store {
  /// The exchanges of ids in the order of these, with their bodies; one that is gone is left out.
  package func exchanges(ids: [String]) throws(StoreFailure) -> [Exchange] {
    commitQueue()
    let found = try exchanges(
      where: "id IN (SELECT value FROM json_each(?))", [.text(StoredJSON.text(ids))])
    let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return ids.compactMap { byID[$0] }
  }
}
