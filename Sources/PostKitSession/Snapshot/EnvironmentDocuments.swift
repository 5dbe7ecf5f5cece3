// Environment files and settings that are open themselves: they hold no requests, whatever language
// the editor takes them for.

package import JSONRPC
package import PostKitEvaluate
package import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitText

extension Snapshot {
  /// A document with environments, and the files that hold together with it; `nil` for any other.
  package func environmentDocument(_ document: OpenDocument) async -> EnvironmentDocument? {
    guard let path = document.uri.path.map(FilePath.normalise),
      let kind = EnvironmentSource.Kind(path: path)
    else { return nil }
    let sources = kind.isClientFile
      ? await readableWorkspace(of: document.uri).environmentSources(active: nil) : []
    return EnvironmentDocument(
      kind, SourceFile(path: path, bytes: document.text.bytes), among: sources)
  }

  /// Whether a document surrounds requests: it holds environments or settings.
  package func isSurrounding(_ uri: DocumentURI) -> Bool {
    guard let path = uri.path else { return false }
    return EnvironmentSource.Kind(path: path) != nil || settingsForm(of: uri) != nil
  }

  /// What kind of settings a document is; `nil` for any other.
  package func settingsForm(of uri: DocumentURI) -> SettingsForm? {
    guard let path = uri.path else { return nil }
    if FilePath.name(path) == SettingsForm.project.fileName { return .project }
    return FilePath.normalise(path) == store.location.configPath ? .user : nil
  }

  /// An open document that is a file of requests; `nil` for one that is only shown, and for one
  /// that surrounds requests.
  package func requestFile(_ uri: String) throws(RPCError) -> OpenDocument? {
    guard let document = try requests(uri), !isSurrounding(document.uri) else { return nil }
    return document
  }
}
