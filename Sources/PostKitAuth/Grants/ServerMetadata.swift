// What an authorization server says of itself (RFC 8414, OpenID Connect Discovery).

package import PostKitJSON

/// The metadata of an issuer, as far as tokens need them.
package struct ServerMetadata: Sendable, Hashable {
  package let issuer: String
  private let value: JSONValue

  /// Makes metadata of the document's object.
  package init(issuer: String, _ value: JSONValue) {
    self.issuer = issuer
    self.value = value
  }

  /// The address of an endpoint; for a client that shows its certificate that of the alias
  /// (RFC 8705, section 5). Only absolute http and https addresses count.
  package func endpoint(_ name: String, tls: Bool = false) -> String? {
    let alias = tls ? value["mtls_endpoint_aliases"]?[name]?.string : nil
    return [alias, value[name]?.string].compactMap { $0 }.first(where: AuthConfiguration.isWeb)
  }

  /// The texts of a list, such as `grant_types_supported`.
  package func list(_ name: String) -> [String] {
    (value[name]?.elements ?? []).compactMap(\.string)
  }

  /// Whether something is said to be so.
  package func flag(_ name: String) -> Bool { value[name]?.bool == true }
}

extension AuthConfiguration {
  /// The configuration with the endpoints that it lacks and its issuer has.
  package func completed(with metadata: ServerMetadata) -> AuthConfiguration {
    var result = self
    let tls = clientAuthentication == .tls
    func complete(_ field: WritableKeyPath<AuthConfiguration, String?>, _ name: String) {
      if result[keyPath: field]?.isEmpty != false {
        result[keyPath: field] = metadata.endpoint(name, tls: tls)
      }
    }
    complete(\.authorizationURL, "authorization_endpoint")
    complete(\.tokenURL, "token_endpoint")
    complete(\.deviceURL, "device_authorization_endpoint")
    complete(\.revocationURL, "revocation_endpoint")
    complete(\.introspectionURL, "introspection_endpoint")
    complete(\.endSessionURL, "end_session_endpoint")
    return result
  }
}
