// Lists of what the store keeps, as documents for clients of the standard alone.

import JSONRPC
import PostKitStore
import PostKitSupport

/// A list that is opened by its URI where the client reads such documents, else as a file. All of
/// it are comments; what can be done with a line is told by the word at its end.
enum ListDocument: String {
  case collections, cookies, session, searches

  /// The file of the list among the views.
  var fileName: String { rawValue + ".http" }

  /// Where a client can open the list; `text` is asked for where it must be a file.
  func uri(
    _ snapshot: Snapshot, text: () async throws(RPCError) -> String
  ) async throws(RPCError) -> String {
    if snapshot.client.profile.readsContentDocuments { return "postkit:/\(rawValue)" }
    let text = try await text()
    let uri = try Self.write(snapshot, text, as: fileName)
    snapshot.services.lists.note(uri, .list(self), text)
    return uri.spelling
  }

  /// Writes a list as a file among the views.
  static func write(
    _ snapshot: Snapshot, _ text: String, as fileName: String
  ) throws(RPCError) -> DocumentURI {
    let path = FilePath.join(snapshot.services.store.location.viewDirectory, fileName)
    try StoredRequests.write(Array(text.utf8), to: path)
    return DocumentURI(path: path)
  }
}
