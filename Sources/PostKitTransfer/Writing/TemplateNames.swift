// The names that templates of ours use, and other names for them (IO-15).

/// Finds and replaces names in templates.
enum TemplateNames {
  /// Adds the names that a text uses: what stands between the braces, and what comes before the
  /// first point of it.
  static func collect(_ text: String, into names: inout Set<String>) {
    guard text.hasTemplate else { return }
    TemplateText.each(in: text) { _, inner in
      let name = inner.utf8.first == UInt8(ascii: "%") ? inner.dropFirst() : inner
      names.insert(String(name))
      if let head = head(of: name) { names.insert(String(head)) }
    }
  }

  /// The text with names replaced by others.
  static func renaming(_ text: String, _ names: [String: String]) -> String {
    if names.isEmpty || !text.hasTemplate { return text }
    return TemplateText.rewriting(text) { inner in
      let mark = inner.utf8.first == UInt8(ascii: "%") ? "%" : ""
      let name = inner.dropFirst(mark.count)
      if let new = names[String(name)] { return "{{\(mark)\(new)}}" }
      guard let head = head(of: name), let new = names[String(head)] else { return nil }
      return "{{\(mark)\(new)\(name[head.endIndex...])}}"
    }
  }

  /// A script with names replaced: in templates, and where a text that is one of the names is what
  /// a function that gets or sets a variable is called with.
  static func renaming(inScript text: String, _ names: [String: String]) -> String {
    if names.isEmpty { return text }
    var result = renaming(text, names)
    for (old, new) in names.sorted(by: { $0.key < $1.key }) {
      for quote in ["\"", "'", "`"] {
        result = replacing("(\(quote)\(old)\(quote)", by: "(\(quote)\(new)\(quote)", in: result)
      }
    }
    return result
  }

  /// What stands before the first point or bracket of a path.
  private static func head(of name: Substring) -> Substring? {
    name.utf8.firstIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }
      .map { name[..<$0] }
  }

  private static func replacing(_ old: String, by new: String, in text: String) -> String {
    var (result, rest) = ("", text[...])
    while let found = rest.place(ofText: old) {
      result += rest[..<found.lowerBound]
      result += isOfVariables(result) ? new : old
      rest = rest[found.upperBound...]
    }
    return result + rest
  }

  /// Whether the last word of a text is that of a function on variables.
  private static func isOfVariables(_ text: String) -> Bool {
    let word = text.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed()
    let name = String(word).lowercased()
    return ["get", "set", "has", "clear", "delete", "var"].contains { name.contains($0) }
  }
}
