// Texts of other tools that would mean something here, or be sent otherwise, and values that nobody
// but the user may read.

import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct ForeignTextTests {
  private typealias Sample = WrittenSample

  /// A Postman collection as it is written.
  private func written(_ items: String, _ members: String = "") throws -> Written {
    let text = PostmanSample.collection(items, members)
    return Written(try OriginSample(PostmanImporter.self, text).collection)
  }

  @Test("names that are code here have no value", arguments: [
    ("$processEnv SECRET_KEY", "processEnv_SECRET_KEY"), ("process.env.KEY", "process_env_KEY"),
    ("$dotenv KEY", "dotenv_KEY"), ("1+1", "1_1"),
  ])
  func code(name: String, plain: String) throws {
    let item = PostmanSample.item(#""url": "http://a.test/{{\#(name)}}""#)
    let written = try written(item)
    #expect(written.text().contains("GET http://a.test/{{\(plain)}}"))
    #expect(written.codes.contains(.templateUnsupported))
    // A variable of that name is one.
    let variable = #""variable": [{"key": "\#(name)", "value": "x"}]"#
    let known = try self.written(item, variable)
    #expect(!known.codes.contains(.templateUnsupported))
  }

  @Test func `a source without a list of items is no collection`() {
    for text in [#"{"error": {"name": "notFound"}}"#, #"{"info": {"name": "a"}, "item": {}}"#] {
      #expect(throws: OriginFailure.self) { try OriginSample(PostmanImporter.self, text) }
    }
  }

  @Test func `signs of a path stay signs of the path`() throws {
    let url = #"{"protocol": "http", "host": ["a", "test"], "path": ["c#d", "e?f"]}"#
    let item = PostmanSample.item(#""url": \#(url)"#)
    #expect(try written(item).text().contains("GET http://a.test/c%23d/e%3Ff\n"))
  }

  @Test func `an API key in the query is one value`() throws {
    let auth = """
      "auth": {"type": "apikey", "apikey": [{"key": "key", "value": "k"},
        {"key": "value", "value": "#1=2 &"}, {"key": "in", "value": "query"}]}
      """
    let written = try written(PostmanSample.item(#""url": "http://a.test/x""#), auth)
    #expect(written.text().contains("?k={{apiKey}}"))
    let secrets = written.folder.environments.flatMap(\.secrets)
    #expect(secrets.map(\.json) == ["\"%231=2%20%26\""])
  }

  @Test func `a text under the type of forms arrives as it is`() {
    let request = Sample.request("a", method: "POST") {
      $0.headers = [Sample.pair("Content-Type", "application/x-www-form-urlencoded")]
      $0.body = .text(OriginText(literal: "{\"q\": \"a b\",\n\"n\": 1}"))
    }
    let written = Written(Sample.collection([request]))
    #expect(written.text().contains("\n\n< ./bodies/"))
    #expect(
      written.folder.attachments.map(\.bytes) == [Array("{\"q\": \"a b\",\n\"n\": 1}".utf8)])
  }

  @Test func `secrets in objects are private`() {
    let value = OriginValue.json(OriginJSON(text: #"{"user": "a", "in": [{"password": "hunter2"}]}"#))
    let written = Written(
      Sample.collection([Sample.request("a")]) {
        $0.shared = [OriginVariable(name: "db", value: value, place: Sample.place)]
      })
    let shared = written.folder.environments.first { $0.name == "$shared" }
    #expect(shared?.secrets.map(\.name) == ["db"] && shared?.values.isEmpty == true)
  }
}
