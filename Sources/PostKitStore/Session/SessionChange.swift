// A change of what outlives a run beside the history, as one value: it can wait in a file.

package import PostKitHTTP
package import PostKitJSON
import PostKitSupport

/// A change of cookies or session values.
package enum SessionChange: Sendable, Hashable {
  case cookies(CookieChanges, of: WorkspaceEnvironment)
  /// Values by their keys, of which `nil` are removed.
  case values([SessionEdit], of: WorkspaceEnvironment)

  /// What a run makes of globals, and the names of those that are not kept any more.
  package static func globals(
    _ globals: [JSONMember], forgetting names: [String], of owner: WorkspaceEnvironment
  ) -> SessionChange {
    let kept = globals.map { SessionEdit(.global($0.key), $0.value.text) }
    return .values(kept + names.map { SessionEdit(.global($0), nil) }, of: owner)
  }

  /// An answer to a question of a project.
  package static func answer(_ answer: String, to name: String, folder: String) -> SessionChange {
    let owner = WorkspaceEnvironment(folder: folder, environment: nil)
    return .values([SessionEdit(.answer(name), answer)], of: owner)
  }

  /// What it changes in the store.
  var scope: StoreScope {
    switch self {
    case .cookies: .cookies
    case .values: .session
    }
  }

  /// Whether it changes nothing.
  package var isEmpty: Bool {
    switch self {
    case .cookies(let changes, _): changes.isEmpty
    case .values(let edits, _): edits.isEmpty
    }
  }
}

/// A session value that is set, or removed with `nil`.
package struct SessionEdit: Sendable, Hashable {
  package var key: String
  package var value: String?
}

extension SessionEdit {
  /// Makes an edit.
  package init(_ key: SessionKey, _ value: String?) {
    self.init(key: key.text, value: value)
  }
}

extension SessionChange {
  /// The members of the file in which it waits.
  var members: [JSONMember] {
    let (owner, changes): (WorkspaceEnvironment, JSONMember)
    switch self {
    case .cookies(let cookies, let jar):
      owner = jar
      changes = JSONMember(
        "cookies",
        [
          "stored": .array(cookies.stored.map(SessionChange.json)),
          "removed": .array(cookies.removed.map { .object(SessionChange.members(of: $0)) }),
        ])
    case .values(let edits, let place):
      owner = place
      changes = JSONMember(
        "values", .array(edits.map { ["key": .string($0.key), "value": .optional($0.value)] }))
    }
    return [
      JSONMember("folder", .string(owner.folder)),
      JSONMember("environment", .string(owner.environment)), changes,
    ]
  }

  private static func json(_ cookie: Cookie) -> JSONValue {
    .object(
      members(of: cookie.key) + [
        JSONMember("value", .string(cookie.value)),
        JSONMember("expires", cookie.expires.map { .int($0) } ?? .null),
        JSONMember("includesSubdomains", .bool(cookie.includesSubdomains)),
        JSONMember("isSecure", .bool(cookie.isSecure)),
        JSONMember("isHTTPOnly", .bool(cookie.isHTTPOnly)),
      ])
  }

  private static func members(of key: Cookie.Key) -> [JSONMember] {
    [
      JSONMember("domain", .string(key.domain)), JSONMember("path", .string(key.path)),
      JSONMember("name", .string(key.name)),
    ]
  }

  /// Reads what waits in a file; `nil` where that is no change.
  init?(_ root: JSONView) {
    guard let folder = root["folder"]?.string, let environment = root["environment"]?.string
    else { return nil }
    let owner = WorkspaceEnvironment(folder: folder, environment: environment)
    if let cookies = root["cookies"] {
      let stored = (cookies["stored"]?.elements ?? []).map(SessionChange.cookie)
      let removed = (cookies["removed"]?.elements ?? []).map(SessionChange.key)
      guard !stored.contains(nil), !removed.contains(nil) else { return nil }
      let changes = CookieChanges(
        stored: stored.compactMap { $0 }, removed: removed.compactMap { $0 })
      self = .cookies(changes, of: owner)
    } else if let values = root["values"] {
      let edits = values.elements.map { view -> SessionEdit? in
        guard let key = view["key"]?.string, let value = view["value"],
          value.isNull || value.string != nil
        else { return nil }
        return SessionEdit(key: key, value: value.string)
      }
      guard !edits.contains(nil) else { return nil }
      self = .values(edits.compactMap { $0 }, of: owner)
    } else {
      return nil
    }
  }

  private static func cookie(_ view: JSONView) -> Cookie? {
    guard let key = key(view), let value = view["value"]?.string,
      let includesSubdomains = view["includesSubdomains"]?.bool,
      let isSecure = view["isSecure"]?.bool, let isHTTPOnly = view["isHTTPOnly"]?.bool
    else { return nil }
    return Cookie(
      key: key, value: value, expires: view["expires"]?.int.map(Int64.init),
      includesSubdomains: includesSubdomains, isSecure: isSecure, isHTTPOnly: isHTTPOnly)
  }

  private static func key(_ view: JSONView) -> Cookie.Key? {
    guard let domain = view["domain"]?.string, let path = view["path"]?.string,
      let name = view["name"]?.string
    else { return nil }
    return Cookie.Key(domain: domain, path: path, name: name)
  }
}

extension StoreLocation {
  /// Keeps a change that can't be committed in time as a file of its own, from which the next
  /// process that gets the store's lock takes it in; it is on the disk when this returns. Like the
  /// database it is the user's alone, and has no value of a secret variable.
  package func keepWaiting(_ change: SessionChange) throws(StoreFailure) {
    let bodies = BodyFiles(directory: bodiesDirectory)
    try WaitingFiles(bodies: bodies, kind: .change).add(change.members, id: Identifier.next())
  }
}
