// A part of a body for a person who looks at it: what a JSONPath or an XPath selects.

package import PostKitHTTP
import PostKitJSON

/// What a path selects of a body.
package enum BodySelection {
  /// Why nothing can be selected.
  package enum Failure: Error, Sendable, Hashable {
    /// The path can't be read.
    case path(String)
    /// The body is nothing that a path is for, or nothing in it is selected.
    case body(String)

    /// What happened, as a sentence.
    package var message: String {
      switch self {
      case .path(let text), .body(let text): text
      }
    }
  }

  /// What is selected, as text: of JSON the value on lines of its own, or an array of the values
  /// where the path may select several; of markup all nodes. No digit of it is changed.
  package static func select(
    _ path: String, in body: [UInt8], _ type: MediaType?, xpath: (XPathQuery) -> XPathOutcome
  ) throws(Failure) -> [UInt8] {
    switch BodySelector(path[...], isMarkup: type?.isMarkup ?? false) {
    case .whole: return try json("$", body)
    case .json(let selector): return try json(selector, body)
    case .xpath(let expression): return try markup(expression, body, type, xpath)
    }
  }

  /// Whether what a path selects of a body is JSON.
  package static func isJSON(_ path: String, _ type: MediaType?) -> Bool {
    switch BodySelector(path[...], isMarkup: type?.isMarkup ?? false) {
    case .whole, .json: true
    case .xpath: false
    }
  }

  /// Whether a path selects a JSON value, and not several: paths into the value begin with it.
  package static func isOneJSONValue(_ path: String) -> Bool {
    guard case .json(let selector) = BodySelector(path[...], isMarkup: false) else { return false }
    // What can't be read selects nothing.
    return (try? JSONPath(selector))?.isSingular ?? false
  }

  private static func json(_ selector: String, _ body: [UInt8]) throws(Failure) -> [UInt8] {
    let root: JSONView
    do throws(JSONSyntaxError) { root = try JSONTree(parsing: body).root } catch {
      throw .body("`\(selector)` selects nothing: the body is not JSON, \(error.explanation).")
    }
    do throws(JSONPathError) {
      if let found = try values(JSONPath(selector), root) { return found }
    } catch {
      throw .path(
        "Invalid JSONPath `\(selector)`: \(error.explanation) at column \(error.offset + 1).")
    }
    throw nothing(at: selector)
  }

  /// The value of a path that selects one, else the values as an array; `nil` for none.
  private static func values(_ path: JSONPath, _ root: JSONView) throws(JSONPathError) -> [UInt8]? {
    let nodes = try path.nodes(in: root)
    if path.isSingular, let node = nodes.first { return node.indented() }
    let values =
      nodes.isEmpty ? try path.values(in: root).map(\.bytes) : nodes.map { $0.indented() }
    guard let first = values.first else { return nil }
    if path.isSingular { return first }
    let list = Array("[".utf8) + Array(values.joined(separator: ",".utf8)) + Array("]".utf8)
    // An array of values that were read can be read.
    return (try? JSONTree(parsing: list).indented()) ?? list
  }

  private static func markup(
    _ expression: String, _ body: [UInt8], _ type: MediaType?,
    _ xpath: (XPathQuery) -> XPathOutcome
  ) throws(Failure) -> [UInt8] {
    var query = XPathQuery(
      expression: expression, document: body, isHTML: type?.isHTML ?? false, namespaces: [:])
    query.wholeNodes = true
    switch xpath(query) {
    case .string(let text), .number(let text): return Array(text.utf8)
    case .bool(let flag): return Array("\(flag)".utf8)
    case .nothing: throw nothing(at: expression)
    case .badExpression(let offset, let explanation):
      throw .path("Invalid XPath `\(expression)`: \(explanation) at column \(offset + 1).")
    case .badDocument(let explanation):
      throw .body("`\(expression)` selects nothing: the body is not XML, \(explanation).")
    case .unavailable(let explanation):
      throw .body("`\(expression)` can't be evaluated: \(explanation).")
    }
  }

  private static func nothing(at path: String) -> Failure {
    .body("`\(path)` matches nothing in this body.")
  }
}
