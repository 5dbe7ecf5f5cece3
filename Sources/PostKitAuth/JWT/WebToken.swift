// JSON Web Tokens in their compact form, read without being believed.

package import PostKitJSON

import PostKitHTTP

/// A JSON Web Token (RFC 7519) in its compact form (RFC 7515, section 7.1). Nothing is verified.
package struct WebToken: Sendable, Hashable {
  /// Bytes of a text in which an editor looks for a token (AU-53).
  package static let shownLimit = 16 << 10
  /// Bytes of a token that is checked or decoded where somebody asks for that.
  package static let limit = 1 << 20

  /// The header, a JSON object that has `alg`.
  package let header: JSONTree
  /// The payload as it is.
  package let payload: [UInt8]
  /// The payload as the JSON object that it is in a JWT; `nil` for any other payload.
  package let claims: JSONTree?
  /// The bytes that are signed: both encoded parts with the point between them.
  package let signedBytes: [UInt8]
  /// The signature, empty for `alg` `none`; `nil` where it is not base64url, as in an example.
  package let signature: [UInt8]?

  /// The algorithm as the header names it.
  package var algorithm: String { header.root["alg"]?.string ?? "" }

  /// The key that the header names.
  package var keyID: String? { header.root["kid"]?.string }

  /// The text of a claim; `nil` where there is none or where it is no text.
  package func text(_ claim: String) -> String? { claims?.root[claim]?.string }

  /// The moment of a claim, in milliseconds since 1970-01-01T00:00:00Z; `nil` where it is none.
  package func moment(_ claim: String) -> Int64? {
    claims?.root[claim].flatMap(WebToken.moment)
  }

  /// Reads a token.
  package init(
    _ text: some StringProtocol, limit: Int = WebToken.limit
  ) throws(WebTokenProblem) {
    guard text.utf8.count <= limit else { throw .tooLong(limit: limit) }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 || parts.count == 5 else { throw .parts(parts.count) }
    guard let head = WebToken.bytes(parts[0]) else { throw .encoding(.header) }
    // What is no JSON is told as such.
    guard let header = try? JSONTree(parsing: head), header.root.kind == .object else {
      throw .noObject(.header)
    }
    guard header.root["alg"]?.string != nil else { throw .noAlgorithm }
    guard parts.count == 3 else { throw .encrypted(header) }
    guard let payload = WebToken.bytes(parts[1]) else { throw .encoding(.payload) }
    self.header = header
    self.payload = payload
    // A payload that is no JSON is one of a signature that is no JWT.
    let claims = try? JSONTree(parsing: payload)
    self.claims = claims?.root.kind == .object ? claims : nil
    signedBytes = Array(text.utf8.dropLast(parts[2].utf8.count + 1))
    signature = WebToken.bytes(parts[2])
  }

  private static func bytes(_ part: some StringProtocol) -> [UInt8]? {
    Base64.decode(part, alphabet: .url, requiresPadding: false)
  }

  /// The moment that a `NumericDate` is (RFC 7519, section 2): seconds, which may have a fraction.
  static func moment(_ value: JSONView) -> Int64? {
    // The end of the year 9999, so that what counts milliseconds is told apart.
    guard let seconds = value.double, seconds > -62_135_596_800, seconds < 253_402_300_800 else {
      return nil
    }
    return Int64((seconds * 1_000).rounded(.down))
  }
}

/// Why a text is no token that can be read.
package enum WebTokenProblem: Error, Sendable, Hashable {
  /// The parts of a token.
  package enum Part: String, Sendable, Hashable { case header, payload }

  case tooLong(limit: Int)
  /// How many parts there are.
  case parts(Int)
  case encoding(Part)
  case noObject(Part)
  case noAlgorithm
  /// An encrypted token (JWE, RFC 7516), of which the header alone can be read.
  case encrypted(JSONTree)

  /// What is wrong, as a sentence.
  package var message: String {
    switch self {
    case .tooLong(let limit): "The text is longer than \(limit >> 10) KiB, so that it isn't read."
    case .parts(let count):
      "A JSON Web Token has three parts with points between them; the text has "
        + (count == 1 ? "one." : "\(count).")
    case .encoding(let part): "The \(part.rawValue) is not base64url; copy the whole token."
    case .noObject(let part): "The \(part.rawValue) is not a JSON object; copy the whole token."
    case .noAlgorithm: "The header has no `alg`, so that it is not one of a JSON Web Token."
    case .encrypted:
      "The token is encrypted (JWE), so that only who has the key can read its claims."
    }
  }
}
