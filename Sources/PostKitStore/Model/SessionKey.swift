// What the small values that outlive a process are; their keys say so.

/// The key of a session value.
package enum SessionKey: Sendable, Hashable {
  /// The active environment of a folder; an empty value says that none was chosen on purpose.
  case environment
  /// Whether the user trusts the folder: `yes` or `no`.
  case trust
  /// Whether requests of a folder that is not trusted may sign in at an origin: `yes` or `no`
  /// (AU-51).
  case signIn(origin: String)
  /// The last answer to a question of a request, which is offered again (PK-54).
  case answer(String)
  /// A global that requests have set, as JSON (PK-59).
  case global(String)
  /// Something that another version of PostKit keeps.
  case other(String)

  /// What the keys of globals begin with.
  static let globals = "global:"
  private static let answers = "input:"
  private static let signIns = "sign-in:"

  /// Reads a key.
  package init(_ text: String) {
    switch text {
    case "environment": self = .environment
    case "trust": self = .trust
    case _ where text.hasPrefix(SessionKey.answers):
      self = .answer(String(text.dropFirst(SessionKey.answers.count)))
    case _ where text.hasPrefix(SessionKey.signIns):
      self = .signIn(origin: String(text.dropFirst(SessionKey.signIns.count)))
    case _ where text.hasPrefix(SessionKey.globals):
      self = .global(String(text.dropFirst(SessionKey.globals.count)))
    default: self = .other(text)
    }
  }

  /// The key as it stands in the store.
  package var text: String {
    switch self {
    case .environment: "environment"
    case .trust: "trust"
    case .signIn(let origin): SessionKey.signIns + origin
    case .answer(let name): SessionKey.answers + name
    case .global(let name): SessionKey.globals + name
    case .other(let text): text
    }
  }

  /// The name that a request gives it; `nil` for what no request names.
  package var name: String? {
    switch self {
    case .answer(let name), .global(let name): name
    case .environment, .trust, .signIn, .other: nil
    }
  }
}
