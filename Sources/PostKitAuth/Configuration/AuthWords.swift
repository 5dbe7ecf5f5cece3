// Words of files for grants and for ways of proving who a client is, with all their spellings.

extension Grant {
  /// Reads a word of a file: JetBrains' names, those of the RFCs and httpYac's, whatever their case
  /// and the blanks in them; `nil` for a grant that nobody knows.
  package init?(words: String) {
    var folded = words.lowercased()
    let urn = "urn:ietf:params:oauth:grant-type:"
    if folded.hasPrefix(urn) { folded.removeFirst(urn.count) }
    folded.removeAll { " \t_-".contains($0) }
    guard let grant = Grant.spellings[folded] else { return nil }
    self = grant
  }

  /// The grants by their names in small letters, without what parts words.
  private static let spellings: [String: Grant] = [
    "authorizationcode": .authorizationCode, "code": .authorizationCode,
    "clientcredentials": .clientCredentials, "client": .clientCredentials,
    "deviceauthorization": .deviceCode, "devicecode": .deviceCode, "device": .deviceCode,
    "implicit": .implicit, "token": .implicit, "hybrid": .hybrid,
    "password": .password, "passwordcredentials": .password,
    "resourceownerpasswordcredentials": .password,
    "jwtbearer": .jwtBearer, "jwt": .jwtBearer,
  ]
}

extension ClientAuthentication {
  /// Reads a word of a file: JetBrains' names and those that providers register (OpenID Connect
  /// Core, section 9; RFC 8705), whatever their case; `nil` for another.
  package init?(words: String) {
    let folded = words.lowercased().filter { !" \t_-".contains($0) }
    guard let way = ClientAuthentication.spellings[folded] else { return nil }
    self = way
  }

  /// The words that people choose from. `jwt` is kulala's and makes the grant JWT Bearer (AU-24).
  package static let words = [
    "in body", "basic", "none", "jwt", "client_secret_jwt", "private_key_jwt", "tls_client_auth",
  ]

  private static let spellings: [String: ClientAuthentication] = [
    "inbody": .body, "body": .body, "clientsecretpost": .body, "post": .body,
    "basic": .basic, "clientsecretbasic": .basic, "none": .none,
    "clientsecretjwt": .secretJWT, "privatekeyjwt": .privateKeyJWT,
    "tlsclientauth": .tls, "selfsignedtlsclientauth": .tls, "tls": .tls,
  ]
}
