// Hurl files become requests: targets, bodies, options.

import Testing

@testable import PostKitTransfer

@Suite struct HurlImportTests {
  private func read(_ text: String) throws -> ImportedText {
    try ImportedText.read(HurlImporter.self, ("shop.hurl", text))
  }

  @Test func `entries are requests with titles, headers and queries`() throws {
    let read = try read(
      ##"""
      # About the file.

      # Log in
      # for all.
      POST https://{{host}}/login?a=b=c&d?{{q?}} # why
      Accept: */* # all
      X-\u{41}: a\#b {{x}}
      # inside
      Authorization: Bearer {{token}}
      [Query]
      q: a b&{{y}}%3d
      $top:
      [QueryStringParams]
      e: /
      [Cookies]
      a: b
      token: t-1

      # Me
      GET https://u:p@h/me
      Authorization: Bearer t-2
      HTTP/2 *
      """##)
    #expect(read.collection.root.name == "shop")
    let requests = read.requests
    #expect(requests.map(\.name) == ["Log in", "Me"])
    #expect(requests[0].description == "for all.")
    #expect(requests[0].comments == ["About the file.", "why", "all", "inside"])
    #expect(requests[0].url == "https://{{host}}/login")
    #expect(requests[0].target
      == "https://{{host}}/login?a=b=c&d?{{q?}}&q=a%20b%26{{y}}%253d&%24top=&e=%2F")
    #expect(
      requests[0].headerLines == [
        "Accept: */*", "X-A: a#b {{x}}", "Authorization: Bearer {{token}}",
        "Cookie: a=b; token={{token}}",
      ])
    #expect(requests[0].metadata == ["no-redirect"])
    #expect(requests[0].checks == [])
    #expect(requests[1].target == "https://h/me")
    #expect(requests[1].auth == .bearer(token: "t-2", prefix: "Bearer"))
    #expect(requests[1].checks == [])
    #expect(read.collection.shared.map(\.value) == [.text("t-1")])
    #expect(read.notes.isEmpty)
  }

  @Test func `bodies are kept byte for byte`() throws {
    let read = try read(
      #"""
      POST http://h/1
      {
        "a": "}\"{{x}}", "b": [{{n}}, 1.0]
      }
      HTTP 200
      POST http://h/2
      <?xml version="1.0"?>
      <!-- </a> --><a b="/>"><c/>
      <![CDATA[</a>]]></a>
      POST http://h/3
      ```
      line 1 {{newUuid}}
      ```
      POST http://h/4
      ```graphql
      query Q($id: ID!) { a(id: $id) }

      variables {
        "id": "{{id}}"
      }
      ```
      """#)
    let requests = read.requests
    #expect(requests[0].bodyText == "{\n  \"a\": \"}\\\"{{x}}\", \"b\": [{{n}}, 1.0]\n}")
    #expect(requests[0].headerLines == ["Content-Type: application/json"])
    #expect(
      requests[1].bodyText
        == "<?xml version=\"1.0\"?>\n<!-- </a> --><a b=\"/>\"><c/>\n<![CDATA[</a>]]></a>")
    #expect(requests[1].headerLines == ["Content-Type: application/xml"])
    #expect(requests[2].bodyText == "line 1 {{$guid}}\n")
    #expect(requests[2].headerLines == [])
    #expect(
      requests[3].body
        == .graphQL(
          query: "query Q($id: ID!) { a(id: $id) }", variables: "{\n  \"id\": \"{{id}}\"\n}",
          operationName: nil))
  }

  @Test func `bytes, files and short texts are bodies, too`() throws {
    let read = try read(
      #"""
      POST http://h/5
      base64,/wA=;
      POST http://h/6
      hex,ff 00;
      POST http://h/7
      file,a\ b.txt;
      POST http://h/8
      `one {{newDate}}\n`
      POST http://h/9
      ```json,novariable
      {"a":"{{x}}"}
      ```
      POST http://h/10
      Content-Type: text/x
      [1]
      POST http://h/11
      true
      """#)
    let requests = read.requests
    #expect(requests.map { String($0.url.text.dropFirst(9)) } == (5...11).map(String.init))
    #expect(requests[0].body == .bytes([255, 0], ending: ".bin"))
    #expect(requests[1].body == .bytes([255, 0], ending: ".bin"))
    #expect(requests[2].body == .file("a b.txt"))
    #expect(requests[3].bodyText == "one {{$datetime iso8601}}\n")
    #expect(requests[4].body == .text("{\"a\":\"{{x}}\"}\n"))
    #expect(requests[5].headerLines == ["Content-Type: text/x"])
    #expect(requests[6].bodyText == "true")
  }

  @Test func `forms and parts have their values as they are meant`() throws {
    let read = try read(
      #"""
      POST http://h/1
      [FormParams]
      a: b=c%3d
      v\u{5b}0\u{5d}: {{x}}
      values[1]: 1
      e:
      POST http://h/2
      Content-Type: multipart/form-data
      [Multipart]
      k: v
      f: file,d/data.html;
      g: file,data.x; text/plain
      """#)
    #expect(
      read.requests[0].body
        == .form([
          OriginPair(name: "a", value: "b=c%3d"), OriginPair(name: "v[0]", value: "{{x}}"),
          OriginPair(name: "values[1]", value: "1"), OriginPair(name: "e", value: ""),
        ]))
    #expect(read.requests[0].headerLines == ["Content-Type: application/x-www-form-urlencoded"])
    #expect(
      read.requests[1].body
        == .multipart([
          OriginPart(name: "k", content: .text("v")),
          OriginPart(
            name: "f", content: .file("d/data.html"), fileName: "data.html",
            contentType: "text/html"),
          OriginPart(
            name: "g", content: .file("data.x"), fileName: "data.x", contentType: "text/plain"),
        ]))
    #expect(read.requests[1].headerLines == [])
  }

  @Test func `options become tags, credentials and variables`() throws {
    let read = try read(
      """
      GET http://h/1
      [Options]
      location: true
      max-redirs: 3
      insecure: true
      delay: 2s
      max-time: 5
      connect-timeout: 300ms
      repeat: 2
      http2: true
      cacert: ca.pem
      variable: id=7
      variable: word="a b"
      compressed: true
      user: ann:p-1
      aws-sigv4: aws:amz:eu-1:s3
      GET http://h/2
      [Options]
      skip: true
      user: ann:p-2
      digest: true
      output: x
      proxy: http://u:p-3@proxy
      retry: 3
      GET http://h/3
      [BasicAuth]
      bob: p-4
      """)
    let requests = read.requests
    #expect(
      requests[0].metadata == [
        "curl-max-redirs 3", "insecure", "sleep 2000", "timeout 5000 ms",
        "connection-timeout 300 ms", "loop for 2", "curl-http2", "curl-cacert ca.pem",
      ])
    #expect(requests[0].variables.map(\.name) == ["id", "word"])
    #expect(requests[0].variables.map(\.value) == [.json(OriginJSON(text: "7")), .text("a b")])
    #expect(
      requests[0].auth
        == .aws(OriginAWS(accessKey: "ann", secretKey: "p-1", region: "eu-1", service: "s3")))
    #expect(requests[1].metadata == ["no-redirect", "disabled", "loop for 3"])
    #expect(requests[1].auth == .digest(user: "ann", password: "p-2"))
    #expect(requests[2].auth == .basic(user: "bob", password: "p-4"))
    #expect(read.codes == [.settingUnsupported, .settingUnsupported, .settingUnsupported])
    #expect(read.notes.map(\.place) == ["shop.hurl:22", "shop.hurl:23", "shop.hurl:24"])
    #expect(!read.notes.contains { $0.message.contains("p-3") })
  }

  @Test func `a file of variables is an environment`() throws {
    let vars = "# dev\nhost=h:1\nn=7\nz=007\nf=-1.5\nflag=true\nq=\"8\"\nid={{newUuid}}\n"
    let read = try ImportedText.read(
      HurlImporter.self, ("vars.env", vars), ("a.hurl", "GET http://{{host}}\n"))
    #expect(read.requests.map(\.target) == ["http://{{host}}"])
    #expect(read.collection.environments.map(\.name) == ["vars"])
    #expect(
      read.collection.environments[0].variables.map { "\($0.name) \($0.value!)" } == [
        "host text(\"h:1\")", "n json(PostKitTransfer.OriginJSON(text: \"7\"))",
        "z text(\"007\")", "f json(PostKitTransfer.OriginJSON(text: \"-1.5\"))",
        "flag json(PostKitTransfer.OriginJSON(text: \"true\"))", "q text(\"8\")",
        "id text(\"{{$guid}}\")",
      ])
    for (name, text, isIt) in [
      ("v.env", "a=b", true), ("v", "# a\n\na-b = c\n", true), ("v.hurl", "a=b", false),
      ("v", "", false), ("v", "a b", false), ("v", "{\"a\":\"=\"}", false),
    ] {
      #expect(
        HurlImporter.accompanies(OriginSource(name: name, bytes: Array(text.utf8))) == isIt,
        "\(name) \(text)")
    }
    #expect(HurlImporter.recognises(OriginSource(name: "d/A.HURL", bytes: [])))
    #expect(!HurlImporter.recognises(OriginSource(name: "a.txt", bytes: [])))
  }

  @Test(arguments: [
    ("get http://h", "1:1: A request is expected here, such as `GET https://h`."),
    ("GET ", "1:5: The URL is missing."),
    ("GET http://h\nHTTP/4 200", "2:7: `HTTP/4` is no version of HTTP."),
    ("GET http://h\nHTTP abc", "2:6: A status is expected here, such as `200` or `*`."),
    ("GET http://h\nHTTP 200 x", "2:10: Nothing more is expected in this line."),
    ("GET http://h\n[Foo]\na: b", "2:1: `[Foo]` is no section that can stand here."),
    ("GET http://h\n{\"a\": 1", "2:1: This JSON is not closed."),
    ("GET http://h\n{\"a", "2:2: This text is not closed."),
    ("GET http://h\n<a><b></a>", "2:1: This XML is not closed."),
    ("GET http://h\n```\nx", "2:1: This text is not closed by three backticks."),
    ("GET http://h\nbase64,&;", "2:1: This is no Base64."),
    ("GET http://h\nhex,abc", "2:1: A `;` is missing."),
    ("GET http://h\nhex,abc;", "2:1: This is no hexadecimal number."),
    ("GET http://h\nA: \\u41", "2:4: `\\u{…}` names a character by its number."),
    ("GET http://h\nHTTP 200\n[Asserts]\nstatus = 1", "4:8: `=` is no predicate of Hurl."),
    ("GET http://h\nHTTP 200\n[Asserts]\nbody ==", "4:8: A value is expected here, such as `\"text\"` or `7`."),
    ("GET http://h\nHTTP 200\n[Captures]\na: foo", "4:4: `foo` is no query of Hurl."),
    ("GET http://h\nHTTP 200\n[Captures]\na: regex /x", "4:10: This regular expression is not closed."),
    ("# only a comment", " has no request."),
  ])
  func `mistakes are told with file, line and column`(_ text: String, _ message: String) {
    let mark = message.hasPrefix(" ") ? "" : ":"
    #expect(ImportedText.failure(HurlImporter.self, "x.hurl", text) == "x.hurl" + mark + message)
  }

  @Test func `a loop without an end is told, and none of no turns is written`() throws {
    let read = try read(
      """
      GET http://h/1
      [Options]
      retry: -1
      GET http://h/2
      [Options]
      location: true
      retry: 0
      repeat: {{n}}
      """)
    #expect(read.requests.map(\.metadata) == [["no-redirect"], ["loop for {{n}}"]])
    #expect(
      read.notes.map(\.message) == ["The option `retry` has no counterpart and is left out."])
  }
}
