// Collections change by lists of edits: all of a list or nothing, and what belongs to something
// goes with it.

import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct CollectionEditTests {
  // MARK: - Making

  @Test func `what is made lies where it was put, in its order`() async throws {
    let store = try await SampleCollections.store()
    expect(
      try await store.outline(),
      is: """
        Shop
          orders/
            returns/
              DELETE /returns/1
            GET /orders
            POST /orders
          GET /status
          [dev] host=localhost token=***
          [live] host=shop.example
        Notes
        [everywhere] agent=postkit
        """)
  }

  @Test func `headers and parameters keep their order and may repeat`() async throws {
    let store = try await SampleCollections.store()
    let fields = try await store.fields(of: Name.list)
    expect(
      fields.joined(separator: "\n"),
      is: "Accept: text/html\nAccept: application/json\npage=1\npage=2")
  }

  @Test func `an update keeps the rows of headers by their place`() async throws {
    let store = try await SampleCollections.store()
    let before = try await store.fieldIDs(of: Name.list)
    var content = SampleCollections.request("GET", "/orders")
    content.headers = [StoredField("Accept", "text/html"), StoredField("X-New", "1")]
    content.parameters = [StoredField("page", "1")]
    try await store.edit([.update(request: Name.list, content)])
    #expect(
      try await store.fields(of: Name.list) == ["Accept: text/html", "X-New: 1", "page=1"])
    #expect(try await store.fieldIDs(of: Name.list) == Array(before.prefix(3)))
  }

  @Test func `an id that exists is refused and an import brings it up to date`() async throws {
    let store = try await SampleCollections.store()
    let again = CollectionEdit.createFolder(
      id: Name.orders, name: "purchases", in: .collection(Name.notes))
    await refused(.idExists(Name.orders)) { try await store.edit([again]) }
    try await store.importEdits([again])
    expect(
      try await store.outline(of: Name.notes),
      is: """
        Notes
          purchases/
            returns/
              DELETE /returns/1
            GET /orders
            POST /orders
        """)
    let other = CollectionEdit.createCollection(id: Name.orders, name: "not a folder")
    await refused(.idExists(Name.orders)) { try await store.importEdits([other]) }
  }

  @Test(arguments: ["", "../x", "0190A1B2-0000-7000-8000-000000000001", "1"])
  func `what is no id is refused`(id: String) async throws {
    let store = try await Store.inMemory()
    await refused(.badID(id)) { try await store.edit([.createCollection(id: id, name: "A")]) }
  }

  @Test func `names are never empty`() async throws {
    let store = try await SampleCollections.store()
    await refused(.emptyName) { try await store.edit([.rename(id: Name.shop, to: " ")]) }
  }

  @Test(arguments: ["a\nDELETE http://t.test", "a\tb", "\u{1B}[2J", "a\u{85}"])
  func `names have no control characters`(name: String) async throws {
    let store = try await SampleCollections.store()
    let edits: [CollectionEdit] = [
      .createCollection(id: Name.missing, name: name),
      .createFolder(id: Name.missing, name: name, in: .collection(Name.shop)),
      .createEnvironment(id: Name.missing, name: name, collection: nil),
      .createVariable(id: Name.missing, key: name, value: .plain(""), environment: Name.dev),
      .rename(id: Name.shop, to: name),
    ]
    for edit in edits { await refused(.controlCharacter) { try await store.edit([edit]) } }
    await refused(.controlCharacter) { try await store.importEdits([edits[0]]) }
  }

  @Test func `a request is renamed by the text that it has by then`() async throws {
    let store = try await SampleCollections.store()
    var content = SampleCollections.request("PUT", "/orders")
    content.source = "PUT /orders"
    try await store.edit(
      [.update(request: Name.list, content), .rename(id: Name.list, to: "all")]
    ) { source, _, name in
      var renamed = SampleCollections.request("PUT", "/orders")
      (renamed.name, renamed.source) = (name, "### \(name)\n\(source)")
      return renamed
    }
    let source = try await store.look { reader throws(StoreFailure) in
      try reader.source(ofRequest: Name.list)
    }
    #expect(source == "### all\nPUT /orders")
    await refused(.requestName("b")) {
      try await store.edit([.rename(id: Name.list, to: "b")]) { _, _, _ in nil }
    }
  }

  @Test func `saving twice makes one request`() async throws {
    let store = try await SampleCollections.store()
    let content = SampleCollections.request("PATCH", "/orders")
    let (first, second, folder) = (Identifier.next(), Identifier.next(), Identifier.next())
    let result = try await store.edit([
      .createFolder(id: folder, name: "new", in: .either(Name.orders)),
      .saveRequest(id: first, content, in: .either(folder)),
      .saveRequest(id: second, content, in: .folder(folder)),
    ])
    #expect(result.ids == [folder, first, first])
    await refused(.notFound(first)) {
      try await store.edit([.saveRequest(id: second, content, in: .either(first))])
    }
    await refused(.cycle("orders")) {
      try await store.edit([.move(id: Name.orders, to: .either(folder))])
    }
  }

  // MARK: - All or nothing

  @Test func `of a list with a mistake nothing is done`() async throws {
    let store = try await SampleCollections.store()
    let (before, revision) = (try await store.outline(), try await store.collectionsRevision())
    await refused(.notFound(Name.missing)) {
      try await store.edit([
        .rename(id: Name.shop, to: "Store"), .delete(id: Name.dev),
        .rename(id: Name.missing, to: "x"),
      ])
    }
    expect(try await store.outline(), is: before)
    #expect(try await store.collectionsRevision() == revision)
  }

  @Test func `an edit of something read before a change is refused`() async throws {
    let store = try await SampleCollections.store()
    let read = try await store.collectionsRevision()
    let result = try await store.edit([.rename(id: Name.shop, to: "Store")], ifRevision: read)
    #expect(result.revision == read + 1)
    await refused(.stale) {
      try await store.edit([.rename(id: Name.shop, to: "Other")], ifRevision: read)
    }
    #expect(try await store.collectionsRevision() == result.revision)
  }

  @Test func `listeners hear of an edit`() async throws {
    let store = try await SampleCollections.store()
    var changes = store.changes().makeAsyncIterator()
    try await store.edit([.rename(id: Name.shop, to: "Store")])
    #expect(await changes.next()?.scopes == [.collections])
  }

  // MARK: - Moving

  @Test func `a folder takes all that is in it to another collection`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([.move(id: Name.orders, to: .collection(Name.notes))])
    expect(
      try await store.outline(of: Name.notes),
      is: """
        Notes
          orders/
            returns/
              DELETE /returns/1
            GET /orders
            POST /orders
        """)
    #expect(try await store.contents(of: Name.shop).requests == 1)
    #expect(try await store.contents(of: Name.notes).requests == 3)
  }

  @Test(arguments: [Name.orders, Name.returns])
  func `a folder is never put into itself or below`(target: String) async throws {
    let store = try await SampleCollections.store()
    await refused(.cycle("orders")) {
      try await store.edit([.move(id: Name.orders, to: .folder(target))])
    }
    await refused(.cycle("orders")) {
      try await store.importEdits([
        .createFolder(id: Name.orders, name: "orders", in: .folder(target))
      ])
    }
  }

  @Test(arguments: [
    (SiblingPosition.first, "D A B C"), (.last, "A B C D"), (.index(0), "D A B C"),
    (.index(2), "A B D C"), (.index(99), "A B C D"), (.before(id(2)), "A D B C"),
    (.after(id(2)), "A B D C"), (.after(id(3)), "A B C D"), (.before(id(1)), "D A B C"),
  ])
  func `a place is given by neighbours or by counting`(
    position: SiblingPosition, order: String
  ) async throws {
    let store = try await Store.inMemory()
    try await store.edit(
      "ABCD".enumerated().map { .createCollection(id: id($0 + 1), name: String($1)) })
    try await store.edit([.move(id: id(4), to: nil, at: position)])
    #expect(try await store.names(of: "collection") == order)
  }

  @Test func `places never run out`() async throws {
    let store = try await Store.inMemory()
    try await store.edit(
      "ABC".enumerated().map { .createCollection(id: id($0 + 1), name: String($1)) })
    for round in 0..<60 {
      let moved = round.isMultiple(of: 2) ? (3, 2) : (2, 3)
      try await store.edit([.move(id: id(moved.0), to: nil, at: .after(id(1)))])
      let expected = round.isMultiple(of: 2) ? "A C B" : "A B C"
      #expect(try await store.names(of: "collection") == expected, "round \(round)")
    }
  }

  @Test func `a neighbour must lie in the same place`() async throws {
    let store = try await SampleCollections.store()
    await refused(.noSibling(Name.status)) {
      try await store.edit([.move(id: Name.list, to: nil, at: .before(Name.status))])
    }
  }

  // MARK: - Copies

  @Test func `a copy of a collection has its own of everything`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([.activate(environment: Name.dev, collection: Name.shop)])
    let result = try await store.edit([.duplicate(id: Name.shop, as: id(90))])
    let copy = try await store.outline(of: id(90))
    expect(
      copy,
      is: try await store.outline(of: Name.shop)
        .replacing("Shop", with: "Shop copy"))
    #expect(result.ids == [id(90)])
    #expect(result.copiedSecrets.map(\.original) == [Name.token])
    try await store.edit([.delete(id: Name.shop)])
    expect(try await store.outline(of: id(90)), is: copy)
  }

  @Test func `a copy stands behind its original`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([
      .duplicate(id: Name.list, as: id(91)), .duplicate(id: Name.returns, as: id(92)),
      .duplicate(id: Name.live, as: id(93)),
    ])
    expect(
      try await store.outline(of: Name.shop),
      is: """
        Shop
          orders/
            returns/
              DELETE /returns/1
            returns copy/
              DELETE /returns/1
            GET /orders
            GET /orders
            POST /orders
          GET /status
          [dev] host=localhost token=***
          [live] host=shop.example
          [live copy] host=shop.example
        """)
    #expect(try await store.fields(of: id(91)) == store.fields(of: Name.list))
  }

  // MARK: - Environments

  @Test func `a collection uses an environment of its own or a global one`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([.activate(environment: Name.everywhere, collection: Name.notes)])
    #expect(try await store.active(of: Name.notes) == Name.everywhere)
    try await store.edit([.activate(environment: nil, collection: Name.notes)])
    #expect(try await store.active(of: Name.notes) == nil)
    await refused(.foreignEnvironment("dev")) {
      try await store.edit([.activate(environment: Name.dev, collection: Name.notes)])
    }
  }

  @Test func `the database never holds a secret`() async throws {
    let store = try await SampleCollections.store()
    try await store.edit([.setVariable(id: Name.host, .secret)])
    #expect(try await store.outline(of: Name.shop).contains("[dev] host=*** token=***"))
    let result = try await store.edit([
      .setVariable(id: Name.host, .plain("b")), .setVariable(id: Name.token, .plain("a")),
    ])
    #expect(result.droppedSecrets == [Name.host, Name.token])
    #expect(try await store.outline(of: Name.shop).contains("[dev] host=b token=a"))
  }

  private func refused(
    _ refusal: CollectionRefusal, _ work: () async throws -> Any,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await #expect(throws: StoreFailure.collection(refusal), sourceLocation: sourceLocation) {
      _ = try await work()
    }
    #expect(refusal.message.hasSuffix("."), sourceLocation: sourceLocation)
  }
}

extension String {
  fileprivate func replacing(_ word: String, with other: String) -> String {
    hasPrefix(word) ? other + dropFirst(word.count) : self
  }
}
