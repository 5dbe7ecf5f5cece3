// Signatures of JSON Web Tokens: by libcrypto, and with shared secrets by hashes.

import CCrypto
package import PostKitAuth
package import PostKitHTTP
import PostKitSupport

extension FailureCode {
  /// The private key can't be read, or is of no use for the algorithm.
  package static let authKey = FailureCode(rawValue: "auth-key")
  /// The private key is encrypted (AU-65).
  package static let authKeyEncrypted = FailureCode(rawValue: "auth-key-encrypted")
}

/// Makes and checks signatures as a JWS has them (RFC 7518, section 3; RFC 8037).
package enum Signatures {
  /// What checks of ID tokens need.
  package static let means = SignatureMeans(verify: verify, digest: digest)

  /// Fewer bits of RSA are warned of (RFC 7518, section 3.3).
  private static let leastBits = 2_048

  // MARK: - Checking

  /// Whether bytes have a signature.
  package static func verify(
    _ algorithm: SignatureAlgorithm, _ key: VerificationKey, _ bytes: [UInt8],
    _ signature: [UInt8]
  ) -> SignatureVerdict {
    switch key {
    case .secret(let secret):
      guard case .shared = algorithm.family else { return .invalid }
      guard let code = authenticationCode(algorithm.digest, of: bytes, key: secret) else {
        return .unchecked("this system has no \(algorithm.digest.rawValue.uppercased())")
      }
      return isSame(code, signature) ? .valid(remark: nil) : .invalid
    case .published(let key):
      guard key.suits(algorithm) else { return .invalid }
      if case .failure = CryptoLibrary.version { return .unchecked("libcrypto is missing") }
      let encoded: [UInt8]
      do throws(KeyProblem) { encoded = try KeyEncoding.publicKey(key) } catch {
        return .unchecked(error.message.clause)
      }
      return verify(algorithm, publicKey: encoded, bytes, signature)
    }
  }

  private static func verify(
    _ algorithm: SignatureAlgorithm, publicKey: [UInt8], _ bytes: [UInt8], _ signature: [UInt8]
  ) -> SignatureVerdict {
    guard let key = LibraryKey(publicKey, isPrivate: false), key.suits(algorithm) else {
      return .unchecked("the issuer's key can't be read")
    }
    var signature = signature
    if case .elliptic(let curve) = algorithm.family {
      guard let sequence = EllipticSignature.sequence(signature, curve) else { return .invalid }
      signature = sequence
    }
    switch key.verify(algorithm, bytes, signature) {
    case 1: return .valid(remark: key.remark(leastBits))
    case 0: return .invalid
    default: return .unchecked("libcrypto can't use the issuer's key")
    }
  }

  // MARK: - Signing

  /// The signature of bytes by an algorithm of RFC 7518, such as `RS256`.
  package static func sign(
    _ name: String, _ key: SigningKey, _ bytes: [UInt8]
  ) -> SignatureOutcome {
    guard let algorithm = SignatureAlgorithm(rawValue: name) else {
      let known = SignatureAlgorithm.allCases.map(\.rawValue).listed("or")
      return refused(.authKey, "PostKit does not sign with `\(name)`. Use \(known).")
    }
    switch (key, algorithm.family) {
    case (.secret(let secret), .shared):
      guard !secret.isEmpty else {
        return refused(.authKey, "`\(name)` signs with the client's secret, which is empty.")
      }
      guard let code = authenticationCode(algorithm.digest, of: bytes, key: secret) else {
        return refused(.authCryptoMissing, "This system has no hash for `\(name)`. Use `HS256`.")
      }
      return .signature(code)
    case (.secret, _):
      return refused(.authKey, "`\(name)` signs with a private key; the secret is none.")
    case (.privateKey, .shared):
      return refused(
        .authKey, "`\(name)` signs with a secret, not with a private key. Use `RS256` or the like.")
    case (.privateKey(let text), _):
      return sign(algorithm, text, bytes)
    }
  }

  private static func sign(
    _ algorithm: SignatureAlgorithm, _ text: String, _ bytes: [UInt8]
  ) -> SignatureOutcome {
    if case .failure(let missing) = CryptoLibrary.version {
      return refused(.authCryptoMissing, missing.explanation + ".")
    }
    let encoded: [UInt8]
    do throws(KeyProblem) { encoded = try KeyEncoding.privateKey(text) } catch {
      return refused(error.isEncrypted ? .authKeyEncrypted : .authKey, error.message)
    }
    guard let key = LibraryKey(encoded, isPrivate: true) else {
      return refused(
        .authKey, "libcrypto can't read the private key. Check it with `openssl pkey -check`.")
    }
    guard key.suits(algorithm) else {
      return refused(
        .authKey, "`\(algorithm.rawValue)` needs \(algorithm.keyWords); the private key is another."
      )
    }
    if let remark = key.remark(leastBits) { Log.warning("Signing in: \(remark)") }
    guard var signature = key.sign(algorithm, bytes) else {
      return refused(
        .authKey, "libcrypto refuses to sign by `\(algorithm.rawValue)` with the private key. "
          + "Check it with `openssl pkey -check`.")
    }
    if case .elliptic(let curve) = algorithm.family {
      guard let numbers = EllipticSignature.numbers(signature, curve) else {
        return refused(.internal, "libcrypto has made a signature that can't be read.")
      }
      signature = numbers
    }
    return .signature(signature)
  }

  private static func refused(_ code: FailureCode, _ message: String) -> SignatureOutcome {
    .refused(AuthFailure(code, message))
  }

  // MARK: - Hashes

  /// A hash of bytes; `nil` where the system has none.
  package static func digest(_ digest: SignatureDigest, _ bytes: [UInt8]) -> [UInt8]? {
    switch digest {
    case .sha256: SHA256.digest(bytes)
    case .sha384: SystemDigest.sha384.digest(bytes)
    case .sha512: SystemDigest.sha512.digest(bytes)
    }
  }

  /// HMAC (RFC 2104) with a hash.
  private static func authenticationCode(
    _ kind: SignatureDigest, of bytes: [UInt8], key: [UInt8]
  ) -> [UInt8]? {
    if kind == .sha256 { return SHA256.authenticationCode(of: bytes, key: key) }
    // Both longer ones work on blocks of 128 bytes.
    guard var block = key.count > 128 ? digest(kind, key) : key else { return nil }
    block += [UInt8](repeating: 0, count: 128 - block.count)
    guard let inner = digest(kind, block.map { $0 ^ 0x36 } + bytes) else { return nil }
    return digest(kind, block.map { $0 ^ 0x5C } + inner)
  }

  /// Whether bytes are the same, told in a time that says nothing of where they differ.
  private static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// A key that libcrypto has read.
private struct LibraryKey: ~Copyable {
  private let pointer: UnsafeMutableRawPointer
  /// The key as it was read.
  private let bytes: [UInt8]

  init?(_ bytes: [UInt8], isPrivate: Bool) {
    guard let pointer = postkit_crypto_key(bytes, bytes.count, isPrivate) else { return nil }
    self.pointer = pointer
    self.bytes = bytes
  }

  deinit { postkit_crypto_key_free(pointer) }

  /// Whether an algorithm works with it.
  func suits(_ algorithm: SignatureAlgorithm) -> Bool {
    let kind = postkit_crypto_key_kind(pointer)
    return switch algorithm.family {
    case .rsa: kind == POSTKIT_CRYPTO_RSA
    case .elliptic(let curve):
      kind == POSTKIT_CRYPTO_ELLIPTIC && KeyEncoding.names(curve, bytes)
    case .edwards: kind == POSTKIT_CRYPTO_EDWARDS
    case .shared: false
    }
  }

  /// What a person should know of it.
  func remark(_ leastBits: Int) -> String? {
    let bits = postkit_crypto_key_bits(pointer)
    guard postkit_crypto_key_kind(pointer) == POSTKIT_CRYPTO_RSA, bits < leastBits else {
      return nil
    }
    return "The RSA key has \(bits) bits; \(leastBits) are the least that is safe."
  }

  /// 1 for the right signature, 0 for a wrong one, -1 where the key can't be used so.
  func verify(_ algorithm: SignatureAlgorithm, _ bytes: [UInt8], _ signature: [UInt8]) -> Int32 {
    algorithm.withScheme {
      postkit_crypto_verify(pointer, $0, bytes, bytes.count, signature, signature.count)
    }
  }

  /// The signature as the library has it.
  func sign(_ algorithm: SignatureAlgorithm, _ bytes: [UInt8]) -> [UInt8]? {
    // A signature by 16,384 bits, the most that the library takes.
    var output = [UInt8](repeating: 0, count: 2_048)
    let count = algorithm.withScheme {
      postkit_crypto_sign(pointer, $0, bytes, bytes.count, &output, output.count)
    }
    return count > 0 ? Array(output.prefix(count)) : nil
  }
}

extension SignatureAlgorithm {
  /// Does work with what the library needs to know of the algorithm.
  fileprivate func withScheme<Result>(_ work: (postkit_crypto_scheme) -> Result) -> Result {
    if case .edwards = family { return work(postkit_crypto_scheme(digest: nil, is_pss: false)) }
    return digest.rawValue.withCString {
      work(postkit_crypto_scheme(digest: $0, is_pss: family == .rsa(isPSS: true)))
    }
  }

  /// The key that it needs, for a sentence.
  fileprivate var keyWords: String {
    switch family {
    case .rsa: "an RSA key"
    case .elliptic(let curve): "a key on the curve \(curve.rawValue)"
    case .edwards: "a key on Ed25519 or Ed448"
    case .shared: "a secret"
    }
  }
}

extension String {
  /// A sentence as a clause of another one.
  fileprivate var clause: String {
    (first?.lowercased() ?? "") + dropFirst(1).prefix { $0 != "." }
  }
}
