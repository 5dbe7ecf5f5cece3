// An import from another tool into the store: the folder that it would be, read as the collection
// that it is.

import PostKitHTTP
import PostKitSupport

extension OriginImport {
  /// What a source is as a collection of the store.
  struct Collected: Sendable {
    var collection: ImportedCollection
    /// The origin's id of each request, by the path of its file.
    var ids: [String: String]
    /// The names of variables for the credentials of each request.
    var credentials: [String: [String: String]]
    /// The names that the import has made up for credentials of all requests and for clients.
    var namedHere: Set<String> = []
    /// What is remembered of the import beside its requests.
    var head: ImportManifest
    /// What could not be had this time.
    var partial = PartialOrigin()
  }

  /// A collection for the store, with what is told of it; `nil` where it can't be read. Each
  /// request is one text; what lies beside requests in a folder has no place in a collection, and
  /// that is told. What the import before has chosen holds, where this one does not say otherwise.
  func collected(
    after earlier: ImportManifest? = nil, _ watch: ImportWatch = ImportWatch()
  ) -> (collected: Collected?, report: ImportReport) {
    var report = ImportReport(sources: inputs.map(\.name))
    do throws(Stop) {
      var sources = try read(&report)
      var order = self
      order.takeOver(earlier)
      order.writing.layout = .request
      order.writing.writesExamples = false
      order.writing.standsAlone = true
      let result = try order.written(&sources, &report, watch)
      let name = report.name ?? ""
      tellFiles(of: result)
      report.uncountedNotes = result.notes.uncounted
      var read = RequestFolderReader().read(
        Self.files(of: result.folder), name: name.isEmpty ? "Imported" : name)
      read.collection.name = name.isEmpty ? "Imported" : name
      read.collection.place(result.folder.filesNamingSource, in: realSourceFolder)
      // The files are only on the way: people know the requests.
      let names = read.collection.names(
        titles: result.folder.files.map { ($0.path, $0.blocks.first?.title ?? "") })
      report.notes = result.notes.notes.map { note in
        var note = note
        note.file = note.file.map { names[$0] ?? $0 }
        return note
      }
      // The store has no environment that holds in all others; alone it is one to choose.
      if read.collection.environments.map(\.name) == ["$shared"] {
        read.collection.environments[0].name = "default"
        read.collection.activeEnvironment = "default"
      }
      let ids = result.folder.files.flatMap { file in file.blocks.map { (file.path, $0.id) } }
      return (
        Collected(
          collection: read.collection, ids: Dictionary(ids) { first, _ in first },
          credentials: result.folder.credentials, namedHere: result.folder.namedHere,
          head: order.head(result.collection, in: nil), partial: result.folder.partial),
        report
      )
    } catch {
      report.error = error.word
      report.message = error.message
      return (nil, report)
    }
  }

  /// Tells which files are not taken.
  private func tellFiles(of result: Result) {
    let paths = result.folder.attachments.filter { !Self.isManifest($0) }.map(\.path)
    if paths.isEmpty { return }
    let named = paths.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
    let rest = paths.count > 5 ? " and \(paths.count - 5) more" : ""
    result.notes.tell(
      .fileMissing,
      "A collection has no files beside its requests, so these are not taken: \(named)\(rest). A "
        + "request that names one can't be sent; `--to FOLDER` keeps them.", at: OriginPlace())
  }

  private static func isManifest(_ file: TransferFile) -> Bool {
    file.name == FolderManifest.fileName
  }

  /// The files that the store's importer reads: requests, environments, and in each folder a
  /// manifest that says of every file that it is one request.
  private static func files(of folder: WrittenFolder) -> [TransferFile] {
    var manifests: [String: FolderManifest] = [:]
    for file in folder.attachments where isManifest(file) {
      manifests[parent(file.path)] = FolderManifest(file.bytes) ?? FolderManifest()
    }
    var result: [TransferFile] = []
    for file in folder.files {
      result.append(TransferFile(path: file.path, bytes: file.bytes))
      var path = file.path
      var place = parent(path)
      append(FilePath.name(path), to: &manifests[place, default: FolderManifest()].requests)
      while !place.isEmpty {
        path = place
        place = parent(path)
        append(FilePath.name(path), to: &manifests[place, default: FolderManifest()].folders)
      }
    }
    for (place, manifest) in manifests {
      let path = place.isEmpty ? FolderManifest.fileName : "\(place)/\(FolderManifest.fileName)"
      result.append(TransferFile(path: path, bytes: manifest.bytes))
    }
    let environments = [
      (EnvironmentFilesWriter.publicName, EnvironmentFilesWriter.publicFile(folder.environments)),
      (EnvironmentFilesWriter.privateName, EnvironmentFilesWriter.privateFile(folder.environments)),
    ]
    for (path, bytes) in environments {
      if let bytes { result.append(TransferFile(path: path, bytes: bytes)) }
    }
    return result
  }

