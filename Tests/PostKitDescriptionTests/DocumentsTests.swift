// References between the documents of a description.

import PostKitDescription
import PostKitJSON
import Testing

@Suite struct DocumentsTests {
  private func target(
    _ reference: String, in text: String = #"{"a":{"/x~":[{"y":7}]}}"#,
    _ others: [String: String] = [:]
  ) throws -> String {
    let documents = try documents(
      #"{"at":{"$ref":\#(JSONValue.string(reference).text)},"in":\#(text)}"#, others)
    guard let value = documents.root["at"] else { return "" }
    do throws(ReferenceFailure) {
      return String(decoding: try documents.resolved(value).view.source, as: UTF8.self)
    } catch {
      return "\(error.reason)"
    }
  }

  @Test func `a pointer leads to a value`() throws {
    #expect(try target("#/in/a/~1x~0/0/y") == "7")
    #expect(try target("#/in/a/%2Fx~0/0") == "missing")
    #expect(try target("#/in/a/~1x%7E0/0/y") == "7")
    #expect(try target("#/in/nothing") == "missing")
    #expect(try target("#/in/a/~1x~0/1") == "missing")
  }

  @Test func `an anchor names the object that has it`() throws {
    #expect(try target("#here", in: #"{"$anchor":"here"}"#) == #"{"$anchor":"here"}"#)
  }

  @Test func `references lead through other documents`() throws {
    let others = [
      "parts/a.json": ##"{"x":{"$ref":"../b.json#/y"}}"##, "b.json": #"{"y":[1]}"#,
    ]
    #expect(try target("./parts/a.json#/x", in: "0", others) == "[1]")
  }

  @Test(arguments: 0..<17)
  func `a reference and an anchor are found wherever they stand`(offset: Int) throws {
    let blanks = String(repeating: " ", count: offset)
    #expect(
      try target("b.json#/y", in: "\(blanks)0", ["b.json": #"{"y":[1]}"#]) == "[1]")
    #expect(
      try target("#here", in: #"\#(blanks){"$anchor":"here"}"#) == #"{"$anchor":"here"}"#)
  }

  @Test(arguments: [
    ("https://example.com/a.json", "remote"), ("//example.com/a.json", "remote"),
    ("file:///etc/passwd", "outside"), ("/etc/passwd", "outside"), ("../a.json", "outside"),
    ("no.json", "missing"),
  ])
  func `what can't be had is told apart`(reference: String, reason: String) throws {
    #expect(try target(reference) == reason)
  }

  @Test func `a circle of references is found`() throws {
    #expect(
      try target("#/in/a", in: ##"{"a":{"$ref":"#/in/b"},"b":{"$ref":"#/in/a"}}"##) == "cycle")
  }
}
