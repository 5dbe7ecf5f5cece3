// Hovers at a caret in marked text: the sentence, and the range it is about.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitTestSupport
import Testing

/// Compares the hover at the caret with its Markdown; what it is about stands between ⏩ and ⏪.
func checkHover(
  _ marked: String, bench: Bench = Bench(), others: [String] = [], body: String? = nil,
  answer: AnsweredRequest? = nil, is expected: String, file: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = MarkedText(marked)
  let hover = bench.analysis(text.bytes).hover(
    at: text.offset(), environments: { others.map(bench.environments) }, lastBody: { _ in body },
    lastAnswer: { _ in answer })
  expect(
    hover?.markdown ?? "nothing", is: expected, file: file, sourceLocation: sourceLocation)
  #expect(hover?.range == text.selections.first, sourceLocation: sourceLocation)
}

struct HoverTests {
  @Test func `Bytes that are no UTF-8 show as one sign`() {
    let text = "@x = caf\u{1}\nGET https://a.test/{{x}}"
    let analysis = Bench().analysis(text.utf8.map { $0 == 1 ? 0xE9 : $0 })
    let hover = analysis.hover(at: text.utf8.count - 3)
    expect(hover?.markdown ?? "nothing", is: "`x` = `caf\u{FFFD}`\n\nfrom this file, line 1")
  }

  @Test func `A name of a tag shows its file, or the request to be sent first`() {
    let tags = "# @file-to-variable note ./n.txt\n# @env-json-key id a.b\n# @name ask\n"
    checkHover(
      tags + "GET /⏩{{no1️⃣te}}⏪",
      is: """
        `note` = the content of `./n.txt`

        from this file, line 1
        """)
    checkHover(
      tags + "GET /\n\n###\nGET /⏩{{i1️⃣d}}⏪",
      is: "Request `ask` has no response yet. Send `ask` first.")
  }

  @Test func `A variable shows its value, its place and what it covers`() {
    checkHover(
      "GET ⏩{{us1️⃣er}}⏪/",
      is: """
        `user` = `ann`

        from the environment `dev`, publicFile.json, line 3
        """)
    checkHover(
      "@user = bob-{{tenant}}\n@user = eve\nGET /\n\n###\n@user = zoe\nGET /⏩{{ 1️⃣user }}⏪",
      is: """
        `user` = `zoe`

        from this file, line 6

        covers `ann` from the environment `dev`, publicFile.json, line 3
        """)
    checkHover(
      "@⏩us1️⃣er⏪ = bob\n\nGET /",
      is: """
        `user` = `bob`

        from this file, line 1

        covers `ann` from the environment `dev`, publicFile.json, line 3
        """)
    checkHover("GET /⏩{{1️⃣uesr}}⏪", is: "`uesr` is not defined. Did you mean `user`?")
    checkHover(
      "@a = {{b}}\n@b = {{a}}\nGET /⏩{{1️⃣a}}⏪",
      is: """
      `a` = `{{b}}`

      These definitions use each other: `b` uses `a` uses `b`. Give one of them a value of its own.

      from this file, line 1
      """)
    checkHover(
      "# @prompt who\nGET /⏩{{1️⃣who}}⏪", is: "PostKit asks for `who` before it sends the request.")
    checkHover(
      "GET /⏩{{1️⃣id}}⏪\n\n### a\nGET /\n\n> {% %}\n@id = 1",
      is: "Request `a` has no response yet. Send `a` first.")
  }

  @Test func `A secret is never shown, not within another value either`() {
    checkHover(
      "GET /⏩{{1️⃣token}}⏪",
      is: """
        `token` = `••••••`

        from the private environment `dev`, privateFile.json, line 1
        """)
    checkHover(
      "@a = x-{{pin}}-{{token}}\nGET /⏩{{1️⃣a}}⏪",
      is: """
        `a` = `x-••••••-••••••` (written `x-{{pin}}-{{token}}`)

        from this file, line 1
        """)
    checkHover(
      "@a = s3cr3t-value\nGET /⏩{{1️⃣a}}⏪",
      is: """
        `a` = `••••••`

        from this file, line 1
        """)
    checkHover(
      "@a = {{$processEnv API_KEY}}\nGET /⏩{{1️⃣a}}⏪",
      is: """
        `a` = `••••••` (written `{{$processEnv API_KEY}}`)

        from this file, line 1
        """)
    checkHover("⏩G https://a1️⃣.test/{{pin}}?q={{token}}⏪", is: "`G https://a.test/••••••?q=••••••`")
    checkHover("⏩GET https://ann:1️⃣pw@a.test/{{pin}}⏪", is: "`GET https://a.test/••••••`")
  }

