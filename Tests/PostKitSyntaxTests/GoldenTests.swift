// Parsed files as text, compared with what was read and found right.

import PostKitSyntax
import PostKitTestSupport
import Testing

@Suite struct GoldenTests {
  @Test(arguments: ["valid", "broken"])
  func `Every example parses as recorded`(folder: String) throws {
    let names = Golden.names(in: folder, extension: "http")
      + Golden.names(in: folder, extension: "md")
    #expect(!names.isEmpty)
    for name in names {
      let bytes = try Golden.bytes("\(folder)/\(name)")
      let document = ParsedDocument(bytes: bytes, format: ParsedDocument.format(ofPath: name))
      Golden.check(SyntaxDump.text(of: document), "\(folder)/\(name).tree")
    }
  }

  @Test func `Valid examples have no problems`() throws {
    for name in Golden.names(in: "valid", extension: "http") {
      let document = ParsedDocument(bytes: try Golden.bytes("valid/\(name)"))
      for block in document.blocks {
        #expect(block.syntax.problems.isEmpty, "\(name), block \(block.index)")
      }
    }
  }

  @Test func `Every broken example has a problem`() throws {
    for name in Golden.names(in: "broken", extension: "http") {
      let document = ParsedDocument(bytes: try Golden.bytes("broken/\(name)"))
      #expect(document.blocks.contains { !$0.syntax.problems.isEmpty }, "\(name)")
    }
  }
}
