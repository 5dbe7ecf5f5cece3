// Keys in the form in which a library reads them: from JSON Web Keys and from PEM.

import PostKitHTTP
import PostKitJSON

/// Why a key can't be read.
package struct KeyProblem: Error, Sendable, Hashable {
  /// Whether it is encrypted, so that it is of no use as it is.
  package var isEncrypted = false
  /// What is wrong and what to do, as a sentence.
  package var message: String

  init(_ message: String, isEncrypted: Bool = false) {
    self.message = message
    self.isEncrypted = isEncrypted
  }
}

/// Keys as libraries read them (DER).
package enum KeyEncoding {
  private static let rsa = DER.sequence(
    [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1], DER.null)
  private static let elliptic: [UInt8] = [0x06, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1]

  // MARK: - Public keys

  /// A public key as `SubjectPublicKeyInfo` (RFC 5280, section 4.1; RFC 3279, RFC 5480, RFC 8410).
  package static func publicKey(_ key: WebKey) throws(KeyProblem) -> [UInt8] {
    switch key.kind {
    case "RSA":
      let numbers = try members(key, ["n", "e"])
      return DER.sequence(
        rsa, DER.bits(DER.sequence(DER.integer(numbers[0]), DER.integer(numbers[1]))))
    case "EC":
      let curve = try curve(of: key)
      return DER.sequence(
        DER.sequence(elliptic, object(curve)), DER.bits(try point(key, curve)))
    case "OKP":
      return DER.sequence(
        DER.sequence(try edwards(key)), DER.bits(try members(key, ["x"])[0]))
    default: throw unknown(key)
    }
  }

  // MARK: - Private keys

  /// A private key from the text that somebody has written: PEM (PKCS#8, PKCS#1 or SEC1), or a JSON
  /// Web Key (AU-65).
  package static func privateKey(_ text: String) throws(KeyProblem) -> [UInt8] {
    guard text.drop(while: \.isWhitespace).first == "{" else { return try pem(text) }
    let tree: JSONTree
    do throws(JSONSyntaxError) { tree = try JSONTree(parsing: Array(text.utf8)) } catch {
      throw KeyProblem("The private key is no JSON Web Key: \(error.explanation).")
    }
    guard let key = WebKey(tree.root.value) else {
      throw KeyProblem("The private key is no JSON Web Key: it has no `kty`.")
    }
    return try privateKey(key)
  }

  /// A private key as PKCS#8 (RFC 5958).
  static func privateKey(_ key: WebKey) throws(KeyProblem) -> [UInt8] {
    guard key.json["d"] != nil else {
      throw KeyProblem("The JSON Web Key is a public one: it has no `d`. Write the private key.")
    }
    let version = DER.integer([0])
    switch key.kind {
    case "RSA":
      var numbers: [UInt8] = []
      for number in try members(key, ["n", "e", "d", "p", "q", "dp", "dq", "qi"]) {
        numbers += DER.integer(number)
      }
      return DER.sequence(version, rsa, DER.octets(DER.sequence(version, numbers)))
    case "EC":
      let curve = try curve(of: key)
      let number = try member(key, "d", size: curve.size)
      // The point may be missing; a library makes it then.
      let point = key.json["x"] == nil ? [] : DER.marked(1, DER.bits(try point(key, curve)))
      return DER.sequence(
        version, DER.sequence(elliptic, object(curve)),
        DER.octets(DER.sequence(DER.integer([1]), DER.octets(number), point)))
    case "OKP":
      return DER.sequence(
        version, DER.sequence(try edwards(key)),
        DER.octets(DER.octets(try members(key, ["d"])[0])))
    default: throw unknown(key)
    }
  }

  /// The bytes of the first private key of a text in PEM (RFC 7468). Where lines end is of no
  /// account, as in environment files they often end as `\n` or not at all.
  private static func pem(_ text: String) throws(KeyProblem) -> [UInt8] {
    let isOld = text.contains("Proc-Type:") && text.contains("ENCRYPTED")
    if isOld || text.contains("BEGIN ENCRYPTED PRIVATE KEY") {
      throw KeyProblem(
        "The private key is encrypted. Decrypt it with `openssl pkey -in KEY.pem -out PLAIN.pem` "
          + "and write that one in a file that is not shared.", isEncrypted: true)
    }
    guard let end = text.firstRange(of: "PRIVATE KEY-----"),
      let close = text[end.upperBound...].firstRange(of: "-----END ")
    else {
      throw KeyProblem(
        text.contains("BEGIN PUBLIC KEY") || text.contains("BEGIN CERTIFICATE")
          ? "The key is a public one. Write the private key."
          : "The private key is neither PEM, which begins with `-----BEGIN PRIVATE KEY-----`, nor "
            + "a JSON Web Key.")
    }
    let inside = text[end.upperBound..<close.lowerBound].replacing("\\r", with: "")
      .replacing("\\n", with: "")
    guard let bytes = Base64.decode(inside.filter { !$0.isWhitespace }), !bytes.isEmpty else {
      throw KeyProblem("The private key is damaged: its PEM is not base64.")
    }
    return bytes
  }

  // MARK: - Parts

  private static func members(_ key: WebKey, _ names: [String]) throws(KeyProblem) -> [[UInt8]] {
    var result: [[UInt8]] = []
    var missing: [String] = []
    for name in names {
      if let bytes = key.bytes(name) { result.append(bytes) } else { missing.append("`\(name)`") }
    }
    guard missing.isEmpty else {
      throw KeyProblem("The JSON Web Key lacks \(missing.listed("and")), or not in base64url.")
    }
    return result
  }

  /// A number in the bytes that its curve has; some writers leave zeros at its beginning out.
  private static func member(
    _ key: WebKey, _ name: String, size: Int
  ) throws(KeyProblem) -> [UInt8] {
    let bytes = try members(key, [name])[0].drop { $0 == 0 }
    guard bytes.count <= size else {
      throw KeyProblem("`\(name)` of the JSON Web Key is longer than its curve allows.")
    }
    return [UInt8](repeating: 0, count: size - bytes.count) + bytes
  }

  /// The uncompressed point of a public key (SEC 1, section 2.3.3).
  private static func point(_ key: WebKey, _ curve: EllipticCurve) throws(KeyProblem) -> [UInt8] {
    let x = try member(key, "x", size: curve.size)
    return [0x04] + x + (try member(key, "y", size: curve.size))
  }

  private static func curve(of key: WebKey) throws(KeyProblem) -> EllipticCurve {
    guard let curve = key.curve.flatMap(EllipticCurve.init) else { throw unknown(key) }
    return curve
  }

  /// Whether an encoded key names a curve: others, such as secp256k1, have keys as long as those of
  /// P-256.
  package static func names(_ curve: EllipticCurve, _ key: [UInt8]) -> Bool {
    !key.ranges(of: object(curve)).isEmpty
  }

  private static func object(_ curve: EllipticCurve) -> [UInt8] {
    switch curve {
    case .p256: [0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]
    case .p384: [0x06, 5, 0x2B, 0x81, 4, 0, 34]
    case .p521: [0x06, 5, 0x2B, 0x81, 4, 0, 35]
    }
  }

  private static func edwards(_ key: WebKey) throws(KeyProblem) -> [UInt8] {
    switch key.curve {
    case "Ed25519": [0x06, 3, 0x2B, 0x65, 0x70]
    case "Ed448": [0x06, 3, 0x2B, 0x65, 0x71]
    default: throw unknown(key)
    }
  }

  private static func unknown(_ key: WebKey) -> KeyProblem {
    let curve = key.curve.map { " with the curve `\($0)`" } ?? ""
    return KeyProblem(
      "PostKit can't use a key of the kind `\(key.kind)`\(curve). Use RSA, P-256, P-384, P-521, "
        + "Ed25519 or Ed448.")
  }
}
