// What a provider's no means, in the provider's words and with what to do next (AU-56).

import PostKitHTTP
import PostKitJSON

/// Turns answers that are no tokens into failures.
struct Refusal: Sendable {
  let configuration: AuthConfiguration
  let goal: CallGoal
  /// Where the answer comes from.
  let url: String
  var metadata: ServerMetadata?
  /// How the client proved who it is.
  var tried: [ClientProof] = []
  /// The names of the parameters that were sent.
  var parameterNames: [String] = []
  /// Values of this sign-in that no message may show.
  var secrets: [String] = []
  /// What is said where a device code was not entered in time.
  var late: String?

  private var id: String { configuration.id }
  private var host: String { URLParts(url)?.host ?? "the provider" }

  /// The failure of an answer that names an error or has the status of one.
  func failure(_ answer: EndpointAnswer) -> AuthFailure {
    // Servers that say no may give tokens all the same, and repeat them in what they say.
    var refusal = self
    refusal.secrets += SecretParameters.names.compactMap { answer.text($0) }
    return refusal.told(answer)
  }

  private func told(_ answer: EndpointAnswer) -> AuthFailure {
    guard answer.error != nil || answer.members != nil || answer.reply.body.isEmpty else {
      return unreadable(answer)
    }
    let word = answer.error ?? Refusal.word(forStatus: answer.reply.status)
    let isFit = !word.isEmpty && word.utf8.count <= 40 && word.utf8.allSatisfy(Refusal.isFit)
    let quoted = isFit ? "`\(shown(word, 40))`" : word.isEmpty ? "an error" : "`\(shown(word, 40))`"
    var sentences: [String] = []
    let what = answer.error == nil ? "without a token" : quoted
    sentences.append("`\(id)`: \(host) answers \(what)\(answer.status()).")
    if let text = answer.explanation { sentences.append(sentence(shown(text, 500))) }
    if let next = remedy(word, answer) { sentences.append(next) }
    if let link = answer.text("error_uri"), AuthConfiguration.isWeb(link) {
      sentences.append("See \(shown(link, 300))")
    }
    // A word that is a secret is told nowhere.
    let isTold = isFit && shown(word, 40) == word
    let code = FailureCode(rawValue: "auth-" + (isTold ? word : "other"))
    return AuthFailure(code, sentences.joined(separator: " "))
  }

  private static func isFit(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 97...122, UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// What a status says where the server has no word.
  private static func word(forStatus status: Int) -> String {
    switch status {
    case 401: "invalid_client"
    case 429, 500...599: "temporarily_unavailable"
    default: "other"
    }
  }

  // MARK: - What to do

  private func remedy(_ word: String, _ answer: EndpointAnswer) -> String? {
    let grant = configuration.grant.title
    switch word {
    case "invalid_client": return clientRemedy
    case "invalid_grant": return grantRemedy
    case "unauthorized_client", "unsupported_grant_type":
      return "The provider does not allow the grant \(grant) for this client"
        + (offer("grant_types_supported").map { "; it offers: \($0)." } ?? ".")
    case "invalid_scope":
      let known = offer("scopes_supported").map { "Known scopes: \($0). " } ?? ""
      return known + "Asked: \(configuration.scope ?? "none")."
    case "invalid_request":
      return parameterNames.isEmpty
        ? nil : "The parameters sent were: \(parameterNames.joined(separator: ", "))."
    case "access_denied": return "You, or a rule of the provider, said no."
    case "interaction_required", "login_required", "consent_required":
      return "Remove `prompt=none` from the parameters."
    case "expired_token":
      return (late ?? "It was too late.") + " Sign in again."
    case "invalid_target":
      let targets = (configuration.resources + configuration.audiences + customTargets)
      return targets.isEmpty
        ? nil : "Check what the token is for: \(shown(targets.joined(separator: ", "), 500))."
    default:
      let isLater = word == "temporarily_unavailable"
        || answer.reply.status == 429 || answer.reply.status >= 500
      if isLater { return answer.retryAfter ?? "Try again later." }
      let isElsewhere = [404, 405, 410].contains(answer.reply.status)
      return isElsewhere ? "Check the address: \(AuthConfiguration.shown(url))" : nil
    }
  }

  private var clientRemedy: String {
    let names = ["Client ID", "Client Secret"].map { "`\(configuration.name(ofField: $0))`" }
    let titles = Set(tried.map(\.title))
    let tries = titles.count > 1 ? "both were tried" : "only `\(titles.first ?? "none")` was tried"
    return "Check \(names[0]) and \(names[1]), and whether the provider wants them `basic` or "
      + "`in body` (\(tries))."
  }

  private var grantRemedy: String {
    switch (goal, configuration.grant) {
    case (.refresh, _): "The sign-in has ended; sign in again."
    case (_, .password): "The user name or the password is wrong."
    case (_, .jwtBearer): "Check the assertion: its claims, its times, and the key that signs it."
    case (.exchange, _): "The provider does not take the token that was to be exchanged."
    case (_, .clientCredentials): "Check the parameters of the request."
    default: "The code was used or is too old; sign in again."
    }
  }

  private func offer(_ list: String) -> String? {
    guard let words = metadata?.list(list), !words.isEmpty else { return nil }
    return shown(words.joined(separator: ", "), 500)
  }

  private var customTargets: [String] {
    configuration.parameters.filter { ["resource", "audience"].contains($0.name) }.flatMap(\.values)
  }

  // MARK: - What can't be read

  /// The failure of an answer that is neither tokens nor an error (AU-28).
  func unreadable(_ answer: EndpointAnswer, _ reason: String? = nil) -> AuthFailure {
    let reply = answer.reply
    let type = reply.headers.mediaType?.essence ?? "no media type"
    var text = "`\(id)`: the answer of \(AuthConfiguration.shown(url)) can't be used"
    if let reason {
      text += ": \(reason)\(answer.status())."
    } else if reply.body.count > EndpointAnswer.byteLimit {
      text += ": it has more than 1 MiB\(answer.status(type))."
    } else {
      text += ": it is no JSON object\(answer.status(type))."
      if let beginning = excerpt(reply.body) { text += " It begins: \(beginning)" }
    }
    if let later = answer.retryAfter { text += " " + later }
    let isLater = answer.reply.status == 429 || answer.reply.status >= 500
    if reason == nil, !isLater { text += " Check the address of the endpoint." }
    return AuthFailure(.authAnswerUnreadable, text)
  }

  /// The first characters of a body; `nil` where one of them may be a token's.
  private func excerpt(_ body: [UInt8]) -> String? {
    let text = String(decoding: body.prefix(4_096), as: UTF8.self)
    let hasToken = ["_token", "assertion", "secret"].contains { text.contains($0) }
    let first = shown(text, 200)
    return hasToken || first.isEmpty ? nil : first
  }

  /// A text of the server's, with the secrets that it repeats masked.
  private func shown(_ text: String, _ count: Int) -> String {
    SecretMask(secrets: configuration.secrets + secrets).mask(text.cleaned(4_096)).text
      .cleaned(count)
  }

  private func sentence(_ text: String) -> String {
    guard let last = text.last else { return text }
    return ".!?".contains(last) ? text : text + "."
  }
}

extension AuthConfiguration {
  /// The values in it that nobody may see.
  package var secrets: [String] {
    let texts = [
      clientSecret, password, codeVerifier, assertion.text, assertion.privateKey, mock?.token,
      mock?.idToken,
    ]
    return texts.compactMap { $0 }.filter { !$0.isEmpty } + exchange.flatMap(\.secrets)
  }
}
