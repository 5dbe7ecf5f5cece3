// Which ID tokens are believed.

import PostKitHTTP
import PostKitJSON
import PostKitSupport
import Testing

@testable import PostKitAuth

@Suite("ID tokens are checked (AU-60)")
struct IDTokenCheckTests {
  private static let now: Int64 = 1_700_000_000_000
  private static let keys = #"{"keys":[{"kty":"RSA","kid":"a","n":"AQAB","e":"AQAB"}]}"#

  private static let claims: [String: JSONValue] = [
    "iss": "https://id.test", "sub": "ann", "aud": "cli", "exp": 1_700_000_600,
    "iat": 1_700_000_000, "nonce": "n-1",
  ]

  private static var expected: IDTokenExpectation {
    var expected = IDTokenExpectation(clientID: "cli", now: now)
    expected.issuer = "https://id.test"
    expected.nonce = "n-1"
    expected.accessToken = "access"
    expected.hasKeysURL = true
    expected.keys = WebKeySet(parsing: Array(keys.utf8))
    return expected
  }

  /// A token whose signature is `valid` where it is to be right.
  private static func token(
    _ changes: [String: JSONValue?] = [:], header: JSONValue = ["alg": "RS256", "kid": "a"],
    signature: String = "valid"
  ) -> String {
    var members = claims
    for (name, value) in changes { members[name] = value }
    let payload = JSONValue.object(members.map { JSONMember($0.key, $0.value) })
    return [header.bytes, payload.bytes, Array(signature.utf8)].map {
      Base64.encode($0, alphabet: .url, isPadded: false)
    }.joined(separator: ".")
  }

  private static let means = SignatureMeans(
    verify: { _, _, _, signature in
      signature == Array("valid".utf8) ? .valid(remark: nil) : .invalid
    }, digest: { kind, bytes in kind == .sha256 ? SHA256.digest(bytes) : nil })

  private func verdict(
    _ token: String, _ expected: IDTokenExpectation = expected,
    _ means: SignatureMeans = means
  ) -> IDTokenVerdict? {
    switch IDTokenCheck.next(token, expected, means) {
    case .fetchKeys: nil
    case .verdict(let verdict): verdict
    }
  }

  private func failures(
    _ token: String, _ expected: IDTokenExpectation = expected
  ) -> [String]? {
    verdict(token, expected)?.failures.map(\.check)
  }

  @Test func `A token that fits names its subject`() {
    let verdict = verdict(Self.token())
    #expect(verdict?.failures == [])
    #expect(verdict?.subject == "ann")
    #expect(verdict?.unchecked == nil)
    #expect(verdict?.signatureSentence == "The signature is right.")
    #expect(verdict?.warning == nil)
  }

  /// A claim that is written otherwise, or left out, and the check that fails by it.
  struct Change: Sendable {
    var claim: String
    var value: JSONValue?
    var check: String

    init(_ claim: String, _ value: JSONValue?, check: String? = nil) {
      self.claim = claim
      self.value = value
      self.check = check ?? claim
    }

    static let all: [Change] = [
      Change("iss", "https://evil.test"), Change("iss", nil), Change("sub", nil),
      Change("sub", ""), Change("aud", "other"), Change("aud", nil), Change("aud", .array([])),
      Change("exp", 1_699_999_940), Change("exp", nil), Change("exp", "soon"),
      Change("iat", 1_700_000_060), Change("iat", nil), Change("nbf", 1_700_000_060),
      Change("nbf", "x"), Change("nonce", "n-2"), Change("nonce", nil), Change("azp", "other"),
      Change("aud", .array(["cli", "api"]), check: "azp"), Change("at_hash", "wrong"),
    ]
  }

  @Test(arguments: Change.all)
  func `Each check that fails is named`(change: Change) {
    let verdict = verdict(Self.token([change.claim: change.value]))
    #expect(verdict?.failures.map(\.check) == [change.check])
    #expect(verdict?.failures.first?.message.contains("`\(change.check)`") == true)
    #expect(verdict?.subject == nil)
    #expect(verdict?.warning != nil)
  }

  @Test func `A minute of difference between clocks is allowed`() {
    #expect(failures(Self.token(["exp": 1_699_999_941])) == [])
    #expect(failures(Self.token(["iat": 1_700_000_059])) == [])
  }

  @Test func `Several audiences need the authorized party`() {
    #expect(failures(Self.token(["aud": ["cli", "api"], "azp": "cli"])) == [])
  }

  @Test func `The hash of the access token has to fit`() {
    let half = SHA256.digest(Array("access".utf8)).prefix(16)
    let right = Base64.encode(half, alphabet: .url, isPadded: false)
    #expect(failures(Self.token(["at_hash": .string(right)])) == [])
    var other = Self.expected
    other.accessToken = "another"
    #expect(failures(Self.token(["at_hash": .string(right)]), other) == ["at_hash"])
  }

  @Test func `Without a known issuer the token's is shown`() {
    var expected = Self.expected
    expected.issuer = nil
    let verdict = verdict(Self.token(["iss": "https://other.test"]), expected)
    #expect(verdict?.failures == [])
    #expect(verdict?.issuer == "https://other.test")
  }

  // MARK: - Algorithms and keys

  @Test(arguments: ["none", "NONE", "None", "RS1", "", "dir"])
  func `A token without a signature that we know is never believed`(algorithm: String) {
    let token = Self.token(header: ["alg": .string(algorithm)], signature: "")
    #expect(failures(token) == ["alg"])
    #expect(failures(Self.token(header: ["alg": .string(algorithm)])) == ["alg"])
  }

