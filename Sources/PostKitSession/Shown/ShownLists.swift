// Open lists of what is stored show it as it is, whoever changes it.

import PostKitSupport

/// The lists that were written as files, for clients that open files alone.
package struct ShownLists: Sendable {
  /// What a list lists.
  package enum Content: Sendable, Hashable {
    case list(ListDocument)
    case history(HistoryAddress)
    /// Figures of what a list of exchanges would have.
    case statistics(HistoryAddress)
    /// Stored requests that were looked for.
    case found(RequestListing)
    /// What the request of an exchange returned over time.
    case timeline(id: String)
  }

  private struct File {
    let content: Content
    let digest: String
  }

  private var files: [DocumentURI: File] = [:]

  /// Whether there is none.
  package var isEmpty: Bool { files.isEmpty }

  /// Notes a list that was written.
  package mutating func note(_ uri: DocumentURI, _ content: Content, _ text: String) {
    let digest = SHA256.hexDigest(Array(text.utf8))
    files[uri] = File(content: content, digest: digest)
  }

  /// What a list with a text lists; `nil` where the text is not the one that was written.
  package func content(_ uri: DocumentURI, _ text: [UInt8]) -> Content? {
    guard let file = files[uri] else { return nil }
    return file.digest == SHA256.hexDigest(text) ? file.content : nil
  }
}

/// A list that is opened by its URI where the client reads such documents, else as a file. All of
/// it are comments; what can be done with a line is told by the word at its end.
package enum ListDocument: String {
  case collections, cookies, session, searches

  /// The file of the list among the views.
  package var fileName: String { rawValue + ".http" }
}
