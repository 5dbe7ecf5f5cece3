// The algorithms of signatures (RFC 7518, section 3; RFC 8037).

/// An algorithm of a JSON Web Signature that PostKit knows. `none` is none of them.
package enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
  case ps384 = "PS384"
  case ps512 = "PS512"
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"
  case edDSA = "EdDSA"
  case hs256 = "HS256"
  case hs384 = "HS384"
  case hs512 = "HS512"

  /// What an algorithm needs of its key.
  package enum Family: Sendable, Hashable {
    /// RSA with PKCS#1 v1.5 or with PSS.
    case rsa(isPSS: Bool)
    case elliptic(EllipticCurve)
    case edwards
    /// A secret that both sides have.
    case shared
  }

  /// What it needs of its key.
  package var family: Family {
    switch self {
    case .rs256, .rs384, .rs512: .rsa(isPSS: false)
    case .ps256, .ps384, .ps512: .rsa(isPSS: true)
    case .es256: .elliptic(.p256)
    case .es384: .elliptic(.p384)
    case .es512: .elliptic(.p521)
    case .edDSA: .edwards
    case .hs256, .hs384, .hs512: .shared
    }
  }

  /// The hash that it signs; that of `at_hash`, too. For EdDSA, which hashes by itself, that of
  /// Ed25519.
  package var digest: SignatureDigest {
    switch self {
    case .rs256, .ps256, .es256, .hs256: .sha256
    case .rs384, .ps384, .es384, .hs384: .sha384
    case .rs512, .ps512, .es512, .hs512, .edDSA: .sha512
    }
  }
}

/// A hash of the family SHA-2.
package enum SignatureDigest: String, Sendable, Hashable {
  case sha256, sha384, sha512
}

/// A curve of RFC 7518, section 6.2.1.1.
package enum EllipticCurve: String, Sendable, Hashable, CaseIterable {
  case p256 = "P-256"
  case p384 = "P-384"
  case p521 = "P-521"

  /// The bytes of a coordinate, and of each half of a signature.
  package var size: Int {
    switch self {
    case .p256: 32
    case .p384: 48
    case .p521: 66
    }
  }
}
