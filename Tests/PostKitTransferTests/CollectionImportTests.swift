// Imports into the store: in transactions of bounded size, broken off and gone on with.

import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore
@testable import PostKitTransfer

@Suite struct CollectionImportTests {
  /// A collection of folders with a thousand requests each.
  private static func large(folders: Int = 5) -> ImportedCollection {
    ImportedCollection(
      name: "Large",
      folders: (0..<folders).map { folder in
        ImportedFolder(
          name: "folder \(folder)",
          requests: (0..<1_000).map { ImportedRequest(source: "GET /\(folder)/\($0)") })
      },
      environments: [
        ImportedEnvironment(
          name: "dev",
          variables: [
            ImportedVariable(name: "host", value: "http://a.test"),
            ImportedVariable(name: "token", value: "hush", isSecret: true),
          ])
      ], activeEnvironment: "dev")
  }

  private static func content(_ request: ImportedRequest) -> StoredRequestContent {
    let words = request.source.split(separator: " ").map(String.init)
    return StoredRequestContent(
      source: request.source, name: nil, method: words[0], url: words.dropFirst().joined())
  }

  private func run(
    _ collection: ImportedCollection, _ store: Store, replaces: Bool = false,
    progress: (CollectionImport.Progress) async -> Void = { _ in }
  ) async throws -> CollectionImport.Summary {
    try await CollectionImport(of: collection, into: store, content: Self.content)
      .run(replaces: replaces, progress: progress)
  }

  /// Imports a collection and cancels that when so many requests are in.
  private func interrupted(
    _ collection: ImportedCollection, _ store: Store, at count: Int
  ) async throws -> ImportFailure {
    await withTaskGroup(of: ImportFailure?.self) { group in
      group.addTask {
        do throws(ImportFailure) {
          _ = try await CollectionImport(of: collection, into: store, content: Self.content)
            .run(replaces: false) { progress in
              if progress.done >= count { withUnsafeCurrentTask { $0?.cancel() } }
            }
          return nil
        } catch {
          return error
        }
      }
      return await group.next() ?? nil
    } ?? ImportFailure(.complete, "it was not cancelled")
  }

  private func stored(_ store: Store) async throws -> ImportedCollection? {
    let row = try await store.fetch(FetchDescriptor<Model.Collection>()).first
    return try await ImportedCollection.read(id: row?.id ?? "", from: store)
  }

  /// The collection as it is read back: the values of secrets are kept elsewhere.
  private func withoutSecrets(_ collection: ImportedCollection) -> ImportedCollection {
    var result = collection
    for place in result.environments.indices {
      for variable in result.environments[place].variables.indices
      where result.environments[place].variables[variable].isSecret {
        result.environments[place].variables[variable].value = nil
      }
    }
    return result
  }

  @Test func `five thousand requests take a bounded number of transactions`() async throws {
    let store = try await Store.inMemory()
    let before = try await store.collectionsRevision()
    var seen: [CollectionImport.Progress] = []
    let summary = try await run(Self.large(), store) { seen.append($0) }
    #expect(summary.requests == 5_000 && summary.kept == 0 && summary.warnings == [])
    // The edits of requests, folders, the environment and its variables, 250 at a time.
    #expect(try await store.collectionsRevision() - before == 21)
    #expect(seen.count == 22 && seen.allSatisfy { $0.total == 5_000 })
    #expect(seen.first?.done == 0 && seen.last?.done == 5_000)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.done < $1.done })
    #expect(try await stored(store) == withoutSecrets(Self.large()))
  }

