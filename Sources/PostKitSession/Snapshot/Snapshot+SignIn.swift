// Who has the tokens of the session.

import PostKitEvaluate
package import PostKitRunner

extension Snapshot {
  /// Who gets and has the tokens of requests: with the store, unless the user wants none there.
  package func tokens(_ settings: Settings) -> TokenBroker {
    if settings[.authStore] == .memory { return session.tokensInMemory }
    let store = store
    return session.tokens(StoreVault(store.location) { await store.store() })
  }
}