  /// The folder of a path below the target; empty at its top.
  private static func parent(_ path: String) -> String {
    path.contains("/") ? FilePath.parent(path) : ""
  }

  private static func append(_ name: String, to names: inout [String]) {
    if names.last != name, !names.contains(name) { names.append(name) }
  }
}

extension ImportedCollection {
  /// The titles of requests with the names of their folders, by the paths of their files.
  fileprivate func names(titles: [(path: String, title: String)]) -> [String: String] {
    let titles = Dictionary(titles) { first, _ in first }
    var result: [String: String] = [:]
    func add(_ requests: [ImportedRequest], _ folders: [ImportedFolder], _ place: String) {
      for path in requests.compactMap(\.path) {
        guard let title = titles[path], !title.isEmpty else { continue }
        result[path] = place + title
      }
      for child in folders { add(child.requests, child.folders, "\(place)\(child.name)/") }
    }
    add(requests, folders, "")
    return result
  }

  /// Says of requests, by the paths that they had, that what they name counts from a folder.
  fileprivate mutating func place(_ paths: Set<String>, in folder: String) {
    if paths.isEmpty { return }
    var top = ImportedFolder(name: name, folders: folders, requests: requests)
    top.place(paths, in: folder)
    (folders, requests) = (top.folders, top.requests)
  }
}

extension ImportedFolder {
  fileprivate mutating func place(_ paths: Set<String>, in folder: String) {
    for index in requests.indices {
      guard let path = requests[index].path, paths.contains(path) else { continue }
      requests[index].file = FilePath.join(folder, FilePath.name(path))
    }
    for index in folders.indices { folders[index].place(paths, in: folder) }
  }
}

extension OriginImport {
  /// The formats of other tools that can be read, as the command line and orders name them.
  package static var formats: [String] { OriginImporters.all.map { $0.format.rawValue } }

  /// Whether an order means request files, which go into the store: by its format, or where it has
  /// none by what lies at a path. A folder to write to is for what is of other tools alone.
  package static func meansRequestFiles(
    format: String?, at path: String?, hasTarget: Bool
  ) -> Bool {
    if Importers.all.contains(where: { $0.format == format }) { return true }
    guard format == nil || format == Importers.anyFormat, let path else { return false }
    if FolderFiles.isRequestFile(path) { return true }
    return FileSystem.isDirectory(path) && !hasTarget && !recognises(path)
  }

  /// Whether a text without a file is of another tool; commands of curl are request files, too.
  package static func recognises(text: String) -> Bool {
    let source = OriginSource(name: "text", bytes: Array(text.utf8))
    return OriginImporters.all.contains { $0.format != .curl && $0.recognises(source) }
  }

  /// Whether the text of a file with a name is of another tool.
  package static func recognises(_ bytes: [UInt8], called name: String) -> Bool {
    OriginSelection(importers: OriginImporters.all)
      .recognises(OriginSource(name: name, bytes: bytes))
  }

  /// Whether a file or folder is of another tool by a first look; request files are not.
  package static func recognises(_ path: String) -> Bool {
    guard !FolderFiles.isRequestFile(path) else { return false }
    if FileSystem.isDirectory(path) {
      // A folder is known by what is at its top. One that can't be listed is told when it is read.
      let names = (try? FileSystem.list(path)) ?? []
      let files = names.map { TransferFile(path: $0, bytes: []) }
      return OriginSelection(importers: OriginImporters.all)
        .recognises(OriginSource(name: path, files: files))
    }
    // What can't be read is told by whoever imports it then.
    guard var source = try? OriginFiles.source(path, called: path) else { return false }
    if source.files == nil {
      // The same holds for what is no text.
      guard let bytes = try? SourceDecoding.decoded(source.bytes, of: path) else { return true }
      source.bytes = bytes
    }
    return OriginSelection(importers: OriginImporters.all).recognises(source)
  }
}
