// Remarks that keep nothing from being sent, each with its exact place and sentence.

import PostKitEvaluate
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

struct AdviceTests {
  @Test func `Values with quotes and backslashes`() {
    checkDiagnostics(
      is: #"""
      @quoted = "a b"
      #         ^^^^^ hint quoted-value: The quotes are part of the value and are sent; httpYac drops the first. Remove them unless you mean them.
      @single = 'a'
      #         ^^^ hint quoted-value: The quotes are part of the value and are sent; httpYac drops the first. Remove them unless you mean them.
      @half = "a
      @escape = a\nb\\c
      @dropped = a\qb
      #           ^^ hint backslash-value: This backslash is part of the value, but REST Client drops it. Write `/` or no backslash if REST Client reads this file, too.
      @drive = C:\temp
      #          ^^ hint backslash-value: This backslash is part of the value, but REST Client drops it. Write `/` or no backslash if REST Client reads this file, too.
      @share = \\host\dir
      #        ^^ hint backslash-value: This backslash is part of the value, but REST Client drops it. Write `/` or no backslash if REST Client reads this file, too.
      @braces = \{\{x\}\}
      GET https://a.test/
      """#)
  }

  @Test func `Every backslash is a remark where the dialect keeps them all`() {
    var bench = Bench()
    bench.dialect = Dialect(.httpyac)
    checkDiagnostics(
      bench,
      is: #"""
      @escape = a\nb
      #          ^^ hint backslash-value: This backslash is part of the value, but REST Client drops it. Write `/` or no backslash if REST Client reads this file, too.
      GET https://a.test/
      """#)
    bench.dialect = Dialect(.restclient)
    checkDiagnostics(
      bench,
      is: #"""
      @dropped = a\qb
      GET https://a.test/
      """#)
  }

  @Test func `A dialect that there is not`() {
    checkDiagnostics(
      is: """
      # @dialect httpyak
      #<^^^^^^^^^^^^^^^^ hint metadata-unknown: Unknown dialect `httpyak` is ignored. Did you mean `httpyac`?
      GET https://a.test/

      ###
      # @dialect Kulala
      # @dialect mine
      #<^^^^^^^^^^^^^ hint metadata-unknown: Unknown dialect `mine` is ignored. Dialects: `auto`, `restclient`, `jetbrains`, `httpyac`, `kulala`, `restnvim`, `visualstudio`.
      GET https://a.test/
      """)
  }

  @Test func `Tags that nobody knows, and durations without a unit`() {
    checkDiagnostics(
      is: """
      # @nam login
      #<^^^^^^^^^^ hint metadata-unknown: Unknown tag `@nam` is ignored. Did you mean `@name`?
      # @nothing-like-it at all
      #<^^^^^^^^^^^^^^^^^^^^^^^ hint metadata-unknown: Unknown tag `@nothing-like-it` is ignored. Remove the `@` if the line is a comment.
      # @timeout 30
      #          ^^ information duration-unit: PostKit reads this as 30 s, JetBrains as seconds, httpYac as milliseconds. Write `30 s`.
      # @connection-timeout 3000
      #                     ^^^^ information duration-unit: PostKit reads this as 3 s, JetBrains as seconds, httpYac as milliseconds. Write `3 s`.
      # @timeout 30 ms
      GET https://a.test/
      """)
  }

  @Test func `The unit of a bare number is that of the dialect`() {
    var bench = Bench()
    bench.dialect = Dialect(.httpyac)
    checkDiagnostics(
      bench,
      is: """
      # @timeout 30
      #          ^^ information duration-unit: PostKit reads this as 30 ms, JetBrains as seconds, httpYac as milliseconds. Write `30 ms`.
      GET https://a.test/
      """)
  }

  @Test func `Names that tags define are known, and what is missing is told`() {
    var bench = Bench()
    bench.files = ["./note.txt"]
    checkDiagnostics(
      bench,
      is: """
      # @name login
      # @env-json-key TOKEN data["a b"].id
      # @env-header-key SESSION
      #<^^^^^^^^^^^^^^^^^^^^^^^ error syntax: Write a variable, then the name of a header of the response: `@env-header-key session X-Session`.
      # @kulala-file-contents-to-variable NOTE ./note.txt
      # @file-to-variable GONE ./gone.txt
      #  ^^^^^^^^^^^^^^^^ hint deprecated: kulala has renamed `@file-to-variable`. Write `@kulala-file-contents-to-variable`.
      #                        ^^^^^^^^^^ error file-not-found: File `./gone.txt` not found. PostKit looked beside the request file and in the root folder.
      POST https://a.test/

      {{NOTE}}

      ###
      GET https://a.test/{{TOKEN}}
      #                  ^^^^^^^^^ hint request-not-run: Request `login` has no response yet. Send `login` first.
      """)
  }

  @Test func `Shell commands are not run`() {
    checkDiagnostics(
      is: """
      # @stdin-cmd jq .
      #<^^^^^^^^^^^^^^^ warning commands-disabled: This version runs no shell commands and ignores `@stdin-cmd`.
      # @env-stdin-cmd TOKEN jq -r .token
      #<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning commands-disabled: This version runs no shell commands and ignores `@env-stdin-cmd`.
      GET https://a.test/
      """)
  }

  @Test func `Scripts in Lua, and scripts that are missing`() {
    var bench = Bench()
    bench.files = ["./here.lua", "./here.js"]
    checkDiagnostics(
      bench,
      is: """
      # @lang=lua
      < {%
      #<^^ warning script-language: PostKit does not run Lua; the script is ignored. Write it in JavaScript. (goes on)
        print("x")
      %}
      GET https://a.test/

      > ./here.lua
      #<^^^^^^^^^^ warning script-language: PostKit does not run Lua; the script is ignored. Write it in JavaScript.

      ###
      GET https://a.test/

      > ./here.js

      ###
      GET https://a.test/

      > {% lang=lua
      #<^^^^^^^^^^^ warning script-language: PostKit does not run Lua; the script is ignored. Write it in JavaScript. (goes on)
      %}

      ###
      GET https://a.test/

      > ./gone.js
      # ^^^^^^^^^ warning file-not-found: File `./gone.js` not found. PostKit looked beside the request file and in the root folder.
      """)
  }

  @Test func `A target without a scheme`() {
    checkDiagnostics(
      is: """
      GET api.test/x
      #   ^^^^^^^^ information scheme-assumed: The URL has no scheme. PostKit uses `http://`; REST Client and Visual Studio send nothing. Write the scheme.

      ###
      GET localhost:8443?a=http://b
      #   ^^^^^^^^^^^^^^ information scheme-assumed: The URL has no scheme. PostKit uses `https://`; REST Client and Visual Studio send nothing. Write the scheme.

      ###
      GET {{host}}/x

      ###
      GET api.{{user}}/x

      ###
      OPTIONS *
      Host: a.test

      ###
      GET /x
      Host: a.test
      """)
  }

  @Test func `Secrets that stand in the file`() {
    checkDiagnostics(
      is: """
      GET https://a.test/
      Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc
      #                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning secret-in-file: Everybody who gets this file can read this secret. Move it to `http-client.private.env.json` and write `{{name}}` here.

      ###
      GET https://a.test/
      Authorization: Bearer {{token}}

      ###
      GET https://a.test/
      Authorization: Bearer short

      ###
      GET https://a.test/
      Authorization: Basic ann hunter2
      #                        ^^^^^^^ warning secret-in-file: Everybody who gets this file can read this secret. Move it to `http-client.private.env.json` and write `{{name}}` here.

      ###
      GET https://a.test/
      Authorization: Basic ann:{{pin}}

      ###
      GET https://a.test/
      Proxy-Authorization: Basic YW5uOmh1bnRlcjI=
      #                          ^^^^^^^^^^^^^^^^ warning secret-in-file: Everybody who gets this file can read this secret. Move it to `http-client.private.env.json` and write `{{name}}` here.

      ###
      GET https://a.test/
      Authorization: Digest ann hunter2
      #                         ^^^^^^^ warning secret-in-file: Everybody who gets this file can read this secret. Move it to `http-client.private.env.json` and write `{{name}}` here.

      ###
      GET https://a.test/
      Authorization: Bearer <put the token here>
      """)
  }

  @Test func `Comment lines that are sent`() {
    checkDiagnostics(
      is: """
      POST https://a.test/
      Content-Type: text/plain

      first
      // second
      #<^^^^^^^ hint comment-in-body: PostKit sends this line; REST Client, JetBrains and httpYac may drop it. If it is a comment, move it above the request.
      # third

      ###
      POST https://a.test/
      Content-Type: application/json

      // left out
      {"a": 1}

      ###
      POST https://a.test/

      # sent
      #<^^^^ hint comment-in-body: PostKit sends this line; REST Client, JetBrains and httpYac may drop it. If it is a comment, move it above the request.
      text
      """)
  }

  @Test func `JSON that is none`() {
    checkDiagnostics(
      is: """
      POST https://a.test/
      Content-Type: application/json

      {"a": {{host}}, "b": "{{user}}", "c": [1, 2,]}
      #                                           ^ warning json-body: The body is not valid JSON: unexpected character. Correct it, or change its `Content-Type`.

      ###
      POST https://a.test/
      Content-Type: application/vnd.a+json

      {"a": {{user}}{{user}}, "b": -{{user}}.5}

      ###
      POST https://a.test/
      Content-Type: application/json

      {{{user}}, "members": "of a variable"}

      ###
      POST https://a.test/
      Content-Type: application/json

      {
        // left out
        "a": tru
      #      ^ warning json-body: The body is not valid JSON: only true, false and null need no quotes. Correct it, or change its `Content-Type`.
      }

      ###
      POST https://a.test/
      Content-Type: application/json

      {"a": 1
      #     ^ warning json-body: The body is not valid JSON: the text ends too early. Correct it, or change its `Content-Type`.
      """)
  }

  @Test func `Pairs of a form without an ampersand`() {
    checkDiagnostics(
      is: """
      POST https://a.test/
      Content-Type: application/x-www-form-urlencoded

      a=1&
      b=2
      c=3
      #<^ warning form-missing-ampersand: The line above has no `&` at its end, so both are sent as one pair. Add it there.
      &d=4
      text that goes on
      """)
  }

  @Test func `Included files`() {
    var bench = Bench()
    bench.files = ["./with.json", "./without.json", "./both.json"]
    bench.contents = ["./with.json": #"{"a": "{{unknown}} {{user}}"}"#]
    bench.ambiguous = ["./both.json"]
    checkDiagnostics(
      bench,
      is: """
      POST https://a.test/

      < ./with.json
      # ^^^^^^^^^^^ hint file-has-variables: The file contains references such as `{{user}}`, which `<` does not resolve. Write `<@` to resolve them.

      ###
      POST https://a.test/

      <@ ./with.json
      #  ^^^^^^^^^^^ warning unresolved-variable: `unknown` is not defined. Add `@unknown = …` here or put it in an environment file.

      ###
      # @injectVariables
      POST https://a.test/

      < ./with.json
      # ^^^^^^^^^^^ warning unresolved-variable: `unknown` is not defined. Add `@unknown = …` here or put it in an environment file.

      ###
      POST https://a.test/

      < ./both.json
      # ^^^^^^^^^^^ hint ambiguous-path: `./both.json` is beside this file and in the root folder. PostKit sends the one beside this file, REST Client the other. Write a path that matches one.
      """)
  }

  @Test func `The start of the file and its line ends`() {
    let marked = Bench().analysis("\u{FEFF}GET https://a.test/\n").diagnostics(limit: 9)
    #expect(marked.map(\.code) == [.byteOrderMark])
    #expect(marked.map(\.range) == [0..<3])
    let mixed = Bench().analysis("GET https://a.test/\nA: b\r\n\r\n").diagnostics(limit: 9)
    #expect(mixed.map(\.code) == [.mixedLineEnds])
    #expect(mixed.map(\.range) == [20..<24])
    #expect(
      mixed.map(\.message) == [
        "This line ends in CRLF, the lines above in LF. Save the file with one kind of line end."
      ])
    #expect(Bench().analysis("GET https://a.test/\r\nA: b\r\n").diagnostics(limit: 9).isEmpty)
  }

  @Test func `What other tools read otherwise is a hint`() {
    checkDiagnostics(
      is: """
      get https://a.test/
      #<^ hint differs-elsewhere: A method in small letters: JetBrains, httpYac, kulala and rest.nvim read it as part of the URL. Write it differently if they read the file, too.
      X-Long: one
      #<^^^^^^^^^ hint differs-elsewhere: A header value on several lines: REST Client, httpYac, kulala, rest.nvim and Visual Studio read the second line as another header. Write it differently if they read the file, too. (goes on)
        two

      GET https://b.test/
      #<^^^^^^^^^^^^^^^^^ hint differs-elsewhere: A request without a `###` line before it: JetBrains, REST Client, kulala, rest.nvim and Visual Studio read it as the body of the request above. Write it differently if they read the file, too.

      ###
      POST https://a.test/

      @x = 1
      #<^^^^ hint differs-elsewhere: A definition in a body: httpYac and kulala take the line out of the body. Write it differently if they read the file, too.
      text
      """)
  }

  @Test func `Lines that are one reference and mean more than a value`() {
    checkDiagnostics(
      is: #"""
      @line = POST https://a.test/\nX-A: 1
      @header = X-B: 1
      @url = https://a.test/
      {{line}}
      #<^^^^^^ hint differs-elsewhere: PostKit reads this value as a whole request line; JetBrains, httpYac and kulala read it as a URL. Write the method here.
      {{header}}
      #<^^^^^^^^ hint differs-elsewhere: A header line that is one reference: httpYac begins the body there. Write it differently if they read the file, too.

      ###
      {{url}}
      """#)
  }
}
