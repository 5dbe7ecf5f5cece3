// Texts in a request beside which nothing may lie, as the store keeps it (IO-1).

import PostKitSyntax

extension String {
  /// The text with LF for each CRLF.
  var withPlainLineEnds: String { has("\r") ? replacing("\r\n", with: "\n") : self }

  /// The text with its references escaped, so that it is sent as it stands (PK-44); `nil` where no
  /// escapes say that.
  var withEscapedReferences: String? {
    let bytes = Array(utf8)
    var result: [UInt8] = []
    for piece in TemplateParser.pieces(bytes, in: bytes.indices) {
      switch piece {
      case .literal(let range): result += bytes[range]
      case .reference(let reference):
        let inner = bytes[reference.range].dropFirst(2).dropLast(2)
        result += Array(#"\{\{"#.utf8) + inner + Array(#"\}\}"#.utf8)
      case .escapedReference: return nil
      }
    }
    return Self.sent(result) == bytes ? String(decoding: result, as: UTF8.self) : nil
  }

  /// What is sent of a text with escapes alone; `nil` where there are references in it.
  private static func sent(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    for piece in TemplateParser.pieces(bytes, in: bytes.indices) {
      switch piece {
      case .literal(let range): result += bytes[range]
      case .reference: return nil
      case .escapedReference(let range):
        result += Array("{{".utf8) + bytes[range] + Array("}}".utf8)
      }
    }
    return result
  }

  /// The text without the line ends around it.
  var withoutOuterLineEnds: String {
    var rest = self[...]
    while rest.first?.isNewline == true { rest.removeFirst() }
    while rest.last?.isNewline == true { rest.removeLast() }
    return String(rest)
  }
}

extension BodyWriter {
  /// A text as lines of a block that stands alone, the same but for its line ends, which is told;
  /// `nil` where lines can't hold it.
  func standing(
    _ origin: OriginText, isJSON: Bool, to draft: inout RequestDraft
  ) -> String? {
    guard standsAlone, care < .bodiesInFiles else { return nil }
    let text = origin.isLiteral ? origin.text : TemplateNames.renaming(origin.text, names)
    var lines = text.withPlainLineEnds
    if care == .trimmed { lines = lines.withoutOuterLineEnds }
    guard !lines.utf8.contains(where: { $0 < 32 && ![9, 10].contains($0) }) else { return nil }
    let written = origin.isLiteral ? lines.withEscapedReferences
      : lines.hasEscapedBraces ? nil : lines
    if written != nil, !isJSON, lines != text {
      draft.notes.append(
        (.encodingDiffers,
          "The body is sent with LF between its lines and without blank lines around them, since a "
            + "collection has no files. `--to FOLDER` keeps it as it is.", place))
    }
    return written
  }

  /// Bytes as a text that is sent as it stands; `nil` where they have to lie in a file.
  func text(of bytes: [UInt8]) -> OriginText? {
    guard standsAlone, care < .bodiesInFiles else { return nil }
    return String(validating: bytes, as: UTF8.self).map { OriginText(literal: $0) }
  }
}
