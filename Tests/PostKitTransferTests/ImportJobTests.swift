// An import from its order to its result, as the command line and the server ask for it.

import PostKitEvaluate
import PostKitSupport
import PostKitTestSupport
import Synchronization
import Testing

@testable import PostKitStore
@testable import PostKitTransfer

@Suite struct ImportJobTests {
  /// What a job has said of how far it is.
  private final class Reports: Sendable {
    private let texts = Mutex<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
  }

  private let reports = Reports()

  private func surroundings(
    _ store: Store?, reading: FileReading = FileReading()
  ) -> ImportJob.Surroundings {
    let reports = reports
    return ImportJob.Surroundings(
      reading: { path in
        reports.add("project of \(FilePath.name(path))")
        return reading
      },
      store: { store },
      content: { source, dialect, file in
        StoredRequestContent(
          source: source, name: nil, method: "GET", url: dialect?.rawValue ?? "")
      }, report: reports.add)
  }

  private func folder() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    try folder.write("api/a.http", bytes: Array("GET http://a.test/\n".utf8))
    try folder.write("api/sub/b.rest", bytes: Array("GET http://b.test/\n".utf8))
    try folder.write("api/notes.txt", bytes: Array("GET http://c.test/\n".utf8))
    try folder.write("api/prose.http", bytes: Array("Dear reader\n".utf8))
    try folder.write("empty/notes.txt", bytes: [])
    return folder
  }

  private func failure(_ job: ImportJob, _ store: Store? = nil) async -> ImportFailure? {
    do throws(ImportFailure) {
      _ = try await job.run(surroundings(store))
      return nil
    } catch {
      return error
    }
  }

  @Test func `a folder becomes a collection, and every step is told`() async throws {
    let (folder, store) = (try folder(), try await Store.inMemory())
    let job = ImportJob(.path(folder.path("api"), called: "api"))
    #expect(job.title == "Import api")
    let summary = try await job.run(surroundings(store))
    #expect(summary.sentence == "Imported 3 requests into `api`.")
    #expect(summary.warnings == ["notes.txt is left out: collections have no place for it."])
    let told = reports.all
    #expect(told.contains("4 files found") && told.contains("project of requests.http"))
    #expect(told.contains("reading sub/b.rest") && told.last == "3 of 3 requests")
    let again = await failure(job, store)
    #expect(again?.reason == .complete)
    let forced = ImportJob(job.source, replaces: true)
    #expect(try await forced.run(surroundings(store)).requests == 3)
  }

  @Test func `one file and a text are imported under the names that are asked for`() async throws {
    let (folder, store) = (try folder(), try await Store.inMemory())
    let path = folder.path("api/a.http")
    let file = ImportJob(.path(path, called: "a.http"))
    let kulala = FileReading(preset: .kulala)
    #expect(
      try await file.run(surroundings(store, reading: kulala)).sentence
        == "Imported 1 request into `a`.")
    #expect(reports.all.contains("project of a.http"))
    let stored = try await store.fetch(FetchDescriptor<Model.HTTPRequest>())
    #expect(stored.map(\.url) == ["kulala"])
    let named = ImportJob(.path(path, called: "a.http"), format: "http", name: "b")
    #expect(try await named.run(surroundings(store)).name == "b")
    let text = ImportJob(.text("GET http://a.test/\n"), format: Importers.anyFormat)
    #expect(text.title == "Import requests")
    #expect(try await text.run(surroundings(store)).name == "Imported")
  }

  @Test func `what can't be imported is said, before the store is asked for`() async throws {
    let folder = try folder()
    func path(_ name: String) -> ImportJob.Source { .path(folder.path(name), called: name) }
    let expected = RequestFolderReader.expectation
    let cases: [(ImportJob, String)] = [
      (
        ImportJob(path("api/notes.txt")),
        "api/notes.txt is not a .http or .rest file; name one, or a folder with some."
      ),
      (ImportJob(path("empty")), "empty has no .http or .rest file; name a folder with some."),
      (ImportJob(path("api/prose.http")), "api/prose.http has no request. \(expected)"),
      (ImportJob(.text("@a = 1")), "The text has no request. \(expected)"),
      (
        ImportJob(.text("GET /"), format: "postman"),
        "The format `postman` is not supported here. Use one of `auto`, `http`."
      ),
      (
        ImportJob(.text("GET http://a.test/")),
        "The store is not available, so nothing was imported."
      ),
    ]
    for (job, message) in cases { #expect(await failure(job)?.message == message) }
    let missing = await failure(ImportJob(path("missing")))
    #expect(missing?.reason == .file(.notFound(path: folder.path("missing"))))
  }

  @Test func `each format has a name, endings and an expectation of its own`() {
    #expect(Importers.formats == ["auto", "http"])
    for importer in Importers.all {
      #expect(Importers.named(importer.format)?.count == 1)
      #expect(!importer.title.isEmpty && importer.endings.allSatisfy { $0.hasPrefix(".") })
      #expect(importer.expectation.hasSuffix("."))
    }
    #expect(Importers.named(nil)?.count == Importers.all.count)
    #expect(Importers.named("har") == nil)
  }
}
