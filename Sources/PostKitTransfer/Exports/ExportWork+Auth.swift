// Who sends a request that is written for another tool.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

extension ExportWork {
  /// Reads what is proved otherwise than by a plain header.
  mutating func readAuthentication(_ authentication: Authentication?) {
    switch authentication {
    case nil: break
    case .digest(let user, let password):
      request.auth = .digest(
        user: text(user.keptBytes),
        password: secret(text(password.keptBytes), called: "digestPassword"))
    case .ntlm(let user, let password):
      request.auth = .ntlm(
        user: text(user.keptBytes),
        password: secret(text(password.keptBytes), called: "ntlmPassword"))
    case .negotiate(let user, let password):
      request.auth = .negotiate(
        user: text(user.keptBytes),
        password: secret(text(password.keptBytes), called: "negotiatePassword"))
    case .signature(let signature):
      request.auth = .aws(
        key: text(signature.accessKey.keptBytes),
        secret: secret(text(signature.secret.keptBytes), called: "awsSecretKey"),
        region: text(signature.region.keptBytes), service: text(signature.service.keptBytes))
    }
  }

  /// Reads a plain `Authorization`.
  mutating func readAuthorization(_ name: ExportedText, _ value: ExportedText) {
    if let token = value.dropping(prefix: "Bearer ") {
      request.auth = .bearer(secret(token, called: "bearerToken"))
      return
    }
    if let encoded = value.dropping(prefix: "Basic ")?.literal,
      let bytes = Base64.decode(encoded.trimmingASCIIBlanks())
    {
      let halves = text(bytes).split(separator: ":", limit: 1)
      if halves.count == 2 {
        request.auth = .basic(
          user: halves[0], password: secret(halves[1], called: "basicPassword"))
        return
      }
    }
    request.headers.append(
      ExportedHeader(name: name, value: credential(value, of: "authorization")))
  }

  /// A credential of a header. What stands literally beside references is a secret, too; names of
  /// cookies and the scheme before a credential are none.
  mutating func credential(_ text: ExportedText, of field: String) -> ExportedText {
    let name = CodeWords.word(field.lowercased())
    guard text.literal == nil else { return secret(text, called: name) }
    guard field.equalsIgnoringASCIICase("cookie") else {
      return hiding(text, called: name, keepsFirst: true)
    }
    return text.replacingValues(separator: ";") { _, value in
      hiding(value, called: name, keepsFirst: false)
    }
  }

  /// A text whose literal parts are secrets, but for a word at its beginning that a blank follows.
  mutating func hiding(
    _ text: ExportedText, called name: String, keepsFirst: Bool
  ) -> ExportedText {
    var result = ExportedText()
    for (place, piece) in text.pieces.enumerated() {
      guard case .literal(let literal) = piece else {
        result.append(piece)
        continue
      }
      let scheme = literal.prefix { $0 != " " }
      let isScheme = keepsFirst && place == 0 && scheme.count < literal.count
      let kept = isScheme ? literal.prefix(scheme.count + 1) : ""
      let rest = literal.dropFirst(kept.count)
      result.append(String(kept))
      let isSeparator = rest.utf8.count { $0 > 32 } < 2
      result.append(
        isSeparator ? ExportedText(String(rest)) : secret(ExportedText(String(rest)), called: name))
    }
    return result
  }

  /// The pairs of a query or a form; what stands literally is a secret where its name says so.
  mutating func hidingPairs(_ pairs: ExportedText) -> ExportedText {
    pairs.replacingValues(separator: "&") { name, value in
      let name = PercentEncoding.decodeForm(name.literal ?? "")
      return OriginCredentials.isSecret(name)
        ? secret(value, called: CodeWords.word(name)) : value
    }
  }

  /// A URL without the secrets that stand literally in its query.
  mutating func hidingQuery(_ url: ExportedText) -> ExportedText {
    let halves = url.split(separator: "?", limit: 1)
    guard halves.count > 1 else { return url }
    var result = halves[0]
    result.append("?")
    result.append(hidingPairs(halves[1]))
    return result
  }

  /// A secret that stands literally in the request becomes a variable.
  mutating func secret(_ text: ExportedText, called name: String) -> ExportedText {
    let result = names.secret(text, called: name)
    if result != text, case .variable(let variable)? = result.references.first {
      tell(.secretMoved, "The secret in the request is left out; `\(variable)` stands for it.")
    }
    return result
  }

  // MARK: - What collections keep

  /// Reads what only collections of other tools have a form for: a client of OAuth 2, a key, and
  /// what an import has kept as comments.
  mutating func readKept() {
    guard keepsAuth else { return }
    if case .bearer(let token) = request.auth, let id = client(whoseToken: token),
      let client = client(id, prefix: "Bearer", isInQuery: false)
    {
      request.auth = .client(client)
    }
    guard request.auth == .none else { return }
    request.auth = tokenOfHeader() ?? tokenOfQuery() ?? comments() ?? keyOfHeader() ?? keyOfQuery()
      ?? .none
  }

