// Files are taken apart as they were put together, whoever has changed them since.

import PostKitHTTP
import Testing

@testable import PostKitTransfer

@Suite struct BlockPartsTests {
  @Test func `what is written is taken apart into the same parts`() {
    let blocks = [
      WrittenBlock(
        "List", head: "# All of them\n# @tag a, b\n@x = 1\n< {%\n  request.x = 1;\n%}",
        "GET {{base}}/users\n    ?a=1\n    # &debug=1\n    &b=2",
        headers: "Accept: */*\n# X-Old: 1",
        tail: "> {%\n  client.log(1);\n%}\n?? status == 200"),
      WrittenBlock("None", "DELETE {{base}}/users/1"),
      WrittenBlock(
        "Create", "POST {{base}}/users HTTP/2", headers: "Content-Type: application/json",
        body: "{\n  \"a\": 1,\n\n  \"b\": 2\n}", tail: "?? status == 201"),
      WrittenBlock("Raw", "PUT /x", body: "< ./bodies/x.bin"),
      WrittenBlock("Only checks", "GET /y", tail: "?? status == 204"),
      WrittenBlock("Only a head", head: "# @no-redirect", "GET /z"),
    ]
    let file = WrittenFile(path: "a.http", head: "# Shop\n\n@host = a.test", blocks: blocks)
    for lineEnd in ["\n", "\r\n"] {
      let parts = FileParts(file.text.replacing("\n", with: lineEnd).keptBytes)
      #expect(parts.headText == file.head)
      #expect(parts.usesCRLF == (lineEnd == "\r\n"))
      #expect(parts.blocks.map(\.title) == blocks.map(\.title))
      for (block, written) in zip(parts.blocks, blocks) {
        #expect(
          block.parts
            == PartTexts(
              head: written.head, line: written.line, headers: written.headers, body: written.body,
              tail: written.tail))
        #expect(block.text == written.text)
      }
    }
  }

  @Test func `blocks without a request are one part`() {
    let parts = FileParts(Array("### Notes\n# nothing here\n\n### One\nGET /1\n".utf8))
    #expect(parts.blocks.map(\.isRequest) == [false, true])
    #expect(parts.blocks[0].parts.head == "# nothing here")
    #expect(parts.blocks.map(\.title) == ["Notes", "One"])
  }

  @Test func `a first request without a separator is a block of its own`() {
    let parts = FileParts([0xEF, 0xBB, 0xBF] + Array("@a = 1\nGET /1\n\n###\nGET /2\n".utf8))
    #expect(parts.hasMark && parts.headText == "")
    #expect(parts.blocks.map(\.separator) == [nil, "###"])
    #expect(parts.blocks[0].parts.head == "@a = 1")
    #expect(parts.blocks[0].text == "@a = 1\nGET /1\n")
  }

  @Test func `a command line is one line part`() {
    let parts = FileParts(Array("### c\ncurl -X POST https://a.test \\\n  -d x\n".utf8))
    #expect(parts.blocks[0].parts.line == "curl -X POST https://a.test \\\n  -d x")
  }

  @Test func `request lines come apart into their pairs and together again`() {
    let texts = [
      "GET {{a}}/x?q=1&r={{$random 1&2}}", "GET /x", "GET /x HTTP/2", "POST /x?flag HTTP/1.1",
      "GET {{a?b}}/x\n    ?q=1\n    # &off=1\n    &r=2\n    &s=3",
    ]
    for text in texts {
      let items = RequestLineItems.items(text)
      #expect(items.map(RequestLineItems.text) == text)
    }
    #expect(RequestLineItems.items("GET /x\n  /more") == nil)
    #expect(RequestLineItems.items("curl a.test") == nil)
    #expect(
      RequestLineItems.items("GET /x?a=1&a=2&b HTTP/2")?.map(\.name)
        == ["", "?a", "?a 2", "?b", "HTTP/"])
  }
}
