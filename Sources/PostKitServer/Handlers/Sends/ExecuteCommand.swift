// `workspace/executeCommand`: everything a stock client can ask for.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitStore
import PostKitText

/// The handler of commands.
enum ExecuteCommand {
  /// Finds the command and reads its argument.
  static func execute(
    _ snapshot: Snapshot, _ params: LSP.ExecuteCommandParams
  ) async throws(RPCError) -> JSONValue? {
    guard let command = CommandID(name: params.command, snapshot.initialization) else {
      throw RPCError(.invalidParams, "params.command: there is no command \(params.command).")
    }
    let arguments = params.arguments ?? []
    guard arguments.count <= 1 else {
      throw RPCError(.invalidParams, "params.arguments: expected at most one object.")
    }
    // Some clients write null for no argument.
    let argument = arguments.first.flatMap { $0 == .null ? nil : $0 }
    switch command {
    case .send: return try await send(snapshot, argument, params.workDoneToken)
    case .sendAll: return try await sendAll(snapshot, argument, params.workDoneToken)
    case .cancel: return try await cancel(snapshot, argument)
    case .showResponse: return try await ResponseDocuments.show(snapshot, argument)
    case .saveResponse: return JSONValue(try await SaveResponse.save(snapshot, argument))
    case .copyPath: return try await ResponseActions.copyPath(snapshot, argument)
    case .diffResponses: return try await ResponseDiff.diffResponses(snapshot, argument)
    case .resend: return try await Resend.resend(snapshot, argument, params.workDoneToken)
    case .import: return try await Imports.execute(snapshot, argument, params.workDoneToken)
    case .export: return try await DataTransfer.export(snapshot, argument, params.workDoneToken)
    case .history: return try await HistoryList.show(snapshot, argument)
    case .historyEdit: return JSONValue(try await HistoryEdits.execute(snapshot, argument))
    case .statistics: return .string(try await StatisticsList.show(snapshot, argument))
    case .savedSearches: return .string(try await SavedSearchList.show(snapshot))
    case .selectEnvironment:
      return JSONValue(try await Environments.select(snapshot, argument))
    case .copyAsCurl: return try await CopyAs.asCurl(snapshot, argument)
    case .copyAs: return try await CopyAs.copy(snapshot, argument)
    case .pasteCurl: return try await DocumentCommands.pasteCurl(snapshot, argument)
    case .describe:
      return try await DescribedRequests.execute(snapshot, argument, params.workDoneToken)
    case .toggleLine: return try await DocumentCommands.toggleLine(snapshot, argument)
    case .collections:
      let shown = try argument.map { value throws(RPCError) in
        try decode(LSP.PostkitCollectionsArguments.self, value)
      }
      return .string(
        try await Collections.show(snapshot, shown ?? LSP.PostkitCollectionsArguments()))
    case .cookies: return .string(try await Cookies.show(snapshot))
    case .cookieEdit:
      return JSONValue(try await StoreEdits.one(snapshot, argument, where: \.isOfCookies))
    case .session: return .string(try await SessionValues.show(snapshot))
    case .sessionEdit:
      return JSONValue(try await StoreEdits.one(snapshot, argument, where: \.isOfSession))
    case .fetchSchema: return try await SchemaFetch.fetch(snapshot, argument, params.workDoneToken)
    case .signIn: return try await TokenCommands.signIn(snapshot, argument, params.workDoneToken)
    case .forgetToken: return try await TokenCommands.forget(snapshot, argument)
    case .showClaims: return try await TokenCommands.showClaims(snapshot, argument)
    case .variables: return .string(try await Overview.showVariables(snapshot, argument))
    case .evaluateExpression: return try await ExpressionValue.evaluate(snapshot, argument)
    case .status: return .string(await Overview.status(snapshot))
    case .restartEngine: return .string(Overview.restartEngine(snapshot))
    case .mock: return try await Mocks.execute(snapshot, argument)
    case .collectionEdit: return JSONValue(try await CollectionEdits.edit(snapshot, argument))
    }
  }

  /// Reads the argument of a command that can also be called without one.
  static func decode<Argument: ProtocolValue>(
    _ value: JSONValue?, or none: Argument
  ) throws(RPCError) -> Argument {
    guard let value else { return none }
    return try decode(Argument.self, value)
  }

  /// Reads the argument of a command.
  static func decode<Argument: ProtocolValue>(
    _ type: Argument.Type, _ value: JSONValue
  ) throws(RPCError) -> Argument {
    let view: JSONView
    do throws(JSONSyntaxError) {
      view = try JSONTree(parsing: value.bytes).root
    } catch {
      throw RPCError(.internalError, "The argument can't be read back.")
    }
    do throws(DecodingFailure) {
      return try Argument(decoding: view)
    } catch {
      throw RPCError(.invalidParams, "\(error.inside("[0]").inside("arguments")).")
    }
  }

