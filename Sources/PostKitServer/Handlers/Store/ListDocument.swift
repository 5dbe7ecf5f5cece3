// Lists of what the store keeps, as documents for clients of the standard alone.

import JSONRPC
import PostKitStore
import PostKitSupport

/// A list that is opened by its URI where the client reads such documents, else as a file. All of
/// it are comments; what can be done with a line is told by the word at its end.
enum ListDocument: String {
  case collections, cookies, session

  /// The file of the list among the views.
  var fileName: String { rawValue + ".http" }

  /// Where a client can open the list; `text` is asked for where it must be a file.
  func uri(
    _ snapshot: Snapshot, text: () async throws(RPCError) -> String
  ) async throws(RPCError) -> String {
    if snapshot.client.profile.readsContentDocuments { return "postkit:/\(rawValue)" }
    let path = FilePath.join(snapshot.services.store.location.viewDirectory, fileName)
    let text = try await text()
    try StoredRequests.write(Array(text.utf8), to: path)
    snapshot.services.lists.note(DocumentURI(path: path), .list(self), text)
    return DocumentURI(path: path).spelling
  }
}
