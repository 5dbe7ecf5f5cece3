// The tree of collections is read level by level, in its order, and found by paths.

import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct CollectionTreeTests {
  @Test func `folders come before requests, each in their order`() async throws {
    let store = try await SampleCollections.store()
    expect(
      text(try await store.collectionTree()),
      is: """
        Shop 2
          orders 3
            returns 1
              DELETE /returns/1
            GET /orders
            POST /orders
          GET /status
        Notes 0

        """)
  }

  @Test(arguments: [
    (1, "Shop 2\nNotes 0\n"), (2, "Shop 2\n  orders 3\n  GET /status\nNotes 0\n"),
    (0, "Shop 2\nNotes 0\n"),
  ])
  func `a depth ends the tree, and counts say what is further down`(
    depth: Int, expected: String
  ) async throws {
    let store = try await SampleCollections.store()
    expect(text(try await store.collectionTree(depth: depth)), is: expected)
  }

  @Test func `a part of the tree can be asked for`() async throws {
    let store = try await SampleCollections.store()
    expect(
      text(try await store.collectionTree(in: .folder(Name.orders), depth: 1)),
      is: "returns 1\nGET /orders\nPOST /orders\n")
    #expect(try await store.collectionTree(in: .collection(Name.notes)).isEmpty)
    #expect(try await store.collectionTree(in: .folder(Name.missing)).isEmpty)
  }

  @Test func `environments come in the order of their collections, global ones last`()
    async throws
  {
    let store = try await SampleCollections.store()
    try await store.edit([
      .createEnvironment(id: id(50), name: "first", collection: Name.notes),
      .move(id: Name.notes, to: nil, at: .first),
      .activate(environment: Name.live, collection: Name.shop),
    ])
    let found = try await store.environmentsWithOwners().map { item, collection in
      let isActive = collection?.activeEnvironmentID == item.environment.id
      return "\(collection?.name ?? "-") \(item.environment.name) \(item.variables.map(\.key))"
        + (isActive ? " active" : "")
    }
    #expect(
      found == [
        #"Notes first []"#, #"Shop dev ["host", "token"]"#, #"Shop live ["host"] active"#,
        #"- everywhere ["agent"]"#,
      ])
  }

  @Test(arguments: [
    ("Shop", [Name.shop]), ("Shop/", [Name.shop]), ("Shop/orders", [Name.orders]),
    ("Shop/orders/returns/DELETE /returns/1", [Name.back]), ("Shop/GET /status", [Name.status]),
    ("Shop/GET", []), ("orders", []), ("", []), ("shop", []), ("Shop//orders", []),
  ])
  func `a path leads to what it names, slashes in names included`(
    path: String, expected: [String]
  ) async throws {
    let store = try await SampleCollections.store()
    let found = try await store.look { reader throws(StoreFailure) in
      try reader.items(path: path)
    }
    #expect(found.map(\.id) == expected)
  }

  @Test func `a path that means several things leads to all of them`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([
      .createFolder(id: id(80), name: "orders", in: .collection(Name.shop)),
      .createFolder(id: id(81), name: "a/b", in: .collection(Name.notes)),
      .createFolder(id: id(82), name: "a", in: .collection(Name.notes)),
      .createFolder(id: id(83), name: "b", in: .folder(id(82))),
    ])
    let orders = try await store.look { reader throws(StoreFailure) in
      try reader.items(path: "Shop/orders")
    }
    #expect(Set(orders.map(\.id)) == [Name.orders, id(80)])
    let slashed = try await store.look { reader throws(StoreFailure) in
      try reader.items(path: "Notes/a/b")
    }
    #expect(Set(slashed.map(\.id)) == [id(81), id(83)])
  }

  @Test(arguments: [1, 40])
  func `a tree of any width takes the same few statements`(width: Int) async throws {
    let store = try await Store.inMemory()
    var edits: [CollectionEdit] = []
    for number in 1...width {
      let (collection, folder) = (id(number), id(1_000 + number))
      edits += [
        .createCollection(id: collection, name: "c\(number)"),
        .createFolder(id: folder, name: "f", in: .collection(collection)),
        .createRequest(
          id: id(2_000 + number), SampleCollections.request("GET", "/"), in: .folder(folder)),
      ]
    }
    try await store.edit(edits)
    let before = await store.statementsOnCollections
    let tree = try await store.collectionTree()
    #expect(tree.count == width && tree[width - 1].children[0].children.count == 1)
    #expect(await store.statementsOnCollections - before == 6)
  }

  @Test func `environments come with their variables, in their order`() async throws {
    let store = try await SampleCollections.store()
    let own = try await store.look { reader throws(StoreFailure) in
      try reader.environments(of: Name.shop)
    }
    #expect(own.map(\.environment.name) == ["dev", "live"])
    #expect(own.map { $0.variables.map(\.key) } == [["host", "token"], ["host"]])
    #expect(own[0].variables.map(\.value) == ["localhost", nil])
    let global = try await store.look { reader throws(StoreFailure) in
      try reader.environments(of: nil)
    }
    #expect(global.map(\.environment.name) == ["everywhere"])
  }

  private func text(_ nodes: [CollectionNode], _ indent: String = "") -> String {
    nodes.map { node in
      let count = node.item.container == nil ? "" : " \(node.childCount)"
      return "\(indent)\(node.item.name)\(count)\n" + text(node.children, indent + "  ")
    }.joined()
  }
}

extension Store {
  /// How many statements were run on the collections.
  fileprivate var statementsOnCollections: Int { collections?.connection.statementCount ?? 0 }
}
