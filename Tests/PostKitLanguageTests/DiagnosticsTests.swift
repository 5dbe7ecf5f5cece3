// Diagnostics drawn under the text that they are about.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

struct DiagnosticsTests {
  @Test func `An unresolved reference is an error in URL and headers, a warning in the body`() {
    checkDiagnostics(
      is: """
      POST {{hots}}/a
      #    ^^^^^^^^ error unresolved-variable: `hots` is not defined. Did you mean `host`?
      X-A: {{nothing}}
      #    ^^^^^^^^^^^ error unresolved-variable: `nothing` is not defined. Add `@nothing = …` here or put it in an environment file.

      {"ü": "{{nothing}}", "user": "{{user}}"}
      #<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint content-type-missing: The body looks like JSON but has no `Content-Type`: many servers refuse or misread it. Add `Content-Type: application/json`.
      #      ^^^^^^^^^^^ warning unresolved-variable: `nothing` is not defined. Add `@nothing = …` here or put it in an environment file.
      """)
  }

  @Test func `References in comments that are not sent are not looked at`() {
    checkDiagnostics(
      is: """
      # {{nothing}}
      POST https://a.test/
      # {{nothing}}
      Content-Type: application/json

      // {{nothing}}
      {
        # {{nothing}}
      }

      ###
      POST https://a.test/
      Content-Type: multipart/form-data; boundary=x

      # {{nothing}}
      --x

      # {{kept}}
      # ^^^^^^^^ warning unresolved-variable: `kept` is not defined. Add `@kept = …` here or put it in an environment file.
      --x--

      ###
      POST https://a.test/
      Content-Type: text/plain

      # {{kept}}
      #<^^^^^^^^ hint comment-in-body: PostKit sends this line; REST Client, JetBrains and httpYac may drop it. If it is a comment, move it above the request.
      # ^^^^^^^^ warning unresolved-variable: `kept` is not defined. Add `@kept = …` here or put it in an environment file.
      """)
  }

