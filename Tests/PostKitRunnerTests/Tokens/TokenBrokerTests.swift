// Who gets a token, who waits for it, and what is kept of it (AU-40 to AU-46).

import PostKitAuth
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct TokenBrokerTests {
  @Test func `a kept token serves until it ends, and then its refresh token`() async throws {
    let world = TokenWorld()
    let broker = world.broker()
    #expect(await world.text(broker) == "t1")
    #expect(await world.text(broker) == "t1")
    // A tenth of its hundred seconds is left out.
    world.time.update { $0 += 89_000 }
    #expect(await world.text(broker) == "t1")
    world.time.update { $0 += 2_000 }
    #expect(await world.text(broker) == "t2")
    #expect(world.asked.update { $0 } == ["-", "r1"])
  }

  @Test func `many that wait for one token ask for it once`() async throws {
    let world = TokenWorld()
    let gate = First<Void>()
    world.hold.update { $0 = gate }
    let broker = world.broker()
    let all = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<20 { group.addTask { await world.text(broker) } }
      group.addTask {
        await world.began.value
        gate.give(())
        return nil
      }
      return await group.reduce(into: [String]()) { if let text = $1 { $0.append(text) } }
    }
    #expect(all == Array(repeating: "t1", count: 20))
    #expect(world.asked.update { $0.count } == 1)
  }

  @Test func `who is cancelled ends the sign-in only where nobody else waits`() async throws {
    let world = TokenWorld()
    let gate = First<Void>()
    world.hold.update { $0 = gate }
    let broker = world.broker()
    let first = Task { await world.result(broker) }
    await world.began.value
    let second = Task { await world.result(broker) }
    while await broker.waiters != 2 { await Task.yield() }
    first.cancel()
    #expect(try failure(await first.value).code == .cancelled)
    #expect(!world.wasCancelled.update { $0 })
    gate.give(())
    #expect(try await second.value.get().text == "t1")
  }

  @Test func `a sign-in that nobody waits for is cancelled, and the next one begins anew`()
    async throws
  {
    let world = TokenWorld()
    let gate = First<Void>()
    world.hold.update { $0 = gate }
    let broker = world.broker()
    let only = Task { await world.result(broker) }
    await world.began.value
    only.cancel()
    #expect(try failure(await only.value).code == .cancelled)
    while await broker.flights.isEmpty == false { await Task.yield() }
    world.hold.update { $0 = nil }
    #expect(await world.text(broker) == "t2")
    gate.give(())
  }

  @Test func `tokens are in the vault before anybody has them`() async throws {
    let world = TokenWorld()
    let vault = VaultInMemory()
    #expect(await world.text(world.broker(vault)) == "t1")
    #expect(vault.calls.update { $0 } == ["content", "keep t1"])
    // Another process, later.
    #expect(await world.text(world.broker(vault)) == "t1")
    world.time.update { $0 += 100_000 }
    #expect(await world.text(world.broker(vault)) == "t2")
    #expect(world.asked.update { $0 } == ["-", "r1"])
  }

  @Test func `a refresh token that is void is forgotten, an unreachable provider forgets nothing`()
    async throws
  {
    let world = TokenWorld()
    let vault = VaultInMemory()
    _ = await world.text(world.broker(vault))
    world.time.update { $0 += 100_000 }
    var fault = AuthFailure(.connection, "Nothing answers.")
    world.failure.update { [fault] in $0 = fault }
    let broker = world.broker(vault)
    #expect(try failure(await world.result(broker)).code == .connection)
    #expect(vault.kept.update { $0.count } == 1)
    fault = AuthFailure(FailureCode(rawValue: "auth-invalid_grant"), "It is over.")
    fault.forgetsTokens = true
    world.failure.update { [fault] in $0 = fault }
    #expect(try failure(await world.result(broker)).code.rawValue == "auth-invalid_grant")
    #expect(vault.kept.update { $0.isEmpty })
    world.failure.update { $0 = nil }
    _ = await world.text(broker)
    #expect(world.asked.update { $0 } == ["-", "r1", "r1", "-"])
  }

  @Test func `a new token is got where one is asked for, whatever is kept`() async throws {
    let world = TokenWorld()
    let vault = VaultInMemory()
    let broker = world.broker(vault)
    _ = await world.text(broker)
    #expect(await world.text(broker, isNew: true) == "t2")
    #expect(await world.text(broker) == "t2")
    #expect(world.asked.update { $0 } == ["-", "-"])
  }

  @Test func `a new token that can't be had leaves what is kept`() async throws {
    let world = TokenWorld()
    let broker = world.broker(VaultInMemory())
    _ = await world.text(broker)
    world.failure.update { $0 = AuthFailure(.connection, "Nothing answers.") }
    #expect(await world.text(broker, isNew: true) == "connection")
    #expect(await world.text(broker) == "t1")
  }

  @Test func `what renews a sign-in is kept although something later fails`() async throws {
    let world = TokenWorld()
    let broker = world.broker(VaultInMemory())
    var fault = AuthFailure(.connection, "Nothing exchanges it.")
    var rest = TokenSet(accessToken: "first", acquired: world.time.update { $0 })
    (rest.refreshToken, rest.expires) = ("r9", rest.acquired)
    fault.renewable = rest.json
    world.failure.update { [fault] in $0 = fault }
    #expect(await world.text(broker) == "connection")
    world.failure.update { $0 = nil }
    #expect(await world.text(broker) == "t2")
    #expect(world.asked.update { $0 } == ["-", "r9"])
  }

  @Test func `a refused token is not used again, in no process`() async throws {
    let world = TokenWorld()
    let vault = VaultInMemory()
    let broker = world.broker(vault)
    _ = await world.text(broker)
    // Somebody was slow: the token that was refused is not the kept one any more.
    await broker.refuse("t0", of: world.configuration, at: world.place)
    #expect(await world.text(broker) == "t1")
    await broker.refuse("t1", of: world.configuration, at: world.place)
    #expect(await world.text(world.broker(vault)) == "t2")
    // The first broker finds what the other one has got.
    #expect(await world.text(broker) == "t2")
    #expect(world.asked.update { $0 } == ["-", "r1"])
  }

  @Test func `processes take turns, and the second one finds what the first has got`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let world = TokenWorld()
    let gate = First<Void>()
    world.hold.update { $0 = gate }
    let vault = VaultInMemory(locks: directory.path("locks"))
    let told = First<String>()
    let first = Task { await world.text(world.broker(vault)) }
    await world.began.value
    let second = Task { await world.text(world.broker(vault)) { told.give($0) } }
    #expect(await told.value == "Another editor signs in for `shop`.")
    gate.give(())
    #expect(await first.value == "t1")
    #expect(await second.value == "t1")
    #expect(world.asked.update { $0.count } == 1)
  }

  @Test func `what can't be kept is used all the same, in this process`() async throws {
    let world = TokenWorld()
    let vault = VaultInMemory()
    vault.isBroken.update { $0 = true }
    let broker = world.broker(vault)
    #expect(await world.text(broker) == "t1")
    broker.lookAgain()
    #expect(await world.text(broker) == "t1")
    #expect(world.asked.update { $0.count } == 1)
  }

  @Test func `an ID token that the provider did not give is a failure with a remedy`()
    async throws
  {
    let world = TokenWorld()
    let broker = world.broker()
    let need = TokenNeed(world.configuration, kind: .id)
    let failed = try failure(await broker.token(need, world.errand()))
    #expect(failed.code == .authNoIDToken)
    #expect(failed.message.contains("Add `openid` to its `Scope`"))
  }

  @Test func `who can ask a person is not content with what somebody else could not`()
    async throws
  {
    let world = TokenWorld()
    let gate = First<Void>()
    world.hold.update { $0 = gate }
    world.needsPerson.update { $0 = true }
    let broker = world.broker()
    let alone = Task { await world.result(broker) }
    await world.began.value
    let asking = Task { await world.result(broker, mayAskPerson: true) }
    while await broker.waiters != 2 { await Task.yield() }
    gate.give(())
    #expect(try failure(await alone.value).code == .authLoginNeeded)
    #expect(try await asking.value.get().text == "t2")
  }

  private func failure(_ result: Result<TokenAnswer, AuthFailure>) throws -> AuthFailure {
    guard case .failure(let failure) = result else { throw Unexpected() }
    return failure
  }

  private struct Unexpected: Error {}
}

