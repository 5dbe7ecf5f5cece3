// The stored requests that documents show.

package import PostKitRunner
import PostKitStore
import PostKitSupport

extension Snapshot {
  /// The id of the stored request that a document shows: a file that was written for viewing, or
  /// the URI by which a request is named; `nil` for any other.
  package func storedRequestID(of uri: DocumentURI) -> String? {
    guard case .storedRequest(let id) = shown(uri) else { return nil }
    return id
  }

  /// A stored request with all around it; `nil` where there is none.
  package func storedRequest(id: String) async -> StoredRequestFile? {
    guard let store = await store.existing() else { return nil }
    do throws(StoreFailure) {
      return try await StoredRequestFile.read(id: id, from: store)
    } catch {
      Log.warning("A stored request can't be read: \(error.message)")
      return nil
    }
  }
}
