// Each delete rule of the model, tested by deleting the owner.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct CollectionDeletionTests {
  @Test func `with a collection goes all that belongs to it`() async throws {
    let store = try await SampleCollections.store()
    #expect(
      try await store.contents(of: Name.shop)
        == CollectionContents(folders: 2, requests: 4, environments: 2, variables: 3))
    try await store.edit([.delete(id: Name.shop)])
    let result = try await discarded(store)
    #expect(Set(result.deletedRequests) == [Name.list, Name.create, Name.back, Name.status])
    #expect(result.droppedSecrets == [Name.token])
    expect(
      try await store.outline(),
      is: """
        Notes
        [everywhere] agent=postkit
        """)
    for table in ["folder", "http_request", "request_header", "query_parameter"] {
      #expect(try await store.count(table) == 0, "\(table)")
    }
    #expect(try await store.count("variable") == 1)
  }

  @Test func `with a folder go the folders and requests in it`() async throws {
    let store = try await SampleCollections.store()
    #expect(
      try await store.contents(of: Name.orders) == CollectionContents(folders: 1, requests: 3))
    try await store.edit([.delete(id: Name.orders)])
    let result = try await discarded(store)
    #expect(Set(result.deletedRequests) == [Name.list, Name.create, Name.back])
    #expect(try await store.count("folder") == 0)
    #expect(try await store.count("http_request") == 1)
    #expect(try await store.count("request_header") == 0)
  }

  @Test func `with a request go its headers and parameters`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([.delete(id: Name.list)])
    #expect(try await store.count("request_header") == 0)
    #expect(try await store.count("query_parameter") == 0)
    #expect(try await store.count("http_request") == 3)
  }

  @Test func `with an environment go its variables and the choice of it`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([.activate(environment: Name.dev, collection: Name.shop)])
    #expect(try await store.contents(of: Name.dev) == CollectionContents(variables: 2))
    try await store.edit([.delete(id: Name.dev)])
    let result = try await discarded(store)
    #expect(result.droppedSecrets == [Name.token])
    #expect(try await store.active(of: Name.shop) == nil)
    #expect(try await store.count("variable") == 2)
  }

  @Test func `a global environment stays while a collection has it active`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([
      .activate(environment: Name.everywhere, collection: Name.shop),
      .activate(environment: Name.everywhere, collection: Name.notes),
    ])
    let refusal = CollectionRefusal.environmentInUse(
      name: "everywhere", collections: ["Shop", "Notes"])
    await #expect(throws: StoreFailure.collection(refusal)) {
      try await store.edit([.delete(id: Name.everywhere)])
    }
    expect(
      refusal.message,
      is: "The global environment `everywhere` is active in `Shop`, `Notes`. Choose another "
        + "environment there first, or none.")
    try await store.edit([
      .activate(environment: nil, collection: Name.shop), .delete(id: Name.notes),
      .delete(id: Name.everywhere),
    ])
    #expect(try await store.count("environment") == 2)
  }

  @Test func `the file itself refuses to delete a global environment in use`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([.activate(environment: Name.everywhere, collection: Name.shop)])
    await #expect(throws: SQLiteError.self) {
      try await store.delete(Name.everywhere, from: "environment")
    }
    #expect(try await store.count("environment") == 3)
  }

  @Test func `an edit is made although the history can't be written`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await SampleCollections.fill(store)
    var exchange = Sample.exchange()
    exchange.storedRequestID = Name.list
    try await store.record(exchange)
    let other = try Connection(path: place.store.historyPath)
    try other.execute("PRAGMA user_version = \(99 << 16)")
    other.close()
    try await store.edit([.delete(id: Name.list)])
    let result = try await discarded(store)
    #expect(result.deletedRequests == [Name.list])
    await store.close()
  }

  @Test func `the history outlives the request that made it`() async throws {
    let store = try await SampleCollections.store()
    var exchange = Sample.exchange()
    exchange.storedRequestID = Name.list
    try await store.record(exchange)
    #expect(try await store.exchange(id: exchange.id)?.storedRequestID == Name.list)
    try await store.edit([.delete(id: Name.shop)])
    _ = try await discarded(store)
    let kept = try #require(try await store.exchange(id: exchange.id))
    #expect(kept.storedRequestID == nil)
    exchange.storedRequestID = nil
    #expect(kept == exchange)
  }

  /// Lets go of all that can be taken back.
  private func discarded(_ store: Store) async throws -> CollectionEditResult {
    let deleted = try await store.look { reader throws(StoreFailure) in try reader.deleted() }
    return try await store.edit([.discard(deletions: deleted.map(\.id))])
  }
}
