// The text of `.bru` files: blocks, pairs, lists, texts of several lines, annotations.

import Testing

@testable import PostKitTransfer

@Suite struct BruTextTests {
  private func pairs(_ inside: String) throws -> [BruPair] {
    try #require(try BruText("x {\n\(inside)\n}\n").block("x")).pairs()
  }

  private func mistake(_ source: String) -> BruMistake? {
    do throws(BruMistake) {
      let text = try BruText(source)
      for block in text.blocks { _ = try block.pairs() }
      return nil
    } catch {
      return error
    }
  }

  @Test func `a block ends at a brace in column 0`() throws {
    let text = try BruText("body:text {\n  {\n  }\n }\n}\nheaders {\n  a: 1\n}\n")
    #expect(text.blocks.map(\.name) == ["body:text", "headers"])
    #expect(text.blocks[0].text == "{\n}\n}")
  }

  @Test func `texts lose two columns and empty lines at their beginning`() throws {
    let text = try BruText("docs {\n\n  one\n    two\n\n three\n}")
    #expect(text.blocks[0].text == "one\n  two\n\nthree")
  }

  @Test func `lines may end with CR and LF`() throws {
    let text = try BruText("headers {\r\n  a: 1\r\n}\r\nbody:text {\r\n  x\r\n  y\r\n}\r\n")
    #expect(try text.blocks[0].pairs().map(\.value) == ["1"])
    #expect(text.blocks[1].text == "x\ny")
  }

  @Test func `keys may be quoted and switched off`() throws {
    let pairs = try pairs(
      #"""
        plain: a:b
        "with: colon": 1
        ~"an \"off\" one": 2
        ~off: 3
        empty:
        @local: 4
      """#)
    #expect(
      pairs.map(\.key) == ["plain", "with: colon", #"an "off" one"#, "off", "empty", "@local"])
    #expect(pairs.map(\.value) == ["a:b", "1", "2", "3", "", "4"])
    #expect(pairs.map(\.isOn) == [true, true, false, false, true, true])
    #expect(pairs[5].variableName == "local")
  }

  @Test func `values of several lines lose the indentation of their pair`() throws {
    let pairs = try pairs(
      """
        a: '''
          {
            "x": 1
          }
        '''
        b: '''one line'''
        c: '''
          text
        ''' @contentType(text/plain)
        d: last
      """)
    #expect(pairs.map(\.value) == ["{\n  \"x\": 1\n}", "one line", "text", "last"])
    #expect(pairs[2].annotation("contentType") == "text/plain")
    #expect(pairs.map(\.line) == [2, 7, 8, 11])
  }

  @Test func `annotations stand above their pair`() throws {
    let pairs = try pairs(
      #"""
        @description('it\'s "here"')
        @number
        a: 1
        @description("two")
        ~b: 2
        @description('''
          line one
          line two
        ''')
        c: 3
        @version(2) @string
        d: 4
      """#)
    #expect(
      pairs.map(\.description) == [#"it's "here""#, "two", "line one\nline two", ""])
    #expect(pairs[0].annotations.map(\.name) == ["description", "number"])
    #expect(pairs[3].annotation("version") == "2")
    #expect(!pairs[1].isOn)
  }

  @Test func `lists stand in brackets`() throws {
    let text = try BruText(
      "vars:secret [\n  a,\n  ~b\n]\nvars:secret [c, d]\nmeta {\n  tags: [\n    x\n    y\n  ]\n}")
    #expect(text.blocks[0].items.map(\.text) == ["a", "~b"])
    #expect(text.blocks[0].items.map(\.line) == [2, 3])
    #expect(text.blocks[1].items.map(\.text) == ["c", "d"])
    #expect(try text.blocks[2].pairs().first?.list == ["x", "y"])
  }

  @Test func `comments and pairs may stand between blocks`() throws {
    let text = try BruText("# one\ncolor: red\n// two\nvars {\n  # three\n  a: 1\n  // four\n}\n")
    #expect(text.pairs.map(\.key) == ["color"])
    #expect(try text.blocks[0].pairs().map(\.key) == ["a"])
  }

  @Test func `blocks may lie in a block`() throws {
    let text = try BruText(
      "example {\n  name: A\n\n  response: {\n    status: {\n      code: 200\n    }\n  }\n}")
    let inside = try text.blocks[0].inside()
    #expect(inside.pairs.map(\.value) == ["A"])
    let response = try inside.blocks[0].inside()
    #expect(try response.block("status")?.pairs().map(\.value) == ["200"])
  }

  @Test(arguments: [
    ("meta {\n  name: A\n", 1, "never closed"),
    ("meta {\n  name: A\n}\nheaders {\n  no colon\n}\n", 5, "no `:`"),
    ("vars:secret [\n  a\n", 1, "never closed"),
    ("x {\n  a: '''\n  b\n}\n", 2, "never ended"),
    ("x {\n  @description('a\n  b: 1\n}\n", 2, "never closed"),
    ("x {\n  tags: [\n    a\n}\n", 2, "never closed"),
    ("stray text\n", 1, "no `:`"),
  ])
  func `what is no such file fails with its line`(
    _ source: String, _ line: Int, _ words: String
  ) throws {
    let mistake = try #require(self.mistake(source))
    #expect(mistake.line == line)
    #expect(mistake.message.contains(words))
  }

  @Test func `any bytes are read or refused`() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "{", "}", "[", "]", "\n", "\n}\n", "'''", "@", "@a(", ")", "\"", "\\", ":", "~", " ", "  ",
      "meta", "a", "ü", "\r\n", "#", "//", "\u{0}",
    ]
    for _ in 0..<2_000 {
      let source = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      guard let text = try? BruText(source) else { continue }
      for block in text.blocks {
        _ = try? block.pairs()
        _ = try? block.inside()
        _ = block.items
      }
    }
  }
}
