// Typed queries against real tables: they select what the same condition selects in Swift.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct QueryTests {
  private let shelves = [
    Shelf("s1", "novels"), Shelf("s2", "crime", in: "s1"), Shelf("s3", "empty", in: "s1"),
  ]
  private let books = [
    Book("b1", "Emma", pages: 474, on: "s1"), Book("b2", "The Hound", pages: 256, on: "s2"),
    Book("b3", "50% off", isLent: true, on: "s2"), Book("b4", "Überall_x", pages: 90, on: nil),
    Book("b5", "Middlemarch", pages: 880, on: "s1"),
  ]

  /// The ids that a condition selects, in one word.
  private func selected(
    _ condition: @Sendable (Book.Columns) -> Predicate<Book>
  ) async throws -> String {
    let store = try await Store.library(shelves: shelves, books: books)
    return try await store.fetch(FetchDescriptor<Book>(where: condition))
      .map(\.id).joined(separator: " ")
  }

  @Test func `rows go on being read when many other statements are prepared meanwhile`() throws {
    let connection = try Connection(path: ":memory:")
    var rows: [Int64] = []
    try connection.each("SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3") { row in
      rows.append(row.int64(0))
      for number in 0..<200 { _ = try? connection.integer("SELECT \(number)") }
      return true
    }
    #expect(rows == [1, 2, 3])
    connection.close()
  }

  @Test func `conditions on text know letters of ASCII in either case`() async throws {
    #expect(try await selected { $0.title.contains("eMm") } == "b1")
    #expect(try await selected { $0.title.contains("ÜBER") } == "b4")
    #expect(try await selected { $0.title.contains("über") } == "")
    #expect(try await selected { $0.title.contains("0%") } == "b3")
    #expect(try await selected { $0.title.contains("l_x") } == "b4")
    #expect(try await selected { $0.title.contains("m_a") } == "")
    #expect(try await selected { $0.title.contains("") } == "b1 b2 b3 b4 b5")
    #expect(try await selected { $0.title.hasSuffix("MA") } == "b1")
    #expect(try await selected { $0.title.contains("a\0b") } == "")
    let long = String(repeating: "%", count: 1 << 20)
    #expect(try await selected { $0.title.contains(long) || $0.title.hasSuffix(long) } == "")
  }

  @Test func `what is absent meets no condition but that of absence`() async throws {
    #expect(try await selected { $0.pages == nil } == "b3")
    #expect(try await selected { $0.pages > 100 } == "b1 b2 b5")
    #expect(try await selected { $0.pages <= 474 } == "b1 b2 b4")
    #expect(try await selected { $0.pages != 90 } == "b1 b2 b3 b5")
    #expect(try await selected { $0.pages.isIn([90, 474]) } == "b1 b4")
    #expect(try await selected { $0.pages.isIn([]) } == "")
  }

  @Test func `what belongs to a row is counted`() async throws {
    let store = try await Store.library(shelves: shelves, books: books)
    func names(
      _ condition: @Sendable (Shelf.Columns) -> Predicate<Shelf>
    ) async throws -> [String] {
      try await store.fetch(FetchDescriptor<Shelf>(where: condition)).map(\.name)
    }
    #expect(try await names { $0.books.count == 2 } == ["novels", "crime"])
    #expect(try await names { $0.books.count { $0.isLent == true } > 0 } == ["crime"])
    #expect(
      try await names { $0.shelves.count { $0.books.count { $0.title == "50% off" } > 0 } > 0 }
        == ["novels"])
  }

  @Test func `random conditions select the same rows in SQL as in Swift`() async throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var generator = RepeatableGenerator(seed: seed)
      let books = (0..<40).map { Book.random($0, &generator) }
      let store = try await Store.library(books: books)
      for _ in 0..<15 {
        let condition = RandomCondition(depth: 4, &generator)
        let found = try await store.fetch(FetchDescriptor<Book>(where: { _ in condition.sql }))
        #expect(
          found == books.filter(condition.meets),
          "seed \(seed): \(FetchDescriptor<Book>(where: { _ in condition.sql }).rendered())")
      }
    }
  }

  @Test func `the pages of every order are together all rows`() async throws {
    for seed in 1...12 as ClosedRange<UInt64> {
      var generator = RepeatableGenerator(seed: seed)
      let books = (0..<30).map { Book.random($0, &generator) }
      let store = try await Store.library(books: books)
      let orders: [(SortDescriptor<Book>, @Sendable (Book) -> any StoredValue)] = [
        (Book.columns.pages.ascending, { $0.pages }), (Book.columns.pages.descending, { $0.pages }),
        (Book.columns.title.ascending, { $0.title }), (Book.columns.title.descending, { $0.title }),
        (Book.columns.isLent.descending, { $0.isLent }),
      ]
      let sortBy = (0..<generator.int(in: 0..<4)).map { _ in generator.pick(orders) }
      var descriptor = FetchDescriptor<Book>(sortBy: { _ in sortBy.map(\.0) })
      let all = try await store.fetch(descriptor)
      #expect(Set(all) == Set(books))
      descriptor.fetchLimit = generator.int(in: 1..<8)
      var seen: [Book] = []
      repeat {
        let page = try await store.fetch(descriptor)
        seen += page
        descriptor.after = page.last.map { last in
          PageKey(values: (sortBy.map { $0.1(last) } + [last.id]).map(\.sqlValue))
        }
      } while descriptor.after != nil
      #expect(seen == all, "seed \(seed): \(descriptor.rendered())")
    }
  }

  @Test func `some columns are fetched without the others`() async throws {
    let store = try await Store.library(shelves: shelves, books: books)
    let pairs = try await store.fetch(
      FetchDescriptor<Book>(where: { $0.pages != 90 }, sortBy: { [$0.pages.descending] })
    ) { ($0.title, $0.pages) }
    #expect(pairs.map(\.0) == ["Middlemarch", "Emma", "The Hound", "50% off"])
    #expect(pairs.map(\.1) == [880, 474, 256, nil])
    let names = try await store.fetch(FetchDescriptor<Book>(fetchLimit: 2)) { $0.title }
    #expect(names == ["Emma", "The Hound"])
  }

  @Test func `counts stand for groups of rows`() async throws {
    let store = try await Store.library(shelves: shelves, books: books)
    let whole = try await store.fetch(FetchDescriptor<Book>()) { ($0.id.count, $0.pages.count) }
    #expect(whole.count == 1 && whole[0].0 == 5 && whole[0].1 == 4)
    let shelves = try await store.fetch(
      FetchDescriptor<Book>(sortBy: { [$0.id.count.descending] })
    ) { ($0.shelfID, $0.id.count) }
    #expect(shelves.map(\.0) == ["s1", "s2", nil])
    #expect(shelves.map(\.1) == [2, 2, 1])
    let none = try await store.fetch(FetchDescriptor<Book>(where: { $0.id == "x" })) {
      $0.pages.count
    }
    #expect(none == [0])
  }

  @Test func `changes touch the rows that meet the condition`() async throws {
    let store = try await Store.library(shelves: shelves, books: books)
    let before = try await store.revision()
    let changed = try await store.update { connection throws(SQLiteError) in
      try connection.update(Book.self, where: { $0.shelfID == "s2" }) {
        [$0.isLent.set(to: true), $0.pages.set(to: nil)]
      }
    }
    #expect(changed == 2)
    #expect(try await store.delete(Book.self) { $0.pages > 400 } == 2)
    let unchanged = try await store.update { connection throws(SQLiteError) in
      try connection.update(Book.self, where: { _ in .all([]) }, set: { _ in [] })
    }
    #expect(unchanged == 0)
    let left = try await store.fetch(FetchDescriptor<Book>())
    #expect(left.map(\.id) == ["b2", "b3", "b4"])
    #expect(left.map(\.isLent) == [true, true, false])
    #expect(try await store.revision() == before + 3)
  }

  @Test func `an id that exists is an error and nothing is inserted`() async throws {
    let store = try await Store.library(books: books)
    let new = [Book("b9", "new", on: nil), Book("b1", "again", on: nil)]
    let failure = await #expect(throws: StoreFailure.self) { try await store.insert(new) }
    #expect(failure?.message.contains("change the table book") == true)
    #expect(try await store.fetch(FetchDescriptor<Book>()) == books)
  }

  @Test func `a closed store says so`() async throws {
    let store = try await Store.library()
    await store.close()
    await #expect(throws: StoreFailure.closed(path: ":memory:")) {
      try await store.fetch(FetchDescriptor<Book>())
    }
    await #expect(throws: StoreFailure.closed(path: ":memory:")) {
      try await store.delete(Model.HistoryEntry.self) { $0.status == 200 }
    }
  }

  @Test func `the history answers typed queries, too`() async throws {
    let store = try await Store.inMemory()
    for number in 0..<6 {
      store.enqueue(Sample.exchange(number, status: number.isMultiple(of: 2) ? 200 : 404))
    }
    let failed = FetchDescriptor<Model.HistoryEntry>(
      where: { $0.status >= 400 && $0.host == "api.example.com" && $0.state == .done },
      sortBy: { [$0.startedAt.descending] }, fetchLimit: 2)
    let page = try await store.fetch(failed)
    #expect(page.map(\.id) == [5, 3].map { Sample.exchange($0).id })
    let classes = try await store.fetch(FetchDescriptor<Model.HistoryEntry>()) {
      ($0.statusClass, $0.id.count)
    }
    #expect(classes.map(\.0) == [2, 4] && classes.map(\.1) == [3, 3])
  }
}

