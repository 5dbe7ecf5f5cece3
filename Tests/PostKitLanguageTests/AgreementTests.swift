// What is called an error is not sent, and what is not sent is called an error.

import PostKitEvaluate
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

struct AgreementTests {
  /// One request for each mistake that the catalogue of diagnostics knows, and some without.
  static let sources = [
    "GET https://a.test/?q=1\nX-A: b\n\nbody {{ here",
    "GET https://a.test/{{us", "{{m https://a.test/", "GET https://a.test/\nX-A: {{us",
    "GET https://a.test/\nX-{{us: a", "GET https://a.test/\n{{us",
    "GET https://a.test/ HTTP/{{v", "# @timeout {{t\nGET https://a.test/",
    "@u = {{us\nGET https://a.test/", "@u = {{us\n###\nGET https://a.test/{{u}}",
    "@u = {{us\n###\nGET https://a.test/\nX-A: {{u}}\n",
    "@u = {{us\n###\nPOST https://a.test/\nContent-Type: text/plain\n\n{{u}}",
    "POST https://a.test/\n\n< ./{{f", "GET https://a.test/\n\n>> {{f",
    "GET https://a.test/\n\n> {{f.js", "@broken\nGET https://a.test/",
    "GET https://a.test/\nno header\n", "GET https://a.test/\n{\"a\": 1}",
    "GET", "GET \nHost: a.test", "BREW https://a.test/", "GET https://a.test/\n\n> {% %}\ntext",
    "GET https://a.test/\n\n?? what", "GET https://a.test/\n\n?? status == 200",
    "< {%\nGET https://a.test/", "GET https://a.test/\n\n> {%",
    "# @ref nobody\nGET https://a.test/", "### b\nGET /a\n\n###\n# @forceRef b\nGET https://a.test",
    "POST https://a.test/\n\n# @ref nobody", "GET https://a.test/{{nope}}",
    "GET https://a.test/\nX-A: {{nope}}", "POST https://a.test/\n\n{{nope}}",
    "@a = {{b}}\n@b = {{a}}\nPOST https://a.test/\n\n{{a}}",
    "POST https://a.test/\n\n{{$randomInt x}}", "GET https://a.test/{{$randomInt x}}",
    "GET https://a.test/{{ }}", "GET https://a.test/{{1 + 1}}", "GET /a", "GET ftp://a.test/",
    "GET ws://a.test/", "GET https://a.test:x/", "# @timeout soon\nGET https://a.test/",
    "@v = x\\ny\nGET https://a.test/\nX-A: {{v}}", "@h = word\nGET https://a.test/\n{{h}}",
    "GET https://a.test/\nAuthorization: Basic ann",
    "GET https://a.test/\nAuthorization: Digest ann b",
    "POST https://a.test/\n\n< ./missing.json", "# @loop for 3\nGET https://a.test/",
    "GET https://a.test/\n...common", "GRAPHQL https://a.test/\n\nquery { a }\n\n{",
    "curl https://a.test/", "import other.http\nrun #a\nGET https://a.test/",
    "### one\nGET https://a.test/{{one.response.body.$.a}}",
    "# @dialect nobody\nGET https://a.test/",
  ]

  @Test(
    "each mistake, as each preset reads it", arguments: DialectPreset.allCases)
  func mistakes(_ preset: DialectPreset) {
    for source in AgreementTests.sources { check(Array(source.utf8), preset) }
  }

  @Test func `and whatever becomes of them while they are typed`() {
    var generator = RepeatableGenerator(seed: 4166)
    for _ in 0..<3_000 {
      var bytes = Array(generator.pick(AgreementTests.sources).utf8)
      for _ in 0..<generator.int(in: 1..<6) { bytes = generator.mutated(bytes) }
      check(bytes, generator.pick(DialectPreset.allCases))
    }
  }

  @Test(
    "bytes that are no UTF-8 are a warning where they are sent",
    arguments: [
      "GET https://a.test/\u{1}", "GET https://a.test/\nX-A: \u{1}", "POST https://a.test/\n\n\u{1}",
      "@v = \u{1}\nGET https://a.test/{{v}}", "# \u{1}\nGET https://a.test/",
    ])
  func otherBytes(_ text: String) throws {
    let bytes = text.utf8.map { $0 == 1 ? 0xE9 : $0 }
    let analysis = Bench().analysis(bytes)
    let block = try #require(analysis.document.requests.first)
    #expect(analysis.lowered(block).spec != nil)
    let found = analysis.findings(in: block).diagnostics
    #expect(found.map(\.code) == [.invalidUTF8])
    #expect(found.map(\.severity) == [.warning])
    check(bytes, .auto)
  }

  @Test("what is said of a request does not depend on those before it")
  func independence() {
    let text = """
      @base = https://a.test
      @key = {{missing}}
      ### one
      GET {{base}}/{{nothing}}
      X-Key: {{key}}
      ### two
      # @prompt base
      GET {{base}}/{{key}}
      ### three
      # @timeout soon
      GET {{base}}/{{nothing}}
      ### four
      @late = {{base}}/4
      GET {{late}}
      Authorization: Basic user:{{key}}
      ### five
      GET {{late}}/{{base}}
      """
    let analysis = Bench().analysis(Array(text.utf8))
    let alone = analysis.document.blocks.flatMap { analysis.findings(in: $0).diagnostics }
    #expect(alone.count > 5)
    let together = analysis.diagnostics(limit: 100)
    #expect(together.count == alone.count)
    #expect(Set(together) == Set(alone))
  }

  private func check(
    _ bytes: [UInt8], _ preset: DialectPreset,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var bench = Bench()
    bench.environment = nil
    bench.dialect = Dialect(preset)
    let analysis = bench.analysis(bytes)
    for block in analysis.document.requests {
      let diagnostics = analysis.findings(in: block).diagnostics
      let isSent = analysis.lowered(block).spec != nil
      let hasError = diagnostics.contains { $0.severity == .error }
      // What a later version brings, and what is sent first, is no mistake of the author's.
      let isExplained = diagnostics.contains {
        [.protocolUnsupported, .requestNotRun].contains($0.code)
      }
      #expect(
        isSent ? !hasError : hasError || isExplained,
        "\(preset), sent: \(isSent): \(String(decoding: bytes, as: UTF8.self).debugDescription) \(diagnostics)",
        sourceLocation: sourceLocation)
    }
  }
}
