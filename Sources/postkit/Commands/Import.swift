// `postkit import`: folders of request files become collections, and what other tools keep becomes
// a folder of request files, or a collection.

import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitTransfer
import Synchronization

extension Command {
  /// Brings collections in.
  static let `import` = Command(
    name: .import,
    operands: "[SOURCE...] [--to FOLDER | --collection] [--from FORMAT] [--name NAME] "
      + "[--on-conflict mine|theirs|stop] [--dry-run | --check] [--force] [--report json=PATH]",
    summary: "Imports \(ImportCommand.titles) from other tools as a folder, and "
      + "\(Importers.titles) as a collection.",
    options: ImportCommand.options
  ) { invocation throws(Arguments.Problem) in
    try await ImportCommand(invocation).execute()
  }
}

extension CollectionsCommand {
  /// Puts a folder or a request file into the store as a collection.
  func importFolder(
    _ path: String
  ) async -> (code: Int32, summary: CollectionImport.Summary?) {
    let job = ImportJob(
      .path(FileSystem.absolute(path), called: path), name: arguments.value("--name"),
      replaces: arguments.has("--force"))
    return await imported(job.title) { store, report throws(ImportFailure) in
      try await job.run(
        ImportJob.Surroundings(
          reading: { RequestFile([], at: $0, invocation, dialect: nil).workspace.reading },
          store: { store }, content: RequestText.content, report: report))
    }
  }

  /// Brings what an order names into the store, or finds out what would change there.
  func importOrigin(_ order: OriginImport) async -> OriginStoreImport.Outcome {
    let line = ProgressLine(console)
    defer { line.clear() }
    let opened = Mutex<Store?>(nil)
    let (location, isDry) = (invocation.storeLocation, order.mode != .write)
    let work = OriginStoreImport(
      order,
      store: { () throws(StoreFailure) in
        // To find out what would change nothing is made.
        if isDry, !FileSystem.exists(location.collectionsPath) { return nil }
        let store = try await Store.open(location)
        // Somebody may have been killed while a secret was being set or deleted.
        if !isDry { await CollectionEditor(store).settle() }
        opened.withLock { $0 = store }
        return store
      },
      content: { RequestText.content($0.source, dialect: nil, file: $0.file) },
      report: { line.show("Import: \(Display.line($0))") })
    var outcome = await work.run()
    if let store = opened.withLock({ $0 }) {
      for notice in await store.conclude().notices { console.complain(notice.message) }
    }
    switch outcome.failure?.reason {
    case .nameTaken: outcome.report.message? += " `--name` gives it another one."
    case .complete: outcome.report.message? += " `--force` overwrites it."
    default: break
    }
    return outcome
  }

  /// Does an import into the store with a line that says how far it is.
  private func imported(
    _ title: String,
    _ work: @escaping @Sendable (Store, @escaping @Sendable (String) -> Void) async
      throws(ImportFailure) -> CollectionImport.Summary
  ) async -> (code: Int32, summary: CollectionImport.Summary?) {
    let result = Mutex<CollectionImport.Summary?>(nil)
    let code = await withStore { store throws(Stop) in
      let line = ProgressLine(console)
      defer { line.clear() }
      let title = Display.line(title)
      let summary: CollectionImport.Summary
      do throws(ImportFailure) {
        summary = try await work(store) { line.show("\(title): \(Display.line($0))") }
      } catch {
        line.clear()
        throw stop(error)
      }
      line.clear()
      result.withLock { $0 = summary }
      tell(summary.warnings)
      console.line(Display.line(summary.sentence))
    }
    return (code, result.withLock { $0 })
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
