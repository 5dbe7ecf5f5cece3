// Tags that define a variable: by a file, or by a response once it is there.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import Testing

@Suite struct DefiningTagTests {
  /// What a tag makes of a response: the value as JSON, or the sentence.
  private func received(
    _ tag: String, _ body: String, headers: HeaderFields = [:]
  ) throws -> String {
    let document = ParsedDocument(bytes: Array("@p = a\n# @\(tag)\nGET http://t.test/\n".utf8))
    let block = document.requests[0]
    let variable = try #require(block.variables.last)
    #expect(variable.isAfterResponse)
    var evaluator = Laboratory().evaluator(document)
    switch evaluator.value(
      of: variable, in: block, from: Laboratory.exchange(body, headers: headers))
    {
    case .success(let value): return value.text
    case .failure(let problem):
      #expect(problem.severity == .warning)
      return problem.message
    }
  }

  @Test(arguments: [
    ("a.b[0].c", "7"), ("$.a.b[0].c", "7"), ("a.t", #""x""#), ("$", #"{"a":{"b":[{"c":7}],"t":"x"}}"#),
    ("{{p}}.t", #""x""#), ("a.b", #"[{"c":7}]"#),
  ])
  func `a member of the body keeps its type`(path: String, value: String) throws {
    let body = #"{"a":{"b":[{"c":7}],"t":"x"}}"#
    #expect(try received("env-json-key V \(path)", body) == value)
    #expect(try received("ENV-JSON-KEY = V   \(path) ", body) == value)
  }

  @Test func `what is not in the body is told`() throws {
    #expect(
      try received("env-json-key V a.c", #"{"a": {}}"#)
        == "`@env-json-key` gives `V` no value: `a.c` matches nothing in the body. "
        + "Compare the tag with the response and correct it.")
    #expect(try received("env-json-key V a", "<a/>").contains("no value: the body is not JSON"))
    #expect(try received("env-json-key V {{q}}.a", "{}").contains("`q`"))
    #expect(try received("env-json-key V {{p}}[", "{}").contains("its path can't be read"))
  }

  @Test func `a header is found by its name in any case`() throws {
    let headers: HeaderFields = ["X-Session": "s", "Link": "1", "link": "2", "x.y": "3"]
    #expect(try received("env-header-key V x-session", "", headers: headers) == #""s""#)
    #expect(try received("env-header-key V Link", "", headers: headers) == #""1, 2""#)
    #expect(try received("env-header-key V x.y", "", headers: headers) == #""3""#)
    #expect(
      try received("env-header-key V ETag", "", headers: headers)
        == "`@env-header-key` gives `V` no value: there is no header `ETag`. "
        + "Compare the tag with the response and correct it.")
  }

  @Test(arguments: [
    ("env-json-key", "`@env-json-key token data.token`"), ("env-json-key V", "data.token"),
    ("env-header-key V", "`@env-header-key session X-Session`"),
    ("file-to-variable V", "`@file-to-variable letter ./letter.txt`"),
    ("env-json-key V a[", "The path `a[` can't be read"),
  ])
  func `a tag that is not whole keeps the request back`(tag: String, hint: String) {
    let lowered = Laboratory().lower("# @\(tag)\nGET http://t.test/\n")
    #expect(lowered.spec == nil)
    #expect(lowered.problems.map(\.code) == [.syntax])
    #expect(lowered.problems.first?.message.contains(hint) == true)
  }

  @Test func `a file's bytes are a value for the whole file`() {
    var laboratory = Laboratory()
    laboratory.binaryFiles = ["b 1.bin": [0xFF, 0x00, 0x7B, 0x7B]]
    let lowered = laboratory.lower(
      """
      @n = 1
      POST http://t.test/

      {{B}}
      ###
      # @file-to-variable B b {{n}}.bin
      GET http://t.test/

      """)
    #expect(lowered.problems.isEmpty)
    #expect(lowered.spec?.body == [.bytes([0xFF, 0x00, 0x7B, 0x7B])])
  }

  @Test func `a file that is not there is told of once`() {
    let lowered = Laboratory().lower(
      "# @file-to-variable B ./b\nPOST http://t.test/{{B}}\n\n{{B}} {{B}}\n")
    #expect(lowered.spec == nil)
    #expect(lowered.problems.map(\.message).count == 1)
    #expect(lowered.problems.first?.range == 22..<25)
    #expect(lowered.problems.first?.code == .fileNotFound)
  }

  @Test func `one tag does not serve all requests of a file`() {
    let lowered = Laboratory().lower(
      "### Shared\n# @env-header-key V ETag\n\n### one\nGET http://t.test/\n")
    #expect(lowered.spec != nil)
    #expect(
      lowered.problems.map(\.message) == [
        "This version ignores `@env-header-key` in a shared block."
      ])
  }
}