  /// The name of the client whose token a text is.
  private func client(whoseToken text: ExportedText) -> String? {
    guard text.pieces.count == 1, case .variable(let variable)? = text.references.first else {
      return nil
    }
    return names.tokens[variable]
  }

  /// `Authorization` with the token of a client, behind another word than `Bearer`.
  private mutating func tokenOfHeader() -> ExportedAuth? {
    guard
      let index = request.headers.firstIndex(where: {
        $0.name.literal?.equalsIgnoringASCIICase("Authorization") == true
      }), case .reference(.variable(let variable), _)? = request.headers[index].value.pieces.last,
      let id = names.tokens[variable]
    else { return nil }
    var prefix = ""
    switch request.headers[index].value.pieces.count {
    case 1: break
    case 2:
      guard case .literal(let word) = request.headers[index].value.pieces[0], word.hasSuffix(" ")
      else { return nil }
      prefix = String(word.dropLast())
    default: return nil
    }
    guard let client = client(id, prefix: prefix, isInQuery: false) else { return nil }
    request.headers.remove(at: index)
    return .client(client)
  }

  /// The pair `access_token` with the token of a client.
  private mutating func tokenOfQuery() -> ExportedAuth? {
    guard let (rest, _, value) = lastPair({ $0 == "access_token" }),
      let id = client(whoseToken: value),
      let client = client(id, prefix: "Bearer", isInQuery: true)
    else { return nil }
    request.url = rest
    return .client(client)
  }

  /// A header that is one secret and nothing else.
  private mutating func keyOfHeader() -> ExportedAuth? {
    guard
      let index = request.headers.firstIndex(where: { header in
        let name = header.name.literal ?? ""
        return !name.isEmpty && !SecretMask.isAlwaysMasked(name) && isKey(name, header.value)
      })
    else { return nil }
    let header = request.headers.remove(at: index)
    return .apiKey(name: header.name, value: header.value, isInQuery: false)
  }

  /// A pair at the end of the query that is one secret: collections put keys there.
  private mutating func keyOfQuery() -> ExportedAuth? {
    guard let (rest, name, value) = lastPair({ !$0.isEmpty }), isKey(name, value) else {
      return nil
    }
    request.url = rest
    return .apiKey(name: ExportedText(name), value: value, isInQuery: true)
  }

  private func isKey(_ name: String, _ value: ExportedText) -> Bool {
    guard value.pieces.count == 1, case .variable(let variable)? = value.references.first,
      names.tokens[variable] == nil
    else { return false }
    let folded = name.lowercased().filter { $0 != "-" && $0 != "_" }
    return folded.contains("apikey") || VariableDefinition.nameIsSecret(variable)
      || view.scope.environments.definitions[variable]?.isSecret == true
      || names.variables.contains { $0.name == variable && $0.isSecret }
  }

  /// The last pair of the query where its name is one of those: the URL without it, its name and
  /// its value.
  private func lastPair(
    _ isMeant: (String) -> Bool
  ) -> (rest: ExportedText, name: String, value: ExportedText)? {
    let halves = request.url.split(separator: "?", limit: 1)
    guard halves.count == 2 else { return nil }
    var pairs = halves[1].split(separator: "&")
    let words = pairs.removeLast().split(separator: "=", limit: 1)
    guard words.count == 2, let name = words[0].literal, isMeant(name) else { return nil }
    var rest = halves[0]
    for (place, pair) in pairs.enumerated() {
      rest.append(place == 0 ? "?" : "&")
      rest.append(pair)
    }
    return (rest, name, words[1])
  }

  /// What an import keeps of an auth that can't be had: `# auth oauth1: consumerKey = {{key}}`.
  private mutating func comments() -> ExportedAuth? {
    var kind: String?
    var fields: [ExportedField] = []
    let start = block.range.lowerBound
    let head = block.bytes[start..<max(start, block.requestLine.lowerBound)]
    for line in head.split(separator: 10) {
      let text = String(decoding: line, as: UTF8.self).trimmingASCIIBlanks()
      guard text.hasPrefix("# auth "), let colon = text.firstRange(of: ": "),
        let equals = text.firstRange(of: " = "), colon.upperBound < equals.lowerBound
      else { continue }
      let word = String(text[..<colon.lowerBound].dropFirst(7))
      guard kind ?? word == word, !word.contains(" ") else { continue }
      kind = word
      let name = String(text[colon.upperBound..<equals.lowerBound])
      let value = names.text(String(text[equals.upperBound...]), at: start, view)
      let isSecret = VariableDefinition.nameIsSecret(name)
      fields.append(
        ExportedField(name: name, value: isSecret ? secret(value, called: name) : value))
    }
    return kind.map { .other(kind: $0, fields: fields) }
  }

  // MARK: - Clients

  /// The fields whose values are secrets wherever they stand.
  private static let secretFields: Set<String> = ["Client Secret", "Password"]
  /// The fields that say in a closed list of words how a token is had. They are no secrets.
  private static let openFields: Set<String> = ["Type", "Grant Type", "Client Credentials"]

