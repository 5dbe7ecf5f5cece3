// Collections brought in from folders of request files.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitStore
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
    let result = try await self.import(snapshot, order, token)
    if snapshot.client.profile.postkit == nil {
      let remarks = result.warnings.prefix(5).map { "\n\($0)" }.joined()
      snapshot.client.showMessage(.info, "Imported \(result.count) requests.\(remarks)")
    }
    return JSONValue(result)
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
    if let format = order.format, format != .auto, format != .http {
      throw DataTransfer.unsupported(format, ["auto", "http"])
    }
    let name = order.name ?? order.uri.flatMap { DocumentURI($0).path }.map(FilePath.name)
    // A large folder takes its time from the first file on.
    return try await snapshot.services.transfers.run(
      snapshot.client, token: token, title: "Import \(name ?? "requests")"
    ) { report in
      do throws(RPCError) {
        let read = try await read(snapshot, order, report)
        return .success(try await store(snapshot, read, order, report))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Puts what was read into the store.
  private static func store(
    _ snapshot: Snapshot, _ read: ImportResult, _ order: LSP.PostkitImportArguments,
    _ report: @escaping @Sendable (String) -> Void
  ) async throws(RPCError) -> LSP.PostkitTransferResult {
    guard let store = await snapshot.services.store.store() else {
      throw RPCError(.requestFailed, "The store is not available, so nothing was imported.")
    }
    let imported = CollectionImport(of: read.collection, into: store) { request in
      RequestText.content(
        request.source, dialect: request.dialect.flatMap(DialectPreset.init(rawValue:)),
        file: request.file)
    }
    do throws(ImportFailure) {
      let summary = try await imported.run(replaces: order.overwrite ?? false) { progress in
        report("\(progress.done) of \(progress.total) requests")
      }
      return LSP.PostkitTransferResult(
        count: summary.requests, created: [summary.collection],
        warnings: read.warnings + summary.warnings)
    } catch {
      throw refusal(error, snapshot)
    }
  }

  private static func refusal(_ failure: ImportFailure, _ snapshot: Snapshot) -> RPCError {
    switch failure.reason {
    case .cancelled:
      // Whoever cancels has the answer already; how far it came is said besides.
      snapshot.client.showMessage(.info, failure.message)
      return RPCError(.requestCancelled, failure.message)
    case .nameTaken, .complete: return RPCError(.requestFailed, failure.message)
    case .store(let reason): return RPCError(RPCError(reason).code, failure.message)
    }
  }

  /// Reads the folder, the file or the text.
  private static func read(
    _ snapshot: Snapshot, _ order: LSP.PostkitImportArguments,
    _ report: @escaping @Sendable (String) -> Void
  ) async throws(RPCError) -> ImportResult {
    switch (order.uri, order.text) {
    case (let uri?, nil):
      guard let path = DocumentURI(uri).path.map(FilePath.normalise) else {
        throw RPCError(.invalidParams, "params.uri: expected a file: URI.")
      }
      let found: FolderFiles.Contents
      do throws(FileFailure) {
        found = try await SerialQueueExecutor().perform { () throws(FileFailure) in
          try FolderFiles.read(path) { report("\($0) files found") }
        }
      } catch {
        throw RPCError(.invalidParams, "params.uri: \(error)")
      }
      let inside = found.isOneFile ? path : FilePath.join(path, "requests.http")
      let workspace = await snapshot.readableWorkspace(of: DocumentURI(path: inside))
      var reader = RequestFolderReader(reading: snapshot.settings(of: workspace).settings.reading())
      reader.onFile = { report("reading \($0)") }
      guard reader.recognises(found.files) else {
        throw RPCError(.requestFailed, "\(path) has no .http or .rest file.")
      }
      if found.isOneFile, let file = found.files.first, !reader.holdsMeantRequest(file) {
        throw RPCError(
          .requestFailed, "\(path) has no request. \(RequestFolderReader.expectation)")
      }
      var result = reader.read(found, at: path)
      if let name = order.name { result.collection.name = name }
      return result
    case (nil, let text?):
      let (reader, name) = (RequestFolderReader(), order.name ?? "Imported")
      let file = TransferFile(path: "text.http", bytes: Array(text.utf8))
      let result = reader.read(file, name: name)
      guard reader.holdsMeantRequest(file) else {
        throw RPCError(
          .requestFailed, "The text has no request. \(RequestFolderReader.expectation)")
      }
      return result
    default:
      throw RPCError(.invalidParams, "params: expected either a uri or a text to import.")
    }
  }
}
