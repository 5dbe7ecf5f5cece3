// Places in a response as it is shown.

import Testing

@testable import PostKitLanguage

@Suite struct ShownResponseTests {
  private let text = """
    # GET http://a.test/
    HTTP/1.1 200 OK
    A: {"no": 1}

    {
      "a": [1, {"b c": "x\\"y"}, []],
      "a": {"d'e\\n": null}
    }
    # Truncated: 9 bytes received, 5 stored.
    """

  private func path(at word: String) -> String? {
    let bytes = Array(text.utf8)
    let start = bytes.indices.first { bytes[$0...].starts(with: word.utf8) }
    return start.flatMap { ShownResponse(bytes, isBody: false).path(at: $0) }
  }

  @Test func `a place has the path of the innermost value`() {
    #expect(path(at: "{\n") == "$")
    #expect(path(at: "1, {") == "$.a[0]")
    #expect(path(at: "x\\") == "$.a[1]['b c']")
    #expect(path(at: "[]") == "$.a[2]")
    #expect(path(at: "null") == #"$.a['d\'e\u000a']"#)
  }

  @Test func `nothing above the body has a path`() {
    #expect(path(at: "HTTP") == nil)
    #expect(path(at: "no\"") == nil)
  }

  @Test func `a selection grows from the text to the body`() {
    let body = Array(#"{"a": ["bc"]}"#.utf8)
    let chain = ShownResponse(body, isBody: true).selections(at: 8)
    let texts = chain.map { String(decoding: body[$0], as: UTF8.self) }
    #expect(texts == ["bc", "\"bc\"", "[\"bc\"]", "\"a\": [\"bc\"]", #"{"a": ["bc"]}"#])
  }

  @Test func `broken JSON has paths as far as it goes`() {
    let body = Array(#"{"a": [1, {"b": "#.utf8)
    let shown = ShownResponse(body, isBody: true)
    #expect(shown.path(at: 7) == "$.a[0]")
    #expect(shown.path(at: 12) == "$.a[1].b")
    #expect(shown.symbols().first?.children.map(\.name) == ["a"])
    #expect(ShownResponse([], isBody: true).symbols().isEmpty)
  }
}
