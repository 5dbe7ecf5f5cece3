// `postkit import`: folders of request files become collections, and back.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitTransfer

extension Command {
  /// Brings collections in.
  static let `import` = Command(
    name: Name.import,
    operands: "FOLDER | FILE [--name NAME] [--force]",
    summary: "Imports a folder of request files, or one file, as a collection.",
    options: [
      Option(names: ["--name"], value: "NAME", help: "the name of the collection"),
      Option(
        names: ["--force"], value: nil,
        help: "update an earlier import of the folder; what has gone from "
          + "the folder stays, and is counted"),
    ]
  ) { invocation throws(Arguments.Problem) in
    guard invocation.arguments.positional.count == 1 else {
      throw Arguments.Problem(message: "name one folder or request file")
    }
    let command = CollectionsCommand(invocation)
    let path = invocation.arguments.positional[0]
    let stop = StopSignal()
    Interrupts.watch { stop.stop() }
    return await stop.ending { await command.importFolder(path) } ?? 130
  }
}

extension CollectionsCommand {
  /// Puts a folder or a request file into the store as a collection.
  func importFolder(_ path: String) async -> Int32 {
    await withStore { store throws(Stop) in
      let line = ProgressLine(console)
      defer { line.clear() }
      let result = try read(path) { line.show("Reading \(Display.line($0))") }
      let imported = CollectionImport(of: result.collection, into: store) { request in
        RequestText.content(
          request.source, dialect: request.dialect.flatMap(DialectPreset.init(rawValue:)),
          file: request.file)
      }
      let name = Display.line(result.collection.storedName)
      let summary: CollectionImport.Summary
      do throws(ImportFailure) {
        summary = try await imported.run(replaces: arguments.has("--force")) { progress in
          line.show("Importing \(name): \(progress.done) of \(progress.total) requests")
        }
      } catch {
        line.clear()
        throw stop(error)
      }
      line.clear()
      tell(result.warnings + summary.warnings)
      let count = "\(summary.requests) request\(summary.requests == 1 ? "" : "s")"
      let rest = summary.kept == 0 ? "" : "; \(summary.kept) existed already"
      console.line("Imported \(count) into `\(name)`\(rest).")
    }
  }

  private func read(
    _ path: String, _ report: @escaping @Sendable (String) -> Void
  ) throws(Stop) -> ImportResult {
    let place = FileSystem.absolute(path)
    if FileSystem.isRegularFile(place), !FolderFiles.isRequestFile(place) {
      throw .usage(
        "\(Display.line(path)) is not a .http or .rest file; name one, or a folder with some")
    }
    let found: FolderFiles.Contents
    do throws(FileFailure) {
      found = try FolderFiles.read(place) { report("\($0) files of \(path)") }
    } catch {
      throw .usage(Display.line("\(error)"))
    }
    let inside = found.isOneFile ? place : FilePath.join(place, "requests.http")
    let project = RequestFile([], at: inside, invocation, dialect: nil)
    var reader = RequestFolderReader(reading: project.workspace.reading)
    reader.onFile = report
    guard reader.recognises(found.files) else {
      tell(found.warnings)
      let name = Display.line(path)
      throw .usage("\(name) has no .http or .rest file; name a folder with some")
    }
    if found.isOneFile, let file = found.files.first, !reader.holdsMeantRequest(file) {
      let name = Display.line(path)
      throw .usage("\(name) has no request. \(RequestFolderReader.expectation)")
    }
    var result = reader.read(found, at: place)
    if let name = arguments.value("--name") { result.collection.name = name }
    return result
  }

  /// How the command ends with an import that came to no end.
  private func stop(_ failure: ImportFailure) -> Stop {
    switch failure.reason {
    case .nameTaken:
      return .usage("\(Display.line(failure.message)) `--name` gives it another one.")
    case .complete:
      return .usage("\(Display.line(failure.message)) `--force` overwrites it.")
    case .cancelled, .store:
      console.complain(Display.line(failure.message))
      return .told(failure.reason == .cancelled ? 130 : 5)
    }
  }

  /// Writes a collection as a folder.
  func export(_ path: String, to output: String) async -> Int32 {
    await withStore { store throws(Stop) in
      let row = try await collection(path, store)
      let read = try await ask { () throws(StoreFailure) in
        try await ImportedCollection.read(id: row.id, from: store)
      }
      guard let read else { throw .usage("`\(path)` is gone") }
      let (files, warnings) = RequestFolderWriter.files(of: read)
      do throws(FileFailure) {
        try FolderFiles.write(
          files, to: FileSystem.absolute(output), replaces: arguments.has("--force"))
      } catch {
        if case .alreadyExists = error {
          throw .usage(
            "\(Display.line(output)) is not empty; `--force` writes into it")
        }
        console.complain(Display.line("\(error)"))
        throw .told(5)
      }
      tell(warnings)
      console.note("Wrote `\(Display.line(read.name))` to \(Display.line(output)).")
    }
  }

  /// Remarks that are told, so that a folder of thousands of other files is bearable.
  private static let toldRemarks = 20

  private func tell(_ remarks: [String]) {
    for remark in remarks.prefix(Self.toldRemarks) { console.complain(Display.safe(remark)) }
    let rest = remarks.count - Self.toldRemarks
    if rest > 0 { console.complain("… and \(rest) more like these") }
  }
}