  @Test func `names become single lines, which is told`() async throws {
    let store = try await Store.inMemory()
    let collection = ImportedCollection(
      name: "A\nDELETE", folders: [ImportedFolder(name: "f\tg")],
      environments: [
        ImportedEnvironment(
          name: "d\ne", variables: [ImportedVariable(name: "v\u{1B}", value: "1")])
      ], activeEnvironment: "d\ne")
    let names = ["A DELETE", "d e", "v ", "f g"]
    let summary = try await run(collection, store)
    #expect(
      summary.warnings == names.map {
        "The name `\($0)` had line breaks or control characters; they are spaces now."
      })
    let read = try await stored(store)
    #expect(read?.name == names[0] && read?.folders.map(\.name) == [names[3]])
    #expect(read?.environments.map(\.name) == [names[1]] && read?.activeEnvironment == names[1])
    #expect(read?.environments.first?.variables.map(\.name) == [names[2]])
    // It is found again by the name that it has here.
    await #expect(throws: ImportFailure(.complete, "A\nDELETE")) {
      _ = try await run(collection, store)
    }
  }

  @Test func `a second variable of a key is left out, which is told`() async throws {
    let store = try await Store.inMemory()
    let collection = ImportedCollection(
      name: "A",
      environments: [
        ImportedEnvironment(
          name: "dev",
          variables: [
            ImportedVariable(name: "host", value: "1"), ImportedVariable(name: "host", value: "2"),
          ])
      ])
    let summary = try await run(collection, store)
    #expect(
      summary.warnings == [
        "A second variable `host` in `dev` is left out; the first is kept. Give one of them another "
          + "name."
      ])
    let variables = try await stored(store)?.environments.first?.variables
    #expect(variables?.map(\.value) == ["1"])
  }

  @Test func `a round trip through the disk and the store loses nothing`() async throws {
    for seed in 0..<20 {
      var random = RepeatableGenerator(seed: UInt64(seed))
      let collection = random.collection(isStorable: true)
      let folder = try TemporaryDirectory()
      let path = folder.path("out")
      let written = RequestFolderWriter.files(of: collection).files
      try FolderFiles.write(written, to: path, replaces: false)
      let found = try FolderFiles.read(path)
      let read = RequestFolderReader().read(found, at: path)
      #expect(read.warnings == [], "seed \(seed)")
      let store = try await Store.inMemory()
      let importing = CollectionImport(of: read.collection, into: store) { request in
        StoredRequestContent(
          source: request.source, name: nil, method: "GET", url: "", dialect: request.dialect)
      }
      let summary = try await importing.run(replaces: false) { _ in }
      #expect(summary.warnings == [], "seed \(seed)")
      let stored = try #require(
        try await ImportedCollection.read(id: summary.collection, from: store))
      #expect(stored == collection, "seed \(seed)")
      for place in [path, folder.path("again")] {
        let again = RequestFolderWriter.files(of: stored).files
        try FolderFiles.write(again, to: place, replaces: true)
        #expect(try FolderFiles.read(place) == found, "seed \(seed)")
      }
    }
  }

  @Test func `what a file shares among environments goes into each`() async throws {
    let store = try await Store.inMemory()
    func variable(_ name: String, _ value: String) -> ImportedVariable {
      ImportedVariable(name: name, value: value)
    }
    let shared = ImportedEnvironment(
      name: "$shared", variables: [variable("host", "s"), variable("id", "s")])
    let collection = ImportedCollection(
      name: "A",
      environments: [
        ImportedEnvironment(name: "dev", variables: [variable("host", "d")]), shared,
        ImportedEnvironment(name: "prod"),
      ])
    let summary = try await run(collection, store)
    #expect(
      summary.warnings == [
        "The variables of `$shared` were copied into each environment that has none of their names."
      ])
    #expect(
      try await stored(store)?.environments == [
        ImportedEnvironment(name: "dev", variables: [variable("host", "d"), variable("id", "s")]),
        ImportedEnvironment(name: "prod", variables: shared.variables),
      ])
    let alone = try await run(ImportedCollection(name: "B", environments: [shared]), store)
    #expect(
      alone.warnings == [
        "The environment `$shared` is left out: its name is invalid."
      ])
  }

  @Test func `a global environment that is in use is not lost without a word`() async throws {
    let store = try await Store.inMemory()
    let (id, global) = (Identifier.next(), Identifier.next())
    try await store.edit([
      .createCollection(id: id, name: "A"),
      .createEnvironment(id: global, name: "everywhere", collection: nil),
      .activate(environment: global, collection: id),
    ])
    let read = try #require(try await stored(store))
    #expect(read.activeEnvironment == "everywhere" && read.environments == [])
    #expect(RequestFolderWriter.files(of: read).warnings.count == 1)
  }

  @Test func `a transaction holds a bounded number of bytes`() async throws {
    let store = try await Store.inMemory()
    let text = "GET /" + String(repeating: "x", count: 400_000)
    let big = "GET /" + String(repeating: "y", count: 3_000_000)
    let sources = [text, text, text, text, big, text]
    let collection = ImportedCollection(
      name: "Big", requests: sources.map { ImportedRequest(source: $0) })
    let before = try await store.collectionsRevision()
    #expect(try await run(collection, store).requests == 6)
    #expect(try await store.collectionsRevision() - before == 4)
  }

  @Test func `a cancelled import says how far it came, and repeating it adds the rest`()
    async throws
  {
    let store = try await Store.inMemory()
    let failure = try await interrupted(Self.large(), store, at: 2_000)
    #expect(failure.reason == .cancelled)
    let done = try await store.fetch(FetchDescriptor<Model.HTTPRequest>()).count
    #expect((2_000..<2_251).contains(done))
    #expect(
      failure.message == "The import was cancelled. \(done) of 5000 requests are in the collection "
        + "`Large`; repeat the import to add the others.")
    let summary = try await run(Self.large(), store)
    #expect(summary.kept == done && summary.requests == 5_000 - done)
    #expect(try await stored(store) == withoutSecrets(Self.large()))
    let again = await #expect(throws: ImportFailure.self) { try await run(Self.large(), store) }
    #expect(again?.reason == .complete)
  }

  @Test func `what was changed since an import was broken off stays as it is`() async throws {
    let store = try await Store.inMemory()
    _ = try await interrupted(Self.large(folders: 1), store, at: 500)
    let row = try #require(
      try await store.fetch(FetchDescriptor<Model.HTTPRequest>(where: { $0.url == "/0/7" })).first)
    let collection = row.collectionID
    try await store.edit([
      .update(request: row.id, Self.content(ImportedRequest(source: "GET /mine"))),
      .activate(environment: nil, collection: collection),
    ])
    let other = Identifier.next()
    try await store.edit([
      .createEnvironment(id: other, name: "own", collection: collection),
      .activate(environment: other, collection: collection),
    ])
    _ = try await run(Self.large(folders: 1), store)
    let stored = try #require(try await stored(store))
    #expect(stored.folders[0].requests.map(\.source).contains("GET /mine"))
    #expect(stored.folders[0].requests.count == 1_000 && stored.activeEnvironment == "own")
    // That is overwritten only when it is asked for.
    _ = try await run(Self.large(folders: 1), store, replaces: true)
    let replaced = try #require(try await self.stored(store))
    #expect(replaced.folders == Self.large(folders: 1).folders)
    #expect(replaced.activeEnvironment == "dev")
  }

  @Test func `values of secrets are kept apart, and an import that goes on leaves them`()
    async throws
  {
    let store = try await Store.inMemory()
    let small = Self.large(folders: 0)
    _ = try await run(small, store)
    let token = try #require(
      try await store.fetch(FetchDescriptor<Model.Variable>(where: { $0.isSecret == true })).first)
    #expect(token.value == nil)
    #expect(try await store.secrets.secret(of: token.id) == "hush")
    try await store.secrets.setSecret("newer", of: token.id)
    var more = small
    more.requests = [ImportedRequest(source: "GET /more")]
    #expect(try await run(more, store).requests == 1)
    #expect(try await store.secrets.secret(of: token.id) == "newer")
    _ = try await run(more, store, replaces: true)
    #expect(try await store.secrets.secret(of: token.id) == "hush")
  }

  @Test func `another collection of the name is left alone`() async throws {
    let store = try await Store.inMemory()
    let id = Identifier.next()
    let request = Identifier.next()
    let content = Self.content(ImportedRequest(source: "GET /own"))
    try await store.edit([
      .createCollection(id: id, name: "Large"),
      .createRequest(id: request, content, in: .collection(id)),
    ])
    for replaces in [false, true] {
      let failure = await #expect(throws: ImportFailure.self) {
        try await run(Self.large(folders: 0), store, replaces: replaces)
      }
      #expect(failure?.reason == .nameTaken)
    }
    try await store.edit([.delete(id: request)])
    #expect(try await run(Self.large(folders: 0), store).collection == id, "it is empty now")
  }

  @Test(arguments: [1, 1_000])
  func `of two imports that found nothing the second goes on with what the first made`(
    _ count: Int
  ) async throws {
    let store = try await Store.inMemory()
    let collection = Self.large(folders: 1)
    var isFirst = true
    var other: ImportFailure?
    let importing = CollectionImport(of: collection, into: store, content: Self.content)
    do throws(ImportFailure) {
      _ = try await importing.run(replaces: false) { _ in
        guard isFirst else { return }
        isFirst = false
        other = try? await interrupted(collection, store, at: count)
      }
      #expect(count == 1)
    } catch {
      #expect(error.reason == .complete)
      #expect(count == 1_000)
    }
    #expect(other != nil)
    let names = try await store.fetch(FetchDescriptor<Model.Collection>()) { $0.name }
    #expect(names == ["Large"])
    #expect(try await stored(store) == withoutSecrets(collection))
  }

  @Test func `things of one name in one place are told apart`() async throws {
    let store = try await Store.inMemory()
    let twins = ImportedFolder(
      name: "twin", requests: (0..<3).map { _ in ImportedRequest(source: "GET /same") })
    let collection = ImportedCollection(name: "Twins", folders: [twins, twins])
    #expect(try await run(collection, store).requests == 6)
    #expect(try await stored(store) == collection)
  }
}
