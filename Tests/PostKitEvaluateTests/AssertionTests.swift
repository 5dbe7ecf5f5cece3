// What `??` lines and expected statuses say of a response.

import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import Testing

@testable import PostKitEvaluate

@Suite struct AssertionTests {
  private static let body = """
    {"n": 3, "big": 9007199254740993, "zero": 0, "list": [1, "two", 13], "o": {"k": "v", "l": 2},
     "text": "häh", "yes": true, "no": false, "nothing": null, "empty": ""}
    """

  /// The results of a block with these lines, by a response.
  private func results(
    _ lines: [String], head: String = "", body: String = AssertionTests.body,
    bytes: [UInt8]? = nil,
    headers: HeaderFields = [
      "Content-Type": "application/json; charset=utf-8", "Content-Length": "100", "X-One": "one-1",
    ],
    overrides: [String: String] = [:], timings: Timings = Timings()
  ) -> [AssertionResult] {
    let exchange = Laboratory.exchange(bytes: bytes ?? Array(body.utf8), headers: headers)
    var laboratory = Laboratory()
    laboratory.overrides = overrides
    laboratory.exchanges = ["": exchange, "login": exchange]
    let text = "@word = one\n\(head)GET http://t.test/\n\n" + lines.joined(separator: "\n") + "\n"
    let document = ParsedDocument(bytes: Array(text.utf8))
    var context = laboratory.context()
    context.digest = { kind, bytes in kind == .md5 ? nil : Array("\(kind) \(bytes.count)".utf8) }
    var evaluator = Evaluator(context: context, scope: laboratory.scope(document))
    let block = document.requests[0]
    let settings = RequestSettings(block, defaults: TransferOptions(), evaluator: &evaluator)
    return evaluator.results(
      of: block, settings, AnsweredRequest(exchange, timings: timings))
  }

  private func checkHolds(_ lines: [String], body: String = AssertionTests.body) {
    for result in results(lines.map { "?? \($0)" }, body: body) {
      #expect(result.passed, "\(result)")
    }
  }

  private func checkFails(_ lines: [String], body: String = AssertionTests.body) {
    for result in results(lines.map { "?? \($0)" }, body: body) {
      #expect(!result.passed, "\(result)")
    }
  }

  @Test func `the name is the text of the line, as written`() {
    let names = results(["?? status == 201", "??  header  x-one ==  {{word}}-1 "]).map(\.name)
    #expect(names == ["status == 201", "header  x-one ==  {{word}}-1"])
  }