  @Test func `An algorithm that discovery does not list is refused`() {
    var expected = Self.expected
    expected.algorithms = ["ES256", "PS256"]
    #expect(failures(Self.token(), expected) == ["alg"])
    expected.algorithms.append("RS256")
    #expect(failures(Self.token(), expected) == [])
  }

  @Test func `Extensions that have to be known are refused`() {
    let token = Self.token(header: ["alg": "RS256", "crit": ["b64"], "b64": false])
    #expect(failures(token) == ["crit"])
  }

  @Test func `A shared secret is never one of the published keys`() {
    let header: JSONValue = ["alg": "HS256", "kid": "a"]
    let trusting = SignatureMeans(
      verify: { _, key, _, _ in
        if case .published = key { Issue.record("A published key was used as a secret.") }
        return key == .secret(Array("s3cret".utf8)) ? .valid(remark: nil) : .invalid
      }, digest: { _, _ in nil })
    var expected = Self.expected
    #expect(verdict(Self.token(header: header), expected, trusting)?.unchecked != nil)
    expected.clientSecret = "s3cret"
    #expect(verdict(Self.token(header: header), expected, trusting)?.failures == [])
    for key in ["-----BEGIN PUBLIC KEY-----\nAA==\n", #" {"kty":"RSA","n":"AQAB","e":"AQAB"}"#] {
      expected.clientSecret = key
      let checks = verdict(Self.token(header: header), expected, trusting)?.failures.map(\.check)
      #expect(checks == ["signature"])
    }
    // A secret that begins like JSON is still one.
    expected.clientSecret = "{odd"
    #expect(verdict(Self.token(header: header), expected, trusting)?.failures.count == 1)
  }

  @Test func `A wrong signature is named`() {
    let verdict = verdict(Self.token(signature: "forged"))
    #expect(verdict?.failures.map(\.check) == ["signature"])
    #expect(verdict?.signatureSentence == "The signature is wrong.")
    #expect(failures(Self.token() + "!") == ["signature"])
  }

  @Test func `Keys are fetched where they are missing, and again for a new name`() {
    var expected = Self.expected
    expected.keys = nil
    #expect(verdict(Self.token(), expected)?.unchecked == "the issuer's keys can't be fetched")
    expected.mayFetchKeys = true
    #expect(IDTokenCheck.next(Self.token(), expected, Self.means) == .fetchKeys)
    expected.keys = Self.expected.keys
    let other = Self.token(header: ["alg": "RS256", "kid": "b"])
    #expect(IDTokenCheck.next(other, expected, Self.means) == .fetchKeys)
    expected.mayFetchKeys = false
    #expect(failures(other, expected) == ["signature"])
    expected.keys = nil
    expected.hasKeysURL = false
    let unknown = verdict(Self.token(), expected)
    #expect(unknown?.failures == [])
    #expect(unknown?.signatureSentence.contains("not checked") == true)
  }

  @Test func `What can't be checked is said, and no failure`() {
    let missing = SignatureMeans(
      verify: { _, _, _, _ in .unchecked("libcrypto is missing") }, digest: { _, _ in nil })
    let verdict = verdict(Self.token(), Self.expected, missing)
    #expect(verdict?.failures == [])
    #expect(verdict?.signatureSentence == "The signature was not checked: libcrypto is missing.")
  }

  @Test func `Keys are chosen by use, algorithm, curve and name`() throws {
    let set = try #require(
      WebKeySet(
        parsing: Array(
          """
          {"keys":[{"kty":"RSA","kid":"enc","use":"enc"},{"kty":"RSA","kid":"ps","alg":"PS256"},
          {"kty":"EC","crv":"P-384","kid":"ec"},{"kty":"oct","kid":"oct","k":"AA"},7,{},
          {"kty":"RSA","kid":"wrap","key_ops":["wrapKey"]},{"kty":"RSA","kid":"any"},
          {"kty":"OKP","crv":"Ed25519","alg":"Ed25519"},{"kty":"OKP","crv":"X25519"}]}
          """.utf8)))
    func ids(_ algorithm: SignatureAlgorithm, _ id: String? = nil) -> [String] {
      set.candidates(algorithm, id: id).map { $0.id ?? "-" }
    }
    #expect(ids(.rs256) == ["any"])
    #expect(ids(.ps256) == ["ps", "any"])
    #expect(ids(.ps256, "any") == ["any"])
    #expect(ids(.rs256, "enc") == [])
    #expect(ids(.es384) == ["ec"])
    #expect(ids(.es256) == [])
    #expect(ids(.hs256) == [])
    #expect(ids(.edDSA, "unknown") == ["-"])
    #expect(WebKeySet(parsing: Array("[]".utf8)) == nil)
    #expect(WebKeySet(parsing: Array("<html>".utf8)) == nil)
    #expect(WebKeySet(parsing: [UInt8](repeating: 0x20, count: WebKeySet.limit + 1)) == nil)
  }

  @Test func `What is no token is named, an encrypted one as such`() {
    #expect(failures("opaque") == ["form"])
    let head = Base64.encode(
      Array(#"{"alg":"RSA-OAEP"}"#.utf8), alphabet: .url, isPadded: false)
    #expect(failures(head + ".a.b.c.d") == ["auth-jwe-unsupported"])
    let plain = Base64.encode(Array(#"{"alg":"RS256"}"#.utf8), alphabet: .url, isPadded: false)
    #expect(failures(plain + ".AA.AA") == ["claims"])
  }
}
