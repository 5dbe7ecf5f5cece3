// XPath and the form of XML for evaluation, by libxml2.

package import PostKitEvaluate
package import PostKitHTTP
import PostKitXPath

extension BodySelection {
  /// What a path selects of a body, as text.
  package static func select(
    _ path: String, in body: [UInt8], _ type: MediaType?
  ) throws(Failure) -> [UInt8] {
    try select(path, in: body, type) { XPathOutcome(of: $0) }
  }
}

extension XPathOutcome {
  /// The outcome of a query; the library is opened at the first one.
  init(of query: XPathQuery) {
    let expression = XPath(query.expression)
    do throws(XPathFailure) {
      guard let document = query.document else {
        self = expression.problem.map(XPathOutcome.init) ?? .nothing
        return
      }
      let namespaces = query.namespaces.sorted { $0.key < $1.key }.map {
        XPathNamespace(prefix: $0.key, uri: $0.value)
      }
      switch try expression.value(
        in: document, isHTML: query.isHTML, namespaces: namespaces, wholeNodes: query.wholeNodes)
      {
      case .string(let text): self = .string(text)
      case .number(let text): self = .number(text)
      case .bool(let flag): self = .bool(flag)
      case nil: self = .nothing
      }
    } catch {
      self = XPathOutcome(error)
    }
  }

  private init(_ failure: XPathFailure) {
    switch failure {
    case .expression(let offset, let explanation):
      self = .badExpression(offset: offset, explanation: explanation)
    case .document(let explanation): self = .badDocument(explanation)
    case .unavailable(let explanation): self = .unavailable(explanation)
    }
  }
}

extension XMLMistake {
  /// The first mistake of a text; the library is opened at the first one.
  init?(in text: [UInt8]) {
    guard let mistake = XMLForm.mistake(in: text) else { return nil }
    self.init(range: mistake.range, explanation: mistake.explanation)
  }
}
