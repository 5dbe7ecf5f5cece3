// Tokens as one text, as the keyring has them (AU-40).

import PostKitJSON

extension TokenSet {
  /// The tokens as a JSON object; what is unknown is left out.
  package var json: String {
    var members: [JSONMember] = [
      JSONMember("accessToken", .string(accessToken)), JSONMember("scheme", .string(scheme)),
      JSONMember("acquired", .int(acquired)),
    ]
    func add(_ name: String, _ value: JSONValue?) {
      if let value { members.append(JSONMember(name, value)) }
    }
    add("refreshToken", refreshToken.map(JSONValue.string))
    add("idToken", idToken.map(JSONValue.string))
    add("scope", scope.map(JSONValue.string))
    add("expires", expires.map { .int($0) })
    add("refreshExpires", refreshExpires.map { .int($0) })
    add("clientAuthentication", clientAuthentication.map { .string($0.keptName) })
    add("nonce", nonce.map(JSONValue.string))
    if isIDTokenKept { add("isIDTokenKept", .bool(true)) }
    if !remarks.isEmpty { add("remarks", .array(remarks.map(JSONValue.string))) }
    return JSONValue.object(members).text
  }

  /// Reads tokens that were kept; `nil` where the text is none of ours.
  package init?(json: String) {
    // A text that others have spoiled is as good as none.
    guard let root = try? JSONTree(parsing: Array(json.utf8)).root,
      let access = root["accessToken"]?.string, let acquired = root["acquired"]?.int
    else { return nil }
    self.init(accessToken: access, acquired: Int64(acquired))
    scheme = root["scheme"]?.string ?? "Bearer"
    refreshToken = root["refreshToken"]?.string
    idToken = root["idToken"]?.string
    scope = root["scope"]?.string
    expires = root["expires"]?.int.map(Int64.init)
    refreshExpires = root["refreshExpires"]?.int.map(Int64.init)
    clientAuthentication = root["clientAuthentication"]?.string.flatMap {
      ClientAuthentication(keptName: $0)
    }
    nonce = root["nonce"]?.string
    isIDTokenKept = root["isIDTokenKept"]?.bool ?? false
    remarks = root["remarks"]?.elements.compactMap(\.string) ?? []
  }
}

extension ClientAuthentication {
  private static let keptNames: [(ClientAuthentication, String)] = [
    (.basic, "basic"), (.body, "body"), (.none, "none"), (.secretJWT, "secretJWT"),
    (.privateKeyJWT, "privateKeyJWT"), (.tls, "tls"),
  ]

  fileprivate var keptName: String {
    ClientAuthentication.keptNames.first { $0.0 == self }?.1 ?? ""
  }

  fileprivate init?(keptName: String) {
    guard let found = ClientAuthentication.keptNames.first(where: { $0.1 == keptName }) else {
      return nil
    }
    self = found.0
  }
}
