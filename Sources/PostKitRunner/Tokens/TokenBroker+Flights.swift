// How one sign-in serves all who wait for it, in this process and in others.

import PostKitAuth
import PostKitHTTP
import PostKitSupport

/// What came of a sign-in that went well.
struct LandedTokens: Sendable {
  var tokens: TokenSet
  /// Whether they were got just now.
  var isFresh: Bool
}

/// A sign-in that is under way.
struct TokenFlight {
  /// What came of it.
  typealias Outcome = Result<LandedTokens, AuthFailure>

  let number: Int
  /// Whether kept tokens are of no interest to it.
  let isNew: Bool
  let mayAskPerson: Bool
  var task: Task<Void, Never>?
  /// Who waits for it, by number.
  var waiters: [Int: First<Outcome>] = [:]
}

extension TokenBroker {
  /// The threads of sign-ins, which belong to nobody who waits for one.
  private static let threads = WorkerPool(limit: 4)

  /// Waits for the sign-in that is under way, or begins one. It ends where nobody waits for it any
  /// more; who is cancelled does not end it for others.
  func join(
    _ owner: TokenOwner, isNew: Bool, _ errand: Errand
  ) async -> (TokenFlight.Outcome, TokenFlight) {
    let key = owner.key
    var flight = flights[key] ?? begin(owner, isNew: isNew, errand)
    let waiter = First<TokenFlight.Outcome>()
    nextNumber += 1
    let (number, name) = (nextNumber, flight.number)
    flight.waiters[number] = waiter
    flights[key] = flight
    let outcome = await withTaskCancellationHandler {
      await waiter.value
    } onCancel: {
      waiter.give(.failure(.cancelled))
      Task(executorPreference: TokenBroker.threads) { await self.leave(key, name, number) }
    }
    return (outcome, flight)
  }

  private func begin(_ owner: TokenOwner, isNew: Bool, _ errand: Errand) -> TokenFlight {
    nextNumber += 1
    let number = nextNumber
    var flight = TokenFlight(number: number, isNew: isNew, mayAskPerson: errand.mayAskPerson)
    // Unstructured on purpose: it goes on when whoever asked has given up, and others wait for it.
    flight.task = Task(executorPreference: TokenBroker.threads) {
      let outcome = await self.fetch(owner, isNew: isNew, errand)
      await self.land(owner.key, number, outcome)
    }
    return flight
  }

  private func land(_ key: String, _ number: Int, _ outcome: TokenFlight.Outcome) {
    guard let flight = flights[key], flight.number == number else { return }
    flights[key] = nil
    for waiter in flight.waiters.values { waiter.give(outcome) }
  }

  private func leave(_ key: String, _ number: Int, _ waiter: Int) {
    guard flights[key]?.number == number else { return }
    flights[key]?.waiters[waiter] = nil
    guard let flight = flights[key], flight.waiters.isEmpty else { return }
    flight.task?.cancel()
    flights[key] = nil
  }

  // MARK: - The sign-in itself

  /// Gets tokens, one process after the other.
  private func fetch(
    _ owner: TokenOwner, isNew: Bool, _ errand: Errand
  ) async -> TokenFlight.Outcome {
    guard owner.configuration.grant != .mock, let folder = vault?.lockFolder else {
      return await fetchAlone(owner, isNew: isNew, errand)
    }
    // A token that is kept and valid needs no turn.
    if !isNew, let kept = await known(owner.key), kept.isUsable(at: context.now()) {
      return await use(kept, owner.key)
    }
    let lock: FileLock?
    switch await TokenLock.take(
      owner, in: folder,
      tell: { sentence in
        if let host = errand.driver.host { await host.progress(sentence) }
        errand.tell(sentence)
      })
    {
    case .success(let taken): lock = taken
    case .failure(let failure): return .failure(failure)
    }
    let outcome = await fetchAlone(owner, isNew: isNew, errand)
    withExtendedLifetime(lock) {}
    return outcome
  }

