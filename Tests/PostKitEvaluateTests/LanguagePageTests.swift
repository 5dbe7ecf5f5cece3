// The page that explains the language: its examples are well formed and send what it says.

import Foundation
import PostKitEvaluate
import PostKitSyntax
import PostKitTestSupport
import Testing

@Suite struct LanguagePageTests {
  /// An `http` fence of the page, with what the `sent` fence after it says.
  struct Example: CustomTestStringConvertible, Sendable {
    var source: String
    var sent: String?
    var testDescription: String { String(source.prefix { $0 != "\n" }) }
  }

  static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/PostKitSyntax/README.md")

  static let examples: [Example] = {
    // Without the page there are no examples, which the first test tells.
    let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    var examples: [Example] = []
    for match in text.matches(of: #/```(http|sent)\n([^`]*)```/#) {
      if match.1 == "http" {
        examples.append(Example(source: String(match.2)))
      } else if !examples.isEmpty {
        examples[examples.count - 1].sent = String(match.2.dropLast())
      }
    }
    return examples
  }()

  @Test func `The page has an example for every feature`() {
    #expect(Self.examples.count >= 13)
    #expect(Self.examples.filter { $0.sent != nil }.count >= 7)
  }

  /// The tags as the page shows them.
  private static var tags: String {
    let working = MetadataTable.all.filter { $0.status == .works }.map { entry in
      let usages = entry.keys.map { "`@\(entry.usage($0).replacing("|", with: "\\|"))`" }
      return "| \(usages.joined(separator: ", ")) | \(entry.summary) |"
    }
    let others = MetadataTable.all.filter { $0.status != .works }.flatMap { entry in
      entry.keys.map { "`@\($0)\(entry.isOpen ? "-…" : "")`" }
    }
    return """
      | tag | what it does |
      |---|---|
      \(working.joined(separator: "\n"))

      These tags of other tools have no effect: \(others.joined(separator: ", ")).
      """
  }

  @Test func `The page has the tags of the table`() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let start = try #require(text.firstRange(of: "writes what follows. -->\n")).upperBound
    let end = try #require(text.firstRange(of: "<!-- End of the tags. -->")).lowerBound
    Golden.check(
      "\(text[..<start])\n\(Self.tags)\n\n\(text[end...])",
      "../../../Sources/PostKitSyntax/README.md")
  }

  @Test(arguments: examples)
  func `An example is well formed, laid out, and sends what the page says`(
    example: Example
  ) throws {
    let document = ParsedDocument(bytes: Array(example.source.utf8))
    #expect(document.blocks.flatMap(\.syntax.problems).isEmpty)
    #expect(Formatting(document).edits.isEmpty)
    guard let sent = example.sent else { return }
    #expect(document.requests.count == 1)
    #expect(Laboratory().lower(example.source).text == sent)
  }
}
