// What a Hurl file expects becomes `??` lines where one says the same, else tests; what it keeps
// goes to the next request.

import Testing

@testable import PostKitTransfer

@Suite struct HurlCheckTests {
  private func read(_ lines: String, next: String = "") throws -> ImportedText {
    try ImportedText.read(
      HurlImporter.self, ("c.hurl", "GET http://h/1\n\(lines)\n\(next)"))
  }

  @Test(arguments: [
    ("status >= 200", "status >= 200"),
    ("header \"X\" == \"a b\"", "header X == a b"),
    ("header \"X\" exists", "header X exists"),
    ("header \"X\" not exists", "header X == undefined"),
    ("jsonpath \"$.a.b[0]\" == \"v\"", "body $.a.b[0] == v"),
    ("jsonpath \"$['a b']\" != 2.50", "body $['a b'] != 2.50"),
    ("jsonpath \"$.a\" == null", "body $.a == null"),
    ("jsonpath \"$.a\" == \"\"", "body $.a == \"\""),
    ("jsonpath \"$.a\" == \" b\\tc\"", "body $.a == \" b\\tc\""),
    ("jsonpath \"$.a\" exists", "body $.a != undefined"),
    ("jsonpath \"$.a\" not exists", "body $.a == undefined"),
    ("jsonpath \"$.a\" not == 1", "body $.a != 1"),
    ("jsonpath \"$.a\" not > 1", "body $.a <= 1"),
    ("jsonpath \"$.a\" isList", "body $.a isArray"),
    ("jsonpath \"$.a\" equals {{x}}", "body $.a == {{x}}"),
    ("jsonpath \"$.a\" matches /^a.b$/", "body $.a matches ^a.b$"),
    ("xpath \"string(//title)\" == \"T\" # why", "xpath string(//title) == T"),
    ("body contains \"x {{y}}\"", "body contains x {{y}}"),
    ("body startsWith `one`", "body startsWith one"),
    ("duration lessThan 100", "duration < 100"),
    ("variable \"v\" == 1", "{{v}} == 1"),
    ("sha256 == hex,ff00;", "body sha256 /wA="),
  ])
  func `a check is a line where one says the same`(_ check: String, _ line: String) throws {
    let read = try read("HTTP *\n[Asserts]\n\(check)")
    #expect(read.requests[0].checkLines == [line])
    #expect(read.requests[0].scripts.isEmpty)
    #expect(read.notes.isEmpty)
  }

