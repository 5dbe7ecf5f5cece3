// Changes of the collections with the secrets that go with them.

/// Changes the collections of a store together with its secrets; the store itself never waits, as a
/// keyring may.
package struct CollectionEditor: Sendable {
  private let store: Store
  private let renaming: RequestRenaming?
  private var secrets: any SecretStore { store.secrets }

  /// Makes the editor of a store's collections; without `renaming` no request can be renamed.
  package init(_ store: Store, renaming: RequestRenaming? = nil) {
    self.store = store
    self.renaming = renaming
  }

  /// Carries out edits of the collections in order, all of them or none, and brings the secrets up
  /// to date: `values` are those of secret variables by their ids. What was a secret of a variable
  /// that is gone is deleted, copies of variables get copies of their secrets.
  @discardableResult
  package func edit(
    _ edits: [CollectionEdit], secrets values: [String: String], ifRevision: Int64? = nil
  ) async throws(StoreFailure) -> CollectionEditResult {
    var values = values
    let edits = try await apart(edits, &values)
    return try await change(values) { () throws(StoreFailure) in
      try await store.edit(edits, ifRevision: ifRevision, renaming: renaming)
    }
  }

  /// Brings collections in with the secrets of their variables: what is made under an id that is
  /// there already is brought up to date instead.
  @discardableResult
  package func importEdits(
    _ edits: [CollectionEdit], secrets values: [String: String]
  ) async throws(StoreFailure) -> CollectionEditResult {
    try await change(values) { () throws(StoreFailure) in try await store.importEdits(edits) }
  }

  private func change(
    _ values: [String: String], _ edit: () async throws(StoreFailure) -> CollectionEditResult
  ) async throws(StoreFailure) -> CollectionEditResult {
    // Secrets first: a keyring may refuse, and then nothing has happened.
    var earlier: [(variable: String, value: String?)] = []
    let result: CollectionEditResult
    do throws(StoreFailure) {
      for (variable, value) in values.sorted(by: { $0.key < $1.key }) {
        earlier.append((variable, try await secrets.secret(of: variable)))
        try await secrets.setSecret(value, of: variable)
      }
      result = try await edit()
    } catch {
      for (variable, value) in earlier.reversed() { await putBack(value, of: variable) }
      throw error
    }
    try await follow(result)
    return result
  }

  /// The edits, where what variables that stay secret are to hold is put among the secrets.
  private func apart(
    _ edits: [CollectionEdit], _ values: inout [String: String]
  ) async throws(StoreFailure) -> [CollectionEdit] {
    var secret: [String: Bool] = [:]
    var result: [CollectionEdit] = []
    for var edit in edits {
      switch edit {
      case .setVariable(let id, .kept(let text)):
        let isSecret: Bool
        if let earlier = secret[id] {
          isSecret = earlier
        } else {
          isSecret = try await store.isSecret(variable: id)
        }
        guard isSecret else { break }
        values[id] = text
        edit = .setVariable(id: id, .secret)
      case .createVariable(let id, _, let value, _), .setVariable(let id, let value):
        secret[id] = value == .secret
      default: break
      }
      result.append(edit)
    }
    return result
  }

  /// Deletes and copies the secrets of variables that edits have deleted and copied.
  private func follow(_ result: CollectionEditResult) async throws(StoreFailure) {
    var failure: StoreFailure?
    for variable in result.droppedSecrets {
      do throws(StoreFailure) { try await secrets.deleteSecret(of: variable) } catch {
        failure = failure ?? error
      }
    }
    for copy in result.copiedSecrets {
      do throws(StoreFailure) {
        guard let value = try await secrets.secret(of: copy.original) else { continue }
        try await secrets.setSecret(value, of: copy.copy)
      } catch { failure = failure ?? error }
    }
    if let failure { throw .secret(.leftBehind(failure.message)) }
  }

  /// Undoes a change; when that fails, too, the first failure is the one that is told.
  private func putBack(_ value: String?, of variable: String) async {
    do throws(StoreFailure) {
      if let value {
        try await secrets.setSecret(value, of: variable)
      } else {
        try await secrets.deleteSecret(of: variable)
      }
    } catch {}
  }
}
