// The text of a written file, put together of the parts that are merged each by itself.

extension WrittenFile {
  /// The text of the file: its head, then its blocks. Taking it apart again gives the same parts.
  var text: String {
    var text = head.isEmpty ? "" : head + "\n"
    for block in blocks {
      if !text.isEmpty { text += "\n" }
      text += block.text
    }
    return text
  }
}

extension WrittenBlock {
  /// The text of the block with its title: the parts stand below each other, a blank line before
  /// the body and before what runs afterwards.
  var text: String {
    var text = "### \(title)\n"
    for part in [head, line, headers] where !part.isEmpty { text += part + "\n" }
    for part in [body, tail] where !part.isEmpty { text += "\n" + part + "\n" }
    return text
  }
}
