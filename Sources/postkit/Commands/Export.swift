// `postkit export`: the history in forms that others read.

import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitTransfer

extension Command {
  /// Writes the history for other tools.
  static let export = Command(
    name: .export,
    operands: "history --format FORMAT [--no-examples] [--output FILE [--force]] [--limit N] "
      + "[FILTER]... "
      + "| collection PATH --output FOLDER [--force] "
      + "| requests FILE|FOLDER|collection:PATH --format FORMAT [--env NAME]... [--name NAME] "
      + "[--output PATH [--force]] [--report json=PATH]",
    summary: "Writes the history, a collection or request files for other tools.",
    options: [
      Option(
        names: ["--format"], value: "FORMAT",
        help: "of the history: \(ExportCommand.formats); of requests: \(RequestExportFormat.list)"),
      Option(
        names: ["--output"], value: "FILE",
        help: "write this file instead of standard output; for a collection, this folder"),
      Option(names: ["--force"], value: nil, help: "replace existing files"),
      Option(
        names: ["--name"], value: "NAME",
        help: "of the history: requests with this name; of requests: the name of the export"),
      Option(
        names: ["--env", "-e"], value: "NAME",
        help: "of the history: with this environment; of requests: with its values, and with those "
          + "of others where the form has environments", isRepeatable: true),
      Option(
        names: ["--report"], value: "KIND=PATH",
        help: "of requests: write what was made and what was left out"),
      Option(names: ["--limit"], value: "N", help: "write only the newest N exchanges"),
      Option(
        names: ["--no-examples"], value: nil,
        help: "of the history as `openapi`: show no recorded bodies"),
    ] + HistoryFilters.options.filter { !["--name", "--env"].contains($0.names[0]) }
  ) { invocation throws(Arguments.Problem) in
    let (words, arguments) = (invocation.arguments.positional, invocation.arguments)
    switch words.first {
    case "history" where words.count == 1:
      return try await ExportCommand(invocation: invocation).execute()
    case "requests" where words.count == 2:
      return try await ExportRequestsCommand(invocation, of: words[1]).execute()
    case "collection" where words.count == 2:
      try arguments.allow(["--output", "--force"], in: "export collection")
      guard let folder = arguments.value("--output") else {
        throw Arguments.Problem(message: "the folder is missing: --output FOLDER")
      }
      return await CollectionsCommand(invocation).export(words[1], to: folder)
    default:
      throw Arguments.Problem(
        message: "what should be exported? `postkit export history`, "
          + "`postkit export requests FILE` "
          + "or `postkit export collection PATH`")
    }
  }
}

/// One call of `postkit export`.
struct ExportCommand: Sendable {
  /// The words for the formats, as they are told.
  static let formats = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")

  let invocation: Invocation

  private var console: Console { invocation.console }
  private var arguments: Arguments { invocation.arguments }

  /// Writes what was chosen and answers the exit code.
  func execute() async throws(Arguments.Problem) -> Int32 {
    guard let name = arguments.value("--format") else {
      throw Arguments.Problem(message: "the format is missing: --format \(ExportCommand.formats)")
    }
    guard let format = ExportFormat(rawValue: name) else {
      throw Arguments.Problem(
        message: "unknown format `\(name)`; write one of \(ExportCommand.formats)")
    }
    let path = arguments.value("--output")
    if path == nil, arguments.has("--force") {
      throw Arguments.Problem(message: "`--force` needs `--output FILE`")
    }
    if format != .openapi, arguments.has("--no-examples") {
      throw Arguments.Problem(message: "`--no-examples` needs `--format openapi`")
    }
    let limit = try arguments.integer("--limit", minimum: 1)
    let selection = try HistorySelection(arguments)
    return await invocation.withStore { store throws(StoreFailure) in
      let query = try await selection.query(limit: 50, in: store)
      let export = HistoryExport(
        of: store, as: format,
        describing: OpenAPIOptions(hasExamples: !arguments.has("--no-examples"), path: path),
        readBody: StoredBody.whole, readFile: ExportCommand.source)
      do throws(ExportFailure) {
        let summary = try await write(export, query, limit, path)
        for remark in summary.remarks { console.complain(remark) }
        if let path {
          let count = "\(summary.count) exchange\(summary.count == 1 ? "" : "s")"
          console.note("Wrote \(count) to \(path).")
        }
        return 0
      } catch {
        if case .store(let failure) = error { throw failure }
        let isThere = if case .file(.alreadyExists) = error { true } else { false }
        console.complain(error.message + (isThere ? " `--force` replaces it." : ""))
        return isThere ? 2 : 5
      }
    }
  }

  private func write(
    _ export: HistoryExport, _ query: HistoryQuery, _ limit: Int?, _ path: String?
  ) async throws(ExportFailure) -> HistoryExport.Summary {
    guard let path else {
      return try await export.write(query, limit: limit) { console.writeShown($0) }
    }
    let file: PendingFile
    do throws(FileFailure) {
      file = try PendingFile(path: FileSystem.absolute(path), replaces: arguments.has("--force"))
    } catch {
      throw .file(error)
    }
    let summary = try await export.write(query, limit: limit) { bytes throws(FileFailure) in
      try file.write(bytes)
    }
    do throws(FileFailure) { try file.finish() } catch { throw .file(error) }
    return summary
  }

  /// A request file as it is now.
  private static func source(_ path: String) -> [UInt8]? {
    FileSystem.isRegularFile(path)
      ? orLog("reading \(path)") {
        try FileSystem.read(path: path, limit: Limits.sourceFileBytes)
      } : nil
  }
}
