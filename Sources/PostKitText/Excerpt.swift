// Sentences quote what a file says, and a file may say megabytes: displays get the two ends.

extension String {
  /// How many bytes a sentence may have before its middle is left out.
  private static let excerptBytes = 2_000

  /// The text with `…` for its middle where it is longer than a sentence can be. Both ends stay:
  /// what is wrong stands at the beginning of a message, and what to do about it at the end.
  package var excerpt: String { excerpt(upTo: String.excerptBytes) }

  /// The text with `…` for its middle where it has more bytes: a name in a sentence leaves room for
  /// what is said of it.
  package func excerpt(upTo count: Int) -> String {
    guard utf8.count > count else { return self }
    let half = count / 2
    let bytes = utf8
    var start = bytes.index(bytes.startIndex, offsetBy: half)
    while !isCharacterBorder(start) { start = bytes.index(before: start) }
    var end = bytes.index(bytes.endIndex, offsetBy: -half)
    while !isCharacterBorder(end) { end = bytes.index(after: end) }
    return "\(self[..<start])…\(self[end...])"
  }

  /// The text with one blank for each line break and what is indented behind it, for sentences.
  package var inOneLine: String {
    split { $0.isNewline }.map { $0.drop { $0.isWhitespace } }.filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  private func isCharacterBorder(_ index: String.Index) -> Bool {
    index == endIndex || utf8[index] & 0xC0 != 0x80
  }
}
