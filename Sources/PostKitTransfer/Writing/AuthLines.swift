// Who sends a request, as plain lines of it (IO-18).

/// What an auth adds to a request.
struct AuthLines {
  /// A header, which takes the place of one of that name.
  var header: (name: String, value: String)?
  /// A pair of the query, which takes the place of one of that name.
  var query: (name: String, value: String)?
  /// Lines above the request that say what can't be had here, without their marks.
  var comments: [String] = []
}

/// Makes lines of auths.
struct AuthWriter {
  let secrets: SecretNames
  let variables: WrittenVariables
  let notes: ImportNotes

  /// The lines for the effective auth of a request; texts are in the request's names already.
  func lines(_ auth: OriginAuth, at place: OriginPlace, origin: String) -> AuthLines {
    func secret(_ text: String, _ base: String) -> String {
      secrets.template(for: text, as: base, at: place, origin: origin)
    }
    func open(_ text: String, _ base: String) -> String {
      secrets.template(for: text, as: base, isSecret: false, at: place, origin: origin)
    }
    func authorization(_ value: String) -> AuthLines {
      AuthLines(header: ("Authorization", value))
    }
    switch auth {
    case .inherited, .none: return AuthLines()
    case .basic(let user, let password):
      return authorization(
        "Basic \(open(user, "basicUser")) \(secret(password, "basicPassword"))")
    case .digest(let user, let password):
      return authorization(
        "Digest \(open(user, "digestUser")) \(secret(password, "digestPassword"))")
    case .ntlm(let user, let password, let domain):
      let name = domain.map { $0.isEmpty ? user : "\($0)\\\(user)" } ?? user
      return authorization("NTLM \(open(name, "ntlmUser")) \(secret(password, "ntlmPassword"))")
    case .bearer(let token, let prefix):
      let token = Credential.isLiteral(token) ? secret(token, "bearerToken") : token
      let word = LineText.oneLine(prefix)
      return authorization(word.isEmpty ? token : "\(word) \(token)")
    case .apiKey(let name, let value, let location):
      let isLiteral = Credential.isLiteral(value)
      // The value of a variable is sent as it stands.
      let text = isLiteral && location == .query
        ? PairEscaping.queryValue.text(OriginText(value)) : value
      let value = isLiteral ? secret(text, "apiKey") : value
      switch location {
      case .header: return AuthLines(header: (name, value))
      case .query: return AuthLines(query: (name, value))
      case .cookie: return AuthLines(header: ("Cookie", "\(name)=\(value)"))
      }
    case .aws(let aws):
      var words = ["AWS", secret(aws.accessKey, "awsAccessKey")]
      words.append(secret(aws.secretKey, "awsSecretKey"))
      if !aws.token.isEmpty { words.append("token:\(secret(aws.token, "awsToken"))") }
      if !aws.region.isEmpty { words.append("region:\(LineText.oneLine(aws.region))") }
      if !aws.service.isEmpty { words.append("service:\(LineText.oneLine(aws.service))") }
      return authorization(words.joined(separator: " "))
    case .oauth2(let client):
      let token = "{{\(OriginOAuth2.token(of: variables.clientName(client)))}}"
      switch client.location {
      case .query: return AuthLines(query: ("access_token", token))
      case .cookie: return AuthLines(header: ("Cookie", "access_token=\(token)"))
      case .header:
        let word = LineText.oneLine(client.prefix)
        return authorization(word.isEmpty ? token : "\(word) \(token)")
      }
    case .other(let name, let fields):
      return unsupported(name, fields, at: place, origin: origin)
    }
  }

  /// The fields of an auth that can't be had, as comments: secrets among them become variables.
  private func unsupported(
    _ name: String, _ fields: [OriginVariable], at place: OriginPlace, origin: String
  ) -> AuthLines {
    let name = LineText.oneLine(name)
    notes.tell(
      .authUnsupported,
      "PostKit can't sign requests with \(name) yet; its fields are comments of the request.",
      at: place, origin: origin)
    var lines = AuthLines()
    for field in fields where field.isOn {
      var value = field.value?.text ?? ""
      if field.isSecret || Self.isSecret(field.name), Credential.isLiteral(value) {
        let base = WrittenVariables.plainName(name) + Self.capitalised(field.name)
        value = secrets.template(
          for: value, as: WrittenVariables.plainName(base), at: place, origin: origin)
      }
      lines.comments.append("auth \(name): \(field.name) = \(value)")
    }
    return lines
  }

  private static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["secret", "password", "token", "key", "signature"].contains { name.contains($0) }
  }

  private static func capitalised(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }
}
