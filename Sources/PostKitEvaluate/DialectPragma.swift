// `# @dialect PRESET` before the first request chooses the reading of a file (dialects.md 0.3).

package import PostKitSyntax

extension Dialect {
  /// The preset that a file asks for.
  package static func pragma(of document: ParsedDocument) -> DialectPreset? {
    for block in document.blocks {
      for tag in block.syntax.metadata where tag.foldedKey == "dialect" {
        return DialectPreset(rawValue: block.text(tag.value).lowercased())
      }
      if block.isRequest { return nil }
    }
    return nil
  }
}
