// Whether an ID token says who somebody is (AU-60, AU-61).

package import PostKitAuth
import PostKitHTTP
import PostKitJSON

extension TokenBroker {
  /// Milliseconds after which an issuer may be asked for its keys again where one is missing.
  private static let keysPause: Int64 = 60_000

  /// What an ID token is worth; its issuer is asked for its keys where it says where they are.
  package func verdict(
    on text: String, _ tokens: TokenSet, of configuration: AuthConfiguration,
    _ driver: TokenPlanDriver
  ) async -> IDTokenVerdict {
    var expected = IDTokenExpectation(
      clientID: configuration.clientID ?? "", now: context.now())
    expected.issuer = configuration.issuer
    expected.clientSecret = configuration.clientSecret
    expected.nonce = tokens.nonce
    expected.accessToken = tokens.isIDTokenKept ? nil : tokens.accessToken
    let driver = remembering(driver)
    let metadata = await metadata(of: configuration, driver)
    let address = metadata?.endpoint("jwks_uri")
    expected.algorithms = metadata?.list("id_token_signing_alg_values_supported") ?? []
    (expected.hasKeysURL, expected.mayFetchKeys) = (address != nil, address != nil)
    var fetches = 0
    while true {
      switch IDTokenCheck.next(text, expected, Signatures.means) {
      case .verdict(let verdict): return verdict
      case .fetchKeys:
        // A key that is not among those that are remembered may be a new one.
        if fetches > 0, let address { pages[address] = nil }
        fetches += 1
        expected.mayFetchKeys = fetches == 1 && (address.map { mayAskAgain($0) } ?? false)
        expected.keys = await keys(at: address, driver)
      }
    }
  }

  private func metadata(
    of configuration: AuthConfiguration, _ driver: TokenPlanDriver
  ) async -> ServerMetadata? {
    guard let issuer = configuration.issuer, !issuer.isEmpty else { return nil }
    do throws(AuthFailure) {
      var discovery = try Discovery(configuration, issuer: issuer)
      while true {
        switch try discovery.next(await driver.event(of: discovery.request)) {
        case .request: continue
        case .found(let metadata): return metadata
        }
      }
    } catch {
      // What an issuer does not say can't be held against a token.
      return nil
    }
  }

  /// The keys at an address; none where they can't be had, so that nobody asks twice for that.
  private func keys(at address: String?, _ driver: TokenPlanDriver) async -> WebKeySet? {
    guard let address else { return nil }
    let request = TokenRequest(
      .keys, method: "GET", url: address, headers: [("Accept", "application/json")])
    return await document(request, driver).flatMap { WebKeySet(parsing: $0.bytes) }
  }

  private func document(_ request: TokenRequest, _ driver: TokenPlanDriver) async -> JSONTree? {
    guard case .success(let reply) = await driver.send(request), reply.status == 200,
      reply.body.count <= WebKeySet.limit
    else { return nil }
    // What is no JSON says nothing of an issuer.
    return try? JSONTree(parsing: reply.body)
  }

  /// Whether an issuer may be asked for its keys once more: they are remembered, and not just
  /// fetched.
  private func mayAskAgain(_ address: String) -> Bool {
    pages[address].map { context.now() - $0.fetched >= TokenBroker.keysPause } ?? false
  }
}
