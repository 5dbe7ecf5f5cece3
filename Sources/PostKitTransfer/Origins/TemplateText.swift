// Templates of other tools in texts.

/// Rewrites the templates of another tool (IO-17).
enum TemplateText {
  /// Replaces each `open … close` of a text by what `rewrite` makes of what stands between them,
  /// blanks around it left out; `nil` keeps it as it is. What lies in each other is left alone.
  static func rewriting(
    _ text: String, from open: String = "{{", to close: String = "}}",
    _ rewrite: (Substring) -> String?
  ) -> String {
    var result = ""
    var at = text.startIndex
    each(in: text, from: open, to: close) { whole, inner in
      guard let new = rewrite(inner) else { return }
      result += text[at..<whole.lowerBound]
      result += new
      at = whole.upperBound
    }
    return at == text.startIndex ? text : result + text[at...]
  }

  /// Looks at each `open … close` of a text, and at what stands between them without the blanks
  /// around it.
  static func each(
    in text: String, from open: String = "{{", to close: String = "}}",
    _ look: (_ whole: Range<String.Index>, _ inner: Substring) -> Void
  ) {
    var at = text.startIndex
    while let start = text.place(ofText: open, from: at),
      let end = text.place(ofText: close, from: start.upperBound)
    {
      look(start.lowerBound..<end.upperBound, text[start.upperBound..<end.lowerBound].trimmed)
      at = end.upperBound
    }
  }

  /// A text in which what stands between its templates is changed.
  static func outside(_ text: String, _ change: (String) -> String) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.place(ofText: "{{"),
      let close = rest.place(ofText: "}}", from: open.upperBound)
    {
      result += change(String(rest[..<open.lowerBound])) + rest[open.lowerBound..<close.upperBound]
      rest = rest[close.upperBound...]
    }
    return result + change(String(rest))
  }
}
