// Diagnostics are pushed where the client can't pull them, never both: it pulls those of documents
// that it has open, and not those of scripts in files of their own.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitSession
import PostKitSupport
import PostKitSyntax
import PostKitText

/// Which documents wait for their diagnostics to be pushed, and which are being looked at.
struct DiagnosticsPublisher: Sendable {
  private var running: Set<DocumentURI> = []
  private var waiting: Set<DocumentURI> = []
  /// What the client has of each document.
  private var published: [DocumentURI: Published] = [:]

  private struct Published: Hashable { let version: Int?, id: String }

  /// Whether the client has not these diagnostics already; from now on it has them.
  mutating func isNew(_ findings: Findings) -> Bool {
    let new = Published(version: findings.version, id: Diagnostics.resultID(findings.diagnostics))
    return published.updateValue(new, forKey: findings.uri) != new
  }

  /// Whether the client was told of anything in a document.
  func has(_ uri: DocumentURI) -> Bool { published[uri] != nil }

  /// Notes that the client has none of a document any more.
  mutating func forget(_ uri: DocumentURI) { published[uri] = nil }

  /// Whether the document is to be looked at now; else it is when the present look is over.
  mutating func begin(_ uri: DocumentURI) -> Bool {
    if running.insert(uri).inserted { return true }
    waiting.insert(uri)
    return false
  }

  /// Notes that a look is over; whether the text has changed since.
  mutating func end(_ uri: DocumentURI) -> Bool {
    running.remove(uri)
    return waiting.remove(uri) != nil
  }
}

/// Diagnostics of a document, ready to be pushed.
struct Findings: Sendable {
  let uri: DocumentURI
  let version: Int?
  let diagnostics: [LSP.Diagnostic]
}

extension ServerState {
  /// Looks at a document whose diagnostics are pushed.
  mutating func pushDiagnostics(_ uri: DocumentURI) {
    guard mayTell, !client.profile.pullsDiagnostics, let document = documents[uri],
      pushing.begin(uri)
    else { return }
    let snapshot = snapshot
    let events = events
    let lane = lane(for: .diagnostics, uri)
    inFlight.start(nil, on: lane) {
      let items = await StoreGlance.once { await Diagnostics.diagnostics(snapshot, document) }
      events.post(
        .diagnostics(Findings(uri: uri, version: document.text.version, diagnostics: items)))
      return nil
    }
  }

  /// Pushes what was found, unless the text has changed meanwhile.
  mutating func publish(_ findings: Findings) {
    let hasChanged = pushing.end(findings.uri)
    guard mayTell, let document = documents[findings.uri] else { return }
    if document.text.version == findings.version, pushing.isNew(findings) {
      publish(document.uri, findings.version, findings.diagnostics)
    }
    if hasChanged { pushDiagnostics(findings.uri) }
  }

  private func publish(
    _ uri: DocumentURI, _ version: Int?, _ diagnostics: [LSP.Diagnostic]
  ) {
    client.notify(
      LSP.PublishDiagnosticsNotification.self,
      LSP.PublishDiagnosticsParams(
        uri: uri.spelling, version: client.profile.publishesVersions ? version : nil,
        diagnostics: diagnostics),
      importance: .replaceable(key: "diagnostics \(uri.spelling)"))
  }

  /// Takes the diagnostics of a closed document back.
  mutating func withdrawDiagnostics(_ uri: DocumentURI) {
    guard mayTell, !client.profile.pullsDiagnostics else { return }
    pushing.forget(uri)
    publish(uri, nil, [])
  }
}

extension ServerState {
  /// Tells what is said of script files now. Who has one open asks for it, or is told of it with
  /// its version.
  mutating func scriptFilesChanged(_ paths: Set<String>) {
    guard mayTell else { return }
    let open = documents
    let closed = session.update { $0.scriptFiles.keep { open[$0] != nil } }
    for path in paths.union(closed).sorted() { tellScript(DocumentURI(path: path), path) }
  }

  /// Tells what is said of a file that was opened or closed, where it is a script.
  mutating func scriptTurned(_ uri: DocumentURI) {
    if uri.isScript, let path = uri.path.map(FilePath.normalise) { tellScript(uri, path) }
    if !session.scriptFiles.isEmpty { scriptFilesChanged([]) }
  }

  private mutating func tellScript(_ uri: DocumentURI, _ path: String) {
    let isOpen = documents[uri] != nil
    if isOpen, !client.profile.pullsDiagnostics { return pushDiagnostics(uri) }
    guard client.profile.takesPublishedDiagnostics else { return }
    if isOpen { scriptsChecked(uri) }
    let found = isOpen ? [] : session.scriptFiles.file(path)?.diagnostics ?? []
    if found.isEmpty {
      guard pushing.has(uri) else { return }
      pushing.forget(uri)
      publish(uri, nil, [])
    } else if pushing.isNew(Findings(uri: uri, version: nil, diagnostics: found)) {
      publish(uri, nil, found)
    }
  }
}

/// The documents that changes concern whose diagnostics were not made again yet. A send concerns
/// those that read its response, and of a thousand open documents hardly any does.
struct StaleDocuments: Sendable {
  private var isEverything = false
  private var isHistory = false
  /// The names of the requests that were sent, by file.
  private var sent: [String: Set<String>] = [:]

  /// Notes a change.
  mutating func add(_ change: Change) {
    switch change {
    case .everything: isEverything = true
    case .history: isHistory = true
    case .sent(let names): sent.merge(names) { $0.union($1) }
    case .lines: break
    }
  }

  /// Whether the diagnostics of a document may be others now.
  func concerns(_ uri: DocumentURI, _ parsed: @autoclosure () -> ParsedDocument) -> Bool {
    if isEverything || sent[uri.historyName] != nil { return true }
    if !isHistory && sent.isEmpty { return false }
    let parsed = parsed()
    if isHistory, parsed.readsHistory { return true }
    // References find the requests of their own file and of those that it imports.
    guard !sent.isEmpty, parsed.namesRequestFiles else { return false }
    let read = Set(parsed.exchangeNames.names.flatMap(Evaluator.requestNames))
    return sent.values.contains { !$0.isDisjoint(with: read) }
  }
}
