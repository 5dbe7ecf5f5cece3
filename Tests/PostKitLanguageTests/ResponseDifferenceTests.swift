// What changed between two responses, as people and programs are told.

import PostKitHTTP
import PostKitJSON
import PostKitTestSupport
import Testing

@testable import PostKitLanguage

/// An exchange with a response, whose number is its second.
private func exchange(
  _ number: Int, _ body: [UInt8], type: String? = "application/json", status: Int = 200,
  headers: [(String, String)] = []
) -> Exchange {
  var exchange = Exchange(
    id: "id-\(number)", startedAt: Int64(number) * 1_000, file: "/a.http", line: 1,
    template: "GET /",
    request: SentRequest(method: "GET", url: "http://a.test/", headers: []), state: .done)
  let fields = (type.map { [("Content-Type", $0)] } ?? []) + headers
  exchange.response = Response(
    httpVersion: "HTTP/1.1", status: status, reason: status == 200 ? "OK" : "",
    headers: HeaderFields(fields.map { HeaderField($0.0, $0.1) }), body: .bytes(body),
    wireSize: body.count, decodedSize: body.count)
  return exchange
}

private func difference(_ old: Exchange, _ new: Exchange) -> ResponseDifference {
  ResponseDifference(
    from: old, to: new,
    read: { content, limit in
      guard case .bytes(let bytes) = content else { return [] }
      return Array(bytes.prefix(limit))
    },
    digest: { "digest of \($0.count)" })
}

/// A moment as the number of its second.
private func second(_ milliseconds: Int64) -> String { "second \(milliseconds / 1_000)" }

/// Compares bodies and holds the lines below the headings against an expectation.
private func check(
  _ old: String, _ new: String, type: String? = "application/json", is expected: String,
  file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = difference(
    exchange(1, Array(old.utf8), type: type), exchange(2, Array(new.utf8), type: type)
  ).text(time: second)
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).dropLast()
  expect(
    lines.joined(separator: "\n"), is: expected, file: file, sourceLocation: sourceLocation)
}

