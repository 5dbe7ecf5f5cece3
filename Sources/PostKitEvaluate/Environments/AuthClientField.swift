// Clients of OAuth 2 in environments: members of `Security.Auth`, as JetBrains writes them.

package import PostKitJSON

/// A field of a client, such as `Token URL`. Where it stands makes no difference to what it is.
package struct AuthClientField: Sendable, Hashable {
  package let name: String
  package var value: JSONValue
  /// Whether the value stands in a private file.
  package var isPrivate: Bool
  /// Where the value stands.
  package var origin: VariableOrigin

  package static func == (one: AuthClientField, other: AuthClientField) -> Bool {
    one.name == other.name && one.value == other.value && one.isPrivate == other.isPrivate
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(value)
    hasher.combine(isPrivate)
  }

  /// The name of the file that it stands in.
  package var fileName: String {
    origin.path.split(separator: "/").last.map(String.init) ?? ""
  }
}

extension EnvironmentSet {
  /// Takes the clients of an environment; a later value takes the place of an earlier one (AU-6).
  mutating func addClients(
    of environment: JSONView, _ source: ParsedSource, _ layer: VariableOrigin.Layer, _ name: String
  ) {
    for (id, client) in EnvironmentSet.clients(in: environment[EnvironmentSet.securityName]) {
      var fields = clients[id] ?? []
      for (key, view) in client.members {
        guard let field = key.string else { continue }
        let origin = VariableOrigin(
          layer: layer, path: source.source.file.path, range: view.range,
          line: source.line(at: view.range.lowerBound), environment: name)
        let read = AuthClientField(
          name: field, value: view.value,
          isPrivate: source.isSecret(EnvironmentSet.securityName), origin: origin)
        if let index = fields.firstIndex(where: { $0.name == field }) {
          fields[index] = read
        } else {
          fields.append(read)
        }
      }
      clients[id] = fields
    }
  }

  /// The clients of `Security`, which the store keeps as a text of JSON.
  private static func clients(in security: JSONView?) -> [(id: String, client: JSONView)] {
    // One that is no JSON is the mask of a secret: no clients.
    let stored = security?.string.flatMap { try? JSONTree(parsing: Array($0.utf8)) }
    let members = (stored?.root ?? security)?["Auth"]?.members ?? []
    return members.compactMap { key, client in
      guard let id = key.string, client.kind == .object else { return nil }
      return (id, client)
    }
  }

  /// Whether an environment of a source has a client.
  static func hasClient(_ id: String, in environment: JSONView?) -> Bool {
    clients(in: environment?[EnvironmentSet.securityName]).contains { $0.id == id }
  }
}
