// The names in the texts of stored requests, for who looks for the uses of a variable.

import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitSyntax
import Synchronization

/// The names in stored requests, kept while the collections do not change.
final class StoredNames: Sendable {
  /// The names of one stored request; their path is the URI by which it is named.
  struct Item: Sendable {
    let names: FileNames
    let collection: String
    /// Where the request counts as lying; `nil` where it has no home of its own.
    let place: String?
    /// The variables of its stored environments.
    let defined: Set<String>
  }

  private struct Kept: Sendable {
    let revision: Int64
    let items: [Item]
  }

  private let kept = Mutex<Kept?>(nil)

  /// The names in all stored requests; none for a client that could not open their documents.
  static func all(_ snapshot: Snapshot) async -> [Item] {
    guard snapshot.client.profile.readsContentDocuments,
      let store = await snapshot.services.store.atHand()
    else { return [] }
    return await snapshot.services.storedNames.all(store)
  }

  private func all(_ store: Store) async -> [Item] {
    do throws(StoreFailure) {
      let revision = try await store.collectionsRevision()
      if let kept = kept.withLock({ $0 }), kept.revision == revision { return kept.items }
      var items: [Item] = []
      for id in StoredNames.requests(try await store.collectionTree()) {
        if Task.isCancelled { return [] }
        if let stored = try await StoredRequestFile.read(id: id, from: store) {
          items.append(Item(stored))
        }
      }
      kept.withLock { $0 = Kept(revision: revision, items: items) }
      return items
    } catch {
      Log.warning("The names in stored requests can't be read: \(error.message)")
      return []
    }
  }

  private static func requests(_ nodes: [CollectionNode]) -> [String] {
    nodes.flatMap { node -> [String] in
      guard case .request(let row) = node.item else { return requests(node.children) }
      return [row.id]
    }
  }
}

extension StoredNames.Item {
  /// Reads the names of a stored request.
  fileprivate init(_ stored: StoredRequestFile) {
    let reading = stored.reading(FileReading())
    let document = reading.document(stored.text, format: .http)
    names = FileNames(
      path: StoredRequestFile.historyName(of: stored.request.id), document: document,
      dialect: reading.dialect(of: document), resolve: { _ in nil })
    collection = stored.collection.id
    let path = stored.path(otherwise: "")
    place = path.hasPrefix("/") ? path : nil
    defined = Set(stored.environments.flatMap { $0.variables.map(\.key) })
  }
}
