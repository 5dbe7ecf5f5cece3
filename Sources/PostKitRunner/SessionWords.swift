// What session values and cookies are, in words for people, and which values may be shown.

import PostKitEvaluate
package import PostKitHTTP
package import PostKitStore

extension SessionKey {
  /// What it is, for a person.
  package var meaning: String {
    switch self {
    case .environment: "the environment that editors use"
    case .signIn(let origin): "whether requests may sign in at \(origin)"
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
    case .environment, .trust, .signIn: false
    case .answer(let name), .global(let name): VariableDefinition.nameIsSecret(name)
    case .other: true
    }
  }
}

extension Cookie {
  /// How long it is kept, and who may see it.
  package var remarks: [String] {
    let end = expires.map { "until \(Moment.local($0 * 1_000))" } ?? "until it is deleted"
    return [end] + (isSecure ? ["secure"] : []) + (isHTTPOnly ? ["http only"] : [])
  }
}
