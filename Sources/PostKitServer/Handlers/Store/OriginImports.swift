// What other tools keep, brought in as request files or as a collection.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText
import PostKitTransfer

/// The imports of the formats of other tools, which the command line has, too.
enum OriginImports {
  /// What came of an import, as the client gets it, with the folder from which its paths count.
  static func run(
    _ snapshot: Snapshot, _ source: ImportJob.Source, _ order: LSP.PostkitImportArguments,
    _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> LSP.PostkitTransferResult {
    let job = try self.order(snapshot, source, order)
    let shown = OriginCredentials.without(job.inputs[0].name)
    let title = "Import \(order.name ?? FilePath.name(shown))"
    let options = await snapshot.settings(folder: nil).requestDefaults.options
    return try await snapshot.session.transfer(
      snapshot.client, token: token, title: title
    ) { report in
      do throws(RPCError) {
        var job = job
        if order.fetch == true {
          try await fetch(for: &job, snapshot, options, report)
        }
        if order.scope == .collections {
          return .success(try await collect(snapshot, job, report))
        }
        let ready = job
        let result = await ImportWatch.perform(report: report) { ready.run($0) }
        return .success(try answer(result, job, snapshot))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Fetches what an order needs. What the files of a folder say of proxies and certificates does
  /// not count: nobody is asked here whether it may.
  private static func fetch(
    for job: inout OriginImport, _ snapshot: Snapshot, _ options: TransferOptions,
    _ report: @escaping @Sendable (String) -> Void
  ) async throws(RPCError) {
    let fetcher = DocumentFetcher(
      spoolDirectory: snapshot.store.location.spoolDirectory, options: options,
      userAgent: Version.userAgent, isAllowed: { OriginImport.fetchRefusal(of: $0) == nil },
      shown: { OriginCredentials.without($0) }
    ) { report("fetching \($0)") }
    defer { fetcher.end() }
    let failure = await job.fetch { url in
      do throws(DocumentFetcher.Failure) { return .bytes(try await fetcher.get(url)) } catch {
        return .failed(error.message)
      }
    }
    if let failure { throw RPCError(.requestFailed, failure) }
  }

  /// What can be done with an open document that is another tool's.
  static func actions(_ snapshot: Snapshot, _ document: OpenDocument) -> [LSP.CodeAction] {
    let name = document.uri.path.map(FilePath.name) ?? ""
    guard OriginImport.recognises(document.text.bytes, called: name) else { return [] }
    let title = "Import as requests"
    let command = CommandID.import.command(
      title, snapshot.initialization, LSP.PostkitImportArguments(uri: document.uri.spelling))
    return [CodeActions.action("postkit.import", title, command)]
  }

  // MARK: - The order

  private static func order(
    _ snapshot: Snapshot, _ source: ImportJob.Source, _ order: LSP.PostkitImportArguments
  ) throws(RPCError) -> OriginImport {
    let folder = try folder(snapshot, order)
    func input(_ path: String) -> OriginImport.Input {
      .path(path, called: called(path, in: folder))
    }
    var inputs: [OriginImport.Input] = []
    switch source {
    case .path(let path, _): inputs.append(input(path))
    case .text(let text): inputs.append(.text(Array(text.utf8), called: "text"))
    }
    for uri in order.beside ?? [] { inputs.append(input(try path(uri, "beside"))) }
    var result = OriginImport(inputs, in: folder)
    result.openFiles = snapshot.documents.files
    if let format = order.format, format != .auto {
      guard let known = OriginFormat(rawValue: format.rawValue) else {
        let formats = [Importers.anyFormat] + OriginImport.formats
          + Importers.formats.filter { $0 != Importers.anyFormat }
        throw DataTransfer.unsupported(format, formats)
      }
      result.format = known
    }
    if let target = order.target { result.target = called(try path(target, "target"), in: folder) }
    result.layout = order.layout.flatMap { WritingLayout(rawValue: $0.rawValue) }
    result.rule = order.onConflict.flatMap { ConflictRule(rawValue: $0.rawValue) } ?? .mine
    result.writing.name = order.name
    result.writing.environments = Set(order.environments ?? [])
    result.options.tags = Set(order.tags ?? [])
    result.options.baseURL = order.base
    result.isForced = order.overwrite ?? false
    if order.dryRun == true { result.mode = .dryRun }
    return result
  }

  /// The folder from which paths count, and in which that of a collection is made.
  private static func folder(
    _ snapshot: Snapshot, _ order: LSP.PostkitImportArguments
  ) throws(RPCError) -> String {
    if let inside = order.inside { return try path(inside, "inside") }
    let uri = order.target ?? order.uri
    let source = uri.map { DocumentURI($0) }
    if let folder = source.flatMap({ snapshot.folder(of: $0) }) { return folder }
    if let folder = snapshot.folders.compactMap(\.uri.path).first {
      return FilePath.normalise(folder)
    }
    if let path = source?.path { return FilePath.parent(FilePath.normalise(path)) }
    throw RPCError(
      .invalidParams, "params.target: name the folder to write to, as no folder is open.")
  }

  private static func path(_ uri: String, _ name: String) throws(RPCError) -> String {
    guard let path = DocumentURI(uri).path.map(FilePath.normalise) else {
      throw RPCError(.invalidParams, "params.\(name): expected a file: URI.")
    }
    return path
  }

  /// A path as people read it: seen from a folder where it lies in it.
  private static func called(_ path: String, in folder: String) -> String {
    guard path != folder, FilePath.isInside(path, directory: folder) else { return path }
    return FilePath.relative(path, to: folder)
  }

  // MARK: - The answer

  /// What an import into a folder came to.
  private static func answer(
    _ report: ImportReport, _ order: OriginImport, _ snapshot: Snapshot
  ) throws(RPCError) -> LSP.PostkitTransferResult {
    try refuse(report, snapshot)
    var result = result(of: report)
    guard let target = report.target, report.error == nil else { return result }
    result.uri = uri(target, order)
    if !report.isDry {
      result.created = report.files.filter { $0.action == .created || $0.action == .updated }
        .map { uri($0.path, order) }
    }
    return result
  }

  private static func uri(_ path: String, _ order: OriginImport) -> String {
    DocumentURI(path: FilePath.join(order.folder, path)).spelling
  }

  /// Brings what a source has into the store.
  private static func collect(
    _ snapshot: Snapshot, _ order: OriginImport, _ report: @escaping @Sendable (String) -> Void
  ) async throws(RPCError) -> LSP.PostkitTransferResult {
    let isDry = order.mode != .write
    let outcome = await OriginStoreImport(
      order,
      store: { isDry ? await snapshot.store.existing() : await snapshot.store.store() },
      content: { RequestText.content($0.source, dialect: nil, file: $0.file) }, report: report
    ).run()
    if let failure = outcome.failure { throw Imports.refusal(failure, snapshot) }
    try refuse(outcome.report, snapshot)
    var result = result(of: outcome.report)
    if let collection = outcome.collection, !isDry { result.created = [collection] }
    result.warnings = outcome.warnings + result.warnings
    return result
  }

  /// Refuses where nothing can be told but why.
  private static func refuse(_ report: ImportReport, _ snapshot: Snapshot) throws(RPCError) {
    // What the command line has as options are members here.
    let options = [
      ("--force", "`overwrite`"), ("`--on-conflict", "`onConflict"), ("--name", "name"),
    ]
    let message = options.reduce(report.message ?? "") { $0.replacing($1.0, with: $1.1) }
    switch report.error {
    case nil, .conflict, .changes: return
    case .unreadable: throw RPCError(.invalidParams, "params.uri: \(message)")
    case .usage, .format, .disk, .store: throw RPCError(.requestFailed, message)
    case .cancelled:
      // Whoever cancels has the answer already; how far it came is said besides.
      snapshot.client.showMessage(.info, message)
      throw RPCError(.requestCancelled, message)
    }
  }

  private static func result(of report: ImportReport) -> LSP.PostkitTransferResult {
    var result = LSP.PostkitTransferResult(
      text: report.text, count: report.requests, created: [],
      warnings: report.notes.filter(\.isWarning).map(ImportReport.line))
    if report.error != nil { result.count = 0 }
    result.source = report.sources
    (result.format, result.version, result.name) = (report.format, report.version, report.name)
    result.requests = report.requests
    result.environments = report.environments
    result.files = report.files.map {
      LSP.PostkitImportedFile(path: $0.path, action: $0.action.rawValue)
    }
    result.notes = report.notes.map { note in
      LSP.PostkitImportNote(
        code: note.code.rawValue, severity: note.isWarning ? "warning" : "info",
        place: note.place, origin: note.origin, file: note.file,
        line: note.line, message: note.message)
    }
    result.conflicts = report.conflicts.map {
      LSP.PostkitImportConflict(origin: $0.origin, file: $0.file, part: $0.part, kept: $0.kept)
    }
    result.error = report.error?.rawValue
    return result
  }
}
