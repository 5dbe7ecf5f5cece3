// Checks the `??` lines and the expected status of a request against its response (PK-78, PK-107).

import PostKitHTTP
import PostKitJSON
package import PostKitSyntax

/// The hash functions of assertions.
package enum DigestKind: Sendable, Hashable { case sha256, sha512, md5 }

/// What became of one check. The texts are true values; whoever shows them masks secrets first.
package struct AssertionResult: Sendable, Hashable {
  /// The line's text after `?? `.
  package var name: String
  package var passed: Bool
  /// What was found; `nil` where there was nothing.
  package var actual: String?
  /// The media type of what was found, where it is a body or JSON.
  package var actualType: String?
  /// What was asked for, where the line does not say so literally.
  package var expected: String?
  /// Why it could not hold, where that is not seen from the values.
  package var explanation: String?
  /// The whole sentence of a failure, secrets masked, where values have no place in it.
  package var sentence: String?

  /// The sentence of a failure; empty where the check passed. `shown` masks a text of a media type
  /// and shortens it.
  package func message(shown: (String, _ contentType: String?) -> String) -> String {
    if passed { return "" }
    if let sentence { return sentence }
    var sentences: [String] = []
    if let explanation { sentences.append(shown(explanation, nil)) }
    if let actual { sentences.append("The value is `\(shown(actual, actualType))`.") }
    if let expected { sentences.append("Expected: `\(shown(expected, nil))`.") }
    return sentences.joined(separator: " ")
  }
}

extension Evaluator {
  /// The results of a request's checks in the order of the file.
  package mutating func results(
    of block: ParsedBlock, _ settings: RequestSettings, _ answered: AnsweredRequest
  ) -> [AssertionResult] {
    var results = settings.expectedStatus.map {
      $0.result(answered.exchange.response.status)
    }
    for assertion in block.assertions {
      guard let form = block.form(of: assertion) else { continue }
      results.append(result(form, block.text(assertion.text), block, answered))
    }
    return results
  }

  /// The result of one check of a response that may be an earlier one; `nil` for a line that is no
  /// assertion.
  package mutating func result(
    of assertion: AssertionSyntax, in block: ParsedBlock, _ answered: AnsweredRequest
  ) -> AssertionResult? {
    block.form(of: assertion).map { result($0, block.text(assertion.text), block, answered) }
  }

  private mutating func result(
    _ form: AssertionForm, _ name: String, _ block: ParsedBlock, _ answered: AnsweredRequest
  ) -> AssertionResult {
    var result = AssertionResult(name: name, passed: false)
    let known = problems.count
    let subject = subject(form, block, answered)
    let written = block.written(form.expected)
    let expected = text(form.expected, block)
    if expected.shown != written { result.expected = expected.shown }
    if let problem = problems.dropFirst(known).first {
      result.explanation = problem.message
      return result
    }
    if case .missing(let explanation) = subject {
      result.explanation = explanation
      if form.isOfDescription { result.sentence = explanation }
    }
    result.actual = subject.text.map { String(decoding: $0, as: UTF8.self) }
    result.actualType = subject.contentType
    if case .header(let range) = form.subject, SecretMask.isAlwaysMasked(block.written(range)) {
      result.actual = result.actual.map { _ in SecretMask.text }
    }
    let check = AssertionCheck(subject: subject, expected: expected, digest: context.digest)
    switch check.holds(form.predicate) {
    case .yes: result.passed = true
    case .no: break
    case .never(let explanation): result.explanation = explanation
    }
    return result
  }
}

/// One predicate on one value.
struct AssertionCheck {
  let subject: AssertionSubject
  let expected: String
  let digest: @Sendable (DigestKind, [UInt8]) -> [UInt8]?

  /// Whether a predicate holds.
  enum Answer {
    case yes, no
    /// It can't be told, and so doesn't hold.
    case never(String)

    init(_ holds: Bool) { self = holds ? .yes : .no }
  }

