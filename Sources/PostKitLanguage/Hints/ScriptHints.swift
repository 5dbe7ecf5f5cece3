// What scripts came to at their lines when their request was sent last: what they printed and set,
// and how their tests went.

import PostKitEvaluate
package import PostKitHTTP
import PostKitSyntax

extension LastResult {
  /// How much of what was printed is drawn.
  private static let shownCharacters = 60

  /// Notes what the lines of the scripts of an exchange came to; `template` is the request as it
  /// was written.
  package mutating func noteLines(_ exchange: Exchange) {
    var texts: [Int: [String]] = [:]
    for test in exchange.tests
    where test.milliseconds != nil && test.line > 0 && test.path.isEmpty {
      let why = test.message.isEmpty ? "" : " " + LastResult.short(test.message)
      let text = test.passed ? "✓" : "✗" + why
      // Of a test that is made several times the failure counts.
      if texts[test.line] == nil || !test.passed { texts[test.line] = [text] }
    }
    var printed: [Int: (last: OutputLine, count: Int)] = [:]
    for line in exchange.output where line.line > 0 && line.path.isEmpty {
      printed[line.line] = (line, (printed[line.line]?.count ?? 0) + 1)
    }
    for (line, (last, count)) in printed {
      let times = count > 1 ? " ×\(count)" : ""
      texts[line, default: []].append("→ \(LastResult.short(last.text))\(times)")
    }
    guard !texts.isEmpty || !exchange.assigned.isEmpty else { return }
    let document = ParsedDocument(bytes: Array(template.keptBytes))
    guard let block = document.requests.first else { return }
    let requestLine = document.line(at: block.requestLine.lowerBound)
    for (place, text) in block.assignments(exchange.assigned) {
      texts[document.line(at: place) - requestLine + line, default: []].append(text)
    }
    let scripts = block.numberedScripts
    notes = texts.sorted { $0.key < $1.key }.compactMap { line, texts in
      let place = requestLine + line - self.line
      guard place >= 0, let start = document.offset(ofLine: place),
        let source = document.textOfLine(place),
        let script = scripts.first(where: { $0.range.touches(start) })
      else { return nil }
      return LineNote(
        distance: line - self.line, source: source, script: script.number,
        text: texts.joined(separator: "  "))
    }
  }

  /// The beginning of a text on one line.
  fileprivate static func short(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > shownCharacters ? line.prefix(shownCharacters - 1) + "…" : line
  }
}

extension ParsedBlock {
  /// Where the scripts of the block set variables, with the values that these have got.
  fileprivate func assignments(_ values: [AssignedValue]) -> [(place: Int, text: String)] {
    let texts = Dictionary(values.map { ($0.name, $0.text) }, uniquingKeysWith: { $1 })
    if texts.isEmpty { return [] }
    return scripts.flatMap { script -> [(place: Int, text: String)] in
      guard let range = script.text.map(absolute) else { return [] }
      return ScriptNames.names(in: bytes[range], isLua: isLua(script)).compactMap { name in
        guard name.role == .globalVariable || name.role == .variable, let text = texts[name.name]
        else { return nil }
        return (range.lowerBound + name.range.lowerBound, "= " + LastResult.short(text))
      }
    }
  }

  /// The scripts of the block, each with a number that stands for its text.
  fileprivate var numberedScripts: [(range: Range<Int>, number: Int)] {
    scripts.compactMap { script in
      guard let text = script.text else { return nil }
      var hasher = Hasher()
      bytes[absolute(text)].withUnsafeBytes { hasher.combine(bytes: $0) }
      return (absolute(script.range), hasher.finalize())
    }
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
  /// What the lines of the scripts of a block came to. Where a script was edited since, its lines
  /// that are still there say that what stands behind them is older than that.
  func scriptHints(_ block: ParsedBlock, _ range: Range<Int>) -> [InlayHint] {
    guard let result = result(of: block), !result.notes.isEmpty else { return [] }
    let requestLine = document.line(at: block.requestLine.lowerBound)
    let (first, last) = (block.range.lowerBound, block.range.upperBound)
    let lines = document.line(at: first)...document.line(at: last)
    let scripts = block.numberedScripts
    // Where lines were inserted or removed, all below have moved as far.
    var shift = 0
    var taken = -1
    return result.notes.compactMap { note in
      let expected = requestLine + note.distance
      guard let line = document.line(saying: note.source, near: expected + shift, in: lines),
        line > taken, let start = document.offset(ofLine: line),
        let script = scripts.first(where: { $0.range.touches(start) })
      else { return nil }
      (shift, taken) = (line - expected, line)
      let end = start + document.bytes[start...].prefix { $0 != 10 && $0 != 13 }.count
      guard range.lowerBound <= end, start <= range.upperBound else { return nil }
      let isStale = script.number != note.script
      return InlayHint(
        offset: end, text: isStale ? note.text + LineNote.staleMark : note.text,
        kind: .script(isStale: isStale))
    }
  }
}

extension LineNote {
  /// What says that a script was edited since.
  fileprivate static let staleMark = "  (before the edit)"
}

extension ParsedDocument {
  /// The line of some text that is nearest to where it is expected.
  fileprivate func line(
    saying text: String, near expected: Int, in lines: ClosedRange<Int>
  ) -> Int? {
    // Whoever moves a line further away sends again to see what it comes to.
    for distance in 0...min(lines.count, 50) {
      for line in distance == 0 ? [expected] : [expected - distance, expected + distance]
      where lines.contains(line) && textOfLine(line) == text { return line }
    }
    return nil
  }
}
