// A body as something that can be parsed before its references are known.

import PostKitSyntax

/// The text of a body with other bytes in the place of its references and of lines that are not
/// sent: what is left stands where it stood.
struct NeutralBody {
  /// The text, as long as the body.
  private(set) var text: [UInt8]
  /// The references, as bytes of the text.
  let references: [Range<Int>]
  private let filler: UInt8

  /// Puts a byte in the place of each byte of a reference.
  init(
    _ block: ParsedBlock, _ body: BodySyntax, filler: UInt8, dropsComments: Bool,
    dropsEndMark: Bool
  ) {
    let start = body.range.lowerBound
    text = Array(block.slice(body.range))
    self.filler = filler
    if dropsComments {
      for line in body.lines where line.kind == .comment {
        for at in line.content { text[at - start] = 32 }
      }
    }
    // httpYac's mark behind a body that ends in blank lines.
    if dropsEndMark, let last = body.lines.last?.content,
      block.slice(last).elementsEqual("<--->".utf8)
    {
      for at in last { text[at - start] = 32 }
    }
    references = block.syntax.references.lazy.map(\.range)
      .filter { $0.lowerBound >= start && $0.upperBound <= body.range.upperBound }
      .map { $0.lowerBound - start..<$0.upperBound - start }
    for reference in references {
      for at in reference { text[at] = filler }
    }
  }

  /// Whether a reference may stand for members of JSON with the commas between, or for braces that
  /// are escaped: then nothing can be said of the form. In an array the filler is an element.
  var mayLackMembers: Bool {
    var references = references[...]
    var isInString = false
    /// The braces and brackets that are open.
    var open: [UInt8] = []
    var previous: UInt8 = 0
    var at = 0
    while at < text.count {
      if let reference = references.first, reference.lowerBound <= at {
        references.removeFirst()
        let mayBeMember = previous == UInt8(ascii: "{") || previous == UInt8(ascii: ",")
        if !isInString, mayBeMember, open.last != UInt8(ascii: "[") { return true }
        at = max(at + 1, reference.upperBound)
        previous = filler
        continue
      }
      let byte = text[at]
      if isInString, byte == UInt8(ascii: "\\") {
        // Escaped braces are none in what is sent.
        if at + 1 < text.count, "{}".utf8.contains(text[at + 1]) { return true }
        at += 1
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else if !isInString {
        if "{[".utf8.contains(byte) { open.append(byte) }
        if "}]".utf8.contains(byte) { _ = open.popLast() }
      }
      if byte > 32 { previous = byte }
      at += 1
    }
    return false
  }

  /// Whether a reference may stand for elements of XML, or for their names, so that nothing can be
  /// said of the form.
  var mayLackTags: Bool {
    guard let first = text.firstIndex(where: { $0 > 32 }) else { return true }
    return references.contains { reference in
      let before = text[..<reference.lowerBound].last
      return reference.lowerBound <= first || before == UInt8(ascii: "<")
        || before == UInt8(ascii: "/")
    }
  }
}
