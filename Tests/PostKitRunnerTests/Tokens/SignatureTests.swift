// Signatures against the vectors of the standards, and against themselves.

import PostKitAuth
import PostKitHTTP
import PostKitJSON
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite("Signatures of JSON Web Tokens")
struct SignatureTests {
  private static let payload =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

  /// RFC 7515, appendix A.1.
  private static let hs256 = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(payload)"
    + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  private static let secret =
    "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
  /// RFC 7515, appendix A.2.
  private static let rs256 = "eyJhbGciOiJSUzI1NiJ9.\(payload)."
    + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W"
    + "2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkS"
    + "jtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnv"
    + "Wh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
  /// RFC 7515, appendix A.3.
  private static let es256 = "eyJhbGciOiJFUzI1NiJ9.\(payload)."
    + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
  /// RFC 7515, appendix A.4.
  private static let es512 = "eyJhbGciOiJFUzUxMiJ9.UGF5bG9hZA."
    + "AdwMgeerwtHoh-l192l60hp9wAHZFVJbLfD_UxMi70cwnZOYaRI1bKPWROc-mZZqwqT2SI-KGDKB34XO0aw_7Xdt"
    + "AG8GaSwFKdCAPZgoXD2YBJZCPEX3xKpRwcdOO8KpEHwJjyqOgzDO7iKvU8vcnwNrmxYbSW9ERBXukOXolLzeO_Jn"
  /// RFC 8037, appendix A.4 and A.5.
  private static let edDSA = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
    + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"

  private static let vectors = [
    (rs256, TestKeys.rsa), (es256, TestKeys.p256), (es512, TestKeys.p521),
    (edDSA, TestKeys.ed25519),
  ]

  /// Whether this machine has libcrypto; tests of signatures by keys are skipped without it.
  private func hasLibrary() throws -> Bool {
    if case .success = CryptoLibrary.version { return true }
    return try Require.condition(false, reason: "libcrypto is not installed")
  }

