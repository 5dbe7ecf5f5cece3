// A kill while a secret is set or deleted leaves no value that nothing names.

import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct SecretIntentTests {
  private func store() async throws -> Store {
    let store = try await SampleCollections.store()
    try await store.secrets.setSecret("hush", of: Name.token)
    return store
  }

  @Test func `a value whose variable was never made is deleted by the next one to come`()
    async throws
  {
    let store = try await store()
    let id = Identifier.next()
    let make = CollectionChange { _ in
      CollectionPlan(
        [.createVariable(id: id, key: "pin", value: .secret, environment: Name.live)],
        secrets: [id: "1234"])
    }
    let values = try await store.intend(make)
    #expect(values == [id: "1234"])
    try await store.secrets.setSecret("1234", of: id)
    // Here it is killed.
    await CollectionEditor(store).settle()
    #expect(try await store.secrets.secret(of: id) == nil)
    #expect(try await store.secrets.secret(of: Name.token) == "hush")
    #expect(try await store.secretIntents().isEmpty)
  }

  @Test func `values that no variable names are counted, and deleted when that is asked for`()
    async throws
  {
    let store = try await store()
    let editor = CollectionEditor(store)
    #expect(try await editor.unnamedSecrets() == [])
    let orphans = [Identifier.next(), Identifier.next()].sorted()
    for id in orphans { try await store.secrets.setSecret("left", of: id) }
    await editor.settle()
    #expect(try await editor.unnamedSecrets() == orphans)
    #expect(try await editor.deleteUnnamedSecrets() == 2)
    #expect(try await editor.unnamedSecrets() == [])
    #expect(try await store.secrets.secret(of: Name.token) == "hush")
  }

  @Test func `the value of a variable that is there is kept`() async throws {
    let store = try await store()
    let set = CollectionChange { _ in
      CollectionPlan([.setVariable(id: Name.token, .secret)], secrets: [Name.token: "new"])
    }
    _ = try await store.intend(set)
    try await store.secrets.setSecret("new", of: Name.token)
    await CollectionEditor(store).settle()
    #expect(try await store.secrets.secret(of: Name.token) == "new")
    #expect(try await store.secretIntents().isEmpty)
  }

  @Test(arguments: [
    CollectionEdit.delete(id: Name.token), .delete(id: Name.dev), .delete(id: Name.shop),
    .setVariable(id: Name.token, .plain("open")),
  ])
  func `a value whose variable is gone is deleted by the next one to come`(
    _ edit: CollectionEdit
  ) async throws {
    let store = try await store()
    // Killed between the rows and the secret.
    try await store.edit([edit])
    let deleted = try await store.look { reader throws(StoreFailure) in try reader.deleted() }
    try await store.edit([.discard(deletions: deleted.map(\.id))])
    #expect(try await store.secrets.secret(of: Name.token) == "hush")
    await CollectionEditor(store).settle()
    #expect(try await store.secrets.secret(of: Name.token) == nil)
    #expect(try await store.secretIntents().isEmpty)
  }

  @Test func `what is done leaves nothing noted`() async throws {
    let store = try await store()
    let editor = CollectionEditor(store)
    try await editor.edit(
      [.setVariable(id: Name.token, .kept("new")), .duplicate(id: Name.dev, as: id(70))],
      secrets: [:])
    try await editor.edit([.delete(id: Name.dev)], secrets: [:])
    let deleted = try await store.look { reader throws(StoreFailure) in try reader.deleted() }
    try await editor.edit([.discard(deletions: deleted.map(\.id))], secrets: [:])
    #expect(try await store.secretIntents().isEmpty)
    #expect(try await store.secrets.secret(of: Name.token) == nil)
  }
}
