// Everything around one document that answers depend on: folder, settings, environment, results.

package import PostKitEvaluate
package import PostKitHTTP
package import PostKitRunner
import PostKitStore

/// A document with its surroundings, as one request sees it.
package struct DocumentContext: Sendable {
  package let document: OpenDocument
  package internal(set) var workspace: Workspace
  package let settings: Settings
  /// The environment in force; `nil` for none.
  package var environment: String?
  package let dialect: Dialect
  /// The stored request that the document shows; `nil` for any other document.
  package var stored: StoredRequestFile?
  /// The project's settings, where they were left out as they lie outside of the folder.
  package var outsideSettings: String?

  /// Whose cookies and globals the document's requests use.
  package var owner: WorkspaceEnvironment {
    WorkspaceEnvironment(folder: workspace.root, environment: environment)
  }

  /// The name of the document in the history.
  package var file: String {
    stored.map { StoredRequestFile.historyName(of: $0.request.id) } ?? document.uri.historyName
  }
}
