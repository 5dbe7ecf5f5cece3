// Bodies of written requests are sent byte for byte.

import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct WrittenBodyTests {
  private typealias Sample = WrittenSample

  private func write(
    _ body: OriginBody, type: String? = nil, files: [String: OriginFileAnswer] = [:],
    _ options: WritingOptions = WritingOptions()
  ) -> Written {
    let request = Sample.request("Post it", method: "POST") {
      if let type { $0.headers = [Sample.pair("Content-Type", type)] }
      $0.body = body
    }
    return Written(Sample.collection([request]), options, files: files)
  }

  @Test(arguments: [
    "plain", "# no comment\nplain", "two\r\nlines\r\n", "\n\nlead", "trail\n", "  ",
    "### not a block\nGET http://evil.test/", "GET http://evil.test/", "> {% evil() %}\n",
    "a\n\n> {% evil() %}", "< ./secret.txt", "<@ ./secret.txt", "a\n\n?? status == 200",
    "?? status == 200", "{{\nscript\n}}", "a\n\n@x = 1", "@x = 1", ">> ./out.txt", "<> ./x.http",
    "curl http://evil.test/", "// text", "/*\n*/", "query { a }", "a\\{\\{b\\}\\}c",
    "import ./x.http", "HTTP/1.1 200 OK", "\u{FEFF}bom", "lone\rreturn", "\t", "{", "run #a",
  ])
  func `texts are sent as they are`(text: String) {
    for type in ["text/plain", "application/json", "application/xml", "application/x-thing", nil] {
      let written = write(.text(OriginText(text)), type: type)
      let wires = written.wires()
      #expect(wires.count == 1)
      let isJSON = type == "application/json"
      let sent = isJSON ? trimmed(wires[0].body) : wires[0].body
      #expect(sent == (isJSON ? trimmed(text) : text), "\(type ?? "none"): \(written.text())")
      #expect(written.folder.files[0].blocks[0].tail.isEmpty)
    }
  }

  private func trimmed(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  @Test func `braces that are text go to a file, templates stay templates there`() {
    let literal = write(.text(OriginText(literal: "{\"a\": \"{{x}}\"}")), type: "application/json")
    #expect(literal.folder.files[0].blocks[0].body == "< ./bodies/Post it.json")
    #expect(literal.wires()[0].body == "{\"a\": \"{{x}}\"}")
    let template = write(.text("a\r\n{{$guid}}"), type: "text/plain")
    #expect(template.folder.files[0].blocks[0].body == "<@ ./bodies/Post it.txt")
  }

  @Test func `the types of text keep their line comments`() {
    let yaml = write(.text("# a\nb: 1\n# c"), type: "application/yaml")
    #expect(yaml.folder.attachments.isEmpty && yaml.wires()[0].body == "# a\nb: 1\n# c")
    let json = write(.text("{\n// a\n}"), type: "application/json")
    #expect(json.folder.attachments.count == 1 && json.wires()[0].body == "{\n// a\n}")
  }

  @Test func `forms are encoded as their pairs say`() {
    let pairs = [
      Sample.pair("user", "ann"), Sample.pair("off", "1", isOn: false),
      Sample.pair("note", "a b&c"), Sample.pair("plus", "1+1"), Sample.pair("pct", "100%"),
      Sample.pair("user", " b = c "), Sample.pair("flag", nil), Sample.pair("nl", "a\nb"),
      Sample.pair("t", "{{x}}&"),
    ]
    let written = write(.form(pairs))
    expect(
      written.folder.files[0].blocks[0].body,
      is: """
        user=ann
        # &off=1
        &note=a b%26c
        &plus=1%2B1
        &pct=100%25
        &user=%20b %3D c%20
        &flag
        &nl=a%0Ab
        &t={{x}}%26
        """)
    #expect(
      written.wires()[0].body
        == "user=ann&note=a%20b%26c&plus=1%2B1&pct=100%25&user=%20b%20%3D%20c%20&flag&nl=a%0Ab"
        + "&t=%7B%7Bx%7D%7D%26")
    #expect(written.wires()[0].headers == ["Content-Type: application/x-www-form-urlencoded"])
    #expect(write(.form([Sample.pair("a", "1", isOn: false)])).wires()[0].body == "")
    let typed = write(.form([Sample.pair("a b", "1"), Sample.pair("c", "2")]), type: "text/plain")
    #expect(typed.wires()[0].body == "a%20b=1&c=2")
  }

  @Test(arguments: [
    "< ./x", "# a", "### b", "// c", "?? status == 200", "GET http://evil.test/", "@x = 1",
    "> {% x %}", "{{", "a&b=c",
  ])
  func `the first pair of a form begins nothing else`(name: String) {
    let pair = OriginPair(name: OriginText(literal: name), value: "1")
    let wires = write(.form([pair])).wires()
    #expect(wires.count == 1)
    #expect(decoded(wires[0].body) == name + "=1")
  }

  private func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `parts have their headers, files and boundary`() {
    let parts = [
      OriginPart(name: "meta", content: .text("{\"t\":1}"), contentType: "application/json"),
      OriginPart(name: "old", content: .text("x"), isOn: false),
      OriginPart(name: "doc", content: .file("sub/doc.txt")),
      OriginPart(name: "lost", content: .file(nil)),
      OriginPart(name: "bare", content: .text("a\nb --postkit-import")),
      OriginPart(name: "paired", content: .text("a\r\nb")),
      OriginPart(name: "empty", content: .text("")),
      OriginPart(name: "quo\"te", content: .bytes([0, 1]), fileName: "n.bin"),
      OriginPart(name: "inject", content: .text("< ./secret.txt")),
    ]
    var options = WritingOptions()
    options.sourcePath = "../api"
    let written = write(
      .multipart(parts), type: "multipart/form-data; boundary=theirs",
      files: ["sub/doc.txt": .bytes(Array("postkit-import-2".utf8))], options)
    let body = written.wires()[0].body
    #expect(written.folder.files[0].blocks[0].headers.hasSuffix("boundary=postkit-import-3"))
    #expect(written.folder.files[0].blocks[0].body.contains("\n< ../api/sub/doc.txt\n"))
    #expect(written.folder.files[0].blocks[0].body.contains("\n< ./FILE-NAME-MISSING\n"))
    #expect(body.contains("name=\"bare\"\r\n\r\na\nb --postkit-import\r\n--postkit-import-3\r\n"))
    #expect(body.contains("name=\"paired\"\r\n\r\na\r\nb\r\n--postkit-import-3\r\n"))
    #expect(body.contains("name=\"empty\"\r\n\r\n\r\n--postkit-import-3\r\n"))
    #expect(body.contains("name=\"quo%22te\"; filename=\"n.bin\"\r\n\r\n\u{0}\u{1}\r\n"))
    #expect(body.contains("name=\"inject\"\r\n\r\n< ./secret.txt\r\n--postkit-import-3--\r\n"))
    #expect(body.contains("filename=\"doc.txt\"\r\n"))
    #expect(written.codes == [.disabledItem, .fileMissing])
  }

  @Test func `files of the source are found from the written file`() {
    let inner = Sample.folder(
      "B", [Sample.request("r", method: "POST") { $0.body = .file("./data/../x y.bin") }])
    let collection = Sample.collection(
      [
        Sample.request("a", method: "POST") { $0.body = .file("/etc/passwd") },
        Sample.request("b", method: "POST") { $0.body = .file("../../up.txt") },
        Sample.request("c", method: "POST") { $0.body = .file("C:\\x.txt") },
        Sample.request("d", method: "POST") { $0.body = .file("{{dir}}/x") },
      ], [Sample.folder("A", [], [inner])])
    var options = WritingOptions()
    options.sourcePath = ".."
    let files: [String: OriginFileAnswer] = [
      "./data/../x y.bin": .bytes([1]), "../../up.txt": .outside,
    ]
    let written = Written(collection, options, files: files)
    #expect(
      written.folder.files.flatMap(\.blocks).map(\.body) == [
        "< /etc/passwd", "< ../../../up.txt", "< C:\\x.txt", "< ../{{dir}}/x", "< ../../x y.bin",
      ])
    #expect(written.codes == [.fileOutside, .fileOutside, .fileOutside])
  }

  @Test func `GraphQL is written as such, unless another operation is meant`() {
    let query = "# all\nquery A { a }\n\nquery B { b }\n"
    let plain = write(.graphQL(query: query, variables: "{\"x\": 1}\n", operationName: nil))
    expect(
      plain.folder.files[0].blocks[0].body,
      is: """
        # all
        query A { a }
        query B { b }

        {"x": 1}
        """)
    #expect(
      plain.wires()[0].body
        == "{\"query\":\"query A { a }\\nquery B { b }\",\"operationName\":\"A\","
        + "\"variables\":{\"x\":1}}")
    let other = write(.graphQL(query: query, variables: nil, operationName: "B"))
    #expect(
      other.wires()[0].body
        == "{\"query\":\"# all\\nquery A { a }\\n\\nquery B { b }\\n\",\"operationName\":\"B\"}")
    #expect(other.wires()[0].headers == ["Content-Type: application/json"])
  }

  @Test func `bytes lie in files`() {
    let written = write(.bytes([0, 255, 10], ending: ".bin"), type: "application/octet-stream")
    #expect(written.folder.files[0].blocks[0].body == "< ./bodies/Post it.bin")
    #expect(written.folder.attachments[0].bytes == [0, 255, 10])
  }
}