extension Store {
  fileprivate func update(
    _ change: @Sendable (Connection) throws(SQLiteError) -> Int
  ) throws(StoreFailure) -> Int {
    try self.change(Book.self, change)
  }
}

extension Book {
  /// A book with few different values, so that conditions and orders meet equal and absent ones.
  fileprivate static func random(_ number: Int, _ generator: inout RepeatableGenerator) -> Book {
    Book(
      "b\(100 + number)", generator.pick(["Emma", "emma", "ä_%", "", "The End"]),
      pages: generator.oneIn(3) ? nil : generator.int(in: 0..<5), isLent: generator.oneIn(2),
      on: generator.pick([nil, "s1", "s2"]))
  }
}

/// A condition in SQL and the same one in Swift.
private struct RandomCondition: Sendable {
  var sql: Predicate<Book>
  var meets: @Sendable (Book) -> Bool

  init(_ sql: Predicate<Book>, _ meets: @escaping @Sendable (Book) -> Bool) {
    self.sql = sql
    self.meets = meets
  }

  init(depth: Int, _ generator: inout RepeatableGenerator) {
    guard depth > 0, !generator.oneIn(4) else {
      self = RandomCondition.leaf(&generator)
      return
    }
    let left = RandomCondition(depth: depth - 1, &generator)
    let right = RandomCondition(depth: depth - 1, &generator)
    if generator.oneIn(2) {
      self.init(left.sql && right.sql) { left.meets($0) && right.meets($0) }
    } else {
      self.init(left.sql || right.sql) { left.meets($0) || right.meets($0) }
    }
  }

