// Keeps our copy of the open documents equal to the client's.

import LanguageServerProtocol
import PostKitEvaluate
import PostKitSession
import PostKitSupport
import PostKitSyntax
import PostKitText

/// The handlers of document synchronisation.
enum TextSynchronization {
  /// Takes over a document that the client opened.
  static func didOpen(_ state: inout ServerState, _ params: LSP.DidOpenTextDocumentParams) {
    let uri = DocumentURI(params.textDocument.uri)
    if state.documents.isEmpty { state.restDescriptions(false) }
    state.documents.open(params.textDocument)
    state.caches.open(uri)
    switch state.snapshot.shown(uri) {
    case .storedRequest:
      if let text = state.documents[uri]?.text {
        state.caches.began(uri, with: text.bytes)
      }
    case .collections, .cookies, .session, .history, .searches, .statistics:
      if !state.isWatchingStore { state.watchStore() }
    default: break
    }
    state.documentChanged(uri)
    state.scriptTurned(uri)
  }

  /// Applies edits in order.
  static func didChange(_ state: inout ServerState, _ params: LSP.DidChangeTextDocumentParams) {
    let uri = DocumentURI(params.textDocument.uri)
    let before = state.documents[uri]?.text
    guard state.documents.change(params, encoding: state.client.profile.encoding) else {
      return state.logOnce("\(uri) was changed without being open.")
    }
    if let version = before?.version, params.textDocument.version < version {
      state.logOnce("\(uri) went back from version \(version) to \(params.textDocument.version).")
    }
    if let before, let after = state.documents[uri]?.text {
      state.session.update { $0.sends.follow(uri, from: before, to: after) }
      // An editor reads a file again that another one has saved.
      if state.caches[uri]?.storedText != nil,
        let base = uri.path.flatMap({ StoredRequestView(path: $0).base }),
        base == SHA256.hexDigest(after.bytes)
      {
        state.caches.keep(uri) { $0.storedText = base }
      }
    }
    state.documentChanged(uri)
  }

  /// Gives a document back to the disk.
  static func didClose(_ state: inout ServerState, _ params: LSP.DidCloseTextDocumentParams) {
    let uri = DocumentURI(params.textDocument.uri)
    state.session.update { $0.sends.forgetUnsent(uri) }
    state.index.changed(uri.path.map { [FilePath.normalise($0)] } ?? [])
    guard state.documents.close(uri) else { return }
    state.caches.close(uri)
    let checker = state.scriptChecker
    state.inFlight.start(nil) {
      await checker.close(uri)
      return nil
    }
    if state.documents.isEmpty { state.restDescriptions(true) }
    state.documentClosed(uri)
  }

  /// A saved file may be an environment file that is open in the editor, or show a stored request,
  /// which is written back.
  static func didSave(_ state: inout ServerState, _ params: LSP.DidSaveTextDocumentParams) {
    let (snapshot, uri) = (state.snapshot, DocumentURI(params.textDocument.uri))
    if let id = snapshot.storedRequestID(of: uri) {
      state.startChange(LSP.DidSaveTextDocumentNotification.method) {
        await StoredRequestWriteBack.saved(snapshot, uri, id: id)
      }
    }
    if case .defaults(let id) = snapshot.shown(uri) {
      state.startChange(LSP.DidSaveTextDocumentNotification.method) {
        await DefaultsDocument.saved(snapshot, uri, id: id)
      }
    }
    state.index.changed(uri.path.map { [FilePath.normalise($0)] } ?? [])
    state.filesChanged()
  }

  /// Files on disk changed that the client watches for us.
  static func didChangeWatchedFiles(
    _ state: inout ServerState, _ params: LSP.DidChangeWatchedFilesParams
  ) {
    let isScript = { (change: LSP.FileEvent) in DocumentURI(change.uri).isScript }
    let others = params.changes.filter { !isScript($0) }
    let paths = others.compactMap { DocumentURI($0.uri).path }.map(FilePath.normalise)
    if !paths.isEmpty { state.index.changed(paths) }
    // Scripts change nothing for those that name none, and what is installed is no file of theirs.
    let hasScripts = params.changes.contains {
      isScript($0) && !$0.uri.contains("/node_modules/")
    } && state.documents.all.contains { $0.parsed.hasScripts }
    if !others.isEmpty || hasScripts { state.filesChanged() }
  }
}

extension ServerState {
  /// Notes that a document has a new text.
  mutating func documentChanged(_ uri: DocumentURI) {
    pushDiagnostics(uri)
    refreshDependents(of: uri)
  }

  /// Notes that a document is closed: the disk holds again.
  mutating func documentClosed(_ uri: DocumentURI) {
    withdrawDiagnostics(uri)
    scriptTurned(uri)
    index.raise()
    refreshDependents(of: uri)
  }

  /// Other documents may depend on an environment file or the project's settings, or import this
  /// one.
  private func refreshDependents(of uri: DocumentURI) {
    if FilePath.name(uri.path ?? "") == SettingsForm.project.fileName {
      index.changed(nil)
    }
    let isRead = documents.all.contains { $0.uri != uri && $0.parsed.namesRequestFiles }
    let path = FilePath.normalise(uri.path ?? "")
    let isScriptOfOthers = uri.isScript && session.scriptFiles.file(path) != nil
    let concernsOthers = uri.isScript ? isScriptOfOthers : isRead || snapshot.isSurrounding(uri)
    if concernsOthers { events.post(.refresh(.everything)) }
  }

  /// Notes that files on disk changed which answers may depend on.
  mutating func filesChanged() { events.post(.refresh(.everything)) }
}

extension ServerState {
  /// Tells the owner of descriptions whether documents are open.
  fileprivate mutating func restDescriptions(_ isResting: Bool) {
    let descriptions = descriptions
    inFlight.start(nil) {
      await descriptions.rest(isResting)
      return nil
    }
  }
}