extension TokenBroker {
  /// How many wait for sign-ins.
  fileprivate var waiters: Int { flights.values.reduce(0) { $0 + $1.waiters.count } }
}

/// A provider, a clock and a configuration.
final class TokenWorld: Sendable {
  let configuration: AuthConfiguration = {
    var result = AuthConfiguration(id: "shop", dialect: .securityAuth, grant: .clientCredentials)
    result.tokenURL = "https://id.example/token"
    result.clientID = "cli"
    return result
  }()
  let place = TokenPlace(folder: "/w", environment: "dev", file: "/w/a.http")
  let time = Monitor<Int64>(1_000_000_000_000)
  /// The refresh tokens that came with each request for a token, `-` for none.
  let asked = Monitor<[String]>([])
  /// Holds the provider's answers.
  let hold = Monitor<First<Void>?>(nil)
  let failure = Monitor<AuthFailure?>(nil)
  let needsPerson = Monitor(false)
  let wasCancelled = Monitor(false)
  /// Given when the first request for a token has come.
  let began = First<Void>()

  /// A broker that gets tokens of a hundred seconds.
  func broker(_ vault: (any TokenVault)? = nil) -> TokenBroker {
    let context = AuthContext(
      now: { self.time.update { $0 } }, random: { [UInt8](repeating: 7, count: $0) },
      sha256: { SHA256.digest($0) }, sign: { _, _, _ in .signature([]) })
    return TokenBroker(vault, context: context) { _, kept, context, _ in
      let number = self.asked.update { asked -> Int in
        asked.append(kept?.refreshToken ?? "-")
        return asked.count
      }
      self.began.give(())
      if let hold = self.hold.update({ $0 }) {
        await hold.value
        self.hold.update { $0 = nil }
      }
      if Task.isCancelled { self.wasCancelled.update { $0 = true } }
      if let failure = self.failure.update({ $0 }) { return .failure(failure) }
      if self.needsPerson.update({ $0 }), !context.hasPerson {
        return .failure(AuthFailure(.authLoginNeeded, "Somebody has to sign in."))
      }
      var tokens = TokenSet(accessToken: "t\(number)", acquired: context.now())
      tokens.refreshToken = "r\(number)"
      tokens.expires = context.now() + 100_000
      return .success(tokens)
    }
  }

