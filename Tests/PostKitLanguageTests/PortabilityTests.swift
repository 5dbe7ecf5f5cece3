// What a file means to other tools.

import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

/// Compares an annotated text with what one tool would not read as PostKit does.
private func check(
  _ tool: TargetTool, is expected: String, file: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = CaretAnnotations(expected).text
  let annotations = Bench().analysis(text).portability(to: tool).map {
    CaretAnnotation($0.range, "\($0.code.rawValue): \($0.message)")
  }
  expect(
    CaretAnnotations.render(text, annotations), is: expected, file: file,
    sourceLocation: sourceLocation)
}

struct PortabilityTests {
  @Test func `A file of everybody's is portable`() {
    let text = "### a\n# @name a\nGET https://a.test/{{host}}\nAccept: */*\n"
    for tool in TargetTool.allCases {
      #expect(Bench().analysis(text).portability(to: tool).isEmpty, "\(tool)")
    }
  }

  @Test func `A prefix of XPath is httpYac's`() {
    let text = "@xpath_ns a=urn:t\nGET https://a.test/\n"
    let known = TargetTool.allCases.filter { Bench().analysis(text).portability(to: $0).isEmpty }
    #expect(known == [.httpyac])
    #expect(Bench().analysis(text).diagnostics(limit: 100).isEmpty)
  }

  @Test func `JetBrains`() {
    check(
      .jetbrains,
      is: """
      @lazy := 1
      #<^^^^^^^^ target-unsupported: A definition with `:=`: JetBrains does not know it.
      # @ref login
      #<^^^^^^^^^^ target-unsupported: A tag: JetBrains does not know it.
      # @note Careful
      #<^^^^^^^^^^^^^ target-unsupported: A tag: JetBrains does not know it.
      # @timeout 30
      #          ^^ target-differs: A duration without a unit: JetBrains reads seconds.
      get https://a.test/{{%host}}{{$guid}}{{$uuid}}{{$timestamp}}{{$timestamp 1 d}}
      #<^ target-differs: A method in small letters: JetBrains reads it as part of the URL.
      #                  ^^^^^^^^^ target-unsupported: A percent-encoded reference: JetBrains does not know it.
      #                           ^^^^^^^^^ target-unsupported: `$guid`: JetBrains does not know it.
      #                                                           ^^^^^^^^^^^^^^^^^^ target-unsupported: `$timestamp` with arguments: JetBrains does not know it.
      Authorization: AWS a b
      #              ^^^^^^^ target-unsupported: AWS signatures: JetBrains does not know it.
      X: {{login.response.body.$.token}}{{1 + 1}}
      #  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ target-unsupported: A reference to another request: JetBrains does not know it.
      #                                 ^^^^^^^^^ target-unsupported: A JavaScript expression: JetBrains does not know it.

      <@ ./a.json
      #  ^^^^^^^^ target-unsupported: A file with references in it: JetBrains may send it as it is.
      < ./b.json
      # ^^^^^^^^ target-differs: A file that is sent as it is: JetBrains resolves the references in it.

      ?? status == 200
      #<^^^^^^^^^^^^^^ target-differs: A `??` assertion: JetBrains reads it as text of the body.
      """)
  }

  @Test func `REST Client`() {
    check(
      .restclient,
      is: """
      import ./other.http
      #<^^^^^^^^^^^^^^^^^ target-differs: An `import` line: REST Client reads it as a URL.
      run #login
      #<^^^^^^^^ target-differs: A `run` line: REST Client reads it as a URL.

      ###
      # @name two words
      #       ^^^^^^^^^ target-unsupported: A name with blanks: REST Client can't refer to it.
      # @timeout 30 s
      #<^^^^^^^^^^^^^ target-unsupported: A tag: REST Client does not know it.
      BREW https://a.test
      #<^^ target-differs: A method of your own: REST Client reads it as part of the URL.
        /path
      # ^^^^^ target-differs: A path on a line of its own: REST Client reads it as a header.
        ?a=1&
        b=2
      # ^^^ target-differs: A query that goes on without `?` or `&` at the start of the line: REST Client does not read the line as a part of the URL.
      X-A: 1
      X-A: 2
      #<^^^^ target-differs: A header that is repeated: REST Client sends the values in one line with a comma between.
      X-Long: one
      #<^^^^^^^^^ target-differs: A header value on several lines: REST Client reads the second line as another header. (goes on)
        two

      {"a": "{{$uuid}}{{$random.email}}{{$env.HOME}}"}
      #      ^^^^^^^^^ target-unsupported: `$uuid`: REST Client does not know it.
      #               ^^^^^^^^^^^^^^^^^ target-unsupported: `$random`: REST Client does not know it.
      #                                ^^^^^^^^^^^^^ target-unsupported: `$env`: REST Client does not know it.

      > {% client.log(1) %}
      #<^^^^^^^^^^^^^^^^^^^ target-unsupported: A response handler: REST Client does not know it.

      >> out.json
      #  ^^^^^^^^ target-unsupported: Saving the response to a file: REST Client does not know it.

      ###
      GRAPHQL https://a.test/ HTTP/2
      #<^^^^^ target-unsupported: The method `GRAPHQL`: REST Client does not know it.
      #                            ^ target-differs: A version of HTTP: REST Client ignores it.
      """)
  }

