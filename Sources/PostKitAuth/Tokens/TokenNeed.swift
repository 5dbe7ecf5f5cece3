// What a request lacks where it names a token, and what comes of that.

/// A token that a request needs.
package struct TokenNeed: Sendable, Hashable {
  /// Which of the tokens of an answer.
  package enum Kind: Sendable, Hashable { case access, id }

  package var configuration: AuthConfiguration
  package var kind: Kind
  /// Whether a new one is got, whatever is kept (`new`).
  package var isNew = false

  /// Makes a need; a configuration that uses its ID token has that for its access token.
  package init(_ configuration: AuthConfiguration, kind: Kind, isNew: Bool = false) {
    self.configuration = configuration
    self.kind = configuration.usesIDToken ? .id : kind
    self.isNew = isNew
  }
}

/// A token that was got.
package struct TokenAnswer: Sendable, Hashable {
  /// The token itself, which is a secret.
  package var text: String
  /// The scheme that a header names before it, nearly always `Bearer` (AU-28).
  package var scheme: String
  /// What else the answer had, for `oauth2Session`.
  package var tokens: TokenSet

  /// Makes an answer.
  package init(text: String, scheme: String, tokens: TokenSet) {
    self.text = text
    self.scheme = scheme
    self.tokens = tokens
  }
}
