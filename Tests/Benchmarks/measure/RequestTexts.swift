// The texts that are parsed: what people write, and what nobody should.

/// Makes request files.
enum RequestTexts {
  /// Requests of 200 bytes: half of them read, half of them write.
  static func ordinary(_ count: Int) -> String {
    var text = ""
    for index in 0..<count {
      if index.isMultiple(of: 2) {
        text += """
          ### Read the order \(index)
          # The newest comes first.
          GET https://api.example.com/v1/orders/\(index)?expand=lines&page=2 HTTP/1.1
          Accept: application/json
          Authorization: Bearer {{token}}
          X-Request-Id: {{$uuid}}-\(index)


          """
      } else {
        text += """
          ### Change the order \(index)
          # @name change\(index)
          POST https://api.example.com/v1/orders/\(index)
          Content-Type: application/json

          {
            "status": "shipped",
            "customer": "{{customer}}",
            "total": 1299
          }


          """
      }
    }
    return text
  }

  /// Requests that use five variables each, one of which is made of another.
  static func variables(_ count: Int) -> String {
    var text = """
      @host = api.example.com
      @base = https://{{host}}/v1
      @token = 2c8f1e
      @tenant = north
      @kind = order


      """
    for index in 0..<count {
      text += """
        ### Change \(index)
        POST {{base}}/{{kind}}/\(index)
        Authorization: Bearer {{token}}
        Content-Type: application/json

        {"tenant": "{{tenant}}", "host": "{{host}}", "number": \(index)}


        """
    }
    return text
  }
}

/// A text that only an adversary would write: a unit over and over, with something around it.
struct HostileText {
  let name: String
  let unit: [UInt8]
  var start = ""
  var end = ""

  init(_ name: String, _ unit: String, after start: String = "", before end: String = "") {
    self.init(name, Array(unit.utf8), after: start, before: end)
  }

  init(_ name: String, _ unit: [UInt8], after start: String = "", before end: String = "") {
    self.name = name
    self.unit = unit
    self.start = start
    self.end = end
  }

  /// The text with about so many bytes.
  func bytes(_ size: Int) -> [UInt8] {
    var bytes = Array(start.utf8)
    bytes.reserveCapacity(size + unit.count + end.utf8.count)
    while bytes.count < size { bytes.append(contentsOf: unit) }
    return bytes + Array(end.utf8)
  }

  private static let get = "GET http://a.b\n"
  private static let post = "POST http://a.b\nContent-Type: application/json\n\n"

  static let all = [
    HostileText("open braces", "{"),
    HostileText("closing braces", "}"),
    HostileText("pairs of open braces, one in a line", "{{\n"),
    HostileText("hashes", "#"),
    HostileText("line feeds", "\n"),
    HostileText("carriage returns", "\r"),
    HostileText("line ends of two bytes", "\r\n"),
    HostileText("blanks", " "),
    HostileText("NUL bytes", "\u{0}"),
    HostileText("one long line", "lorem ipsum dolor "),
    HostileText("one long URL", "segment/", after: "GET https://example.com/"),
    HostileText("quotes in a reference", "\"", after: post + "{{"),
    HostileText("open braces in a body", "{{", after: post),
    HostileText("references in a body", "{{a}}", after: post),
    HostileText("escaped references", "\\{\\{", after: post),
    HostileText("deep JSON", "[{\"a\":", after: post),
    HostileText("lines of one brace", "{\n", after: post),
    HostileText("empty blocks", "###\n"),
    HostileText("separators with names", "### a\n"),
    HostileText("short requests", "###\nGET http://a.b\n"),
    HostileText("short requests of two kinds", "###\nGET http://a.b\n###\nGET http://b.a\n"),
    HostileText("requests without separators", get + "\n"),
    HostileText("curl commands", "###\ncurl -d 'a' http://a.b\n"),
    HostileText("metadata", "# @tag a\n", before: get),
    HostileText("definitions", "@a = {{a}}\n", before: get),
    HostileText("definitions in a body", "@a = b\n\n", after: post + "x\n\n"),
    HostileText("headers", "A: b\n", after: get),
    HostileText("broken headers", "a b\n", after: get),
    HostileText("assertions", "?? status == 200\n", after: get + "\nx\n\n"),
    HostileText("scripts", "> {% a %}\n", after: get + "\n"),
    HostileText("open scripts", "> {%\n", after: get + "\n"),
    HostileText("bytes that are no UTF-8", [0xFF, 0xFE, 0xC0, 0x80, 0xF8, 0xE2, 0x0A]),
    HostileText("characters of four bytes", "\u{1F600}", after: post),
  ]
}
