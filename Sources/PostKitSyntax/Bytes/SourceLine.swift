// The lines of a file, before anything is known of what they mean.

import PostKitText

/// One line: its text and its line end, LF or CRLF. A CR alone is text (PK-1).
struct SourceLine: Sendable, Hashable {
  /// Where the line begins.
  var start: Int
  /// Where the line end begins.
  var contentEnd: Int
  /// Where the next line begins.
  var end: Int

  /// The line without its line end.
  var content: Range<Int> { start..<contentEnd }

  /// An empty line at the start.
  init() { (start, contentEnd, end) = (0, 0, 0) }

  /// Finds the line that begins at `start`; it ends at `limit` at the latest.
  init(_ bytes: ByteView, start: Int, limit: Int) {
    let feed = bytes.first(Byte.lineFeed, in: start..<limit)
    self.init(bytes, start: start, end: feed.map { $0 + 1 } ?? limit)
  }

  /// The line between two places, its line end included.
  @inline(__always) init(_ bytes: ByteView, start: Int, end: Int) {
    self.start = start
    self.end = end
    contentEnd = end
    guard end > start, bytes[end - 1] == Byte.lineFeed else { return }
    contentEnd -= 1
    if contentEnd > start, bytes[contentEnd - 1] == Byte.carriageReturn { contentEnd -= 1 }
  }
}
