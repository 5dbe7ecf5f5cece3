// A request of another tool as a block: its parts, their order, and what is sent.

import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct RequestBlockTests {
  private typealias Sample = WrittenSample

  /// A request with all parts that there are.
  private var whole: OriginRequest {
    Sample.request("Make order", "http://a.test/orders", method: "POST") {
      $0.description = "Makes an order.\n@name is no tag"
      $0.tags = ["smoke", "slow one"]
      $0.referenceName = "makeOrder"
      $0.metadata = ["no-redirect", "timeout 5 s"]
      $0.headers = [
        Sample.pair("Content-Type", "application/json"), Sample.pair("X-Old", "1", isOn: false),
        Sample.pair("X-New", "2", description: "the new one"),
      ]
      $0.body = .text("{\n  \"id\": 9007199254740993\n}")
      $0.variables = [Sample.variable("size", "3")]
      $0.checks = [OriginCheck(line: "status == 200", title: nil)]
      $0.scripts = [
        OriginScript(phase: .beforeRequest, text: "pm.a();", place: Sample.place),
        OriginScript(phase: .afterResponse, text: "pm.b();", place: Sample.place),
      ]
      $0.examples = [
        OriginExample(
          name: "ok", status: 201, headers: [Sample.pair("Content-Type", "text/plain")],
          body: Array("made".utf8), place: Sample.place)
      ]
    }
  }

  @Test func `parts stand in the order that is agreed on`() {
    let written = Written(Sample.collection([whole]))
    expect(
      written.text(),
      is: """
        ### Make order
        # Makes an order.
        # # @name is no tag
        # @tag smoke, slow-one
        # @example 201 ./examples/Make order.ok.201.http
        # @name makeOrder
        # @no-redirect
        # @timeout 5 s
        @size = 3
        < {%
        pm.a();
        %}
        POST http://a.test/orders
        Content-Type: application/json
        # X-Old: 1
        X-New: 2
        # the new one

        {
          "id": 9007199254740993
        }

        > {%
        pm.b();
        %}
        ?? status == 200

        """)
    expect(
      written.attachment("examples/Make order.ok.201.http") ?? "",
      is: """
        HTTP/1.1 201 Created
        Content-Type: text/plain

        made
        """)
    #expect(written.codes == [.scriptKept, .scriptKept])
    #expect(written.wires()[0].body == "{\n  \"id\": 9007199254740993\n}")
  }

  @Test func `a short query stays on the line and any other gets lines`() {
    let requests = [
      Sample.request("Short") {
        $0.query = [Sample.pair("a", "1"), Sample.pair("b", nil)]
      },
      Sample.request("Three") {
        $0.query = [
          Sample.pair("q", "a&b c"), Sample.pair("debug", "1", isOn: false),
          Sample.pair("flag", nil), Sample.pair("at", "10:30#z", description: "when"),
          Sample.pair("a=b+c", "1+1%20%"),
        ]
      },
      Sample.request("Long") {
        $0.query = [Sample.pair("a", String(repeating: "x", count: 90))]
      },
      Sample.request("Off") { $0.query = [Sample.pair("a", "1", isOn: false)] },
      Sample.request("Has one", "http://a.test/?x=1") { $0.query = [Sample.pair("?", "2")] },
    ]
    let written = Written(Sample.collection(requests))
    #expect(
      written.text().contains(
        """
        ### Three
        GET http://a.test/x
            ?q=a%26b%20c
            # &debug=1
            &flag
            &at=10:30%23z
            # when
            &a%3Db%2Bc=1+1%20%
        """))
    #expect(
      written.wires().map(\.url) == [
        "http://a.test/x?a=1&b",
        "http://a.test/x?q=a%26b%20c&flag&at=10:30%23z&a%3Db%2Bc=1+1%20%25",
        "http://a.test/x?a=" + String(repeating: "x", count: 90), "http://a.test/x",
        "http://a.test/?x=1&%3F=2",
      ])
    #expect(written.notes.isEmpty)
  }

  @Test func `equal and missing names get titles that differ`() {
    let requests = [
      Sample.request("Get", "http://a.test/1"), Sample.request("Get", "http://a.test/2"),
      Sample.request("Get 2", "http://a.test/3"),
      Sample.request("", "{{base}}/users/{{id}}"), Sample.request("### a\n### b"),
      Sample.request("Shared"),
    ]
    let written = Written(Sample.collection(requests))
    #expect(
      written.folder.files[0].blocks.map(\.title) == [
        "Get", "Get 2", "Get 2 2", "GET /users/{{id}}", "a ### b", "Shared request",
      ])
    #expect(written.codes == [.duplicateTitle, .duplicateTitle])
    #expect(written.wires().count == 6)
  }

  @Test func `what is no header becomes a comment and is told`() {
    let request = Sample.request("A") {
      $0.headers = [
        Sample.pair("X-A", "1\r\nX-B: 2"), Sample.pair("not a token", "x"),
        Sample.pair("#hash", "x"), Sample.pair("&amp", "x"), Sample.pair("...all", "x"),
        Sample.pair("X-Empty", ""), Sample.pair("", "none"),
        OriginPair(name: "X-Brace", value: OriginText(literal: "a {{ b }} c")),
      ]
    }
    let written = Written(Sample.collection([request]))
    #expect(written.wires()[0].headers == ["X-Empty: ", "X-Brace: a {{ b }} c"])
    #expect(written.codes == Array(repeating: .itemMalformed, count: 5))
    #expect(written.notes[0].line == 1 && written.notes[0].file == "Shop.http")
    #expect(written.text().contains("# X-A: 1  X-B: 2\n"))
  }

  @Test func `methods are words in capitals`() {
    let requests = ["", "get", "PURGE", "link", "BAD WORD", "M-SEARCH"].map {
      Sample.request("m\($0)", method: $0)
    }
    let written = Written(Sample.collection(requests))
    #expect(
      written.folder.files[0].blocks.map { String($0.line.prefix { $0 != " " }) }
        == ["GET", "GET", "PURGE", "LINK", "GET", "M-SEARCH"])
    #expect(written.codes.contains(.itemMalformed))
    #expect(written.folder.files[0].blocks[4].head == "# @disabled")
  }

  @Test func `a version of HTTP stands on the request line`() {
    let requests = ["HTTP/2", "1.1", "three"].map { version in
      Sample.request(version) {
        $0.httpVersion = version
        $0.query = [Sample.pair("a", "1", isOn: false)]
      }
    }
    let written = Written(Sample.collection(requests))
    #expect(
      written.folder.files[0].blocks.map(\.line) == [
        "GET http://a.test/x HTTP/2\n    # ?a=1", "GET http://a.test/x HTTP/1.1\n    # ?a=1",
        "GET http://a.test/x\n    # ?a=1",
      ])
    #expect(written.wires().count == 3 && written.codes == [.settingUnsupported])
  }

  @Test func `requests of other protocols keep their words`() {
    let requests = [
      Sample.request("ws", "wss://a.test/socket") {
        $0.kind = .webSocket
        $0.body = .messages(["one", "two"])
      },
      Sample.request("rpc", "a.test/Pet/Get") {
        $0.kind = .grpc
        $0.body = .text("{}")
      },
    ]
    let text = Written(Sample.collection(requests)).text()
    #expect(text.contains("WEBSOCKET wss://a.test/socket\n\none\n\n===\n\ntwo\n"))
    #expect(text.contains("GRPC a.test/Pet/Get\n\n{}\n"))
  }

  @Test func `checks are named above their lines where that is read`() {
    let checks = [
      OriginCheck(line: "status == 200", title: "ok"),
      OriginCheck(line: "body $.id == 7", title: "id is 7"),
    ]
    let requests = [
      Sample.request("Without body") { $0.checks = checks },
      Sample.request("With body", method: "POST") {
        $0.checks = checks
        $0.headers = [Sample.pair("Content-Type", "text/plain")]
        $0.body = .text("text")
      },
    ]
    let written = Written(Sample.collection(requests))
    expect(
      written.text(),
      is: """
        ### Without body
        GET http://a.test/x

        # ok
        ?? status == 200
        # id is 7
        ?? body $.id == 7

        ### With body
        # check: ok
        POST http://a.test/x
        Content-Type: text/plain

        text

        ?? status == 200
        # id is 7
        ?? body $.id == 7

        """)
    #expect(written.wires()[1].body == "text")
  }
}
