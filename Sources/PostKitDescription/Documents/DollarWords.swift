// What a description's text has of `$ref` and `$anchor`, found by its bytes.

import PostKitJSON
import PostKitText

/// The names that begin with `$` in a JSON text, found in one look at its bytes, because a walk of
/// all values would take longer than to read them.
struct DollarWords {
  /// Whether `$anchor` stands somewhere.
  private(set) var hasAnchors = false
  /// The texts of references that name another document.
  private(set) var otherDocuments: [String] = []

  /// Looks through a text.
  init(in bytes: [UInt8]) {
    let dollar = UInt8(ascii: "$")
    bytes.withUnsafeBytes { text in
      var at = 0
      while at + 8 <= text.count {
        let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        // The sign is rare in descriptions, so that most bytes need no closer look.
        var found = word.places(of: dollar)
        while found != 0 {
          read(text, at: at + found.trailingZeroBitCount / 8)
          found &= found - 1
        }
        at += 8
      }
      while at < text.count {
        if text[at] == dollar { read(text, at: at) }
        at += 1
      }
    }
  }

  private mutating func read(_ text: UnsafeRawBufferPointer, at dollar: Int) {
    guard dollar > 0, text[dollar - 1] == UInt8(ascii: "\"") else { return }
    func follows(_ name: StaticString) -> Bool {
      name.withUTF8Buffer { text[(dollar + 1)...].starts(with: $0) }
    }
    if !hasAnchors, follows("anchor\"") { hasAnchors = true }
    guard follows("ref\"") else { return }
    var at = dollar + 5
    while at < text.count, text[at] <= 0x20 || text[at] == UInt8(ascii: ":") { at += 1 }
    guard at + 1 < text.count, text[at] == UInt8(ascii: "\""), text[at + 1] != UInt8(ascii: "#")
    else { return }
    var end = at + 1
    while end < text.count, text[end] != UInt8(ascii: "\"") {
      end += text[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    // What is no string names no document.
    guard end < text.count, let tree = try? JSONTree(parsing: Array(text[at...end])),
      let reference = tree.root.string
    else { return }
    otherDocuments.append(reference)
  }
}