  @Test func `httpYac`() {
    check(
      .httpyac,
      is: """
      @empty =
      #<^^^^^^ target-unsupported: A definition without a value: httpYac does not know it.
      @quoted = "x"
      #<^^^^^^^^^^^ target-differs: A value in quotes: httpYac leaves out the first quote.
      # @name = spaced
      #         ^^^^^^ target-unsupported: A name behind `=`: httpYac ignores the name.
      # @timeout 30
      #          ^^ target-differs: A duration without a unit: httpYac reads milliseconds.
      # @delay 10
      #<^^^^^^^^^ target-unsupported: A tag: httpYac does not know it.
      # @curl-max-time 3
      #<^^^^^^^^^^^^^^^^ target-unsupported: A tag with an option of curl: httpYac does not know it.
      POST api.test/{{login.response.body.$.a}}
      #    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ target-unsupported: A URL without a scheme: httpYac sends nothing.
      #             ^^^^^^^^^^^^^^^^^^^^^^^^^^^ target-unsupported: A reference to another request: httpYac does not know it.
      X-Request-Type: GraphQL
      #<^^^^^^^^^^^^^^^^^^^^^ target-unsupported: The header `X-Request-Type`: httpYac sends it and does not build a GraphQL body.

      text
      @x = 1
      #<^^^^ target-differs: A definition in a body: httpYac takes the line out of the body.
      # @name in-body
      #<^^^^^^^^^^^^^ target-differs: A tag in a body: httpYac acts on it.
      GET https://b.test/
      #<^^^^^^^^^^^^^^^^^ target-differs: A line that looks like a request line in a body: httpYac begins a new request there.

      ###
      curl https://a.test/
      #<^^^^^^^^^^^^^^^^^^ target-differs: A `curl` command: httpYac reads it as a URL.
      """)
  }

  @Test func `kulala`() {
    check(
      .kulala,
      is: """
       ### indented
      #^^^ target-differs: An indented separator: kulala reads it as a comment.
      # @loop for 3
      #<^^^^^^^^^^^ target-unsupported: A tag: kulala does not know it.
      # @secret pin
      POST https://a.test/
      X-A: 1
      X-A: 2
      #<^^^^ target-differs: A header that is repeated: kulala sends the last alone.
      ...spread
      #<^^^^^^^ target-unsupported: A header spread: kulala does not know it.

      // comment
      #<^^^^^^^^ target-differs: A comment in a body: kulala sends it.
      < ./a.bin
      # ^^^^^^^ target-differs: A file that is sent as it is: kulala resolves the references in it.
      <@latin1 ./b.txt
      #        ^^^^^^^ target-unsupported: A file in an encoding: kulala does not know it.

      {{
      #<< target-differs: A script block between `{{` and `}}`: kulala reads it as text. (goes on)
        exports.a = 1
      }}
      """)
  }

  @Test func `rest.nvim`() {
    check(
      .restnvim,
      is: """
      import ./other.http
      #<^^^^^^^^^^^^^^^^^ target-differs: An `import` line: rest.nvim reads it as a URL.

      ### first
      # @prompt pin
      # @timeout 3 s
      #<^^^^^^^^^^^^ target-unsupported: A tag: rest.nvim does not know it.
      get https://a.test/{{$uuid}}/{{$date}}/{{$timestamp}}/{{$guid}}/{{$timestamp 1 d}}
      #<^ target-differs: A method in small letters: rest.nvim reads it as part of the URL.
      #                                                     ^^^^^^^^^ target-unsupported: `$guid`: rest.nvim does not know it.
      #                                                               ^^^^^^^^^^^^^^^^^^ target-unsupported: `$timestamp` with arguments: rest.nvim does not know it.
      Accept: a
      #<^^^^^^^ target-differs: A header value on several lines: rest.nvim reads the second line as another header. (goes on)
        b
      X: {{first.response.body.$.a}}
      #  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ target-unsupported: A reference to another request: rest.nvim does not know it.

      <@ ./a.json
      #  ^^^^^^^^ target-differs: A file with references in it: rest.nvim sends the file as it is.
      < ./b.json
      # ^^^^^^^^ target-differs: A file that is sent as it is: rest.nvim resolves the references in it.
      // comment
      #<^^^^^^^^ target-differs: A comment in a body: rest.nvim sends it.

      ?? status == 200
      #<^^^^^^^^^^^^^^ target-differs: A `??` assertion: rest.nvim reads it as text of the body.

      ###
      POST localhost:3000/x
      Content-Type: multipart/form-data; boundary=b
      #<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ target-unsupported: A body of several parts: rest.nvim does not know it.

      --b--
      """)
  }

