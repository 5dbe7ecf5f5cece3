// Searching by words: what is found, in which order, and what happens where the index is behind,
// damaged or missing.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct WordSearchTests {
  @Test(arguments: [
    ("users", true), ("USERS", true), ("users/42", true), ("users 43", false), ("42/users", false),
    ("login", true), ("log", true), ("ogin", false), ("application/json", true),
    ("\"application json\"", true), ("\"json application\"", false), ("json application", true),
    ("grusse", true), ("Grüße", true), ("grüsse 50", true), ("\"50", true), ("\"5\"", false),
    ("NOT", false), ("users OR nothing", false), ("users AND", false), ("name:login", false),
    ("login*", true), ("(login", true), ("^login", true), ("{login}", true), ("login\"", true),
    ("--- login ---", true), ("users\u{0}42", true), ("sent body", true), ("received body", true),
  ])
  func `words are found, never operators`(text: String, isFound: Bool) async throws {
    let store = try await Store.inMemory()
    var exchange = Sample.exchange(
      url: "https://api.example.com/users/42",
      body: .bytes(Array("Grüsse 50% received body".utf8)))
    exchange.request.body = .bytes(Array("sent body".utf8))
    try await store.record(exchange)
    let found = try await store.history(HistoryQuery(text: text))
    #expect(found.isEmpty == !isFound, "\(SearchText(text).expression ?? "-")")
  }

  @Test(arguments: [
    ("a b", "\"a\" \"b\" *"), ("\"a b\"", "\"a b\""), ("\"a b", "\"a b\" *"),
    ("\"a\" b", "\"a\" \"b\" *"), ("users/42 +", "\"users/42\" *"), ("+ -", nil), ("", nil),
    ("a\"b", "\"a\" \"b\" *"), ("日本", "\"日本\" *"),
  ])
  func `a search becomes quoted words`(text: String, expression: String?) {
    #expect(SearchText(text).expression == expression)
  }

  @Test(arguments: [
    ("exam", "exam"), ("a EXAM", "exam"), ("users/4200", "4200"), ("exa", nil), ("\"exam\"", nil),
    ("\"users exam", "exam"), ("éxam", nil), ("exam-", nil), ("日本exam", nil), ("- exam -", "exam"),
  ])
  func `how a word begins is looked up where it is plain and long`(text: String, letters: String?) {
    #expect(SearchText(text).beginning == letters)
  }

  @Test(arguments: [
    ("exam", ["example", "exams"], "(\"example\" OR \"exams\")"),
    ("a b exam", ["example"], "\"a\" AND \"b\" AND (\"example\")"),
    ("users/exam", ["example"], "(\"users/example\")"), ("exam", [], "(\"exam\")"),
  ])
  func `the words that begin so take its place`(
    text: String, endings: [String], expression: String
  ) {
    #expect(SearchText(text).expression(endings: endings) == expression)
  }

  @Test(arguments: [
    ("exam", "\"exa\" *", "exam"), ("a \"b c\" EXAM", "\"a\" \"b c\" \"exa\" *", "exam"),
    ("users/exam", nil, nil), ("exa", nil, nil), ("\"exam\"", nil, nil), ("exam - ", "\"exa\" *", "exam"),
  ])
  func `a beginning is shortened where it is a word of its own`(
    text: String, expression: String?, beginning: String?
  ) {
    let shortened = SearchText(text).shortened
    #expect(shortened?.expression == expression && shortened?.beginning == beginning)
  }

  @Test(arguments: [
    ("example", WordBeginning.Presence.found), ("an EXAMPLE", .found), ("-exam", .found),
    ("exam\u{301}", .found), ("é exam", .found), ("anexam", .missing), ("1exam", .missing),
    ("exa m", .missing), ("exa", .missing), ("", .missing), ("éxam", .unknown), ("\u{2014}exam", .unknown),
    ("ex\u{e4}m", .unknown), ("exa\u{0}m @exam`", .found), ("[exam", .found), ("exa\u{0}m", .missing),
  ])
  func `whether a word begins so is seen in plain text alone`(
    text: String, presence: WordBeginning.Presence
  ) {
    let found = Array(text.utf8).withUnsafeBytes { WordBeginning("exam").presence(in: $0) }
    #expect(found == presence)
  }

  @Test(arguments: 1...6)
  func `beginnings find what FTS5 finds for them`(seed: UInt64) async throws {
    var generator = RepeatableGenerator(seed: seed)
    let store = try await Store.inMemory()
    func word() -> String {
      let letters = "abcdABé1".randomElements(Int.random(in: 1...7, using: &generator), &generator)
      return "long" + letters
    }
    for number in 0..<300 {
      let words = "\(word()) \(word())/\(word())"
      store.enqueue(Sample.exchange(number, body: .bytes(Array(words.utf8))))
    }
    try await store.flush()
    #expect(try await store.indexWords(milliseconds: 60_000))
    for _ in 0..<60 {
      let end = String(word().prefix(Int.random(in: 4...6, using: &generator)))
      let text = [end, "\(word())/\(end)", "users \(end)"].randomElement(using: &generator) ?? end
      let all = try await store.foundByFTS5(text)
      // Few are looked for among the newest, many by all the words that begin so.
      var query = HistoryQuery(text: text, limit: [1, 7, 50, 300].randomElement(using: &generator) ?? 1)
      var found: [ExchangeSummary] = []
      repeat {
        let page = try await store.history(query)
        found += page
        query.after = page.last.map { HistoryQuery.Cursor($0) }
        if page.count < query.limit { query.after = nil }
      } while query.after != nil
      #expect(found == all, "seed \(seed): \(text) by \(query.limit)")
    }
    // So many that they are not looked up.
    #expect(try await store.history(HistoryQuery(text: "long", limit: 500)).count == 300)
  }

  @Test func `long steps and merging find the same, in one part`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<600 { store.enqueue(Sample.exchange(number, name: "n\(number % 7)")) }
    try await store.flush()
    #expect(try await store.pendingWordBound() == 600)
    try await store.indexWords(milliseconds: 0)
    for number in 600..<700 { try await store.record(Sample.exchange(number, name: "n9")) }
    #expect(try await store.pendingWordBound() == 700 - 64)
    #expect(try await store.indexWords(milliseconds: 60_000, step: .long))
    #expect(try await store.pendingWordBound() == 0)
    #expect(try await store.partCount() > 1)
    while try await !store.mergeWords(milliseconds: 0) {}
    #expect(try await store.partCount() == 1)
    #expect(try await store.history(HistoryQuery(text: "n9", limit: 200)).count == 100)
    #expect(try await store.history(HistoryQuery(text: "n3", limit: 200)).count == 86)
    #expect(try await store.health().problems == [])
    await store.close()
  }

  @Test func `words of what is gone do not count as still to be indexed`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange())
    try await store.indexWords(milliseconds: 60_000)
    // As one does that leaves the words to others.
    let other = try Connection(path: place.store.historyPath)
    try other.run("DELETE FROM exchange")
    other.close()
    #expect(try await store.wordIndexHealth().pendingCount == 0)
    await store.close()
  }

  @Test func `a search without letters looks for the text itself`() async throws {
    let store = try await Store.inMemory()
    try await store.record(Sample.exchange(1, body: .bytes(Array("a => b".utf8))))
    try await store.record(Sample.exchange(2))
    let found = try await store.history(HistoryQuery(text: "=>"))
    #expect(found.map(\.id) == [Sample.exchange(1).id])
  }

  @Test func `the log stays short while words are indexed`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<1_500 {
      let words = (0..<200).map { "\(number &* 7919 &+ $0)" }.joined(separator: " ")
      store.enqueue(Sample.exchange(number, body: .bytes(Array(words.utf8))))
    }
    try await store.flush()
    while try await !store.indexWords(milliseconds: 1_000) {}
    let log = try #require(FileSystem.version(place.store.historyPath + "-wal")).size
    #expect(log < 16 << 20)
    await store.close()
  }

  @Test func `bodies that are files are found, pictures are not`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let filling = String(repeating: "filling ", count: 20_000)
    try await store.record(Sample.exchange(1, body: .bytes(Array("\(filling)needle".utf8))))
    var picture = Sample.exchange(2, body: .bytes([0] + Array("needle".utf8)))
    picture.response?.headers = [("Content-Type", "image/png")]
    try await store.record(picture)
    var unknown = Sample.exchange(3, body: .bytes(Array("needle".utf8)))
    unknown.response?.headers = []
    try await store.record(unknown)
    let far = String(repeating: "filling ", count: WordIndex.bodyLimit / 8)
    try await store.record(Sample.exchange(4, body: .bytes(Array("\(far)needle".utf8))))
    let found = try await store.history(HistoryQuery(text: "needle"))
    #expect(found.map(\.id) == [3, 1].map { Sample.exchange($0).id })
    await store.close()
  }

  @Test func `the head of a long text may end inside a letter`() {
    let cut = Array(String(repeating: "é", count: WordIndex.bodyLimit / 2).utf8)
    #expect(IndexedExchange.text(of: [0x20] + cut.dropLast(), nil)?.isEmpty == false)
    #expect(IndexedExchange.text(of: Array(cut.prefix(9)), nil) == nil)
    #expect(IndexedExchange.text(of: [], nil) == nil)
  }

  @Test func `pages of a search go by the order of recording`() async throws {
    let store = try await Store.inMemory()
    // The clock steps back an hour in the middle.
    let order = Array(100..<115) + Array(0..<15)
    for number in order { try await store.record(Sample.exchange(number)) }
    var query = HistoryQuery(text: "users", limit: 7)
    var seen: [String] = []
    while let last = try await store.history(query).last {
      seen += try await store.history(query).map(\.id)
      query.after = HistoryQuery.Cursor(last)
      try await store.record(Sample.exchange(200 + seen.count))
    }
    #expect(seen == order.reversed().map { Sample.exchange($0).id })
  }

  @Test func `what is not indexed yet is read`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<300 { store.enqueue(Sample.exchange(number)) }
    try await store.flush()
    #expect(try await store.wordIndexHealth().pendingCount == 300)
    var query = HistoryQuery(text: "users", limit: 500)
    query.host = "api.example.com"
    let before = try await store.found(query, except: WordRange(first: 301, last: 300))
    #expect(before.map(\.sequence) == (1...300).reversed())
    try await store.indexWords(milliseconds: 0)
    let pending = try await store.wordIndexHealth().pendingCount
    #expect((1..<300).contains(pending))
    let known = try #require(try await store.indexedRange())
    let partly = try await store.found(query, except: known)
    #expect(partly.map(\.sequence) == before.map(\.sequence))
    query.after = HistoryQuery.Cursor(partly[100])
    let rest = try await store.found(query, except: known)
    #expect(rest.map(\.sequence) == before.dropFirst(101).map(\.sequence))
    #expect(try await store.indexWords(milliseconds: 60_000))
    #expect(try await store.wordIndexHealth().pendingCount == 0)
    await store.close()
  }

  @Test func `a history of an earlier format is indexed backwards, newest first`() async throws {
    let place = try TemporaryDirectory()
    let old = try await Store.open(place.store)
    for number in 0..<200 { old.enqueue(Sample.exchange(number)) }
    try await old.flush()
    // As the step that begins the index leaves it.
    try await old.change(WordIndex.emptyRange)
    try await old.record(Sample.exchange(200, name: "newest"))
    #expect(try await old.wordIndexHealth().pendingCount == 201)
    try await old.indexWords(milliseconds: 0)
    #expect(try await old.history(HistoryQuery(text: "newest")).count == 1)
    #expect(try await old.indexWords(milliseconds: 60_000))
    #expect(try await old.history(HistoryQuery(text: "login", limit: 300)).count == 200)
    await old.close()
  }

  @Test(.timeLimit(.minutes(10)))
  func `a process that lives long indexes what has gathered`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<500 { store.enqueue(Sample.exchange(number)) }
    try await store.flush()
    await store.keepUp()
    while try await store.wordIndexHealth().pendingCount >= 64 { await Task.yield() }
    for number in 500..<700 { store.enqueue(Sample.exchange(number)) }
    try await store.flush()
    while try await store.wordIndexHealth().pendingCount >= 64 { await Task.yield() }
    await store.close()
  }

  @Test func `deleting the newest leaves no gap in what is indexed`() async throws {
    let store = try await Store.inMemory()
    for round in 0..<3 {
      for number in 0..<5 {
        try await store.record(Sample.exchange(round * 10 + number, name: "round\(round)"))
      }
      #expect(try await store.history(HistoryQuery(text: "round\(round)")).count == 5)
      let ids = (round == 1 ? 0..<5 : 3..<5).map { Sample.exchange(round * 10 + $0).id }
      try await store.forget(.ids(ids))
    }
    #expect(try await store.history(HistoryQuery(text: "round0")).count == 3)
    #expect(try await store.history(HistoryQuery(text: "round1")).isEmpty)
    try await store.forget(.all)
    try await store.record(Sample.exchange(99, name: "after"))
    #expect(try await store.history(HistoryQuery(text: "after")).count == 1)
    #expect(try await store.history(HistoryQuery(text: "round0")).isEmpty)
  }

  @Test func `a damaged index is made anew and the search answers`() async throws {
    guard try Require.tool("python3", reason: "it damages the index") != nil else { return }
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<150 { try await store.record(Sample.exchange(number)) }
    #expect(try await store.history(HistoryQuery(text: "login", limit: 200)).count == 150)
    let script = """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute("DELETE FROM words_data WHERE id > 10")
      database.commit()
      """
    _ = try await Subprocess.run("python3", ["-c", script, place.store.historyPath])
    let other = try await Store.open(place.store)
    #expect(try await other.history(HistoryQuery(text: "login", limit: 200)).count == 150)
    #expect(try await other.forget(.ids([Sample.exchange(1).id])) == 1)
    #expect(try await other.health().files.allSatisfy { $0.problems.isEmpty })
    await other.close()
    await store.close()
  }

  @Test func `a text is searched and forgotten without FTS5 as well`() async throws {
    let place = try TemporaryDirectory()
    let able = try await Store.open(place.store)
    for number in 0..<5 { try await able.record(Sample.exchange(number)) }
    #expect(try await able.history(HistoryQuery(text: "login")).count == 5)
    await able.close()
    let plain = try await Store.open(place.store, hasFullText: false)
    #expect(try await plain.history(HistoryQuery(text: "ogin")).count == 5)
    #expect(await plain.takeNotices().map(\.kind) == [.searchIsPartial])
    try await plain.forget(.ids([Sample.exchange(4).id, Sample.exchange(1).id]))
    #expect(try await plain.health().problems == [])
    try await plain.record(Sample.exchange(7, name: "other"))
    #expect(try await plain.history(HistoryQuery(text: "login")).count == 3)
    await plain.close()
    let again = try await Store.open(place.store)
    #expect(try await again.history(HistoryQuery(text: "login")).count == 3)
    #expect(try await again.history(HistoryQuery(text: "other")).count == 1)
    try await again.forget(.all)
    await again.close()
  }
}

