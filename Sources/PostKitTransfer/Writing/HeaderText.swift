// Headers as lines, and those that can't be any.

import PostKitHTTP

/// A header line.
struct HeaderText {
  let name: String
  let value: String
  /// Whether it can be sent as a line; else it becomes a comment.
  let isSendable: Bool

  /// The line as a part of the head.
  var line: String { value.isEmpty ? "\(name):" : "\(name): \(value)" }

  /// The header with names replaced; `nil` for one without a name.
  init?(_ pair: OriginPair, _ renamed: [String: String]) {
    let written = pair.name.isLiteral
      ? pair.name.text : TemplateNames.renaming(pair.name.text, renamed)
    let name = LineText.oneLine(written)
    guard !name.isEmpty else { return nil }
    self.name = name
    let text = pair.value ?? ""
    let value = text.isLiteral
      ? Self.literal(text.text) : TemplateNames.renaming(text.text, renamed)
    self.value = LineText.oneLine(value)
    let isPlain = value.withBytes { $0.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 } }
    isSendable = isPlain && Self.isName(name) && !name.hasPrefix("...")
  }

  /// A header of ours.
  init(name: String, value: String) {
    self.name = LineText.oneLine(name)
    self.value = LineText.oneLine(value)
    isSendable = Self.isName(self.name)
  }

  /// A text in which braces are text: the language takes the backslashes away.
  static func literal(_ text: String) -> String {
    guard text.hasTemplate else { return text }
    var (result, rest) = ("", text[...])
    while let open = rest.place(ofText: "{{"),
      let close = rest.place(ofText: "}}", from: open.upperBound)
    {
      result += rest[..<open.lowerBound] + "\\{\\{"
      result += rest[open.upperBound..<close.lowerBound] + "\\}\\}"
      rest = rest[close.upperBound...]
    }
    return result + rest
  }

  /// Whether a text is a token or has templates in it, and does not begin another kind of line.
  private static func isName(_ name: String) -> Bool {
    if name.hasTemplate { return !name.hasPrefix("#") && !name.hasPrefix("&") }
    guard let first = name.utf8.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "&")
    else { return false }
    return name.withBytes { bytes in
      bytes.allSatisfy { byte in
        switch byte {
        case 33, 35...39, 42, 43, 45, 46, 48...57, 65...90, 94...122, 124, 126: true
        default: false
        }
      }
    }
  }
}
