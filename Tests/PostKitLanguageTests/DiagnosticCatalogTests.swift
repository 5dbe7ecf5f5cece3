// The table of the diagnostics, as people read it.

import PostKitLanguage
import PostKitTestSupport
import Testing

struct DiagnosticCatalogTests {
  @Test func `Every code has a meaning and a remedy, and the page lists them all`() {
    for code in DiagnosticCode.allCases {
      #expect(code.meaning.hasSuffix("."), "\(code.rawValue)")
      #expect(code.remedy.hasSuffix("."), "\(code.rawValue)")
    }
    let rows = DiagnosticCode.allCases.map { code in
      "| `\(code.rawValue)` | \(code.severity) | \(code.meaning) | \(code.remedy) |"
    }
    Golden.check(
      """
      # What PostKit says about a file

      The editor and `postkit check` give each remark one of these codes. Errors keep a request from
      being sent; nothing else does.

      | code | severity | what it means | what to do |
      | --- | --- | --- | --- |
      \(rows.joined(separator: "\n"))

      """, "../../../Sources/PostKitLanguage/DIAGNOSTICS.md")
  }
}
