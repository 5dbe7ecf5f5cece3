// The left side of an assertion: what a response has at the place that a `??` line names.

package import PostKitHTTP
import PostKitJSON
package import PostKitSyntax

/// An answered request, as its assertions see it.
package struct AnsweredRequest: Sendable {
  package var exchange: ReferencedExchange
  package var timings: Timings
  /// What the check against its description has found; `nil` where it was not checked.
  package var contract: ContractFindings?

  /// Makes a view of an answered request.
  package init(
    _ exchange: ReferencedExchange, timings: Timings, contract: ContractFindings? = nil
  ) {
    self.exchange = exchange
    self.timings = timings
    self.contract = contract
  }
}

/// The value that an assertion is about.
enum AssertionSubject: Sendable {
  case value(JSONValue)
  /// The whole body: its bytes, its media type, and what it says where it is JSON.
  case body([UInt8], type: String, JSONValue?)
  /// There is no such thing; the text says why.
  case missing(String)

  /// The value; `nil` where there is none.
  var value: JSONValue? {
    switch self {
    case .value(let value): value
    case .body(_, _, let json): json ?? text.map { .string(String(keeping: $0)) }
    case .missing: nil
    }
  }

  /// What the value says, in UTF-8 whatever charset a body came in; `nil` where there is no value.
  var text: [UInt8]? {
    guard case .body(let bytes, let type, _) = self else { return bytes }
    return MediaType(type)?.inUTF8(bytes) ?? bytes
  }

  /// The bytes that digests are taken of, a body's as they came; `nil` where there is no value.
  var bytes: [UInt8]? {
    if case .body(let bytes, _, _) = self { return bytes }
    return value.map { $0.substitutionText.keptBytes }
  }

  /// The media type of the bytes; `nil` for a plain value.
  var contentType: String? {
    switch self {
    case .body(_, let type, _): type
    case .value(.object), .value(.array): "application/json"
    case .value, .missing: nil
    }
  }

  /// The whole body of a response.
  init(bodyOf exchange: ReferencedExchange) {
    let bytes = exchange.responseBody
    let type = exchange.response.headers.first("Content-Type") ?? ""
    // A body that only claims to be JSON is a text like others.
    let media = MediaType(type)
    let text = media?.inUTF8(bytes) ?? bytes
    let tree = media?.isJSON == true ? try? JSONTree(parsing: text) : nil
    self = .body(bytes, type: type, tree?.root.value)
  }
}

extension AssertionForm.DurationPart {
  /// The part of the timings in milliseconds. Libcurl counts the time of sending a request towards
  /// the first byte.
  func milliseconds(_ timings: Timings) -> JSONValue {
    let connected = max(timings.connect, timings.tls)
    let microseconds =
      switch self {
      case .total: timings.total
      case .wait: timings.nameLookup
      case .tcp: timings.connect - timings.nameLookup
      case .tls: timings.tls == 0 ? 0 : timings.tls - timings.connect
      case .request: Int64(0)
      case .firstByte: timings.firstByte - connected
      case .download: timings.total - timings.firstByte
      }
    let (whole, fraction) = max(0, microseconds).quotientAndRemainder(dividingBy: 1_000)
    // 1,000 more has the digits with zeros in front.
    return .number("\(whole).\("\(fraction + 1_000)".dropFirst())")
  }
}

extension Evaluator {
  /// What the left side of an assertion is in a response.
  mutating func subject(
    _ form: AssertionForm, _ block: ParsedBlock, _ answered: AnsweredRequest
  ) -> AssertionSubject {
    let exchange = answered.exchange
    switch form.subject {
    case .status: return .value(.int(exchange.response.status))
    case .duration(let part): return .value(part.milliseconds(answered.timings))
    case .header(let range):
      let name = text(range, block)
      let values = exchange.response.headers.values(name)
      if values.isEmpty { return .missing("The response has no header `\(name)`.") }
      return .value(.string(values.joined(separator: ", ")))
    case .body(let member):
      guard exchange.responseBody.count == exchange.response.decodedSize else {
        return .missing("The body is too large to keep, so this check can't read it.")
      }
      guard let range = member else { return AssertionSubject(bodyOf: exchange) }
      return subject(reference(into: exchange, at: range.lowerBound).member(text(range, block)))
    case .xpath(let range):
      return subject(reference(into: exchange, at: range.lowerBound).xpath(text(range, block)))
    case .expression(let range): return expression(range, block)
    case .openAPI:
      guard let contract = answered.contract else {
        return .missing(AssertionForm.noDescription)
      }
      return contract.holds ? .value(.bool(true)) : .missing(contract.explanation)
    }
  }

  private func subject(_ outcome: ReferenceOutcome) -> AssertionSubject {
    switch outcome {
    case .value(let value): .value(value)
    case .noMatch(let explanation), .unavailable(let explanation):
      .missing("No value: \(explanation).")
    case .badSelector(let mistake):
      .missing("`\(mistake.selector)` can't be read: \(mistake.explanation).")
    }
  }

  /// The text of a range of the file with its references resolved.
  package mutating func text(_ range: Range<Int>, _ block: ParsedBlock) -> String {
    let start = block.range.lowerBound
    return text(range.lowerBound - start..<range.upperBound - start, of: block, place: .header)
  }

  /// A literal, a path, a text with references, or JavaScript.
  private mutating func expression(_ range: Range<Int>, _ block: ParsedBlock) -> AssertionSubject {
    let text = block.written(range)
    if let literal = AssertionLiteral.value(text) { return .value(literal) }
    if text.contains("{{") {
      let template = String(keeping: block.bytes[range])
      return .value(value(ofTemplate: template, of: text, at: range))
    }
    let expression = ReferenceExpression(parsing: text)
    beginExpression(at: range.lowerBound)
    switch resolve(expression, at: range, place: .header, offset: range.lowerBound) {
    case .value(let value): return .value(value)
    case .unresolved(let kind):
      return .missing(EvaluationProblem(kind, range: range).message)
    }
  }
}

extension AssertionForm {
  /// What is said where no description is found.
  package static let noDescription =
    "There is no description of this API here. Name its file with `# @openapi PATH`."

  /// Whether the line checks the response against the description of its API.
  package var isOfDescription: Bool { if case .openAPI = subject { true } else { false } }
}

/// Values that stand in the text itself.
enum AssertionLiteral {
  /// The value of JSON or of a text in single quotes; `nil` for anything else.
  static func value(_ text: String) -> JSONValue? {
    let inner = text.dropFirst().dropLast()
    if text.count >= 2, text.hasPrefix("'"), text.hasSuffix("'"), !inner.contains("'") {
      return .string(String(inner))
    }
    // What is no JSON is no literal, which is no mistake.
    return (try? JSONTree(parsing: Array(text.utf8)))?.root.value
  }
}

extension ParsedBlock {
  /// The names at which the expressions of assertions begin: variables or requests.
  package var assertedNames: [String] {
    syntax.assertions.compactMap { assertion in
      guard case .expression(let range) = form(of: assertion)?.subject,
        case .path(let name, _) = ReferenceExpression(parsing: written(range))
      else { return nil }
      return name
    }
  }

  /// The text of a range of the file.
  package func written(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
