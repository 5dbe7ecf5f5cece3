// Diagnostics of the files that are not open. Who asks again knows all there is: that answer waits
// until something changes, so that nobody asks in vain every two seconds.

import JSONRPC
import LanguageServerProtocol
import PostKitSession

/// The handler of the workspace's diagnostics.
enum WorkspaceDiagnostics {
  /// `workspace/diagnostic`; of an open document the client asks for itself.
  static func diagnostics(
    _ snapshot: Snapshot, _ params: LSP.WorkspaceDiagnosticParams
  ) async throws(RPCError) -> LSP.WorkspaceDiagnosticReport {
    // Read before the files, so that a change while they are looked at is not missed.
    let revision = snapshot.index.revision
    var known: [DocumentURI: String] = [:]
    for previous in params.previousResultIds { known[DocumentURI(previous.uri)] = previous.value }
    var reports = Reports(client: snapshot.client, token: params.partialResultToken)
    var look = WorkspaceLook(snapshot)
    let paths = await snapshot.requestFiles()
    for path in paths {
      if Task.isCancelled { break }
      let uri = DocumentURI(path: path)
      let previous = known.removeValue(forKey: uri)
      guard snapshot.documents[uri] == nil else { continue }
      if let previous, await look.isUnchanged(path, since: previous) {
        reports.addUnchanged(uri, previous)
      } else if let found = await look.diagnostics(
        path, id: Diagnostics.resultID, Diagnostics.diagnostics)
      {
        // One that is gone meanwhile is reported at the next look.
        reports.add(uri, found, previous)
      }
    }
    snapshot.index.keepFindings(only: paths)
    for (uri, previous) in known where snapshot.documents[uri] == nil {
      reports.add(uri, [], previous)
    }
    // Who knows nothing of the files is told at once that there is nothing.
    if !reports.hasNews, reports.hasKnown { await snapshot.index.wait(after: revision) }
    return reports.rest
  }

  /// What was found, sent part by part where the client asks for that.
  private struct Reports {
    let client: ClientProxy
    let token: LSP.ProgressToken?
    private var items: [LSP.WorkspaceDocumentDiagnosticReport] = []
    /// Whether the client learns something.
    private(set) var hasNews = false
    /// Whether it knows what is said of a file.
    private(set) var hasKnown = false

    init(client: ClientProxy, token: LSP.ProgressToken?) {
      self.client = client
      self.token = token
    }

    /// Adds what was found in a file.
    mutating func add(_ uri: DocumentURI, _ found: [LSP.Diagnostic], _ previous: String?) {
      let id = Diagnostics.resultID(found)
      if id == previous { return addUnchanged(uri, id) }
      hasNews = true
      let report = LSP.WorkspaceDocumentDiagnosticReport.workspaceFullDocumentDiagnosticReport(
        LSP.WorkspaceFullDocumentDiagnosticReport(
          resultId: id, items: found, uri: uri.spelling, version: nil))
      if let token {
        client.progress(token, LSP.WorkspaceDiagnosticReportPartialResult(items: [report]))
      } else {
        items.append(report)
      }
    }

    /// Adds a file of which the client knows what is to be said.
    mutating func addUnchanged(_ uri: DocumentURI, _ id: String) {
      hasKnown = true
      items.append(
        .workspaceUnchangedDocumentDiagnosticReport(
          LSP.WorkspaceUnchangedDocumentDiagnosticReport(
            resultId: id, uri: uri.spelling, version: nil)))
    }

    /// What was not sent yet; nothing where parts were sent (PROMISES.md Q14).
    var rest: LSP.WorkspaceDiagnosticReport {
      LSP.WorkspaceDiagnosticReport(items: token == nil ? items : [])
    }
  }
}
