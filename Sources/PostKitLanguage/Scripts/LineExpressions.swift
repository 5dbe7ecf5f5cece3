// Expressions without braces: in tags such as `@loop while …`, and in checks (SC-35).

import PostKitEvaluate
import PostKitSyntax

extension ParsedBlock {
  /// The bytes of the file that are JavaScript in tags and in checks.
  var lineExpressions: [Range<Int>] {
    let tags = metadata.lazy.filter { $0.kind?.takesExpression == true && $0.region != .body }
    let found = tags.compactMap(expression(in:)) + assertions.compactMap(expression(in:))
    return found.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The expression of `@disabled` or `@loop`; `nil` for a name, a path or a number.
  private func expression(in tag: MetadataSyntax) -> Range<Int>? {
    var rest = absolute(tag.value)
    func skip(while isSkipped: (UInt8) -> Bool) {
      let count = bytes[rest].prefix(while: isSkipped).count
      rest = rest.lowerBound + count..<rest.upperBound
    }
    func word() -> String {
      skip { $0 == 32 || $0 == 9 }
      let start = rest.lowerBound
      skip { $0 != 32 && $0 != 9 }
      return written(start..<rest.lowerBound)
    }
    if tag.kind == .loop {
      let first = word()
      let isOver = first == "for" && !word().isEmpty && word() == "of"
      guard first == "while" || isOver else { return nil }
    } else {
      skip { $0 == UInt8(ascii: "!") || $0 == 32 || $0 == 9 }
    }
    skip { $0 == 32 || $0 == 9 }
    // What stands between braces is a reference.
    return !written(rest).hasPrefix("{{") && ScriptPlace.isExpression(bytes[rest]) ? rest : nil
  }

  /// The left side of a check, where that is JavaScript.
  private func expression(in assertion: AssertionSyntax) -> Range<Int>? {
    guard case .expression(let range) = form(of: assertion)?.subject else { return nil }
    let text = written(range)
    guard !text.contains("{{"), case .script = ReferenceExpression(parsing: text) else {
      return nil
    }
    // Who writes `js` means it, whatever follows.
    let isMarked = absolute(assertion.text).lowerBound < range.lowerBound
    return isMarked || ScriptPlace.isExpression(bytes[range]) ? range : nil
  }
}
