// What stands before requests, and between them.

import PostKitSyntax
import PostKitTestSupport
import Testing

@Suite struct PrologueTests {
  @Test(arguments: [
    ("# @name x", "name", "x"), ("#@name x", "name", "x"), ("// @name = x y ", "name", "x y"),
    ("## @no-redirect", "noredirect", ""), ("  # @noRedirect", "noredirect", ""),
    ("# @timeout 30 ms", "timeout", "30 ms"), ("# @name=x", "name", "x"),
    ("# @curl-max-time 5", "curlmaxtime", "5"), ("# @ref {{x}}", "ref", "{{x}}"),
    ("    ### @name x", "name", "x"),
  ])
  func `Metadata in all its forms (PK-36)`(line: String, key: String, value: String) throws {
    let document = ParsedDocument(bytes: Array((line + "\nGET /a").utf8))
    let block = try #require(document.blocks.first)
    #expect(flaw(in: document) == nil)
    #expect(block.syntax.metadata.map { MetadataTag.folded(block.text($0.key)) } == [key])
    #expect(block.syntax.metadata.map { block.text($0.value) } == [value])
  }

  @Test(arguments: ["# name x", "# @", "# @1x", "# @user's note", "#", "//", "# a@b"])
  func `Other comments are only comments`(line: String) {
    let document = ParsedDocument(bytes: Array((line + "\nGET /a").utf8))
    #expect(document.blocks.map { $0.syntax.metadata.count } == [0])
    #expect(document.requests.count == 1)
  }

  @Test(arguments: [
    ("@a=1", "a", "1", false, false), ("  @a = 1  ", "a", "1", false, false),
    ("@a.b-c_ü := {{x}}", "a.b-c_ü", "{{x}}", true, false), ("@a =", "a", "", false, false),
    ("@global.t = a = b", "t", "a = b", false, true),
  ])
  func `Definitions in all their forms (PK-31)`(
    line: String, name: String, value: String, isLazy: Bool, isGlobal: Bool
  ) throws {
    let document = ParsedDocument(bytes: Array(line.utf8))
    let block = try #require(document.blocks.first)
    let variable = try #require(block.syntax.variables.first)
    #expect(flaw(in: document) == nil)
    #expect(block.syntax.kind == .global)
    #expect(block.name(of: variable) == name)
    #expect(block.text(variable.value) == value)
    #expect(variable.isLazy == isLazy)
    #expect(variable.isGlobal == isGlobal)
  }

  @Test func `Directives with overrides (PK-39)`() {
    check(
      """
      import "./a b.http"
      run ./b.rest (@host=test.local)
      run #log in (@user=bob, @note="a, b")
       run #indented
      """,
      is: """
      request 0..<104
        importFile "./a b.http"
        runFile "./b.rest"
          override "host" "test.local"
        runRequest "log in"
          override "user" "bob"
          override "note" "a, b"
        request none "run #indented"

      """)
  }

  @Test func `A run line with a path may name one request of the file`() {
    check(
      """
      run ./b.http #log in (@user=bob)
      run ./a #b.http
      run ./b.http #
      run ./b.http#tag
      import ./b.http #one
      """,
      is: """
      request 0..<101
        runFile "./b.http" #"log in"
          override "user" "bob"
        runFile "./a #b.http"
        runFile "./b.http" #""
        request none "run ./b.http#tag"
        problem malformedHeader "import ./b.http #one"

      """)
  }

  @Test func `Scripts end at the first line that ends in the closing mark (PK-28)`() {
    check(
      """
      < {%
        a = 5 %} b;
        // 100%}
      GET /a

      > {% lang=lua
      -- x
      %} tail
      {{+after
        y();
      }}
      """,
      is: #"""
      request 0..<83
        request "GET" "/a"
        preRequest "\n  a = 5 %} b;\n  // 100"
        responseHandler " lang=lua\n-- x\n"
        block + @after "\n  y();\n"
        problem textAfterHandler "tail"

      """#)
  }

  @Test func `A curl command ends where a shell would end it (PK-30)`() {
    check(
      "curl -d '{\n\"a\": 1}' \\\r\n  https://a.test\n  -H \"A: {{b}}\"\nfoo\n\n>> x.json\n",
      is: #"""
      curl 0..<71
        curl "curl -d '{\n"a": 1}' \\r\n  https://a.test\n  -H "A: {{b}}""
        save "x.json"
        reference path b 
        problem textAfterHandler "foo"

      """#)
  }
}

@Suite struct SegmenterTests {
  @Test func `Up to three blanks may stand before the hashes (PK-2)`() {
    check(
      "GET /a\n\n   ### b\nGET /b\n\n    ### c\n###d\nGET /d\n###########\n",
      is: """
      request 0..<8
        request "GET" "/a"
      request 8..<35
        title "b"
        request "GET" "/b"
        problem indentedSeparator "   ###"
      request 35..<47
        title "d"
        request "GET" "/d"
      empty 47..<59

      """)
  }

  @Test func `Line ends may be mixed, and a CR alone is text`() {
    check(
      "GET /a\r\nA: b\rc\nD: e\r\r\n\r\nx\ry\n",
      is: #"""
      request 0..<28
        request "GET" "/a"
          header "A" "b\rc"
          header "D" "e"
          body
            text "x\ry"

      """#)
  }

  @Test func `Markdown holds requests only in open fences at column 0 (PK-102)`() {
    check(
      """
      ### Heading
      ```http
      ```
      ``` rest
      GET /a
      ~~~
      ```
       ```http
      GET /indented
       ```
      ```http title
      GET /titled
      ```
      ```HTTP
      ```
      ```http
      GET /b
      """, .markdown,
      is: """
      prose 0..<33
      request 33..<44
        request "GET" "/a"
        problem malformedHeader "~~~"
      prose 44..<126
      request 126..<132
        request "GET" "/b"

      """)
  }
}
