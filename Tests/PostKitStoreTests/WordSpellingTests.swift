// Searching the history without regard to case, accents and letters such as `ß`, as stored requests
// are searched.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct WordSpellingTests {
  @Test(arguments: [
    ("strasse", true), ("STRASSE", true), ("straße", true), ("STRAẞE", true), ("Stras", true),
    ("strass", true), ("\"strasse\"", true), ("\"stras\"", false), ("strase", false),
    ("grosse", true), ("größe", true), ("gros", true), ("\"strasse grosse\"", true),
    ("\"grosse strasse\"", false), ("grosse strasse", true), ("an-der/strasse", true),
    ("smorrebrod", true), ("smørrebrød", true), ("lodz strasse", true), ("strasse nobody", false),
    ("Αθηνα", true), ("елка", true), ("ёлка", true), ("がく", true), ("かく", true),
  ])
  func `words are found however they are spelled`(text: String, isFound: Bool) async throws {
    let store = try await Store.inMemory()
    let body = "An der Straße größe, ΑΘΉΝΑ Ёлка がく Smørrebrød Łódź"
    try await store.record(Sample.exchange(body: .bytes(Array(body.utf8))))
    try await store.record(Sample.exchange(1, body: .bytes(Array("plain".utf8))))
    let query = HistoryQuery(text: text)
    #expect(try await store.history(query).count == (isFound ? 1 : 0))
    #expect(try await store.historyCount(query) == (isFound ? 1 : 0))
  }

  @Test(arguments: ["strasse", "straße", "Straße", "STRASSE"])
  func `all spellings are found, newest first`(text: String) async throws {
    let store = try await Store.inMemory()
    for (number, word) in ["Strasse", "straße", "x", "STRASSE", "Straßen"].enumerated() {
      try await store.record(Sample.exchange(number, body: .bytes(Array(word.utf8))))
    }
    let found = try await store.history(HistoryQuery(text: text)).map(\.id)
    #expect(found == [4, 3, 1, 0].map { Sample.exchange($0).id })
    let whole = try await store.history(HistoryQuery(text: "\"\(text)\"")).map(\.id)
    #expect(whole == [3, 1, 0].map { Sample.exchange($0).id })
  }

  @Test func `each letter is found by what it becomes`() async throws {
    let store = try await Store.inMemory()
    let letters = FoldedText.bases.sorted { $0.key < $1.key }
    for (number, letter) in letters.enumerated() {
      store.enqueue(Sample.exchange(number, body: .bytes(Array("q\(letter.key)q".utf8))))
    }
    try await store.flush()
    #expect(try await store.indexWords(milliseconds: 60_000))
    for (number, (letter, base)) in letters.enumerated() {
      for text in ["q\(base)q", "\"q\(letter)q\""] {
        let found = try await store.history(HistoryQuery(text: text, limit: 500)).map(\.id)
        #expect(
          found.contains(Sample.exchange(number).id), "\(text) does not find \(letter)")
      }
    }
  }

  @Test func `a word with many such letters asks the index a bounded number of times`()
    async throws
  {
    let store = try await Store.inMemory()
    // Each of the letters may be one of two or three.
    let word = String(repeating: "и", count: 40)
    let other = String(repeating: "иййи", count: 10)
    try await store.record(Sample.exchange(body: .bytes(Array("\(word) \(other)".utf8))))
    #expect(try await store.indexWords(milliseconds: 60_000))
    let before = try await store.statementCount()
    #expect(try await store.history(HistoryQuery(text: word)).count == 1)
    #expect(try await store.statementCount() - before < 400)
  }
}

extension Store {
  fileprivate func statementCount() throws -> Int { try history().connection.statementCount }
}
