// Where the values of secret variables are: apart from the database, which never holds them.

import PostKitSupport

/// Keeps the values of the variables that are marked secret, by the variables' ids.
///
/// A keyring may have to ask its user first, so that callers wait without holding up the store.
package protocol SecretStore: Sendable {
  /// The value of a variable; `nil` where none is kept.
  func secret(of variable: String) async throws(StoreFailure) -> String?
  /// Keeps the value of a variable in the place of an earlier one.
  func setSecret(_ value: String, of variable: String) async throws(StoreFailure)
  /// Forgets the value of a variable; where none is kept nothing happens.
  func deleteSecret(of variable: String) async throws(StoreFailure)
  /// The variables whose values can be listed: a keyring gives a value only to who names it.
  func listed() async throws(StoreFailure) -> Set<String>
  /// Where new values go; found out at the first need, without asking anybody for a password.
  func place() async -> SecretPlace
  /// What a person should be told, each thing once.
  func takeNotices() -> [StoreNotice]
}

/// Where the values of secret variables go.
package enum SecretPlace: Sendable, Hashable {
  case memory
  case keyring(isLocked: Bool)
  /// A keyring that has not answered within so many seconds.
  case silentKeyring(seconds: Int)
  /// The file, because no keyring can be used; with a clause that says why.
  case file(path: String, reason: String)
}

/// Keeps secrets as long as the process lives; belongs to `Store.inMemory()`.
package final class SecretsInMemory: SecretStore {
  private let values = Monitor<[String: String]>([:])

  /// Makes a store without secrets.
  package init() {}

  /// The value of a variable.
  package func secret(of variable: String) -> String? { values.update { $0[variable] } }

  /// Keeps the value of a variable.
  package func setSecret(_ value: String, of variable: String) {
    values.update { $0[variable] = value }
  }

  /// Forgets the value of a variable.
  package func deleteSecret(of variable: String) { values.update { $0[variable] = nil } }

  /// The variables that have a value.
  package func listed() -> Set<String> { Set(values.update { $0 }.keys) }

  /// They go nowhere else.
  package func place() -> SecretPlace { .memory }

  /// Nothing ever happens to a value in memory.
  package func takeNotices() -> [StoreNotice] { [] }
}
