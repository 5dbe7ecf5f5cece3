// Whether an ID token is what it claims to be (OpenID Connect Core, section 3.1.3.7).

import PostKitHTTP
import PostKitJSON

/// What an ID token is held against (AU-60).
package struct IDTokenExpectation: Sendable {
  /// The issuer; `nil` where nobody has said it, so that the token's is only shown.
  package var issuer: String?
  package var clientID: String
  /// The client's secret, with which `HS256` signs.
  package var clientSecret: String?
  /// The nonce that was sent; `nil` where none was.
  package var nonce: String?
  /// The access token that came along.
  package var accessToken: String?
  /// The algorithms that discovery lists; none where it lists none.
  package var algorithms: [String] = []
  /// The time in milliseconds since 1970-01-01T00:00:00Z.
  package var now: Int64
  /// Whether the issuer says where its keys are (`jwks_uri`).
  package var hasKeysURL = false
  /// The keys that were fetched; `nil` where none were.
  package var keys: WebKeySet?
  /// Whether keys may be fetched, once more where some were: at most once a minute (AU-61).
  package var mayFetchKeys = false

  /// Makes an expectation that knows of the client alone.
  package init(clientID: String, now: Int64) {
    self.clientID = clientID
    self.now = now
  }
}

/// What checks a signature.
package enum VerificationKey: Sendable, Hashable {
  case published(WebKey)
  case secret([UInt8])
}

/// What came of checking a signature.
package enum SignatureVerdict: Sendable, Hashable {
  /// It is that of the key; with what a person should know of the key.
  case valid(remark: String?)
  case invalid
  /// It could not be checked, and why, as a clause: "libcrypto is missing".
  case unchecked(String)
}

/// What checks need that is no pure function here.
package struct SignatureMeans: Sendable {
  /// Whether bytes have a signature, which is as a JWS has it (RFC 7518, section 3).
  package var verify:
    @Sendable (SignatureAlgorithm, VerificationKey, _ bytes: [UInt8], _ signature: [UInt8])
      -> SignatureVerdict
  /// A hash of bytes; `nil` where the system has none.
  package var digest: @Sendable (SignatureDigest, [UInt8]) -> [UInt8]?

  /// Makes means.
  package init(
    verify: @escaping @Sendable (SignatureAlgorithm, VerificationKey, [UInt8], [UInt8])
      -> SignatureVerdict,
    digest: @escaping @Sendable (SignatureDigest, [UInt8]) -> [UInt8]?
  ) {
    self.verify = verify
    self.digest = digest
  }
}

/// What a check of an ID token found.
package struct IDTokenVerdict: Sendable, Hashable {
  /// A check that failed: the member that it looks at, and what is wrong, as a sentence.
  package struct Failure: Sendable, Hashable {
    package var check: String
    package var message: String
  }

  /// The checks that failed; a token with any is sent where its author asks for it, and is nobody's
  /// identity.
  package var failures: [Failure] = []
  /// Why the signature was not checked, as a clause; `nil` where it was.
  package var unchecked: String?
  /// What a person should know of the key that signed.
  package var remark: String?
  /// Whom the token is about; `nil` where a check failed.
  package var subject: String?
  /// Who has issued it, as it says itself.
  package var issuer: String?

  /// What is wrong in one message for a warning `auth-id-token`; `nil` where nothing is.
  package var warning: String? {
    failures.isEmpty
      ? nil
      : "The ID token is sent, but proves nobody's identity. "
        + failures.map(\.message).joined(separator: " ")
  }

  /// What is to be said of the signature, as a sentence.
  package var signatureSentence: String {
    if failures.contains(where: { $0.check == "signature" }) { return "The signature is wrong." }
    return unchecked.map { "The signature was not checked: \($0)." } ?? "The signature is right."
  }
}

