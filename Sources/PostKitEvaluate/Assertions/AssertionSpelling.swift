// A left side of a `??` line that is neither a check nor a name, such as `stauts`.

package import PostKitSyntax
import PostKitText

/// A word where a check is written, with the check that is meant.
package struct AssertionMisspelling: Sendable, Hashable {
  /// The bytes of the word in the file.
  package let range: Range<Int>
  package let written: String
  package let suggestion: String
}

extension AssertionForm {
  /// The words that begin a check.
  private static let checks = ["status", "header", "body", "duration", "xpath"]
  /// What people call them, too, in small letters.
  private static let otherWords = [
    "statuscode": "status", "status_code": "status", "code": "status", "headers": "header",
    "responsetime": "duration", "time": "duration", "content": "body", "json": "body",
  ]

  /// The left side as a word that is misspelt; `nil` where it is a check, or a name that something
  /// defines or may define.
  package func misspelling(_ block: ParsedBlock, _ scope: Scope) -> AssertionMisspelling? {
    guard case .expression(let range) = subject else { return nil }
    let word = block.bytes[range].prefix(while: AssertionForm.isWord)
    guard let first = word.first, !(48...57).contains(first) else { return nil }
    let written = String(decoding: word, as: UTF8.self)
    let rest = block.bytes[word.endIndex..<range.upperBound]
    if let next = rest.first, next != 32, next != 9 {
      // A path or a call begins with the name of something, but for `body.id`.
      guard next == UInt8(ascii: "."), AssertionForm.checks.contains(written),
        !scope.mayDefine(written, at: range.lowerBound)
      else { return nil }
      let member = String(decoding: rest.dropFirst(), as: UTF8.self)
      return AssertionMisspelling(
        range: range, written: written + "." + member, suggestion: written + " " + member)
    }
    guard AssertionLiteral.value(written) == nil, !scope.mayDefine(written, at: range.lowerBound)
    else { return nil }
    let suggestion =
      AssertionForm.otherWords[written.lowercased()]
      ?? Suggestion.nearest(to: written, among: AssertionForm.checks)
    return suggestion.map {
      AssertionMisspelling(range: word.indices, written: written, suggestion: $0)
    }
  }

  /// A name that the left side reads and that nothing defines, where it is no misspelt check.
  package func undefinedName(
    _ block: ParsedBlock, _ scope: Scope
  ) -> (range: Range<Int>, name: String)? {
    guard case .expression(let range) = subject else { return nil }
    let text = block.written(range)
    guard AssertionLiteral.value(text) == nil,
      case .path(let name, let rest) = ReferenceExpression(parsing: text),
      !scope.mayDefine(name, at: range.lowerBound),
      !scope.mayDefine(name + rest, at: range.lowerBound), misspelling(block, scope) == nil
    else { return nil }
    return (range, name)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (65...90).contains(byte & 0xDF) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
  }
}

extension Scope {
  /// Names that a check can read although no file defines them.
  private static let givenNames: Set<String> = [
    "response", "request", "client", "console", "process", "undefined", "exports", "crypto",
    "Date", "Math", "JSON", "Number", "String", "Object", "Array", "test", "require",
  ]

  /// Whether a name has a value at an offset, or may have one once requests are answered and
  /// scripts are run.
  func mayDefine(_ name: String, at offset: Int) -> Bool {
    Scope.givenNames.contains(name) || lookup(name, at: offset) != nil
      || requestDefining(name) != nil || request(referredToAs: name) != nil
      || name.hasSuffix("Response") && request(referredToAs: String(name.dropLast(8))) != nil
      || scriptSetting(name) != nil || lacking[name] != nil || name.hasPrefix("$")
      || environments.providers[name] != nil || !environments.environments(defining: name).isEmpty
  }
}
