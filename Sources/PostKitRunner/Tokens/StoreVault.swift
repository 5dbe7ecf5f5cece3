// Tokens in the store: facts as a row, values in the keyring (AU-40).

package import PostKitAuth
import PostKitHTTP
package import PostKitStore
import PostKitSupport

/// Keeps tokens in a user's store.
package struct StoreVault: TokenVault {
  /// The folder of the locks, beside the databases.
  package let lockFolder: String?
  private let store: @Sendable () async -> Store?

  /// Makes a vault of the store at a place, which is opened at the first need; `nil` where it can't
  /// be had.
  package init(_ location: StoreLocation, _ store: @escaping @Sendable () async -> Store?) {
    lockFolder = location.directory + "/locks"
    self.store = store
  }

  /// What is kept under a key.
  package func content(_ key: String) async -> VaultContent {
    guard let store = await store() else { return .unreadable }
    do throws(StoreFailure) {
      guard let facts = try await store.tokenFacts(key),
        let values = try await TokenKeeper(store).values(key),
        let tokens = TokenSet(json: values)
      else { return .nothing }
      var kept = KeptTokens(tokens)
      // Who was killed between the two leaves values that are newer than their facts.
      kept.isRefused = facts.state == .refused && facts.acquired == tokens.acquired
      return .kept(kept)
    } catch {
      Log.warning("The tokens in the store can't be read: \(error.message)")
      return .unreadable
    }
  }

  /// Keeps tokens in the place of earlier ones; gives a sentence where they can't be kept.
  package func keep(_ tokens: TokenSet, of owner: TokenOwner) async -> String? {
    guard let store = await store() else { return "There is no store." }
    do throws(StoreFailure) {
      try await TokenKeeper(store).keep(facts(of: tokens, owner), values: tokens.json)
      return nil
    } catch {
      return error.message
    }
  }

  private func facts(of tokens: TokenSet, _ owner: TokenOwner) -> TokenFacts {
    let (configuration, place) = (owner.configuration, owner.place)
    let url = configuration.tokenURL ?? configuration.issuer ?? configuration.authorizationURL
    var facts = TokenFacts(
      key: owner.key, folder: place.folder, environment: place.environment ?? "",
      configuration: configuration.id, grant: configuration.grant.rawValue,
      host: url.flatMap { URLParts($0)?.host } ?? "", acquired: tokens.acquired)
    facts.clientID = configuration.clientID
    // A server may repeat a secret anywhere.
    let mask = SecretMask(
      secrets: configuration.secrets
        + [tokens.accessToken, tokens.refreshToken, tokens.idToken].compactMap { $0 })
    facts.scope = tokens.scope.map { mask.mask($0).text }
    facts.expires = tokens.expires
    facts.refreshExpires = tokens.refreshExpires
    facts.isRefreshable = tokens.refreshToken != nil
    // It is shown, and nobody is let in by it.
    facts.subject = tokens.idToken.flatMap { try? WebToken($0) }?.text("sub")
      .map { mask.mask($0).text }
    return facts
  }

  /// Notes that a server takes an access token for none.
  package func refuse(_ tokens: TokenSet, key: String) async {
    await change("a refused token") { store throws(StoreFailure) in
      try await store.markRefused(key, acquired: tokens.acquired, error: "invalid_token")
    }
  }

  /// Notes that tokens are used.
  package func noteUse(_ key: String) async {
    await change("the use of a token") { store throws(StoreFailure) in
      try await store.noteUse(ofToken: key)
    }
  }

  /// Forgets tokens.
  package func forget(_ key: String) async {
    await change("a token to be forgotten") { store throws(StoreFailure) in
      _ = try await TokenKeeper(store).forget(key)
    }
  }

  private func change(
    _ what: String, _ body: (Store) async throws(StoreFailure) -> Void
  ) async {
    guard let store = await store() else { return }
    do throws(StoreFailure) { try await body(store) } catch {
      Log.warning("The store was not told of \(what): \(error.message)")
    }
  }
}
