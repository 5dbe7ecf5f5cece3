// Stored data taken along in forms that others read.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitTransfer

/// One road for the command `postkit.export` and for `postkit/transfer`.
enum DataTransfer {
  /// `postkit/transfer`.
  static func transfer(
    _ snapshot: Snapshot, _ params: LSP.PostkitTransferParams
  ) async throws(RPCError) -> LSP.PostkitTransferResult {
    switch params.direction {
    case .import:
      try await Imports.import(
        snapshot,
        LSP.PostkitImportArguments(
          uri: params.uri, text: params.text, format: params.format, name: params.name,
          scope: params.scope, target: params.target, overwrite: params.overwrite,
          beside: params.beside, inside: params.inside, layout: params.layout,
          environments: params.environments, tags: params.tags, base: params.base,
          onConflict: params.onConflict, fetch: params.fetch, dryRun: params.dryRun),
        params.workDoneToken)
    case .export:
      try await export(
        snapshot,
        LSP.PostkitExportArguments(
          format: params.format, scope: params.scope, id: params.id, filter: params.filter,
          query: params.query, limit: params.limit, target: params.target,
          overwrite: params.overwrite), params.workDoneToken)
    }
  }

  /// `postkit.export`.
  static func export(
    _ snapshot: Snapshot, _ argument: JSONValue?, _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> JSONValue {
    guard let argument else {
      throw RPCError(.invalidParams, "params.arguments: expected an object with a format.")
    }
    let order = try ExecuteCommand.decode(LSP.PostkitExportArguments.self, argument)
    return JSONValue(try await export(snapshot, order, token))
  }

  private static func export(
    _ snapshot: Snapshot, _ order: LSP.PostkitExportArguments, _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> LSP.PostkitTransferResult {
    if order.scope == .collections { return try await collection(snapshot, order, token) }
    guard let format = ExportFormat(rawValue: order.format.rawValue) else {
      throw unsupported(order.format, ExportFormat.allCases.map(\.rawValue))
    }
    let query = try await HistoryPages.resolved(snapshot, try query(order))
    guard let store = await snapshot.store.existing() else {
      throw RPCError(.requestFailed, "Nothing has been sent yet, so there is nothing to export.")
    }
    let open = snapshot.documents.files
    return try await snapshot.session.transfer(
      snapshot.client, token: token, title: "Export the history"
    ) { report in
      let export = HistoryExport(
        of: store, as: format,
        describing: OpenAPIOptions(path: order.target.flatMap { DocumentURI($0).path }),
        readBody: StoredBody.whole,
        readFile: { path in open[path] ?? DataTransfer.file(path) })
      do throws(ExportFailure) {
        var result = try await write(export, query, order, report)
        result.warnings += await snapshot.store.tellNotices(of: store)
          .filter { $0.kind == .searchIsPartial }.map(\.message)
        return .success(result)
      } catch {
        if case .cancelled = error { return .failure(RPCError(.requestCancelled, error.message)) }
        return .failure(RPCError(.requestFailed, error.message))
      }
    }
  }

  /// The exchanges that are meant.
  private static func query(
    _ order: LSP.PostkitExportArguments
  ) throws(RPCError) -> HistoryQuery {
    guard let filter = order.filter else { return HistoryQuery(text: order.query) }
    guard filter.cursor == nil, filter.limit == nil, filter.sort == nil, filter.count == nil else {
      throw RPCError(
        .invalidParams, "params.filter: an export has no pages; give `limit` beside the filter.")
    }
    var query = try HistoryQuery(filter, limit: 1)
    if let text = order.query { query.text = text }
    return query
  }

  /// What is said of a form that can't be used.
  static func unsupported(_ format: LSP.PostkitTransferFormat, _ known: [String]) -> RPCError {
    RPCError(.requestFailed, Importers.unsupported(format.rawValue, known: known))
  }

  private static func write(
    _ export: HistoryExport, _ query: HistoryQuery, _ order: LSP.PostkitExportArguments,
    _ report: (String) -> Void
  ) async throws(ExportFailure) -> LSP.PostkitTransferResult {
    guard let target = order.target else {
      var text: [UInt8] = []
      let summary = try await export.write(query, limit: order.limit) {
        bytes throws(FileFailure) in
        text += bytes
        // A message must stay small; a file may have any size.
        if text.count > Limits.viewBodyBytes {
          throw .tooLarge(path: "the export", size: text.count, limit: Limits.viewBodyBytes)
        }
      }
      return LSP.PostkitTransferResult(
        text: String(decoding: text, as: UTF8.self), count: summary.count, created: [],
        warnings: summary.remarks)
    }
    let file: PendingFile
    do throws(FileFailure) {
      guard let path = DocumentURI(target).path else { throw .notFound(path: target) }
      file = try PendingFile(path: path, replaces: order.overwrite ?? false)
    } catch {
      throw .file(error)
    }
    var size = 0
    let summary = try await export.write(query, limit: order.limit) { bytes throws(FileFailure) in
      try file.write(bytes)
      size += bytes.count
      report("\(SizeText.text(size)) written")
    }
    do throws(FileFailure) { try file.finish() } catch { throw .file(error) }
    return LSP.PostkitTransferResult(
      uri: target, count: summary.count, created: [target], warnings: summary.remarks)
  }

  private static func file(_ path: String) -> [UInt8]? {
    guard FileSystem.isRegularFile(path) else { return nil }
    return orLog("reading \(path)") {
      try FileSystem.read(path: path, limit: Limits.sourceFileBytes)
    }
  }

  // MARK: - Collections

  /// Writes a collection as a folder of request files.
  private static func collection(
    _ snapshot: Snapshot, _ order: LSP.PostkitExportArguments, _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> LSP.PostkitTransferResult {
    guard order.format == .http || order.format == .auto else {
      throw unsupported(order.format, ["auto", "http"])
    }
    guard order.filter == nil, order.query == nil, order.limit == nil else {
      throw RPCError(.invalidParams, "params: filter, query and limit are about the history.")
    }
    guard let id = order.id, let target = order.target, let path = DocumentURI(target).path else {
      throw RPCError(
        .invalidParams, "params: expected the id of a collection, and a folder as target.")
    }
    guard let store = await snapshot.store.existing() else {
      throw RPCError(.contentModified, CollectionRefusal.notFound(id).message)
    }
    return try await snapshot.session.transfer(
      snapshot.client, token: token, title: "Export a collection"
    ) { _ in
      do throws(RPCError) {
        return .success(
          try await write(id, of: store, to: path, replaces: order.overwrite ?? false))
      } catch {
        return .failure(error)
      }
    }
  }

  private static func write(
    _ id: String, of store: Store, to path: String, replaces: Bool
  ) async throws(RPCError) -> LSP.PostkitTransferResult {
    let collection = try await RPCError.ofStore { () throws(StoreFailure) in
      try await ImportedCollection.read(id: id, from: store)
    }
    guard let collection else {
      throw RPCError(.contentModified, CollectionRefusal.notFound(id).message)
    }
    let (files, warnings) = RequestFolderWriter.files(of: collection)
    if Task.isCancelled { throw RPCError(.requestCancelled, "Nothing was written.") }
    do throws(FileFailure) {
      try await SerialQueueExecutor().perform { () throws(FileFailure) in
        try FolderFiles.write(files, to: path, replaces: replaces)
      }
    } catch {
      let isThere = if case .alreadyExists = error { true } else { false }
      throw RPCError(
        .requestFailed,
        isThere ? "\(path) is not empty; set `overwrite` to write into it."
          : "\(error)")
    }
    return LSP.PostkitTransferResult(
      uri: DocumentURI(path: path).spelling,
      count: files.count { FolderFiles.isRequestFile($0.path) },
      created: files.map { DocumentURI(path: FilePath.join(path, $0.path)).spelling },
      warnings: warnings)
  }
}
