// What is imported: folders of request files here, what other tools keep in `OriginImports`.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitSupport
import PostKitTransfer

/// One road for the command `postkit.import` and for `postkit/transfer`.
enum Imports {
  /// `postkit.import`; without an argument the user is shown the workspace folders.
  static func execute(
    _ snapshot: Snapshot, _ argument: JSONValue?, _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> JSONValue {
    var order = LSP.PostkitImportArguments()
    if let argument {
      order = try ExecuteCommand.decode(LSP.PostkitImportArguments.self, argument)
    } else {
      order.uri = try await choose(snapshot)
    }
    return JSONValue(try await outcome(snapshot, order, token, isTold: true))
  }

  /// Brings in what an order names, and answers what came of it. A client that does not know us
  /// shows no answer of a command, so that its user gets a message.
  private static func outcome(
    _ snapshot: Snapshot, _ order: LSP.PostkitImportArguments, _ token: LSP.ProgressToken?,
    isTold: Bool
  ) async throws(RPCError) -> LSP.PostkitTransferResult {
    let source = try source(order)
    let (result, sentence): (LSP.PostkitTransferResult, String)
    if isOfRequestFiles(source, order) {
      let summary = try await summary(snapshot, source, order, token)
      (result, sentence) = (self.result(summary), summary.sentence)
    } else {
      result = try await OriginImports.run(snapshot, source, order, token)
      sentence = (result.text ?? "").prefix { !$0.isNewline }.description
    }
    if isTold, snapshot.client.profile.postkit == nil {
      let remarks = result.warnings.prefix(5).map { "\n\($0)" }.joined()
      snapshot.client.showMessage(result.error == nil ? .info : .warning, sentence + remarks)
    }
    return result
  }

  /// Whether request files are meant, and not what another tool keeps.
  private static func isOfRequestFiles(
    _ source: ImportJob.Source, _ order: LSP.PostkitImportArguments
  ) -> Bool {
    let format = order.format?.rawValue
    let hasTarget = order.target != nil || order.inside != nil
    switch source {
    case .path(let path, _) where OriginImport.isURL(path): return false
    case .path(let path, _):
      return OriginImport.meansRequestFiles(format: format, at: path, hasTarget: hasTarget)
    case .text(let text):
      return OriginImport.meansRequestFiles(format: format, at: nil, hasTarget: hasTarget)
        || !hasTarget && (format ?? Importers.anyFormat) == Importers.anyFormat
          && !OriginImport.recognises(text: text)
    }
  }

  /// Lets the user choose a workspace folder with buttons.
  private static func choose(_ snapshot: Snapshot) async throws(RPCError) -> String {
    let folders = snapshot.folders
    guard !folders.isEmpty else {
      throw RPCError(.invalidParams, "params.arguments: expected an object with a uri or a text.")
    }
    let answer = try await UserQuestions.pick(
      snapshot.client, "Which folder should be imported?", folders.map(\.name),
      instead: "Give the command the folder as `uri`.")
    guard let chosen = folders.first(where: { $0.name == answer }) else {
      throw RPCError(.requestFailed, "You chose no folder; nothing was imported.")
    }
    return chosen.uri.spelling
  }

  /// Brings in what an order names.
  static func `import`(
    _ snapshot: Snapshot, _ order: LSP.PostkitImportArguments, _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> LSP.PostkitTransferResult {
    try await outcome(snapshot, order, token, isTold: false)
  }

  private static func result(_ summary: CollectionImport.Summary) -> LSP.PostkitTransferResult {
    LSP.PostkitTransferResult(
      count: summary.requests, created: [summary.collection], warnings: summary.warnings)
  }

  private static func summary(
    _ snapshot: Snapshot, _ source: ImportJob.Source, _ order: LSP.PostkitImportArguments,
    _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> CollectionImport.Summary {
    let job = ImportJob(
      source, format: order.format?.rawValue, name: order.name,
      replaces: order.overwrite ?? false)
    // A large folder takes its time from the first file on.
    return try await snapshot.session.transfer(
      snapshot.client, token: token, title: job.title
    ) { report in
      do throws(ImportFailure) {
        return .success(
          try await job.run(
            ImportJob.Surroundings(
              reading: { path in
                let workspace = await snapshot.readableWorkspace(of: DocumentURI(path: path))
                return snapshot.settings(of: workspace).settings.reading()
              },
              store: { await snapshot.store.store() }, content: RequestText.content,
              report: report)))
      } catch {
        return .failure(refusal(error, snapshot))
      }
    }
  }

  /// The folder, the file or the text.
  private static func source(
    _ order: LSP.PostkitImportArguments
  ) throws(RPCError) -> ImportJob.Source {
    switch (order.uri, order.text) {
    case (let uri?, nil) where OriginImport.isURL(uri):
      guard order.fetch == true else {
        throw RPCError(
          .invalidParams, "params.uri: a URL is fetched with `fetch` alone; else save what it "
            + "leads to as a file, and name that.")
      }
      return .path(uri, called: uri)
    case (let uri?, nil):
      guard let path = DocumentURI(uri).path.map(FilePath.normalise) else {
        throw RPCError(.invalidParams, "params.uri: expected a file: URI.")
      }
      return .path(path, called: path)
    case (nil, let text?): return .text(text)
    default:
      throw RPCError(.invalidParams, "params: expected either a uri or a text to import.")
    }
  }

  /// How the client hears of an import into the store that came to no end.
  static func refusal(_ failure: ImportFailure, _ snapshot: Snapshot) -> RPCError {
    switch failure.reason {
    case .cancelled:
      // Whoever cancels has the answer already; how far it came is said besides.
      snapshot.client.showMessage(.info, failure.message)
      return RPCError(.requestCancelled, failure.message)
    case .file, .otherFile: return RPCError(.invalidParams, "params.uri: \(failure.message)")
    case .unusable, .noStore, .nameTaken, .complete:
      return RPCError(.requestFailed, failure.message)
    case .store(let reason): return RPCError(RPCError(reason).code, failure.message)
    }
  }
}
