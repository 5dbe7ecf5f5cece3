// Random edits of a file, each parsed with what the parse before can lend it.

import PostKitSyntax
import PostKitTestSupport

/// A file that is put together of pieces and edited for a while.
struct EditedDocument {
  /// The text as it is.
  private(set) var bytes: [UInt8]
  /// Its parse.
  private(set) var document: ParsedDocument
  private var pieces: [String]
  private let choice: [String]
  private var random: RepeatableGenerator

  init(_ pieces: [String], seed: Int) {
    choice = pieces
    random = RepeatableGenerator(seed: UInt64(seed))
    self.pieces = pieces.shuffled(using: &random)
    bytes = Array(self.pieces.joined().utf8)
    document = ParsedDocument(bytes: bytes)
  }

  /// Makes an edit: a piece more, or a letter in one.
  mutating func edit() {
    let at = random.int(in: 0..<pieces.count)
    if random.oneIn(2) { pieces.insert(random.pick(choice), at: at) } else { pieces[at] += "x\n" }
    if pieces.count > 60 { pieces.removeFirst(20) }
    bytes = Array(pieces.joined().utf8)
    document = ParsedDocument(bytes: bytes, reusing: document)
  }
}
