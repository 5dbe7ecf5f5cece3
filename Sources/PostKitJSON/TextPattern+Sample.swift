// Texts that match a pattern, as samples for people.

extension TextPattern {
  /// A short text in which a pattern is found; `nil` for a text that is no pattern, whose match
  /// would be long, or that no attempt matches, such as one that contradicts itself.
  package static func sample(of pattern: String) -> String? {
    var parser = TextPatternParser(pattern)
    guard let tree = try? parser.parse(), let compiled = try? TextPattern(pattern) else {
      return nil
    }
    var scalars = String.UnicodeScalarView()
    guard append(tree, to: &scalars) else { return nil }
    let text = String(scalars)
    return compiled.isFound(in: text) == true ? text : nil
  }

  /// The longest sample, in characters.
  private static let sampleLimit = 256

  /// Appends the least that a tree matches: of branches the first, of repeats as few as may be but
  /// one where none is enough, so that `[a-z]*` gives a letter.
  private static func append(
    _ tree: JSONPathRegexpTree, to text: inout String.UnicodeScalarView
  ) -> Bool {
    guard text.count <= sampleLimit else { return false }
    switch tree {
    case .one(let characters):
      guard let scalar = example(of: characters) else { return false }
      text.append(scalar)
    case .edge, .boundary: break
    case .sequence(let parts):
      for part in parts where !append(part, to: &text) { return false }
    case .choice(let branches):
      guard let first = branches.first else { return true }
      return append(first, to: &text)
    case .repeated(let part, let minimum, let maximum):
      guard minimum <= sampleLimit else { return false }
      let count = minimum == 0 && maximum == nil ? 1 : minimum
      for _ in 0..<count where !append(part, to: &text) { return false }
    }
    return true
  }

  private static func example(of characters: JSONPathCharacterClass) -> Unicode.Scalar? {
    if !characters.isNegated, case .range(let low, _) = characters.items.first,
      let scalar = Unicode.Scalar(low)
    {
      return scalar
    }
    return "a0A-_ .!".unicodeScalars.first(where: characters.contains)
      ?? (0x21...0x7E).lazy.compactMap { Unicode.Scalar($0 as UInt32) }
      .first(where: characters.contains)
  }
}
