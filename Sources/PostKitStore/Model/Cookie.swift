// Cookies of all jars as rows for typed queries.

package import PostKitHTTP

extension Model {
  /// A cookie in the jar of a workspace folder and environment.
  package struct Cookie: StoredRow, Hashable {
    package var jar: WorkspaceEnvironment
    package var cookie: PostKitHTTP.Cookie
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package var updatedAt: Int64

    package static let columns = Columns()
    package static let table = Table(
      "cookie", .cookies,
      selection: """
        workspace_folder, environment, domain, path, name, value, expires_at, \
        includes_subdomains, is_secure, is_http_only, updated_at
        """,
      keys: ["workspace_folder", "environment", "domain", "path", "name"])

    /// The columns of cookies.
    package struct Columns: Sendable {
      package let workspaceFolder = Column<Cookie, String>("workspace_folder")
      /// Empty for none.
      package let environment = Column<Cookie, String>("environment")
      package let domain = Column<Cookie, String>("domain")
      /// With a dot before it, so that a domain and those below it end in the same.
      let dottedDomain = Column<Cookie, String>(term: .fragment("('.' || domain)", []))
      package let path = Column<Cookie, String>("path")
      package let name = Column<Cookie, String>("name")
      package let value = Column<Cookie, String>("value")
      /// In seconds since 1970-01-01T00:00:00Z; null for one without an end.
      package let expiresAt = Column<Cookie, Int64?>("expires_at")
      package let includesSubdomains = Column<Cookie, Bool>("includes_subdomains")
      package let isSecure = Column<Cookie, Bool>("is_secure")
      package let isHTTPOnly = Column<Cookie, Bool>("is_http_only")
      package let updatedAt = Column<Cookie, Int64>("updated_at")
    }

    /// Reads a row.
    package init(_ row: Statement) {
      jar = WorkspaceEnvironment(folder: row.text(0), environment: row.text(1))
      cookie = PostKitHTTP.Cookie(
        key: PostKitHTTP.Cookie.Key(domain: row.text(2), path: row.text(3), name: row.text(4)),
        value: row.text(5), expires: row.optionalInt(6).map(Int64.init),
        includesSubdomains: row.int(7) != 0, isSecure: row.int(8) != 0,
        isHTTPOnly: row.int(9) != 0)
      updatedAt = row.int64(10)
    }
  }
}
