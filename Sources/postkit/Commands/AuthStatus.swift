// `postkit auth status`: what is known of the tokens of a file, without any of them.

import PostKitAuth
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitStore
import PostKitSupport

extension AuthCommand {
  /// A sign-in with what is kept of its token.
  fileprivate struct Row {
    let owner: WorkspaceEnvironment
    let id: String
    /// The name of the file where it stands; empty for none that is known.
    let file: String
    /// The raw value of its grant; empty where it has a mistake.
    let grant: String
    let scope: String?
    let key: String?
    let state: String
    let facts: TokenFacts?
    /// What is wrong with it.
    let mistake: String?
  }

  /// Prints a line for each sign-in of each environment, and for each token of the folder whose
  /// sign-in is not found any more.
  func status(of file: RequestFile) async -> Int32 {
    let environments = environments(of: file, all: false)
    return await invocation.withStore { store throws(StoreFailure) in
      var rows: [Row] = []
      for environment in environments {
        switch await signIns(file, environment, store) {
        case .failure(let failure): return fail(failure)
        case .success(let known):
          for signIn in known.all { rows.append(try await row(signIn, known.place, store)) }
        }
      }
      if path == nil { rows += try await others(file, environments, beside: rows, store) }
      let value = await Self.name(of: store.secrets.place())
      invocation.list(
        rows, of: \.owner, line: { line($0, value) }, json: json,
        empty: "No sign-in is known here. Name a request file, or write one below `Security` and "
          + "`Auth` in http-client.env.json.")
      return 0
    }
  }

  /// The sign-ins of a file in an environment.
  func signIns(
    _ file: RequestFile, _ environment: String?, _ store: Store?, host: (any SignInHost)? = nil
  ) async -> Result<SignIns, Failure> {
    do throws(Arguments.Problem) {
      let (runner, input) = try runner(file, environment: environment, store: store, host: host)
      return await SignIns.find(input, runner)
    } catch {
      return .failure(Failure(.usage, error.message))
    }
  }

  private func row(
    _ signIn: KnownSignIn, _ place: TokenPlace, _ store: Store
  ) async throws(StoreFailure) -> Row {
    let owner = WorkspaceEnvironment(folder: place.folder, environment: place.environment)
    switch signIn.content {
    case .configuration(let configuration):
      let key = TokenOwner(configuration, at: place).key
      let facts = try await store.tokenFacts(key)
      return Row(
        owner: owner, id: signIn.id, file: configuration.file, grant: configuration.grant.rawValue,
        scope: facts?.scope ?? configuration.scope, key: key, state: state(configuration, facts),
        facts: facts, mistake: nil)
    case .given:
      return Row(
        owner: owner, id: signIn.id, file: "", grant: "", scope: nil, key: nil, state: "valid",
        facts: nil, mistake: nil)
    case .broken(let failure):
      return Row(
        owner: owner, id: signIn.id, file: "", grant: "", scope: nil, key: nil, state: "none",
        facts: nil, mistake: failure.message)
    }
  }

  /// The tokens of the folder that no sign-in of the rows has.
  private func others(
    _ file: RequestFile, _ environments: [String?], beside rows: [Row], _ store: Store
  ) async throws(StoreFailure) -> [Row] {
    let keys = Set(rows.compactMap(\.key))
    let wanted = Set(environments.map { $0 ?? "" })
    let isChosen = environment(of: file) != nil
    return try await store.tokens(in: file.workspace.root)
      .filter { !keys.contains($0.key) && (!isChosen || wanted.contains($0.environment)) }
      .sorted { ($0.environment, $0.configuration) < ($1.environment, $1.configuration) }
      .map { facts in
        Row(
          owner: WorkspaceEnvironment(folder: facts.folder, environment: facts.environment),
          id: facts.configuration, file: "", grant: facts.grant, scope: facts.scope,
          key: facts.key, state: state(nil, facts), facts: facts, mistake: nil)
      }
  }

  /// The word of the state in JSON.
  private func state(_ configuration: AuthConfiguration?, _ facts: TokenFacts?) -> String {
    if configuration?.grant == .mock { return "valid" }
    guard let facts else {
      let needsPerson = configuration.map { $0.grant.needsPerson || !$0.acquires } ?? false
      return needsPerson ? "login-needed" : "none"
    }
    if facts.state == .refused { return "refused" }
    var tokens = TokenSet(accessToken: "", acquired: facts.acquired)
    tokens.expires = facts.expires
    return tokens.isValid(at: Clock.wallMilliseconds) ? "valid" : "expired"
  }

  // MARK: - Words

  private func line(_ row: Row, _ place: String) -> String {
    var parts = [Self.words(row)]
    if let subject = row.facts?.subject { parts.append("as \(subject)") }
    if let scope = row.scope { parts.append("scope \(scope)") }
    if row.facts != nil { parts.append(place) }
    let words = Display.line(parts.joined(separator: ", "))
    return "\(Display.fitted(Display.line(row.id), 20))  \(words)"
  }

  private static func words(_ row: Row) -> String {
    if let mistake = row.mistake { return mistake }
    guard let facts = row.facts else {
      switch row.state {
      case "login-needed": return "none: a person has to sign in"
      case "valid": return row.grant.isEmpty ? "handed in" : "written in the file"
      default: return "none: the next request that needs one gets it"
      }
    }
    let refresh = facts.isRefreshable ? ", can be refreshed" : ""
    let now = Clock.wallMilliseconds
    switch row.state {
    case "refused": return "refused" + (facts.lastError.map { " (\($0))" } ?? "") + refresh
    case "expired":
      let span = facts.expires.map { WebTokenTime.span(milliseconds: max(0, now - $0)) }
      return "expired" + (span.map { " \($0) ago" } ?? "") + refresh
    default:
      let span = facts.expires.map { WebTokenTime.span(milliseconds: $0 - now) }
      return "valid" + (span.map { " for \($0)" } ?? ", nobody knows how long") + refresh
    }
  }

  private static func name(of place: SecretPlace) -> String {
    switch place {
    case .memory: "in memory"
    case .keyring(isLocked: true): "in the keyring, which is locked"
    case .keyring, .silentKeyring: "in the keyring"
    case .file(let path, _): "in \(path)"
    }
  }

  private func json(_ row: Row) -> JSONValue {
    [
      "id": .string(row.id),
      "environment": .optional(row.owner.environment.isEmpty ? nil : row.owner.environment),
      "file": .optional(row.file.isEmpty ? nil : row.file), "grant": .string(row.grant),
      "state": .string(row.state), "expires": .optional(row.facts?.expires.map(Moment.utc)),
      "subject": .optional(row.facts?.subject), "scope": .optional(row.scope),
      "refreshable": .bool(row.facts?.isRefreshable == true), "key": .optional(row.key),
    ]
  }
}
