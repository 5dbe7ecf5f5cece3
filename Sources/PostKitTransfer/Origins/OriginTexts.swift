// Values of other tools' JSON as texts: these tools write numbers where a text is meant.

import PostKitJSON

extension JSONView {
  /// A string's text, the digits of a number, `true` or `false`; `nil` for what is none of these.
  var plainText: String? {
    switch kind {
    case .string: string
    case .number: numberText
    case .true: "true"
    case .false: "false"
    case .null, .array, .object: nil
    }
  }

  /// The text of a value of any kind: JSON of arrays and objects, nothing of `null`.
  var anyText: String {
    if let plainText { return plainText }
    return isNull ? "" : value.text
  }
}

extension OriginObject {
  /// The text of a member that is a string, a number, `true` or `false`; `null` has none, and other
  /// kinds count as not read.
  func text(_ name: String) -> String? {
    guard let text = peek(name)?.plainText else { return nil }
    _ = self[name]
    return text
  }

  /// The text of a member of any kind (`anyText`); `nil` where there is no such member.
  func anyText(_ name: String) -> String? { self[name]?.anyText }

  /// Whether a member says yes; other kinds than `true` and `false` count as not read.
  func isSet(_ name: String) -> Bool { bool(name) ?? false }
}
