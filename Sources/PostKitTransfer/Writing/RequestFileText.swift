// The text of a written file, put together of the parts that are merged each by itself.

import PostKitHTTP

extension WrittenFile {
  /// The text of the file: its head, then its blocks. Taking it apart again gives the same parts.
  var text: String { String(decoding: utf8, as: UTF8.self) }

  /// The bytes that its text stands for.
  var bytes: [UInt8] { utf8.restoringKept }

  /// Its text in UTF-8.
  var utf8: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(blocks.reduce(head.utf8.count + 1) { $0 + $1.byteCount + 1 })
    if !head.isEmpty {
      bytes += head.utf8
      bytes.append(10)
    }
    for block in blocks {
      if !bytes.isEmpty { bytes.append(10) }
      block.append(to: &bytes)
    }
    return bytes
  }
}

extension WrittenBlock {
  /// The text of the block with its title: the parts stand below each other, a blank line before
  /// the body and before what runs afterwards.
  var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount)
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes of its text in UTF-8.
  var byteCount: Int {
    func count(_ text: String, _ ends: Int) -> Int {
      text.isEmpty ? 0 : text.utf8.count + ends
    }
    return 5 + title.utf8.count + count(head, 1) + count(line, 1) + count(headers, 1)
      + count(body, 2) + count(tail, 2)
  }

  /// Adds its text, with the characters that keep bytes as they are.
  fileprivate func append(to bytes: inout [UInt8]) {
    bytes += "### ".utf8
    bytes += title.utf8
    bytes.append(10)
    for part in [head, line, headers] where !part.isEmpty {
      bytes += part.utf8
      bytes.append(10)
    }
    for part in [body, tail] where !part.isEmpty {
      bytes.append(10)
      bytes += part.utf8
      bytes.append(10)
    }
  }
}
