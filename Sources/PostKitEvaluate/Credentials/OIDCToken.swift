// REST Client's `$oidcAccessToken` as a configuration, and what all of its references to tokens
// have in common (section 4.3).

import PostKitAuth
import PostKitHTTP
import PostKitJSON

extension Evaluator {
  /// `$oidcAccessToken [new] [clientId:C] …`; `nil` where the words are others.
  private func oidcToken(_ arguments: String) -> (AuthConfiguration, isNew: Bool)? {
    var words = OrderedWords(arguments)
    let isNew = words.take("new")
    var result = AuthConfiguration(
      id: "oidcAccessToken", dialect: .oidc, grant: .authorizationCode)
    result.clientID = words.take(after: "clientId:")
    result.issuer = words.take(after: "issuer:")
    let domain = words.take(after: "callbackDomain:")
    let port = words.take(after: "callbackPort:") ?? "7777"
    result.authorizationURL = words.take(after: "authorizeEndpoint:")
    result.tokenURL = words.take(after: "tokenEndpoint:")
    let scopes = words.take(after: "scopes:")
    let audience = words.take(after: "audience:")
    guard words.isEmpty, UInt16(port) != nil else { return nil }
    result.clientAuthentication = ClientAuthentication.none
    result.redirectURI = domain.map { "https://\($0):\(port)" } ?? "http://localhost:\(port)"
    let given = scopes?.split(separator: ",").map(String.init) ?? []
    let all = scope.environments.oidcScopes ?? ["openid", "profile", "email"]
    result.scope = Set(all + given).sorted().joined(separator: " ")
    result.resources = audience.map { [$0] } ?? []
    result.parameters = [AuthParameter(name: "prompt", values: ["login"], use: .authorization)]
    return (result, isNew)
  }

  /// What a reference of REST Client to a token stands for; `nil` for any other reference.
  mutating func restClientToken(
    _ name: String, _ arguments: String, at range: Range<Int>, offset: Int
  ) -> Resolution? {
    guard DynamicVariables.restClientTokens.contains(where: { $0.name == name }) else { return nil }
    switch handedIn(name) {
    case .given(let text)?: return .value(.string(tokenText(shown(text, isSecret: true), name)))
    case .problem(let kind)?: return .unresolved(kind)
    case .need?, .pending?, nil: break
    }
    let (count, known) = (problems.count, lacks)
    let read =
      switch name {
      case "aadToken": azureToken(arguments, at: range, offset: offset)
      case "aadV2Token": azureV2Token(arguments, at: range, offset: offset)
      default: oidcToken(arguments)
      }
    guard let (configuration, isNew) = read else {
      let expected = DynamicVariables.named(name)?.signature ?? ""
      return .unresolved(.dynamicArguments(name: name, expected: expected))
    }
    let standIn = Evaluator.standIn(for: name)
    if problems[count...].contains(where: { $0.severity == .error }) || lacks != known {
      return .value(.string(tokenText(standIn, name)))
    }
    do throws(AuthFailure) {
      try configuration.checkEndpoints()
      if let failure = configuration.incomplete() { throw failure }
    } catch {
      return .unresolved(.signIn(EvaluationProblem.SignInMistake(error), error.message))
    }
    let answer = answer(to: TokenNeed(configuration, kind: .access, isNew: isNew))
    return .value(
      .string(tokenText(shown(answer?.text ?? standIn, isSecret: answer != nil), name)))
  }

  /// `$aadToken` has the scheme before it, as REST Client has it.
  private func tokenText(_ token: String, _ name: String) -> String {
    name == "aadToken" ? "Bearer " + token : token
  }
}

extension DynamicVariables {
  /// REST Client's references to tokens.
  static let restClientTokens: [DynamicVariable] = [
    token(
      "aadToken", "$aadToken [new] [public|cn|de|us|ppe] [TENANT] [aud:AUDIENCE]",
      "`Bearer` and a token of Azure AD, got with a code for the client of `aadClientId`."),
    token(
      "aadV2Token",
      "$aadV2Token [new] [AzureCloud|AzureChinaCloud|AzureUSGovernment|ppe] [appOnly] "
        + "[scopes:A,B] [tenantId:T] [clientId:C]",
      "A token of Microsoft Entra ID, got with a code, or with `aadV2ClientSecret` (`appOnly`)."),
    token(
      "oidcAccessToken",
      "$oidcAccessToken [new] [clientId:C] [issuer:URL] [callbackDomain:D] [callbackPort:P] "
        + "[authorizeEndpoint:URL] [tokenEndpoint:URL] [scopes:A,B] [audience:URI]",
      "A token of OpenID Connect, for which somebody signs in with a browser."),
  ]
}
