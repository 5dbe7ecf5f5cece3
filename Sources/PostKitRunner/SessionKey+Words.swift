// What session values are, in words for people, and which of them may be shown.

import PostKitEvaluate
package import PostKitStore

extension SessionKey {
  /// What it is, for a person.
  package var meaning: String {
    switch self {
    case .environment: "the environment that editors use"
    case .trust: "whether requests may use files outside the folder and the folder's own choices"
    case .answer: "your last answer to a question, offered again"
    case .global: "a global that requests have set"
    case .other: "kept by another version of PostKit"
    }
  }

  /// Whether the value is hidden. No secret is kept here on purpose; but who answers a question of
  /// the name `token` may have given one all the same.
  package var isHidden: Bool {
    switch self {
    case .environment, .trust: false
    case .answer(let name), .global(let name): VariableDefinition.nameIsSecret(name)
    case .other: true
    }
  }
}
