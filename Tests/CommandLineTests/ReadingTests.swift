// One small file for each rule of the language, run by the real program: what the server gets, and
// what `check` says about the file. How requests are written; `MeaningTests` has what they mean.

import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct ReadingTests {
  @Test func `a URL goes on over lines that stand in`() async throws {
    let bench = try Bench([
      "a.http": """
      GET $URL
        /shelf
        /books
        ?by=title
        &available
      Accept: text/plain

      ### a question mark or an ampersand at the end also goes on
      GET $URL/find?
          word=sea&
          from=3

      """
    ])
    expect(
      try await bench.reading().sent,
      is: """
        GET /shelf/books?by=title&available
        Accept: text/plain
        ----
        GET /find?word=sea&from=3
        """)
  }

  @Test(
    "a path takes its server from Host, and the scheme from its port",
    arguments: [
      ("shelf.invalid:8443", [], "https://shelf.invalid:8443/ping"),
      ("shelf.invalid:443", [], "https://shelf.invalid:443/ping"),
      ("shelf.invalid", [], "http://shelf.invalid/ping"),
      ("shelf.invalid", ["--dialect", "restnvim"], "https://shelf.invalid/ping"),
      ("http://shelf.invalid", ["--dialect", "restnvim"], "http://shelf.invalid/ping"),
    ])
  func originForm(_ host: String, _ words: [String], _ url: String) async throws {
    let bench = try Bench(["a.http": "GET /ping HTTP/1.1\nHost: \(host)\n"])
    _ = try await bench.postkit(["run", "a.http", "--report", "json=r.json"] + words)
    #expect(try bench.json("r.json")["requests"]?.elements.first?["url"]?.string == url)
  }

  @Test func `a comment in JSON is left out, in plain text it is sent and remarked on`()
    async throws
  {
    let bench = try Bench([
      "a.http": """
      POST $URL/json
      Content-Type: application/json

      {
        // not yet: "shelf": 4,
        "title": "Sea"
      }

      ### plain
      POST $URL/plain
      Content-Type: text/plain

      first
      // second

      """
    ])
    expect(
      try await bench.reading().sent,
      is: """
        POST /json
        Content-Type: application/json

        {
          "title": "Sea"
        }
        ----
        POST /plain
        Content-Type: text/plain

        first
        // second
        """)
    #expect(try await bench.remarks() == ["14 comment-in-body"])
  }

  @Test func `a form may stand on several lines, with blanks and escapes`() async throws {
    let bench = try Bench([
      "a.http": """
      POST $URL/
      Content-Type: application/x-www-form-urlencoded

      reader = Ann Lee &
      motto = salt%&pepper

      """
    ])
    expect(
      try await bench.reading().sent,
      is: """
        POST /
        Content-Type: application/x-www-form-urlencoded

        reader=Ann%20Lee&motto=salt%26pepper
        """)
  }

  @Test func `a multipart body has CRLF between its lines, and files stay as they are`()
    async throws
  {
    let bench = try Bench([
      "cover.bin": "a\nb\r\n\0{{title}}\n", "words.txt": "{{title}}\n",
      "a.http": """
      @title = Sea
      POST $URL/
      Content-Type: multipart/form-data; boundary=leaf

      --leaf
      Content-Disposition: form-data; name="about"

      {{title}}
      // no comment here
      --leaf
      Content-Disposition: form-data; name="cover"; filename="cover.bin"

      < ./cover.bin
      --leaf
      Content-Disposition: form-data; name="words"

      <@ words.txt
      --leaf--



      """,
    ])
    expect(
      try await bench.reading().sent,
      is: """
        POST /
        Content-Type: multipart/form-data; boundary=leaf

        --leaf␍
        Content-Disposition: form-data; name="about"␍
        ␍
        Sea␍
        // no comment here␍
        --leaf␍
        Content-Disposition: form-data; name="cover"; filename="cover.bin"␍
        ␍
        a
        b␍
        \0{{title}}
        ␍
        --leaf␍
        Content-Disposition: form-data; name="words"␍
        ␍
        Sea
        ␍
        --leaf--␍

        """)
  }

  @Test func `a file of Windows is sent with LF, multipart with CRLF`() async throws {
    let file = """
      POST $URL/json
      Content-Type: application/json

      {
        "a": 1
      }

      ### parts
      POST $URL/parts
      Content-Type: multipart/form-data; boundary=leaf

      --leaf
      Content-Disposition: form-data; name="a"

      1
      --leaf--

      """
    let bench = try Bench(["a.http": file.replacing("\n", with: "\r\n")])
    expect(
      try await bench.reading().sent,
      is: """
        POST /json
        Content-Type: application/json

        {
          "a": 1
        }
        ----
        POST /parts
        Content-Type: multipart/form-data; boundary=leaf

        --leaf␍
        Content-Disposition: form-data; name="a"␍
        ␍
        1␍
        --leaf--␍

        """)
    #expect(try await bench.remarks() == [])
  }

  @Test func `a method line in a body is text, in its place it begins a request`() async throws {
    let bench = try Bench([
      "a.http": """
      POST $URL/note
      Content-Type: text/plain

      remember
      GET https://shelf.invalid/later

      ### empty so far
      GET $URL/first

      DELETE $URL/second

      """
    ])
    expect(
      try await bench.reading().sent,
      is: """
        POST /note
        Content-Type: text/plain

        remember
        GET https://shelf.invalid/later
        ----
        GET /first
        ----
        DELETE /second
        """)
    #expect(try await bench.remarks() == ["5 missing-separator", "10 differs-elsewhere"])
  }

  @Test func `a quotation in a body is text, a handler is none`() async throws {
    let bench = try Bench([
      "check.js": "client.log(2)",
      "a.http": """
      POST $URL/quoted
      Content-Type: text/markdown

      > notes.md
      > said somebody

      ### file
      POST $URL/file
      Content-Type: text/markdown

      words

      > check.js

      ### inline
      POST $URL/inline
      Content-Type: text/markdown

      words

      > {% client.log(1) %}

      """,
    ])
    let reading = try await bench.reading()
    let said = reading.notes.split(separator: "\n").filter { $0 == "1" || $0 == "2" }
    #expect(said == ["2", "1"])
    expect(
      reading.sent,
      is: """
        POST /quoted
        Content-Type: text/markdown

        > notes.md
        > said somebody
        ----
        POST /file
        Content-Type: text/markdown

        words
        ----
        POST /inline
        Content-Type: text/markdown

        words
        """)
  }

  @Test func `a curl command keeps every blank of its body`() async throws {
    let bench = try Bench([
      "a.http": """
      curl -X PUT $URL/books/1 \\
        -H 'X-Shelf: b' --data '{"pages":  120}'

      """
    ])
    expect(
      try await bench.reading().sent,
      is: """
        PUT /books/1
        X-Shelf: b
        Content-Type: application/x-www-form-urlencoded

        {"pages":  120}
        """)
  }

  @Test func `what follows a body is no part of it`() async throws {
    let bench = try Bench([
      "a.http": """
      ### login
      POST $URL/login
      Content-Type: text/plain

      me

      @pass = {{login.response.body.$.ok}}

      ### use
      GET $URL/{{pass}}

      """
    ])
    expect(
      try await bench.reading().sent,
      is: """
        POST /login
        Content-Type: text/plain

        me
        ----
        GET /true
        """)
  }

  @Test(
    "kinds of requests that are not built yet are kept and answered in one line",
    arguments: ["WEBSOCKET", "WS", "WSS", "SSE", "EVENTSOURCE", "GRPC", "MQTT", "MQTTS", "AMQP"])
  func reserved(_ method: String) async throws {
    let bench = try Bench([
      "a.http": """
      \(method) $URL/talk

      one
      ===
      === wait-for-server
      two

      ### after
      GET $URL/after

      """
    ])
    let reading = try await bench.reading()
    #expect(reading.sent == "GET /after")
    #expect(reading.status == 3)
    let lines = reading.notes.split(separator: "\n").filter { $0.contains("a.http:1") }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("This version does not send `\(method)` requests.") == true)
    #expect(lines.first?.contains("[protocol-unsupported]") == true)
    #expect(try await bench.remarks() == ["1 protocol-unsupported"])
  }
}
