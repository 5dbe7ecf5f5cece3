// Changes of a text: as clients send them, and as features propose them.

/// One content change of `textDocument/didChange`.
package enum TextChange: Sendable, Hashable {
  /// The whole new text.
  case full(String)
  /// New text for a range; ends in the wrong order are swapped (PROMISES.md D3).
  case ranged(from: TextPosition, to: TextPosition, text: String)

  /// Whether the change replaces the whole text.
  package var isFull: Bool {
    if case .full = self { true } else { false }
  }
}

/// A replacement of a range of bytes.
package struct TextEdit: Sendable, Hashable {
  /// The bytes that are replaced.
  package var range: Range<Int>
  /// What replaces them.
  package var replacement: String

  /// Makes an edit.
  package init(_ range: Range<Int>, _ replacement: String) {
    self.range = range
    self.replacement = replacement
  }

  /// Where an offset of the text before is after the edit; one inside what is replaced stays as far
  /// from its start as the new text goes.
  package func moved(_ offset: Int) -> Int {
    let added = replacement.utf8.count
    if offset >= range.upperBound { return offset + added - range.count }
    return offset < range.lowerBound ? offset : min(offset, range.lowerBound + added)
  }

  /// The text after all edits, whose ranges all mean the text before. Insertions at one place keep
  /// their order. `nil` when ranges overlap or lie outside the text: then nothing may be changed.
  package static func apply(_ edits: [TextEdit], to bytes: [UInt8]) -> [UInt8]? {
    guard let sorted = sorted(edits),
      sorted.last.map({ $0.range.upperBound <= bytes.count }) ?? true
    else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var at = 0
    for edit in sorted {
      result.append(contentsOf: bytes[at..<edit.range.lowerBound])
      result.append(contentsOf: edit.replacement.utf8)
      at = edit.range.upperBound
    }
    result.append(contentsOf: bytes[at...])
    return result
  }

  /// The edits in order of the text, those at one place in the order given; `nil` when they overlap
  /// or begin before the text (LSP 3.18, TextEdit[]).
  package static func sorted(_ edits: [TextEdit]) -> [TextEdit]? {
    let sorted = edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.element.range.isEmpty ? 0 : 1, $0.offset)
        < ($1.element.range.lowerBound, $1.element.range.isEmpty ? 0 : 1, $1.offset)
    }.map(\.element)
    guard sorted.first.map({ $0.range.lowerBound >= 0 }) ?? true else { return nil }
    for (before, after) in zip(sorted, sorted.dropFirst())
    where before.range.upperBound > after.range.lowerBound {
      return nil
    }
    return sorted
  }

  /// The one smallest edit that turns a text into another; `nil` when they are equal. It begins and
  /// ends on scalar boundaries and never between CR and LF of either text.
  package static func minimal(from old: [UInt8], to new: [UInt8]) -> TextEdit? {
    let common = CommonEnds(old, new)
    let shorter = min(old.count, new.count)
    if common.prefix == shorter, old.count == new.count { return nil }
    var head = common.prefix
    while head > 0, splits(old, head) || splits(new, head) { head -= 1 }
    var tail = min(common.suffix, shorter - head)
    while tail > 0, splits(old, old.count - tail) || splits(new, new.count - tail) { tail -= 1 }
    return TextEdit(
      head..<old.count - tail,
      String(decoding: new[head..<new.count - tail], as: UTF8.self))
  }

  /// Whether an offset lies inside a scalar or between CR and LF.
  private static func splits(_ bytes: [UInt8], _ offset: Int) -> Bool {
    guard offset > 0, offset < bytes.count else { return false }
    if bytes[offset] & 0xC0 == 0x80 { return true }
    return bytes[offset] == 0x0A && bytes[offset - 1] == 0x0D
  }
}