  private static func send(
    _ snapshot: Snapshot, _ argument: JSONValue?, _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> JSONValue {
    var order = try order(snapshot, argument)
    order.workDoneToken = token
    let result = try await SendRequests.one(snapshot, order)
    if !order.isDryRun { present(snapshot, result) }
    return JSONValue(result)
  }

  private static func order(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) throws(RPCError) -> SendOrder {
    guard let argument else {
      let caret = try caret(snapshot)
      return SendOrder(uri: caret.uri, position: caret.position)
    }
    let send = try decode(LSP.PostkitSendArguments.self, argument)
    var order = SendOrder(
      uri: send.uri, position: send.position, name: send.name, environment: send.environment,
      variables: send.variables ?? [:])
    order.isDryRun = send.dryRun ?? false
    return order
  }

  /// The place that a command without an argument means.
  static func caret(_ snapshot: Snapshot) throws(RPCError) -> Caret {
    guard let caret = snapshot.lastCaret else {
      throw RPCError(
        .requestFailed, "Place the cursor on a request and use the code actions.",
        data: ["code": .string(FailureCode.requestNotFound.rawValue)])
    }
    return caret
  }

  /// Clients that know us draw the result themselves; for all others it is opened, or told where
  /// they open nothing, and a failure is said.
  static func present(_ snapshot: Snapshot, _ result: LSP.PostkitSendResult) {
    guard snapshot.client.profile.postkit == nil, result.state != .cancelled else { return }
    if result.status == nil, let error = result.error {
      snapshot.client.showMessage(.error, error.message)
    } else if !snapshot.client.profile.showsDocuments {
      snapshot.client.showMessage(.info, SendSummary.sentence(result))
    } else if let uri = result.uri {
      SendResults.open(snapshot, uri, takesFocus: false)
    }
  }

  private static func sendAll(
    _ snapshot: Snapshot, _ argument: JSONValue?, _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> JSONValue {
    var order: SendOrder
    if let argument {
      let all = try decode(LSP.PostkitSendAllArguments.self, argument)
      guard (all.uri == nil) != (all.collection == nil) else {
        throw RPCError(.invalidParams, "params.arguments: expected one of uri and collection.")
      }
      order = SendOrder(
        uri: all.uri ?? "", environment: all.environment, variables: all.variables ?? [:],
        range: all.range, stopsAtFirstFailure: all.stopOnFailure ?? false)
      order.text = all.text
      order.partialResultToken = all.partialResultToken
      order.collection = all.collection
    } else {
      order = SendOrder(uri: try caret(snapshot).uri)
    }
    order.workDoneToken = token
    let results = try await SendRequests.all(snapshot, order)
    if snapshot.client.profile.postkit == nil, !snapshot.client.profile.hasInlayHints {
      snapshot.client.showMessage(.info, SendSummary.sentence(all: results))
    }
    return .array(results.map { JSONValue($0) })
  }

  private static func cancel(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> JSONValue {
    let (session, before) = (snapshot.session, snapshot.arrivedSends)
    guard let argument else { return .int(session.cancelSends(among: before)) }
    let meant = try decode(LSP.PostkitCancelArguments.self, argument)
    if let id = meant.id { return .int(session.cancelSend(id: id)) }
    guard let uri = meant.uri else { return .int(session.cancelSends(among: before)) }
    guard let position = meant.position else {
      return .int(session.cancelSends(of: DocumentURI(uri), among: before))
    }
    let document = try await snapshot.readableDocument(uri)
    let encoding = snapshot.client.profile.encoding
    let offset = document.text.converter(encoding).offset(position)
    return .int(
      session.cancelSends(of: DocumentURI(uri), at: offset, among: before) {
        $0.covers(offset, of: document, encoding)
      })
  }

  /// The exchange of an id, else the last one of a place, else the last of all.
  static func exchange(
    _ snapshot: Snapshot, _ id: String?, _ uri: String?, _ position: LSP.Position?
  ) async throws(RPCError) -> Exchange {
    var id = id
    if id == nil, let uri { id = try await last(snapshot, uri, position) }
    if id == nil { id = await snapshot.remembered().newest?.id }
    if id == nil { 
      id = try await HistoryPages.search(snapshot, HistoryQuery(limit: 1)).entries.first?.id
    }
    guard let id else {
      throw RPCError(.requestFailed, "Nothing has been sent yet.")
    }
    return try await SendResults.exchange(snapshot, id: id)
  }

  /// The id of the last exchange of a request, or of a document.
  private static func last(
    _ snapshot: Snapshot, _ uri: String, _ position: LSP.Position?
  ) async throws(RPCError) -> String {
    if case .response(let id, _) = snapshot.shown(DocumentURI(uri)) { return id }
    let context = await snapshot.context(of: try await snapshot.sendable(uri))
    let analysis = await snapshot.analysis(of: context)
    var id = analysis.results.first?.id
    if let position {
      let offset = context.converter(snapshot).offset(position)
      id = analysis.request(at: offset).flatMap { analysis.result(of: $0) }?.id
    }
    guard let id else {
      throw RPCError(
        .requestFailed, "This request has not been sent yet.")
    }
    return id
  }
}
