// The tokens that an authorization server has given, and how long they hold.

/// What a token endpoint has answered (RFC 6749, section 5.1), as it is kept.
package struct TokenSet: Sendable, Hashable {
  package var accessToken: String
  /// The scheme that goes before it (AU-28).
  package var scheme = "Bearer"
  package var refreshToken: String?
  package var idToken: String?
  /// What was granted; as asked for where the answer does not say so.
  package var scope: String?
  /// When it was got, in milliseconds since 1970-01-01T00:00:00Z.
  package var acquired: Int64
  /// When the access token ends, in milliseconds since 1970; `nil` where nobody knows (AU-42).
  package var expires: Int64?
  /// When the refresh token ends, in milliseconds since 1970.
  package var refreshExpires: Int64?
  /// How the client proved who it is, so that it is not tried again (AU-21).
  package var clientAuthentication: ClientAuthentication?
  /// The nonce that the ID token has to name.
  package var nonce: String?
  /// Whether the ID token is that of an earlier answer: it says nothing of this access token.
  package var isIDTokenKept = false
  /// What a person should know of the answer: a narrower scope, another type of token.
  package var remarks: [String] = []

  /// Makes a set with an access token alone.
  package init(accessToken: String, acquired: Int64) {
    self.accessToken = accessToken
    self.acquired = acquired
  }

  /// Whether the access token can still be used: a minute before its end, or a tenth of its life
  /// where that is less, it no longer can (AU-42).
  package func isValid(at now: Int64) -> Bool {
    guard let expires else { return true }
    return now < expires - min(60_000, max(0, expires - acquired) / 10)
  }
}