  func errand(
    mayAskPerson: Bool = false, tell: @escaping @Sendable (String) -> Void = { _ in }
  ) -> TokenBroker.Errand {
    let driver = TokenPlanDriver(host: nil) { _ in .failure(Failure(.internal, "Not here.")) }
    var errand = TokenBroker.Errand(place: place, driver: driver, mayAskPerson: mayAskPerson)
    errand.tell = tell
    return errand
  }

  func result(
    _ broker: TokenBroker, isNew: Bool = false, mayAskPerson: Bool = false,
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) async -> Result<TokenAnswer, AuthFailure> {
    var need = TokenNeed(configuration, kind: .access)
    need.isNew = isNew
    return await broker.token(need, errand(mayAskPerson: mayAskPerson, tell: tell))
  }

  /// The token, or the word of the failure.
  func text(
    _ broker: TokenBroker, isNew: Bool = false,
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) async -> String {
    switch await result(broker, isNew: isNew, tell: tell) {
    case .success(let answer): answer.text
    case .failure(let failure): failure.code.rawValue
    }
  }
}

/// What all processes of a user keep.
final class VaultInMemory: TokenVault {
  let lockFolder: String?
  let kept = Monitor<[String: KeptTokens]>([:])
  /// What was asked of it, without uses.
  let calls = Monitor<[String]>([])
  /// Whether nothing can be kept.
  let isBroken = Monitor(false)

  init(locks: String? = nil) { lockFolder = locks }

  func content(_ key: String) -> VaultContent {
    calls.update { $0.append("content") }
    return kept.update { $0[key] }.map { .kept($0) } ?? .nothing
  }

  func keep(_ tokens: TokenSet, of owner: TokenOwner) -> String? {
    calls.update { $0.append("keep \(tokens.accessToken)") }
    if isBroken.update({ $0 }) { return "The disk is full." }
    kept.update { $0[owner.key] = KeptTokens(tokens) }
    return nil
  }

  func refuse(_ tokens: TokenSet, key: String) { kept.update { $0[key]?.isRefused = true } }
  func noteUse(_ key: String) {}
  func forget(_ key: String) { kept.update { $0[key] = nil } }
}
