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
      #    ^^^^^^^^ error unresolved-variable: Nothing defines the variable `hots`. Did you mean `host`?
      X-A: {{nothing}}
      #    ^^^^^^^^^^^ error unresolved-variable: Nothing defines the variable `nothing`. Define it with `@nothing = value` or in an environment file.

      {"ü": "{{nothing}}", "user": "{{user}}"}
      #<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint content-type-missing: The body looks like JSON and is sent without a `Content-Type`: many servers refuse it, or take it for something else. Add `Content-Type: application/json`.
      #      ^^^^^^^^^^^ warning unresolved-variable: Nothing defines the variable `nothing`. Define it with `@nothing = value` or in an environment file.
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
      # ^^^^^^^^ warning unresolved-variable: Nothing defines the variable `kept`. Define it with `@kept = value` or in an environment file.
      --x--

      ###
      POST https://a.test/
      Content-Type: text/plain

      # {{kept}}
      #<^^^^^^^^ hint comment-in-body: This line is sent as part of the body. REST Client, JetBrains and httpYac may leave it out; put it above the request if it is a comment.
      # ^^^^^^^^ warning unresolved-variable: Nothing defines the variable `kept`. Define it with `@kept = value` or in an environment file.
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
      #<^^^^^ information protocol-unsupported: Scripts are kept but not run; they are not supported yet by this version of PostKit.
      @id = {{response.body.$.id}}

      ### sent
      GET https://a.test/{{login.response.body.$.token}}?{{id}}
      #<^ information body-on-get: HTTP gives the body of a GET request no meaning: servers may ignore it or refuse the request. Write `POST` if it is meant.
      #                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ information request-not-run: The request `login` has not been sent yet, so there is no response to read. Send `login` first.
      #                                                  ^^^^^^ information request-not-run: The request `login` has not been sent yet, so there is no response to read. Send `login` first.
      X-A: {{sent.response.body.$.b}}
      #    ^^^^^^^^^^^^^^^^^^^^^^^^^^ error unresolved-variable: `{{sent.response.body.$.b}}` finds nothing: nothing in the body is at `$.b`.
      X-B: {{sent.response.body.$.[}}
      #                           ^ error jsonpath-syntax: The JSONPath in `{{sent.response.body.$.[}}` can't be read: a name or * must follow.
      X-C: {{sent.response.body.$.a}}

      {{login.response.body.$.token}}{{sent.response.headers.X}}
      #<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ information request-not-run: The request `login` has not been sent yet, so there is no response to read. Send `login` first.
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
      #   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error syntax: `https://••••••:x/` is not a URL that can be sent to: the port is not a number up to 65535.
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
      #                  ^^^^^ error variable-cycle: `a` uses `b` uses `a`: the definitions go round in a circle. Give one of them a value of its own.
      X-A: {{break}}
      #<^^^^^^^^^^^^ error syntax: The value of the header `X-A` has a line break or a NUL byte in it, which no header can have. Take it out.
      X-B: {{$randomInt x}}
      #    ^^^^^^^^^^^^^^^^ error dynamic-arguments: `$randomInt` is written `$randomInt [min max]`.
      X-C: {{$uuidd}}
      #    ^^^^^^^^^^ error unresolved-variable: There is no dynamic variable `$uuidd`. Did you mean `$uuid`?
      X-C: {{$nothing}} {{$dotenv NOTHING}}
      #    ^^^^^^^^^^^^ error unresolved-variable: There is no dynamic variable `$nothing`. There are `$uuid`, `$timestamp`, `$randomInt` and others.
      #                 ^^^^^^^^^^^^^^^^^^^ error unresolved-variable: No `.env` file has `NOTHING`. Add the line `NOTHING=value` to one beside the request file or above it.
      X-D: {{1 + 1}}
      #    ^^^^^^^^^ information protocol-unsupported: `{{1 + 1}}` is a JavaScript expression, which is not supported yet by this version of PostKit.
      X-E: {{ }}
      #    ^^^^^ error syntax: There is nothing between the braces. Write a variable's name.
      Authorization: Basic ann
      #<^^^^^^^^^^^^^^^^^^^^^^ error credential-shape: The password is missing. Write `Basic user password` or `Basic user:password`.

      ###
      POST https://a.test/

      < ./missing.json
      # ^^^^^^^^^^^^^^ error file-not-found: There is no file `./missing.json`. Looked beside the request file and in the root folder.
      """#)
  }

  @Test func `Mistakes in targets`() {
    checkDiagnostics(
      is: """
      GET /a

      ###
      GET ftp://a.test/
      #   ^^^^^^^^^^^^^ error syntax: `ftp://a.test/` is not a URL that can be sent to: `ftp` is not a scheme that PostKit speaks; use http or https.

      ###
      GET https://a.test/{{us
      #                  ^^^^ error unclosed-variable: The reference has no end. Close it with `}}`.

      ###
      GET ws://a.test/
      #   ^^^^^^^^^^^^ information protocol-unsupported: The protocol `ws` is not supported yet by this version of PostKit.
      """)
  }

  @Test func `A target without a host`() {
    var bench = Bench()
    bench.environment = nil
    checkDiagnostics(
      bench,
      is: """
      GET /a
      #<^ information body-on-get: HTTP gives the body of a GET request no meaning: servers may ignore it or refuse the request. Write `POST` if it is meant.
      #   ^^ error syntax: The target begins with `/` but there is no `Host` header and no variable `host`. Write the whole URL or add a `Host` header.

      {{nothing}}
      #<^^^^^^^^^ warning unresolved-variable: Nothing defines the variable `nothing`. Define it with `@nothing = value` or in an environment file.

      ###
      GET
      #<^ error no-request-line: There is no request line here. Write a method and a URL, such as `GET https://example.com`.
      """)
  }

  @Test func `Metadata in a body`() {
    checkDiagnostics(
      is: """
      POST https://a.test/

      {
      #< hint content-type-missing: The body looks like JSON and is sent without a `Content-Type`: many servers refuse it, or take it for something else. Add `Content-Type: application/json`.
      # @name inside
      #<^^^^^^^^^^^^ warning metadata-in-body: Metadata inside a body has no effect. Move the line above the request line.
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
      #<^^^^^^^ error malformed-header: This line is neither a header (`Name: value`) nor the start of a body. Put a blank line before the body.
      {"a": 1}
      #<^^^^^^ warning missing-blank-line: The body begins without a blank line after the headers. Put one before it.
      GET https://b.test/
      #<^^^^^^^^^^^^^^^^^ warning missing-separator: This looks like a request line, but it is part of the body above. Put `###` before it.

       ### Indented
      #<^^ information indented-separator: Other tools read an indented `###` as a comment. Move it to the start of the line.
      BREW https://a.test/
      #<^^ information unknown-method: `BREW` is no registered method. It is sent as it is.

      # @name inside

      > {% %}
      #<^^^^^ information protocol-unsupported: Scripts are kept but not run; they are not supported yet by this version of PostKit.
      text
      #<^^ error text-after-handler: There is text after the response handler. Move it above, or begin a new request with `###`.
      ?? what
      #<^^^^^ error assertion-syntax: This is not an assertion. Write `?? status == 200`, for example.

      ### only a name
      # @name none
      #<^^^^^^^^^^ warning no-request-line: There is no request line here. Write a method and a URL, such as `GET https://example.com`.

      ###
      < {%
      #<^^ error syntax: The script has no end. Close it with `%}`.
      """)
  }

  @Test func `A definition that nothing uses is looked at, too`() {
    checkDiagnostics(
      is: """
      @a = {{nothing}}
      #    ^^^^^^^^^^^ warning unresolved-variable: Nothing defines the variable `nothing`. Define it with `@nothing = value` or in an environment file.
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
      #       ^^^ warning duplicate-name: The name `one` is taken by the request on line 2. References to it read whichever was sent last; give one of them another name.
      GET https://a.test/

      ### one
      #   ^^^ warning duplicate-name: The name `one` is taken by the request on line 2. References to it read whichever was sent last; give one of them another name.
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
      #    ^^^^^^^^^ error unresolved-variable: Nothing defines the variable `other`. Define it with `@other = value` or in an environment file.

      ###
      GET https://a.test/{{word}}
      #                  ^^^^^^^^ error unresolved-variable: Nothing defines the variable `word`. Define it with `@word = value` or in an environment file.
      """)
  }

  @Test func `What a later version brings is information`() {
    checkDiagnostics(
      is: """
      # @loop while true
      #<^^^^^^^^^^^^^^^^ information protocol-unsupported: A JavaScript expression in `@loop` is not supported yet by this version of PostKit.
      GET https://a.test/
      ...common
      #<^^^^^^^ information protocol-unsupported: Header spreads (`...name`) need JavaScript, which is not supported yet by this version of PostKit.

      ?? status == 200
      ?? xpath //id == 3
      ?? js response.status + 1 == 201
      #     ^^^^^^^^^^^^^^^^^^^ information protocol-unsupported: `response.status + 1` needs JavaScript; the check counts as failed, because that is not supported yet by this version of PostKit.
      ?? body Contains a
      #       ^^^^^^^^ information assertion-syntax: `Contains` is read as `contains`; httpYac would check nothing. Write `contains`.
      """)
  }

  @Test func `A broken environment file is a warning at the start, and more than the limit is said`() {
    var bench = Bench()
    bench.sources = [(.publicFile, "{\n  \"dev\": {,}\n}")]
    checkDiagnostics(
      bench, limit: 3,
      is: """
      GET https://a.test/{{a}}{{b}}{{c}}
      #| error usage: There is no environment `dev`. No environment file defines any; write one into `http-client.env.json`.
      #| warning environment-file: /project/publicFile.json:2 is not valid JSON and is skipped: this character can't stand here.
      #| information too-many: There is more to say about this file than these 3 problems.
      #                  ^^^^^ error unresolved-variable: Nothing defines the variable `a`. Define it with `@a = value` or in an environment file.
      """)
  }

  @Test func `No sentence quotes a secret`() {
    let analysis = Bench().analysis(
      "GET https://{{pin}} {{token}}:x/\n\n###\nPOST https://a.test/\n\n< ./{{pin}}/{{token}}")
    let found = analysis.diagnostics(limit: 10)
    #expect(found.map(\.code).sorted() == ["file-not-found", "syntax", "url-encoding"])
    for diagnostic in found {
      let message = diagnostic.message
      #expect(!message.contains("4711") && !message.contains("s3cr3t"), "\(message)")
      #expect(message.contains(SecretMask.text) || diagnostic.code == "url-encoding")
    }
  }
}
