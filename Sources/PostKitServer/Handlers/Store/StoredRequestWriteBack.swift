// A saved document of a stored request is written back into the store. No text is lost by that:
// where the store has another one than the document began with, its user decides.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport

/// Writing documents of stored requests back.
enum StoredRequestWriteBack {
  /// Writes a saved document back, one save of a request after the other.
  static func saved(_ snapshot: Snapshot, _ uri: DocumentURI, id: String) async {
    guard let path = uri.path, let store = await snapshot.store.store() else { return }
    let file = StoredRequestView(path: path)
    _ = await snapshot.session.requestSaves.run(id) {
      do throws(RPCError) {
        try await save(snapshot, uri, file, id, store)
      } catch {
        snapshot.client.showMessage(.error, error.message)
      }
    }
  }

  private static func save(
    _ snapshot: Snapshot, _ uri: DocumentURI, _ file: StoredRequestView, _ id: String,
    _ store: Store
  ) async throws(RPCError) {
    /// The stored text that may be replaced by another one than what the document began with.
    var givenUp: [UInt8]?
    while true {
      // First of all: with any change after it the update below is refused.
      let revision = try await revision(of: store)
      guard let stored = await snapshot.storedRequest(id: id) else {
        throw RPCError(
          .requestFailed,
          "The request is no longer in the collections: \(file.path) is its only copy. "
            + "Save it to a collection from a file of your own.")
      }
      let bytes = try file.read()
      if bytes != stored.text {
        guard let text = RequestText(bytes, dialect: stored.dialect) else {
          throw RPCError(
            .requestFailed,
            "\(file.path) has no request, so the stored one is unchanged. Write a "
              + "request line, then save again.")
        }
        let began = snapshot.caches[uri]?.storedText ?? file.base
        if stored.text != givenUp, began != SHA256.hexDigest(stored.text) {
          let keepsDocument = try await choosesDocument(snapshot, stored)
          // It may have been saved again while its user was asked.
          if keepsDocument { givenUp = stored.text }
          guard !keepsDocument, try file.read() == bytes else { continue }
          try file.write(stored.text)
          return snapshot.caches.began(uri, with: stored.text)
        }
        guard try await update(store, id, text.content(), ifRevision: revision) else { continue }
      }
      try file.noteBase(bytes)
      return snapshot.caches.began(uri, with: bytes)
    }
  }

  private static func revision(of store: Store) async throws(RPCError) -> Int64 {
    try await RPCError.ofStore { () throws(StoreFailure) in try await store.collectionsRevision() }
  }

  /// Whether the store had not changed since it had a revision, and has the new text now.
  private static func update(
    _ store: Store, _ id: String, _ content: StoredRequestContent, ifRevision: Int64
  ) async throws(RPCError) -> Bool {
    do throws(StoreFailure) {
      try await store.edit([.update(request: id, content)], ifRevision: ifRevision)
      return true
    } catch {
      if case .collection(.stale) = error { return false }
      throw RPCError(error)
    }
  }

  /// Asks which text is to be kept. Where nobody can be asked, or nothing is chosen, nothing is
  /// lost: the document stays as it was saved, and the store as it is.
  private static func choosesDocument(
    _ snapshot: Snapshot, _ stored: StoredRequestFile
  ) async throws(RPCError) -> Bool {
    let what = "`\(stored.request.displayName.shown)` has changed in the collection since this "
      + "document was opened"
    let answer = await UserQuestions.choose(
      snapshot.client, what + ". Which text should be kept?",
      ["Keep this text", "Take the stored text"])
    switch answer {
    case .button(let index): return index == 0
    case .nothing, .cannotAsk:
      throw RPCError(
        .requestFailed,
        what + ", so the stored text is unchanged. Save again to choose.")
    }
  }
}

/// The file by which an editor shows a stored request.
struct StoredRequestView: Sendable {
  let path: String

  /// Says which text the file began with or brought into the store last, whichever process wrote
  /// it: without it nobody knows whether the file has been edited.
  private var basePath: String {
    FilePath.join(FilePath.parent(path), ".\(FilePath.name(path)).base")
  }

  /// The digest of the text that the file began with; `nil` where it isn't known.
  var base: String? {
    // What can't be read is not known.
    let bytes = try? FileSystem.read(path: basePath, limit: 256)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the file has a text that would be lost with it.
  func hasTextOfItsOwn(besides stored: [UInt8]) throws(RPCError) -> Bool {
    guard FileSystem.exists(path) else { return false }
    let bytes = try read()
    return bytes != stored && SHA256.hexDigest(bytes) != base
  }

  /// The text of the file.
  func read() throws(RPCError) -> [UInt8] {
    do throws(FileFailure) {
      return try FileSystem.read(path: path, limit: Limits.sourceFileBytes)
    } catch {
      throw RPCError(.requestFailed, "\(error)")
    }
  }

  /// Begins the file with a text.
  func write(_ text: [UInt8]) throws(RPCError) {
    try StoredRequests.write(text, to: path)
    try noteBase(text)
  }

  /// Notes the text that the file begins with now.
  func noteBase(_ text: [UInt8]) throws(RPCError) {
    try StoredRequests.write(Array(SHA256.hexDigest(text).utf8), to: basePath)
  }
}
