// An import from its order to its result: the command line and the server differ only in who asks,
// and in how they show what is said.

package import PostKitEvaluate
package import PostKitStore
import PostKitSupport

/// An order to import something as a collection.
package struct ImportJob: Sendable {
  /// What is imported.
  package enum Source: Sendable, Hashable {
    /// A folder or a file, with the name by which the user knows it.
    case path(String, called: String)
    case text(String)
  }

  /// What an import needs of who asks for it.
  package struct Surroundings: Sendable {
    /// How the project around a file reads those that say nothing of it.
    var reading: @Sendable (String) async -> FileReading
    /// The store, opened when something was read; `nil` where there is none.
    var store: @Sendable () async -> Store?
    /// What is stored of a request with a dialect from a file.
    var content: @Sendable (String, DialectPreset?, String?) -> StoredRequestContent
    /// Told how far it is, in words for a line that is overwritten.
    var report: @Sendable (String) -> Void

    /// Makes the surroundings.
    package init(
      reading: @escaping @Sendable (String) async -> FileReading,
      store: @escaping @Sendable () async -> Store?,
      content: @escaping @Sendable (String, DialectPreset?, String?) -> StoredRequestContent,
      report: @escaping @Sendable (String) -> Void
    ) {
      (self.reading, self.store, self.content, self.report) = (reading, store, content, report)
    }
  }

  package var source: Source
  /// The format; `nil` for any that recognises the source.
  package var format: String?
  /// The name that the collection gets in place of its own.
  package var name: String?
  /// Whether an earlier import is brought up to date.
  package var replaces = false

  /// Makes an order.
  package init(
    _ source: Source, format: String? = nil, name: String? = nil, replaces: Bool = false
  ) {
    (self.source, self.format, self.name, self.replaces) = (source, format, name, replaces)
  }

  /// What goes on, such as `Import api`.
  package var title: String {
    if case .path(let path, _) = source { return "Import \(name ?? FilePath.name(path))" }
    return "Import \(name ?? "requests")"
  }

  /// Reads the source and puts it into the store. A cancelled task ends it between two
  /// transactions; what was stored by then stays.
  package func run(
    _ surroundings: Surroundings
  ) async throws(ImportFailure) -> CollectionImport.Summary {
    let read = try await read(surroundings)
    guard let store = await surroundings.store() else { throw ImportFailure(.noStore) }
    let imported = CollectionImport(of: read.collection, into: store) { request in
      surroundings.content(
        request.source, request.dialect.flatMap(DialectPreset.init(rawValue:)), request.file)
    }
    var summary = try await imported.run(replaces: replaces) { progress in
      surroundings.report("\(progress.done) of \(progress.total) requests")
    }
    summary.warnings = read.warnings + summary.warnings
    return summary
  }

  /// Reads the source, and nothing else happens.
  private func read(_ surroundings: Surroundings) async throws(ImportFailure) -> ImportResult {
    guard let formats = Importers.named(format) else {
      throw ImportFailure(.unusable(Importers.unsupported(format ?? "", known: Importers.formats)))
    }
    var result: ImportResult
    switch source {
    case .text(let text):
      let file = TransferFile(path: "text.http", bytes: Array(text.utf8))
      let importer = formats.map { $0.init(reading: FileReading()) }
        .first { $0.recognises([file]) && $0.holdsRequest(file) }
      guard let importer else { throw empty("The text", formats) }
      result = importer.read(file, name: "Imported")
    case .path(let path, let called):
      result = try await read(path, called, formats, surroundings)
    }
    if let name { result.collection.name = name }
    return result
  }

  private func read(
    _ path: String, _ called: String, _ formats: [any Importer.Type],
    _ surroundings: Surroundings
  ) async throws(ImportFailure) -> ImportResult {
    if FileSystem.isRegularFile(path), !Importers.takes(path) {
      throw ImportFailure(.otherFile(called))
    }
    let found: FolderFiles.Contents
    do throws(FileFailure) {
      // A large folder takes its time, and whoever asks has other things to do.
      found = try await SerialQueueExecutor().perform { () throws(FileFailure) in
        try FolderFiles.read(path) { surroundings.report("\($0) files found") }
      }
    } catch {
      throw ImportFailure(.file(error))
    }
    let inside = found.isOneFile ? path : FilePath.join(path, "requests.http")
    let reading = await surroundings.reading(inside)
    guard var importer = formats.map({ $0.init(reading: reading) })
      .first(where: { $0.recognises(found.files) })
    else {
      throw ImportFailure(
        .unusable(
          "\(called) has no \(Importers.endings) file; name a folder with some.",
          warnings: found.warnings))
    }
    if found.isOneFile, let file = found.files.first, !importer.holdsRequest(file) {
      throw empty(called, [type(of: importer)])
    }
    importer.onFile = { surroundings.report("reading \($0)") }
    return importer.read(found, at: path)
  }

  private func empty(_ what: String, _ formats: [any Importer.Type]) -> ImportFailure {
    let expectation = formats.map { $0.expectation }.joined(separator: " ")
    return ImportFailure(.unusable("\(what) has no request. \(expectation)"))
  }
}
