// What derives from the text of a stored request, and how it is renamed.

import PostKitEvaluate
import PostKitHTTP
import PostKitStore
import PostKitSyntax
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite struct RequestTextTests {
  private func content(_ text: String, dialect: DialectPreset? = nil) throws -> StoredRequestContent {
    try #require(RequestText(Array(text.utf8), dialect: dialect)).content()
  }

  @Test func `name, method, target, headers, parameters and body derive from the text`() throws {
    let text = """
      ### new order
      # a comment
      POST {{host}}/orders?page=1
        &filter={{list.response.body.$[?(@.a==1)]}}&empty=&flag#part
      Accept: text/html
      Accept: application/json

      {"a": {{id}}}
      """
    let content = try content(text)
    #expect(content.source == text)
    #expect(content.name == "new order")
    #expect(content.method == "POST")
    #expect(content.body == #"{"a": {{id}}}"#)
    #expect(
      content.headers == [
        StoredField("Accept", "text/html"), StoredField("Accept", "application/json"),
      ])
    #expect(
      content.parameters == [
        StoredField("page", "1"), StoredField("filter", "{{list.response.body.$[?(@.a==1)]}}"),
        StoredField("empty", ""), StoredField("flag", ""),
      ])
  }

  @Test func `a curl command is a request, too`() throws {
    let content = try content("curl 'https://a.test/x?q=1' -H 'X-A: b' -d z\n")
    #expect(content.method == "POST")
    #expect(content.url == "https://a.test/x?q=1")
    #expect(content.headers == [StoredField("X-A", "b")])
    #expect(content.parameters == [StoredField("q", "1")])
  }

  @Test func `header and query lines that are switched off are rows that are not enabled`() throws {
    let text = """
      # X-Before: 1
      GET http://a.test/x
      ?a=1
      # &b=2
      Accept: text/html
      # X-Off: {{id}}
      # Note: more of them
      // Accept: */*
      X-On: 1

      # X-Body: 1
      """
    let content = try content(text)
    #expect(
      content.headers == [
        StoredField("Accept", "text/html"), StoredField("X-Off", "{{id}}", isEnabled: false),
        StoredField("Accept", "*/*", isEnabled: false), StoredField("X-On", "1"),
      ])
    #expect(
      content.parameters == [StoredField("a", "1"), StoredField("b", "2", isEnabled: false)])
  }

  @Test func `the words of tag lines are tags, each once`() throws {
    let text = "# @tag smoke, slow\n// @tag smoke\n# @tag b\nGET http://a.test\n"
    #expect(try content(text).tags == ["smoke", "slow", "b"])
  }

  @Test func `what is stored derives again from the text alone`() throws {
    let text = "### one\n# @tag a\nGET http://a.test/?x=1\nA: b\n"
    let stored = try content(text)
    #expect(RequestText.deriving(text, nil) == stored)
    #expect(RequestText.deriving("# only a comment\n", "postkit").url == "")
  }

  @Test func `bytes that are no text are kept`() throws {
    let bytes = Array("POST http://a.test\n\n".utf8) + [0xFF, 0x00, 0xFE]
    let content = try #require(RequestText(bytes, dialect: nil)).content()
    #expect(content.source.keptBytes == bytes)
  }

  @Test(arguments: ["", "# only a comment\n", "@a = 1\n"])
  func `a text without a request is none`(text: String) {
    #expect(RequestText(Array(text.utf8), dialect: nil) == nil)
  }

  @Test func `of a file its block is taken, with how the file is read`() throws {
    let file = "@a = 1\n### one\nGET http://a.test\n\n### two\nGET http://b.test\n"
    let reading = FileReading(preset: .kulala)
    let document = reading.document(Array(file.utf8), format: .http)
    let block = try #require(document.request(named: "two"))
    let content = try #require(RequestText(block, of: document, reading)).content()
    #expect(content.source == "### two\nGET http://b.test\n")
    #expect(content.dialect == "kulala")
  }

  @Test func `a text that names its preset is stored without another, and shared blocks lead`()
    throws
  {
    let own = try content("# @dialect kulala\nGET http://a.test\n", dialect: .kulala)
    #expect(own.dialect == nil)
    let unknown = try content("# @dialect none\nGET http://a.test\n", dialect: .kulala)
    #expect(unknown.dialect == "kulala")
    let shared = "### Shared\nX-A: 1\n\n### one\nPOST http://a.test\n"
    #expect(try content(shared).name == "one")
    // Others read a request there.
    #expect(try content(shared, dialect: .jetbrains).name == "Shared")
  }

  @Test(arguments: [
    ("GET /x\n", "### new\nGET /x\n"), ("###\nGET /x\n", "### new\nGET /x\n"),
    ("### old\nGET /x\n", "### new\nGET /x\n"),
    ("### title\n# @name old\nGET /x\n", "### title\n# @name new\nGET /x\n"),
  ])
  func `a new name takes the place of the old one`(text: String, renamed: String) throws {
    let text = try #require(RequestText(Array(text.utf8), dialect: nil))
    expect(String(decoding: try #require(text.renamed("new")), as: UTF8.self), is: renamed)
  }

  @Test(arguments: ["", " ", "a\nb", "---"])
  func `what can't be a name is refused`(name: String) throws {
    let text = try #require(RequestText(Array("### old\nGET /x\n".utf8), dialect: nil))
    #expect(text.renamed(name) == nil)
  }
}
