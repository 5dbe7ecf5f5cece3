// What can be done with the token that a place means: get a new one, forget it, read its claims.

import JSONRPC
import LanguageServerProtocol
import PostKitAuth
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitSyntax
import PostKitText

/// The handlers of commands about tokens.
enum TokenCommands {
  /// The name of the document with the claims of a token.
  static let documentName = "claims.md"

  // MARK: - Offering

  /// What can be done with the token of a place; with one that is not kept there is less.
  static func actions(
    _ snapshot: Snapshot, _ token: MeantToken?, _ uri: String, _ position: LSP.Position
  ) async -> [LSP.CodeAction] {
    guard let token else { return [] }
    let id = token.place.configuration.id.excerpt(upTo: 60)
    let isKept = await snapshot.facts(of: token) != nil
    var titles: [(CommandID, String)] = []
    if token.place.configuration.grant != .mock { titles.append((.signIn, "Sign in for `\(id)`")) }
    if isKept {
      titles += [
        (.forgetToken, "Forget the token of `\(id)`"),
        (.showClaims, "Show the claims of the token of `\(id)`"),
      ]
    }
    let argument = LSP.PostkitTokenArguments(
      uri: uri, position: position, environment: token.environment)
    return titles.map { command, title in
      CodeActions.action(
        "postkit.token", title, command.command(title, snapshot.initialization, argument))
    }
  }

  /// The same as links of a hover, for a client that runs them.
  static func links(
    _ snapshot: Snapshot, _ uri: String, _ position: LSP.Position
  ) -> [HoverLink] {
    guard snapshot.client.profile.postkit?.links == true else { return [] }
    let argument = JSONValue(LSP.PostkitTokenArguments(uri: uri, position: position))
    let query = PercentEncoding.encodeComponent(JSONValue.array([argument]).text)
    let commands: [(CommandID, String)] = [
      (.signIn, "Sign in"), (.forgetToken, "Forget"), (.showClaims, "Show claims"),
    ]
    return commands.map { command, title in
      HoverLink(title: title, uri: "command:\(command.name(snapshot.initialization))?\(query)")
    }
  }

  // MARK: - Finding

  /// A token that a command is about, with what a run needs to get it.
  private struct Subject {
    var token: MeantToken
    var context: DocumentContext
    var input: RunInput
  }

