// The state of the server as tasks see it.

package import JSONRPC
package import LanguageServerProtocol
package import PostKitJSON
import PostKitRunner

/// The state as a task sees it: it does not change while the task runs.
package struct Snapshot: Sendable {
  package let client: ClientProxy
  package let documents: Documents
  package let folders: [WorkspaceFolder]
  /// The settings that the client gave, under `postkit`.
  package var editorSettings: JSONValue
  /// The settings that the client has for a folder of several.
  package var folderSettings: [DocumentURI: JSONValue]
  /// How often the client had said its settings.
  package let settingsAnswers: Int
  package let initialization: LSP.PostkitInitializationOptions
  package let caches: DocumentCaches
  package let session: SessionState
  package let store: StoreAccess
  package let index: WorkspaceIndex
  package let scripts: ScriptHosts
  package let scriptChecker: ScriptChecker
  package let descriptions: Descriptions
  package let events: NoticeSink
  /// The last place that the client asked about.
  package let lastCaret: Caret?
  /// How many sends had been asked for.
  package let arrivedSends: Int

  /// Takes a copy of the state.
  package init(
    client: ClientProxy, documents: Documents, folders: [WorkspaceFolder],
    editorSettings: JSONValue, folderSettings: [DocumentURI: JSONValue],
    initialization: LSP.PostkitInitializationOptions, caches: DocumentCaches,
    session: SessionState, store: StoreAccess, index: WorkspaceIndex, scripts: ScriptHosts,
    scriptChecker: ScriptChecker, descriptions: Descriptions, events: NoticeSink,
    lastCaret: Caret?
  ) {
    (self.client, self.events, self.descriptions) = (client, events, descriptions)
    (self.scripts, self.scriptChecker) = (scripts, scriptChecker)
    (self.caches, self.session, self.store, self.index) = (caches, session, store, index)
    (self.documents, self.folders, self.lastCaret) = (documents, folders, lastCaret)
    (self.editorSettings, self.folderSettings) = (editorSettings, folderSettings)
    self.initialization = initialization
    settingsAnswers = session.settingsAnswers
    arrivedSends = session.sends.arrivals
  }

  /// An open document, or the error for a request about one that isn't.
  package func document(_ uri: String) throws(RPCError) -> OpenDocument {
    guard let document = documents[DocumentURI(uri)] else {
      throw RPCError(.invalidParams, "params.textDocument.uri: \(uri) is not open.")
    }
    return document
  }
}

extension Snapshot {
  /// The URL of the example server; any document may name it once it runs.
  package var exampleServerURL: String? {
    let isNew = session.exampleServer.runningURL == nil
    let url = session.exampleServer.url
    if isNew { events.post(.refresh(.everything)) }
    return url
  }
}
