// An import from another tool, from its order to its report: the command line and the server differ
// only in who asks.

import PostKitJSON
import PostKitSupport

/// An order to import something of another tool.
package struct OriginImport: Sendable {
  /// What is imported.
  package enum Input: Sendable, Hashable {
    /// A file or folder, with the name by which the user knows it.
    case path(String, called: String)
    /// Text that lies in no file, such as standard input or a document of an editor.
    case text([UInt8], called: String)
  }

  /// What is done with the result.
  package enum Mode: Sendable, Hashable {
    case write
    /// Only told.
    case dryRun
    /// Only told, and an error where anything would change.
    case check
  }

  package var inputs: [Input]
  /// The format; `nil` for the one that recognises the source.
  package var format: OriginFormat?
  /// The folder as the user called it; `nil` for one named after the collection.
  package var target: String?
  /// The texts of files that are open in an editor, by their paths; they count, saved or not.
  package var openFiles: [String: [UInt8]] = [:]
  /// The absolute folder from which paths count.
  package var folder: String
  package var options = OriginOptions()
  package var writing = WritingOptions()
  /// The layout, where the user has chosen one.
  package var layout: WritingLayout?
  package var rule = ConflictRule.mine
  /// The folder in which files that the source names may lie (`--root`); `nil` for the source's.
  package var root: String?
  package var mode = Mode.write
  /// Whether a folder that no import made may be written to.
  package var isForced = false
  /// What was fetched, by URLs; `nil` where nothing may be fetched.
  package var fetched: [String: OriginFetched]?
  /// Whether an import before has fetched something.
  var wasFetched = false
  /// The formats that are known.
  var importers: [any OriginImporter.Type] = OriginImporters.all

  /// Makes an order.
  package init(_ inputs: [Input], in folder: String) {
    (self.inputs, self.folder) = (inputs, folder)
  }

  /// Why an import ends early.
  struct Stop: Error {
    var word: ImportReport.Word
    var message: String

    init(_ word: ImportReport.Word, _ message: String) {
      (self.word, self.message) = (word, message)
    }
  }

  /// Reads, merges and writes, on the calling thread.
  package func run(_ watch: ImportWatch = ImportWatch()) -> ImportReport {
    var report = ImportReport(sources: inputs.map(\.name))
    do throws(Stop) {
      try run(&report, watch)
    } catch {
      report.error = error.word
      report.message = error.message
    }
    return report
  }

  private func run(_ report: inout ImportReport, _ watch: ImportWatch) throws(Stop) {
    var sources = try read(&report)
    var order = self
    var earlier: ImportManifest?
    if let target {
      earlier = try manifest(of: target)
      order.takeOver(earlier)
      order.writing.variablesThere = variablesThere(in: target)
    }
    // What may be read anew is kept.
    let kept = target == nil ? sources : []
    var result = try order.written(&sources, &report, watch)
    let called = target ?? Self.folderName(report.name ?? "Imported")
    if target == nil {
      earlier = try manifest(of: called)
      let first = (order.writing, order.options)
      order.takeOver(earlier)
      let isSame = first == (order.writing, order.options)
      order.writing.variablesThere = variablesThere(in: called)
      let there = order.writing.variablesThere
      if !isSame || there.has(result.folder.credentials) || there.has(result.folder.namedHere) {
        sources = kept
        result = try order.written(&sources, &report, watch)
      }
    }
    report.target = called
    report.isDry = mode != .write
    try requireTime(watch)
    let place = ImportTarget(FilePath.join(folder, called))
    let changes = try order.changes(result, in: place, called: called, earlier, &report)
    if rule == .stop, !changes.conflicts.isEmpty {
      report.files = []
      throw Stop(.conflict, Self.conflictMessage(changes.conflicts.count))
    }
    try finish(changes, in: place, called, watch)
  }

  /// What is said of conflicts where nobody is to win.
  static func conflictMessage(_ count: Int) -> String {
    "Nothing was written: \(ImportReport.count(count, "conflict")) left. "
      + "`--on-conflict mine` or `theirs` decides."
  }

  /// Writes the changes, or tells that there are some.
  private func finish(
    _ changes: FolderChanges, in place: ImportTarget, _ called: String, _ watch: ImportWatch
  ) throws(Stop) {
    switch mode {
    case .dryRun: return
    case .check:
      if !changes.isUpToDate {
        throw Stop(.changes, "\(called) is not what the source says; import again without --check.")
      }
    case .write:
      try requireSaved(changes, in: place, called)
      let isWhole: Bool
      do throws(FileFailure) {
        isWhole = try place.write(changes, watch)
      } catch {
        throw Stop(.disk, "\(error)")
      }
      if !isWhole {
        throw Stop(
          .cancelled, "The import was cancelled. The files in \(called) are whole; import again to "
            + "go on.")
      }
    }
  }

  // MARK: - Reading

  /// The sources in UTF-8.
  func read(_ report: inout ImportReport) throws(Stop) -> [OriginSource] {
    var result: [OriginSource] = []
    for input in inputs {
      do throws(OriginFailure) {
        var source: OriginSource
        switch input {
        case .text(let bytes, let called): source = OriginSource(name: called, bytes: bytes)
        case .path(let path, let called):
          if let bytes = openFiles[path] {
            source = OriginSource(name: called, bytes: bytes)
          } else {
            source = try OriginFiles.source(path, called: called)
          }
        }
        if let files = source.files {
          for (place, file) in files.enumerated() where !file.bytes.isEmpty {
            // What can't be decoded is the importer's to judge: it may need none of it.
            let decoded = try? SourceDecoding.decoded(file.bytes, of: file.path)
            source.files?[place].bytes = decoded ?? file.bytes
          }
        } else {
          source.bytes = try SourceDecoding.decoded(source.bytes, of: source.name)
          source.takeLook()
        }
        result.append(source)
      } catch {
        throw Stop(.unreadable, error.message)
      }
    }
    return result
  }

  /// What a source makes of a folder, and what is told of it.
  struct Result {
    /// The collection without its folders and requests, which are written.
    var collection: OriginCollection
    var folder: WrittenFolder
    var notes: ImportNotes
  }

  /// Reads and writes in memory. Sources may be large: they are given away once they are read.
  func written(
    _ sources: inout [OriginSource], _ report: inout ImportReport, _ watch: ImportWatch
  ) throws(Stop) -> Result {
    watch.report("reading \(sources.first?.name ?? "")")
    let notes = ImportNotes()
    let file = file
    var context = OriginContext(notes: notes, file: file, options: options)
    context.remote = remoteAnswer
    tellFetched(notes)
    var collection: OriginCollection
    do throws(OriginFailure) {
      collection = try OriginSelection(importers: importers).read(sources, as: format, context)
    } catch {
      report.notes = notes.notes
      report.uncountedNotes = notes.uncounted
      throw Stop(.format, error.message)
    }
    var writing = writing
    sources = []
    let called = target ?? Self.folderName(writing.name ?? collection.root.name)
    let place = ImportTarget(FilePath.join(folder, called)).path
    let path = FilePath.relative(realSourceFolder, to: place)
    writing.sourcePath = path == "." || writing.standsAlone ? "" : path
    if !options.tags.isEmpty, collection.requestCount == 0 {
      throw Stop(
        .usage, "No operation has the tag \(options.tags.sorted().joined(separator: " or ")). "
          + "Choose another; `--tag \"\"` takes all again.")
    }
    for name in writing.environments.sorted()
    where !collection.environments.contains(where: { $0.name == name }) {
      let names = collection.environments.map(\.name).joined(separator: ", ")
      throw Stop(
        .usage, "There is no environment `\(name)`; "
          + (names.isEmpty ? "the source has none." : "the source has \(names)."))
    }
    try requireTime(watch)
    let total = collection.requestCount
    let written = FolderWriter.write(
      collection, options: writing, notes: notes, file: file, haveParts: FileParts.haveParts
    ) {
      watch.tell($1, after: $0, of: total, "requests")
      return !watch.isStopped()
    }
    try requireTime(watch)
    report.format = collection.format.rawValue
    report.version = collection.version
    report.name = writing.name ?? collection.root.name
    report.requests = collection.requestCount
    report.environments = written.environments.map(\.name).filter { $0 != "$shared" }
    report.requestFileCount = written.files.count
    (collection.root.folders, collection.root.requests) = ([], [])
    report.notes = notes.notes
    report.uncountedNotes = notes.uncounted
    return Result(collection: collection, folder: written, notes: notes)
  }

  /// Ends an import that is to end while nothing has been written.
  func requireTime(_ watch: ImportWatch) throws(Stop) {
    guard watch.isStopped() else { return }
    throw Stop(.cancelled, "The import was cancelled; nothing was written.")
  }

  /// The folder of the source, where files that it names are looked for.
  var sourceFolder: String {
    guard case .path(let path, _)? = inputs.first else { return folder }
    return FileSystem.isDirectory(path) ? path : FilePath.parent(path)
  }

  /// The same with its links resolved.
  var realSourceFolder: String { FileSystem.realPath(sourceFolder) ?? sourceFolder }

  /// A name for the folder of a collection.
  static func folderName(_ name: String) -> String {
    var names = PortableFileNames(taken: [])
    return names.name(for: name, extension: "", fallback: "Imported")
  }
}

extension OriginImport.Input {
  /// How the user called it.
  package var name: String {
    switch self {
    case .path(_, let called), .text(_, let called): called
    }
  }
}