  private static func subject(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> Subject {
    guard let argument else {
      let caret = try ExecuteCommand.caret(snapshot)
      return try await subject(
        snapshot, LSP.PostkitTokenArguments(uri: caret.uri, position: caret.position))
    }
    return try await subject(
      snapshot, try ExecuteCommand.decode(LSP.PostkitTokenArguments.self, argument))
  }

  private static func subject(
    _ snapshot: Snapshot, _ asked: LSP.PostkitTokenArguments
  ) async throws(RPCError) -> Subject {
    let order = SendOrder(
      uri: asked.uri, position: asked.position, environment: asked.environment)
    let document = try await snapshot.sendable(asked.uri)
    if snapshot.isSurrounding(document.uri) {
      let context = await snapshot.context(of: document)
      let offset = context.converter(snapshot).offset(asked.position)
      guard let file = await snapshot.environmentDocument(document),
        let token = snapshot.token(at: offset, file, context)
      else { throw nothing }
      var input = SendRequests.input(snapshot, context, [0], order)
      input.document = ParsedDocument(bytes: standIn)
      input.environment = token.environment
      return Subject(token: token, context: context, input: input)
    }
    var context = try await snapshot.sendingContext(of: document, order)
    do throws(StoreFailure) { context = try await context.withSecrets(snapshot) } catch {
      throw RPCError(.requestFailed, error.message)
    }
    let offset = context.converter(snapshot).offset(asked.position)
    let analysis = await snapshot.analysis(of: context, withResults: false)
    guard let token = snapshot.token(at: offset, analysis, context),
      let block = context.document.parsed.block(at: offset)
    else { throw nothing }
    let input = SendRequests.input(snapshot, context, [block.index], order)
    return Subject(token: token, context: context, input: input)
  }

  /// A request by whose surroundings a client of an environment file is found.
  private static let standIn = Array("GET http://localhost/\n".utf8)

  private static let nothing = RPCError(
    .requestFailed,
    "There is no sign-in here, or it has a mistake. Place the cursor on a reference such as "
      + "`{{$auth.token(\"id\")}}`, or on the name of a client in an environment file.")

  // MARK: - Doing

  /// `postkit.signIn`: gets a new token as a send does, and says what came of it.
  static func signIn(
    _ snapshot: Snapshot, _ argument: JSONValue?, _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> JSONValue {
    let subject = try await subject(snapshot, argument)
    Turn.current?.pass()
    let configuration = subject.token.place.configuration
    let host = EditorSignIn(snapshot)
    let runner = SendRequests.runner(snapshot, subject.context, host)
    let outcome = await ProgressScope.around(
      snapshot.client, clientToken: token,
      title: "Signing in for `\(configuration.id.excerpt(upTo: 60))`", onShown: { _ in }
    ) { report in
      host.report(by: report)
      return await self.token(of: configuration, subject.input, runner)
    }
    switch outcome {
    case .success(let answer):
      let now = Clock.wallMilliseconds
      let span = answer.tokens.expires.map { WebTokenTime.span(milliseconds: max(0, $0 - now)) }
      let end = span.map { " The token is valid for \($0)." } ?? ""
      return tell(snapshot, "Signed in for `\(configuration.id.excerpt)`.\(end)")
    case .failure(let failure):
      throw RPCError(
        .requestFailed, failure.message, data: ["code": .string(failure.code.rawValue)])
    }
  }

  private static func token(
    of configuration: AuthConfiguration, _ input: RunInput, _ runner: Runner
  ) async -> Result<TokenAnswer, Failure> {
    switch await SignIns.find(input, runner) {
    case .failure(let failure): return .failure(failure)
    case .success(var known):
      let found = known.all.first { $0.configuration == configuration }
        ?? known.all.first { $0.id == configuration.id }
      guard let found else {
        return .failure(Failure(.authUnknownID, "`\(configuration.id)` is gone. Try again."))
      }
      return await known.token(
        found, kind: .access, isForced: true, signsIn: true, byDevice: false)
    }
  }

  /// `postkit.forgetToken`: what is kept of the tokens is gone, and the next send gets new ones.
  static func forget(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> JSONValue {
    let subject = try await subject(snapshot, argument)
    await snapshot.tokens(subject.context.settings).forget(subject.token.owner.key)
    let id = subject.token.place.configuration.id.excerpt
    return tell(snapshot, "The token of `\(id)` is forgotten. The next send gets a new one.")
  }

  private static func tell(_ snapshot: Snapshot, _ sentence: String) -> JSONValue {
    snapshot.client.showMessage(.info, sentence)
    return .string(sentence)
  }

  /// `postkit.showClaims`: opens what the kept tokens say.
  static func showClaims(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> JSONValue {
    let subject = try await subject(snapshot, argument)
    let text = try await claims(snapshot, subject)
    let uri: String
    if snapshot.client.profile.readsContentDocuments {
      let converter = subject.context.converter(snapshot)
      let start = converter.lsp(subject.token.place.range).start
      uri = "postkit:/\(documentName)?" + Overview.query(
        LSP.PostkitVariablesArguments(
          uri: subject.context.document.uri.spelling, position: start,
          environment: subject.token.environment))
    } else {
      uri = try ListDocument.write(snapshot, text, as: documentName).spelling
    }
    SendResults.open(snapshot, uri, takesFocus: true)
    return .string(uri)
  }

  /// The document of claims of a place.
  static func claims(
    _ snapshot: Snapshot, of uri: DocumentURI
  ) async throws(RPCError) -> String {
    let meant = Overview.meant(by: uri)
    guard let document = meant.uri, let position = meant.position else { throw nothing }
    return try await claims(
      snapshot,
      try await subject(
        snapshot,
        LSP.PostkitTokenArguments(
          uri: document, position: position, environment: meant.environment)))
  }

  private static func claims(
    _ snapshot: Snapshot, _ subject: Subject
  ) async throws(RPCError) -> String {
    let configuration = subject.token.place.configuration
    let runner = SendRequests.runner(snapshot, subject.context)
    var kept: TokenSet?
    if case .success(let known) = await SignIns.find(subject.input, runner) {
      kept = await known.kept(configuration)
    }
    guard let kept else {
      throw RPCError(
        .requestFailed, "No token of `\(configuration.id.excerpt)` is kept. Sign in first.")
    }
    var tokens = [(title: "Access token", text: kept.accessToken)]
    if let idToken = kept.idToken { tokens.append((title: "ID token", text: idToken)) }
    return ClaimsDocument.markdown(
      of: configuration.id, environment: subject.token.environment, tokens: tokens,
      now: Clock.wallMilliseconds)
  }
}
