// What belongs to rows comes with them, in one statement for each level.

import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct PrefetchTests {
  @Test func `a level is one statement, however many rows it has`() async throws {
    for count in [1, 10, 400] {
      let store = try await Store.library(
        shelves: (0..<count).map { Shelf("s\($0)", "shelf") },
        books: (0..<count * 3).map { Book("b\($0)", "book", on: "s\($0 / 3)") })
      let before = await store.statementCount
      let shelves = try await store.fetch(FetchDescriptor<Shelf>()) { $0.books.prefetch() }
      // The two SELECTs stand in a transaction.
      #expect(await store.statementCount - before == 4, "for \(count) shelves")
      #expect(shelves.count == count)
      #expect(shelves.allSatisfy { shelf, books in books.allSatisfy { $0.shelfID == shelf.id } })
      #expect(shelves.reduce(0) { $0 + $1.1.count } == count * 3)
    }
  }

  @Test func `relationships combine`() async throws {
    let store = try await Store.library(
      shelves: [
        Shelf("s1", "hall"), Shelf("s2", "novels", in: "s1"), Shelf("s3", "crime", in: "s1"),
        Shelf("s4", "attic"),
      ],
      books: [
        Book("b1", "Emma", on: "s2"), Book("b2", "Atlas", on: "s1"), Book("b3", "A Lady", on: "s2"),
      ])
    let before = await store.statementCount
    let found = try await store.fetch(
      FetchDescriptor<Shelf>(),
      prefetching: { $0.books.prefetch().and($0.shelves.prefetch()).and($0.parent.prefetch()) })
    #expect(await store.statementCount - before == 6)
    let text = found.map { shelf, more in
      let ((books, shelves), parent) = more
      return "\(shelf.name) in \(parent?.name ?? "none"): \(books.map(\.title)), "
        + "\(shelves.map(\.name))\n"
    }.joined()
    expect(
      text,
      is: """
        hall in none: ["Atlas"], ["crime", "novels"]
        novels in hall: ["A Lady", "Emma"], []
        crime in hall: [], []
        attic in none: [], []

        """)
  }

  @Test func `a row without a parent has none`() async throws {
    let store = try await Store.library(
      shelves: [Shelf("s1", "novels")],
      books: [Book("b1", "Emma", on: "s1"), Book("b2", "Lost", on: "gone"), Book("b3", "x", on: nil)])
    let books = try await store.fetch(FetchDescriptor<Book>()) { $0.shelf.prefetch() }
    #expect(books.map { $0.1?.name } == ["novels", nil, nil])
    let none = try await store.fetch(FetchDescriptor<Book>(fetchLimit: 0)) { $0.shelf.prefetch() }
    #expect(none.isEmpty)
  }

  @Test func `what can't be read ends the transaction, too`() async throws {
    let store = try await Store.library(books: [Book("b1", "Emma", on: "s1")])
    try await store.removeShelves()
    await #expect(throws: StoreFailure.self) {
      try await store.fetch(FetchDescriptor<Book>()) { $0.shelf.prefetch() }
    }
    try await store.insert([Book("b2", "Persuasion", on: nil)])
    #expect(try await store.fetch(FetchDescriptor<Book>()).count == 2)
  }
}

extension Store {
  fileprivate var statementCount: Int { collections?.connection.statementCount ?? 0 }

  fileprivate func removeShelves() throws {
    try collections?.connection.execute("DROP TABLE shelf")
  }
}
