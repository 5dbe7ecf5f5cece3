// How much is said about files that are right, counted over many: a remark that is false about one
// file in a hundred is read by everybody who has such a file.

import PostKitEvaluate
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

/// A file without a mistake, made of what people write in every tool.
private struct GoodFile {
  private(set) var text = ""
  /// The requests whose responses are read.
  private(set) var needed: Set<Int> = []
  private var random: RepeatableGenerator

  /// Makes another file for each seed.
  init(seed: UInt64) {
    random = RepeatableGenerator(seed: seed)
    text = "@base = https://api.test/v1\n@page = 2\n@json = application/json\n"
    if random.oneIn(2) { text += "# @base = http://localhost:8080\n// @page=7\n" }
    text += "\n"
    for number in 0..<random.int(in: 1..<9) { add(number) }
  }


  private mutating func add(_ number: Int) {
    text += random.pick(["###", "### Request \(number)", "### What it does, and why (\(number))"])
    text += "\n"
    if random.oneIn(3) { text += "# Lists what there is.\n// Careful: slow!\n" }
    text += "# @name request\(number)\n"
    if random.oneIn(4) { text += "# @no-redirect\n" }
    let sendsBody = random.oneIn(2)
    text += sendsBody ? random.pick(["POST", "PUT", "PATCH"]) : random.pick(["GET", "DELETE"])
    text += " " + random.pick(["{{base}}", "https://other.test:8443", "{{host}}"])
    text += random.pick(["/", "/items", "/items/\(number)?page={{page}}", "/a%20b/~c", "/ü/{{user}}"])
    text += random.pick(["", "", " HTTP/1.1"]) + "\n"
    for header in Self.headers where random.oneIn(3) { text += header + "\n" }
    if number > 0, random.oneIn(2) {
      let other = random.int(in: 0..<number)
      needed.insert(other)
      text += "X-Parent: {{request\(other).response.body.$.id}}\n"
      if random.oneIn(2) { text += "X-Other: {{request\(other).response.headers.ETag}}\n" }
    }
    if sendsBody { text += random.pick(Self.bodies) }
    text += "\n"
  }

  private static let headers = [
    "Accept: application/json", "Authorization: Bearer {{token}}", "Cookie: a=1\nCookie: b=2",
    "X-Request-Id: {{$uuid}}", "Tenant: {{tenant}}", "Cache-Control: no-cache",
    "Accept-Language: de, en;q=0.5", "If-None-Match: \"abc\"", "Apikey: {{pin}}",
  ]

  private static let bodies = [
    "Content-Type: application/json\n\n{\"name\": \"{{user}}\", \"at\": [1, {{page}}, null]}\n",
    "Content-Type: {{json}}\n\n{\n  \"a\": {\"b\": \"c\\n\"},\n  \"d\": {{page}}\n}\n",
    "Content-Type: application/x-www-form-urlencoded\n\na=1&\nb={{user}}&\nc=d e\n",
    "Content-Type: text/plain\n\nSome text, and {{user}}.\nMore of it.\n",
    "Content-Type: application/xml\n\n<?xml version=\"1.0\"?>\n<a b=\"{{user}}\">c</a>\n",
    "Content-Type: {{json}}; charset=utf-8\n\n[]\n",
  ]
}

struct NoiseTests {
  /// Files for each preset.
  private static let count: UInt64 = 60

  /// The codes of what is said about a text.
  private func codes(_ text: String, _ preset: DialectPreset) -> [String] {
    var bench = Bench()
    bench.dialect = Dialect(preset)
    let document = ParsedDocument(
      bytes: Array(text.utf8), rules: SyntaxRules(preset: preset.rawValue))
    return bench.analysis(of: document).diagnostics(limit: 100).map(\.code.rawValue).sorted()
  }

  @Test(arguments: DialectPreset.allCases)
  func `Of a file that is right only what was not sent yet is said, once a request`(
    preset: DialectPreset
  ) {
    for seed in 0..<Self.count {
      let file = GoodFile(seed: seed)
      let expected = Array(repeating: "request-not-run", count: file.needed.count)
      #expect(codes(file.text, preset) == expected, "\(file.text)")
    }
  }

  /// Slips of the hand, and the code of the one remark that each is worth.
  private static let slips = [
    ("Accept: application/json", "Accpt: application/json", "unknown-header"),
    ("{{token}}", "{{tokn}}", "unresolved-variable"),
    ("[1, {{page}}, null]", "[1, {{page}}, nul]", "json-body"),
    ("# @no-redirect", "# @no-redirct", "metadata-unknown"),
    ("b={{user}}&", "b={{user}}", "form-missing-ampersand"),
    ("/a%20b/", "/a b/", "url-encoding"),
  ]

  @Test func `A slip in it is worth one remark, and no other changes`() {
    var found: [String: Int] = [:]
    for seed in 0..<Self.count {
      let file = GoodFile(seed: seed)
      let before = codes(file.text, .auto)
      for (right, wrong, code) in Self.slips {
        guard let place = file.text.firstRange(of: right) else { continue }
        var text = file.text
        text.replaceSubrange(place, with: wrong)
        #expect(codes(text, .auto) == (before + [code]).sorted(), "\(text)")
        found[code, default: 0] += 1
      }
    }
    // Each of them was tried many times.
    #expect(found.count == Self.slips.count && found.values.allSatisfy { $0 > 8 }, "\(found)")
  }
}
