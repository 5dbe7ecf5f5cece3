// What single rules of RULES.md make of a text.

import PostKitSyntax
import PostKitTestSupport
import Testing

/// Compares the outline of a text with what is expected of it, and checks its tiling.
func check(
  _ text: String, _ format: DocumentFormat = .http, is expected: String, file: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let document = ParsedDocument(bytes: Array(text.utf8), format: format)
  #expect(flaw(in: document) == nil, sourceLocation: sourceLocation)
  expect(
    SyntaxDump.outline(of: document), is: expected, file: file, sourceLocation: sourceLocation)
}

@Suite struct RequestLineTests {
  @Test(arguments: [
    ("GET https://a.test", #"request "GET" "https://a.test""#),
    ("https://a.test", #"request none "https://a.test""#),
    ("get https://a.test", #"request "get" "https://a.test""#),
    ("get user", #"request none "get user""#),
    ("LIST https://vault/x", #"request "LIST" "https://vault/x""#),
    ("post localhost/x", #"request "post" "localhost/x""#),
    ("{{m}} https://a.test", #"request "{{m}}" "https://a.test""#),
    ("{{base}} HTTP/1.1", #"request none "{{base}}" version "1.1""#),
    ("{{base}}/x", #"request none "{{base}}/x""#),
    ("GET  /a b?c=d e  HTTP/2", #"request "GET" "/a b?c=d e" version "2""#),
    ("GET /a http/1.0", #"request "GET" "/a" version "1.0""#),
    ("GET /a HTTP/2 (Prior Knowledge)", #"request "GET" "/a" version "2 (Prior Knowledge)""#),
    ("GET /a?b=HTTP/1.1", #"request "GET" "/a?b=HTTP/1.1""#),
    ("OPTIONS * HTTP/1.1", #"request "OPTIONS" "*" version "1.1""#),
    ("GET HTTP/1.1", #"request "GET"  version "1.1""#),
    ("VERSION-CONTROL /a", #"request "VERSION-CONTROL" "/a""#),
    ("curlew https://a.test", #"request none "curlew https://a.test""#),
    ("run x", #"request none "run x""#),
    ("import x", #"request none "import x""#),
    ("NOP", #"request none "NOP""#),
  ])
  func `A request line falls into method, target and version`(line: String, expected: String) {
    let document = ParsedDocument(bytes: Array(line.utf8))
    let outline = SyntaxDump.outline(of: document).split(separator: "\n")
    #expect(outline.first { $0.hasPrefix("  request") }?.dropFirst(2) == expected[...])
  }

  @Test func `Lines below are target parts, headers or continuations (PK-12)`() {
    check(
      """
      GET https://a.test
        /v2
        /t
      # between
        ?q=1
        &flag HTTP/1.1
      Accept: text/plain,
          text/html
        X-Indented: 1
      &m=2
      X-Empty:

      ### ends in a mark
      GET https://a.test/get?
          a=1&
          b:2
      ### bare word
      GET https://a.test/
          api
          Accept: x
      """,
      is: """
      request 0..<129
        request "GET" "https://a.test" + "/v2" + "/t" + "?q=1" + "&flag" + "&m=2" version "1.1"
          header "Accept" "text/plain," + "text/html"
          header "X-Indented" "1"
          header "X-Empty" ""
      request 129..<189
        title "ends in a mark"
        request "GET" "https://a.test/get?" + "a=1&" + "b:2"
      request 189..<244
        title "bare word"
        request "GET" "https://a.test/" + "api"
          header "Accept" "x"

      """)
  }

  @Test func `A whole line may be a reference, and names may hold some`() {
    check(
      "GET /a\n{{all}}\nX-{{n}}-Y : {{v}}\n...common\nBad Name: x\n",
      is: """
        request 0..<55
          request "GET" "/a"
            header "{{all}}" 
            header "X-{{n}}-Y" "{{v}}"
            spread "common" 
          reference path all 
          reference path n 
          reference path v 
          problem malformedHeader "Bad Name: x"

        """)
  }
}

@Suite struct BodyTests {
  @Test func `A body keeps its inner blank lines and loses the outer ones`() {
    check(
      "POST /a\n\n\n one \n\n\ntwo\n \n\n",
      is: """
      request 0..<25
        request "POST" "/a"
          body
            text " one "
            text ""
            text ""
            text "two"

      """)
  }

  @Test func `Comments alone are no body unless a content type says so`() {
    check(
      "GET /a\n\n# remark\n\n// other\n###\nPOST /b\nContent-Type: text/plain\n\n# text\n",
      is: """
      request 0..<27
        request "GET" "/a"
      request 27..<72
        request "POST" "/b"
          header "Content-Type" "text/plain"
          body
            comment "# text"

      """)
  }

  @Test func `Definitions at the end come after the response (PK-26)`() {
    check(
      """
      POST /a

      {"a": "@x = 1"}
      @x = not at the end

      # note
      @token := {{login.response.body.$.t}}

      @global.b = 2
      ?? status == 200
      """,
      is: """
      request 0..<122
        variable token "{{login.response.body.$.t}}" lazy after
        variable b "2" global after
        request "POST" "/a"
          body
            text "{"a": "@x = 1"}"
            text "@x = not at the end"
        assertion "status == 200"
        reference path login .response.body.$.t

      """)
  }

  @Test func `Structural lines need their exact form (PK-24, PK-25)`() {
    check(
      """
      POST /a

      > quoted text
      > out.md
      >> no
       > {% indented %}
      ?? what is this

      {{
      not closed
      <> 
      > "my check.lua"
      """,
      is: """
      request 0..<107
        request "POST" "/a"
          body
            text "> quoted text"
            text "> out.md"
        responseHandler " indented "
        responseHandler file "my check.lua"
        save "no"
        assertion "what is this"
        problem assertionSyntax "?? what is this"
        problem textAfterHandler "{{"

      """)
  }

  @Test func `Files are included by any line of the right form (PK-18, PK-99)`() {
    check(
      """
      POST /a
      Content-Type: application/json

        < ./a.json
      <@ a b.txt
      <@latin1 "q r.txt"
      <b> <tag
      < 5
      < {% x %}
      ###
      POST /b
      Content-Type: text/plain

      < 5 is less
      < notes.txt
      < {{dir}}
      """,
      is: """
      request 0..<106
        request "POST" "/a"
          header "Content-Type" "application/json"
          body
            includeRaw "./a.json"
            includeSubstituted "a b.txt"
            includeSubstituted "latin1" "q r.txt"
            text "<b> <tag"
            includeRaw "5"
            text "< {% x %}"
      request 106..<177
        request "POST" "/b"
          header "Content-Type" "text/plain"
          body
            text "< 5 is less"
            includeRaw "notes.txt"
            includeRaw "{{dir}}"
        reference path dir 

      """)
  }

  @Test func `A boundary may be only in the body, and comments stand outside of parts`() {
    check(
      """
      POST /a
      Content-Type: multipart/mixed

      --b
      # header comment
      A: b

      # text
      ?? status == 200
      --b--
      # after
      """,
      is: """
      request 0..<103
        request "POST" "/a"
          header "Content-Type" "multipart/mixed"
          body
            text "--b"
            comment "# header comment"
            text "A: b"
            text ""
            text "# text"
            text "?? status == 200"
            text "--b--"
            comment "# after"

      """)
  }

  @Test func `A request line splits only an empty body (PK-3)`() {
    check(
      "# @forceRegionDelimiter\nPOST /a\n\nGET /b\n###\nPOST /c\n\nGet /d\nPUT /e\nDELETE it\n",
      is: """
        request 0..<40
          metadata prologue forceregiondelimiter ""
          request "POST" "/a"
            body
              text "GET /b"
          problem missingSeparator "GET /b"
        request 40..<77
          request "POST" "/c"
            body
              text "Get /d"
              text "PUT /e"
              text "DELETE it"
          problem missingSeparator "PUT /e"

        """)
  }

  @Test func `A status line begins an example only where no body can be meant (X36)`() {
    check(
      """
      POST /a

      HTTP/1.1 200 OK
      ###
      POST /b

      x

      > {% a %}

      HTTP/2 404
      A: b
      """,
      is: """
        request 0..<25
          request "POST" "/a"
            body
              text "HTTP/1.1 200 OK"
        request 25..<67
          request "POST" "/b"
            body
              text "x"
          responseHandler " a "
          response "HTTP/2 404\\nA: b"

        """)
  }
}
