// References in any text, also in text that was never meant to hold some.

import PostKitSyntax
import PostKitTestSupport
import Testing

/// The pieces of a text: literals as they are, references as `‹inner›`, escapes as `«inner»`.
private func pieces(_ text: String) -> String {
  let bytes = Array(text.utf8)
  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
  return TemplateParser.pieces(bytes, in: 0..<bytes.count).map { piece in
    switch piece {
    case .literal(let range): string(range)
    case .reference(let reference):
      "‹\(reference.isPercentEncoded ? "%" : "")\(string(reference.inner))›"
    case .escapedReference(let range): "«\(string(range))»"
    }
  }.joined(separator: "|")
}

@Suite struct TemplateParserTests {
  @Test(arguments: [
    ("", ""),
    ("plain { } }} text", "plain { } }} text"),
    ("{{a}}", "‹a›"),
    ("x{{ a }}y{{\tb}}", "x|‹a›|y|‹b›"),
    ("{{%a}} {{ % b }}", "‹%a›| |‹%b›"),
    ("{{}}{{ }}", "‹›|‹›"),
    (#"{"a":{{x}}}"#, #"{"a":|‹x›|}"#),
    ("{{{x}}}", "{|‹x›|}"),
    ("{{a {{b}} c}}", "{{a |‹b›| c}}"),
    ("{{ {a:{b:1}}.a.b }}", "‹{a:{b:1}}.a.b›"),
    ("{{ {a:1}}}", "‹{a:1}›"),
    ("{{ {a }}b", "‹{a›|b"),
    ("{{ f('}}') }}", "‹f('}}')›"),
    (#"{{ f("\"}}") }}"#, #"‹f("\"}}")›"#),
    ("{{it's}} and {{it's}}", "‹it's›| and |‹it's›"),
    ("{{ 'open }} {{b}}", "‹'open›| |‹b›"),
    ("{{open", "{{open"),
    ("{{open {{b}}", "{{open |‹b›"),
    ("{{a\nb}} {{c}}", "{{a\nb}} |‹c›"),
    ("{{'\n'}}", "{{'\n'}}"),
    (#"\{\{a\}\} {{b}}"#, #"«a»| |‹b›"#),
    (#"\{\{a {{b}}"#, #"\{\{a |‹b›"#),
    (#"\{{b}}"#, #"\|‹b›"#),
    (#"{{b}} \{\{a\}\}"#, #"‹b›| |«a»"#),
    ("}}{{a}}{{", "}}|‹a›|{{"),
    ("{{login.response.body.$.items[?(@.b=='}}')].id}}",
      "‹login.response.body.$.items[?(@.b=='}}')].id›"),
    ("{{ä}}€{{b}}", "‹ä›|€|‹b›"),
  ])
  func `Pairs are found`(text: String, expected: String) {
    #expect(pieces(text) == expected)
  }

  @Test(arguments: [
    ("", ReferenceExpression.empty),
    ("host", .path(name: "host", rest: "")),
    ("api.key", .path(name: "api", rest: ".key")),
    ("my-host_2", .path(name: "my-host_2", rest: "")),
    ("größe", .path(name: "größe", rest: "")),
    ("a[0]['x'][*]..b.*", .path(name: "a", rest: "[0]['x'][*]..b.*")),
    ("a[-1]", .path(name: "a", rest: "[-1]")),
    ("login.response.body.$.items[?(@.b==2)]",
      .path(name: "login", rest: ".response.body.$.items[?(@.b==2)]")),
    ("login.response.body.//user/@id", .path(name: "login", rest: ".response.body.//user/@id")),
    ("login.request.headers['X-A']", .path(name: "login", rest: ".request.headers['X-A']")),
    ("response.parsedBody.a", .path(name: "response", rest: ".parsedBody.a")),
    ("login.responses()", .script("login.responses()")),
    ("a.", .script("a.")),
    ("a[", .script("a[")),
    ("a['x", .script("a['x")),
    ("a + b", .script("a + b")),
    ("'ab'.toUpperCase()", .script("'ab'.toUpperCase()")),
    ("< ./token.txt", .script("< ./token.txt")),
    ("$guid", .dynamic(name: "guid", arguments: "")),
    ("$timestamp -1 d", .dynamic(name: "timestamp", arguments: "-1 d")),
    ("$datetime   \"dd MM\" 1 d", .dynamic(name: "datetime", arguments: "\"dd MM\" 1 d")),
    ("$random.integer( 1, 5 )", .dynamic(name: "random.integer", arguments: "1, 5")),
    ("$auth.token(\"id\")", .dynamic(name: "auth.token", arguments: "\"id\"")),
    ("$dotenv %which", .dynamic(name: "dotenv", arguments: "%which")),
    ("$input-askonce Name?", .dynamic(name: "input-askonce", arguments: "Name?")),
    ("$random.integer(1)+1", .script("$random.integer(1)+1")),
    ("$index", .dynamic(name: "index", arguments: "")),
    ("$index + 1", .script("$index + 1")),
    ("$.a..b", .path(name: "$", rest: ".a..b")),
    ("$(a)", .script("$(a)")),
  ])
  func `Expressions are told apart`(text: String, expected: ReferenceExpression) {
    #expect(ReferenceExpression(parsing: text) == expected)
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      "{{", "{{ ", "{{a ", "{{'", "{{\" ", "{{'a }} \"", "{{a { { }} \"", "\\{\\{", "{{{", "}}",
      "{{ (' {{ \" ",
    ])
  func `Ten thousand of anything take no time`(unit: String) {
    let bytes = Array(String(repeating: unit, count: 10_000).utf8) + Array("}}".utf8)
    var end = 0
    for piece in TemplateParser.pieces(bytes, in: 0..<bytes.count) {
      switch piece {
      case .literal(let range):
        #expect(range.lowerBound == end)
        end = range.upperBound
      case .reference(let reference):
        #expect(reference.range.lowerBound == end)
        end = reference.range.upperBound
      case .escapedReference(let range):
        #expect(range.lowerBound - 4 == end)
        end = range.upperBound + 4
      }
    }
    #expect(end == bytes.count)
  }
}
