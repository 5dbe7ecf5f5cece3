// The queries of `postkit:/history`.

import JSONRPC
import PostKitHTTP
import PostKitRunner
import PostKitStore
import Testing

@testable import PostKitServer
@testable import PostKitSession

@Suite struct HistoryDocumentTests {
  @Test func `a query names what is looked for`() throws {
    let query = try HistoryQuery(
      DocumentURI("postkit:/history?search=a%20b&host=t.test&method=get&status=4xx&limit=7#x"))
    #expect(query.text == "a b" && query.host == "t.test" && query.method == "GET")
    #expect(query.statusClass == 4 && query.status == nil && query.limit == 7)
    #expect(try HistoryQuery(DocumentURI("postkit:/history?status=404")).status == 404)
    #expect(try HistoryQuery(DocumentURI("postkit:/history?pinned=true&path=/a")).isPinned == true)
    #expect(try HistoryQuery(DocumentURI("postkit:/history?state=failed")).state == .failed)
  }

  @Test func `no query means the newest`() throws {
    #expect(try HistoryQuery(DocumentURI("postkit:/history")) == HistoryQuery(limit: 200))
  }

  @Test(arguments: [
    ("limit=0", "`limit` must be a number from 1 to 1000."),
    ("status=9", "`status` must be a status such as 404, or a class such as 4xx."),
    ("state=well", "`state` must be done, failed or cancelled."),
    (
      "colour=red",
      "the history knows no `colour`. It knows search, host, path, method, status, state, file, "
        + "name, environment, since, until, minMs, maxMs, minSize, maxSize, failedTests, pinned, "
        + "label, run, stored, origin, purpose, sort, line and limit."
    ),
  ])
  func `what can't be asked is said`(query: String, message: String) {
    #expect(throws: RPCError(.invalidParams, "params.uri: " + message)) {
      try HistoryQuery(DocumentURI("postkit:/history?" + query))
    }
  }

  @Test func `the list has one line for each exchange and says what it may lack`() async throws {
    let store = try await Store.inMemory(hasFullText: false)
    let id = "019a8f2e-7c11-7b3e-9d55-0a1b2c3d4e5f"
    try await store.record(
      Exchange(
        id: id, startedAt: 1_763_726_400_000, file: "/a.http", line: 1, template: "GET x",
        request: SentRequest(
          method: "GET", url: "http://t.test/a\nDELETE /b", headers: HeaderFields()),
        state: .cancelled))
    let found = try await store.searchHistory(HistoryQuery(text: "t.test"))
    let notice = try #require(found.notice)
    #expect(notice.hasPrefix("This SQLite has no FTS5"))
    #expect(try await store.searchHistory(HistoryQuery()).notice == nil)
    #expect(await store.takeNotices().map(\.message) == [notice])
    let lines = HistoryList.text(
      found.entries, HistoryQuery(text: "t.test", limit: 5), notice: notice, now: 1_763_726_400_000
    ).split(separator: "\n")
    #expect(lines.count == 5 && lines.allSatisfy { $0.hasPrefix("#") })
    #expect(lines[0] == "# \(notice)")
    #expect(lines[1] == "# Latest matching request to http://t.test.")
    #expect(
      lines[4] == "# \(Moment.clock(1_763_726_400_000))  cancelled  0 ms  "
        + "GET /a\\x0ADELETE /b  \(id)")
    #expect(
      HistoryList.text([], HistoryQuery(text: "x"), notice: nil, now: 0)
        == "# No matching requests.\n")
    #expect(
      HistoryList.text([], HistoryQuery(), notice: nil, now: 0) == "# Nothing has been sent yet.\n")
  }

  @Test func `a path is cut before its parts are decoded`() {
    #expect(DocumentURI("postkit:/response/a%2Fb%2Ehttp?x#y").segments == ["response", "a/b.http"])
  }
}
