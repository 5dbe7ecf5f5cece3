// What references and `$xpath` read from earlier exchanges (PK-55, PK-56, PK-106).

import PostKitHTTP
import PostKitJSON
import PostKitSyntax

extension Evaluator {
  /// The requests that the first segment of a reference may mean (PK-56).
  package static func requestNames(in name: String) -> [String] {
    name.hasSuffix("Response") ? [name, String(name.dropLast(8))] : [name]
  }

  /// The exchange that the first segment of a reference means, and whether it means the response
  /// of it: `name`, `nameResponse`, or `response` for the latest.
  func exchange(named name: String) -> (ReferencedExchange, isResponse: Bool)? {
    let exchange = masksSecrets ? context.shownExchange : context.exchange
    if let exchange = exchange(name) { return (exchange, false) }
    if name == "response", let latest = exchange("") { return (latest, true) }
    guard name.hasSuffix("Response") else { return nil }
    return exchange(String(name.dropLast("Response".count))).map { ($0, true) }
  }

  /// A reader of an exchange, for a reference at an offset.
  func reference(into exchange: ReferencedExchange, at offset: Int) -> ResponseReference {
    ResponseReference(exchange: exchange) { expression, document, isHTML in
      apply(expression, to: document, isHTML: isHTML, at: offset)
    }
  }

  private func apply(
    _ expression: String, to document: [UInt8], isHTML: Bool, at offset: Int
  ) -> XPathOutcome {
    context.xpath(
      XPathQuery(
        expression: expression, document: document, isHTML: isHTML,
        namespaces: namespaces(at: offset)))
  }

  /// Checks the form of an XPath expression.
  func check(_ expression: String) -> XPathOutcome {
    context.xpath(XPathQuery(expression: expression))
  }

  /// `$xpath expression` of the latest response, `$xpath:name expression` of a request's response
  /// or of a variable whose value is XML.
  mutating func xpath(
    _ source: String, _ expression: String, at range: Range<Int>, offset: Int
  ) -> Resolution {
    let written = "$xpath" + (source.isEmpty ? "" : ":" + source) + " " + expression
    if expression.isEmpty {
      return .unresolved(
        .dynamicArguments(name: "xpath", expected: DynamicVariables.xpathSignature))
    }
    if let mistake = SelectorMistake(check(expression), of: expression) {
      return .unresolved(.selectorSyntax(reference: written, mistake))
    }
    let name = source.isEmpty ? "response" : source
    names.insert(name)
    if let (exchange, _) = exchange(named: name) {
      let outcome = reference(into: exchange, at: offset).xpath(expression)
      return resolution(outcome, exchange, written)
    }
    if let definition = definition(source, at: offset) {
      guard case .value(let value) = use(definition, at: range, place: .header, offset: offset)
      else { return .unresolved(.unresolvedVariable(name: source, suggestion: nil)) }
      let document = value.substitutionText.keptBytes
      let outcome = apply(expression, to: document, isHTML: false, at: offset)
      return resolution(ReferenceOutcome(outcome, of: expression), written)
    }
    if source.isEmpty {
      return .unresolved(
        .noMatch(reference: written, explanation: "no earlier request has a response"))
    }
    if let request = scope.document.request(referredToAs: source) {
      return .unresolved(.requestNotRun(name: request.name ?? source))
    }
    return .unresolved(.unresolvedVariable(name: source, suggestion: nil))
  }

  /// The namespaces of `@xpath_ns prefix=uri` lines: those of the global blocks, then those of the
  /// block at the offset.
  private func namespaces(at offset: Int) -> [String: String] {
    var result: [String: String] = [:]
    for block in scope.document.blocks {
      let isHere = block.range.contains(offset) || block.range.upperBound == offset
      guard block.syntax.kind == .global || isHere else { continue }
      for tag in block.metadata where tag.kind == .xpathNamespace {
        let halves = block.text(tag.value).split(separator: "=", maxSplits: 1)
        guard halves.count == 2 else { continue }
        result[String(halves[0]).trimmingBlanks] = String(halves[1]).trimmingBlanks
      }
    }
    return result
  }

  /// What is read from an exchange becomes a value or a problem; a masked secret is no value.
  func resolution(
    _ outcome: ReferenceOutcome, _ exchange: ReferencedExchange, _ written: String
  ) -> Resolution {
    if case .value(let value) = outcome, exchange.isRedacted,
      value.substitutionText.contains(SecretMask.text)
    {
      return .unresolved(.redactedResponse(reference: written))
    }
    return resolution(outcome, written)
  }

  private func resolution(_ outcome: ReferenceOutcome, _ written: String) -> Resolution {
    switch outcome {
    case .value(let value): .value(value)
    case .noMatch(let explanation):
      .unresolved(.noMatch(reference: written, explanation: explanation))
    case .badSelector(let mistake):
      .unresolved(.selectorSyntax(reference: written, mistake))
    case .unavailable(let explanation):
      .unresolved(.selectorUnavailable(reference: written, explanation: explanation))
    }
  }
}
