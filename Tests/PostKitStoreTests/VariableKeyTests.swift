// Each key of an environment is there once.

import Testing

@testable import PostKitStore

@Suite struct VariableKeyTests {
  private func refusal(_ store: Store, _ edit: CollectionEdit, importing: Bool = false) async
    -> String?
  {
    do throws(StoreFailure) {
      if importing {
        try await store.importEdits([edit])
      } else {
        try await store.edit([edit])
      }
      return nil
    } catch {
      return error.message
    }
  }

  @Test(arguments: [false, true])
  func `a second variable of a key is refused with the place of the first`(
    importing: Bool
  ) async throws {
    let store = try await SampleCollections.store()
    let edit = CollectionEdit.createVariable(
      id: id(40), key: "host", value: .plain("b"), environment: Name.dev)
    let message = await refusal(store, edit, importing: importing)
    #expect(
      message == "The environment `Shop/dev` already has the variable `host`, with the id "
        + "\(Name.host). Change that one, or choose another name.")
    #expect(try await store.count("variable") == 4)
  }

  @Test func `a variable can't get the key of another`() async throws {
    let store = try await SampleCollections.store()
    #expect(await refusal(store, .rename(id: Name.token, to: "host")) != nil)
    #expect(await refusal(store, .rename(id: Name.host, to: "host")) == nil)
    #expect(await refusal(store, .rename(id: Name.token, to: "Host")) == nil)
  }

  @Test func `what is imported again stays one variable`() async throws {
    let store = try await SampleCollections.store()
    let edit = CollectionEdit.createVariable(
      id: Name.host, key: "host", value: .plain("b"), environment: Name.dev)
    #expect(await refusal(store, edit, importing: true) == nil)
  }

  @Test func `copies of a variable have keys of their own`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([
      .duplicate(id: Name.host, as: id(41)), .duplicate(id: Name.host, as: id(42)),
    ])
    let environments = try await store.look { reader throws(StoreFailure) in
      try reader.environments(of: Name.shop)
    }
    let keys = environments[0].variables.map(\.key)
    #expect(Set(keys) == ["host", "host copy", "host copy 2", "token"])
  }
}
