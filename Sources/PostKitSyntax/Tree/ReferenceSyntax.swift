// `{{references}}` (PK-43, PK-44).

/// A reference and what it asks for.
package struct ReferenceSyntax: Sendable, Hashable {
  /// From the first brace to the last.
  @Compact package var range: Range<Int>
  /// The trimmed text between the braces, without a leading `%`.
  @Compact package var inner: Range<Int>
  /// Whether the value is to be percent-encoded: `{{%name}}` (PK-68).
  package var isPercentEncoded: Bool
  package var expression: ReferenceExpression
}

/// What stands between the braces.
package enum ReferenceExpression: Sendable, Hashable {
  /// `$word arguments` or `$word.word(arguments)`: the name without `$`, the arguments trimmed and
  /// without parentheses.
  case dynamic(name: String, arguments: String)
  /// `name.member[0]…`: a variable, or a request with a path into it. The first segment is the
  /// name, `rest` the exact text after it (such as `.response.body.$.a[?(@.b==2)]`).
  case path(name: String, rest: String)
  /// Anything else: JavaScript, which needs the script engine.
  case script(String)
  /// Nothing at all.
  case empty

  /// The name before a path into an exchange, or the one that `$xpath:name` reads; `response` is
  /// the latest response. Such a name may also mean a variable.
  package var exchangeName: String? {
    switch self {
    case .path(let name, let rest): rest.isEmpty ? nil : name
    case .dynamic("xpath", _): "response"
    case .dynamic(let name, _):
      name.hasPrefix("xpath:") ? String(name.dropFirst("xpath:".count)) : nil
    case .script, .empty: nil
    }
  }
}

/// A piece of a text with references.
package enum TemplatePiece: Sendable, Hashable {
  case literal(Range<Int>)
  case reference(ReferenceSyntax)
  /// `\{\{…\}\}`: the range of the text inside, which stands for `{{…}}` (PK-44).
  case escapedReference(Range<Int>)
}
