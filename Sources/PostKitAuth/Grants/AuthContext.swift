// The world as a plan sees it: time, chance and signatures, handed in.

/// What a plan can't do by itself, as closures, so that it is a pure function.
package struct AuthContext: Sendable {
  /// The time in milliseconds since 1970-01-01T00:00:00Z.
  package var now: @Sendable () -> Int64
  /// So many random bytes.
  package var random: @Sendable (Int) -> [UInt8]
  /// SHA-256 of bytes.
  package var sha256: @Sendable ([UInt8]) -> [UInt8]
  /// The signature of bytes, raw as a JWS has it (RFC 7518, section 3).
  package var sign: @Sendable (_ algorithm: String, SigningKey, [UInt8]) -> SignatureOutcome
  /// Whether somebody can be asked to sign in; otherwise a plan that needs a person fails with
  /// `auth-login-needed`.
  package var hasPerson = false
  /// What to run in order to sign in, for that failure: `postkit auth login api.http --id shop`.
  package var loginCommand = "postkit auth login"

  /// Makes a context.
  package init(
    now: @escaping @Sendable () -> Int64, random: @escaping @Sendable (Int) -> [UInt8],
    sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
    sign: @escaping @Sendable (_ algorithm: String, SigningKey, [UInt8]) -> SignatureOutcome
  ) {
    self.now = now
    self.random = random
    self.sha256 = sha256
    self.sign = sign
  }
}

/// What signs: the text of a private key (PEM or JWK), or a shared secret.
package enum SigningKey: Sendable, Hashable {
  case privateKey(String)
  case secret([UInt8])
}

/// What came of signing.
package enum SignatureOutcome: Sendable, Hashable {
  case signature([UInt8])
  /// Why there is none, as a sentence that says what to do.
  case refused(AuthFailure)
}
