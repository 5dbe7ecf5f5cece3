// A request file put together of what stays as it is, what is new, and what has changed.

import PostKitHTTP

/// The pieces of a request file in order.
struct RequestFileAssembly {
  /// A block of the file.
  enum Piece: Sendable, Hashable {
    /// One that stays, byte for byte, by its number.
    case kept(Int)
    /// One that is written anew; its text ends with a line end.
    case text(String)
  }

  /// The file before; `nil` for a new one.
  let old: FileParts?
  /// The new head; `nil` where it stays.
  var head: String?
  var pieces: [Piece] = []

  /// The file's bytes.
  var bytes: [UInt8] {
    let lineEnd = old?.usesCRLF == true ? "\r\n" : "\n"
    var result: [UInt8] = []
    if let head {
      if !head.isEmpty { result += encoded(head + "\n", lineEnd) }
    } else if let old {
      result += old.bytes[old.head]
    }
    // The block that stood where the text so far ends: what followed it needs no new blank line.
    var last: Int? = head == nil ? -1 : nil
    for piece in pieces {
      switch piece {
      case .kept(let number):
        guard let old else { continue }
        if last != number - 1 { part(&result, lineEnd) }
        result += old.bytes[old.blocks[number].range]
        last = number
      case .text(let text):
        part(&result, lineEnd)
        result += encoded(text, lineEnd)
        last = nil
      }
    }
    if last != old.map({ $0.blocks.count - 1 }) { end(&result, lineEnd) }
    return (old?.hasMark == true ? [0xEF, 0xBB, 0xBF] : []) + result
  }

  /// Puts a blank line behind what is there.
  private func part(_ bytes: inout [UInt8], _ lineEnd: String) {
    if bytes.isEmpty { return }
    end(&bytes, lineEnd)
    bytes += Array(lineEnd.utf8)
  }

  /// Ends the last line, and takes the blank lines behind it away.
  private func end(_ bytes: inout [UInt8], _ lineEnd: String) {
    while let last = bytes.last, last == 10 || last == 13 { bytes.removeLast() }
    if !bytes.isEmpty { bytes += Array(lineEnd.utf8) }
  }

  private func encoded(_ text: String, _ lineEnd: String) -> [UInt8] {
    let bytes = text.keptBytes
    guard lineEnd != "\n" else { return bytes }
    return bytes.flatMap { $0 == 10 ? [13, 10] : [$0] }
  }
}
