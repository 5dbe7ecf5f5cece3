// Who may call an operation.

import PostKitJSON

/// A way in which a caller says who they are.
package struct APISecurityScheme: Sendable {
  /// The kinds of ways.
  package enum Kind: Sendable, Hashable {
    case basic, bearer, digest
    /// Another scheme of `Authorization`.
    case otherHTTP(String)
    case apiKey(name: String, location: ParameterLocation)
    case oauth2
    case openIDConnect(url: String)
    case mutualTLS
    /// One that the standard does not know, or that lacks what it needs.
    case unknown(String)
  }

  package let name: String
  package let kind: Kind
  package let value: DescribedValue
}

/// A way of OAuth 2 to a token.
package struct APIOAuthFlow: Sendable {
  /// As OpenAPI 3 calls it: `authorizationCode`, `clientCredentials`, `password`, `implicit`.
  package let name: String
  package let authorizationURL: String?
  package let tokenURL: String?
  package let refreshURL: String?
  /// The scopes that it knows.
  package let scopes: [String]
}

/// A scheme that a call needs, and the scopes it needs of it.
package struct APISecurityNeed: Sendable {
  package let scheme: APISecurityScheme
  package let scopes: [String]
}

extension APISecurityScheme {
  init(name: String, _ value: DescribedValue) {
    self.name = name
    self.value = value
    let type = value.string("type") ?? ""
    switch type {
    case "basic": kind = .basic
    case "http":
      switch (value.string("scheme") ?? "").lowercased() {
      case "basic": kind = .basic
      case "bearer": kind = .bearer
      case "digest": kind = .digest
      case let other: kind = .otherHTTP(other)
      }
    case "apiKey":
      if let key = value.string("name"),
        let location = value.string("in").flatMap(ParameterLocation.init),
        [.header, .query, .cookie].contains(location)
      {
        kind = .apiKey(name: key, location: location)
      } else {
        kind = .unknown(type)
      }
    case "oauth2": kind = .oauth2
    case "openIdConnect": kind = .openIDConnect(url: value.string("openIdConnectUrl") ?? "")
    case "mutualTLS": kind = .mutualTLS
    default: kind = .unknown(type)
    }
  }

  /// The flows of OAuth 2 in the order of the description.
  package var flows: [APIOAuthFlow] {
    if let flows = value["flows"] {
      return flows.members.filter { !$0.name.hasPrefix("x-") && $0.value.view.kind == .object }
        .map { Self.flow($0.name, $0.value) }
    }
    let names = ["accessCode": "authorizationCode", "application": "clientCredentials"]
    guard let flow = value.string("flow") else { return [] }
    return [Self.flow(names[flow] ?? flow, value)]
  }

  private static func flow(_ name: String, _ value: DescribedValue) -> APIOAuthFlow {
    APIOAuthFlow(
      name: name, authorizationURL: value.string("authorizationUrl"),
      tokenURL: value.string("tokenUrl"), refreshURL: value.string("refreshUrl"),
      scopes: (value["scopes"]?.members ?? []).map(\.name).filter { !$0.hasPrefix("x-") })
  }
}

extension APIDescription {
  /// The ways of which each lets a call in: all schemes of one of them. An empty way needs nothing.
  /// Nothing at all means that nobody is asked.
  package func security(
    of operation: APIOperation, _ failures: inout [ReferenceFailure]
  ) -> [[APISecurityNeed]] {
    let ways = (operation.value["security"] ?? root["security"])?.elements ?? []
    return ways.filter { $0.view.kind == .object }.map { way in
      way.members.map { name, scopes in
        let known = schemes?[name]
        return APISecurityNeed(
          scheme: known.flatMap { resolved($0, &failures) }.map {
            APISecurityScheme(name: name, $0)
          } ?? APISecurityScheme(name: name, scopes),
          scopes: scopes.elements.compactMap(\.view.string))
      }
    }
  }

  private var schemes: DescribedValue? {
    version == .swagger2
      ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
  }
}
