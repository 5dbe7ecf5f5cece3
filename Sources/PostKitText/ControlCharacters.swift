// Texts from anywhere, made harmless for where they are shown.

extension String {
  /// The text with its control characters written as `\x1B`, so that a terminal shows them and
  /// does not obey; line feeds and tabs stay.
  package var withoutControls: String { escaping { $0 != "\n" && $0 != "\t" } }

  /// The text as one line: line feeds are written as `\x0A`, like all control characters but tabs.
  package var oneLine: String { escaping { $0 != "\t" } }

  private func escaping(_ isMeant: (Unicode.Scalar) -> Bool) -> String {
    // The control characters above ASCII begin with this byte.
    let isPlain = utf8.allSatisfy { $0 >= 32 && $0 != 127 && $0 != 0xC2 }
    if isPlain { return self }
    var result = ""
    for scalar in unicodeScalars {
      if scalar.properties.generalCategory == .control, isMeant(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\x" + (digits.count < 2 ? "0" : "") + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
