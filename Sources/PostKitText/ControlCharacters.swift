// Texts from anywhere, made harmless for where they are shown.

extension String {
  /// The text with its control characters written as `\x1B`, and what turns or hides text as
  /// `\u{202E}`, so that a terminal shows them and does not obey; line feeds and tabs stay.
  package var withoutControls: String { escaping { $0 != "\n" && $0 != "\t" } }

  /// The text as one line: line feeds are written as `\x0A`, like all control characters but tabs.
  package var oneLine: String { escaping { $0 != "\t" } }

  private func escaping(_ isMeant: (Unicode.Scalar) -> Bool) -> String {
    // What is escaped above ASCII begins with one of these bytes.
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case 0..<32, 127, 0xC2, 0xD8, 0xE2, 0xEF: false
      default: true
      }
    }
    if isPlain { return self }
    var result = ""
    var previous: Unicode.Scalar = " "
    for scalar in unicodeScalars {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      if scalar.properties.generalCategory == .control, isMeant(scalar) {
        result += "\\x" + (digits.count < 2 ? "0" : "") + digits
      } else if scalar.hidesText(after: previous) {
        result += "\\u{\(digits)}"
      } else {
        result.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether it turns the text around it, or is not seen at all, so that a text looks like another
  /// one. The joiners of scripts and pictures are seen by what they join.
  fileprivate func hidesText(after previous: Unicode.Scalar) -> Bool {
    switch value {
    case 0x200C, 0x200D: previous.isASCII
    case 0x061C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x2069, 0xFEFF:
      true
    default: false
    }
  }
}
