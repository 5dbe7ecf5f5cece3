// Markdown for clients that show none: the marks go, what is code stays.

import Testing

@testable import PostKitServer

struct PlainTextTests {
  @Test(arguments: [
    ("`a` = `b`", "a = b"), ("**GET**: Asks", "GET: Asks"), ("`` a`b**c ``", "a`b**c"),
    ("**A** `**b**` **c**", "A **b** c"), ("```\n**x** `y`\n```\nend", "**x** `y`\nend"),
    ("````\n```\n````", "```"), ("one ` tick", "one ` tick"), ("- `dev`: `1`", "- dev: 1"), ("", ""),
  ])
  func `Code stays as it is, and nothing else keeps its marks`(markdown: String, plain: String) {
    #expect(ToProtocol.plain(markdown) == plain)
  }
}
