// Cookies that outlive a run (PK-83): kept by runs, listed and deleted by hand.

package import PostKitHTTP
import PostKitSupport

extension Store {
  /// The cookies of a jar that have not expired, in the order of their places.
  package func cookies(of jar: WorkspaceEnvironment) throws(StoreFailure) -> [Cookie] {
    try withWaiting(jar) { () throws(StoreFailure) in
      try history().read("read the cookies") { connection throws(SQLiteError) in
        try connection.rows(
          """
          SELECT \(Model.Cookie.table.selection) FROM cookie
          WHERE workspace_folder = ? AND environment = ? AND ifnull(expires_at > ?, 1)
          ORDER BY domain, path, name
          """,
          [.text(jar.folder), .text(jar.environment), .int(Clock.wallMilliseconds / 1_000)]
        ) { Model.Cookie($0).cookie }
      }
    }
  }

  /// Brings what a run changed into a jar, and forgets what has expired in any.
  package func change(
    _ changes: CookieChanges, of jar: WorkspaceEnvironment
  ) throws(StoreFailure) {
    try keep(.cookies(changes, of: jar))
  }

  /// Forgets cookies that have expired, in any jar, where there are some.
  func forgetExpiredCookies(now: Int64) throws(StoreFailure) {
    let file = try history()
    let action = "forget expired cookies"
    // It decides nothing but that there is nothing to write.
    let areThere = try file.read(action) { connection throws(SQLiteError) in
      try connection.integer(
        "SELECT EXISTS (SELECT 1 FROM cookie WHERE expires_at <= ?)", [.int(now / 1_000)]) != 0
    }
    guard areThere else { return }
    try file.write(action, scope: StoreScope.cookies.rawValue) { _ throws(StoreFailure) in
      try file.sql(action) { connection throws(SQLiteError) in
        try connection.deleteCookies(expiredAt: now)
      }
    }
    finishCommit(.cookies, of: file)
  }
}

extension Connection {
  /// Brings changes into a jar, and deletes the cookies of all jars that have expired.
  func change(_ changes: CookieChanges, of jar: WorkspaceEnvironment) throws(SQLiteError) {
    let place: [SQLValue] = [.text(jar.folder), .text(jar.environment)]
    for key in changes.removed {
      try run(
        """
        DELETE FROM cookie WHERE workspace_folder = ? AND environment = ?
        AND domain = ? AND path = ? AND name = ?
        """, place + [.text(key.domain), .text(key.path), .text(key.name)])
    }
    let now = Clock.wallMilliseconds
    for cookie in changes.stored {
      try run(
        """
        INSERT OR REPLACE INTO cookie (workspace_folder, environment, domain, path, name,
          value, expires_at, includes_subdomains, is_secure, is_http_only, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        place + [
          .text(cookie.key.domain), .text(cookie.key.path), .text(cookie.key.name),
          .text(cookie.value), .optional(cookie.expires.map { Int($0) }),
          .int(cookie.includesSubdomains ? 1 : 0), .int(cookie.isSecure ? 1 : 0),
          .int(cookie.isHTTPOnly ? 1 : 0), .int(now),
        ])
    }
    try deleteCookies(expiredAt: now)
  }

  /// Deletes the cookies of all jars that have expired.
  func deleteCookies(expiredAt now: Int64) throws(SQLiteError) {
    try run("DELETE FROM cookie WHERE expires_at <= ?", [.int(now / 1_000)])
  }
}

/// Which cookies are meant; all of them where nothing is said.
package struct CookieQuery: Sendable, Hashable {
  package var folder: String?
  /// Empty for those of no environment.
  package var environment: String?
  /// Those of this domain and of the domains below it.
  package var domain: String?
  package var path: String?
  package var name: String?

  /// Means all of them.
  package init() {}

  var predicate: Predicate<Model.Cookie> {
    let columns = Model.Cookie.columns
    var conditions: [Predicate<Model.Cookie>] = []
    if let folder { conditions.append(columns.workspaceFolder == folder) }
    if let environment { conditions.append(columns.environment == environment) }
    if let domain {
      // One that a server has set stands in the jar with a dot before it.
      let name = domain.hasPrefix(".") ? domain : "." + domain
      conditions.append(columns.dottedDomain.hasSuffix(name))
    }
    if let path { conditions.append(columns.path == path) }
    if let name { conditions.append(columns.name == name) }
    return .all(conditions)
  }
}

/// A change of the cookies that somebody asks for.
package enum CookieEdit: Sendable, Hashable {
  /// Takes one cookie out of a jar.
  case delete(Cookie.Key, of: WorkspaceEnvironment)
  /// Takes all out that are meant.
  case clear(CookieQuery)

  fileprivate var predicate: Predicate<Model.Cookie> {
    switch self {
    case .delete(let key, let jar):
      Predicate {
        $0.workspaceFolder == jar.folder && $0.environment == jar.environment
          && $0.domain == key.domain && $0.path == key.path && $0.name == key.name
      }
    case .clear(let query): query.predicate
    }
  }
}

extension Store {
  /// The cookies that are meant and have not expired, in the order of their jars and places; behind
  /// the folder, environment, domain, path and name of `after`.
  package func cookies(
    _ query: CookieQuery, limit: Int? = nil, after: PageKey? = nil
  ) throws(StoreFailure) -> [Model.Cookie] {
    let now = Clock.wallMilliseconds / 1_000
    return try fetch(
      FetchDescriptor(
        where: { query.predicate && ($0.expiresAt == nil || $0.expiresAt > now) },
        fetchLimit: limit, after: after))
  }

  /// The revision of the cookies; it rises with each change of them by any process.
  package func cookiesRevision() throws(StoreFailure) -> Int64 {
    try history().revision(of: StoreScope.cookies.rawValue)
  }

  /// Makes changes in order, all of them or none, and answers how many cookies they met and the
  /// revision after them. None of the bytes of what was deleted is in the files afterwards; it
  /// throws `notErasedYet` as `forget` does.
  ///
  /// With `expected` nothing is changed where the cookies have another revision by now, whoever
  /// raised it; then it throws `changedMeanwhile`.
  package func editCookies(
    _ edits: [CookieEdit], ifRevision expected: Int64? = nil
  ) throws(StoreFailure) -> (count: Int, revision: Int64) {
    let file = try history()
    let action = "delete cookies"
    let scope = StoreScope.cookies.rawValue
    let result = try afterWaitingChanges { () throws(StoreFailure) in
      try file.write(action, scope: scope) { _ throws(StoreFailure) in
        let revision = try file.revision(of: scope)
        if let expected, expected != revision { throw .changedMeanwhile(path: file.path) }
        let count = try file.sql(action) { connection throws(SQLiteError) in
          // What nobody was shown any more is not counted.
          try connection.deleteCookies(expiredAt: Clock.wallMilliseconds)
          var count = 0
          for edit in edits {
            count += try connection.delete(Model.Cookie.self) { _ in edit.predicate }
          }
          return count
        }
        // The transaction raises it when it ends.
        return (count, revision + 1)
      }
    }
    finishCommit(.cookies, of: file)
    try file.truncateLog()
    return result
  }
}
