// What is used only in a folder that its user trusts, and how it is named to them.

import PostKitEvaluate

/// Which of the settings for all requests a project's own file says; `nil` for what it doesn't.
package struct ProjectChoices: Sendable, Hashable {
  /// The file that names the proxy.
  package var proxyFile: String?
  /// The file that names the authorities.
  package var authorityFile: String?
}

/// Something that a request uses only in a folder that is trusted.
package enum TrustSubject: Sendable, Hashable {
  /// A file outside of the folder.
  case file(String)
  /// How a request would reach its server, as a clause such as `the proxy http://a:1 of a.json`,
  /// and the file of the project that has chosen it.
  case choice(String, file: String)
  /// A file that a response would replace although none was saved there before.
  case replacement(String)
  /// Scripts of the folder, by the name of their request or file.
  case script(String)

  /// What to do instead of trusting the folder, after a comma.
  package var remedy: String {
    switch self {
    case .file: "or move the file into the folder"
    case .choice(_, let file): "or take it out of \(file)"
    case .replacement: "or save the response under another name"
    case .script: "or send a request without scripts"
    }
  }
}

/// A sign-in that a folder wants which is not trusted (AU-51).
package struct SignInSubject: Sendable, Hashable {
  /// Scheme, host and port, such as `https://id.example`.
  package var origin: String
  /// The client's name there; `nil` where it has none.
  package var client: String?

  /// What it wants, as a clause such as "wants to sign in at `https://id.example`".
  package var clause: String {
    "wants to sign in at `\(origin)`" + (client.map { " as client `\($0)`" } ?? "")
  }
}