  private static func leaf(_ generator: inout RepeatableGenerator) -> RandomCondition {
    let book = Book.columns
    let number = generator.int(in: 0..<5)
    let absent = generator.oneIn(3) ? nil : number
    let text = generator.pick(["Emma", "EMMA", "m", "%", "_", "", "ä", "the"])
    return switch generator.int(in: 0..<9) {
    case 0: .init(book.pages == absent) { $0.pages == absent }
    case 1: .init(book.pages != absent) { $0.pages != absent }
    case 2: .init(book.pages < number) { $0.pages.map { $0 < number } ?? false }
    case 3: .init(book.pages >= number) { $0.pages.map { $0 >= number } ?? false }
    case 4:
      .init(book.pages.isIn([number, 1])) { $0.pages.map { [number, 1].contains($0) } ?? false }
    case 5:
      .init(book.title.contains(text)) {
        text.isEmpty || lower($0.title).contains(lower(text))
      }
    case 6: .init(book.title.hasSuffix(text)) { lower($0.title).hasSuffix(lower(text)) }
    case 7: .init(book.isLent == true) { $0.isLent }
    default: .init(book.title == text) { $0.title == text }
    }
  }
}

private func lower(_ text: String) -> String {
  String(text.map { $0.isASCII ? Character($0.lowercased()) : $0 })
}
