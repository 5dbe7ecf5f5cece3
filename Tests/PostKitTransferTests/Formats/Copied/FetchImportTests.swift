// Copied calls of `fetch` become requests; what is no literal is refused with its place.

import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct FetchImportTests {
  private func read(_ text: String) throws -> ImportedText {
    try ImportedText.read(FetchImporter.self, ("calls.js", text))
  }

  @Test func `a call is a request with its headers and body`() throws {
    let read = try read(
      #"""
      // copied
      fetch("https://a.test/x?y=%20{{z}}", {
        "headers": {"accept": "*/*", 'content-type': 'application/json', "cookie": "sid=s-1"},
        "referrer": "https://a.test/", "referrerPolicy": "no-referrer", "body": "{\"a\":\"\u00e4😀\ud83d\ude00\"}",
        method: `POST`, "mode": "cors", "credentials": "include", redirect: "manual",
      });
      await fetch('https://b.test');
      await fetch("https://c.test", {"method":"PUT","body":"x","headers":[["a","b"]],"body2":1})
      """#)
    #expect(read.collection.root.name == "calls")
    let first = read.requests[0]
    #expect("\(first.method) \(first.target)" == "POST https://a.test/x?y=%20%7B%7Bz%7D%7D")
    #expect(
      first.headerLines == [
        "accept: */*", "content-type: application/json", "cookie: sid={{sid}}",
        "Referer: https://a.test/",
      ])
    #expect(first.body == .text(OriginText(literal: #"{"a":"ä😀😀"}"#)))
    #expect(first.metadata == ["no-redirect"])
    #expect(read.collection.shared.map(\.value) == [.text("s-1")])
    #expect(read.requests[1].target == "https://b.test")
    #expect(read.requests[2].headerLines == ["a: b", "Content-Type: text/plain;charset=UTF-8"])
    #expect(read.codes == [.memberUnknown])
    #expect(read.notes.map(\.place) == ["calls.js:8"])
  }

  @Test(arguments: [
    ("fetch(url)", "1:7: Only literal values can be read here, such as a text in quotes."),
    ("fetch(\"a\", {\n  body: JSON.stringify({})})",
      "2:9: Only literal values can be read here, such as a text in quotes."),
    ("fetch(`a${b}`)", "1:9: Only literal values can be read here, and `${` is none."),
    ("fetch(\"a)", "1:7: This text is not closed."),
    ("fetch(\"http://a\", 5)", "1:19: The options of `fetch` have to be an object."),
    ("fetch(\"http://a\"", "1:17: `)` is expected here."),
    ("fetch(\"http://a\").then(x)", "1:18: Only calls of `fetch` can be read."),
    ("fetch(\"http://a\", {\"b\" 1})", "1:24: `:` is expected here."),
    ("fetch(\"\\u{110000}\")", "1:8: This escape names no character."),
    ("fetch(" + String(repeating: "[", count: 100_000), "1:71: This is nested too deeply."),
    ("fetch(\"http://ä\", {=})", "1:20: A name or `}` is expected here."),
  ])
  func `what is no literal is told with its place`(_ text: String, _ message: String) {
    #expect(ImportedText.failure(FetchImporter.self, "f.js", text) == "f.js:" + message)
  }

  @Test func `a text without a call or a host is no source`() throws {
    #expect(
      ImportedText.failure(FetchImporter.self, "f.js", "fetch('/path')")
        == "f.js has no call of `fetch` with a URL.")
    for (text, isCall) in [
      ("fetch('x')", true), ("  // a\nawait fetch(x)", true), ("fetch x", false),
      ("prefetch('x')", false), ("", false), ("{", false),
    ] {
      let source = OriginSource(name: "a", bytes: Array(text.utf8))
      #expect(FetchImporter.recognises(source) == isCall, "\(text)")
    }
  }

  @Test func `a copied call is a block of a request file`() throws {
    expect(
      try CopiedText.block(
        for: #"fetch("https://a.test/x", {"method": "POST", "body": "{}", "headers": {"a": "b"}})"#)
        ?? "",
      is: """
      POST https://a.test/x
      a: b
      Content-Type: text/plain;charset=UTF-8

      {}
      """)
    #expect(try CopiedText.block(for: "curl x") == nil)
    #expect(try CopiedText.block(for: "irm http://a.test/b") == "GET http://a.test/b")
  }
}
