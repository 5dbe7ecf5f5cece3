// Cookies for pickers, and as a document for clients of the standard alone; deleting them.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport

/// The handlers of `postkit/cookies`, and of `postkit/edit` for cookies.
enum Cookies {
  /// `postkit/cookies`: a page.
  static func list(
    _ snapshot: Snapshot, _ params: LSP.PostkitCookiesParams
  ) async throws(RPCError) -> LSP.PostkitCookiesResult {
    var query = CookieQuery()
    query.folder = params.folder
    query.environment = params.environment
    query.domain = params.domain
    query.path = params.path
    let limit = Int(min(max(params.limit ?? 50, 1), 200))
    let after = try params.cursor.map { text throws(RPCError) in try place(text) }
    guard let store = await snapshot.store.existing() else {
      return LSP.PostkitCookiesResult(items: [], revision: 0)
    }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      // Read before the rows: what changes between the two is then refused, not missed.
      let revision = try await store.cookiesRevision()
      let rows = try await store.cookies(query, limit: limit + 1, after: after)
      let page = rows.prefix(limit)
      let reveals = params.reveal == true
      if reveals { Log.info("The values of \(page.count) cookies were revealed to the client.") }
      return LSP.PostkitCookiesResult(
        items: page.map { item($0, reveals: reveals) },
        cursor: rows.count > limit ? page.last.map(cursor) : nil, revision: Double(revision))
    }
  }

  private static func item(_ row: Model.Cookie, reveals: Bool) -> LSP.PostkitCookie {
    let cookie = row.cookie
    return LSP.PostkitCookie(
      folder: row.jar.folder,
      environment: row.jar.environment.isEmpty ? nil : row.jar.environment,
      domain: cookie.key.domain, path: cookie.key.path, name: cookie.key.name,
      value: reveals ? cookie.value.shown : nil, masked: !reveals,
      expires: cookie.expires.map { Moment.utc($0 * 1_000) },
      subdomains: cookie.includesSubdomains, secure: cookie.isSecure, httpOnly: cookie.isHTTPOnly)
  }

  // MARK: - Places

  /// What tells a cookie from all others, in the order of lists.
  static func key(_ row: Model.Cookie) -> [String] {
    let key = row.cookie.key
    return [row.jar.folder, row.jar.environment, key.domain, key.path, key.name]
  }

  private static func cursor(_ row: Model.Cookie) -> String {
    JSONValue.array(key(row).map(JSONValue.string)).text
  }

  private static func place(_ cursor: String) throws(RPCError) -> PageKey {
    // A text that is no JSON is no cursor of ours either.
    let parts = (try? JSONTree(parsing: Array(cursor.utf8)))?.root.elements.compactMap(\.string)
    guard let parts, parts.count == 5 else {
      throw RPCError(.invalidParams, "params.cursor: expected the cursor of an earlier page.")
    }
    return PageKey(parts[0], parts[1], parts[2], parts[3], parts[4])
  }

  // MARK: - Editing

  /// The operations of `postkit/edit` on cookies, all of them or none.
  static func edit(
    _ snapshot: Snapshot, _ params: LSP.PostkitEditParams
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    var edits: [CookieEdit] = []
    for (index, operation) in params.ops.enumerated() {
      let place = "params.ops[\(index)]"
      guard operation.op.isOfCookies else { throw StoreEdits.isApart }
      try operation.requireMembers(place: place)
      edits.append(try edit(operation, place: place))
    }
    guard let store = await snapshot.store.existing() else {
      return LSP.PostkitEditResult(revision: 0, ids: [:], count: 0)
    }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      let result = try await store.editCookies(edits, ifRevision: params.expectedRevision)
      return LSP.PostkitEditResult(
        revision: Double(result.revision), ids: [:], count: result.count)
    }
  }

  private static func edit(
    _ operation: LSP.PostkitEditOperation, place: String
  ) throws(RPCError) -> CookieEdit {
    switch operation.op {
    case .cookieDelete:
      guard let folder = operation.folder, let domain = operation.domain,
        let path = operation.path, let name = operation.name
      else {
        throw RPCError(
          .invalidParams, "\(place): folder, domain, path and name are needed for cookie.delete.")
      }
      return .delete(
        Cookie.Key(domain: domain, path: path, name: name),
        of: WorkspaceEnvironment(folder: folder, environment: operation.environment))
    case .cookieClear:
      var query = CookieQuery()
      query.folder = operation.folder
      query.environment = operation.environment
      query.domain = operation.domain
      query.path = operation.path
      return .clear(query)
    default: throw StoreEdits.isApart
    }
  }
}

/// The list `postkit:/cookies`, values hidden.
extension Cookies: StoredList {
  static let document = ListDocument.cookies
  static let nothing = "No cookies yet. Responses with `Set-Cookie` add them."
  static let heading =
    "Values are hidden. The code actions of a line delete its cookie, or all cookies of its domain."
  static let command = CommandID.cookieEdit

  static func rows(of store: Store) async throws(StoreFailure) -> [Model.Cookie] {
    try await store.cookies(CookieQuery())
  }

  static func owner(_ row: Model.Cookie) -> WorkspaceEnvironment { row.jar }

  static func words(_ row: Model.Cookie) -> [String] {
    let cookie = row.cookie
    return [cookie.key.domain, cookie.key.path, "\(cookie.key.name)=\(SecretMask.text)"]
      + cookie.remarks
  }

  static func operations(
    _ row: Model.Cookie
  ) -> [(title: String, operation: LSP.PostkitEditOperation)] {
    let key = row.cookie.key
    let jar = row.jar
    return [
      (
        "Delete the cookie `\(key.name)`",
        LSP.PostkitEditOperation(
          op: .cookieDelete, name: key.name, environment: jar.environment, folder: jar.folder,
          domain: key.domain, path: key.path)
      ),
      (
        "Delete all cookies of `\(key.domain)` here",
        LSP.PostkitEditOperation(
          op: .cookieClear, environment: jar.environment, folder: jar.folder, domain: key.domain)
      ),
    ]
  }
}
