// How two texts differ, line by line.

/// Changed lines with what stands around them.
package struct LineHunk: Sendable, Hashable {
  /// What became of a line.
  package enum Mark: String, Sendable, Hashable {
    case kept = " "
    case removed = "-"
    case added = "+"
  }

  /// A line without its end.
  package struct Line: Sendable, Hashable {
    package var mark: Mark
    package var text: String
  }

  /// The first line in the older text, counted from 1.
  package var oldLine: Int
  /// The first line in the newer text, counted from 1.
  package var newLine: Int
  package var lines: [Line]
}

/// Compares texts.
package enum LineDifference {
  /// Equal lines shown around a change.
  private static let context = 2

  /// The changes from one text to another, in order.
  package static func hunks(from old: String, to new: String) -> [LineHunk] {
    let (old, new) = (lines(old), lines(new))
    var hunks: [LineHunk] = []
    // Where the last hunk ends in the old text.
    var end = 0
    for gap in Alignment.gaps(old, new) {
      let lead = min(context, gap.old.lowerBound - end)
      if hunks.isEmpty || gap.old.lowerBound - end > 2 * context {
        if !hunks.isEmpty {
          hunks[hunks.count - 1].lines += kept(old[end..<end + context])
        }
        hunks.append(
          LineHunk(
            oldLine: gap.old.lowerBound - lead + 1, newLine: gap.new.lowerBound - lead + 1,
            lines: kept(old[gap.old.lowerBound - lead..<gap.old.lowerBound])))
      } else {
        hunks[hunks.count - 1].lines += kept(old[end..<gap.old.lowerBound])
      }
      hunks[hunks.count - 1].lines += old[gap.old].map { line(.removed, $0) }
      hunks[hunks.count - 1].lines += new[gap.new].map { line(.added, $0) }
      end = gap.old.upperBound
    }
    if !hunks.isEmpty {
      hunks[hunks.count - 1].lines += kept(old[end..<min(end + context, old.count)])
    }
    return hunks
  }

  private static func kept(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [LineHunk.Line] {
    lines.map { line(.kept, $0) }
  }

  private static func line(_ mark: LineHunk.Mark, _ bytes: ArraySlice<UInt8>) -> LineHunk.Line {
    LineHunk.Line(mark: mark, text: String(decoding: bytes, as: UTF8.self))
  }

  /// Lines as bytes, because `==` of strings takes different spellings of an accent for equal.
  private static func lines(_ text: String) -> [ArraySlice<UInt8>] {
    let bytes = Array(text.utf8)
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }
}
