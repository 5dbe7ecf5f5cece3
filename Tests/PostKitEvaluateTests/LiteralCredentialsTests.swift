// Which words of a request's text are credentials, and what is left of the text without them.

import PostKitHTTP
import PostKitSyntax
import PostKitTestSupport
import Testing

@testable import PostKitEvaluate

@Suite struct LiteralCredentialsTests {
  /// The text without credentials; `*` stands for a mask.
  private func masked(_ text: String) -> String {
    let block = ParsedDocument(bytes: Array(text.utf8)).blocks[0]
    let result = LiteralCredentials(block).maskedText ?? text
    return result.replacing(SecretMask.text, with: "*")
  }

  @Test(
    "fields lose what is no reference, and nothing else",
    arguments: [
      ("Authorization: Bearer {{token}}", "Authorization: Bearer {{token}}"),
      ("Authorization: Bearer {{ token }}", "Authorization: Bearer {{ token }}"),
      ("Authorization: Bearer abc", "Authorization: Bearer *"),
      ("Authorization: Bearer {{prefix}}literal", "Authorization: Bearer {{prefix}}*"),
      ("Authorization: Bearer literal{{suffix}}", "Authorization: Bearer *{{suffix}}"),
      ("Authorization: Basic {{user}}:{{pw}}", "Authorization: Basic {{user}}:{{pw}}"),
      ("Authorization: Basic ann {{pw}}", "Authorization: Basic * {{pw}}"),
      ("Authorization: literal", "Authorization: *"),
      ("Authorization: basic", "Authorization: *"),
      ("Authorization:Bearer {{t}}", "Authorization:Bearer {{t}}"),
      ("Authorization:   Bearer  literal\r", "Authorization:   Bearer  *\r"),
      ("proxy-authorization : Digest a=\"b\"", "proxy-authorization : Digest *\"*\""),
      ("Cookie: sid={{sid}}; a=1; b={{b}}x", "Cookie: sid={{sid}}; *; b={{b}}*"),
      ("Cookie:\n  sid=1;\n  b=2", "Cookie:\n  *;\n  *"),
      ("# Authorization: Bearer old", "# Authorization: Bearer *"),
      ("X-Key: abc", "X-Key: abc"),
      ("\nCookie: sid=1", "\nCookie: *"),
    ])
  func fields(_ written: String, _ kept: String) {
    let end = "\nAccept: a/b"
    #expect(masked("GET http://a.test/\n\(written)\(end)") == "GET http://a.test/\n\(kept)\(end)")
  }

  @Test(
    "commands lose the values of their options",
    arguments: [
      ("-u 'ann:pass word'", "-u 'ann:* *'"),
      ("-uann:pw -v", "-uann:* -v"),
      ("-sSu ann:pw", "-sSu ann:*"),
      ("--user=ann:pw", "--user=ann:*"),
      ("-u \"ann:{{pw}}\"", "-u \"ann:{{pw}}\""),
      ("-u {{both}}", "-u {{both}}"),
      ("-u 'ann:p'\"w\"", "-u 'ann:*'"),
      ("-u ann:p\\ w", "-u ann:*"),
      ("-b 'sid=1; a={{a}}'", "-b '*; a={{a}}'"),
      ("-b jar.txt", "-b jar.txt"),
      ("-H 'Cookie: sid=1' -H 'X: 1'", "-H 'Cookie: *' -H 'X: 1'"),
      ("-H \"Authorization: Bearer abc\"", "-H \"Authorization: Bearer *\""),
      ("-H 'Authorization: Bearer {{t}}'", "-H 'Authorization: Bearer {{t}}'"),
      ("--oauth2-bearer abc", "--oauth2-bearer *"),
      ("-x http://ann:pw@proxy.test", "-x http://ann:*@proxy.test"),
      ("--proxy-user ann:pw", "--proxy-user ann:*"),
      ("--url 'http://ann:pw@b.test/'", "--url 'http://ann:*@b.test/'"),
    ])
  func commands(_ written: String, _ kept: String) {
    #expect(masked("curl http://a.test/ \(written)") == "curl http://a.test/ \(kept)")
  }

  @Test(
    "URLs lose their passwords",
    arguments: [
      ("GET http://ann:pw@a.test/b@c:d", "GET http://ann:*@a.test/b@c:d"),
      ("GET http://ann:{{pw}}@a.test/", "GET http://ann:{{pw}}@a.test/"),
      ("GET http://ann@a.test:80/", "GET http://ann@a.test:80/"),
      ("GET {{base}}/a:b@c", "GET {{base}}/a:b@c"),
      ("curl http://ann:pw@a.test", "curl http://ann:*@a.test"),
    ])
  func urls(_ written: String, _ kept: String) {
    #expect(masked(written) == kept)
  }

  @Test func `what credentials are made of is defined without its value`() {
    let text = """
      @end = secret-1
      @token = Bearer {{start}}-2{{end}}
      @other = 3
      GET http://a.test/{{other}}
      Authorization: {{token}}
      """
    #expect(
      masked(text) == """
        @end = *
        @token = Bearer {{start}}*{{end}}
        @other = 3
        GET http://a.test/{{other}}
        Authorization: {{token}}
        """)
    let block = ParsedDocument(bytes: Array(text.utf8)).blocks[0]
    #expect(LiteralCredentials(block).usedNames == ["token", "start", "end"])
  }

  @Test func `no bytes make it fall over`() {
    let pieces = [
      "curl ", "-u", " ", "'", "\"", "\\", ":", "{{", "}}", "a", "=", "--user", "-b", "@", "://",
      "\n", "Cookie", "Authorization:", "GET ", "\\{\\{a\\}\\}", ";", "@a = b\n", "-H",
    ]
    var random = RepeatableGenerator(seed: 7)
    for _ in 0..<3_000 {
      let count = Int.random(in: 0..<14, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
      for block in ParsedDocument(bytes: Array(text.utf8)).blocks {
        let credentials = LiteralCredentials(block)
        let again = credentials.maskedText.map { ParsedDocument(bytes: Array($0.utf8)).blocks }
        // What is masked is a text that can be read again.
        #expect(again?.isEmpty != true)
      }
    }
  }
}
