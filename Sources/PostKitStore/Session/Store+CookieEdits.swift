// Cookies by hand: listed over all jars, and deleted for good.

package import PostKitHTTP
import PostKitSupport

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
