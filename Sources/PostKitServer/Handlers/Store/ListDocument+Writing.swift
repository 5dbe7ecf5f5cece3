// Lists of what the store keeps, as files for clients of the standard alone.

import JSONRPC
import PostKitSession
import PostKitStore
import PostKitSupport

extension ListDocument {
  /// Where a client can open the list; `text` is asked for where it must be a file.
  func uri(
    _ snapshot: Snapshot, text: () async throws(RPCError) -> String
  ) async throws(RPCError) -> String {
    if snapshot.client.profile.readsContentDocuments { return "postkit:/\(rawValue)" }
    let text = try await text()
    let uri = try Self.write(snapshot, text, as: fileName)
    snapshot.session.update { $0.lists.note(uri, .list(self), text) }
    return uri.spelling
  }

  /// Writes a list as a file among the views.
  static func write(
    _ snapshot: Snapshot, _ text: String, as fileName: String
  ) throws(RPCError) -> DocumentURI {
    let path = FilePath.join(snapshot.store.location.viewDirectory, fileName)
    try StoredRequests.write(Array(text.utf8), to: path)
    return DocumentURI(path: path)
  }
}
