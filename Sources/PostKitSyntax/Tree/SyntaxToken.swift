// Tokens tile a block: every byte belongs to exactly one of them.

/// What a token is; blanks, line ends and comments are tokens like others.
package enum TokenKind: UInt8, Sendable, Hashable, CaseIterable {
  /// Blanks and tabs.
  case blank
  /// A line end: LF or CRLF. A CR alone is text, and a blank at the ends of it (PK-1).
  case lineEnd
  /// A comment line's text, its marker included.
  case comment
  /// The hashes of a separator.
  case separatorMarker
  /// The text after the hashes.
  case separatorTitle
  /// `# @key`: the marker and the `@`.
  case metadataMarker
  case metadataKey
  case metadataValue
  /// The `@` before a variable's name.
  case variableMarker
  case variableName
  /// `=` or `:=`.
  case variableOperator
  case variableValue
  case method
  /// A piece of the target outside of references.
  case target
  case httpVersion
  case headerName
  case headerColon
  case headerValue
  /// `...name`.
  case headerSpread
  /// Text of a body outside of references.
  case bodyText
  /// `<`, `<@`, `<@latin1`, `>`, `>>`, `>>!`, `<>`.
  case redirectMarker
  /// A path after a redirect marker, `import` or `run`.
  case path
  /// `import`, `run`.
  case keyword
  /// `{{`.
  case referenceOpen
  /// The text between the braces.
  case referenceText
  /// `}}`.
  case referenceClose
  /// `{%`, `%}`, and the lone `{{` and `}}` of script blocks.
  case scriptMarker
  case scriptText
  /// A line of an in-line response (`HTTP/1.1 200 OK` and what follows).
  case response
  /// A `??` assertion line.
  case assertion
  /// A curl command.
  case curl
  /// Text outside of the fences of a Markdown file.
  case prose
  /// Text that is none of the others.
  case unexpected
}

/// A token: its kind and how many bytes it has, in four bytes, as no record is as frequent.
package struct SyntaxToken: Sendable, Hashable {
  /// The most bytes that one token can have; a longer text is several.
  static let greatestLength = (1 << 26) - 1

  private let bits: UInt32

  /// Makes a token.
  package init(_ kind: TokenKind, length: Int) {
    bits = UInt32(truncatingIfNeeded: length) << 6 | UInt32(kind.rawValue)
  }

  package var kind: TokenKind { TokenKind(rawValue: UInt8(bits & 63)) ?? .unexpected }
  package var length: UInt32 { bits >> 6 }
}