  private static func json(_ key: [String: String]) -> JSONValue {
    .object(key.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) })
  }

  private func published(_ key: [String: String]) throws -> VerificationKey {
    .published(try #require(WebKey(Self.json(key.filter { $0.key != "d" }))))
  }

  private func signature(_ outcome: SignatureOutcome) throws -> [UInt8] {
    guard case .signature(let bytes) = outcome else {
      Issue.record("\(outcome)")
      return []
    }
    return bytes
  }

  private func refusal(_ outcome: SignatureOutcome) -> AuthFailure? {
    guard case .refused(let failure) = outcome else { return nil }
    return failure
  }

  // MARK: - Vectors

  @Test(arguments: vectors)
  func `The vectors of the standards hold, and with a changed bit none does`(
    text: String, key: [String: String]
  ) throws {
    guard try hasLibrary() else { return }
    let token = try WebToken(text)
    let algorithm = try #require(SignatureAlgorithm(rawValue: token.algorithm))
    let published = try published(key)
    func verdict(_ bytes: [UInt8], _ signature: [UInt8]) -> SignatureVerdict {
      Signatures.verify(algorithm, published, bytes, signature)
    }
    let signature = try #require(token.signature)
    #expect(verdict(token.signedBytes, signature) == .valid(remark: nil))
    for place in [0, signature.count / 2, signature.count - 1] {
      var changed = signature
      changed[place] ^= 1
      #expect(verdict(token.signedBytes, changed) == .invalid)
    }
    var other = token.signedBytes
    other[other.count - 1] ^= 1
    #expect(verdict(other, signature) == .invalid)
    #expect(verdict(token.signedBytes, []) == .invalid)
    #expect(verdict(token.signedBytes, signature + [0]) == .invalid)
    #expect(verdict([], signature) == .invalid)
  }

  @Test func `A shared secret signs and checks without a library`() throws {
    let token = try WebToken(Self.hs256)
    let key = try #require(Base64.decode(Self.secret, alphabet: .url, requiresPadding: false))
    #expect(
      try signature(Signatures.sign("HS256", .secret(key), token.signedBytes)) == token.signature)
    for algorithm in [SignatureAlgorithm.hs256, .hs384, .hs512] {
      let code = try signature(
        Signatures.sign(algorithm.rawValue, .secret(key), token.signedBytes))
      #expect(
        Signatures.verify(algorithm, .secret(key), token.signedBytes, code) == .valid(remark: nil))
      #expect(
        Signatures.verify(algorithm, .secret(key + [1]), token.signedBytes, code) == .invalid)
      #expect(
        Signatures.verify(algorithm, .secret(key), token.signedBytes, code.dropLast()) == .invalid)
    }
  }

  @Test func `HMAC with SHA-512 is that of RFC 4231`() throws {
    // Test case 6: a key that is longer than a block.
    let code = try signature(
      Signatures.sign(
        "HS512", .secret([UInt8](repeating: 0xAA, count: 131)),
        Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)))
    #expect(Array(code.prefix(8)) == [0x80, 0xB2, 0x42, 0x63, 0xC7, 0xC1, 0xA3, 0xEB])
  }

  @Test(arguments: [("RS256", rs256, TestKeys.rsa), ("EdDSA", edDSA, TestKeys.ed25519)])
  func `What has one signature is signed as the standards sign it`(
    algorithm: String, text: String, key: [String: String]
  ) throws {
    guard try hasLibrary() else { return }
    let token = try WebToken(text)
    let outcome = Signatures.sign(
      algorithm, .privateKey(Self.json(key).text), token.signedBytes)
    #expect(try signature(outcome) == token.signature)
  }

  // MARK: - There and back

  @Test(
    arguments: [
      ("RS256", TestKeys.rsa, TestKeys.rsaPEM as String?), ("RS384", TestKeys.rsa, nil),
      ("RS512", TestKeys.rsa, nil), ("PS256", TestKeys.rsa, TestKeys.rsaPEM),
      ("PS384", TestKeys.rsa, nil), ("PS512", TestKeys.rsa, nil),
      ("ES256", TestKeys.p256, TestKeys.p256PEM), ("ES384", TestKeys.p384, TestKeys.p384PEM),
      ("ES512", TestKeys.p521, nil), ("EdDSA", TestKeys.ed25519, TestKeys.ed25519PEM),
      ("EdDSA", TestKeys.ed448, nil),
    ])
  func `What a private key signs the public one knows`(
    name: String, key: [String: String], pem: String?
  ) throws {
    guard try hasLibrary() else { return }
    let algorithm = try #require(SignatureAlgorithm(rawValue: name))
    let bytes = Array("header.payload".utf8)
    let published = try published(key)
    for text in [Self.json(key).text, pem].compactMap(\.self) {
      // Numbers of a curve may begin with a zero: often enough that it comes by.
      for round in 0..<(key["kty"] == "EC" ? 40 : 2) {
        let message = bytes + [UInt8(round)]
        let made = try signature(Signatures.sign(name, .privateKey(text), message))
        #expect(Signatures.verify(algorithm, published, message, made) == .valid(remark: nil))
        #expect(Signatures.verify(algorithm, published, bytes, made) == .invalid)
      }
    }
  }

  @Test func `A point may be missing of a private key`() throws {
    guard try hasLibrary() else { return }
    let key = TestKeys.p256.filter { $0.key != "x" && $0.key != "y" }
    let made = try signature(Signatures.sign("ES256", .privateKey(Self.json(key).text), [1]))
    #expect(
      Signatures.verify(.es256, try published(TestKeys.p256), [1], made) == .valid(remark: nil))
  }

  @Test func `A short key is warned of`() throws {
    guard try hasLibrary() else { return }
    let key = SigningKey.privateKey(Self.json(TestKeys.shortRSA).text)
    let made = try signature(Signatures.sign("RS256", key, [1]))
    let verdict = Signatures.verify(.rs256, try published(TestKeys.shortRSA), [1], made)
    guard case .valid(let remark) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(remark?.contains("1024 bits") == true)
  }

  // MARK: - Refusals

  private static let useless: [(String, SigningKey, String, String)] = [
    ("none", .secret([1]), "auth-key", "does not sign with `none`"),
    ("HS256", .secret([]), "auth-key", "which is empty"),
    ("RS256", .secret([1]), "auth-key", "private key"),
    ("HS256", .privateKey(TestKeys.rsaPEM), "auth-key", "signs with a secret"),
    ("RS256", .privateKey(TestKeys.p256PEM), "auth-key", "needs an RSA key"),
    ("ES256", .privateKey(TestKeys.p384PEM), "auth-key", "the curve P-256"),
    ("ES256", .privateKey(TestKeys.rsaPEM), "auth-key", "the curve P-256"),
    ("ES256", .privateKey(TestKeys.otherCurvePEM), "auth-key", "the curve P-256"),
    ("EdDSA", .privateKey(TestKeys.p256PEM), "auth-key", "Ed25519"),
    ("RS256", .privateKey("nonsense"), "auth-key", "neither PEM"),
    ("EdDSA", .privateKey(TestKeys.mislabelledPEM), "auth-key", "can't read"),
    (
      "EdDSA",
      .privateKey(TestKeys.mislabelledPEM.replacing("PRIVATE KEY", with: "ENCRYPTED PRIVATE KEY")),
      "auth-key-encrypted", "Decrypt it"
    ),
  ]

  @Test(arguments: useless)
  func `A key that is of no use says why`(
    algorithm: String, key: SigningKey, code: String, words: String
  ) throws {
    guard try hasLibrary() else { return }
    let failure = refusal(Signatures.sign(algorithm, key, [1]))
    #expect(failure?.code.rawValue == code)
    #expect(failure?.message.contains(words) == true)
    for secret in ["MIIE", "MHcC", "MIG2"] { #expect(failure?.message.contains(secret) != true) }
  }

  @Test func `A key of another kind checks nothing`() throws {
    guard try hasLibrary() else { return }
    let token = try WebToken(Self.es256)
    let signature = try #require(token.signature)
    for key in [TestKeys.rsa, TestKeys.p384, TestKeys.ed25519] {
      let verdict = Signatures.verify(
        .es256, try published(key), token.signedBytes, signature)
      #expect(verdict == .invalid)
    }
    #expect(
      Signatures.verify(.es256, .secret([1]), token.signedBytes, signature) == .invalid)
    // A key that is published is no secret, whoever asks.
    #expect(
      Signatures.verify(.hs256, try published(TestKeys.rsa), token.signedBytes, []) == .invalid)
  }

  @Test(
    arguments: [
      ["kty": "EC", "crv": "P-256", "x": "AQ", "y": "AQ"], ["kty": "EC", "crv": "P-256"],
      ["kty": "OKP", "crv": "Ed25519", "x": "AQ"], ["kty": "RSA", "n": "!", "e": "AQAB"],
    ])
  func `A published key that can't be read leaves the signature unchecked`(
    key: [String: String]
  ) throws {
    guard try hasLibrary() else { return }
    let algorithm: SignatureAlgorithm =
      key["kty"] == "EC" ? .es256 : key["kty"] == "RSA" ? .rs256 : .edDSA
    let verdict = Signatures.verify(
      algorithm, try published(key), [1], [UInt8](repeating: 1, count: 64))
    guard case .unchecked = verdict else {
      Issue.record("\(verdict)")
      return
    }
  }

  @Test func `Without a library the reason is told`() {
    guard case .failure(let missing) = CryptoLibrary.open(["libno-such-crypto.so.3"]) else {
      Issue.record("There is such a library.")
      return
    }
    #expect(missing.explanation.contains("libno-such-crypto.so.3"))
    #expect(missing.explanation.contains("apt install libssl3"))
  }
}