  @Test(arguments: [
    ("jsonpath \"$.a[*]\" count == 2",
      "[].concat(jsonPath(response.body, \"$.a[*]\") ?? []).length === 2"),
    ("jsonpath \"$.a\" not contains \"b\"",
      "!(((v) => Array.isArray(v) ? v : String(v))(jsonPath(response.body, \"$.a\")).includes(\"b\"))"),
    ("header \"X\" regex /a(.)/ == \"b\"",
      "String(response.headers.valueOf(\"X\")).match(new RegExp(\"a(.)\"))?.[1] === \"b\""),
    ("cookie \"sid\" exists",
      "(response.cookiesByName(\"sid\")[0]?.value ?? undefined) !== undefined"),
    ("jsonpath \"$.a\" contains \" b\"",
      "((v) => Array.isArray(v) ? v : String(v))(jsonPath(response.body, \"$.a\")).includes(\" b\")"),
    ("jsonpath \"$.a\" isEmpty",
      "((v) => (typeof v === \"object\" ? Object.keys(v) : v).length === 0)(jsonPath(response.body, \"$.a\"))"),
    ("jsonpath \"$.a\" nth 1 toInt == 3",
      "parseInt([].concat(jsonPath(response.body, \"$.a\") ?? []).at(1), 10) === 3"),
  ])
  func `other checks are tests`(_ check: String, _ condition: String) throws {
    let read = try read("HTTP 200\n[Asserts]\n\(check)")
    #expect(read.requests[0].checkLines == ["status == 200"])
    #expect(
      read.requests[0].handlers
        == ["client.test(\(HurlScript.literal(check)), () => client.assert(\(condition)));"])
    #expect(read.notes.isEmpty)
  }

  @Test(arguments: [
    "certificate \"Subject\" == \"s-1\"", "url == \"s-1\"", "version == \"s-1\"",
    "jsonpath \"$.a\" toDate \"%Y\" isDate", "body == file,a.txt;",
    "jsonpath \"$.a\" isEmpty not exists", "bytes count == 7",
  ])
  func `what has no counterpart is told without its value`(_ check: String) throws {
    guard check != "jsonpath \"$.a\" isEmpty not exists" else {
      #expect(
        ImportedText.failure(
          HurlImporter.self, "c.hurl", "GET http://h\nHTTP 200\n[Asserts]\n\(check)")
          == "c.hurl:4:24: Nothing more is expected in this line.")
      return
    }
    let read = try read("HTTP *\n[Asserts]\n\(check)")
    #expect(read.requests[0].checks.isEmpty)
    #expect(read.codes == [.testUnsupported])
    #expect(read.notes[0].place == "c.hurl:4")
    #expect(!read.notes[0].message.contains("s-1"))
  }

  @Test func `captures are parts of the answer for the next request, or set by a handler`() throws {
    let read = try read(
      """
      HTTP 200
      [Captures]
      token: jsonpath "$.token"
      head: header "X-A"
      all: body
      code: status
      sid: cookie "sid"
      title: xpath "string(//title)"
      many: jsonpath "$.a[*]"
      part: header "X-B" regex "Hello (.*)!"
      same: variable "head"
      word: regex /a "(.)"/
      odd: certificate "Subject"
      [Asserts]
      variable "head" == "v"
      header "X-C" == "{{head}}"
      variable "part" == "Bob"
      """, next: "GET http://h/2/{{token}}\n")
    let (first, second) = (read.requests[0], read.requests[1])
    #expect(first.referenceName == "e1")
    #expect(second.references == ["e1"])
    #expect(
      second.variables.map { "\($0.name)=\($0.value?.text ?? "")" } == [
        "token={{e1.response.body.$.token}}", "head={{e1.response.headers.X-A}}",
        "all={{e1.response.body.*}}", "code={{e1.response.status}}",
        "sid={{e1.response.cookies.sid}}", "title={{e1.response.body.//title}}",
        "same={{e1.response.headers.X-A}}",
      ])
    #expect(
      first.checkLines == [
        "status == 200", "header X-A == v", "header X-C == {{e1.response.headers.X-A}}",
      ])
    #expect(
      first.handlers == [
        "client.global.set(\"many\", jsonPath(response.body, \"$.a[*]\"));",
        "client.global.set(\"part\", String(response.headers.valueOf(\"X-B\"))"
          + ".match(new RegExp(\"Hello (.*)!\"))?.[1]);",
        "client.global.set(\"word\", (typeof response.body === \"string\" ? response.body : "
          + "JSON.stringify(response.body)).match(new RegExp(\"a \\\"(.)\\\"\"))?.[1]);",
        "client.test(\"variable \\\"part\\\" == \\\"Bob\\\"\", () => client.assert("
          + "String(response.headers.valueOf(\"X-B\")).match(new RegExp(\"Hello (.*)!\"))?.[1]"
          + " === \"Bob\"));",
      ])
    #expect(read.codes == [.templateUnsupported])
    #expect(read.notes[0].place == "c.hurl:14")
  }

  @Test func `captures of the last request are set by handlers`() throws {
    let read = try read("HTTP 200\n[Captures]\na: jsonpath \"$.a\"")
    #expect(read.requests[0].referenceName == nil)
    #expect(
      read.requests[0].handlers
        == ["client.global.set(\"a\", jsonPath(response.body, \"$.a\"));"])
  }

  @Test func `headers and bodies of the answer are checks`() throws {
    let json = try read("HTTP 200\nX-A: b\n{\n  \"a\": [1, \"x y\"]\n}")
    #expect(
      json.requests[0].checkLines
        == ["status == 200", "header X-A == b", "body == {\"a\":[1,\"x y\"]}"])
    let text = try read("HTTP 200\n`hello`")
    #expect(text.requests[0].checkLines == ["status == 200", "body == hello"])
    let bytes = try read("HTTP 200\nhex,ff;")
    #expect(bytes.codes == [.testUnsupported])
  }

  @Test func `a literal can't end the script that it stands in`() {
    #expect(HurlScript.literal("%} \"\\\n\u{1}") == "\"\\u0025} \\\"\\\\\\n\\u0001\"")
  }
}
