// Stored requests as documents: written for viewing and sent like those of files.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// The documents of stored requests.
enum StoredRequests {

  private static func directory(_ snapshot: Snapshot) -> String {
    FilePath.join(snapshot.store.location.viewDirectory, ShownDocument.requestsFolder)
  }

  /// A stored request that is deleted, as long as the deletion can be taken back; `nil` else.
  static func readDeleted(_ snapshot: Snapshot, id: String) async -> StoredRequestFile? {
    guard let store = await snapshot.store.existing() else { return nil }
    do throws(StoreFailure) {
      return try await StoredRequestFile.readDeleted(id: id, from: store)
    } catch {
      Log.warning("A deleted request can't be read: \(error.message)")
      return nil
    }
  }

  // MARK: - Opening

  /// Writes a stored request as a file that an editor can open and save; its URI. A text there that
  /// was never taken over stays, which is told.
  static func write(_ snapshot: Snapshot, id: String) async throws(RPCError) -> String {
    guard let stored = await snapshot.storedRequest(id: id) else {
      throw RPCError(.contentModified, CollectionRefusal.notFound(id).message)
    }
    let name = stored.request.displayName.shown
    let file = StoredRequestView(
      path: FilePath.join(FilePath.join(directory(snapshot), id), fileName(name)))
    if try file.hasTextOfItsOwn(besides: stored.text) {
      snapshot.client.showMessage(
        .warning,
        "\(file.path) has a text that is not in the collections, so it is "
          + "unchanged. Save it to choose which text to keep, or remove it to open "
          + "`\(name)` as it is stored.")
    } else {
      try file.write(stored.text)
    }
    return DocumentURI(path: file.path).spelling
  }

  /// A name that every file system takes; the id of its folder tells requests apart.
  static func fileName(_ name: String, or other: String = "request") -> String {
    let kept = name.unicodeScalars.map { scalar -> Character in
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      return isPlain || scalar == "-" || scalar == "_" ? Character(scalar) : "-"
    }
    let words = String(kept).split(separator: "-").joined(separator: "-").prefix(40)
    return (words.isEmpty ? other : String(words)) + ".http"
  }

  /// Writes a file for viewing, which only its user may read.
  static func write(_ bytes: [UInt8], to path: String) throws(RPCError) {
    do throws(FileFailure) {
      try FileSystem.makeDirectory(FilePath.parent(path), mode: 0o700)
      try FileSystem.writeAtomically(bytes, to: path, mode: 0o600)
    } catch {
      throw RPCError(.requestFailed, "The request can't be written for viewing: \(error)")
    }
  }
}

extension Snapshot {
  /// The document of a URI as it is to be sent: an open one, a file, or a stored request.
  ///
  /// Throws `invalidParams` for a document that is only shown.
  func sendable(_ uri: String) async throws(RPCError) -> OpenDocument {
    await waitForStore()
    let key = DocumentURI(uri)
    guard let shown = shown(key) else { return try await readableDocument(uri) }
    guard case .storedRequest(let id) = shown else { throw shown.refusal(uri) }
    if key.path != nil || documents[key] != nil { return try await readableDocument(uri) }
    guard let stored = await storedRequest(id: id) else {
      throw RPCError(.contentModified, CollectionRefusal.notFound(id).message)
    }
    return OpenDocument(stored, uri: key)
  }
}

extension OpenDocument {
  /// A stored request as the document of its URI.
  init(_ stored: StoredRequestFile, uri: DocumentURI) {
    self.init(
      uri: uri, languageID: "http",
      text: TextSnapshot(uri: uri.spelling, version: nil, bytes: stored.text), previous: nil)
  }
}
