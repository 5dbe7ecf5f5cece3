// The canonical layout: what it looks like, and that laying out twice is laying out once.

import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

/// A file laid out, as bytes.
private func formatted(_ bytes: [UInt8], _ format: DocumentFormat = .http) -> [UInt8] {
  let formatting = Formatting(ParsedDocument(bytes: bytes, format: format))
  return TextEdit.apply(formatting.edits, to: bytes) ?? []
}

private func formatted(_ text: String, _ format: DocumentFormat = .http) -> String {
  String(decoding: formatted(Array(text.utf8), format), as: UTF8.self)
}

@Suite struct FormattingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var title: String
    var before: String
    var after: String
    var testDescription: String { title }
  }

  @Test(
    "blanks and blank lines get their place",
    arguments: [
      Case(
        title: "one blank line before a separator, none after it, one blank before its title",
        before: "GET http://a.test\n###  Second \n\n\nGET http://b.test\n\n\n\n  ###Third\nGET /",
        after: "GET http://a.test\n\n### Second\nGET http://b.test\n\n### Third\nGET /\n"),
      Case(
        title: "a banner of separators stays together",
        before: "########\n### Users\n########\n\nGET http://a.test\n",
        after: "########\n### Users\n########\nGET http://a.test\n"),
      Case(
        title: "single blanks on the request line, but those in its target are sent",
        before: "  POST \t http://a.test/x y?q=a  b   HTTP/1.1  \n",
        after: "POST http://a.test/x y?q=a  b HTTP/1.1\n"),
      Case(
        title: "what continues a target or a value stands in by four",
        before: "GET http://a.test\n?a=1\n \t&b=2 HTTP/2\nAccept :text/html,\n text/plain\n",
        after: "GET http://a.test\n    ?a=1\n    &b=2 HTTP/2\nAccept: text/html,\n    text/plain\n"),
      Case(
        title: "headers are `Name: value`, and an empty one ends in its colon",
        before: "GET http://a.test\nX-A  :1\n  X-B:\t2  3 \nX-C :  \n",
        after: "GET http://a.test\nX-A: 1\nX-B: 2  3\nX-C:\n"),
      Case(
        title: "metadata is `# @key value`; the marks of the comment stay",
        before: "#@name=login\n//@timeout  =  30 s\n##   @no-redirect\nGET http://a.test\n",
        after: "# @name login\n// @timeout 30 s\n## @no-redirect\nGET http://a.test\n"),
      Case(
        title: "a remark keeps its text, also where it looks like metadata",
        before: "#  @todo   tell   them \n\t#two  blanks\nGET http://a.test\n",
        after: "#  @todo   tell   them\n#two  blanks\nGET http://a.test\n"),
      Case(
        title: "a value that begins with an equals sign keeps the one before it",
        before: "# @title = =x\nGET http://a.test\n", after: "# @title = =x\nGET http://a.test\n"),
      Case(
        title: "definitions are `@name = value`",
        before: "@a=1\n @b   :={{a}}\n@global.c =\n\n\n\n@d  =  x  y\n\nGET http://a.test\n",
        after: "@a = 1\n@b := {{a}}\n@global.c =\n\n@d = x  y\n\nGET http://a.test\n"),
      Case(
        title: "a definition without operator, as httpYac has it, gets none",
        before: "# @dialect httpyac\n@a   1\nGET http://a.test\n",
        after: "# @dialect httpyac\n@a 1\nGET http://a.test\n"),
      Case(
        title: "one blank line before a body, none added or taken inside",
        before: "POST http://a.test\nA: b\n\n\n  {\n\n\n \"x\" :  1  \n}  \n\n\n",
        after: "POST http://a.test\nA: b\n\n  {\n\n\n \"x\" :  1  \n}  \n"),
      Case(
        title: "a body that follows the headers at once gets its blank line",
        before: "POST http://a.test\nA: b\n{\"x\":1}\n",
        after: "POST http://a.test\nA: b\n\n{\"x\":1}\n"),
      Case(
        title: "saves, references and assertions have one blank after their mark",
        before: "GET http://a.test\n\n\n>>   out.json\n<>\told.json\n\n??   status  ==  200\n",
        after: "GET http://a.test\n\n>> out.json\n<> old.json\n\n?? status  ==  200\n"),
      Case(
        title: "scripts and block comments stay as they are",
        before: "/*\n   a\n\n\n  */\n< {%\n  let  x;\n\n\n%}\nGET http://a.test\n\n> {%   x()  %}  \n",
        after: "/*\n   a\n\n\n  */\n< {%\n  let  x;\n\n\n%}\nGET http://a.test\n\n> {%   x()  %}\n"),
      Case(
        title: "of a curl command only the blanks around it go",
        before: "###  c\n  curl -X  POST \\\n     http://a.test  \n",
        after: "### c\ncurl -X  POST \\\n     http://a.test\n"),
      Case(
        title: "directives have one blank after their word",
        before: "import   ./a.http\n\n###\nrun \t#one  (@a=1,  @b = 2)\n",
        after: "import ./a.http\n\n###\nrun #one  (@a=1,  @b = 2)\n"),
      Case(
        title: "a request without separator is parted from the one before by a blank line",
        before: "GET http://a.test\nA: b\nGET http://b.test\n",
        after: "GET http://a.test\nA: b\n\nGET http://b.test\n"),
      Case(
        title: "new lines end as the first line does",
        before: "GET http://a.test\r\n###\r\n\r\nGET http://b.test",
        after: "GET http://a.test\r\n\r\n###\r\nGET http://b.test\r\n"),
      Case(
        title: "a byte order mark stays, blank lines at the start go",
        before: "\u{FEFF}\n \nGET http://a.test\n", after: "\u{FEFF}GET http://a.test\n"),
      Case(title: "a file of blank lines becomes empty", before: " \n\n\t\n", after: ""),
      Case(title: "an empty file stays empty", before: "", after: ""),
    ])
  func layout(_ example: Case) {
    #expect(formatted(example.before) == example.after)
    #expect(formatted(example.after) == example.after)
  }

  @Test func `In Markdown only the requests are laid out`() {
    let text = """
      #  Title

      - a   list


      ```http

      GET   http://a.test
      ###
      GET http://b.test


      ```
      ###   Heading
      """
    let expected = """
      #  Title

      - a   list


      ```http
      GET http://a.test

      ###
      GET http://b.test
      ```
      ###   Heading
      """
    #expect(formatted(text, .markdown) == expected)
  }

  @Test func `A block whose form is broken is left as it is, the others are laid out`() {
    let text = "GET   http://a.test\nno header  here\n###\nGET   http://b.test\n"
    let document = ParsedDocument(bytes: Array(text.utf8))
    #expect(Formatting(document).keptBlocks == [0])
    #expect(
      formatted(text) == "GET   http://a.test\nno header  here\n###\nGET http://b.test\n")
  }

  @Test func `A layout that would be read otherwise is not made`() {
    // A line feed after the CR would make a line end of it, and the body would lose its CR.
    let text = "POST  http://a.test\n\nbody\r"
    let document = ParsedDocument(bytes: Array(text.utf8))
    #expect(Formatting(document).edits.isEmpty)
    #expect(Formatting(document).keptBlocks == [0])
  }

  @Test func `Every example laid out is laid out for good`() {
    for example in examples {
      let format = ParsedDocument.format(ofPath: example.name)
      checkTwice(example.bytes, format, example.name)
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `Any file laid out is laid out for good, and its tokens tile`(seed: UInt64) {
    var generator = RepeatableGenerator(seed: seed)
    for _ in 0..<20 {
      var bytes = Array(generator.requestFile().utf8)
      checkTwice(bytes, .http, "seed \(seed)")
      for _ in 0..<3 { bytes = generator.mutated(bytes) }
      checkTwice(bytes, .http, "seed \(seed), changed")
    }
  }

  private func checkTwice(_ bytes: [UInt8], _ format: DocumentFormat, _ name: String) {
    let once = formatted(bytes, format)
    let twice = formatted(once, format)
    if once != twice {
      let difference = TextDifference.lines(
        expected: String(decoding: once, as: UTF8.self),
        actual: String(decoding: twice, as: UTF8.self))
      Issue.record("\(name): laid out twice is not laid out once\n\(difference)")
    }
    if let flaw = flaw(in: ParsedDocument(bytes: once, format: format)) {
      Issue.record("\(name): \(flaw)")
    }
  }
}
