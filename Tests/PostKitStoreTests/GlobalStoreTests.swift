// Globals outlive a process, those of each folder and environment apart (PK-59).

import PostKitHTTP
import PostKitJSON
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct GlobalStoreTests {
  let owner = WorkspaceEnvironment(folder: "/w", environment: "dev")

  @Test func `globals are kept with their types until they are forgotten`() async throws {
    let directory = try TemporaryDirectory()
    let location = StoreLocation(directory: directory.path("store"))
    let store = try await Store.open(location)
    let members = [
      JSONMember("count", .number("1.50")), JSONMember("user", ["name": "Ada"]),
      JSONMember("word", "1"),
    ]
    try await store.keep(globals: members, forgetting: ["never"], of: owner)
    await store.close()

    let next = try await Store.open(location)
    #expect(try await next.globals(of: owner) == members)
    try await next.keep(globals: [JSONMember("word", "2")], forgetting: ["user"], of: owner)
    #expect(try await next.globals(of: owner) == [members[0], JSONMember("word", "2")])
    for other in [
      WorkspaceEnvironment(folder: "/w", environment: nil),
      WorkspaceEnvironment(folder: "/x", environment: "dev"),
    ] {
      #expect(try await next.globals(of: other) == [])
    }
    await next.close()
  }

  @Test func `other session values are no globals, nor is what is no JSON`() async throws {
    let store = try await Store.inMemory()
    try await store.setSessionValue("globals", folder: "/w", environment: "dev", to: "1")
    try await store.setSessionValue("global:x", folder: "/w", environment: "dev", to: "{")
    #expect(try await store.globals(of: owner) == [])
  }
}
