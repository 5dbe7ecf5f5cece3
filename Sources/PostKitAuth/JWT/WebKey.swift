// JSON Web Keys (RFC 7517): which there are, and which fits a signature.

package import PostKitJSON

import PostKitHTTP

/// A JSON Web Key.
package struct WebKey: Sendable, Hashable {
  /// The key as written.
  let json: JSONValue

  /// Takes a key; `nil` for what is no object with a `kty`.
  package init?(_ json: JSONValue) {
    guard json["kty"]?.string != nil else { return nil }
    self.json = json
  }

  /// Reads a key; `nil` where a text is none.
  init?(parsing text: String) {
    // What is no JSON is no key.
    guard let tree = try? JSONTree(parsing: Array(text.utf8)) else { return nil }
    self.init(tree.root.value)
  }

  /// Its name among others.
  package var id: String? { json["kid"]?.string }

  /// Its kind: `RSA`, `EC`, `OKP` or `oct`.
  var kind: String { json["kty"]?.string ?? "" }

  /// Its curve.
  var curve: String? { json["crv"]?.string }

  /// The bytes of a member in base64url; `nil` where there are none.
  func bytes(_ name: String) -> [UInt8]? {
    guard let text = json[name]?.string,
      let bytes = Base64.decode(text, alphabet: .url, requiresPadding: false), !bytes.isEmpty
    else { return nil }
    return bytes
  }

  /// Whether it is one with which signatures by an algorithm can be checked (RFC 7517, section 4).
  func verifies(_ algorithm: SignatureAlgorithm) -> Bool {
    if let use = json["use"]?.string, use != "sig" { return false }
    if let uses = json["key_ops"]?.elements, !uses.isEmpty, !uses.contains("verify") {
      return false
    }
    if let own = json["alg"]?.string, own != algorithm.rawValue {
      // RFC 9864 names the curve in place of the family.
      guard algorithm == .edDSA, own == curve else { return false }
    }
    return suits(algorithm)
  }

  /// Whether its kind and curve are those of an algorithm. A secret never is: one that is public
  /// proves nothing.
  package func suits(_ algorithm: SignatureAlgorithm) -> Bool {
    switch algorithm.family {
    case .rsa: kind == "RSA"
    case .elliptic(let curve): kind == "EC" && self.curve == curve.rawValue
    case .edwards: kind == "OKP" && (curve == "Ed25519" || curve == "Ed448")
    case .shared: false
    }
  }
}

/// The keys that an issuer publishes (RFC 7517, section 5).
package struct WebKeySet: Sendable, Hashable {
  /// Bytes of an answer that is read (AU-61).
  package static let limit = 256 << 10
  /// Keys that are tried for one signature where it names none.
  private static let trialLimit = 16

  private let keys: [WebKey]

  /// Reads the answer of a `jwks_uri`; `nil` where it is none. Keys that nobody knows are passed
  /// over (RFC 7517, section 5).
  package init?(parsing bytes: [UInt8]) {
    // What is no JSON is no answer.
    guard bytes.count <= WebKeySet.limit, let tree = try? JSONTree(parsing: bytes),
      let keys = tree.root["keys"], keys.kind == .array
    else { return nil }
    self.keys = keys.elements.compactMap { WebKey($0.value) }
  }

  /// The keys that may have made a signature: those of its name, and where neither it nor any of
  /// them has one, all that fit.
  package func candidates(_ algorithm: SignatureAlgorithm, id: String?) -> [WebKey] {
    let fitting = keys.filter { $0.verifies(algorithm) }
    guard let id else { return Array(fitting.prefix(WebKeySet.trialLimit)) }
    let named = fitting.filter { $0.id == id }
    return Array((named.isEmpty ? fitting.filter { $0.id == nil } : named).prefix(Self.trialLimit))
  }
}
