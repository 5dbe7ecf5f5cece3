// `postkit export requests`: request files and stored requests in the forms of other tools.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitSyntax
import PostKitTransfer

/// One call of `postkit export requests`.
struct ExportRequestsCommand: Sendable {
  /// The options of this form.
  static let options: Set<String> = [
    "--format", "--env", "--name", "--output", "--force", "--report",
  ]

  private let invocation: Invocation
  private let path: String
  private let format: RequestExportFormat
  private let report: String?

  private var console: Console { invocation.console }
  private var arguments: Arguments { invocation.arguments }

  /// Takes up a call for a file, a folder, or `collection:PATH`.
  init(_ invocation: Invocation, of path: String) throws(Arguments.Problem) {
    self.invocation = invocation
    self.path = path
    let arguments = invocation.arguments
    try arguments.allow(Self.options, in: "export requests")
    guard let word = arguments.value("--format") else {
      throw Arguments.Problem(
        message: "the format is missing: --format \(RequestExportFormat.list)")
    }
    guard let format = RequestExportFormat(rawValue: word) else {
      throw Arguments.Problem(
        message: "unknown format `\(word)`; write one of \(RequestExportFormat.list)")
    }
    self.format = format
    if arguments.has("--force"), arguments.value("--output") == nil {
      throw Arguments.Problem(message: "`--force` needs `--output PATH`")
    }
    guard let report = arguments.value("--report") else {
      self.report = nil
      return
    }
    guard report.hasPrefix("json="), report.count > 5 else {
      throw Arguments.Problem(message: "`--report \(report)`: write json=PATH")
    }
    self.report = String(report.dropFirst(5))
  }

  /// Why nothing was written, in a word and in a sentence.
  private struct Failure: Error {
    let word: ImportReport.Word
    let message: String
  }

  /// Writes the export and answers the exit code.
  func execute() async -> Int32 {
    var result = ImportReport(sources: [path])
    result.format = format.rawValue
    do throws(Failure) {
      let stored = stored
      let sources = stored == nil ? try sources() : try await sources(stored ?? "")
      let name = arguments.value("--name") ?? FilePath.stem(stored ?? path)
      let output = arguments.value("--output")
      let made = RequestExport.make(
        sources, name: name, as: format, fileName: output.map { FilePath.name($0) })
      tell(made.notes)
      if let problem = made.problem { throw Failure(word: .format, message: problem) }
      let paths = try write(made, to: output)
      result = ImportReport(
        of: made, as: format, sources: [path], name: name,
        environments: arguments.all("--env"), paths: paths)
      if output != nil { console.note(sentence(made, paths)) }
    } catch {
      console.complain(Display.line(error.message))
      result.error = error.word
    }
    guard let report else { return result.exitCode }
    do throws(FileFailure) {
      try FileSystem.write(result.bytes, to: FileSystem.absolute(report))
    } catch {
      console.complain("the report was not written: \(error)")
      return 5
    }
    return result.exitCode
  }

  private func sentence(_ made: RequestExport, _ files: [String]) -> String {
    func counted(_ count: Int, _ word: String) -> String {
      "\(count) \(word)\(count == 1 ? "" : "s")"
    }
    let more = files.count > 1 ? " and \(counted(files.count - 1, "file")) beside it" : ""
    let notes = made.notes.isEmpty ? "" : "; \(counted(made.notes.count, "note"))"
    let place = made.isFolder ? arguments.value("--output") ?? "" : files.first ?? ""
    return "Wrote \(counted(made.requestCount, "request")) to \(place)"
      + "\(made.isFolder ? "" : more)\(notes)."
  }

  // MARK: - Reading

  /// The path of a collection, folder or stored request; `nil` where files are meant.
  private var stored: String? {
    path.hasPrefix("collection:") ? String(path.dropFirst("collection:".utf8.count)) : nil
  }

  /// The stored requests at a path, each a source of its own. Masks stand for values of secrets,
  /// clients of OAuth 2 aside.
  private func sources(_ path: String) async throws(Failure) -> [ExportSource] {
    let collections = CollectionsCommand(invocation)
    let environments = arguments.all("--env")
    var found: [(path: String, file: StoredRequestFile, secrets: [String: String])] = []
    do throws(CollectionsCommand.Stop) {
      found = try await collections.withOpenStore { store throws(CollectionsCommand.Stop) in
        var found: [(path: String, file: StoredRequestFile, secrets: [String: String])] = []
        for (path, file) in try await collections.files(path, store) {
          let secrets = try await collections.ask { () throws(StoreFailure) in
            try await file.exportedSecrets(in: environments, from: store.secrets)
          }
          found.append((path, file, secrets))
        }
        return found
      }
    } catch {
      switch error {
      case .usage(let sentence): throw Failure(word: .usage, message: sentence)
      case .store(let failure):
        throw Failure(word: .unreadable, message: failure.message(on: .commandLine))
      case .told: throw Failure(word: .unreadable, message: "\(path) can't be read")
      }
    }
    var sources: [ExportSource] = []
    for item in found {
      let file = RequestFile(item.file, secrets: item.secrets, invocation, dialect: nil)
      let folders = item.path.split(separator: "/").map(String.init).dropFirst().dropLast()
      sources.append(try source(file, label: item.path, folder: Array(folders)))
    }
    return sources
  }

