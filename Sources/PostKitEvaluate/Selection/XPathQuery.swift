// XPath and XML as evaluation sees them: closures of the context, because libxml2 is at the edge.

/// An XPath expression and what it is applied to.
package struct XPathQuery: Sendable, Hashable {
  package var expression: String
  /// The XML or HTML; `nil` where only the form of the expression is checked.
  package var document: [UInt8]?
  package var isHTML = false
  /// The namespaces by prefix, each pair from `@xpath_ns prefix=uri`.
  package var namespaces: [String: String] = [:]
  /// Whether all nodes are wanted as they stand in the document, not the value of the first.
  package var wholeNodes = false

  /// Makes a query; without a document only its form is checked.
  package init(
    expression: String, document: [UInt8]? = nil, isHTML: Bool = false,
    namespaces: [String: String] = [:], wholeNodes: Bool = false
  ) {
    self.expression = expression
    self.document = document
    self.isHTML = isHTML
    self.namespaces = namespaces
    self.wholeNodes = wholeNodes
  }
}

/// What became of an XPath query.
package enum XPathOutcome: Sendable, Hashable {
  case string(String)
  /// A number as XPath writes it, such as `7.5` or `NaN`.
  case number(String)
  case bool(Bool)
  /// No node was found, or the form is right.
  case nothing
  case badExpression(offset: Int, explanation: String)
  case badDocument(String)
  /// It can't be done here; the text says why and what to do.
  case unavailable(String)
}

/// What keeps a text from being XML.
package struct XMLMistake: Sendable, Hashable {
  /// The bytes of the text at which it shows.
  package var range: Range<Int>
  /// What it is, as a clause.
  package var explanation: String

  /// Makes a mistake.
  package init(range: Range<Int>, explanation: String) {
    self.range = range
    self.explanation = explanation
  }
}
