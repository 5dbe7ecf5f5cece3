// Bytes that are no UTF-8 go over the wire as the author wrote them. The files of these tests are
// Latin-1, as are the texts of what arrives.

import PostKitEvaluate
import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite struct ExactBytesTests {
  /// The text of a file in Latin-1.
  private static func latin1(_ text: String) -> String {
    String(keeping: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }

  /// A place in a request, and what arrives of it.
  struct Place: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String
    let arrives: String
    var testDescription: String { name }

    init(_ name: String, _ source: String, _ arrives: String) {
      (self.name, self.source, self.arrives) = (name, source, arrives)
    }
  }

  private static let basic = "Authorization: Basic " + Base64.encode([0xE9, 0x3A, 0xE0])

  static let places = [
    Place("path", "GET $URL/caf\u{E9}", "GET /caf%E9 HTTP/1.1"),
    Place("path of a variable", "@x = caf\u{E9}\nGET $URL/{{x}}", "GET /caf%E9 HTTP/1.1"),
    Place(
      "query", "@x = \u{E9}&\nGET $URL/?a=\u{FF}&b={{x}}c={{%x}}",
      "GET /?a=%FF&b=%E9&c=%E9%26 HTTP/1.1"),
    Place(
      "URL without encoding", "# @no-auto-encoding\nGET $URL/{\u{E9} b}", "GET /{%E9%20b} HTTP/1.1"),
    Place(
      "variable of variables", "@y = <{{x}}>\n@x = \u{E9}\nGET $URL/\nX-A: {{y}}", "X-A: <\u{E9}>"),
    Place("header", "GET $URL/\nX-A:  a \u{E9},\u{C3}\u{A9} ", "X-A: a \u{E9},\u{C3}\u{A9}"),
    Place("header of a variable", "@x = \u{E9}\nGET $URL/\nX-A: a{{x}}", "X-A: a\u{E9}"),
    Place("header line of a variable", "@x = X-A: \u{E9}\nGET $URL/\n{{x}}", "X-A: \u{E9}"),
    Place(
      "request line of a variable", "@x = PUT $URL/\u{E9}\\nX-A: \u{E8}\n{{x}}",
      "PUT /%E9 HTTP/1.1"),
    Place(
      "header of a request line's variable", "@x = GET $URL/\\nX-A: \u{E8}\n{{x}}", "X-A: \u{E8}"),
    Place("cookies", "GET $URL/\nCookie: a=\u{E9}\nCookie: b=\u{E8}", "Cookie: a=\u{E9}; b=\u{E8}"),
    Place("Basic", "GET $URL/\nAuthorization: Basic \u{E9} \u{E0}", basic),
    Place("Basic of variables", "@x = \u{E0}\nGET $URL/\nAuthorization: Basic \u{E9}:{{x}}", basic),
    Place("user information", "GET http://\u{E9}:%E0@$HOST/", basic),
    Place(
      "body", "@x = \u{E9}\nPOST $URL/\nContent-Type: text/plain\n\n\u{C3}\u{A9}{{x}}\u{FF}",
      "\r\n\r\n\u{C3}\u{A9}\u{E9}\u{FF}"),
    Place(
      "form", """
        @x = \u{E0}
        POST $URL/
        Content-Type: application/x-www-form-urlencoded

        a = \u{E9}&
        b={{x}}%&\u{C3}\u{A9}
        """, "\r\n\r\na=%E9&b=%E0%26%C3%A9"),
    Place(
      "form without encoding", """
        # @no-auto-encoding
        POST $URL/
        Content-Type: application/x-www-form-urlencoded

        a = \u{E9}
        """, "\r\n\r\na=\u{E9}"),
    Place(
      "multipart", """
        @x = \u{E0}
        POST $URL/
        Content-Type: multipart/form-data

        --b\u{E9}
        Content-Disposition: form-data; name="\u{E8}"

        {{x}}
        --b\u{E9}--
        """,
      """
      Content-Type: multipart/form-data; boundary="b\u{E9}"
      User-Agent: test
      Accept: */*
      Content-Length: 61

      --b\u{E9}
      Content-Disposition: form-data; name="\u{E8}"

      \u{E0}
      --b\u{E9}--
      """.replacing("\n", with: "\r\n")),
    Place(
      "GraphQL", "GRAPHQL $URL/\n\nquery { a(b: \"\u{E9}\") }",
      #"{"query":"query { a(b: \"\#u{E9}\") }"}"#),
    Place(
      "curl", "@x = \u{E0}\ncurl -u '\u{E9}:{{x}}' -d 'a=\u{E9}' --data-urlencode 'b=\u{E9}' $URL/",
      basic),
    Place("data of curl", "curl -d 'a=\u{E9}' --data-urlencode 'b=\u{E9}' $URL/", "a=\u{E9}&b=%E9"),
    Place("header of curl", "curl -H 'X-A: \u{E9}' $URL/", "X-A: \u{E9}"),
    Place("query of curl", "curl -G -d 'a=\u{E9}' $URL/", "GET /?a=%E9 HTTP/1.1"),
    Place("form of curl", "curl -F 'a=\u{E9};type=text/x' $URL/", "text/x\r\n\r\n\u{E9}\r\n--"),
  ]

  @Test(arguments: places)
  func `what is written arrives`(_ place: Place) async throws {
    let recorder = try #require(RequestRecorder(count: 1))
    let source = place.source.replacing("$HOST", with: "127.0.0.1:\(recorder.port)")
      .replacing("$URL", with: "http://127.0.0.1:\(recorder.port)")
    let run = await (try Track(ExactBytesTests.latin1(source))).run {
      $0.defaults.userAgent = "test"
    }
    try #require(run.result.exitCode == 0, "\(run.result.outcomes.map(\.failure))")
    let received = try #require(recorder.received().first)
    #expect(received.contains(place.arrives), "\(received.debugDescription)")
  }

  @Test(
    "what no request can hold is refused",
    arguments: [
      ("GET $URL/\nX-A: \u{E9}\0", "value of header `X-A`"),
      ("@x = \u{E9}\\r\\nX-B: b\nGET $URL/\nX-A: {{x}}", "value of header `X-A`"),
      ("@x = \u{E9}\\n\nGET $URL/\nX-A: a{{x}}b", "value of header `X-A`"),
      ("GET $URL/\nX-\u{E9}: a", "neither a header"), ("GET $URL/\u{E9}\0", "NUL"),
      ("GET http://caf\u{E9}.test/", "the host has bytes that are not UTF-8"),
      ("@x = G\u{E9}T\n{{x}} $URL/", "The method contains bytes that are not UTF-8"),
    ])
  func refused(_ source: String, _ sentence: String) async throws {
    let server = try StubServer { _ in [.response()] }
    let url = server.url("")
    let run = await (try Track(ExactBytesTests.latin1(source.replacing("$URL", with: url)))).run()
    #expect(run.result.exitCode == 3)
    let message = run.result.outcomes.first?.failure?.message ?? "none"
    #expect(message.contains(sentence), "\(message)")
    #expect(message == message.shown)
    #expect(server.connectionCount == 0)
  }

  @Test func `values of environment files stay UTF-8 beside bytes that are none`() async throws {
    let recorder = try #require(RequestRecorder(count: 1))
    let track = try Track(
      ExactBytesTests.latin1(
        "GET http://127.0.0.1:\(recorder.port)/{{n}}\u{E9}\nX-A: {{n}}\u{E9}{{l}}\n"),
      ["http-client.env.json": #"{"dev": {"n": "é\#u{10FFE9}"}}"#])
    try track.directory.write(".env", bytes: Array("l=".utf8) + [0xE8, 0x0A])
    try #require(await track.run(environment: "dev").result.exitCode == 0)
    let received = try #require(recorder.received().first)
    #expect(received.contains("GET /%C3%A9%F4%8F%BF%A9%E9 HTTP/1.1"))
    #expect(received.contains("X-A: \u{C3}\u{A9}\u{F4}\u{8F}\u{BF}\u{A9}\u{E9}\u{E8}\r\n"))
  }

  @Test func `random bytes in bodies and variables arrive as they are`() async throws {
    let server = try StubServer { _ in [.response()] }
    var generator = RepeatableGenerator(seed: 97)
    // Nothing that has a meaning in a file: line ends, braces, and the backslash of definitions.
    let alphabet = (UInt8(0x20)...0xFF).filter { !"{}\\\u{7F}".utf8.contains($0) }
    func bytes() -> [UInt8] {
      let high = generator.oneIn(2)
      let middle = (0..<generator.int(in: 0..<40)).map { _ in
        high ? UInt8(generator.int(in: 0x80..<0x100)) : generator.pick(alphabet)
      }
      return [0x78] + middle + [0x78]
    }
    let samples = (0..<80).map { _ in (value: bytes(), body: bytes()) }
    var file: [UInt8] = []
    for (number, sample) in samples.enumerated() {
      let head = "\nPOST \(server.url("/"))?{{%v\(number)}}\nX-V: {{v\(number)}}\n"
      file += Array("###\n@v\(number) = ".utf8) + sample.value
      file += Array("\(head)Content-Type: text/plain\n\n".utf8) + sample.body
      file += Array("{{v\(number)}}\n\n".utf8)
    }
    let run = await (try Track(String(keeping: file))).run()
    #expect(run.result.exitCode == 0)
    try #require(server.requests.count == samples.count)
    for (sample, request) in zip(samples, server.requests) {
      #expect(request.body == sample.body + sample.value)
      #expect(PercentEncoding.decode(request.target) == Array("/?".utf8) + sample.value)
      #expect(request.head.firstRange(of: Array("X-V: ".utf8) + sample.value + [13, 10]) != nil)
    }
  }

  @Test func `what is read of a response is sent as it came`() async throws {
    let bytes: [UInt8] = [0xE9, 0xC3, 0xA9, 0xFF]
    let server = try StubServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"), .bytes(bytes)]
    }
    let track = try Track(
      """
      # @name a
      GET \(server.url())

      ###
      POST \(server.url())
      Content-Type: text/plain

      {{a.response.body.*}}

      """)
    #expect(await track.run().result.exitCode == 0)
    #expect(server.requests.last?.body == bytes)
  }

  @Test func `assertions compare bytes, and quote what can be shown`() async throws {
    let server = try StubServer { request in
      [
        .text("HTTP/1.1 200 OK\r\nContent-Length: \(request.body.count)\r\n\r\n"),
        .bytes(request.body),
      ]
    }
    let track = try Track(
      ExactBytesTests.latin1(
        """
        @x = caf\u{E9}
        POST \(server.url())
        Content-Type: text/plain

        {{x}}

        ?? body == {{x}}
        ?? body contains \u{E9}
        ?? body endsWith \u{E8}
        """))
    let tests = try #require(await track.run().recorded.first?.tests)
    #expect(tests.map(\.passed) == [true, true, false])
    #expect(tests.map(\.name).last == "body endsWith \u{FFFD}")
    #expect(tests.last?.message.contains("caf\u{FFFD}") == true)
  }

  @Test func `what could not be sent is shown as what was`() async throws {
    let track = try Track(ExactBytesTests.latin1("GET http://127.0.0.1:1/\nX-A: caf\u{E9}\n"))
    let run = await track.run()
    #expect(run.result.exitCode == 4)
    #expect(run.recorded.first?.request.headers.first("X-A") == "café")
  }

  @Test func `the record shows bytes as responses do, and secrets nowhere`() async throws {
    let server = try StubServer { request in
      let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "
      let echo = Array(request.head[..<(request.head.firstIndex(of: 13) ?? 0)]) + request.body
      return [.text("\(head)\(echo.count)\r\n\r\n"), .bytes(echo)]
    }
    let track = try Track(
      ExactBytesTests.latin1(
        """
        POST \(server.url("/{{API_TOKEN}}"))
        X-A: caf\u{E9}
        X-B: {{API_TOKEN}} {{p}} \u{E9}
        Content-Type: text/plain

        {{API_TOKEN}}
        """), ["http-client.private.env.json": #"{"dev": {"p": "pässword-2"}}"#])
    try track.directory.write(
      ".env", bytes: Array("API_TOKEN=hidd".utf8) + [0xE9] + Array("n-1\n".utf8))
    let recorded = try #require(await track.run(environment: "dev").recorded.first)
    #expect(server.requests.first?.target == "/hidd%E9n-1")
    let dots = SecretMask.text
    #expect(recorded.request.headers.first("X-A") == "café")
    #expect(recorded.request.headers.first("X-B") == "\(dots) \(dots) é")
    #expect(recorded.request.url.hasSuffix("/\(dots)"))
    #expect(recorded.request.body == .bytes(Array(dots.utf8)))
    #expect(recorded.response?.body == .bytes(Array("POST /\(dots) HTTP/1.1\(dots)".utf8)))
    #expect(recorded.isRedacted)
  }
}
