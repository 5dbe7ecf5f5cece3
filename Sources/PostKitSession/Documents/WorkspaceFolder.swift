// The folders that the user works in, and the place of the caret.

package import LanguageServerProtocol
package import PostKitJSON
import PostKitSupport

/// A folder that the user works in.
package struct WorkspaceFolder: Sendable, Hashable {
  package let uri: DocumentURI
  package let name: String

  /// A folder as the client says it.
  package init(_ folder: LSP.WorkspaceFolder) {
    uri = DocumentURI(folder.uri)
    name = folder.name
  }

  /// A folder without a name of its own.
  package init(uri: DocumentURI) {
    self.uri = uri
    name = FilePath.name(uri.path ?? uri.spelling)
  }

  /// Whether both are one folder, however a client writes its end.
  package func isSame(as other: WorkspaceFolder) -> Bool {
    guard let path = uri.path, let otherPath = other.uri.path else { return uri == other.uri }
    return FilePath.normalise(path) == FilePath.normalise(otherPath)
  }
}

/// A place in a document.
package struct Caret: Sendable, Hashable {
  package var uri: String
  package var position: LSP.Position

  /// The place that a request is about.
  package init?(_ params: JSONView?) {
    // What can't be read is refused by the handler; here it is no place, and that is all.
    guard let uri = params?["textDocument"]?["uri"]?.string,
      let view = params?["position"] ?? params?["range"]?["start"],
      let position = try? LSP.Position(decoding: view)  // the handler says why it is none
    else { return nil }
    (self.uri, self.position) = (uri, position)
  }
}
