// Searching text inside columns with LIKE, and with functions where LIKE would give up.

/// Conditions on a part of a text; letters of ASCII match in either case.
enum LikePattern {
  /// Whether a text occurs in a value.
  static func contains(_ text: String, in value: Term) -> Term {
    if let pattern = escaped(text) { return .like(value, "%" + pattern + "%") }
    return .infix(place(of: text, in: value), ">", .fragment("0", []))
  }

  /// Whether a value ends with a text.
  static func ends(_ value: Term, with text: String) -> Term {
    if let pattern = escaped(text) { return .like(value, "%" + pattern) }
    let end = Term.value(.int(-Int64(text.unicodeScalars.count)))
    return .infix(.call("substr", [lower(value), end]), "=", lower(.value(.text(text))))
  }

  /// The text with a mark before what has a meaning in patterns; `nil` where it is too long for
  /// SQLite or has a NUL, at which LIKE would stop.
  private static func escaped(_ text: String) -> String? {
    guard text.utf8.count <= 16_384, !text.utf8.contains(0) else { return nil }
    var pattern = ""
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "_" || scalar == "\\" { pattern.append("\\") }
      pattern.unicodeScalars.append(scalar)
    }
    return pattern
  }

  private static func place(of text: String, in value: Term) -> Term {
    .call("instr", [lower(value), lower(.value(.text(text)))])
  }

  private static func lower(_ value: Term) -> Term { .call("lower", [value]) }
}
