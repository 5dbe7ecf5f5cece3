// Cookies that outlive a run (PK-83).

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