  /// A client of `Security.Auth`; `nil` where no environment has it.
  private mutating func client(
    _ id: String, prefix: String, isInQuery: Bool
  ) -> ExportedClient? {
    guard let fields = view.scope.environments.clients[id] else { return nil }
    var client = ExportedClient(name: id, prefix: prefix, isInQuery: isInQuery)
    for field in fields {
      switch (field.name, field.value) {
      case ("PKCE", .object(let members)):
        client.fields.append(ExportedField(name: "PKCE", value: ExportedText("true")))
        client.fields += members.map {
          let isSecret = field.isPrivate && $0.key == "Code Verifier"
          return self.field($0.key, template($0.value), isSecret: isSecret)
        }
      case ("Custom Request Parameters", .object(let members)):
        for parameter in members.flatMap({ parameters($0.key, $0.value) }) {
          var parameter = parameter
          let shown = self.field(
            parameter.name, parameter.value,
            isSecret: field.isPrivate || OriginCredentials.isSecret(parameter.name))
          parameter.value = shown.value
          client.parameters.append(parameter)
        }
      case (let name, let value):
        var isOpen = Self.openFields.contains(name)
        if case .bool = value { isOpen = true }
        client.fields.append(
          self.field(
            name, template(value),
            isSecret: !isOpen && (field.isPrivate || Self.secretFields.contains(name))))
      }
    }
    let others = source.scopes.dropFirst().filter { $0.scope.environments.clients[id] != fields }
    if !others.isEmpty {
      tell(
        .authPartial,
        "The client `\(id)` has other values in other environments; only one is exported.")
    }
    return client
  }

  /// A field, whose value becomes a variable where it is a secret.
  private mutating func field(
    _ name: String, _ value: ExportedText, isSecret: Bool
  ) -> ExportedField {
    ExportedField(
      name: name, value: isSecret ? secret(value, called: Self.variable(for: name)) : value)
  }

  private func parameters(_ name: String, _ value: JSONValue) -> [ExportedClient.Parameter] {
    switch value {
    case .array(let values): values.flatMap { parameters(name, $0) }
    case .object:
      [
        ExportedClient.Parameter(
          name: name, value: template(value["Value"] ?? ""), use: value["Use"]?.string)
      ]
    default: [ExportedClient.Parameter(name: name, value: template(value))]
    }
  }

  private func template(_ value: JSONValue) -> ExportedText {
    names.text(value.substitutionText, at: block.range.lowerBound, view)
  }

  /// `clientSecret` for `Client Secret`.
  private static func variable(for field: String) -> String {
    let words = CodeWords.word(field).split(separator: "_")
    return (words.first.map { $0.lowercased() } ?? "secret")
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// Says what stands for tokens that PostKit gets by itself.
  mutating func tellTokens() {
    let variables = request.texts.flatMap(\.references).compactMap {
      if case .variable(let name) = $0 { name } else { nil }
    }
    for name in variables {
      let message: String
      if let id = names.idTokens[name] {
        message =
          "`\(name)` stands for the ID token of `\(id)`, which the target can't get by itself."
      } else if let id = names.tokens[name] {
        let isMissing = keepsAuth && view.scope.environments.clients[id] == nil
        message =
          isMissing
          ? "`\(name)` stands for the token of `\(id)`: no chosen environment has the client "
            + "`\(id)`; `--env` names one."
          : "`\(name)` stands for the token of `\(id)`, which the target can't get by itself."
      } else {
        continue
      }
      if !request.remarks.contains(message) { tell(.authPartial, message) }
    }
  }

  // MARK: - Files beside requests

  /// The text of a script that lies in a file; `nil` where it can't be read.
  func text(ofFile path: String) -> String? {
    let written = path.replacing("\\ ", with: " ")
    guard !path.contains("{{"), let file = source.context.resolvePath(written),
      case .bytes(let bytes) = source.context.readFile(file)
    else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The responses that `@example` names, without the secrets of environments.
  mutating func examples() -> [ExportedExample] {
    var result: [ExportedExample] = []
    for tag in block.metadata where tag.kind == .example {
      let words = block.text(tag.value).split(separator: " ", maxSplits: 1).map(String.init)
      guard keepsAuth, words.count == 2 else { continue }
      guard let text = text(ofFile: words[1]), let answer = AnswerText(Array(text.utf8)) else {
        tell(.fileMissing, "The example `\(words[1])` can't be read and is left out.")
        continue
      }
      let secrets = view.scope.environments.definitions.values.filter(\.isSecret)
        .map(\.value.substitutionText)
      let mask = SecretMask(secrets: secrets)
      let type = answer.headers.first("Content-Type")
      let body = mask.maskBody(answer.body, contentType: type).bytes
      result.append(
        ExportedExample(
          name: AnswerText.name(ofFile: words[1]), status: Int(words[0]) ?? answer.status,
          headers: mask.maskHeaders(answer.headers).headers.fields,
          body: String(decoding: body, as: UTF8.self)))
    }
    return result
  }
}