  @Test func `Visual Studio`() {
    check(
      .visualstudio,
      is: """
      ### first
      GRAPHQL https://a.test/
      #<^^^^^ target-unsupported: The method `GRAPHQL`: Visual Studio does not know it.
        ?a=1
      # ^^^^ target-unsupported: A URL on several lines: Visual Studio reads the first line alone.
      X-A: {{$datetime iso8601}}{{$randomInt 1 9}}{{$processEnv HOME}}{{$dotenv A}}

      ###
      # @no-log
      #<^^^^^^^ target-unsupported: A tag: Visual Studio does not know it.
      POST localhost/x HTTP/3
      #    ^^^^^^^^^^^ target-unsupported: A URL without a scheme: Visual Studio sends nothing.
      X-A: {{first.response.body.$.a}}{{$uuid}}
      #    ^^^^^^^^^^^^^^^^^^^^^^^^^^^ target-unsupported: The title `first` as a name: Visual Studio does not know it. Add `# @name first`.
      #                               ^^^^^^^^^ target-unsupported: `$uuid`: Visual Studio does not know it.

      < ./b.json
      # ^^^^^^^^ target-unsupported: A file as a body: Visual Studio does not know it.

      > {% client.log(1) %}
      #<^^^^^^^^^^^^^^^^^^^ target-unsupported: A response handler: Visual Studio does not know it.

      >> out.json
      #  ^^^^^^^^ target-unsupported: Saving the response to a file: Visual Studio does not know it.
      """)
  }

  /// What every tool sends as PostKit does, one case each for a false alarm of the past.
  @Test(arguments: [
    // The version that is sent anyway.
    "GET https://a.test/ HTTP/1.1\n",
    // Several lines are one `Cookie` to all.
    "GET https://a.test/\nCookie: a=1\ncookie: b=2\nCookie: c=3\n",
    // What nobody can take for a URL without a scheme.
    "GET {{host}}/x\n", "GET /x\nHost: a.test\n",
  ])
  func `What is the same everywhere is no difference`(text: String) {
    for tool in TargetTool.allCases {
      #expect(Bench().analysis(text).portability(to: tool).map(\.message) == [], "\(tool)")
    }
  }

  @Test(arguments: [
    "GRPC localhost:8080/a.Service/Call\n", "MQTT broker.test/topic\n", "WS a.test/socket\n",
    "GET localhost:3000\n", "GET a.test\n",
  ])
  func `An address of another protocol, or of a host alone, is a URL to httpYac`(text: String) {
    #expect(Bench().analysis(text).portability(to: .httpyac).map(\.message) == [])
  }

  @Test func `A file without references is the same to those that resolve them`() {
    var bench = Bench()
    bench.files = ["./a.png", "./b.txt", "./c.txt"]
    bench.contents = ["./a.png": "\u{89}PNG\r\n{\0{", "./b.txt": "text", "./c.txt": "{{host}}"]
    let text = ["a.png", "b.txt", "c.txt", "gone.txt"]
      .map { "POST https://a.test/\n\n< ./\($0)\n\n###\n" }.joined()
    for tool in [TargetTool.jetbrains, .kulala, .restnvim] {
      let found = bench.analysis(text).portability(to: tool)
      #expect(found.map { String(text.dropFirst($0.range.lowerBound).prefix(7)) } == [
        "./c.txt", "./gone.",
      ])
    }
    #expect(bench.analysis(text).portability(to: .restclient) == [])
    #expect(bench.analysis(text).portability(to: .httpyac) == [])
  }

  @Test func `A title is a name where the tool reads it as one`() {
    let text = """
      ### list
      GET https://a.test/

      ### named
      # @name two
      GET https://a.test/

      ### three
      GET https://a.test/{{list.response.body.$.a}}/{{two.response.body.$.a}}
      """
    for tool in TargetTool.allCases {
      let titles = Bench().analysis(text).portability(to: tool).filter {
        $0.message.hasPrefix("The title")
      }
      let isRead = tool != .restclient && tool != .visualstudio
      #expect(titles.count == (isRead ? 0 : 1), "\(tool)")
      #expect(titles.allSatisfy { $0.message.contains("`list`") })
    }
  }

  @Test func `Markdown`() {
    let document = ParsedDocument(
      bytes: Array("# T\n\n```http\nGET https://a.test/\n```\n".utf8), format: .markdown)
    let analysis = Bench().analysis(of: document)
    #expect(analysis.portability(to: .jetbrains).map(\.code) == [.targetUnsupported])
    #expect(analysis.portability(to: .httpyac).isEmpty)
  }
}
