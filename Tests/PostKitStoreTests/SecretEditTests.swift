// Secrets follow the variables that they belong to: they come, go and are copied with them.

import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct SecretEditTests {
  /// The sample collections, in which the token of `dev` has a secret.
  private func store() async throws -> Store {
    let store = try await SampleCollections.store()
    try await store.secrets.setSecret("hush", of: Name.token)
    return store
  }

  @Test func `a secret comes with the edit that makes its variable`() async throws {
    let store = try await store()
    let id = Identifier.next()
    let make = CollectionEdit.createVariable(
      id: id, key: "pin", value: .secret, environment: Name.live)
    try await CollectionEditor(store).edit([make], secrets: [id: "1234"])
    #expect(try await store.secrets.secret(of: id) == "1234")
    try await CollectionEditor(store).edit([.setVariable(id: id, .secret)], secrets: [id: "5678"])
    #expect(try await store.secrets.secret(of: id) == "5678")
  }

  @Test func `a value without a kind stays as secret as its variable is`() async throws {
    let store = try await store()
    let editor = CollectionEditor(store)
    try await editor.edit(
      [.setVariable(id: Name.token, .kept("new")), .setVariable(id: Name.host, .kept("b.test"))],
      secrets: [:])
    #expect(try await store.secrets.secret(of: Name.token) == "new")
    #expect(try await store.outline().contains("[dev] host=b.test token=***"))
    try await editor.edit(
      [.setVariable(id: Name.token, .plain("open")), .setVariable(id: Name.token, .kept("a"))],
      secrets: [:])
    #expect(try await store.outline().contains("[dev] host=b.test token=a"))
  }

  @Test func `a variable that was made a secret meanwhile is not written plainly`() async throws {
    let store = try await store()
    await #expect(throws: StoreFailure.collection(.stale)) {
      try await store.edit([.setVariable(id: Name.token, .kept("canary"))])
    }
  }

  @Test func `what becomes a secret again keeps the value that it then gets`() async throws {
    let store = try await store()
    try await CollectionEditor(store).edit(
      [.setVariable(id: Name.token, .plain("open")), .setVariable(id: Name.token, .secret)],
      secrets: [Name.token: "hidden"])
    #expect(try await store.secrets.secret(of: Name.token) == "hidden")
  }

  @Test func `an edit that is refused leaves the secrets as they were`() async throws {
    let store = try await store()
    let id = Identifier.next()
    await #expect(throws: StoreFailure.collection(.notFound(Name.missing))) {
      try await CollectionEditor(store).edit(
        [.setVariable(id: Name.token, .secret), .delete(id: Name.missing)],
        secrets: [id: "new", Name.token: "other"])
    }
    #expect(try await store.secrets.secret(of: id) == nil)
    #expect(try await store.secrets.secret(of: Name.token) == "hush")
  }

  @Test(arguments: [
    CollectionEdit.delete(id: Name.token), .delete(id: Name.dev), .delete(id: Name.shop),
    .setVariable(id: Name.token, .plain("open")),
  ])
  func `a secret goes with its variable, environment or collection, for good`(
    _ edit: CollectionEdit
  ) async throws {
    let store = try await store()
    try await CollectionEditor(store).edit([edit], secrets: [:])
    try await discard(store)
    #expect(try await store.secrets.secret(of: Name.token) == nil)
  }

  @Test func `a copy of an environment has a copy of its secret`() async throws {
    let store = try await store()
    let result = try await CollectionEditor(store).edit(
      [.duplicate(id: Name.dev, as: Identifier.next())], secrets: [:])
    let copy = try #require(result.copiedSecrets.first?.copy)
    #expect(try await store.secrets.secret(of: copy) == "hush")
    try await CollectionEditor(store).edit([.delete(id: Name.dev)], secrets: [:])
    try await discard(store)
    #expect(try await store.secrets.secret(of: copy) == "hush")
    #expect(try await store.secrets.secret(of: Name.token) == nil)
  }

  private func discard(_ store: Store) async throws {
    let deleted = try await store.look { reader throws(StoreFailure) in try reader.deleted() }
    try await CollectionEditor(store).edit(
      [.discard(deletions: deleted.map(\.id))], secrets: [:])
  }

  @Test func `forgetting the history leaves secrets alone`() async throws {
    let store = try await store()
    try await store.record(Sample.exchange())
    _ = try await store.forget(.all)
    #expect(try await store.secrets.secret(of: Name.token) == "hush")
  }
}
