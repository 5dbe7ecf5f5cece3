// Where tokens are kept beyond the process that has got them.

package import PostKitAuth
import PostKitSupport

/// Tokens as they are kept.
package struct KeptTokens: Sendable, Hashable {
  package var tokens: TokenSet
  /// Whether a server has said that the access token is none, or no longer one (AU-45).
  package var isRefused = false
  /// Whether no vault has them, as they could not be kept there.
  var isOnlyHere = false

  /// Makes tokens that nobody has refused.
  package init(_ tokens: TokenSet) { self.tokens = tokens }

  /// Whether the access token can be sent at a time, in milliseconds since 1970.
  package func isUsable(at now: Int64) -> Bool { !isRefused && tokens.isValid(at: now) }
}

/// Whose tokens they are, as a vault is told of them.
package struct TokenOwner: Sendable, Hashable {
  /// What tells them from others (AU-41), in hex.
  package var key: String
  /// What they were got with; its secrets are not kept.
  package var configuration: AuthConfiguration
  package var place: TokenPlace

  /// Names the owner of the tokens of a configuration.
  package init(_ configuration: AuthConfiguration, at place: TokenPlace) {
    self.configuration = configuration
    self.place = place
    key = SHA256.hexDigest(
      configuration.keyMaterial(folder: place.folder, environment: place.environment))
  }
}

/// What a vault says when it is asked for tokens.
package enum VaultContent: Sendable, Hashable {
  case nothing
  case kept(KeptTokens)
  /// It can't be read now, so that nobody knows.
  case unreadable
}

/// Keeps tokens for all processes of a user.
package protocol TokenVault: Sendable {
  /// The folder of the locks by which processes take turns; `nil` where there is only one.
  var lockFolder: String? { get }
  /// What is kept under a key.
  func content(_ key: String) async -> VaultContent
  /// Keeps tokens in the place of earlier ones; gives a sentence where they can't be kept.
  func keep(_ tokens: TokenSet, of owner: TokenOwner) async -> String?
  /// Notes that a server takes an access token for none.
  func refuse(_ tokens: TokenSet, key: String) async
  /// Notes that tokens are used, so that they are not forgotten as what nobody needs.
  func noteUse(_ key: String) async
  /// Forgets tokens.
  func forget(_ key: String) async
}