  /// Whether a predicate holds of the value.
  func holds(_ predicate: AssertionForm.Predicate) -> Answer {
    let value = subject.value
    switch predicate {
    case .equal: return Answer(isEqual)
    case .notEqual: return Answer(!isEqual)
    case .greater: return compare { $1.isLess(than: $0) }
    case .less: return compare { $0.isLess(than: $1) }
    case .greaterOrEqual: return compare { left, right in left.isLess(than: right).map { !$0 } }
    case .lessOrEqual: return compare { left, right in right.isLess(than: left).map { !$0 } }
    case .isTrue: return Answer(isTruthy)
    case .isFalse: return Answer(!isTruthy)
    case .isBoolean: return Answer(value?.bool != nil)
    case .isString: return Answer(value?.string != nil)
    case .isNumber:
      if case .number = value { return .yes }
      return .no
    case .isArray:
      if case .array = value { return .yes }
      return .no
    case .startsWith: return Answer(text.map { $0.starts(with: expected.keptBytes) } ?? false)
    case .endsWith:
      return Answer(text.map { $0.reversed().starts(with: expected.keptBytes.reversed()) } ?? false)
    case .contains: return Answer(contains)
    case .matches: return matches
    case .sha256: return hasDigest(.sha256)
    case .sha512: return hasDigest(.sha512)
    case .md5: return hasDigest(.md5)
    }
  }

  private var text: [UInt8]? { subject.text }

  /// The expected text as a JSON value, where it is one.
  private var expectedValue: JSONValue? { AssertionLiteral.value(expected) }

  /// The expected text takes the type of the value that it is compared with.
  private var isEqual: Bool {
    guard let value = subject.value else { return expected == "undefined" }
    if let text, text == expected.keptBytes { return true }
    if case .string(let string) = value {
      // A text may be quoted, as an author of JavaScript would.
      guard case .string(let unquoted)? = expectedValue else { return false }
      return string.keptBytes == unquoted.keptBytes
    }
    if case .bool(let flag) = value { return expected.lowercased() == (flag ? "true" : "false") }
    guard let expected = expectedValue else { return false }
    if case .number = value, case .string(let digits) = expected {
      return AssertionLiteral.value(digits)?.isEquivalent(to: value) ?? false
    }
    return value.isEquivalent(to: expected)
  }

  /// Compares as numbers; the value of a header is a text that may be one.
  private func compare(_ holds: (JSONValue, JSONValue) -> Bool?) -> Answer {
    guard let value = subject.value else { return .no }
    guard case .number? = expectedValue, let right = expectedValue else {
      return .never("`\(expected.shown)` is not a number.")
    }
    var left = value
    if case .string(let text) = value, let number = AssertionLiteral.value(text) { left = number }
    guard let answer = holds(left, right) else {
      return .never("`<` and `>` compare numbers only.")
    }
    return Answer(answer)
  }

  /// As JavaScript has it: not false, 0, empty, null or absent.
  private var isTruthy: Bool {
    switch subject.value {
    case nil, .null: false
    case .bool(let value): value
    case .string(let text): !text.isEmpty
    case .number: subject.value?.isEquivalent(to: .number("0")) == false
    case .array, .object: true
    }
  }

  /// Whether the text is part of the value's, or equal to one of its elements.
  private var contains: Bool {
    guard let value = subject.value, let text else { return false }
    if text.contains(subsequence: expected.keptBytes) { return true }
    return value.elements.contains { element in
      AssertionCheck(subject: .value(element), expected: expected, digest: digest).isEqual
    }
  }

  private var matches: Answer {
    guard let text else { return .no }
    do throws(TextPattern.Mistake) {
      let pattern = try TextPattern(expected)
      if let isFound = pattern.isFound(in: String(keeping: text)) {
        return Answer(isFound)
      }
      return .never(
        "`\(expected.shown)` would take too long on \(text.count) bytes. Write it with shorter "
          + "repeats, or check a member of the body.")
    } catch {
      return .never("Invalid regular expression `\(expected.shown)`: \(error.explanation).")
    }
  }

  private func hasDigest(_ kind: DigestKind) -> Answer {
    guard let bytes = subject.bytes else { return .no }
    guard let found = digest(kind, bytes) else {
      return .never(
        "No library on this system computes the digest. Install OpenSSL, or compare with "
          + "`sha256`.")
    }
    let base64 = Base64.encode(found)
    return base64 == expected ? .yes : .never("The digest is `\(base64)`.")
  }
}

extension Array where Element == UInt8 {
  /// Whether the bytes occur in these.
  fileprivate func contains(subsequence other: [UInt8]) -> Bool {
    guard let first = other.first else { return true }
    guard count >= other.count else { return false }
    return (0...count - other.count).contains { start in
      self[start] == first && self[start..<start + other.count].elementsEqual(other)
    }
  }
}
