// Clients of OAuth 2 in environments: members of `Security.Auth`, as JetBrains writes them.

package import PostKitJSON

/// A field of a client, such as `Token URL`.
package struct AuthClientField: Sendable, Hashable {
  package let name: String
  package var value: JSONValue
  /// Whether the value stands in a private file.
  package var isPrivate: Bool
}

extension EnvironmentSet {
  /// Takes the clients of an environment; a later value takes the place of an earlier one.
  mutating func addClients(of environment: JSONView, isPrivate: Bool) {
    let security = environment[EnvironmentSet.securityName]
    // The store keeps values as texts. One that is no JSON is the mask of a secret: no clients.
    let stored = security?.string.flatMap { try? JSONTree(parsing: Array($0.utf8)) }
    for (key, client) in (stored?.root ?? security)?["Auth"]?.members ?? [] {
      guard let id = key.string, client.kind == .object else { continue }
      var fields = clients[id] ?? []
      for (key, view) in client.members {
        guard let name = key.string else { continue }
        let field = AuthClientField(name: name, value: view.value, isPrivate: isPrivate)
        if let index = fields.firstIndex(where: { $0.name == name }) {
          fields[index] = field
        } else {
          fields.append(field)
        }
      }
      clients[id] = fields
    }
  }
}