  private func sources() throws(Failure) -> [ExportSource] {
    let absolute = FileSystem.absolute(path)
    let contents: FolderFiles.Contents
    do throws(FileFailure) { contents = try FolderFiles.read(absolute) } catch {
      throw Failure(word: .unreadable, message: "\(error)")
    }
    for warning in contents.warnings { console.complain(Display.safe(warning)) }
    let files = contents.requestFiles
    guard !files.isEmpty else {
      throw Failure(word: .format, message: "\(path) has no request files")
    }
    var sources: [ExportSource] = []
    for file in files {
      let place = contents.isOneFile ? absolute : FilePath.join(absolute, file.path)
      let read = RequestFile(file.bytes, at: place, invocation, dialect: nil)
      let parts = file.path.split(separator: "/").map(String.init)
      let folder = contents.isOneFile ? [] : parts.dropLast() + [FilePath.stem(file.path)]
      let label = contents.isOneFile ? FilePath.name(path) : file.path
      sources.append(try source(read, label: label, folder: folder))
    }
    return sources
  }

  private func source(
    _ file: RequestFile, label: String, folder: [String]
  ) throws(Failure) -> ExportSource {
    let environments = arguments.all("--env")
    let dialect = file.dialect
    let base = file.workspace.environments(active: nil, dialect)
    if let missing = environments.lazy.compactMap({ base.missing(in: $0) }).first {
      let problem = EvaluationProblem(
        .environmentNotFound(name: missing, known: base.names), range: 0..<0)
      throw Failure(word: .usage, message: problem.message)
    }
    let scopes = ([nil] + environments).map { environment in
      (
        environment: environment,
        scope: file.workspace.scope(
          of: file.document, environment: environment, dialect: dialect)
      )
    }
    let output = arguments.value("--output").map { FileSystem.absolute($0) }
    let target =
      output.map { format.isFolder ? $0 : FilePath.parent($0) } ?? FileSystem.absolute(".")
    return ExportSource(
      path: file.path, label: label, folder: folder,
      scopes: scopes,
      context: file.workspace.analysisContext(environment: environments.first) { _ in nil },
      relativePath: { FilePath.relative($0, to: target) })
  }

  // MARK: - Writing

  /// Writes the files and answers their paths; without a place, the only one goes to standard
  /// output.
  private func write(_ made: RequestExport, to output: String?) throws(Failure) -> [String] {
    guard let output else {
      guard made.files.count == 1, !made.isFolder, let file = made.files.first else {
        throw Failure(
          word: .usage,
          message: "this export has \(made.files.count) files; say where: --output PATH")
      }
      console.writeShown(file.bytes)
      return []
    }
    do throws(FileFailure) {
      if made.isFolder {
        try FolderFiles.write(
          made.files, to: FileSystem.absolute(output), replaces: arguments.has("--force"))
        return made.files.map { FilePath.join(output, $0.path) }
      }
      let folder = output.contains("/") ? FilePath.parent(output) : ""
      let paths = made.files.map { folder.isEmpty ? $0.path : FilePath.join(folder, $0.path) }
      var pending: [PendingFile] = []
      for (file, path) in zip(made.files, paths) {
        if file.path.contains("/") {
          try FileSystem.makeDirectory(FilePath.parent(FileSystem.absolute(path)), mode: 0o755)
        }
        let one = try PendingFile(
          path: FileSystem.absolute(path), replaces: arguments.has("--force"))
        try one.write(file.bytes)
        pending.append(one)
      }
      for one in pending { try one.finish() }
      return paths
    } catch {
      let isThere = if case .alreadyExists = error { true } else { false }
      throw Failure(
        word: isThere ? .usage : .disk,
        message: "\(error)" + (isThere ? " `--force` replaces it." : ""))
    }
  }

  /// Notes that are told, so that an export of thousands of requests is bearable.
  private static let toldNotes = 20

  private func tell(_ notes: [ImportNote]) {
    for note in notes.prefix(Self.toldNotes) {
      console.note(Display.line(ImportReport.line(note)))
    }
    let rest = notes.count - Self.toldNotes
    if rest > 0 { console.note("… and \(rest) more; --report json=PATH has them.") }
  }
}

extension FilePath {
  /// The name of a file without its ending, or that of a folder.
  fileprivate static func stem(_ path: String) -> String {
    let name = FilePath.name(FileSystem.absolute(path))
    return FolderFiles.isRequestFile(name) && name.utf8.count > 5 ? String(name.dropLast(5)) : name
  }
}
