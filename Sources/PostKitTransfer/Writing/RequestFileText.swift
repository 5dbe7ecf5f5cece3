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
    bytes.reserveCapacity(blocks.reduce(head.utf8.count + 1) { $0 + $1.mostBytes })
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
    bytes.reserveCapacity(mostBytes)
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// At least as many bytes as its text has, and a line end.
  fileprivate var mostBytes: Int {
    [title, head, line, headers, body, tail].reduce(16) { $0 + $1.utf8.count }
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
