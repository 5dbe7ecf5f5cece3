// The outline of a file, as people see it.

import PostKitEvaluate
import PostKitLanguage
import PostKitTestSupport
import Testing

/// The outline as lines, each with what is selected in the text.
private func outline(_ text: String, _ bench: Bench = Bench()) -> String {
  let bytes = Array(text.utf8)
  func lines(_ symbols: [DocumentSymbol], _ depth: Int) -> [String] {
    symbols.flatMap { symbol -> [String] in
      let selected =
        String(decoding: bytes[symbol.selection], as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
      let detail = symbol.detail.isEmpty ? "" : " (\(symbol.detail))"
      let indent = String(repeating: "  ", count: depth)
      return ["\(indent)\(symbol.kind) \(symbol.name)\(detail) at \(selected)"]
        + lines(symbol.children, depth + 1)
    }
  }
  return lines(bench.analysis(bytes).symbols(), 0).joined(separator: "\n")
}

@Suite struct OutlineTests {
  @Test func `The outline takes requests apart`() throws {
    var bench = Bench()
    bench.results = [Results.ok]
    let text = String(decoding: try Golden.bytes("outline/all.http"), as: UTF8.self)
    Golden.check(outline(text, bench) + "\n", "outline/all.txt")
  }

  @Test func `Secrets are masked wherever they stand`() {
    let text = """
      @password = hunter22
      @key = {{token}}
      @other = s3cr3t-value
      # @note s3cr3t-value
      # @proxy http://ann:hunter22@a.test
      # @curl-user ann:hunter22
      GET https://me:hunter22@{{token}}.test/s3cr3t-value?a=s3cr3t-value
      X-A: s3cr3t-value
      Cookie: sid=1234
      Authorization: s3cr3t

      {"s3cr3t-value": 1}
      """
    let found = outline(text).split(separator: "\n").map { $0.prefix { $0 != "\n" } }
      .map { line in String(line.split(separator: " at ").first ?? "") }.joined(separator: "\n")
    expect(
      found,
      is: """
        variable @password (••••••)
        variable @key ({{token}})
        variable @other (••••••)
        request GET https://{{token}}.test/••••••?a=•••••• (••••••.test)
          tag @note (••••••)
          tag @proxy (http://ann:••••••@a.test)
          tag @curl-user (••••••)
          requestLine GET (https://me:••••••@{{token}}.test/••••••?a=••••••)
            queryParameter a (••••••)
          headers Headers (3)
            header X-A (••••••)
            header Cookie (••••••)
            header Authorization (••••••)
          structuredBody Body (19 B)
            bodyKey ••••••
        """)
  }

  @Test func `Checks are parts of their request, without secrets`() {
    let text = """
      GET https://a.test

      ?? status == 200
      ?? body $.key == s3cr3t-value
      """
    expect(
      outline(text),
      is: """
        request GET https://a.test (a.test) at GET https://a.test
          requestLine GET (https://a.test) at GET https://a.test
          test status == 200 at status == 200
          test body $.key == •••••• at body $.key == s3cr3t-value
        """)
  }

  @Test func `Of very many requests the parts are left out`() {
    let count = Analysis.detailedBlocks + 1
    let text = String(repeating: "###\nGET https://a.test\nA: b\n", count: count)
    let symbols = Bench().analysis(text).symbols()
    #expect(symbols.count == count)
    #expect(symbols.allSatisfy { $0.children.isEmpty })
  }

  @Test func `Of very many requests the checks are told, up to a bound`() {
    let checked = """
      ###
      GET https://a.test
      A: b

      > {% client.test("title", () => {}) %}
      ?? status == 200

      """
    let plain = String(repeating: "###\nGET https://a.test\n", count: Analysis.detailedBlocks)
    let symbols = Bench().analysis(plain + checked).symbols()
    #expect(symbols.dropLast().allSatisfy { $0.children.isEmpty })
    #expect(symbols.last?.children.map(\.name) == ["title", "status == 200"])
    #expect(symbols.last?.children.allSatisfy { $0.kind == .test } == true)

    let count = Analysis.checksOfLongFiles / 2 + 1
    let many = Bench().analysis(String(repeating: checked, count: count)).symbols()
    #expect(many.count == count)
    #expect(many.reduce(0) { $0 + $1.children.count } == Analysis.checksOfLongFiles)
    #expect(many.last?.children.isEmpty == true)
  }
}
