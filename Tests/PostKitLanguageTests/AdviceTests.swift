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
      #         ^^^^^ hint quoted-value: The quotes are part of the value and are sent; httpYac leaves out the first. Take them away unless they are meant.
      @single = 'a'
      #         ^^^ hint quoted-value: The quotes are part of the value and are sent; httpYac leaves out the first. Take them away unless they are meant.
      @half = "a
      @escape = a\nb\\c
      @dropped = a\qb
      #           ^^ hint backslash-value: This backslash is part of the value. REST Client reads it as the start of an escape and leaves it out; write `/` or no backslash if it is to read the file, too.
      @drive = C:\temp
      #          ^^ hint backslash-value: This backslash is part of the value. REST Client reads it as the start of an escape and leaves it out; write `/` or no backslash if it is to read the file, too.
      @share = \\host\dir
      #        ^^ hint backslash-value: This backslash is part of the value. REST Client reads it as the start of an escape and leaves it out; write `/` or no backslash if it is to read the file, too.
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
      #          ^^ hint backslash-value: This backslash is part of the value. REST Client reads it as the start of an escape and leaves it out; write `/` or no backslash if it is to read the file, too.
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
        #<^^^^^^^^^^^^^^^^ hint metadata-unknown: There is no dialect `httpyak`; the tag has no effect. Did you mean `httpyac`?
        GET https://a.test/

        ###
        # @dialect Kulala
        # @dialect mine
        #<^^^^^^^^^^^^^ hint metadata-unknown: There is no dialect `mine`; the tag has no effect. There are `auto`, `restclient`, `jetbrains`, `httpyac`, `kulala`, `restnvim`, `visualstudio`.
        GET https://a.test/
        """)
  }

  @Test func `Tags that nobody knows, and durations without a unit`() {
    checkDiagnostics(
      is: """
      # @nam login
      #<^^^^^^^^^^ hint metadata-unknown: No tool knows the tag `@nam`; it has no effect. Did you mean `@name`?
      # @nothing-like-it at all
      #<^^^^^^^^^^^^^^^^^^^^^^^ hint metadata-unknown: No tool knows the tag `@nothing-like-it`; it has no effect. Leave out the `@` if the line is a comment.
      # @timeout 30
      #          ^^ information duration-unit: The number has no unit and is read as 30 s; JetBrains reads seconds, httpYac milliseconds. Write `30 s`.
      # @connection-timeout 3000
      #                     ^^^^ information duration-unit: The number has no unit and is read as 3 s; JetBrains reads seconds, httpYac milliseconds. Write `3 s`.
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
      #          ^^ information duration-unit: The number has no unit and is read as 30 ms; JetBrains reads seconds, httpYac milliseconds. Write `30 ms`.
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
      #  ^^^^^^^^^^^^^^^^ hint deprecated: kulala calls `@file-to-variable` `@kulala-file-contents-to-variable` now. Write that.
      #                        ^^^^^^^^^^ error file-not-found: There is no file `./gone.txt`. Looked beside the request file and in the root folder.
      POST https://a.test/

      {{NOTE}}

      ###
      GET https://a.test/{{TOKEN}}
      #                  ^^^^^^^^^ information request-not-run: The request `login` has not been sent yet, so there is no response to read. Send `login` first.
      """)
  }

  @Test func `Shell commands are not run`() {
    checkDiagnostics(
      is: """
      # @stdin-cmd jq .
      #<^^^^^^^^^^^^^^^ warning commands-disabled: `@stdin-cmd` would run a shell command, which is not supported yet by this version of PostKit. The request is sent without it.
      # @env-stdin-cmd TOKEN jq -r .token
      #<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning commands-disabled: `@env-stdin-cmd` would run a shell command, which is not supported yet by this version of PostKit. The request is sent without it.
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
      #<^^ warning script-language: This script is in Lua, which PostKit does not run; it is left out. Write it in JavaScript. (goes on)
        print("x")
      %}
      GET https://a.test/

      > ./here.lua
      #<^^^^^^^^^^ warning script-language: This script is in Lua, which PostKit does not run; it is left out. Write it in JavaScript.

      ###
      GET https://a.test/

      > ./here.js
      #<^^^^^^^^^ information protocol-unsupported: Scripts are kept but not run; they are not supported yet by this version of PostKit.

      ###
      GET https://a.test/

      > {% lang=lua
      #<^^^^^^^^^^^ warning script-language: This script is in Lua, which PostKit does not run; it is left out. Write it in JavaScript. (goes on)
      %}

      ###
      GET https://a.test/

      > ./gone.js
      #<^^^^^^^^^ information protocol-unsupported: Scripts are kept but not run; they are not supported yet by this version of PostKit.
      # ^^^^^^^^^ warning file-not-found: There is no file `./gone.js`. Looked beside the request file and in the root folder.
      """)
  }

  @Test func `A target without a scheme`() {
    checkDiagnostics(
      is: """
      GET api.test/x
      #   ^^^^^^^^ information scheme-assumed: The URL has no scheme. `http://` is put before it, or `https://` where the port is 443 or 8443; REST Client and httpYac send nothing. Write the one that is meant.

      ###
      GET localhost:8443?a=http://b
      #   ^^^^^^^^^^^^^^ information scheme-assumed: The URL has no scheme. `http://` is put before it, or `https://` where the port is 443 or 8443; REST Client and httpYac send nothing. Write the one that is meant.

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
      #                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning secret-in-file: This secret stands in the file, for everybody who gets the file. Put it into `http-client.private.env.json` and write `{{name}}` here.

      ###
      GET https://a.test/
      Authorization: Bearer {{token}}

      ###
      GET https://a.test/
      Authorization: Bearer short

      ###
      GET https://a.test/
      Authorization: Basic ann hunter2
      #                        ^^^^^^^ warning secret-in-file: This secret stands in the file, for everybody who gets the file. Put it into `http-client.private.env.json` and write `{{name}}` here.

      ###
      GET https://a.test/
      Authorization: Basic ann:{{pin}}

      ###
      GET https://a.test/
      Proxy-Authorization: Basic YW5uOmh1bnRlcjI=
      #                          ^^^^^^^^^^^^^^^^ warning secret-in-file: This secret stands in the file, for everybody who gets the file. Put it into `http-client.private.env.json` and write `{{name}}` here.

      ###
      GET https://a.test/
      Authorization: Digest ann hunter2
      #                         ^^^^^^^ warning secret-in-file: This secret stands in the file, for everybody who gets the file. Put it into `http-client.private.env.json` and write `{{name}}` here.

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
      #<^^^^^^^ hint comment-in-body: This line is sent as part of the body. REST Client, JetBrains and httpYac may leave it out; put it above the request if it is a comment.
      # third

      ###
      POST https://a.test/
      Content-Type: application/json

      // left out
      {"a": 1}

      ###
      POST https://a.test/

      # sent
      #<^^^^ hint comment-in-body: This line is sent as part of the body. REST Client, JetBrains and httpYac may leave it out; put it above the request if it is a comment.
      text
      """)
  }

  @Test func `JSON that is none`() {
    checkDiagnostics(
      is: """
      POST https://a.test/
      Content-Type: application/json

      {"a": {{host}}, "b": "{{user}}", "c": [1, 2,]}
      #                                           ^ warning json-body: The body is not valid JSON: this character can't stand here. It is sent as it is; mend it, or give it another `Content-Type`.

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
      #      ^ warning json-body: The body is not valid JSON: only true, false and null may stand without quotes. It is sent as it is; mend it, or give it another `Content-Type`.
      }

      ###
      POST https://a.test/
      Content-Type: application/json

      {"a": 1
      #     ^ warning json-body: The body is not valid JSON: the text ends too early. It is sent as it is; mend it, or give it another `Content-Type`.
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
      #<^ warning form-missing-ampersand: No `&` stands between this pair and the line above, so that both are sent as one. Put `&` at the end of the line above.
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
      # ^^^^^^^^^^^ hint file-has-variables: The file has references in it, such as `{{user}}`, which are sent as they stand there. Write `<@` in place of `<` to have them resolved.

      ###
      POST https://a.test/

      <@ ./with.json
      #  ^^^^^^^^^^^ warning unresolved-variable: Nothing defines the variable `unknown`. Define it with `@unknown = value` or in an environment file.

      ###
      # @injectVariables
      POST https://a.test/

      < ./with.json
      # ^^^^^^^^^^^ warning unresolved-variable: Nothing defines the variable `unknown`. Define it with `@unknown = value` or in an environment file.

      ###
      POST https://a.test/

      < ./both.json
      # ^^^^^^^^^^^ hint ambiguous-path: There is a file `./both.json` beside this file and one in the root folder. The one beside this file is sent, REST Client sends the other; write the path so that it is clear.
      """)
  }

  @Test func `The start of the file and its line ends`() {
    let marked = Bench().analysis("\u{FEFF}GET https://a.test/\n").diagnostics(limit: 9)
    #expect(marked.map(\.code) == ["bom"])
    #expect(marked.map(\.range) == [0..<3])
    let mixed = Bench().analysis("GET https://a.test/\nA: b\r\n\r\n").diagnostics(limit: 9)
    #expect(mixed.map(\.code) == ["mixed-eol"])
    #expect(mixed.map(\.range) == [20..<24])
    #expect(
      mixed.map(\.message) == [
        "This line ends in CRLF, the lines above in LF. What is sent is the same; save the file "
          + "with one kind of line end."
      ])
    #expect(Bench().analysis("GET https://a.test/\r\nA: b\r\n").diagnostics(limit: 9).isEmpty)
  }

  @Test func `What other tools read otherwise is a hint`() {
    checkDiagnostics(
      is: """
      get https://a.test/
      #<^ hint differs-elsewhere: A method in small letters: JetBrains, httpYac and kulala take it for a part of the URL. Write it in another way if the file is for them, too.
      X-Long: one
      #<^^^^^^^^^ hint differs-elsewhere: A header value on several lines: REST Client, httpYac and kulala take the second line for another header. Write it in another way if the file is for them, too. (goes on)
        two

      GET https://b.test/
      #<^^^^^^^^^^^^^^^^^ hint differs-elsewhere: A request without a `###` line before it: JetBrains, REST Client and kulala read it as the body of the request above. Write it in another way if the file is for them, too.

      ###
      POST https://a.test/

      @x = 1
      #<^^^^ hint differs-elsewhere: A definition in a body: httpYac and kulala take the line out of the body. Write it in another way if the file is for them, too.
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
        #<^^^^^^ hint differs-elsewhere: The value is a whole request line and is read as one; JetBrains, httpYac and kulala take it for a URL. Write the method here, and references for the parts, if the file is for them, too.
        {{header}}
        #<^^^^^^^^ hint differs-elsewhere: A header line that is one reference: httpYac begins the body there. Write it in another way if the file is for them, too.

        ###
        {{url}}
        """#)
  }
}
