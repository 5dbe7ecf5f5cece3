// Diagnostics: pulled where the client can pull, else pushed, never both.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
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

/// The handlers of diagnostics.
enum Diagnostics {
  /// `textDocument/diagnostic`; equal results are answered as unchanged.
  static func diagnostic(
    _ snapshot: Snapshot, _ params: LSP.DocumentDiagnosticParams
  ) async throws(RPCError) -> LSP.DocumentDiagnosticReport {
    let document = try snapshot.document(params.textDocument.uri)
    let items = await diagnostics(snapshot, document)
    let id = resultID(items)
    if params.previousResultId == id {
      return .relatedUnchangedDocumentDiagnosticReport(
        LSP.RelatedUnchangedDocumentDiagnosticReport(resultId: id))
    }
    return .relatedFullDocumentDiagnosticReport(
      LSP.RelatedFullDocumentDiagnosticReport(resultId: id, items: items))
  }

  /// All diagnostics of a document.
  static func diagnostics(
    _ snapshot: Snapshot, _ document: OpenDocument
  ) async -> [LSP.Diagnostic] {
    if let form = snapshot.settingsForm(of: document.uri) {
      let converter = document.text.converter(snapshot.client.profile.encoding)
      let mistakes = form.read(document.text.bytes).mistakes.map { Diagnostic($0) }
      let missing = form == .project ? await missingFiles(snapshot, document) : []
      return (mistakes + missing).map {
        ToProtocol.diagnostic($0, converter, snapshot.client.profile)
      }
    }
    if let environments = await snapshot.environmentDocument(document) {
      let converter = document.text.converter(snapshot.client.profile.encoding)
      let settings = await snapshot.settings(folder: snapshot.workspace(of: document.uri).root)
      let unread = await unused(snapshot, document, settings)
      let all = environments.diagnostics + unread + (await missingFiles(snapshot, document))
      return all.map { ToProtocol.diagnostic($0, converter, snapshot.client.profile) }
    }
    guard snapshot.holdsRequests(document.uri) else { return [] }
    return await diagnostics(snapshot, await snapshot.context(of: document))
  }

  /// All diagnostics of a document of requests.
  static func diagnostics(
    _ snapshot: Snapshot, _ context: DocumentContext
  ) async -> [LSP.Diagnostic] {
    let (document, converter) = (context.document, context.converter(snapshot))
    if document.isTooLong {
      let remark = Diagnostic.tooLong(megabytes: Limits.analysedDocumentBytes >> 20)
      return [ToProtocol.diagnostic(remark, converter, snapshot.client.profile)]
    }
    let analysis = await snapshot.analysis(of: context, withResults: false)
    let failed = analysis.failedChecks(await snapshot.checkedResults(of: context))
    let unused = await unused(snapshot, document, context.settings)
    let all = await found(snapshot, document, analysis) + unused + failed
    return all.map { ToProtocol.diagnostic($0, converter, snapshot.client.profile) }
  }

  /// The variables of a document that nothing in the workspace reads, where somebody asks for them.
  private static func unused(
    _ snapshot: Snapshot, _ document: OpenDocument, _ settings: Settings
  ) async -> [Diagnostic] {
    guard settings[.diagnosticsUnused] == true else { return [] }
    let project = await snapshot.services.index.project(snapshot)
    return project.unusedVariables(in: document.indexKey)
  }

  /// The files that settings and environments name, such as certificates, and that aren't there.
  private static func missingFiles(
    _ snapshot: Snapshot, _ document: OpenDocument
  ) async -> [Diagnostic] {
    await snapshot.services.index.names(of: document, snapshot).paths
      .filter { !FileSystem.exists($0.name) }.map { .missingFile($0) }
  }

  /// What is found in a document, most of it at the last look.
  static func found(
    _ snapshot: Snapshot, _ document: OpenDocument, _ analysis: Analysis
  ) async -> [Diagnostic] {
    let caches = snapshot.services.diagnostics
    snapshot.services.forgetClosed(snapshot.documents)
    var cache = caches[document.uri] ?? DiagnosticsCache()
    let found = analysis.diagnostics(limit: Limits.diagnosticsPerFile, reusing: &cache)
    if snapshot.documents[document.uri] != nil { caches.keep(cache, of: document.uri) }
    return found
  }

  /// The same for the same diagnostics, whatever made them: a hash of 64 bits, made of eight bytes
  /// at a time.
  static func resultID(_ items: [LSP.Diagnostic]) -> String {
    var writer = JSONWriter()
    Encode.array(Encode.value)(&writer, items)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ part: UInt64) {
      hash = (hash ^ part) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
    }
    writer.bytes.withUnsafeBytes { bytes in
      let end = bytes.count & ~7
      for at in stride(from: 0, to: end, by: 8) {
        add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
      }
      for byte in bytes[end...] { add(UInt64(byte)) }
    }
    return String(hash, radix: 16)
  }
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
