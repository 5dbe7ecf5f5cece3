// Diagnostics of a document, all of them and as the client pulls them.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport
import PostKitText

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
    if document.uri.isScript { return await ScriptDiagnostics.ofFile(snapshot, document) }
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
    let analysis = await snapshot.comparing(
      await snapshot.analysis(of: context, withResults: false), context)
    let failed = analysis.failedChecks(await snapshot.checkedResults(of: context))
    let unused = await unused(snapshot, document, context.settings)
    let scripts = await ScriptDiagnostics.all(snapshot, context, analysis)
    let graphQL = await GraphQLAnswers.diagnostics(snapshot, context, analysis)
    let all = await found(snapshot, document, analysis) + unused + failed + scripts + graphQL
    return all.map { ToProtocol.diagnostic($0, converter, snapshot.client.profile) }
  }

  /// The variables of a document that nothing in the workspace reads, where somebody asks for them.
  private static func unused(
    _ snapshot: Snapshot, _ document: OpenDocument, _ settings: Settings
  ) async -> [Diagnostic] {
    guard settings[.diagnosticsUnused] == true else { return [] }
    let project = await snapshot.project()
    return project.unusedVariables(in: document.indexKey)
  }

  /// The files that settings and environments name, such as certificates, and that aren't there.
  private static func missingFiles(
    _ snapshot: Snapshot, _ document: OpenDocument
  ) async -> [Diagnostic] {
    await snapshot.names(of: document).paths
      .filter { !FileSystem.exists($0.name) }.map { .missingFile($0) }
  }

  /// What is found in a document, most of it at the last look.
  static func found(
    _ snapshot: Snapshot, _ document: OpenDocument, _ analysis: Analysis
  ) async -> [Diagnostic] {
    var cache = snapshot.caches[document.uri]?.diagnostics ?? DiagnosticsCache()
    let found = analysis.diagnostics(limit: Limits.diagnosticsPerFile, reusing: &cache)
    snapshot.caches.keep(document.uri) { $0.diagnostics = cache }
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
