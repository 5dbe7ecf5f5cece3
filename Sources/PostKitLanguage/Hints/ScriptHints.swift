// What scripts came to at their lines when their request was sent last: what they printed, and how
// their tests went.

import PostKitEvaluate
package import PostKitHTTP
import PostKitSyntax

extension LastResult {
  /// How much of what was printed is drawn.
  private static let shownCharacters = 60

  /// Notes what the lines of scripts came to; `template` is the request as it was written.
  package mutating func noteLines(_ tests: [TestResult], _ output: [OutputLine]) {
    var texts: [Int: [String]] = [:]
    for test in tests where test.milliseconds != nil && test.line > 0 && test.path.isEmpty {
      let why = test.message.isEmpty ? "" : " " + LastResult.short(test.message)
      let text = test.passed ? "✓" : "✗" + why
      // Of a test that is made several times the failure counts.
      if texts[test.line] == nil || !test.passed { texts[test.line] = [text] }
    }
    var printed: [Int: (last: OutputLine, count: Int)] = [:]
    for line in output where line.line > 0 && line.path.isEmpty {
      printed[line.line] = (line, (printed[line.line]?.count ?? 0) + 1)
    }
    for (line, (last, count)) in printed {
      let times = count > 1 ? " ×\(count)" : ""
      texts[line, default: []].append("→ \(LastResult.short(last.text))\(times)")
    }
    guard !texts.isEmpty else { return }
    let document = ParsedDocument(bytes: Array(template.keptBytes))
    guard let block = document.requests.first else { return }
    let requestLine = document.line(at: block.requestLine.lowerBound)
    notes = texts.sorted { $0.key < $1.key }.compactMap { line, texts in
      document.textOfLine(requestLine + line - self.line).map {
        LineNote(distance: line - self.line, source: $0, text: texts.joined(separator: "  "))
      }
    }
  }

  private static func short(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > shownCharacters ? line.prefix(shownCharacters - 1) + "…" : line
  }
}

extension ParsedDocument {
  /// The text of a line, which counts from 0, without the blanks around it.
  fileprivate func textOfLine(_ line: Int) -> String? {
    guard line >= 0, let start = offset(ofLine: line) else { return nil }
    let bytes = bytes[start...].prefix { $0 != 10 && $0 != 13 }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }
}

extension Analysis {
  /// What the lines of the scripts of a block came to; nothing for a line that says something else
  /// by now.
  func scriptHints(_ block: ParsedBlock, _ range: Range<Int>) -> [InlayHint] {
    guard let result = result(of: block), !result.notes.isEmpty else { return [] }
    let requestLine = document.line(at: block.requestLine.lowerBound)
    return result.notes.compactMap { note in
      let line = requestLine + note.distance
      guard line >= 0, let start = document.offset(ofLine: line), block.range.contains(start),
        document.textOfLine(line) == note.source
      else { return nil }
      let end = start + document.bytes[start...].prefix { $0 != 10 && $0 != 13 }.count
      guard range.lowerBound <= end, start <= range.upperBound else { return nil }
      return InlayHint(offset: end, text: note.text, kind: .script)
    }
  }
}
