// Compact JSON Web Tokens (RFC 7515, section 7.1), but for the signature itself.

import PostKitHTTP
package import PostKitJSON

/// A JWT that waits for its signature.
package struct WebTokenWriter: Sendable, Hashable {
  /// The algorithm in its header, such as `RS256`.
  package let algorithm: String
  private let text: String

  /// Makes a token. The header gets what it lacks: `alg` as fits the key, `typ`, and the key's id;
  /// without a private key a shared secret signs.
  package init(_ header: [JSONMember], _ claims: [JSONMember], privateKey: String?) {
    let key = privateKey.map(SigningKeyText.init)
    var header = header
    func addDefault(_ name: String, _ value: String?) {
      guard let value, !header.contains(where: { $0.key == name }) else { return }
      header.append(JSONMember(name, .string(value)))
    }
    addDefault("alg", key.map(\.algorithm) ?? "HS256")
    addDefault("typ", "JWT")
    addDefault("kid", key?.id)
    algorithm = JSONValue.object(header)["alg"]?.string ?? ""
    text = [header, claims].map {
      Base64.encode(JSONValue.object($0).bytes, alphabet: .url, isPadded: false)
    }.joined(separator: ".")
  }

  /// What the signature is made of (RFC 7515, section 5.1).
  package var signedBytes: [UInt8] { Array(text.utf8) }

  /// The token with its signature.
  package func compact(_ signature: [UInt8]) -> String {
    text + "." + Base64.encode(signature, alphabet: .url, isPadded: false)
  }
}

/// What the text of a private key, PEM or JWK, says of itself.
package struct SigningKeyText: Sendable, Hashable {
  /// The algorithm that fits the key: `RS256` for RSA, and for what can't be told.
  package let algorithm: String
  /// The id of a JWK.
  package let id: String?

  /// Reads a key as far as that takes.
  package init(_ text: String) {
    if let key = WebKey(parsing: text) {
      id = key.id
      algorithm = key.json["alg"]?.string ?? SigningKeyText.algorithm(ofCurve: key.curve)
    } else {
      id = nil
      // What is wrong with a key is said by who signs with it.
      let encoded = (try? KeyEncoding.privateKey(text)) ?? []
      algorithm =
        SigningKeyText.identifiers.first { SigningKeyText.contains(encoded, $0.bytes) }?.algorithm
        ?? "RS256"
    }
  }

  private static func algorithm(ofCurve curve: String?) -> String {
    switch curve {
    case "P-256": "ES256"
    case "P-384": "ES384"
    case "P-521": "ES512"
    case "Ed25519", "Ed448": "EdDSA"
    default: "RS256"
    }
  }

  /// Object identifiers of schemes and curves, as DER has them.
  private static let identifiers: [(bytes: [UInt8], algorithm: String)] = [
    ([0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01], "RS256"),
    ([0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A], "PS256"),
    ([0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07], "ES256"),
    ([0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22], "ES384"),
    ([0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23], "ES512"),
    ([0x06, 0x03, 0x2B, 0x65, 0x70], "EdDSA"),
  ]

  private static func contains(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
    guard bytes.count >= pattern.count else { return false }
    return (0...bytes.count - pattern.count).contains { bytes[$0...].starts(with: pattern) }
  }
}
