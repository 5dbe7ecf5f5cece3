// Positions written into the text itself, so that nobody counts columns.

/// A text with markers: keycaps 1️⃣ to 9️⃣ mark positions, ⏩ and ⏪ enclose selections.
package struct MarkedText: Sendable, Hashable {
  /// The text without markers.
  package let text: String
  /// The offsets of the keycaps in bytes, by their number.
  package let offsets: [Int: Int]
  /// What ⏩ and ⏪ enclose, in order, in bytes.
  package let selections: [Range<Int>]

  /// Takes the markers out of a text; of equal keycaps the last counts.
  package init(_ source: String) {
    var bytes: [UInt8] = []
    var offsets: [Int: Int] = [:]
    var selections: [Range<Int>] = []
    var start: Int?
    let input = Array(source.utf8)
    var at = 0
    while at < input.count {
      let rest = input[at...]
      if rest.count >= 7, (0x31...0x39).contains(rest[at]),
        rest.dropFirst().starts(with: MarkedText.keycap)
      {
        offsets[Int(rest[at]) - 0x30] = bytes.count
        at += 7
      } else if rest.starts(with: MarkedText.begin) {
        start = bytes.count
        at += 3
      } else if rest.starts(with: MarkedText.end), let from = start {
        selections.append(from..<bytes.count)
        start = nil
        at += 3
      } else {
        bytes.append(rest[at])
        at += 1
      }
    }
    self.text = String(decoding: bytes, as: UTF8.self)
    self.offsets = offsets
    self.selections = selections
  }

  /// The text as bytes.
  package var bytes: [UInt8] { Array(text.utf8) }

  /// The offset of a keycap in bytes; a test that asks for a marker that isn't there is wrong.
  package func offset(_ number: Int = 1) -> Int {
    guard let offset = offsets[number] else { preconditionFailure("there is no marker \(number)") }
    return offset
  }

  /// The bytes between two keycaps.
  package func range(_ from: Int, _ to: Int) -> Range<Int> { offset(from)..<offset(to) }

  /// The text with keycaps put at offsets, numbered from 1 in order of the list.
  package static func mark(_ text: String, at offsets: [Int]) -> String {
    var bytes = Array(text.utf8)
    let numbered = offsets.enumerated().sorted { ($0.element, $0.offset) > ($1.element, $1.offset) }
    for (index, offset) in numbered where index < 9 {
      bytes.insert(contentsOf: [UInt8(0x31 + index)] + keycap, at: min(offset, bytes.count))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let keycap: [UInt8] = [0xEF, 0xB8, 0x8F, 0xE2, 0x83, 0xA3]
  private static let begin: [UInt8] = [0xE2, 0x8F, 0xA9]
  private static let end: [UInt8] = [0xE2, 0x8F, 0xAA]
}
