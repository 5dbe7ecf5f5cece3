// The one promise of the layout: what would be sent stays the same.

import Foundation
import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

@Suite struct FormattingTests {
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `The layout of any file changes nothing that is sent`(seed: UInt64) {
    var generator = RepeatableGenerator(seed: seed)
    for _ in 0..<10 { check(Array(generator.requestFile().utf8), "seed \(seed)") }
  }

  @Test func `The layout of our own samples changes nothing that is sent`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    var count = 0
    for folder in ["editors", "Tests"] {
      let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
      for case let name as String in try #require(files) {
        guard [".http", ".rest", ".md"].contains(where: name.hasSuffix) else { continue }
        let url = root.appending(path: folder).appending(path: name)
        check(Array(try Data(contentsOf: url)), name)
        count += 1
      }
    }
    #expect(count > 15)
  }

  private func check(_ bytes: [UInt8], _ name: String) {
    let format = ParsedDocument.format(ofPath: name)
    let before = ParsedDocument(bytes: bytes, format: format)
    guard let laidOut = TextEdit.apply(Formatting(before).edits, to: bytes) else {
      Issue.record("\(name): the edits overlap")
      return
    }
    let after = ParsedDocument(bytes: laidOut, format: format)
    #expect(before.requests.map(\.name) == after.requests.map(\.name), "\(name)")
    guard before.requests.count == after.requests.count else { return }
    for (old, new) in zip(before.requests, after.requests) {
      let (old, new) = (lower(old, of: before), lower(new, of: after))
      #expect(old.spec == new.spec, "\(name)")
      #expect(old.settings.options == new.settings.options, "\(name)")
      #expect(old.problems.map(\.code) == new.problems.map(\.code), "\(name)")
    }
  }

  private func lower(_ block: ParsedBlock, of document: ParsedDocument) -> LoweredRequest {
    var laboratory = Laboratory(overrides: ["m": "PUT", "whole": "X-Whole: 1"])
    laboratory.files = ["./file.json": "{}", "./b.txt": "{{a}}"]
    return Lowering.lower(
      block, evaluator: laboratory.evaluator(document),
      defaults: RequestDefaults(userAgent: "test"))
  }
}
