// Which of the last results belongs to which request, although the file was edited since.

import PostKitHTTP
package import PostKitSyntax

/// The newest results of a file's requests, by what they are found by; an object, so that who looks
/// at a file again need not put thousands of them in order anew.
package final class ResultTable: Sendable {
  /// The results, newest first.
  package let results: [LastResult]
  fileprivate let byName: [String: LastResult]
  fileprivate let byText: [String: [LastResult]]
  fileprivate let byLine: [Int: LastResult]

  /// Puts results, newest first, in order.
  package init(_ results: [LastResult]) {
    self.results = results
    var (byName, byLine): ([String: LastResult], [Int: LastResult]) = ([:], [:])
    var byText: [String: [LastResult]] = [:]
    for result in results {
      if let name = result.requestName {
        if byName[name] == nil { byName[name] = result }
        continue
      }
      if byLine[result.line] == nil { byLine[result.line] = result }
      byText[ResultIndex.key(result), default: []].append(result)
    }
    (self.byName, self.byText, self.byLine) = (byName, byText, byLine)
  }
}

/// Finds the last result of each request of a file: by name; without one by the text of the
/// request, which moves with it; else by the line that it stood on.
package struct ResultIndex: Sendable {
  /// The results.
  package let table: ResultTable
  /// How many requests without a name have each text.
  private let counts: [String: Int]
  private let trees: BlockTrees

  /// Puts results, newest first, in order for the requests of a document.
  init(_ results: [LastResult], _ document: ParsedDocument) {
    self.init(ResultTable(results), document, reusing: nil)
  }

  /// Finds the results for the requests of a document, with what is known of the last look at it.
  package init(_ table: ResultTable, _ document: ParsedDocument, reusing last: ResultIndex?) {
    self.table = table
    trees = document.blocks.trees
    let count = document.blocks.count
    if let last, last.hasCounted || table.byText.isEmpty, last.trees.count == count,
      last.trees.equalEnds(with: trees).front == count
    {
      counts = last.counts
      return
    }
    var counts: [String: Int] = [:]
    if !table.byText.isEmpty {
      for block in document.requests where block.name == nil {
        counts[ResultIndex.key(block), default: 0] += 1
      }
    }
    self.counts = counts
  }

  /// Whether the texts of the requests were looked at.
  private var hasCounted: Bool { !table.byText.isEmpty }

  /// The last result of a request on a line, counted from 1.
  func result(of block: ParsedBlock, line: Int) -> LastResult? {
    if let name = block.name { return table.byName[name] }
    guard !table.byLine.isEmpty else { return nil }
    let text = ResultIndex.key(block)
    if let same = table.byText[text] {
      // Requests of one text are told apart by their lines.
      if counts[text] == 1 { return same.first }
      if let here = same.first(where: { $0.line == line }) { return here }
    }
    // The request was edited; unless the result is that of another one, which has moved.
    guard let here = table.byLine[line],
      here.template.isEmpty || counts[ResultIndex.key(here)] == nil
    else { return nil }
    return here
  }

  private static func key(_ block: ParsedBlock) -> String { key(block.bytes[block.range]) }

  fileprivate static func key(_ result: LastResult) -> String { key(result.template.keptBytes) }

  /// The beginning of a request's text without the blanks around it.
  private static func key(_ text: some BidirectionalCollection<UInt8>) -> String {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let text = text.drop(while: isBlank).prefix(LastResult.templateBytes)
    let end = text.lastIndex { !isBlank($0) }
    return end.map { String(decoding: text[...$0], as: UTF8.self) } ?? ""
  }
}
