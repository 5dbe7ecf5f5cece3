// All collections as rows, brought into stores that have some of them, others or none.

import PostKitJSON
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct RestoreTests {
  private func rows(_ store: Store) async throws -> KeptRows {
    try await store.look { reader throws(StoreFailure) in try reader.all() }
  }

  @Test func `an empty store gets all with the same ids`() async throws {
    let kept = try await rows(SampleCollections.store())
    let store = try await Store.inMemory()
    try await store.edit([.restore(KeptRows(kept.json))])
    #expect(try await rows(store) == kept)
    #expect(kept.secrets.map(\.key) == ["token"])
    #expect(kept.secrets.map(\.environment) == ["dev"])
  }

  @Test func `what is there is brought up to date, and nothing is lost`() async throws {
    let store = try await SampleCollections.store()
    let kept = try await rows(store)
    try await store.edit([
      .rename(id: Name.shop, to: "Other"), .move(id: Name.list, to: .collection(Name.notes)),
      .delete(id: Name.create), .setVariable(id: Name.host, .plain("changed")),
      .createRequest(
        id: id(60), SampleCollections.request("GET", "/new"), in: .folder(Name.orders)),
      .createVariable(id: id(61), key: "pin", value: .plain("1"), environment: Name.dev),
    ])
    try await store.edit([.restore(kept)])
    var after = try await rows(store)
    #expect(Set(after.ids) == Set(kept.ids + [id(60), id(61)]))
    try await store.edit([.delete(id: id(60)), .delete(id: id(61))])
    after = try await rows(store)
    #expect(after == kept)
  }

  @Test func `a variable that has the key by now stays`() async throws {
    let store = try await SampleCollections.store()
    let kept = try await rows(store)
    try await store.edit([
      .delete(id: Name.host),
      .createVariable(id: id(61), key: "host", value: .plain("mine"), environment: Name.dev),
    ])
    try await store.edit([.restore(kept)])
    #expect(try await store.outline(of: Name.shop).contains("token=*** host=mine"))
  }

  @Test func `rows that belong to nothing, or to each other, change nothing`() async throws {
    let store = try await SampleCollections.store()
    let kept = try await rows(store)
    func text(_ change: (String) -> String) throws -> KeptRows {
      KeptRows(try JSONTree(parsing: Array(change(kept.json.text).utf8)).root.value)
    }
    let cycle = try text {
      $0.replacing(
        "\"parentId\":null,\"name\":\"orders\"",
        with: "\"parentId\":\"\(Name.returns)\",\"name\":\"orders\"")
    }
    let orphan = try text { $0.replacing(Name.notes, with: Name.missing).replacing(
      "\"folderId\":\"\(Name.orders)\"", with: "\"folderId\":\"\(Name.missing)\"") }
    let other = try text { $0.replacing(Name.list, with: Name.token) }
    for rows in [cycle, orphan, other] {
      await #expect(throws: StoreFailure.self) { try await store.edit([.restore(rows)]) }
    }
    #expect(try await rows(store) == kept)
  }
}
