// What an accepted item makes of text that is broken: braces that are half there, quotes that some
// editors leave where they are, a URL before which the method is missing.

import PostKitLanguage
import PostKitTestSupport
import Testing

private let json = "POST {{host}}/users\nContent-Type: application/json\n\n"

/// The text once an item is in, for an editor that replaces nothing behind the caret; places that
/// are to be filled in are `‹›`.
private func checkInserted(
  _ marked: String, _ label: String, is expected: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let text = MarkedText(marked)
  let items = Bench().analysis(text.bytes).completion(at: text.offset()).items
  let item = try #require(
    items.first { $0.label == label }?.keepingQuote, sourceLocation: sourceLocation)
  #expect(item.replaced.upperBound == text.offset(), sourceLocation: sourceLocation)
  var bytes = text.bytes
  let inserted = (item.snippet ?? item.text).replacing("$1", with: "‹›")
  bytes.replaceSubrange(item.replaced, with: Array(inserted.utf8))
  #expect(String(decoding: bytes, as: UTF8.self) == expected, sourceLocation: sourceLocation)
}

struct CompletionEditTests {
  @Test(arguments: [
    ("GET {{ho1️⃣", "GET {{host}}1️⃣"),
    ("GET {{ho1️⃣}", "GET {{host}1️⃣}"),
    ("GET {{ho1️⃣}}", "GET {{host1️⃣}}"),
    ("GET {ho1️⃣", "GET {{host}}1️⃣"),
    ("GET {ho1️⃣}", "GET {{host}1️⃣}"),
    ("GET {ho1️⃣}}", "GET {{host1️⃣}}"),
    ("GET {{1️⃣}", "GET {{host}1️⃣}"),
    ("GET {1️⃣}", "GET {{host}1️⃣}"),
    ("GET {{ho1️⃣x}/a", "GET {{host}1️⃣}/a"),
    ("GET {{ho1️⃣/a", "GET {{host}}1️⃣/a"),
    ("GET {{ ho1️⃣ }", "GET {{ host}1️⃣ }"),
    ("GET /{ho1️⃣}/b?c={d}", "GET /{{host}1️⃣}/b?c={d}"),
    ("GET /\nX-A: a {ho1️⃣}\r\n", "GET /\nX-A: a {{host}1️⃣}\r\n"),
    ("@x = {{ho1️⃣}\n\nGET /", "@x = {{host}1️⃣}\n\nGET /"),
    ("GET /\n\nplain {{ho1️⃣ text} x", "GET /\n\nplain {{host}}1️⃣ text} x"),
  ])
  func `Only the braces that are missing come with a variable`(
    marked: String, expected: String
  ) throws {
    try checkInsertion(marked, "host", is: expected)
  }

  @Test(arguments: [
    (#"{"a": {{ho1️⃣}"#, #"{"a": {{host}}1️⃣}"#),
    (#"{"a": {{ho1️⃣}}"#, #"{"a": {{host}1️⃣}}"#),
    (#"{"a": {{ho1️⃣}}}"#, #"{"a": {{host1️⃣}}}"#),
    (#"{"a": {"b": {{ho1️⃣}}"#, #"{"a": {"b": {{host}}1️⃣}}"#),
    (#"{"a": {"b": {{ho1️⃣}}}}"#, #"{"a": {"b": {{host1️⃣}}}}"#),
    ("{\n\"a\": {{ho1️⃣}\n}", "{\n\"a\": {{host}1️⃣}\n}"),
    ("{\n\"a\": {\"b\": {{ho1️⃣}\n}", "{\n\"a\": {\"b\": {{host}}1️⃣}\n}"),
    ("{\"a\": {{ho1️⃣}}\n}", "{\"a\": {{host1️⃣}}\n}"),
    (#"{"a": "{{ho1️⃣}"}"#, #"{"a": "{{host}1️⃣}"}"#),
    (#"{"a": "{{ho1️⃣}}"}"#, #"{"a": "{{host1️⃣}}"}"#),
    (#"{"a": "{{ho1️⃣"}"#, #"{"a": "{{host}}1️⃣"}"#),
    (#"{"a": {"b": "{{ho1️⃣"}}"#, #"{"a": {"b": "{{host}}1️⃣"}}"#),
  ])
  func `Braces that close an object around a reference are left to it`(
    marked: String, expected: String
  ) throws {
    try checkInsertion(json + marked, "host", is: json + expected)
  }

  @Test func `A path behind one brace is written from where the name begins`() throws {
    let login = "### \n# @name login\nPOST https://a.test/login\n\n###\n"
    try checkInsertion(
      login + "GET /{login.re1️⃣}", "response", is: login + "GET /{{login.response.1️⃣}")
    try checkInsertion("GET /{$u1️⃣", "$uuid", is: "GET /{{$uuid}}1️⃣")
    checkCompletion("GET /{{$datetime 1️⃣}", limit: 1, is: "rfc1123")
  }

  @Test func `A quote that an editor leaves behind the caret ends what goes in`() throws {
    let earlier = json + #"{"s": "x", "n": 5, "o": {"a": 1}}"# + "\n\n###\n"
    let body = earlier + json
    try checkInserted(body + #"{"1️⃣"}"#, "s", is: body + #"{"s": "‹›"}"#)
    try checkInserted(body + #"{"1️⃣"}"#, "n", is: body + #"{"n"}"#)
    try checkInserted(body + #"{"1️⃣"}"#, "o", is: body + #"{"o"}"#)
    try checkInserted(body + #"{"s1️⃣": 1}"#, "s", is: body + #"{"s": 1}"#)
    try checkInserted(body + "{\"1️⃣\"\n\"z\": 1}", "s", is: body + "{\"s\": \"‹›\"\n\"z\": 1}")
    try checkInserted(body + #"{"s": "1️⃣"}"#, #""x""#, is: body + #"{"s": "x"}"#)
    try checkInserted(body + #"{"s": "us1️⃣"}"#, "{{user}}", is: body + #"{"s": "{{user}}"}"#)
  }

  @Test func `What is typed of a variable's name is held against the name, without braces`() {
    func filters(_ marked: String, _ label: String) -> [String] {
      let text = MarkedText(marked)
      return Bench().analysis(text.bytes).completion(at: text.offset()).items
        .filter { $0.label == label }.map(\.filterText)
    }
    #expect(filters(json + #"{"a": "us1️⃣"}"#, "{{user}}") == ["\"user\""])
    #expect(filters(json + #"{"a": us1️⃣}"#, "{{user}}") == ["user"])
    #expect(filters("GET ho1️⃣", "{{host}}") == ["host"])
    #expect(filters("GET http1️⃣", "{{host}}") == ["https://dev.test"])
  }

  @Test func `A method goes before a URL, whose scheme stays`() throws {
    try checkInsertion("1️⃣https://a.test/x", "GET", is: "GET 1️⃣https://a.test/x")
    try checkInsertion("ht1️⃣tps://a.test/x", "http://", is: "http://1️⃣/x")
  }

  @Test func `What was asked for with the URL written out is known behind its variable`() {
    let written = "GET https://dev.test/a?x=1\n\n###\nGET https://b.test/c\n\n###\n"
    checkCompletion(written + "GET {{host}}/1️⃣", is: "/a")
    checkCompletion(written + "GET {{host}}/a?1️⃣", is: "x")
    checkCompletion("GET {{host}}/d\n\n###\nGET https://dev.test/1️⃣", is: "/d")
    checkCompletion("GET {{lost}}/d\n\n###\nGET {{gone}}/1️⃣", is: "")
  }
}
