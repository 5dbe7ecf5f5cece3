// What version control leaves out, as git reads it.

import Testing

@testable import PostKitTransfer

@Suite struct IgnoreRulesTests {
  private let name = "http-client.private.env.json"

  @Test func `patterns are those of git`() {
    let ignoring = [
      name, "/\(name)", "*.private.env.json", "http-client.private.*", "# x\n\n*.json  ",
      "**/*.json",
      "http-client.[a-q]rivate.env.json", "http-client.?rivate.env.json", "!*.json\n\(name)", "**",
      "http\\-client.private.env.json", "[!a-g]ttp-client.private.env.json",
    ]
    for text in ignoring { #expect(IgnoreRules.ignores([(text, name)]), "\(text)") }
    let keeping = [
      "", "# \(name)", "api/\(name)", "\(name)/", "\(name)\n!\(name)", "*.env", "[a-g]ttp-*",
      "http-client.private.env", "*?*?*?*?*?*?*?*?*", "\\", "[",
    ]
    for text in keeping { #expect(!IgnoreRules.ignores([(text, name)]), "\(text)") }
  }

  @Test func `files of folders above count, the nearest first`() {
    let path = "api/shop/\(name)"
    #expect(IgnoreRules.ignores([("*.private.env.json", path)]))
    #expect(IgnoreRules.ignores([("api/", path)]) && IgnoreRules.ignores([("/api/shop", path)]))
    #expect(IgnoreRules.ignores([("api/**/*.json", path)]))
    #expect(!IgnoreRules.ignores([("shop/*.json", path)]))
    #expect(!IgnoreRules.ignores([("!*.json", name), ("*.json", path)]))
    #expect(IgnoreRules.ignores([("!*.json", name), ("api/", path)]))
  }
}
