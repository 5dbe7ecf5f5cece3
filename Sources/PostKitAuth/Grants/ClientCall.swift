// A request to an endpoint in the client's name, with the second attempts that are allowed.

import PostKitHTTP
import PostKitJSON

/// One request to an endpoint, until there is an answer that counts.
struct ClientCall: Sendable {
  /// What follows from an event.
  enum Step: Sendable {
    case request(TokenRequest)
    case answer(EndpointAnswer)
  }

  let goal: CallGoal
  /// The address; another one after a redirect.
  private(set) var url: String
  private let parameters: TokenParameters
  private let configuration: AuthConfiguration
  private let context: AuthContext
  /// Whom a signed proof is for.
  private let audience: String
  private var proofs: [ClientProof]
  private var wasRedirected = false
  /// What was tried already, the last first.
  private(set) var tried: [ClientProof] = []
  private(set) var parameterNames: [String] = []
  /// The values that were sent and that no message may show.
  private(set) var sentSecrets: [String] = []

  /// Prepares a request with parameters of the grant, to which come those of the author and the
  /// proof of who the client is.
  init(
    _ goal: CallGoal, _ url: String, _ parameters: TokenParameters,
    _ configuration: AuthConfiguration, proofs: [ClientProof], issuer: String?,
    _ context: AuthContext
  ) {
    self.goal = goal
    self.url = url
    self.parameters = parameters
    self.configuration = configuration
    self.context = context
    self.proofs = proofs
    audience = issuer ?? configuration.tokenURL ?? url
  }

  /// How the client proved who it is in the request that was answered last.
  var proof: ClientProof { tried.first ?? .none }

  /// The request with the next proof.
  mutating func start() throws(AuthFailure) -> TokenRequest {
    guard !proofs.isEmpty else { throw .unexpected }
    tried.insert(proofs.removeFirst(), at: 0)
    return try request()
  }

  private mutating func request() throws(AuthFailure) -> TokenRequest {
    var all = parameters
    var headers: HeaderFields = [("Accept", "application/json")]
    try proof.add(to: &all, &headers, configuration, audience: audience, context)
    all.apply(configuration.parameters(for: goal.use).filter { goal.takes($0.name) })
    parameterNames = all.names
    sentSecrets += all.fields.filter { SecretParameters.names.contains($0.name.lowercased()) }
      .map(\.value)
    headers.append("Content-Type", "application/x-www-form-urlencoded")
    for header in configuration.headers where header.use == .everywhere || header.use == goal.use {
      headers.removeAll(header.name)
      for value in header.values { headers.append(header.name, value) }
    }
    return TokenRequest(
      goal.purpose, method: "POST", url: url, headers: headers, body: Array(all.encoded.utf8),
      parameterNames: parameterNames)
  }

  /// What follows from an answer: perhaps the request once more (AU-2, AU-21).
  mutating func next(_ event: GrantEvent) throws(AuthFailure) -> Step {
    switch event {
    case .unreachable(let failure):
      throw AuthFailure(
        failure.code,
        "\(goal.endpoint) \(AuthConfiguration.shown(url)) of `\(configuration.id)` "
          + "can't be reached: \(failure.message)")
    case .reply(let reply) where reply.isRedirect:
      url = try EndpointRedirect.target(
        of: reply, at: url, configuration.id, keepsMethod: true, isRepeated: wasRedirected)
      wasRedirected = true
      return .request(try request())
    case .reply(let reply):
      let answer = EndpointAnswer(reply)
      if answer.doubtsClient, !proofs.isEmpty { return .request(try start()) }
      return .answer(answer)
    default: throw .unexpected
    }
  }
}

extension EndpointAnswer {
  /// Whether the server does not know the client: another proof may help (AU-21). Old servers say
  /// so with the status and another word.
  fileprivate var doubtsClient: Bool {
    if error == "invalid_client" { return true }
    return reply.status == 401 && (error == nil || error == "unauthorized_client")
  }
}

/// What a request to an endpoint is for.
enum CallGoal: Sendable, Hashable {
  case grant, refresh, poll, exchange, device, push, revocation

  /// How others know it.
  var purpose: TokenRequest.Purpose {
    switch self {
    case .grant, .refresh, .poll, .exchange: .token
    case .device: .device
    case .push: .pushedAuthorization
    case .revocation: .revocation
    }
  }

  /// Which of the author's parameters it has.
  var use: AuthParameter.Use {
    switch self {
    case .grant, .refresh, .poll, .exchange, .revocation: .token
    case .device, .push: .authorization
    }
  }

  /// Whether it has a parameter of the author of that name: those that make up a grant belong to
  /// the grant alone.
  func takes(_ name: String) -> Bool {
    switch self {
    case .grant, .exchange, .device, .push: true
    case .refresh, .poll: !CallGoal.grantParameters.contains(name)
    case .revocation: false
    }
  }

  private static let grantParameters: Set<String> = [
    "grant_type", "assertion", "scope", "username", "password", "code", "refresh_token",
    "device_code", "subject_token", "subject_token_type",
  ]

  /// Its endpoint at the beginning of a sentence.
  var endpoint: String {
    switch self {
    case .grant, .refresh, .poll, .exchange: "The token endpoint"
    case .device: "The device endpoint"
    case .push: "The endpoint for pushed requests"
    case .revocation: "The revocation endpoint"
    }
  }
}
