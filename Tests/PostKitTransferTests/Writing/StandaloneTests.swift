// Requests for the store: all that they need is in their texts.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct StandaloneTests {
  private typealias Sample = WrittenSample

  private func write(
    _ body: OriginBody, type: String?, files: [String: OriginFileAnswer] = [:]
  ) -> Written {
    let request = Sample.request("Post it", method: "POST") {
      if let type { $0.headers = [Sample.pair("Content-Type", type)] }
      $0.body = body
    }
    return Written(Sample.collection([request]), options, files: files)
  }

  private var options: WritingOptions {
    var options = WritingOptions()
    (options.layout, options.standsAlone) = (.request, true)
    return options
  }

  @Test(arguments: [
    ("{\r\n  \"a\": 1\r\n}\r\n", "application/json", "{\n  \"a\": 1\n}"),
    ("two\r\nlines", "text/plain", "two\nlines"), ("\n\nlead\n", "text/plain", "lead"),
    ("<a/>\n", "application/xml", "<a/>"), ("a\n\nb", "text/plain", "a\n\nb"),
  ])
  func `bodies stand in the text`(text: String, type: String, sent: String) {
    let written = write(.text(OriginText(text)), type: type)
    #expect(written.folder.attachments.isEmpty, "\(written.text("Post it.http"))")
    #expect(written.wires("Post it.http").map(\.body) == [sent])
    // What is sent otherwise is told; blanks of JSON are nothing.
    let isTold = type != "application/json" && sent != text
    #expect(written.codes.contains(.encodingDiffers) == isTold)
  }

  @Test(arguments: ["{\"a\": \"{{x}} and {{y z}}\"}", "{\"a\": \"{{{x}}}\", \"b\": \"{{\"}"])
  func `braces that are text are escaped`(text: String) {
    let written = write(.text(OriginText(literal: text)), type: "application/json")
    #expect(written.folder.attachments.isEmpty)
    #expect(written.wires("Post it.http").map(\.body) == [text], "\(written.text("Post it.http"))")
    let part = OriginPart(name: "p", content: .text(OriginText(literal: text)))
    let parts = write(.multipart([part]), type: nil)
    #expect(parts.folder.attachments.isEmpty)
    #expect(parts.wires("Post it.http")[0].body.contains(text))
  }

  @Test func `bytes that are a text stand in the request, others are left out and named`() {
    let text = write(.bytes(Array("{{a}}".utf8), ending: ".bin"), type: "text/plain")
    #expect(text.folder.attachments.isEmpty && text.wires("Post it.http")[0].body == "{{a}}")
    let bytes = write(.bytes([0xFF, 0xFE, 0], ending: ".bin"), type: nil)
    #expect(bytes.folder.attachments.map(\.path) == ["bodies/Post it.bin"])
  }

  @Test func `scripts of folders stand in each request`() {
    func script(_ phase: OriginScriptPhase, _ text: String) -> OriginScript {
      OriginScript(phase: phase, text: text, place: Sample.place)
    }
    let folder = Sample.folder("Users", [Sample.request("Get")]) {
      $0.scripts = [script(.beforeRequest, "one()\r\ntwo()"), script(.afterResponse, "three()")]
    }
    let written = Written(Sample.collection([], [folder]), options)
    #expect(written.folder.attachments.isEmpty)
    expect(
      written.text("Users/Get.http"),
      is: """
        ### Get
        < {%
        one()
        two()
        %}
        GET http://a.test/x

        > {%
        three()
        %}

        """)
  }

  @Test func `files of the source count from its folder`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("src/logo.bin", "x")
    try folder.write(
      "src/shop.json",
      """
      {"info": {"name": "Shop",
        "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "item": [{"name": "Files", "item": [
         {"name": "Send", "request": {"method": "POST", "url": "http://a.test/",
           "body": {"mode": "file", "file": {"src": "logo.bin"}}}},
         {"name": "Plain", "request": "http://a.test/"}]}]}
      """)
    let input = OriginImport.Input.path(folder.path("src/shop.json"), called: "shop.json")
    let (collected, report) = OriginImport([input], in: folder.path).collected()
    let requests = try #require(collected?.collection.folders.first?.requests)
    #expect(requests[0].source.contains("< ./logo.bin"), "\(requests[0].source)")
    let parent = requests[0].file.map(FilePath.parent)
    #expect(parent == FileSystem.realPath(folder.path("src")) && requests[1].file == nil)
    #expect(report.notes.isEmpty, "\(report.notes)")
  }
}
