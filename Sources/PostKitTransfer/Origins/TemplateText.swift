// Templates of other tools in texts.

/// Rewrites the templates of another tool (IO-17).
enum TemplateText {
  /// Replaces each `open … close` of a text by what `rewrite` makes of what stands between them,
  /// blanks around it left out; `nil` keeps it as it is. What lies in each other is left alone.
  static func rewriting(
    _ text: String, from open: String = "{{", to close: String = "}}",
    _ rewrite: (Substring) -> String?
  ) -> String {
    guard let first = text.range(of: open) else { return text }
    var result = String(text[..<first.lowerBound])
    var at = first.lowerBound
    while let start = text.range(of: open, from: at) {
      result += text[at..<start.lowerBound]
      guard let end = text.range(of: close, from: start.upperBound) else {
        return result + text[start.lowerBound...]
      }
      var inner = text[start.upperBound..<end.lowerBound]
      while inner.first?.isWhitespace == true { inner.removeFirst() }
      while inner.last?.isWhitespace == true { inner.removeLast() }
      result += rewrite(inner) ?? String(text[start.lowerBound..<end.upperBound])
      at = end.upperBound
    }
    return result + text[at...]
  }

  /// A text in which what stands between its templates is changed.
  static func outside(_ text: String, _ change: (String) -> String) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.firstRange(of: "{{"),
      let close = rest[open.upperBound...].firstRange(of: "}}")
    {
      result += change(String(rest[..<open.lowerBound])) + rest[open.lowerBound..<close.upperBound]
      rest = rest[close.upperBound...]
    }
    return result + change(String(rest))
  }
}

extension String {
  /// Where a text occurs first, at or behind an index.
  fileprivate func range(of wanted: String, from: Index? = nil) -> Range<Index>? {
    let bytes = utf8
    let wanted = Array(wanted.utf8)
    guard let first = wanted.first else { return nil }
    var at = from ?? startIndex
    while let found = bytes[at...].firstIndex(of: first) {
      var end = found
      var matches = true
      for byte in wanted {
        guard end < bytes.endIndex, bytes[end] == byte else {
          matches = false
          break
        }
        end = bytes.index(after: end)
      }
      if matches { return found..<end }
      at = bytes.index(after: found)
    }
    return nil
  }
}
