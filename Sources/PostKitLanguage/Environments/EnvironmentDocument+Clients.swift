// What is said about the clients of `Security.Auth` in the file that has them (AU-54).

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitText

extension EnvironmentDocument {
  /// What is wrong with the clients of the file, at their keys and values.
  var clientRemarks: [Diagnostic] {
    let own = clients
    if own.isEmpty { return [] }
    let elsewhere = others.flatMap { source in
      EnvironmentDocument(source.kind, source.file, among: []).clients.map { (source.kind, $0) }
    }
    let sources = EnvironmentSources(sources)
    var sets: [String?: EnvironmentSet] = [:]
    return own.flatMap { client -> [Diagnostic] in
      var found = fieldRemarks(client) + endpointRemarks(client) + secretRemarks(client)
      if isSaidHere(client, own, elsewhere) {
        let active = client.isShared ? nil : client.environment
        let set = sets[active] ?? sources.set(active: active)
        sets[active] = set
        if let missing = incompleteness(client, set) { found.append(missing) }
      }
      return found
    }
  }

  // MARK: - Keys and words

  private func fieldRemarks(_ client: EnvironmentClient) -> [Diagnostic] {
    client.object.members.flatMap { member in
      remarks(on: member, among: SecurityAuthKey.all, of: "`\(client.id)`")
    }
  }

  /// What is wrong with a member where only some keys are known.
  private func remarks(
    on member: EnvironmentClient.Field, among known: [SecurityAuthKey], of owner: String
  ) -> [Diagnostic] {
    let name = member.key.string ?? ""
    guard let key = SecurityAuthKey.named(name, among: known) else {
      let nearest = SecurityAuthKey.nearest(to: name, among: known)
      var unknown = Diagnostic(
        .authUnknownKey, member.key.range,
        "\(owner) has the unknown key `\(name.excerpt)`, which has no effect. "
          + (nearest.map { "Did you mean `\($0)`?" } ?? "Remove it, or check its spelling."))
      unknown.replacement = nearest
      return [unknown]
    }
    switch key.value {
    case .words: return word(member.value, of: key, owner)
    case .object(let keys), .boolOrObject(let keys):
      guard !keys.isEmpty, member.value.kind == .object else { return [] }
      return member.value.members.flatMap { remarks(on: $0, among: keys, of: "`\(key.name)`") }
    case .parameters(let keys):
      return parameters(member.value, of: key, keys)
    case .text, .url, .bool, .seconds: return []
    }
  }

  private func word(_ value: JSONView, of key: SecurityAuthKey, _ owner: String) -> [Diagnostic] {
    guard let text = value.string, !text.contains("{{") else { return [] }
    let known = key.value.words
    let isKnown =
      switch key.name {
      case "Grant Type": Grant(words: text) != nil
      case "Client Credentials":
        ClientAuthentication(words: text) != nil || text.lowercased() == "jwt"
      default: known.contains { $0.lowercased() == text.lowercased() }
      }
    if isKnown { return legacy(value, of: key) }
    let nearest = Suggestion.nearest(to: text, among: known)
    let list = known.map { "`\($0)`" }.joined(separator: ", ")
    let hint = nearest.map { "Did you mean `\($0)`?" } ?? "Write one of \(list)."
    var unknown =
      key.name == "Grant Type"
      ? Diagnostic(
        .authGrantUnknown, value.range, "\(owner) has the unknown grant `\(text.excerpt)`. \(hint)")
      : Diagnostic(
        .authUnknownKey, value.range,
        "`\(text.excerpt)` is no value of `\(key.name)` and has no effect. \(hint)")
    unknown.replacement = nearest
    return [unknown]
  }

  /// The hint on a grant that nobody should use any more (RFC 9700, sections 2.1.2 and 2.4).
  private func legacy(_ value: JSONView, of key: SecurityAuthKey) -> [Diagnostic] {
    guard key.name == "Grant Type", let sentence = value.string.flatMap(Grant.init(words:))?.legacy
    else { return [] }
    return [Diagnostic(.authGrantLegacy, value.range, sentence)]
  }

  private func parameters(
    _ value: JSONView, of key: SecurityAuthKey, _ keys: [SecurityAuthKey]
  ) -> [Diagnostic] {
    guard value.kind == .object else { return [] }
    return value.members.flatMap { parameter -> [Diagnostic] in
      let name = parameter.key.string ?? ""
      if key.name == "Custom Request Parameters", AuthConfiguration.isReserved(name) {
        return [
          Diagnostic(
            .authParameterReserved, parameter.key.range,
            "PostKit sets the parameter `\(name)` itself. Remove it here"
              + (name == "client_secret" ? ", and write `Client Secret`." : "."))
        ]
      }
      let single = parameter.value.kind == .object ? [parameter.value] : []
      let listed = parameter.value.kind == .array
        ? parameter.value.elements.filter { $0.kind == .object } : []
      return (single + listed).flatMap { object in
        object.members.flatMap { remarks(on: $0, among: keys, of: "`\(name.excerpt)`") }
      }
    }
  }