  @Test func `A request that was not sent is information, a part that is missing is not`() {
    var bench = Bench()
    bench.exchanges["sent"] = Bench.exchange(
      #"{"a": 1}"#, headers: ["Content-Type": "application/json"])
    checkDiagnostics(
      bench,
      is: """
      ### login
      GET https://a.test/

      > {% %}
      @id = {{response.body.$.id}}

      ### sent
      GET https://a.test/{{login.response.body.$.token}}?{{id}}
      #<^ information body-on-get: Servers may ignore the body of a GET request, or refuse the request. Write `POST` if you mean it.
      #                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint request-not-run: Request `login` has no response yet. Send `login` first.
      X-A: {{sent.response.body.$.b}}
      #    ^^^^^^^^^^^^^^^^^^^^^^^^^^ error unresolved-variable: `{{sent.response.body.$.b}}` finds nothing: `$.b` matches nothing in the body.
      X-B: {{sent.response.body.$.[}}
      #                           ^ error jsonpath-syntax: Invalid JSONPath in `{{sent.response.body.$.[}}`: expected a name or `*`.
      X-C: {{sent.response.body.$.a}}

      {{login.response.body.$.token}}{{sent.response.headers.X}}
      #                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning unresolved-variable: `{{sent.response.headers.X}}` finds nothing: there is no header `X`.
      """)
  }

  @Test func `What an earlier response says is judged as it is and quoted masked`() {
    var bench = Bench()
    let type: HeaderFields = ["Content-Type": "application/json"]
    bench.exchanges["a"] = Bench.exchange(
      #"{"good": "hush-hush.test", "bad": "hush-hush:x"}"#, headers: type)
    bench.shownExchanges["a"] = Bench.exchange(
      #"{"good": "••••••.test", "bad": "••••••:x"}"#, headers: type)
    bench.exchangeSecrets = ["hush-hush"]
    checkDiagnostics(
      bench,
      is: """
      ### a
      GET https://a.test/

      ### b
      GET https://{{a.response.body.$.good}}/

      ### c
      GET https://{{a.response.body.$.bad}}/
      #   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error syntax: Invalid URL `https://••••••:x/`: the port is not a number up to 65535.
      """)
  }

  @Test func `Mistakes in values`() {
    checkDiagnostics(
      is: #"""
      @a = {{b}}
      @b = {{a}}
      @break = x\ny
      # @timeout soon
      #<^^^^^^^^^^^^^ error syntax: `soon` is not a duration. Write a number with a unit, such as `30 s` or `500 ms`.
      GET https://a.test/{{a}}
      #                  ^^^^^ error variable-cycle: These definitions use each other: `a` uses `b` uses `a`. Give one of them a value of its own.
      X-A: {{break}}
      #<^^^^^^^^^^^^ error syntax: The value of header `X-A` contains a line break or a NUL byte. Remove it.
      X-B: {{$randomInt x}}
      #    ^^^^^^^^^^^^^^^^ error dynamic-arguments: `$randomInt` has wrong arguments. Write `$randomInt [min max]`.
      X-C: {{$uuidd}}
      #    ^^^^^^^^^^ error unresolved-variable: `$uuidd` is not a dynamic variable. Did you mean `$uuid`?
      X-C: {{$nothing}} {{$dotenv NOTHING}}
      #    ^^^^^^^^^^^^ error unresolved-variable: `$nothing` is not a dynamic variable. Examples are `$uuid`, `$timestamp` and `$randomInt`.
      #                 ^^^^^^^^^^^^^^^^^^^ error unresolved-variable: `NOTHING` is not defined in a `.env` file. Add `NOTHING=…` to one beside the request file or above it.
      X-D: {{1 + 1}}
      X-E: {{ }}
      #    ^^^^^ error syntax: The braces are empty. Write the name of a variable.
      Authorization: Basic ann
      #<^^^^^^^^^^^^^^^^^^^^^^ error credential-shape: The password is missing. Write `Basic user password` or `Basic user:password`.

      ###
      POST https://a.test/

      < ./missing.json
      # ^^^^^^^^^^^^^^ error file-not-found: File `./missing.json` not found. PostKit looked beside the request file and in the root folder.
      """#)
  }

  @Test func `Mistakes in targets`() {
    checkDiagnostics(
      is: """
      GET /a

      ###
      GET ftp://a.test/
      #   ^^^^^^^^^^^^^ error syntax: Invalid URL `ftp://a.test/`: `ftp` is not a scheme that PostKit speaks; use http or https.

      ###
      GET https://a.test/{{us
      #                  ^^^^ error unclosed-variable: This reference is not closed. Add `}}`.

      ###
      GET ws://a.test/
      #   ^^^^^^^^^^^^ information protocol-unsupported: This version does not speak the protocol `ws`.
      """)
  }

  @Test func `A target without a host`() {
    var bench = Bench()
    bench.environment = nil
    checkDiagnostics(
      bench,
      is: """
      GET /a
      #<^ information body-on-get: Servers may ignore the body of a GET request, or refuse the request. Write `POST` if you mean it.
      #   ^^ error syntax: The target begins with `/`, but the host is not defined. Write the whole URL or add a `Host` header.

      {{nothing}}
      #<^^^^^^^^^ warning unresolved-variable: `nothing` is not defined. Add `@nothing = …` here or put it in an environment file.

      ###
      GET
      #<^ error no-request-line: The request line is missing. Write a method and a URL, such as `GET https://example.com`.
      """)
  }

  @Test func `Metadata in a body`() {
    checkDiagnostics(
      is: """
      POST https://a.test/

      {
      #< hint content-type-missing: The body looks like JSON but has no `Content-Type`: many servers refuse or misread it. Add `Content-Type: application/json`.
      # @name inside
      #<^^^^^^^^^^^^ warning metadata-in-body: A tag inside a body has no effect. Move the line above the request line.
      }
      """)
  }

  @Test func `Mistakes of form`() {
    checkDiagnostics(
      is: """
      @name
      #<^^^ error variable-syntax: This is not a definition. Write `@name = value`.
      POST https://a.test/
      no header
      #<^^^^^^^ error malformed-header: This line is neither a header (`Name: value`) nor the start of a body. Add a blank line before the body.
      {"a": 1}
      #<^^^^^^ warning missing-blank-line: The body follows the headers without a blank line. Add one before it.
      GET https://b.test/
      #<^^^^^^^^^^^^^^^^^ warning missing-separator: This looks like a request line but belongs to the body above. Add `###` before it.

       ### Indented
      #<^^ information indented-separator: Other tools read an indented `###` as a comment. Move it to the start of the line.
      BREW https://a.test/
      #<^^ information unknown-method: Unknown method `BREW` is sent as written. Check its spelling.

      # @name inside

      > {% %}
      text
      #<^^ error text-after-handler: This text follows the response handler. Move it above the handler, or start a new request with `###`.
      ?? what
      #<^^^^^ error assertion-syntax: This is not a check. Write, for example, `?? status == 200`.

      ### only a name
      # @name none
      #<^^^^^^^^^^ warning no-request-line: The request line is missing. Write a method and a URL, such as `GET https://example.com`.

      ###
      < {%
      #<^^ error syntax: This script is not closed. Add `%}`.
      """)
  }

  @Test func `A definition that nothing uses is looked at, too`() {
    checkDiagnostics(
      is: """
      @a = {{nothing}}
      #    ^^^^^^^^^^^ warning unresolved-variable: `nothing` is not defined. Add `@nothing = …` here or put it in an environment file.
      @b = {{user}}
      """)
  }

  @Test func `Two requests of a name`() {
    checkDiagnostics(
      is: """
      ### one
      GET https://a.test/

      ### two
      # @name one
      #       ^^^ warning duplicate-name: The request on line 2 is already called `one`. References read the one sent last. Rename one of them.
      GET https://a.test/

      ### one
      #   ^^^ warning duplicate-name: The request on line 2 is already called `one`. References read the one sent last. Rename one of them.
      GET https://a.test/
      """)
  }

  @Test func `Names that are asked for have a value`() {
    checkDiagnostics(
      is: """
      # @prompt scheme
      # @secret word The word
      GET {{scheme}}/{{word}}
      X-A: {{other}}
      #    ^^^^^^^^^ error unresolved-variable: `other` is not defined. Add `@other = …` here or put it in an environment file.

      ###
      GET https://a.test/{{word}}
      #                  ^^^^^^^^ error unresolved-variable: `word` is not defined. Add `@word = …` here or put it in an environment file.
      """)
  }

  @Test func `What a later version brings is information`() {
    checkDiagnostics(
      is: """
      # @loop while true
      GET https://a.test/
      ...common
      #<^^^^^^^ information protocol-unsupported: This version does not support header spreads (`...name`).

      ?? status == 200
      ?? xpath //id == 3
      ?? js response.status + 1 == 201
      ?? body Contains a
      #       ^^^^^^^^ information assertion-syntax: PostKit reads `Contains` as `contains`, but httpYac would check nothing. Write `contains`.
      """)
  }

  @Test func `A broken environment file is a warning at the start, and more than the limit is said`() {
    var bench = Bench()
    bench.sources = [(.publicFile, "{\n  \"dev\": {,}\n}")]
    checkDiagnostics(
      bench, limit: 3,
      is: """
      GET https://a.test/{{a}}{{b}}{{c}}
      #| error usage: Environment `dev` is not defined. Add it to `http-client.env.json`.
      #| warning environment-file: /project/publicFile.json:2 is not valid JSON, so the file is ignored: unexpected character.
      #| information too-many: PostKit shows the first 3 problems of this file. Fix these first.
      #                  ^^^^^ error unresolved-variable: `a` is not defined. Add `@a = …` here or put it in an environment file.
      """)
  }

  @Test func `No sentence quotes a secret`() {
    let analysis = Bench().analysis(
      "GET https://{{pin}} {{token}}:x/\n\n###\nPOST https://a.test/\n\n< ./{{pin}}/{{token}}")
    let found = analysis.diagnostics(limit: 10)
    #expect(found.map(\.code.rawValue).sorted() == ["file-not-found", "syntax", "url-encoding"])
    for diagnostic in found {
      let message = diagnostic.message
      #expect(!message.contains("4711") && !message.contains("s3cr3t"), "\(message)")
      #expect(message.contains(SecretMask.text) || diagnostic.code == .urlEncoding)
    }
  }
}