  @Test(
    "a body says what its charset makes of it, and its digest is that of its bytes",
    arguments: [
      ("application/json; charset=iso-8859-1", Array("{\"a\":\"".utf8) + [0xE9, 0x22, 0x7D]),
      (
        "application/json; charset=utf-16le",
        Array(#"{"a":"é"}"#.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      ),
    ])
  func charsets(_ type: String, _ bytes: [UInt8]) {
    let digest = Base64.encode(Array("sha256 \(bytes.count)".utf8))
    let lines = [
      "?? body a == é", "?? body == {\"a\": \"é\"}", "?? body contains é",
      "?? body matches \"é\"", "?? body sha256 \(digest)",
    ]
    let results = results(lines, bytes: bytes, headers: ["Content-Type": type])
    for result in results { #expect(result.passed, "\(result)") }
    #expect(results[1].actual == #"{"a":"é"}"#)
    var laboratory = Laboratory()
    let headers: HeaderFields = ["Content-Type": type]
    laboratory.exchanges = ["l": Laboratory.exchange(bytes: bytes, headers: headers)]
    let reading = "POST http://t.test\n\n{{l.response.body.$.a}}{{l.a}}{{l.response.body.*}}"
    #expect(laboratory.lower(reading).text == "POST http://t.test\n\néé{\"a\":\"é\"}")
  }

  @Test func `status, headers, body and members are compared in their own type`() {
    checkHolds([
      "status == 201", "status == 201.0", "status === '201'", "status != 200", "status matches ^2",
      "status startsWith 20", "header x-one == one-1", #"header X-ONE == "one-1""#,
      "header x-one == {{word}}-1", "header x-{{word}} endsWith -1", "header content-length > 99",
      "body n == 3", "body n == 3.0", "body big == 9007199254740993", "body o.k == v",
      "body o.k == 'v'", #"body o["k"] == v"#, "body list[0] == 1", "body $.o.k == v",
      "body yes == true", "body no == false", "body nothing == null", "body empty == ",
      #"body o == {"l": 2.0, "k": "v"}"#, #"body list == [1, "two", 13]"#, "body text == häh",
      "body list.length == 3", "body text.length == 3", "body none == undefined",
    ])
    checkFails([
      "status == 200", "status == ok", "header x-one == One-1", "header x-none == one",
      "body big == 9007199254740992", "body n == three", #"body o == {"k": "v"}"#,
      "body list == [1]", "body none == null", "body nothing == undefined", "body o.k == w",
    ])
  }

  @Test func `the whole body is its bytes, and what they say`() {
    checkHolds(
      [
        #"body == {"a":[1,2]}"#, #"body == { "a" : [1, 2.0] }"#, "body startsWith {",
        "body contains [1,2]", "body sha256 c2hhMjU2IDEx",
      ], body: #"{"a":[1,2]}"#)
    checkHolds(["body isArray"], body: "[]")
    let text = results(
      ["?? body == hello", "?? body isString", "?? body a == 1"], body: "hello",
      headers: ["Content-Type": "text/plain"])
    #expect(text.map(\.passed) == [true, true, false])
    #expect(text[2].explanation?.contains("the body is not JSON") == true)
    #expect(results(["?? body == [1"], body: "[1").map(\.passed) == [true])
  }

  @Test func `greater and less are for numbers`() {
    checkHolds([
      "body n > 2", "body n >= 3", "body n < 3.5", "body n <= 3", "body zero > -1", "body zero >= 0",
      "body big > 9007199254740992",
    ])
    checkFails(["body n > 3", "body n < 3", "body none > 0", "body none < 1", "body text > 1"])
    let bad = results(["?? body n > many", "?? body o.k > 1"])
    #expect(bad[0].explanation == "`many` is not a number.")
    #expect(bad[1].explanation == "`<` and `>` compare numbers only.")
  }

  @Test func `truth is that of JavaScript`() {
    let truthy = ["n", "list", "o", "text", "yes"]
    let falsy = ["zero", "no", "nothing", "empty", "none"]
    checkHolds(truthy.flatMap { ["body \($0) exists", "body \($0) isTrue"] })
    checkHolds(falsy.map { "body \($0) isFalse" })
    checkFails(falsy.flatMap { ["body \($0) exists", "body \($0) isTrue"] })
    checkFails(truthy.map { "body \($0) isFalse" })
  }

  @Test func `types`() {
    checkHolds([
      "body n isNumber", "body text isString", "body no isBoolean", "body list isArray",
      "status isNumber", "header x-one isString",
    ])
    checkFails([
      "body text isNumber", "body n isString", "body n isBoolean", "body o isArray",
      "body none isString",
    ])
  }

  @Test func `parts of texts and elements of arrays`() {
    checkHolds([
      "body text contains ä", "body text includes h", "body list contains two",
      "body list contains 13", "body o contains k", "header content-type contains json",
      "body text startsWith hä", "body text endsWith äh", "body list contains 'two'",
    ])
    checkFails([
      "body text contains x", "body list contains three", "body none contains x",
      "body text startsWith ä", "body text endsWith ä", "body text startsWith hähäh",
    ])
  }

  @Test func `regular expressions search`() {
    checkHolds([
      #"status matches ^2\d+$"#, "body text matches ä", "body text matches ^h.h$",
      "header x-one matches (one|two)-[0-9]",
    ])
    checkFails(["body text matches ^ä", "body none matches .*"])
    let broken = results(["?? body text matches a("])
    #expect(broken[0].explanation?.hasPrefix("Invalid regular expression `a(`: ") == true)
  }

  @Test func `digests are in Base64`() {
    // The laboratory's digest is a text that says what was asked of it.
    checkHolds(["body o.k sha256 c2hhMjU2IDE=", "body o.k sha512 c2hhNTEyIDE="])
    let failed = results(["?? body o.k sha256 abc", "?? body o.k md5 abc", "?? body x md5 abc"])
    #expect(failed[0].explanation == "The digest is `c2hhMjU2IDE=`.")
    #expect(failed[1].explanation?.contains("Install OpenSSL") == true)
    #expect(!failed[2].passed)
  }

  @Test func `durations are in milliseconds`() {
    var timings = Timings()
    (timings.nameLookup, timings.connect, timings.tls) = (1_000, 3_000, 7_500)
    (timings.firstByte, timings.total) = (20_007, 30_000)
    let lines = [
      "duration == 30", "duration total == 30", "duration wait == 1", "duration tcp == 2",
      "duration tls == 4.5", "duration request == 0", "duration firstByte == 12.507",
      "duration download == 9.993",
    ]
    for result in results(lines.map { "?? \($0)" }, timings: timings) {
      #expect(result.passed, "\(result)")
    }
  }

  @Test func `expressions are paths, literals and references`() {
    checkHolds([
      "js response.statusCode == 201", "response.status == 201", "js response.statusMessage == Created",
      "js response.parsedBody.list.length == 3", "response.parsedBody.o.k == v",
      #"js response.parsedBody.o == {"k": "v", "l": 2}"#, "response.headers.x-one == one-1",
      "response.headers['X-One'] == one-1", "response.contentType.mimeType == application/json",
      "response.contentType.charset == utf-8", "response.httpVersion == HTTP/1.1",
      "login.o.k == v", "loginResponse.statusCode == 201", "word == one", "{{word}} == one",
      "js 3 == 3", "js 'a' == a", "js true isTrue", "response.parsedBody.none == undefined",
      "{{response.parsedBody.n}} == 3", "a{{word}}b == aoneb",
    ])
    checkFails(["response.parsedBody.none exists", "nobody == 3", "response.bodies == 3"])
  }

  @Test func `what needs JavaScript fails until it has been evaluated`() {
    let found = results(["?? js 1 + 1 == 2", "?? js f(x) == 2", "?? status == 201"])
    #expect(found.map(\.name) == ["js 1 + 1 == 2", "js f(x) == 2", "status == 201"])
    #expect(found.map(\.passed) == [false, false, true])
    #expect(
      found[0].message { text, _ in text }
        == "`{{1 + 1}}` is JavaScript; it is evaluated when the request is sent.")
    let expected = results(["?? status == {{200 + 1}}"])
    #expect(expected.map(\.passed) == [false])
    #expect(expected[0].message { text, _ in text }.contains("JavaScript"))
  }

  @Test(.timeLimit(.minutes(10)))
  func `no pattern keeps a run from ending`() {
    let text = String(repeating: "a", count: 10_000)
    let type: HeaderFields = ["Content-Type": "text/plain"]
    let hostile = results(["?? body matches ^(a+)+$"], body: text + "!", headers: type)
    #expect(hostile.map(\.passed) == [false])
    let large = results(["?? body matches (a?){8000}b"], body: text, headers: type)
    #expect(
      large[0].explanation == "`(a?){8000}b` would take too long on 10000 bytes. Write it with "
        + "shorter repeats, or check a member of the body.")
    let around = results(["?? body matches (?=a)"], body: text, headers: type)
    #expect(around[0].explanation?.contains("lookaround") == true)
  }

  @Test func `what can't be resolved fails with the reason`() {
    let result = results(["?? header x-one == {{wrod}}"])[0]
    #expect(!result.passed)
    #expect(result.explanation?.contains("`wrod` is not defined.") == true)
    let missing = results(["?? header x-none == one"])[0]
    #expect(missing.message { text, _ in text } == "The response has no header `x-none`.")
    let other = results(["?? header x-one == {{word}}"])[0]
    #expect(other.message { text, _ in "<\(text)>" } == "The value is `<one-1>`. Expected: `<one>`.")
  }

  @Test func `kulala's list of statuses`() {
    let tag = "# @kulala-expect-status-code"
    #expect(results([], head: "\(tag) 200 201\n").map(\.passed) == [true])
    #expect(results([], head: "\(tag) 200,201\n").map(\.passed) == [true])
    let failed = results([], head: "\(tag) 200\n")[0]
    #expect(failed.name == "kulala-expect-status-code 200")
    #expect(failed.message { text, _ in text } == "The value is `201`.")
    #expect(results([], head: "\(tag)\n").map(\.passed) == [false])
    let word = results([], head: "\(tag) ok\n")[0]
    #expect(word.explanation == "Write status codes with blanks between, such as `200 201`.")
  }
}
