// A client of OAuth 2 with the names and the nesting of OpenCollection.

import PostKitJSON

/// Turns Bruno's fields of a client into those of OpenCollection.
enum OpenCollectionClient {
  /// Where each field lies, from the outermost object.
  private static let paths: [String: [String]] = [
    "grant_type": ["flow"], "authorization_url": ["authorizationUrl"],
    "access_token_url": ["accessTokenUrl"], "callback_url": ["callbackUrl"], "scope": ["scope"],
    "state": ["state"], "client_id": ["credentials", "clientId"],
    "client_secret": ["credentials", "clientSecret"],
    "credentials_placement": ["credentials", "placement"],
    "username": ["resourceOwner", "username"], "password": ["resourceOwner", "password"],
    "credentials_id": ["tokenConfig", "id"], "token_source": ["tokenConfig", "source"],
    "token_query_key": ["tokenConfig", "placement", "query"],
    "token_header_prefix": ["tokenConfig", "placement", "header"],
    "auto_fetch_token": ["settings", "autoFetchToken"],
  ]

  /// The members of the auth beside its type.
  static func nested(_ fields: [JSONMember]) -> [JSONMember] {
    fields.reduce(into: []) { result, field in
      if field.key == "pkce", field.value == "true" {
        result = adding("S256", at: ["pkce", "method"], to: result)
      } else if let path = paths[field.key] {
        result = adding(field.value, at: path[...], to: result)
      }
    }
  }

  /// Members with a value where a path of names leads to.
  private static func adding(
    _ value: JSONValue, at path: ArraySlice<String>, to members: [JSONMember]
  ) -> [JSONMember] {
    guard let name = path.first else { return members }
    if path.count == 1 { return members + [JSONMember(name, value)] }
    var members = members
    let index = members.firstIndex { $0.key == name } ?? members.endIndex
    if index == members.endIndex { members.append(JSONMember(name, .object([]))) }
    guard case .object(let known) = members[index].value else { return members }
    members[index].value = .object(adding(value, at: path.dropFirst(), to: known))
    return members
  }
}
