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
    CaretAnnotation($0.range, "\($0.code): \($0.message)")
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
      #<^ target-differs: A method in small letters: JetBrains takes it for a part of the URL.
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
      #<^^^^^^^^^^^^^^ target-differs: A `??` assertion: JetBrains takes it for text of the body.
      """)
  }

  @Test func `REST Client`() {
    check(
      .restclient,
      is: """
      import ./other.http
      #<^^^^^^^^^^^^^^^^^ target-differs: An `import` line: REST Client takes it for a URL.
      run #login
      #<^^^^^^^^ target-differs: A `run` line: REST Client takes it for a URL.

      ###
      # @name two words
      #       ^^^^^^^^^ target-unsupported: A name with blanks: REST Client can't refer to it.
      # @timeout 30 s
      #<^^^^^^^^^^^^^ target-unsupported: A tag: REST Client does not know it.
      BREW https://a.test
      #<^^ target-differs: A method of your own: REST Client takes it for a part of the URL.
        /path
      # ^^^^^ target-differs: A path on a line of its own: REST Client takes it for a header.
        ?a=1&
        b=2
      # ^^^ target-differs: A query that goes on without `?` or `&` at the start of the line: REST Client does not read the line as a part of the URL.
      X-A: 1
      X-A: 2
      #<^^^^ target-differs: A header that is repeated: REST Client sends the values in one line with a comma between.
      X-Long: one
      #<^^^^^^^^^ target-differs: A header value on several lines: REST Client takes the second line for another header. (goes on)
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
      #         ^^^^^^ target-unsupported: A name behind `=`: httpYac does not take the name.
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
      #<^^^^^^^^^^^^^^^^^^ target-differs: A `curl` command: httpYac takes it for a URL.
      """)
  }

  @Test func `kulala`() {
    check(
      .kulala,
      is: """
       ### indented
      #^^^ target-differs: An indented separator: kulala takes it for a comment.
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
      #<< target-differs: A script block between `{{` and `}}`: kulala takes it for text. (goes on)
        exports.a = 1
      }}
      """)
  }

  @Test func `Markdown`() {
    let document = ParsedDocument(
      bytes: Array("# T\n\n```http\nGET https://a.test/\n```\n".utf8), format: .markdown)
    let analysis = Bench().analysis(of: document)
    #expect(analysis.portability(to: .jetbrains).map(\.code) == ["target-unsupported"])
    #expect(analysis.portability(to: .httpyac).isEmpty)
  }
}