  /// Gets tokens while no other process does. What it decides by is read here, as another may have
  /// got or used up what was known before.
  private func fetchAlone(
    _ owner: TokenOwner, isNew: Bool, _ errand: Errand
  ) async -> TokenFlight.Outcome {
    if owner.configuration.grant == .mock { return await acquire(owner, nil, errand) }
    var kept: TokenSet?
    // What is there stays until there is something new, which takes its place.
    if !isNew, let known = await known(owner.key) {
      if known.isUsable(at: context.now()) { return await use(known, owner.key) }
      kept = known.tokens
    }
    let outcome = await acquire(owner, kept, errand)
    switch outcome {
    case .success(let got):
      // A new refresh token is kept before anything is used: who loses it has to sign in again. So
      // nobody's cancelling ends that.
      await Task(executorPreference: TokenBroker.threads) {
        await self.keep(got.tokens, of: owner)
      }.value
    case .failure(let failure):
      if let rest = failure.renewable.flatMap({ TokenSet(json: $0) }) {
        await Task(executorPreference: TokenBroker.threads) {
          await self.keep(rest, of: owner)
        }.value
      }
      guard failure.forgetsTokens else { break }
      await Task(executorPreference: TokenBroker.threads) { await self.forget(owner.key) }.value
    }
    return outcome
  }

  private func acquire(
    _ owner: TokenOwner, _ kept: TokenSet?, _ errand: Errand
  ) async -> TokenFlight.Outcome {
    if let refusal = await errand.permit(owner.configuration) { return .failure(refusal) }
    var context = context
    context.hasPerson = errand.mayAskPerson
    context.loginCommand = errand.loginCommand
    let outcome = await acquire(
      owner.configuration, kept, context, remembering(errand.driver))
    note(outcome, of: owner.configuration)
    return outcome.map { LandedTokens(tokens: $0, isFresh: true) }
  }

  /// What the log says of a sign-in: nothing that is secret (AU-48).
  private func note(
    _ outcome: Result<TokenSet, AuthFailure>, of configuration: AuthConfiguration
  ) {
    let url = configuration.tokenURL ?? configuration.issuer ?? configuration.authorizationURL
    let host = url.flatMap { URLParts($0)?.origin } ?? "no provider"
    let end: String
    switch outcome {
    case .success(let tokens):
      let seconds = tokens.expires.map { "\(($0 - tokens.acquired) / 1_000) s" }
      end = "a token for \(seconds ?? "an unknown time")"
    case .failure(let failure): end = failure.code.rawValue
    }
    Log.info(
      "Sign-in \(configuration.id) (\(configuration.grant.rawValue)) at \(host): \(end)")
  }

  private func use(_ kept: KeptTokens, _ key: String) async -> TokenFlight.Outcome {
    memory[key] = kept
    await vault?.noteUse(key)
    return .success(LandedTokens(tokens: kept.tokens, isFresh: false))
  }

  private func keep(_ tokens: TokenSet, of owner: TokenOwner) async {
    memory[owner.key] = KeptTokens(tokens)
    guard let complaint = await vault?.keep(tokens, of: owner) else { return }
    memory[owner.key]?.isOnlyHere = true
    Log.warning("The token of \(owner.configuration.id) is kept in memory only: \(complaint)")
  }

  /// What is kept under a key: in the vault, where there is one that can be read.
  private func known(_ key: String) async -> KeptTokens? {
    guard let vault else { return memory[key] }
    switch await vault.content(key) {
    case .unreadable: return memory[key]
    case .nothing: return memory[key].flatMap { $0.isOnlyHere ? $0 : nil }
    case .kept(var kept):
      // What could not be noted in the vault counts here all the same.
      if let own = memory[key], own.isRefused, own.tokens.accessToken == kept.tokens.accessToken {
        kept.isRefused = true
      }
      return kept
    }
  }
}
