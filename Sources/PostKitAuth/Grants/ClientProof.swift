// How a client proves who it is, and what is tried where nobody said how (AU-20, AU-21).

import PostKitHTTP
import PostKitJSON

/// One way to prove who the client is.
enum ClientProof: Sendable, Hashable {
  case basic
  /// Basic with name and secret as they are, which many servers want (AU-10).
  case plainBasic
  case body
  /// The id alone.
  case none
  case secretJWT
  case privateKeyJWT
  case tls

  /// What is tried, in this order: two at most, as some servers lock accounts (AU-21).
  static func candidates(
    _ configuration: AuthConfiguration, remembered: ClientAuthentication?
  ) -> [ClientProof] {
    let hasSecret = configuration.clientSecret?.isEmpty == false && !configuration.signsWithSecret
    switch configuration.clientAuthentication {
    case .basic:
      guard hasSecret else { return [.none] }
      return configuration.hasTwoBasicForms ? [.basic, .plainBasic] : [.basic]
    case .body: return hasSecret ? [.body] : [.none]
    case .some(.none): return [.none]
    case .secretJWT: return [.secretJWT]
    case .privateKeyJWT: return [.privateKeyJWT]
    case .tls: return [.tls]
    case nil:
      guard hasSecret else { return [.none] }
      return remembered == .basic ? [.basic, .body] : [.body, .basic]
    }
  }

  /// What is remembered of a proof that was accepted.
  var authentication: ClientAuthentication {
    switch self {
    case .basic, .plainBasic: .basic
    case .body: .body
    case .none: .none
    case .secretJWT: .secretJWT
    case .privateKeyJWT: .privateKeyJWT
    case .tls: .tls
    }
  }

  /// Its name as `Client Credentials` has it.
  var title: String {
    switch self {
    case .basic, .plainBasic: "basic"
    case .body: "in body"
    case .none: "none"
    case .secretJWT, .privateKeyJWT: "jwt"
    case .tls: "tls"
    }
  }

  /// Adds the proof to a request; `audience` is whom a signed one is for.
  func add(
    to parameters: inout TokenParameters, _ headers: inout HeaderFields,
    _ configuration: AuthConfiguration, audience: String, _ context: AuthContext
  ) throws(AuthFailure) {
    let id = configuration.clientID ?? ""
    let secret = configuration.clientSecret ?? ""
    switch self {
    case .basic:
      let pair = [id, secret].map(PercentEncoding.encodeComponent).joined(separator: ":")
      headers.append("Authorization", "Basic " + Base64.encode(pair))
    case .plainBasic:
      headers.append("Authorization", "Basic " + Base64.encode(id + ":" + secret))
    case .body:
      parameters.add("client_id", id)
      parameters.add("client_secret", secret)
    case .none, .tls:
      parameters.add("client_id", id)
    case .secretJWT, .privateKeyJWT:
      parameters.add("client_id", id)
      parameters.add("client_assertion_type", ClientProof.assertionType)
      parameters.add(
        "client_assertion", try assertion(configuration, audience: audience, context))
    }
  }

  private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  /// A JWT in which the client says who it is (RFC 7523, section 3).
  private func assertion(
    _ configuration: AuthConfiguration, audience: String, _ context: AuthContext
  ) throws(AuthFailure) -> String {
    let now = context.now() / 1_000
    let id = JSONValue.string(configuration.clientID ?? "")
    let claims = [
      JSONMember("iss", id), JSONMember("sub", id), JSONMember("aud", .string(audience)),
      JSONMember("jti", .string(context.randomText())), JSONMember("iat", .int(now)),
      JSONMember("exp", .int(now + 60)),
    ]
    let key = self == .secretJWT ? nil : configuration.assertion.privateKey ?? ""
    return try configuration.signedToken([], claims, privateKey: key, context)
  }
}

extension AuthContext {
  /// 128 random bits as a text that can stand anywhere in a URL.
  func randomText(bytes: Int = 16) -> String {
    Base64.encode(random(bytes), alphabet: .url, isPadded: false)
  }
}

extension AuthConfiguration {
  /// Whether name and secret differ in the two forms of Basic (AU-10).
  fileprivate var hasTwoBasicForms: Bool {
    [clientID, clientSecret].contains { text in
      text.map { PercentEncoding.encodeComponent($0) != $0 } ?? false
    }
  }

  /// Whether the client secret is the key of the assertion that the grant makes, which it would be
  /// of no use to keep from others if it were sent (AU-24).
  var signsWithSecret: Bool {
    grant == .jwtBearer && assertion.text?.isEmpty != false
      && assertion.privateKey?.isEmpty != false
  }

  /// A signed JWT of an author's or our own header and claims; without a private key the client
  /// secret signs.
  func signedToken(
    _ header: [JSONMember], _ claims: [JSONMember], privateKey: String?, _ context: AuthContext
  ) throws(AuthFailure) -> String {
    let key: SigningKey =
      privateKey.map { .privateKey($0) } ?? .secret(Array((clientSecret ?? "").utf8))
    let writer = WebTokenWriter(header, claims, privateKey: privateKey)
    switch context.sign(writer.algorithm, key, writer.signedBytes) {
    case .signature(let signature): return writer.compact(signature)
    case .refused(let failure): throw failure
    }
  }
}
