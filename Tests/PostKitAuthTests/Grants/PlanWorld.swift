// Plans in tests: a world that is the same on every run, and providers that answer as told.

import PostKitAuth
import PostKitHTTP
import PostKitJSON
import PostKitSupport
import Testing

/// What plans are tested in.
enum PlanWorld {
  /// The time in all tests that don't move it, in milliseconds since 1970.
  static let now: Int64 = 1_700_000_000_000

  /// A world with a clock, random bytes that count, and signatures with a secret alone.
  static func context(hasPerson: Bool = true, at now: Int64 = now) -> AuthContext {
    var context = AuthContext(
      now: { now },
      random: { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } },
      sha256: { SHA256.digest($0) },
      sign: { algorithm, key, bytes in
        switch key {
        case .secret(let secret):
          .signature(SHA256.authenticationCode(of: bytes, key: secret))
        case .privateKey:
          .signature(Array(algorithm.utf8))
        }
      })
    context.hasPerson = hasPerson
    context.loginCommand = "postkit auth login api.http --id shop"
    return context
  }

  /// The random text of 16 bytes in this world: every state and nonce.
  static let text = "AAECAwQFBgcICQoLDA0ODw"

  /// A configuration that has what its grant needs.
  static func shop(_ grant: Grant) -> AuthConfiguration {
    var shop = AuthConfiguration(id: "shop", dialect: .securityAuth, grant: grant)
    shop.file = "http-client.env.json"
    shop.tokenURL = "https://id.example/token"
    shop.authorizationURL = "https://id.example/authorize"
    shop.deviceURL = "https://id.example/device"
    shop.clientID = "cli"
    shop.clientSecret = "s3cret"
    shop.clientAuthentication = .body
    shop.scope = "orders read"
    if grant == .password {
      shop.username = "ann"
      shop.password = "pw-of-ann"
    }
    if grant == .jwtBearer { shop.assertion.text = "a.b.c" }
    if grant == .mock { shop.mock = MockTokens(token: "T", idToken: "I") }
    return shop
  }

  /// A reply in JSON.
  static func json(_ text: String, status: Int = 200) -> GrantEvent {
    .reply(
      TokenReply(
        status: status, headers: [("Content-Type", "application/json")], body: Array(text.utf8)))
  }

  /// What a token endpoint answers when all is well.
  static let tokens = json(
    #"{"access_token": "T0K", "token_type": "bearer", "expires_in": 3600, "refresh_token": "R1"}"#)
  /// What a device endpoint answers when all is well.
  static let deviceCode = json(
    """
    {"device_code": "DEV-C0DE", "user_code": "WDJB-MJHT", "interval": 5, "expires_in": 600,
     "verification_uri": "https://id.example/go",
     "verification_uri_complete": "https://id.example/go?code=WDJB-MJHT"}
    """)

  /// Follows a plan with the answers in their order, and gives all its steps. Where a step needs
  /// none of the answers, because a person does what is asked, it is answered here.
  static func steps(_ plan: GrantPlan, _ answers: GrantEvent...) -> [GrantStep] {
    var plan = plan
    var answers = answers[...]
    var steps: [GrantStep] = []
    var event: GrantEvent? = .begin
    while let now = event {
      let step = plan.next(now)
      steps.append(step)
      event = nil
      switch step {
      case .request: event = answers.popFirst()
      case .listen(let place): event = .listening(redirectURI: place.uri(port: 4_711))
      case .visit(let visit):
        event =
          answers.first.map { $0.isOfBrowser } == true
          ? answers.popFirst()
          : .redirected([AuthField("state", visit.state), AuthField("code", "C0DE")])
      case .show: event = answers.first.map { $0.isOfBrowser } == true ? answers.popFirst() : .shown
      case .wait: event = .waited
      case .done, .failed: break
      }
    }
    return steps
  }

  /// The failure at the end of a plan.
  static func failure(_ steps: [GrantStep]) throws -> AuthFailure {
    guard case .failed(let failure)? = steps.last else {
      Issue.record("There is no failure: \(steps)")
      throw AuthFailure(.internal, "")
    }
    return failure
  }

  /// The tokens at the end of a plan.
  static func tokens(_ steps: [GrantStep]) throws -> TokenSet {
    guard case .done(let tokens)? = steps.last else {
      Issue.record("There are no tokens: \(steps)")
      throw AuthFailure(.internal, "")
    }
    return tokens
  }
}

extension GrantEvent {
  /// Whether a person or a browser is at the other end.
  var isOfBrowser: Bool {
    switch self {
    case .redirected, .pasted, .timedOut, .declined: true
    default: false
    }
  }
}

extension [GrantStep] {
  /// The requests of a plan.
  var requests: [TokenRequest] {
    compactMap { if case .request(let request) = $0 { request } else { nil } }
  }

  /// The bodies of a plan's requests.
  var bodies: [String] { requests.map { String(decoding: $0.body, as: UTF8.self) } }

  /// The page that a plan wants to have visited.
  var visit: BrowserVisit? {
    compactMap { if case .visit(let visit) = $0 { visit } else { nil } }.first
  }

  /// The milliseconds of a plan's waits.
  var waits: [Int] {
    compactMap { if case .wait(let milliseconds) = $0 { milliseconds } else { nil } }
  }
}