extension String {
  /// Some of the letters, in any order, as often as they come.
  fileprivate func randomElements(_ count: Int, _ generator: inout RepeatableGenerator) -> String {
    String((0..<count).compactMap { _ in randomElement(using: &generator) })
  }
}

extension Store {
  /// What FTS5 finds for a text by itself.
  fileprivate func foundByFTS5(_ text: String) throws(StoreFailure) -> [ExchangeSummary] {
    let words = SearchText(text).expression ?? ""
    return try summaries(
      HistoryQuery(limit: 300).rendered(.indexed(words: words, except: nil)), of: history())
  }

  /// The answer to a query with an index that knows only a part.
  fileprivate func found(
    _ query: HistoryQuery, except range: WordRange
  ) throws(StoreFailure) -> [ExchangeSummary] {
    let file = try history()
    // The table must be there, whatever is in it.
    if try !hasWords(file) { try renewWords(in: file) }
    let words = query.text.flatMap { SearchText($0).expression } ?? ""
    return try summaries(query.rendered(.indexed(words: words, except: range)), of: file)
  }

  /// What the index knows.
  fileprivate func indexedRange() throws(StoreFailure) -> WordRange? {
    try rangeOfWords(of: history())
  }

  /// How many parts the index has.
  fileprivate func partCount() throws(StoreFailure) -> Int {
    try history().read("prepare a test") { connection throws(SQLiteError) in
      Int(try connection.integer("SELECT count(DISTINCT segid) FROM words_idx"))
    }
  }

  /// Runs a statement as the history's own.
  fileprivate func change(_ sql: String) throws(StoreFailure) {
    let file = try history()
    try file.sql("prepare a test") { connection throws(SQLiteError) in
      try connection.execute(sql)
    }
  }
}
