// `postkit import`: folders of request files become collections, and back.

import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitTransfer

extension Command {
  /// Brings collections in.
  static let `import` = Command(
    name: .import,
    operands: "FOLDER | FILE [--name NAME] [--force]",
    summary: "Imports a folder of \(Importers.titles), or one file, as a collection.",
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
      let job = ImportJob(
        .path(FileSystem.absolute(path), called: path), name: arguments.value("--name"),
        replaces: arguments.has("--force"))
      let title = Display.line(job.title)
      let summary: CollectionImport.Summary
      do throws(ImportFailure) {
        summary = try await job.run(
          ImportJob.Surroundings(
            reading: { RequestFile([], at: $0, invocation, dialect: nil).workspace.reading },
            store: { store }, content: RequestText.content,
            report: { line.show("\(title): \(Display.line($0))") }))
      } catch {
        line.clear()
        throw stop(error)
      }
      line.clear()
      tell(summary.warnings)
      console.line(Display.line(summary.sentence))
    }
  }

  /// How the command ends with an import that came to no end.
  private func stop(_ failure: ImportFailure) -> Stop {
    let message = Display.line(failure.message)
    switch failure.reason {
    case .file, .otherFile: return .usage(message)
    case .unusable(_, let warnings):
      tell(warnings)
      return .usage(message)
    case .nameTaken: return .usage("\(message) `--name` gives it another one.")
    case .complete: return .usage("\(message) `--force` overwrites it.")
    case .cancelled, .store, .noStore:
      console.complain(message)
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
          throw .usage("\(Display.line(output)) is not empty; `--force` writes into it")
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
