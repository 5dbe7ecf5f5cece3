// The queries of `postkit:/history`.

import JSONRPC
import PostKitHTTP
import PostKitStore
import Testing

@testable import PostKitServer

@Suite struct HistoryDocumentTests {
  @Test func `a query names what is looked for`() throws {
    let query = try HistoryQuery(
      DocumentURI("postkit:/history?search=a%20b&host=t.test&method=get&status=4xx&limit=7#x"))
    #expect(query.text == "a b" && query.host == "t.test" && query.method == "GET")
    #expect(query.statusClass == 4 && query.status == nil && query.limit == 7)
    #expect(try HistoryQuery(DocumentURI("postkit:/history?status=404")).status == 404)
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
      "the history knows no `colour`. It knows search, file, name, environment, method, host, "
        + "status, state and limit."
    ),
  ])
  func `what can't be asked is said`(query: String, message: String) {
    #expect(throws: RPCError(.invalidParams, "params.uri: " + message)) {
      try HistoryQuery(DocumentURI("postkit:/history?" + query))
    }
  }

  @Test func `a path is cut before its parts are decoded`() {
    #expect(DocumentURI("postkit:/response/a%2Fb%2Ehttp?x#y").segments == ["response", "a/b.http"])
  }
}
