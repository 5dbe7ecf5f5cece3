// Questions to the history as lines, and the ones that are saved.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct HistoryLineTests {
  private func filters(_ line: HistoryLine) -> [String] {
    line.filters.map { "\($0.name)=\($0.value)" }
  }

  @Test func `words and filters are told apart`() throws {
    let line = try HistoryLine(
      #"  token STATUS:4xx "a phrase: x" request:"List  users" http://h/x 5" env:dev minms:10 "#)
    #expect(line.words == #"token "a phrase: x" http://h/x 5""#)
    #expect(
      filters(line) == ["status=4xx", "name=List  users", "environment=dev", "minMs=10"])
    #expect(try HistoryLine("   ").isEmpty)
    #expect(try HistoryLine("sort:ms").isEmpty)
  }

  @Test(arguments: [
    HistoryLine(words: #"status:4xx "two words" plain"#, filters: [.init("name", "a \"b\" c")]),
    HistoryLine(words: "https://h/x:1", filters: [.init("label", "\""), .init("path", "/a b")]),
    HistoryLine(filters: [.init("sort", "size"), .init("pinned", "true")]),
    HistoryLine(words: "name:"),
  ])
  func `a line that is written is the same question when it is read`(_ line: HistoryLine) throws {
    let read = try HistoryLine(line.text)
    #expect(read.filters == line.filters)
    #expect(read.text == line.text)
    #expect(read.isEmpty == line.isEmpty)
  }

  @Test(arguments: [
    ("status:", "the value is missing"), ("method:get Method:post", "`method` is given twice"),
  ])
  func `what is wrong with a line is said`(text: String, part: String) {
    let problem = #expect(throws: HistoryLine.Problem.self) { try HistoryLine(text) }
    #expect(problem?.message.contains(part) == true)
  }

  @Test(arguments: [
    ("status:often", "a status such as 404"), ("sort:colour", "time, ms or size"),
    ("minMs:9 maxMs:8", "nothing can match"), ("minSize:2 maxSize:1", "nothing can match"),
    ("since:20 until:20", "not before `until`"), ("since:21 until:20", "not before `until`"),
  ])
  func `a line that nothing can match is refused`(text: String, part: String) throws {
    let line = try HistoryLine(text)
    let problem = #expect(throws: HistoryLine.Problem.self) {
      try HistoryQuery(line, limit: 1) { Int64($0) }
    }
    #expect(problem?.message.contains(part) == true)
  }

  @Test func `bounds that one value meets are no contradiction`() throws {
    let line = try HistoryLine("minMs:8 maxMs:8 minSize:0 maxSize:0 since:19 until:20")
    let query = try HistoryQuery(line, limit: 1) { Int64($0) }
    #expect(query.since == 19 && query.maxMilliseconds == 8)
  }

  @Test func `two lines are one question unless they contradict`() throws {
    let saved = try HistoryLine("status:5xx sort:ms words")
    let both = try saved.adding(HistoryLine("more host:h status:5xx sort:size"))
    #expect(both.words == "words more")
    #expect(filters(both) == ["status=5xx", "host=h", "sort=size"])
    let problem = #expect(throws: HistoryLine.Problem.self) {
      try saved.adding(HistoryLine("status:404"))
    }
    #expect(problem?.message.contains("`status:5xx` and `status:404` contradict") == true)
  }

  @Test func `a saved search is replaced by name and outlives the history`() async throws {
    let store = try await Store.inMemory()
    #expect(try await !store.saveSearch("slow", HistoryLine("minMs:500")))
    #expect(try await store.saveSearch("slow", HistoryLine("minMs:900 sort:ms")))
    try await store.saveSearch("Ärger", HistoryLine("status:5xx"))
    try await store.record(Sample.exchange(1))
    try await store.forget(.all)
    #expect(try await store.savedSearches().map(\.name) == ["slow", "Ärger"])
    #expect(try await store.savedSearch("slow").filter == "minMs:900 sort:ms")
    try await store.deleteSearch("slow")
    await #expect(throws: StoreFailure.self) { try await store.deleteSearch("slow") }
    let failure = await #expect(throws: StoreFailure.self) { try await store.savedSearch("slow") }
    #expect(failure?.message.contains("The saved searches are: `Ärger`.") == true)
  }

  @Test(arguments: ["", "  ", "a\nb"])
  func `a search needs a name of one line`(_ name: String) async throws {
    let store = try await Store.inMemory()
    await #expect(throws: StoreFailure.self) {
      try await store.saveSearch(name, HistoryLine("status:5xx"))
    }
    #expect(try await store.savedSearches().isEmpty)
  }

  @Test func `a search is saved only at the revision that is expected`() async throws {
    let store = try await Store.inMemory()
    let revision = try await store.revision()
    let save = HistoryEdit.saveSearch("a", try HistoryLine("status:5xx"))
    let made = try await store.editHistory(save, ifRevision: revision)
    #expect(made.revision > revision)
    await #expect(throws: StoreFailure.changedMeanwhile(path: ":memory:")) {
      try await store.editHistory(.deleteSearch("a"), ifRevision: revision)
    }
    _ = try await store.editHistory(.deleteSearch("a"), ifRevision: made.revision)
    #expect(try await store.savedSearches().isEmpty)
  }

  @Test func `a line is narrowed by what takes the place of its filters`() throws {
    func narrowed(_ text: String, _ filters: HistoryLine.Filter...) throws -> String {
      try HistoryLine(text).narrowed(by: filters) { Int64($0) }.text
    }
    #expect(
      try narrowed("status:4xx sort:ms a \"b c\"", .init("status", "404"), .init("host", "h t"))
        == "status:404 sort:ms host:\"h t\" a \"b c\"")
    #expect(try narrowed("", .init("name", "a")) == "name:a")
    #expect(
      try narrowed("since:5 until:9", .init("since", "7"), .init("until", "8"))
        == "since:7 until:8")
    #expect(
      try narrowed("since:5 until:9", .init("since", "3"), .init("until", "10"))
        == "since:5 until:9")
  }
}
