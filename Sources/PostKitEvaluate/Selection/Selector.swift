// What selects a part of a body: JSONPath or XPath (PK-55, PK-70).

import PostKitJSON

/// The languages of selectors.
package enum SelectorLanguage: Sendable, Hashable { case jsonPath, xpath }

/// Why a selector can't be read, and where.
package struct SelectorMistake: Sendable, Hashable {
  package var language: SelectorLanguage
  package var selector: String
  /// The byte of the selector at which reading stopped.
  package var offset: Int
  /// What is wrong, as a clause.
  package var explanation: String

  /// The range of the mistake where the text between the braces ends in the selector: from its
  /// place to the end, and never empty.
  func range(in reference: Range<Int>) -> Range<Int> {
    let start = reference.upperBound - selector.utf8.count
    guard offset < selector.utf8.count else {
      return max(reference.lowerBound, reference.upperBound - 1)..<reference.upperBound
    }
    return max(reference.lowerBound, start + offset)..<reference.upperBound
  }
}

/// The selector after `body`.
enum BodySelector: Sendable, Hashable {
  case whole
  case json(String)
  case xpath(String)

  /// Tells the language by how the selector begins; where that says nothing, markup has XPath.
  init(_ path: Substring, isMarkup: Bool) {
    let selector = path.hasPrefix(".") && !path.hasPrefix("..") ? path.dropFirst() : path
    if selector.isEmpty || selector == "*" {
      self = .whole
    } else if selector.hasPrefix("asJson.") {
      self = .json(String(selector.dropFirst("asJson.".count)))
    } else if selector.hasPrefix("asXml.") {
      self = .xpath(String(selector.dropFirst("asXml.".count)))
    } else if selector.hasPrefix("/") || BodySelector.isCall(selector) {
      self = .xpath(String(selector))
    } else if isMarkup, !selector.hasPrefix("$") {
      self = .xpath(String(selector))
    } else {
      self = .json(String(selector))
    }
  }

  /// Whether a text begins like `count(`.
  private static func isCall(_ text: Substring) -> Bool {
    let name = text.prefix { $0.isLetter || $0 == "-" }
    return !name.isEmpty && text.dropFirst(name.count).hasPrefix("(")
  }

  /// What is wrong with the form; `check` reads XPath. What may be in either language is not judged
  /// before the body is known.
  func mistake(_ check: (String) -> XPathOutcome) -> SelectorMistake? {
    switch self {
    case .whole: return nil
    case .json(let selector):
      do throws(JSONPathError) {
        _ = try JSONPath(selector)
        return nil
      } catch {
        guard selector.hasPrefix("$") else { return nil }
        return SelectorMistake(
          language: .jsonPath, selector: selector, offset: error.offset,
          explanation: error.explanation)
      }
    case .xpath(let expression):
      return SelectorMistake(check(expression), of: expression)
    }
  }
}

extension SelectorMistake {
  /// The mistake that XPath has found; `nil` for any other outcome.
  init?(_ outcome: XPathOutcome, of expression: String) {
    guard case .badExpression(let offset, let explanation) = outcome else { return nil }
    self.init(language: .xpath, selector: expression, offset: offset, explanation: explanation)
  }
}

extension ReferenceOutcome {
  /// What an XPath query gives for a reference.
  init(_ outcome: XPathOutcome, of expression: String) {
    switch outcome {
    case .string(let text): self = .value(.string(text))
    case .bool(let flag): self = .value(.bool(flag))
    case .number(let text):
      // `NaN` and `Infinity` are no numbers in JSON.
      let isNumber = (try? JSONTree(parsing: Array(text.utf8)))?.root.kind == .number
      self = .value(isNumber ? .number(text) : .string(text))
    case .nothing: self = .noMatch("`\(expression)` matches nothing in the body")
    case .badExpression(let offset, let explanation):
      self = .badSelector(
        SelectorMistake(
          language: .xpath, selector: expression, offset: offset, explanation: explanation))
    case .badDocument(let explanation):
      self = .noMatch("the body is not XML, \(explanation)")
    case .unavailable(let explanation): self = .unavailable(explanation)
    }
  }
}
