// The forms in which ranges and texts are expanded.

import PostKitHTTP
package import PostKitJSON
package import PostKitSyntax

extension Evaluator {
  /// What is said of `{{` without its end.
  static let unclosedReference = "This reference is not closed. Add `}}`."

  /// Notes a secret, and covers it where nothing but a display is made.
  mutating func shown(_ value: String, isSecret: Bool) -> String {
    if isSecret { note(secret: value) }
    return isSecret && masksSecrets ? SecretMask.text : value
  }

  /// Expands a text for display, as names mean at an offset; nothing is sent on its account.
  package mutating func display(_ text: String, at offset: Int) -> String {
    expand(text: text, reportedAt: offset..<offset, place: .body, offset: offset).shown
  }

  /// The value of a definition in the request file, such as one that stands after the response.
  package mutating func value(of variable: VariableSyntax, in block: ParsedBlock) -> JSONValue {
    if variable.form == .file { return content(of: variable, in: block) }
    let text = FileVariableValue.text(block.keptText(variable.value), scope.dialect.escapes)
    return value(ofTemplate: text, of: block.name(of: variable), at: block.absolute(variable.value))
  }

  /// Expands a range of the request file.
  mutating func expand(
    _ range: Range<Int>, of block: ParsedBlock, place: TemplatePlace
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    append(range, of: block, place: place, to: &result)
    return result
  }

  /// Expands a range of the request file to a text, of which no byte is lost.
  mutating func text(_ range: Range<Int>, of block: ParsedBlock, place: TemplatePlace) -> String {
    // Most have no reference in them, and are made a text without a copy.
    guard block.bytes.mayRefer(in: block.absolute(range)) else { return block.keptText(range) }
    return String(keeping: expand(range, of: block, place: place))
  }

  /// Expands a text that stands in no file or in another file; problems are reported at a range
  /// of the request file.
  mutating func expand(
    text: String, reportedAt range: Range<Int>, place: TemplatePlace, offset: Int
  ) -> String {
    guard text.mayRefer else { return text }
    let bytes = text.keptBytes
    return String(
      keeping: expand(
        bytes, in: 0..<bytes.count, reportedAt: range, place: place, offset: offset))
  }
}