  // MARK: - Endpoints

  private func endpointRemarks(_ client: EnvironmentClient) -> [Diagnostic] {
    client.fields.compactMap { key, field -> Diagnostic? in
      guard let key, case .url = key.value, let text = field.value.string, !text.isEmpty,
        !text.contains("{{")
      else { return nil }
      if key.name == "Redirect URL" {
        return AuthAddress.isListenable(text)
          ? nil
          : Diagnostic(.authRedirectUnlistenable, field.value.range, AuthAddress.unlistenable)
      }
      guard AuthConfiguration.isWebAddress(text), let url = URLParts(text) else {
        return Diagnostic(
          .authIncomplete, field.value.range,
          "`\(key.name)` needs an absolute URL, such as `https://id.example.com/token`.")
      }
      return AuthAddress.isOpen(url)
        ? Diagnostic(.authCleartext, field.value.range, AuthAddress.cleartext(url)) : nil
    }
  }

  // MARK: - What is missing

  /// Whether what a client lacks is said in this file: in the one for everybody where that has it.
  /// What stands for all environments may be completed in any of them.
  private func isSaidHere(
    _ client: EnvironmentClient, _ own: [EnvironmentClient],
    _ elsewhere: [(kind: EnvironmentSource.Kind, client: EnvironmentClient)]
  ) -> Bool {
    let same = elsewhere.filter { $0.client.id == client.id }
    let isCompleted = client.isShared
      && (same.map(\.client) + own.filter { $0.id == client.id })
        .contains { $0.environment != client.environment }
    return !isCompleted
      && (kind == .publicFile
        || !same.contains {
          $0.kind == .publicFile && $0.client.environment == client.environment
        })
  }

  /// What a client lacks, with all that other files say of it.
  private func incompleteness(
    _ client: EnvironmentClient, _ set: EnvironmentSet
  ) -> Diagnostic? {
    let fields = (set.clients[client.id] ?? []).map {
      SecurityAuthField($0.name, EnvironmentDocument.withoutReferences($0.value, of: $0.name))
    }
    // A grant that a reference names is known once something is sent.
    let isOpen = (set.clients[client.id] ?? []).contains { field in
      SecurityAuthKey.named(field.name).map { SecurityAuthReading.choosingKeys.contains($0.name) }
        == true && field.value.string?.contains("{{") == true
    }
    if isOpen { return nil }
    let name = Analysis.name(of: file.path)
    let reading = SecurityAuthReading(id: client.id, file: name, fields: fields)
    do throws(AuthFailure) {
      _ = try reading.grant()
      // What else is wrong with it is said at its place.
      guard let configuration = try? AuthConfiguration(id: client.id, file: name, fields: fields)
      else { return nil }
      return configuration.incomplete().map {
        Diagnostic(.authIncomplete, client.key.range, $0.message)
      }
    } catch {
      guard error.code == .authIncomplete else { return nil }
      return Diagnostic(.authIncomplete, client.key.range, error.message)
    }
  }

  /// A value in which references stand for something that is as it has to be.
  private static func withoutReferences(_ value: JSONValue, of name: String) -> JSONValue {
    guard case .string(let text) = value, text.contains("{{"),
      let key = SecurityAuthKey.named(name)
    else { return value }
    switch key.value {
    case .url: return .string("https://reference.invalid/")
    case .words(let words): return .string(words[0])
    case .text, .bool, .seconds, .object, .boolOrObject, .parameters: return value
    }
  }

  // MARK: - Secrets

  /// Secrets in the file that everybody gets.
  private func secretRemarks(_ client: EnvironmentClient) -> [Diagnostic] {
    guard kind == .publicFile else { return [] }
    return client.fields.compactMap { key, field in
      // The tokens of a mock open nothing.
      guard let key, key.isSecret, key.grants != [.mock], let text = field.value.string,
        !text.isEmpty, !text.contains("{{")
      else { return nil }
      return Diagnostic(
        .authSecretPublic, field.value.range,
        "Everybody with the project can read this `\(key.name)`. Move it to "
          + "`http-client.private.env.json`.")
    }
  }
}
