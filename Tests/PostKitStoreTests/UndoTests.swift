// What is deleted from the collections can be taken back for 30 days.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct UndoTests {
  @Test(arguments: [
    Name.shop, Name.orders, Name.returns, Name.list, Name.dev, Name.everywhere, Name.host,
    Name.token,
  ])
  func `a deletion is taken back with all that belonged to it`(_ id: String) async throws {
    let store = try await SampleCollections.store()
    try await store.edit([
      .activate(environment: Name.dev, collection: Name.shop),
      .favourite(id: Name.list, true),
      .setDefaults(id: Name.orders, StoredDefaults(headers: [.init("Accept", "a")])),
      .setImportManifest(id: Name.shop, "{}"),
    ])
    let before = try await store.look { reader throws(StoreFailure) in try reader.all() }
    try await store.edit([.delete(id: id)])
    let between = try await store.look { reader throws(StoreFailure) in try reader.all() }
    #expect(between != before)
    let result = try await store.edit([.undo(id: nil)])
    #expect(result.ids == [id])
    let after = try await store.look { reader throws(StoreFailure) in try reader.all() }
    #expect(after == before)
    #expect(try await deletions(store).isEmpty)
  }

  @Test func `what an import remembers comes back with its collection, and a copy has none`()
    async throws
  {
    let store = try await SampleCollections.store()
    func manifest(_ id: String) async throws -> String? {
      try await store.look { reader throws(StoreFailure) in
        try reader.importManifest(ofCollection: id)
      }
    }
    #expect(try await manifest(Name.shop) == nil)
    try await store.edit([.setImportManifest(id: Name.shop, "{\"version\":1}")])
    try await store.edit([.duplicate(id: Name.shop, as: id(60))])
    #expect(try await manifest(id(60)) == nil)
    try await store.edit([.delete(id: Name.shop)])
    try await store.edit([.undo(id: nil)])
    #expect(try await manifest(Name.shop) == "{\"version\":1}")
    await refused(
      store, .notFound(Name.list), .setImportManifest(id: Name.list, "{}"))
  }

  @Test func `the last deletion comes first, and any can be named by either id`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([.delete(id: Name.list)])
    try await store.edit([.delete(id: Name.status)])
    let found = try await deletions(store)
    #expect(found.map(\.itemID) == [Name.status, Name.list])
    #expect(found.map(\.kind) == ["request", "request"])
    #expect(found.map(\.name) == ["GET /status", "GET /orders"])
    #expect(try await store.edit([.undo(id: Name.list)]).ids == [Name.list])
    #expect(try await store.edit([.undo(id: found[0].id)]).ids == [Name.status])
  }

  @Test func `what was made again stays, and the deletion too`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([.delete(id: Name.orders)])
    try await store.edit([
      .createFolder(id: id(50), name: "orders", in: .collection(Name.shop))
    ])
    await refused(store, .madeAgain(name: "orders", kind: "folder"), .undo(id: nil))
    try await store.edit([.rename(id: id(50), to: "others")])
    try await store.edit([.createFolder(id: Name.returns, name: "x", in: .collection(Name.notes))])
    await refused(store, .madeAgain(name: "orders", kind: "folder"), .undo(id: nil))
    #expect(try await deletions(store).count == 1)
  }

  @Test func `what had its name all along doesn't keep it from coming back`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([.duplicate(id: Name.list, as: id(51))])
    try await store.edit([.delete(id: Name.list)])
    #expect(try await store.edit([.undo(id: nil)]).ids == [Name.list])
    try await store.edit([.delete(id: Name.list)])
    try await store.edit([.duplicate(id: id(51), as: id(52))])
    await refused(store, .madeAgain(name: "GET /orders", kind: "request"), .undo(id: nil))
  }

  @Test func `after 30 days it is neither listed nor taken back, though it is still there`()
    async throws
  {
    let store = try await SampleCollections.store()
    try await store.edit([.delete(id: Name.list)])
    try await store.ageDeletions(by: DeletedItem.lifetime + 60_000)
    #expect(try await deletions(store).isEmpty)
    await refused(store, .nothingDeleted, .undo(id: nil))
    await refused(store, .notDeleted(Name.list), .undo(id: Name.list))
    let back = try await store.lookBack(atRequest: Name.list) { reader throws(StoreFailure) in
      try reader.request(id: Name.list)
    }
    #expect(back == nil)
    await CollectionEditor(store).settle()
    #expect(try await store.look { reader throws(StoreFailure) in
      try reader.deleted(before: .max)
    }.isEmpty)
  }

  @Test func `a damaged deletion is refused, and goes with the others`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([.delete(id: Name.list)])
    let deletion = try #require(try await deletions(store).first)
    try await store.damageDeletions()
    await refused(
      store, .notReadable(name: deletion.name, id: deletion.id), .undo(id: deletion.id))
    try await store.ageDeletions(by: DeletedItem.lifetime + 60_000)
    await CollectionEditor(store).settle()
    #expect(try await store.look { reader throws(StoreFailure) in
      try reader.deleted(before: .max)
    }.isEmpty)
  }

  @Test func `a look at what is deleted changes nothing`() async throws {
    let store = try await SampleCollections.store()
    let environments = try await store.look { reader throws(StoreFailure) in
      try reader.environments(of: Name.shop)
    }
    for id in [Name.list, Name.orders, Name.shop] { try await store.edit([.delete(id: id)]) }
    let before = try await deletions(store)
    let revision = try await store.collectionsRevision()
    let found = try await store.lookBack(atRequest: Name.list) { reader throws(StoreFailure) in
      (try reader.request(id: Name.list)?.folderID, try reader.environments(of: Name.shop))
    }
    #expect(!environments.isEmpty)
    #expect(found?.0 == Name.orders && found?.1 == environments)
    #expect(try await deletions(store) == before)
    #expect(try await store.collectionsRevision() == revision)
    let gone = try await store.look { reader throws(StoreFailure) in
      try reader.item(id: Name.list)
    }
    #expect(gone == nil)
    let other = try await store.lookBack(atRequest: Name.missing) { _ throws(StoreFailure) in 1 }
    #expect(other == nil)
  }

  @Test func `what something lay in comes back first`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([.delete(id: Name.list)])
    try await store.edit([.delete(id: Name.orders)])
    let folder = try await deletions(store)[0].id
    await refused(
      store, .ownerDeleted(name: "GET /orders", deletion: folder), .undo(id: Name.list))
    try await store.edit([.undo(id: folder), .undo(id: Name.list)])
    #expect(try await store.outline() == SampleCollections.store().outline())
  }

  @Test func `a folder comes back into the collection that its folder is in by then`()
    async throws
  {
    let store = try await SampleCollections.store()
    try await store.edit([.delete(id: Name.returns)])
    try await store.edit([.move(id: Name.orders, to: .collection(Name.notes))])
    try await store.edit([.undo(id: nil)])
    let item = try await store.look { reader throws(StoreFailure) in
      try reader.item(id: Name.back)
    }
    guard case .request(let back) = item else {
      Issue.record("the request is not back")
      return
    }
    #expect(back.collectionID == Name.notes)
  }

  @Test func `there must be a deletion`() async throws {
    let store = try await SampleCollections.store()
    await refused(store, .nothingDeleted, .undo(id: nil))
    await refused(store, .notDeleted(Name.list), .undo(id: Name.list))
    await refused(store, .notDeleted(Name.list), .discard(deletions: [Name.list]))
  }

  @Test func `a secret and the history's link stay as long as the deletion can be taken back`()
    async throws
  {
    let store = try await SampleCollections.store()
    try await store.secrets.setSecret("hush", of: Name.token)
    var exchange = Sample.exchange()
    exchange.storedRequestID = Name.list
    try await store.record(exchange)
    let editor = CollectionEditor(store)
    try await editor.edit([.delete(id: Name.shop)], secrets: [:])
    await editor.settle()
    #expect(try await store.secrets.secret(of: Name.token) == "hush")
    #expect(try await editor.unnamedSecrets() == [])
    #expect(try await store.exchange(id: exchange.id)?.storedRequestID == Name.list)

    let day: Int64 = 86_400_000
    await editor.settle(now: Clock.wallMilliseconds + 29 * day)
    #expect(try await deletions(store).count == 1)
    await editor.settle(now: Clock.wallMilliseconds + 31 * day)
    #expect(try await deletions(store).isEmpty)
    #expect(try await store.secrets.secret(of: Name.token) == nil)
    #expect(try await store.exchange(id: exchange.id)?.storedRequestID == nil)
    #expect(try await store.secretIntents().isEmpty)
  }

  @Test func `what was taken back keeps its secret when other deletions end`() async throws {
    let store = try await SampleCollections.store()
    try await store.secrets.setSecret("hush", of: Name.token)
    let editor = CollectionEditor(store)
    try await editor.edit([.delete(id: Name.dev)], secrets: [:])
    try await editor.edit([.undo(id: nil)], secrets: [:])
    await editor.settle(now: Clock.wallMilliseconds + 31 * 86_400_000)
    #expect(try await store.secrets.secret(of: Name.token) == "hush")
  }

  @Test func `only a request is a favourite, and that is no change of it`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([.favourite(id: Name.list, true)])
    let page = try await store.findRequests(favourites) { source, _ in
      StoredRequestContent(source: source, name: nil, method: "GET", url: source)
    }
    #expect(page.requests.map(\.request.id) == [Name.list])
    #expect(page.requests.first.map { $0.request.updatedAt == $0.request.createdAt } == true)
    await refused(
      store, .notPossible(operation: "a favourite", kind: "A folder"),
      .favourite(id: Name.orders, true))
    await refused(
      store, .notPossible(operation: "given defaults", kind: "A request"),
      .setDefaults(id: Name.list, StoredDefaults(auth: "Bearer x")))
  }

  private var favourites: RequestQuery {
    var query = RequestQuery()
    query.isFavourite = true
    return query
  }

  private func deletions(_ store: Store) async throws -> [DeletedItem] {
    try await store.look { reader throws(StoreFailure) in try reader.deleted() }
  }

  private func refused(
    _ store: Store, _ refusal: CollectionRefusal, _ edit: CollectionEdit,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await #expect(throws: StoreFailure.collection(refusal), sourceLocation: sourceLocation) {
      try await store.edit([edit])
    }
  }
}

extension Store {
  /// Makes all deletions older, in milliseconds.
  fileprivate func ageDeletions(by time: Int64) throws {
    _ = try openCollections().connection.run(
      "UPDATE trash SET deleted_at = deleted_at - ?", [.int(time)])
  }

  /// Makes what deletions keep no JSON any more.
  fileprivate func damageDeletions() throws {
    _ = try openCollections().connection.run(
      "UPDATE trash SET content = substr(content, 1, 10)", [])
  }
}