  @Test func `A variable shows what it is in the other environments`() {
    var bench = Bench()
    bench.sources[0].1 = """
      {"dev": {"host": "https://dev.test"}, "prod": {"host": "https://{{zone}}.test", "zone": "eu"},
       "test": {"zone": "x"}}
      """
    bench.sources[1].1 = #"{"prod": {"pin": "4711-prod"}}"#
    let others = ["prod", "test"]
    checkHover(
      "GET ⏩{{ho1️⃣st}}⏪/", bench: bench, others: others,
      is: """
        `host` = `https://dev.test`

        from the environment `dev`, publicFile.json, line 1

        In other environments:

        - `prod`: `https://eu.test` (written `https://{{zone}}.test`)
        - `test`: not defined
        """)
    checkHover(
      "GET /⏩{{pi1️⃣n}}⏪", bench: bench, others: others,
      is: """
        `pin` is not defined.

        In other environments:

        - `prod`: `••••••`
        - `test`: not defined
        """)
    // One that is the same for all, or nobody's, has nothing to compare.
    checkHover(
      "@a = 1\nGET /⏩{{1️⃣a}}⏪", bench: bench, others: others,
      is: """
        `a` = `1`

        from this file, line 1
        """)
  }

  @Test func `Samples of dynamic variables show nothing that is read`() {
    checkHover(
      "GET /⏩{{$times1️⃣tamp}}⏪",
      is: """
      `$timestamp [offset unit]`

      Seconds since 1970 in UTC.

      Example: `1770271628`.
      """)
    checkHover(
      "GET /⏩{{$processEnv HO1️⃣ME}}⏪",
      is: """
        `$processEnv NAME`

        A variable of the process environment; empty where it is not set.
        """)
  }

  @Test func `The last result of a request comes with the beginning of its body`() {
    var bench = Bench()
    bench.results = [Results.ok]
    let body = (1...12).map { "line \($0)" }.joined(separator: "\n")
    checkHover(
      "# @name ok\n⏩GET /1️⃣⏪", bench: bench, body: body,
      is: """
        `GET https://dev.test/`

        Last result: 200 OK  182 ms  4.1 kB

        ```
        \((1...10).map { "line \($0)" }.joined(separator: "\n"))
        …
        ```
        """)
    checkHover(
      "# @name ok\nGET /\n\n###\n# @ref ⏩o1️⃣k⏪\nGET /b", bench: bench, body: "{}",
      is: """
        `GET /`

        Last result: 200 OK  182 ms  4.1 kB

        ```
        {}
        ```
        """)
    checkHover(
      "### a\nGET /\n\n###\n# @ref ⏩1️⃣a⏪\nGET /b",
      is: """
        `GET /`

        Not sent yet.
        """)
    checkHover("# @ref ⏩1️⃣b⏪\nGET /b", is: "Request `b` not found.")
  }

