// Which tokens are the same: what a kept one is found by (AU-41).

extension AuthConfiguration {
  /// The bytes whose SHA-256 is the key of a token: what decides which token a provider gives, each
  /// with its length before it. Neither the configuration's name, which two may share, nor secrets,
  /// which may change without the token, are in it.
  package func keyMaterial(folder: String, environment: String?) -> [UInt8] {
    var material = KeyMaterial()
    material.add(folder)
    material.add(environment)
    add(to: &material)
    return material.bytes
  }

  private func add(to material: inout KeyMaterial) {
    material.add(grant.rawValue)
    material.add(issuer ?? tokenURL)
    material.add(authorizationURL)
    material.add(clientID)
    material.add(grant == .password ? username : nil)
    material.add(each: Set((scope ?? "").split(separator: " ").map(String.init)).sorted())
    material.add(each: audiences.sorted())
    material.add(each: resources.sorted())
    let texts = parameters.map { parameter in
      var own = KeyMaterial()
      own.add(parameter.name)
      own.add(parameter.use.keptName)
      own.add(each: parameter.values)
      return own.bytes
    }
    material.add(each: texts.sorted { $0.lexicographicallyPrecedes($1) })
    material.add(redirectURI)
    material.add(responseType)
    material.add(each: distinction)
    material.add(each: exchange.isEmpty ? [String]() : [subjectIssuer ?? ""])
    for other in exchange { other.add(to: &material) }
  }

  /// What tells configurations apart for which nothing else does: who an assertion stands for, and
  /// the name of tokens that are written in a file.
  private var distinction: [String] {
    switch grant {
    case .mock: return [id]
    case .jwtBearer:
      guard let text = assertion.text, !text.isEmpty else {
        return [assertion.header ?? "", assertion.claims ?? ""]
      }
      // What is no JWT stands for nobody that we know.
      let token = try? WebToken(text)
      return ["iss", "sub", "aud"].map { token?.text($0) ?? "" }
    default: return []
    }
  }
}

extension AuthParameter.Use {
  fileprivate var keptName: String {
    switch self {
    case .everywhere: "everywhere"
    case .authorization: "authorization"
    case .token: "token"
    }
  }
}

/// Texts one after the other, so that no two lists give the same bytes.
private struct KeyMaterial {
  var bytes: [UInt8] = []

  /// Adds a text; none is something else than an empty one.
  mutating func add(_ text: String?) {
    bytes.append(text == nil ? 0 : 1)
    if let text { add(Array(text.utf8)) }
  }

  mutating func add(each texts: [String]) { add(each: texts.map { Array($0.utf8) }) }

  mutating func add(each texts: [[UInt8]]) {
    add(count: texts.count)
    for text in texts { add(text) }
  }

  private mutating func add(_ text: [UInt8]) {
    add(count: text.count)
    bytes += text
  }

  private mutating func add(count: Int) {
    for shift in stride(from: 24, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: count >> shift))
    }
  }
}
