// A cookie as a jar keeps it (RFC 6265, section 5.3).

/// A cookie with the places that it is for.
package struct Cookie: Sendable, Hashable {
  /// What makes a cookie another one.
  package struct Key: Sendable, Hashable {
    package var domain: String
    package var path: String
    package var name: String

    /// Makes a key.
    package init(domain: String, path: String, name: String) {
      self.domain = domain
      self.path = path
      self.name = name
    }
  }

  package var key: Key
  package var value: String
  /// Seconds since 1970-01-01T00:00:00Z; `nil` for one without an end.
  package var expires: Int64?
  package var includesSubdomains: Bool
  package var isSecure: Bool
  package var isHTTPOnly: Bool

  /// Makes a cookie.
  package init(
    key: Key, value: String, expires: Int64? = nil, includesSubdomains: Bool = false,
    isSecure: Bool = false, isHTTPOnly: Bool = false
  ) {
    self.key = key
    self.value = value
    self.expires = expires
    self.includesSubdomains = includesSubdomains
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
  }
}

/// What a run changed in a jar.
package struct CookieChanges: Sendable, Hashable {
  /// Cookies that are new or have changed.
  package var stored: [Cookie]
  package var removed: [Cookie.Key]

  /// Whether nothing changed.
  package var isEmpty: Bool { stored.isEmpty && removed.isEmpty }

  /// Makes changes.
  package init(stored: [Cookie], removed: [Cookie.Key]) {
    self.stored = stored
    self.removed = removed
  }

  /// Compares a jar with what it was.
  package init(from before: [Cookie], to after: [Cookie]) {
    let known = Set(before)
    let left = Set(after.map(\.key))
    stored = after.filter { !known.contains($0) }
    removed = before.map(\.key).filter { !left.contains($0) }
  }
}

/// A workspace folder with an environment: each has cookies and globals of its own (PK-59, PK-83).
package struct WorkspaceEnvironment: Sendable, Hashable {
  package var folder: String
  /// Empty for none.
  package var environment: String

  /// Makes a name.
  package init(folder: String, environment: String?) {
    self.folder = folder
    self.environment = environment ?? ""
  }
}
