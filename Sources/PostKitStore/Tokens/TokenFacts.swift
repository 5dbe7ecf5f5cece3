// What the store says of a token of OAuth 2 (AU-40): everything but its value.

/// The facts of a token. The access, refresh and ID tokens themselves are a secret under
/// `secretName`, one JSON text whose form whoever keeps it decides.
package struct TokenFacts: WritableRow, Hashable {
  /// Whether a token can be used as far as somebody has tried.
  package enum State: String, Sendable, Hashable {
    /// Nobody has refused it; it may have expired.
    case valid
    /// A server has said that it is no token, or no longer one.
    case refused
  }

  /// What tells it from others: a hash of whose it is and how it was got (AU-41), in hex.
  package var key: String
  /// The workspace folder.
  package var folder: String
  /// The environment; empty for none.
  package var environment: String
  /// The name that the configuration had in its file when the token was got, such as `shop`.
  package var configuration: String
  /// The raw value of the grant, such as `clientCredentials`.
  package var grant: String
  package var clientID: String?
  /// The host that has given the token.
  package var host: String
  /// Who has signed in, where the answer says so.
  package var subject: String?
  package var scope: String?
  /// When it was got. Like all times of a token in milliseconds since 1970-01-01T00:00:00Z.
  package var acquired: Int64
  /// When it ends; `nil` where nobody knows.
  package var expires: Int64?
  package var refreshExpires: Int64?
  /// When it was last used, to the day.
  package var lastUsed: Int64
  /// Whether there is a refresh token.
  package var isRefreshable = false
  package var state = State.valid
  /// What a server has said of it last when it was no good.
  package var lastError: String?

  /// Makes facts of a token that was got now.
  package init(
    key: String, folder: String, environment: String, configuration: String, grant: String,
    host: String, acquired: Int64
  ) {
    (self.key, self.folder, self.environment) = (key, folder, environment)
    (self.configuration, self.grant, self.host) = (configuration, grant, host)
    self.acquired = acquired
    lastUsed = acquired
  }

  /// The name of the secret that holds the values.
  package var secretName: String { TokenFacts.secretName(key) }

  /// The name of the secret that holds the values of a key.
  static func secretName(_ key: String) -> String { "token:" + key }

  /// What stands for the state while the value is to be written or deleted. Such a row says
  /// nothing but its key, and no reader sees it: a kill leaves it as a note of what to end.
  static let unsettled = "unsettled"

  package static let columns = Columns()
  package static let table = Table(
    "token", .tokens,
    selection: """
      key, workspace_folder, environment, configuration, grant_type, client_id, host, subject, \
      scope, acquired_at, expires_at, refresh_expires_at, used_at, is_refreshable, state, error
      """,
    keys: ["key"])

  /// The columns of tokens.
  package struct Columns: Sendable {
    package let key = Column<TokenFacts, String>("key")
    package let folder = Column<TokenFacts, String>("workspace_folder")
    package let environment = Column<TokenFacts, String>("environment")
    package let configuration = Column<TokenFacts, String>("configuration")
    package let grant = Column<TokenFacts, String>("grant_type")
    package let clientID = Column<TokenFacts, String?>("client_id")
    package let host = Column<TokenFacts, String>("host")
    package let subject = Column<TokenFacts, String?>("subject")
    package let scope = Column<TokenFacts, String?>("scope")
    package let acquired = Column<TokenFacts, Int64>("acquired_at")
    package let expires = Column<TokenFacts, Int64?>("expires_at")
    package let refreshExpires = Column<TokenFacts, Int64?>("refresh_expires_at")
    package let lastUsed = Column<TokenFacts, Int64>("used_at")
    package let isRefreshable = Column<TokenFacts, Bool>("is_refreshable")
    package let state = Column<TokenFacts, String>("state")
    package let lastError = Column<TokenFacts, String?>("error")
  }

  package var assignments: [Assignment<TokenFacts>] {
    let columns = TokenFacts.columns
    return [
      columns.key.set(to: key), columns.folder.set(to: folder),
      columns.environment.set(to: environment), columns.configuration.set(to: configuration),
      columns.grant.set(to: grant), columns.clientID.set(to: clientID),
      columns.host.set(to: host), columns.subject.set(to: subject), columns.scope.set(to: scope),
      columns.acquired.set(to: acquired), columns.expires.set(to: expires),
      columns.refreshExpires.set(to: refreshExpires), columns.lastUsed.set(to: lastUsed),
      columns.isRefreshable.set(to: isRefreshable), columns.state.set(to: state.rawValue),
      columns.lastError.set(to: lastError),
    ]
  }

  /// Reads a row. A state of a newer PostKit is none that says a token is good.
  package init(_ row: Statement) {
    self.init(
      key: row.text(0), folder: row.text(1), environment: row.text(2), configuration: row.text(3),
      grant: row.text(4), host: row.text(6), acquired: row.int64(9))
    (clientID, subject, scope) = (row.optionalText(5), row.optionalText(7), row.optionalText(8))
    expires = row.optionalInt(10).map(Int64.init)
    refreshExpires = row.optionalInt(11).map(Int64.init)
    (lastUsed, isRefreshable) = (row.int64(12), row.int(13) != 0)
    (state, lastError) = (State(rawValue: row.text(14)) ?? .refused, row.optionalText(15))
  }
}
