// Who has the tokens of a process: one owner for all runs, editors and commands in it.

package import PostKitAuth
import PostKitHTTP
import PostKitSupport

/// Gets tokens, each once however many ask, and keeps them (AU-40 to AU-46).
package actor TokenBroker {
  /// What one request lends the broker: its connection settings, its record, its person.
  package struct Errand: Sendable {
    package var place: TokenPlace
    package var driver: TokenPlanDriver
    /// Whether somebody may be asked to sign in.
    package var mayAskPerson: Bool
    /// Whether a token is got even where a valid one is kept (`postkit auth login --force`).
    package var isForced = false
    /// The command by which somebody can sign in elsewhere.
    package var loginCommand = "postkit auth login"
    /// Says what is waited for, in a sentence, where nobody sits in front of the driver.
    package var tell: @Sendable (String) -> Void = { _ in }
    /// Says why a sign-in may not begin, as it does where a folder is not trusted (AU-51).
    package var permit: @Sendable (AuthConfiguration) async -> AuthFailure? = { _ in nil }

    /// Makes an errand.
    package init(place: TokenPlace, driver: TokenPlanDriver, mayAskPerson: Bool) {
      self.place = place
      self.driver = driver
      self.mayAskPerson = mayAskPerson
    }
  }

  /// A token, and whether it was got just now.
  package struct Got: Sendable, Hashable {
    package var answer: TokenAnswer
    package var isFresh: Bool
  }

  /// Follows a plan to its end; tests put something else in its place.
  typealias Acquire = @Sendable (
    AuthConfiguration, _ kept: TokenSet?, AuthContext, TokenPlanDriver
  ) async -> Result<TokenSet, AuthFailure>

  let vault: (any TokenVault)?
  let acquire: Acquire
  let context: AuthContext
  /// The tokens that this process knows, by their keys.
  var memory: [String: KeptTokens] = [:]
  var flights: [String: TokenFlight] = [:]
  var nextNumber = 0
  /// Whether another process has changed tokens in the vault.
  private let isStale = Monitor(false)
  /// What providers say of themselves, by URL.
  var pages: [String: ProviderPage] = [:]

  /// Makes a broker that knows no token; without a vault it keeps them as long as it lives.
  package init(_ vault: (any TokenVault)? = nil) {
    self.init(vault, context: .system) { await $3.run(GrantPlan($0, kept: $1, $2)) }
  }

  /// Makes a broker with a world of its own.
  init(_ vault: (any TokenVault)?, context: AuthContext, acquire: @escaping Acquire) {
    self.vault = vault
    self.context = context
    self.acquire = acquire
  }

  /// Gives a token: the kept one where it is valid, else a new one.
  package func token(
    _ need: TokenNeed, _ errand: Errand
  ) async -> Result<TokenAnswer, AuthFailure> {
    await got(need, errand).map(\.answer)
  }

  /// Gives a token, and says whether it was got just now.
  package func got(_ need: TokenNeed, _ errand: Errand) async -> Result<Got, AuthFailure> {
    let owner = TokenOwner(need.configuration, at: errand.place)
    let isNew = need.isNew || errand.isForced
    forgetStale()
    if !isNew, let kept = memory[owner.key], kept.isUsable(at: context.now()) {
      return answer(need, kept.tokens, isFresh: false)
    }
    while true {
      let (result, flight) = await join(owner, isNew: isNew, errand)
      if Task.isCancelled { return .failure(.cancelled) }
      // Who came along had another wish, or nobody who could be asked.
      let isOther = isNew && !flight.isNew
      if case .failure(let failure) = result, failure.code == .authLoginNeeded,
        errand.mayAskPerson, !flight.mayAskPerson
      {
        continue
      }
      if isOther { continue }
      return result.flatMap { answer(need, $0.tokens, isFresh: $0.isFresh) }
    }
  }

  private func answer(
    _ need: TokenNeed, _ tokens: TokenSet, isFresh: Bool
  ) -> Result<Got, AuthFailure> {
    guard need.kind == .id else {
      let answer = TokenAnswer(text: tokens.accessToken, scheme: tokens.scheme, tokens: tokens)
      return .success(Got(answer: answer, isFresh: isFresh))
    }
    guard let text = tokens.idToken else {
      return .failure(
        AuthFailure(
          .authNoIDToken,
          "The provider gave no ID token for `\(need.configuration.id)`. Add `openid` to its "
            + "`Scope`, or use the access token."))
    }
    let answer = TokenAnswer(text: text, scheme: tokens.scheme, tokens: tokens)
    return .success(Got(answer: answer, isFresh: isFresh))
  }

  /// Notes that a server takes a token for none, or no longer for one: it is not used again
  /// (AU-45). A newer token that was got meanwhile stays.
  package func refuse(
    _ accessToken: String, of configuration: AuthConfiguration, at place: TokenPlace
  ) async {
    let owner = TokenOwner(configuration, at: place)
    guard var kept = memory[owner.key], kept.tokens.accessToken == accessToken else { return }
    kept.isRefused = true
    memory[owner.key] = kept
    await vault?.refuse(kept.tokens, key: owner.key)
  }

  /// Forgets the tokens of a configuration.
  package func forget(_ configuration: AuthConfiguration, at place: TokenPlace) async {
    await forget(TokenOwner(configuration, at: place).key)
  }

  /// Forgets the tokens with a key.
  package func forget(_ key: String) async {
    memory[key] = nil
    await vault?.forget(key)
  }

  /// Looks into the vault at the next need: another process has changed something there. Where
  /// there is no vault nothing is lost.
  package nonisolated func lookAgain() { isStale.update { $0 = true } }

  private func forgetStale() {
    let wasStale = isStale.update { stale -> Bool in
      defer { stale = false }
      return stale
    }
    if wasStale, vault != nil { memory = memory.filter(\.value.isOnlyHere) }
  }

  // MARK: - What providers say of themselves

  /// How long what a provider says of itself is believed, in milliseconds (AU-12, AU-61).
  private static func lifetime(_ purpose: TokenRequest.Purpose) -> Int64? {
    switch purpose {
    case .discovery: 86_400_000
    case .keys: 600_000
    case .token, .device, .pushedAuthorization, .revocation: nil
    }
  }

  /// A driver that asks a provider only once what it says of itself.
  func remembering(_ driver: TokenPlanDriver) -> TokenPlanDriver {
    var result = driver
    let send = driver.send
    result.send = { [weak self] request in
      guard let lifetime = TokenBroker.lifetime(request.purpose), let self else {
        return await send(request)
      }
      if let reply = await self.page(request.url) { return .success(reply) }
      let answer = await send(request)
      if case .success(let reply) = answer, reply.status == 200 {
        await self.remember(reply, of: request.url, for: lifetime)
      }
      return answer
    }
    return result
  }

  private func page(_ url: String) -> TokenReply? {
    pages[url].flatMap { context.now() < $0.fetched + $0.lifetime ? $0.reply : nil }
  }

  private func remember(_ reply: TokenReply, of url: String, for lifetime: Int64) {
    pages[url] = ProviderPage(reply: reply, fetched: context.now(), lifetime: lifetime)
  }
}

/// What a provider has said of itself; times in milliseconds since 1970, spans in milliseconds.
struct ProviderPage: Sendable {
  var reply: TokenReply
  var fetched: Int64
  var lifetime: Int64
}
