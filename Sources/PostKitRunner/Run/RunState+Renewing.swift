// A token that a server takes for none is got anew, once, and without a person (AU-45).

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitTransport

/// What a server says of a token that it refuses (RFC 6750, section 3).
enum BearerChallenge {
  /// Whether a response says that the access token is none, or no longer one.
  static func refusesToken(_ status: Int, _ headers: HeaderFields) -> Bool {
    status == 401 && headers.values("WWW-Authenticate").contains { names(invalidToken: $0) }
  }

  private static func names(invalidToken field: String) -> Bool {
    let text = field.lowercased()
    guard let scheme = text.firstRange(of: "bearer") else { return false }
    // Some servers write blanks around the sign, and some no quotes.
    let parameters = text[scheme.upperBound...].filter { $0 != " " && $0 != "\t" && $0 != "\"" }
    return parameters.split(separator: ",").contains("error=invalid_token")
  }
}

extension RunState {
  /// The methods that mean the same when they are sent twice (RFC 9110, section 9.2.2).
  private static let repeatableMethods: Set<String> = [
    "GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE",
  ]

  /// The tokens in the `Authorization` of a request.
  func tokens(in headers: HeaderFields) -> [TokenNeed] {
    if scope.answers.tokens.isEmpty { return [] }
    let values = headers.values("Authorization")
    return scope.answers.tokens.filter { _, answer in
      values.contains { $0.contains(answer.text) }
    }.map(\.key)
  }

  /// The token of a request that may be got anew where it is refused: one that was not got for this
  /// request.
  func renewable(_ spec: RequestSpec, of request: PreparedRequest) -> TokenNeed? {
    guard request.lowered.settings.renewsTokens,
      RunState.repeatableMethods.contains(spec.method)
    else { return nil }
    return keptToken(spec)
  }

  /// The token of a request that was not got for it.
  private func keptToken(_ spec: RequestSpec) -> TokenNeed? {
    tokens(in: spec.headers).first { !freshTokens.contains($0) }
  }

  /// A request with a new token in the place of one that was refused; `nil` where it can't be sent
  /// again, or no other token can be had.
  mutating func renewed(
    _ spec: RequestSpec, after response: Response, of request: PreparedRequest,
    _ services: RunServices
  ) async -> (spec: RequestSpec, need: TokenNeed, answer: TokenAnswer)? {
    guard BearerChallenge.refusesToken(response.status, response.headers),
      let refused = keptToken(spec), let old = scope.answers.tokens[refused]
    else { return nil }
    // Nobody uses it again, whether or not this request can be sent once more.
    await services.tokens.refuse(
      old.tokens.accessToken, of: refused.configuration, at: tokenPlace)
    guard let need = renewable(spec, of: request) else { return nil }
    var services = services
    services.signIn = nil
    var again = need
    again.isNew = false
    guard
      case .success(let answer) = await token(again, of: request.place, request.lowered, services),
      answer.text != old.text
    else { return nil }
    use(answer, for: need)
    var next = spec
    for index in next.headers.fields.indices
    where next.headers.fields[index].name.equalsIgnoringASCIICase("Authorization") {
      next.headers.fields[index].value =
        next.headers.fields[index].value.replacing(old.text, with: answer.text)
    }
    return (next, need, answer)
  }

  /// Takes in what was learned while a request was sent.
  mutating func adopt(_ answer: RequestAnswer) {
    addSecrets(answer.learned)
    for (need, token) in answer.renewed { use(token, for: need) }
  }
}