/// Checks ID tokens.
package enum IDTokenCheck {
  /// What is next.
  package enum Step: Sendable, Hashable {
    /// Fetch the issuer's keys, and ask again with them and with when they may be fetched next.
    case fetchKeys
    case verdict(IDTokenVerdict)
  }

  /// Clocks may differ by so much.
  private static let skew: Int64 = 60_000

  /// What an ID token is worth, or what is needed to know.
  package static func next(
    _ text: String, _ expected: IDTokenExpectation, _ means: SignatureMeans
  ) -> Step {
    var verdict = IDTokenVerdict()
    let token: WebToken
    do throws(WebTokenProblem) { token = try WebToken(text) } catch {
      verdict.fail(error.check, error.message)
      return .verdict(verdict)
    }
    guard let claims = token.claims?.root else {
      verdict.fail("claims", "The payload is not a JSON object.")
      return .verdict(verdict)
    }
    verdict.issuer = token.text("iss")
    verdict.unchecked = "other checks failed first"
    if let algorithm = algorithm(token, expected, &verdict) {
      checkHash(token, algorithm, expected, means, &verdict)
      switch signature(token, algorithm, expected, means) {
      case .fetchKeys: return .fetchKeys
      case .found(.valid(let remark)): (verdict.unchecked, verdict.remark) = (nil, remark)
      case .found(.unchecked(let reason)): verdict.unchecked = reason
      case .found(.invalid):
        verdict.unchecked = nil
        verdict.fail("signature", "The signature is not one of the issuer's keys.")
      }
    }
    checkClaims(token, claims, expected, &verdict)
    if verdict.failures.isEmpty { verdict.subject = token.text("sub") }
    return .verdict(verdict)
  }

  // MARK: - Header and signature

  private static func algorithm(
    _ token: WebToken, _ expected: IDTokenExpectation, _ verdict: inout IDTokenVerdict
  ) -> SignatureAlgorithm? {
    if token.header.root["crit"] != nil {
      verdict.fail("crit", "The header asks for extensions (`crit`) that PostKit does not know.")
      return nil
    }
    let name = token.algorithm
    guard let algorithm = SignatureAlgorithm(rawValue: name) else {
      // Some servers write it in other letters, which counts as well (RFC 7515 knows `none` alone).
      verdict.fail(
        "alg",
        name.lowercased() == "none"
          ? "The token has no signature: its `alg` is `none`."
          : "PostKit does not know the algorithm `\(name.withoutControlCharacters)` (`alg`).")
      return nil
    }
    if !expected.algorithms.isEmpty, !expected.algorithms.contains(name) {
      verdict.fail(
        "alg",
        "`alg` is `\(name)`; the issuer signs with \(expected.algorithms.listed("or")).")
      return nil
    }
    return algorithm
  }

  private enum SignatureStep { case fetchKeys, found(SignatureVerdict) }

  /// A signature by a shared secret is held against the client's secret alone, never against a key
  /// that is published, because everybody has that.
  private static func signature(
    _ token: WebToken, _ algorithm: SignatureAlgorithm, _ expected: IDTokenExpectation,
    _ means: SignatureMeans
  ) -> SignatureStep {
    guard let signature = token.signature else { return .found(.invalid) }
    func verdict(_ key: VerificationKey) -> SignatureVerdict {
      means.verify(algorithm, key, token.signedBytes, signature)
    }
    if algorithm.family == .shared {
      guard let secret = expected.clientSecret, !secret.isEmpty else {
        return .found(.unchecked("`\(algorithm.rawValue)` needs the client's secret"))
      }
      // A public key in the place of a secret would let anybody sign.
      if secret.contains("-----BEGIN ") || WebKey(parsing: secret) != nil {
        return .found(.invalid)
      }
      return .found(verdict(.secret(Array(secret.utf8))))
    }
    guard expected.hasKeysURL || expected.keys != nil else {
      return .found(.unchecked("the issuer's keys (`jwks_uri`) are not known"))
    }
    guard let keys = expected.keys else {
      return expected.mayFetchKeys
        ? .fetchKeys : .found(.unchecked("the issuer's keys can't be fetched"))
    }
    let candidates = keys.candidates(algorithm, id: token.keyID)
    guard !candidates.isEmpty else {
      if expected.mayFetchKeys { return .fetchKeys }
      return .found(.invalid)
    }
    var unchecked: SignatureVerdict?
    for key in candidates {
      switch verdict(.published(key)) {
      case .valid(let remark): return .found(.valid(remark: remark))
      case .unchecked(let reason): unchecked = .unchecked(reason)
      case .invalid: continue
      }
    }
    return .found(unchecked ?? .invalid)
  }

  // MARK: - Claims

  private static func checkHash(
    _ token: WebToken, _ algorithm: SignatureAlgorithm, _ expected: IDTokenExpectation,
    _ means: SignatureMeans, _ verdict: inout IDTokenVerdict
  ) {
    guard let claim = token.claims?.root["at_hash"], let accessToken = expected.accessToken,
      let digest = means.digest(algorithm.digest, Array(accessToken.utf8))
    else { return }
    let half = digest.prefix(digest.count / 2)
    guard claim.string != Base64.encode(half, alphabet: .url, isPadded: false) else { return }
    verdict.fail("at_hash", "`at_hash` is that of another access token.")
  }

  private static func checkClaims(
    _ token: WebToken, _ claims: JSONView, _ expected: IDTokenExpectation,
    _ verdict: inout IDTokenVerdict
  ) {
    if let issuer = expected.issuer, verdict.issuer != issuer {
      let other = verdict.issuer.map { "is `\($0.withoutControlCharacters)`" } ?? "is missing"
      verdict.fail("iss", "The issuer (`iss`) \(other), not `\(issuer)`.")
    }
    if token.text("sub")?.isEmpty ?? true { verdict.fail("sub", "The subject (`sub`) is missing.") }
    checkAudience(token, claims, expected, &verdict)
    if let ends = token.moment("exp") {
      if ends <= expected.now - skew {
        let words = WebTokenTime.words("exp", at: ends, now: expected.now)
        verdict.fail("exp", "The token \(words) (`exp`).")
      }
    } else {
      verdict.fail("exp", "The end (`exp`) is missing or no time in seconds.")
    }
    if let issued = token.moment("iat") {
      if issued >= expected.now + skew {
        let span = WebTokenTime.span(milliseconds: issued - expected.now)
        verdict.fail("iat", "The token was issued \(span) in the future (`iat`). Check the clock.")
      }
    } else {
      verdict.fail("iat", "The time of issue (`iat`) is missing or no time in seconds.")
    }
    if claims["nbf"] != nil {
      if let begins = token.moment("nbf"), begins < expected.now + skew {
      } else {
        verdict.fail("nbf", "The token is not valid yet (`nbf`). Check the clock.")
      }
    }
    if let nonce = expected.nonce, token.text("nonce") != nonce {
      let other = claims["nonce"] == nil ? "is missing" : "is not the one that was sent"
      verdict.fail("nonce", "`nonce` \(other), so the token may be of another sign-in.")
    }
  }

  private static func checkAudience(
    _ token: WebToken, _ claims: JSONView, _ expected: IDTokenExpectation,
    _ verdict: inout IDTokenVerdict
  ) {
    let audience = claims["aud"]
    let names = audience?.string.map { [$0] } ?? audience?.elements.compactMap(\.string) ?? []
    if !names.contains(expected.clientID) {
      let others = names.isEmpty
        ? "is missing"
        : "is " + names.prefix(4).map { "`\($0.withoutControlCharacters)`" }.listed("and")
      verdict.fail("aud", "The audience (`aud`) \(others), not the client `\(expected.clientID)`.")
    }
    let party = claims["azp"]
    if party != nil || names.count > 1, party?.string != expected.clientID {
      let other = party == nil ? "is missing, although there are several audiences" : "is another"
      verdict.fail(
        "azp", "The authorized party (`azp`) \(other), not the client `\(expected.clientID)`.")
    }
  }
}

extension IDTokenVerdict {
  /// Adds a check that failed.
  fileprivate mutating func fail(_ check: String, _ message: String) {
    failures.append(Failure(check: check, message: message))
  }
}

extension WebTokenProblem {
  /// The check that fails by it; `auth-jwe-unsupported` is the word for tokens that are encrypted.
  fileprivate var check: String {
    if case .encrypted = self { return "auth-jwe-unsupported" }
    return "form"
  }
}

extension String {
  /// What a server wrote, so that it can stand in a sentence: its beginning, and no control.
  fileprivate var withoutControlCharacters: String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(200).filter { $0.value >= 0x20 }))
      .replacing("`", with: "'")
  }
}
