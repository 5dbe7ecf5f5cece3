// Every fix of every case of the catalogue, applied and looked at again.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

struct QuickFixTests {
  @Test("A fix takes its diagnostic away and brings no error or warning", arguments: DiagnosticCode.allCases)
  func applied(_ code: DiagnosticCode) throws {
    let example = try DiagnosticCase(code)
    let before = example.diagnostics(example.bytes)
    for diagnostic in before where diagnostic.code == code {
      for fix in example.fixes(for: diagnostic, in: example.bytes) where fix.files.isEmpty {
        let text = try #require(TextEdit.apply(fix.edits, to: example.bytes), "\(fix.title)")
        let after = example.diagnostics(text)
        let count = { (list: [Diagnostic]) in list.count { $0.code == code } }
        #expect(
          count(after) < count(before),
          "\(fix.title): \(String(decoding: text, as: UTF8.self)) \(after)")
        // What is no longer a mistake can have remarks of its own.
        let known = Set(before.map(\.code))
        let graver = after.filter { $0.severity.rawValue <= DiagnosticSeverity.warning.rawValue }
        #expect(graver.allSatisfy { known.contains($0.code) }, "\(fix.title): \(after)")
      }
    }
  }

  /// What each request of a text sends; `nil` for one that can't be sent.
  private func sent(_ bytes: [UInt8], _ bench: Bench) -> [String?] {
    let analysis = bench.analysis(bytes)
    return analysis.document.requests.map { block in
      analysis.lowered(block).spec.map {
        "\($0.method) \($0.url) \($0.headers.fields) \($0.body) \($0.options)"
      }
    }
  }

  @Test("What is mended without asking sends the same as before", arguments: DiagnosticCode.allCases)
  func meaning(_ code: DiagnosticCode) throws {
    let example = try DiagnosticCase(code)
    let analysis = example.bench.analysis(example.bytes)
    guard let all = analysis.fixAll(example.diagnostics(example.bytes)) else { return }
    let text = try #require(TextEdit.apply(all.edits, to: example.bytes))
    let (before, after) = (sent(example.bytes, example.bench), sent(text, example.bench))
    try #require(before.count == after.count)
    for (old, new) in zip(before, after) where old != nil { #expect(new == old) }
  }

  @Test(
    "The best fixes, one after the other, leave no such diagnostic",
    arguments: DiagnosticCode.allCases)
  func repeated(_ code: DiagnosticCode) throws {
    let example = try DiagnosticCase(code)
    var bytes = example.bytes
    func edits(_ diagnostic: Diagnostic) -> [TextEdit]? {
      example.fixes(for: diagnostic, in: bytes).first { $0.files.isEmpty }?.edits
    }
    for _ in 0..<10 {
      let left = example.diagnostics(bytes).filter { $0.code == code }
      guard let fix = left.lazy.compactMap({ edits($0) }).first else { break }
      bytes = try #require(TextEdit.apply(fix, to: bytes))
    }
    let left = example.diagnostics(bytes).filter { $0.code == code }
    #expect(left.allSatisfy { edits($0) == nil })
  }

  @Test func `What the fixes are called, and what becomes of the line`() throws {
    var lines: [String] = []
    for code in DiagnosticCode.allCases {
      let example = try DiagnosticCase(code)
      for diagnostic in example.diagnostics(example.bytes) where diagnostic.code == code {
        for fix in example.fixes(for: diagnostic, in: example.bytes) {
          let text = try #require(TextEdit.apply(fix.edits, to: example.bytes))
          lines.append("== \(code.rawValue): \(fix.title)")
          lines += TextDifference.lines(
            expected: String(decoding: example.bytes, as: UTF8.self),
            actual: String(decoding: text, as: UTF8.self)).split(separator: "\n").map(String.init)
        }
      }
    }
    Golden.check(lines.joined(separator: "\n") + "\n", "fixes.txt")
  }

  @Test func `Fixes keep the file's line ends and its byte order mark`() throws {
    let text = Array("\u{FEFF}POST https://a.test/\r\nA: b\r\n{}\r\n\r\n{{nothing}}\r\n".utf8)
    let analysis = Bench().analysis(text)
    func fixed(_ code: DiagnosticCode) throws -> String {
      let diagnostic = try #require(
        analysis.diagnostics(limit: 9).first { $0.code == code })
      let fix = try #require(analysis.fixes(for: diagnostic).first)
      let bytes = try #require(TextEdit.apply(fix.edits, to: text))
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(
      try fixed(.missingBlankLine)
        == "\u{FEFF}POST https://a.test/\r\nA: b\r\n\r\n{}\r\n\r\n{{nothing}}\r\n")
    #expect(
      try fixed(.unresolvedVariable).hasPrefix("\u{FEFF}@nothing = \r\nPOST https://a.test/\r\n"))
  }

  @Test func `A word of a command goes with the line that it alone stands on`() throws {
    let text = Array("curl https://a.test/ \\\n  --no-such-option \\\n  -H 'a: b'\n".utf8)
    let analysis = Bench().analysis(text)
    let diagnostic = try #require(analysis.diagnostics(limit: 9).first)
    let fix = try #require(analysis.fixes(for: diagnostic).first)
    let bytes = try #require(TextEdit.apply(fix.edits, to: text))
    #expect(String(decoding: bytes, as: UTF8.self) == "curl https://a.test/ \\\n  -H 'a: b'\n")
  }

  @Test func `Requests, methods and tools' own forms`() throws {
    func fixes(_ text: String) -> [String] {
      let analysis = Bench().analysis(text)
      return analysis.diagnostics(limit: 9).flatMap { diagnostic in
        analysis.fixes(for: diagnostic).map { fix in
          let bytes = TextEdit.apply(fix.edits, to: Array(text.utf8)) ?? []
          return "\(fix.title) -> \(String(decoding: bytes, as: UTF8.self).debugDescription)"
        }
      }
    }
    #expect(
      fixes("### login\nGET https://a.test/\n\n### use\n# @ref logni\nGET https://b.test/\n")
        .first?.contains("# @ref login\\nGET") == true)
    #expect(
      fixes("### login\nGET https://a.test/\n\n###\nrun #logn\n")
        == [####"Write `login` -> "### login\nGET https://a.test/\n\n###\nrun #login\n""####])
    #expect(
      fixes("# @name login\nGET https://a.test/\n\n###\nGET https://b.test/{{logn.response.body}}\n")
        .first?.hasSuffix("GET https://b.test/{{login.response.body}}\\n\"") == true)
    #expect(fixes("PSOT https://a.test/\n") == [####"Write `POST` -> "POST https://a.test/\n""####])
    #expect(
      fixes("GET https://a.test/\nX-Long: one\n  two\n\n")
        == [####"Write the value on one line -> "GET https://a.test/\nX-Long: one two\n\n""####])
    #expect(
      fixes("GET https://a.test/\n\nGET https://b.test/\n")
        == [####"Add `###` before it -> "GET https://a.test/\n\n###\nGET https://b.test/\n""####])
  }
}
