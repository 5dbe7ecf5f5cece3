// Typed queries as SQL: what each word of the language becomes, with its values bound.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct QueryRenderingTests {
  @Test func `conditions become SQL with bound values`() {
    var page = Page()
    page.add("no condition") { _ in .all([]) }
    page.add("nothing meets it") { _ in .any([]) }
    page.add("comparison") { $0.title >= "M" && $0.title < "N" && $0.pages > 99 && $0.pages <= 300 }
    page.add("equality") { $0.title == "Emma" && $0.pages != 5 && $0.title != "x" }
    page.add("absence") { $0.pages == nil || $0.shelfID != nil }
    page.add("parts of a text") {
      $0.title.contains("50%_a\\b") && $0.shelfID.hasSuffix("'")
    }
    page.add("one of several") { $0.pages.isIn([1, 2]) || $0.title.isIn(["a\"b", "c"]) }
    page.add("and, or") {
      ($0.isLent == true || $0.pages < 5) && ($0.pages == 1 || $0.pages == 2 && $0.id.contains("x"))
    }
    page.add("known when it runs") { book in
      .all([1, 2].map { book.pages == $0 }) && .any([3, 4].map { book.pages == $0 })
    }
    page.add("ten terms") {
      $0.title.contains("a") && $0.pages >= 1 && $0.pages <= 900 && $0.isLent == false
        && ($0.shelfID == nil || $0.shelfID == "s1") && $0.id != "x"
        && $0.pages.isIn([1, 2, 3]) && $0.title.hasSuffix("The") && $0.pages != nil
    }
    Golden.check(page.text, "conditions.sql")
  }

  @Test func `counts over a relationship to many become subqueries`() {
    var page = Page()
    page.add(shelves: "some of them") {
      $0.books.count > 3 && $0.books.count { $0.pages > 500 || $0.isLent == true } == 0
    }
    page.add(shelves: "a table within itself") {
      $0.shelves.count { $0.name == "a" && $0.shelves.count { $0.name == "b" } > 0 } > 0
    }
    Golden.check(page.text, "relationships.sql")
  }

  @Test func `descriptors become statements whose order is never left to chance`() {
    var page = Page()
    page.add("all rows", FetchDescriptor<Book>().rendered())
    page.add(
      "sorted", FetchDescriptor<Book>(sortBy: { [$0.pages.descending, $0.title.ascending] })
        .rendered())
    page.add(
      "limited",
      FetchDescriptor<Book>(where: { $0.isLent == false }, fetchLimit: 10).rendered())
    page.add(
      "next page of the history",
      FetchDescriptor<Model.HistoryEntry>(
        sortBy: { [$0.startedAt.descending] }, fetchLimit: 50,
        after: PageKey(1_760_000_000_000, "0190")
      ).rendered())
    page.add(
      "next page in mixed order",
      FetchDescriptor<Book>(
        sortBy: { [$0.pages.descending, $0.title.ascending] }, after: PageKey(300, "Emma", "b1")
      ).rendered())
    page.add(
      "next page after an absent value",
      FetchDescriptor<Book>(
        sortBy: { [$0.pages.ascending] }, after: PageKey(Int?.none, "b1")
      ).rendered())
    page.add("a place of another order", FetchDescriptor<Book>(after: PageKey(1, 2)).rendered())
    let selection = Model.HistoryEntry.table.selection
    Golden.check(page.text.replacing(selection, with: "…"), "descriptors.sql")
  }

  @Test func `changes become single statements`() {
    var page = Page()
    page.add("delete", Book.deletion(where: Predicate { $0.isLent == true || $0.pages == nil }))
    page.add("delete all", Book.deletion(where: .all([])))
    let columns = Book.columns
    page.add(
      "update",
      Book.update(
        where: Predicate { $0.shelfID == "s1" },
        set: [columns.pages.set(to: nil), columns.title.set(to: "new")]))
    page.add("update nothing", Book.update(where: .all([]), set: []))
    page.add("insert", Book("b1", "Emma", pages: 474, on: "s1").insertion)
    Golden.check(page.text, "changes.sql")
  }

  @Test func `a text that LIKE can't take is searched with functions`() {
    let long = String(repeating: "ab", count: 10_000)
    var page = Page()
    page.add("contains") { $0.title.contains(long) }
    page.add("contains a NUL") { $0.title.contains("a\0b") }
    page.add("ends") { $0.title.hasSuffix(long) }
    Golden.check(page.text.replacing(long, with: "<20,000 letters>"), "long-texts.sql")
  }
}

/// Statements one below the other, each with its title and its values; what stands in brackets
/// stays on its line.
private struct Page {
  var text = ""

  mutating func add(_ title: String, _ query: SQLQuery?) {
    text += "-- \(title)\n"
    guard let query else {
      text += "-- no statement\n\n"
      return
    }
    var depth = 0
    let clauses: Set = ["FROM", "WHERE", "AND", "OR", "GROUP", "ORDER", "LIMIT", "SET", "VALUES"]
    for (index, word) in query.sql.split(separator: " ").enumerated() {
      let isClause = depth == 0 && clauses.contains(String(word))
      text += index == 0 ? "" : isClause ? "\n  " : " "
      text += word
      depth += word.count { $0 == "(" } - word.count { $0 == ")" }
    }
    text += ";\n"
    for value in query.values { text += "--   \(value)\n" }
    text += "\n"
  }

  mutating func add(_ title: String, _ condition: (Book.Columns) -> Predicate<Book>) {
    add(title, FetchDescriptor<Book>(where: condition).rendered())
  }

  mutating func add(shelves title: String, _ condition: (Shelf.Columns) -> Predicate<Shelf>) {
    add(title, FetchDescriptor<Shelf>(where: condition).rendered())
  }
}