  @Test func `Dynamic variables, headers, methods, tags`() {
    checkHover(
      "GET /⏩{{$rand1️⃣omInt 1 2}}⏪",
      is: """
      `$randomInt [min max]`

      A random integer from min up to, but not including, max; 0 to 999 without them.

      Example: `1`.
      """)
    checkHover(
      "GET /⏩{{$env.HOME1️⃣}}⏪",
      is: """
        `$processEnv NAME`

        A variable of the process environment; empty where it is not set.
        """)
    checkHover(
      "GET /\r\n⏩Content-1️⃣Type⏪: a/b",
      is: """
        **Content-Type**: The media type of the body.

        RFC 9110, section 8.3
        """)
    checkHover("GET /\n⏩X-Ow1️⃣n: a/b⏪", is: "`X-Own: a/b`")
    checkHover(
      "⏩pa1️⃣tch⏪ /",
      is: """
      **PATCH**: Changes a part of the resource. Neither safe nor idempotent.

      RFC 5789
      """)
    checkHover(
      "# @⏩no-red1️⃣irect⏪\nGET /",
      is: """
        `@no-redirect`

        Does not follow redirects.
        """)
    checkHover(
      "# @⏩time1️⃣out⏪ 5 s\nGET /",
      is: """
        `@timeout NUMBER UNIT`

        Limits the time of the whole request, such as `30 s`.
        """)
    checkHover(
      "GET /⏩{{ 1️⃣1+1 }}⏪",
      is: """
        `1+1` is a JavaScript expression. PostKit evaluates it when the request is sent.
        """)
    checkHover("1️⃣", is: "nothing")
  }

  @Test func `A request line shows the URL that is sent, and the last result`() {
    var bench = Bench()
    bench.results = [Results.ok]
    checkHover(
      "# @name ok\nGET ⏩1️⃣{{host}}⏪/a b", bench: bench,
      is: """
        `host` = `https://dev.test`

        from the environment `dev`, publicFile.json, line 3
        """)
    checkHover(
      "# @name ok\n⏩GET {{host}}/a1️⃣ b⏪", bench: bench,
      is: """
        `GET https://dev.test/a%20b`

        Last result: 200 OK  182 ms  4.1 kB
        """)
    checkHover("⏩GET /a1️⃣⏪", bench: bench, is: "`GET https://dev.test/a`")
  }

  @Test func `A part of an answer`() {
    var bench = Bench()
    bench.exchanges["login"] = Bench.exchange(
      #"{"id": 7, "key": "s3cr3t-value", "pin": "4711"}"#, headers: ["X-A": "1"])
    let login = "### login\nPOST https://a.test/\n\n### b\nGET /"
    checkHover(
      login + "⏩{{login.1️⃣response.body.$.id}}⏪", bench: bench,
      is: """
        `7`

        from the latest response of `login`
        """)
    checkHover(
      login + "⏩{{login.1️⃣response.body.$.key}}⏪", bench: bench,
      is: """
        `••••••`

        from the latest response of `login`
        """)
    checkHover(
      login + "⏩{{login.1️⃣response.body.$.pin}}⏪", bench: bench,
      is: """
        `••••••`

        from the latest response of `login`
        """)
    bench.exchangeSecrets = ["of-a-prompt"]
    bench.exchanges["login"] = Bench.exchange(#"{"a": "of-a-prompt"}"#, headers: [:])
    bench.shownExchanges["login"] = Bench.exchange(#"{"a": "••••••"}"#, headers: [:])
    checkHover(
      login + "⏩{{login.1️⃣response.body.$.a}}⏪", bench: bench,
      is: """
        `••••••`

        from the latest response of `login`
        """)
    checkHover(
      "### login\nPOST https://a.test/\n\n### b\n⏩GET 1️⃣http://a/{{login.response.body.$.a}}⏪",
      bench: bench, is: "`GET http://a/••••••`")
    checkHover(
      login + "⏩{{login.1️⃣response.body.$.none}}⏪", bench: bench,
      is: """
        `{{login.response.body.$.none}}` finds nothing: `$.none` matches nothing in the body.
        """)
    checkHover(
      login + "⏩{{login.1️⃣response.body.$.id}}⏪",
      is: "Request `login` has no response yet. Send `login` first.")
  }
}

/// Results of requests.
enum Results {
  static let ok = LastResult(
    id: "id-1", requestName: "ok", line: 3, method: "GET", url: "https://dev.test/a",
    status: "200 OK", isFailure: false, milliseconds: 182, size: 4_100, startedAt: 0)
  static let refused = LastResult(
    id: "id-2", requestName: nil, line: 1, method: "GET", url: "https://dev.test/",
    status: "failed: connection refused", isFailure: true, milliseconds: 2, size: 0, startedAt: 0)
}