@Suite struct ResponseDifferenceTests {
  @Test func `the whole comparison reads like a diff`() {
    let old = exchange(1, Array(#"{"a":1}"#.utf8), headers: [("X", "1"), ("Y", "1"), ("Y", "2")])
    let new = exchange(
      2, Array(#"{"a":2}"#.utf8), status: 404, headers: [("Z", "1"), ("x", "1"), ("y", "2")])
    expect(
      difference(old, new).text(time: second),
      is: """
        --- second 1  GET http://a.test/
        +++ second 2  GET http://a.test/
        @@ status @@
        -HTTP/1.1 200 OK
        +HTTP/1.1 404
        @@ headers @@
        -y: 1
        -y: 2
        +y: 2
        +Z: 1
        @@ body, by JSONPath @@
        -$.a: 1
        +$.a: 2
        # The header `X` is now written `x`.
        # The header `Y` is now written `y`.

        """)
  }

  @Test func `members are compared by name and numbers by their exact value`() {
    check(
      #"{"a":1.0,"id":9007199254740993,"b":{"c":[1,2]},"gone":null,"a b":"x"}"#,
      #"{"a b":"it's","b":{"c":[1,3]},"id":9007199254740992,"a":1.00,"come":{}}"#,
      is: """
        @@ body, by JSONPath @@
        -$.id: 9007199254740993
        +$.id: 9007199254740992
        -$.b.c[1]: 2
        +$.b.c[1]: 3
        -$.gone: null
        -$['a b']: "x"
        +$['a b']: "it's"
        +$.come: {}
        """)
  }

  @Test func `elements are aligned, by their id where they have one`() {
    check(
      #"[{"id":1,"n":"a"},{"id":2,"n":"b"},{"id":3,"n":"c"}]"#,
      #"[{"id":0,"n":"z"},{"id":1,"n":"a"},{"id":3,"n":"C"}]"#,
      is: """
        @@ body, by JSONPath @@
        +$[0]: {"id":0,"n":"z"}
        -$[1]: {"id":2,"n":"b"}
        -$[2].n: "c"
        +$[2].n: "C"
        """)
    check(
      "[1,2,3,4]", "[0,1,2,4,{}]",
      is: """
        @@ body, by JSONPath @@
        +$[0]: 0
        -$[2]: 3
        +$[4]: {}
        """)
  }

  @Test func `the same value in other words is said to be the same`() {
    check(
      #"{"a":[1,1e2],"b":"é"}"#, "{ \"b\": \"\\u00e9\", \"a\": [1.0, 100] }\n",
      is: """
        # The responses are the same.
        # The bodies differ in layout only.
        """)
    check("[1]", "[1]", is: "# The responses are the same.")
  }

  @Test func `different spellings of an accent are different strings`() {
    check(
      "[\"\u{E9}\"]", "[\"e\u{301}\"]",
      is: """
        @@ body, by JSONPath @@
        -$[0]: "\u{E9}"
        +$[0]: "e\u{301}"
        """)
  }

  @Test func `text is compared line by line with two lines around a change`() {
    check(
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n",
      type: "text/plain",
      is: """
        @@ -2,5 +2,5 @@ body
         2
         3
        -4
        +four
         5
         6
        @@ -10,4 +10,3 @@ body
         10
         11
        -12
         \("")
        """)
    check(
      "a", "a\r\n", type: nil,
      is: """
        @@ -1,1 +1,2 @@ body
        -a
        +a\r
        +
        """)
  }

  @Test func `what only claims to be JSON is compared as text`() {
    check(
      "{oops", #"{"a":1}"#,
      is: """
        @@ -1,1 +1,1 @@ body
        -{oops
        +{"a":1}
        """)
  }

  @Test func `binary bodies are compared by size and digest`() {
    let text = difference(
      exchange(1, [0, 1, 2], type: "image/png"), exchange(2, [0, 1], type: nil)
    ).text(time: second)
    #expect(
      text.hasSuffix(
        """
        @@ body, by size and SHA-256 @@
        -image/png, 3 bytes, digest of 3
        +no type, 2 bytes, digest of 2

        """))
  }

  @Test func `a large body is compared by its digest and never read`() {
    var (old, new) = (exchange(1, []), exchange(2, []))
    old.response?.body = .file(path: "/a", size: 5 << 20)
    new.response?.body = .file(path: "/b", size: 5 << 20)
    let read: (BodyContent, Int) -> [UInt8] = { _, _ in
      Issue.record("the body was read")
      return []
    }
    let same = ResponseDifference(from: old, to: new, read: read, digest: { _ in "same" })
    #expect(same.isEmpty && same.body == .same)
    var digests = ["one", "two"]
    let other = ResponseDifference(from: old, to: new, read: read) { _ in digests.removeFirst() }
    #expect(!other.isEmpty)
    guard case .opaque(let before, let after) = other.body else {
      Issue.record("\(other.body)")
      return
    }
    #expect(before.digest == "one" && after.digest == "two" && before.size == 5 << 20)
  }

  @Test func `without a response there is only the reason to compare`() {
    var failed = exchange(2, [])
    failed.response = nil
    failed.state = .failed
    failed.failure = Failure(.timeout, "No answer came.")
    let text = difference(exchange(1, [1]), failed).text(time: second)
    #expect(
      text.hasSuffix(
        """
        @@ status @@
        -HTTP/1.1 200 OK
        +no response: timeout
        # Only one of the two has a response, so there is no more to compare.

        """))
  }

  @Test func `masks and cut bodies are told, because they hide changes`() {
    var old = exchange(1, Array("[1]".utf8))
    old.response?.isTruncated = true
    old.isRedacted = true
    let notes = difference(old, exchange(2, Array("[1]".utf8))).notes
    #expect(notes.count == 2 && notes[0].contains("truncated") && notes[1].contains("masked"))
  }

  @Test func `the order of headers is told apart from their values`() {
    let old = exchange(1, [], headers: [("A", "1"), ("B", "2")])
    let new = exchange(2, [], headers: [("B", "2"), ("A", "1")])
    let difference = difference(old, new)
    #expect(difference.isEmpty && difference.headers?.isReordered == true)
    #expect(difference.notes == ["The headers have another order."])
  }

  @Test func `what differs in every response is told apart from what changed`() {
    let old = exchange(
      1, [],
      headers: [
        ("date", "Mon, 23 Nov 2026 07:27:17 GMT"), ("X-Request-Id", "a"), ("Age", "1"),
        ("Set-Cookie", "id=7; Path=/; Max-Age=60; Expires=Mon, 23 Nov 2026 07:28:17 GMT"),
      ])
    var new = old
    new.id = "id-2"
    new.response?.headers = HeaderFields([
      HeaderField("Content-Type", "application/json"),
      HeaderField("date", "Mon, 23 Nov 2026 07:27:18 GMT"), HeaderField("X-Request-Id", "b"),
      HeaderField("Age", "1"),
      HeaderField(
        "Set-Cookie", "id=7; path=/; Max-Age=59; expires=Mon, 23 Nov 2026 07:28:18 GMT"),
    ])
    // The path of the cookie is written otherwise, so that the cookie counts.
    let counted = difference(old, new)
    #expect(counted.headers?.changes.map(\.name) == ["Set-Cookie"] && !counted.isEmpty)
    new.response?.headers.fields[4].value =
      "id=7; Path=/; Max-Age=59; expires=Mon, 23 Nov 2026 07:28:18 GMT"
    new.environment = "dev"
    #expect(difference(old, new).isEmpty)
    expect(
      difference(old, new).text(time: second),
      is: """
        --- second 1  GET http://a.test/
        +++ second 1  GET http://a.test/  dev
        # The responses are the same.
        # Not counted, as they change with nearly every response:
        #   date: Mon, 23 Nov 2026 07:27:17 GMT → Mon, 23 Nov 2026 07:27:18 GMT
        #   X-Request-Id: a → b
        #   Set-Cookie: id=7; Path=/; Max-Age=60; Expires=Mon, 23 Nov 2026 07:28:17 GMT → \
        id=7; Path=/; Max-Age=59; expires=Mon, 23 Nov 2026 07:28:18 GMT

        """)
  }

  @Test func `a passing header that only one response has is a change`() {
    let difference = difference(exchange(1, [], headers: [("Age", "1")]), exchange(2, []))
    #expect(difference.headers?.changes.map(\.name) == ["Age"])
  }

  @Test func `programs get everything, with values as JSON`() {
    let old = exchange(1, Array(#"{"a":1.50}"#.utf8), headers: [("Age", "1")])
    let new = exchange(2, Array(#"{"b":[]}"#.utf8), headers: [("X", "1"), ("Age", "2")])
    expect(
      difference(old, new).json.text,
      is: """
        {"old":{"id":"id-1","time":"1970-01-01T00:00:01.000Z","method":"GET",\
        "url":"http://a.test/","status":200},\
        "new":{"id":"id-2","time":"1970-01-01T00:00:02.000Z","method":"GET",\
        "url":"http://a.test/","status":200},"same":false,"status":null,\
        "headers":[{"name":"X","old":[],"new":["1"]}],\
        "passing":[{"name":"Age","old":["1"],"new":["2"]}],\
        "body":{"kind":"json","changes":[{"old":{"path":"$.a","value":1.50},"new":null},\
        {"old":null,"new":{"path":"$.b","value":[]}}]},"notes":[]}
        """)
  }

  @Test func `every change can be found by its path`() throws {
    var random = RepeatableGenerator(seed: 4)
    for _ in 0..<300 {
      let (old, new) = (value(&random, depth: 3), value(&random, depth: 3))
      let (before, after) = (
        try JSONTree(parsing: old.bytes), try JSONTree(parsing: new.bytes)
      )
      let changes = JSONDifference.changes(from: before, to: after)
      #expect(changes.isEmpty == old.isEquivalent(to: new))
      for change in changes {
        for (place, tree) in [(change.old, before), (change.new, after)] {
          guard let place else { continue }
          let found = try JSONPath(place.path).first(in: tree.root)
          #expect(found?.value == place.value, "\(place.path) in \(tree.root.value.text)")
        }
      }
    }
  }

  private func value(_ random: inout RepeatableGenerator, depth: Int) -> JSONValue {
    switch random.int(in: 0..<(depth > 0 ? 8 : 4)) {
    case 0: return .null
    case 1: return .number(random.pick(["1", "1.0", "2", "-0", "1e3"]))
    case 2, 3: return .string(random.pick(["", "a", "é", "\"'\\"]))
    case 4, 5:
      return .array((0..<random.int(in: 0..<5)).map { _ in value(&random, depth: depth - 1) })
    default:
      let names = ["a", "b c", "it's", "\"", "\\", "é", "id", "1", "", "\u{1}"]
      let chosen = names.filter { _ in random.oneIn(3) }
      return .object(chosen.map { JSONMember($0, value(&random, depth: depth - 1)) })
    }
  }
}
